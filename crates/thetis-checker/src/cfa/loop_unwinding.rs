//! Unwindings of automata in which every loop has rounds of its own.
//!
//! The automaton is unrolled into copies of locations, one for each [milestone](super::nest) that a run can be at: the location, and the number of
//! the round for each loop around it. Two loops that follow one another thus do not share a count, and a loop that counts from zero has
//! a known counter in each of its rounds, whatever came before. Every edge between copies has to lead to a greater milestone, so there are no cycles,
//! and every run is a path through the copies.
//!
//! Copies are made forwards, in the order of their milestones, along the edges that may be taken according to the values that are
//! [known](super::known). A loop that starts again more than `bound` times since it was entered is as bad as an error location: the proof
//! claims that there is no such run. Constants close most loops before that. From the
//! last copy backwards, each gets the formula of the states from which no run reaches anything bad, as in [`super::unwinding`]. The formula of
//! the first copy has to be valid.
//!
//! **What paths share.** Where several paths meet, the formula is needed on all of them, and constants stand for the variables that they change
//! ([`super::precondition`]). All paths into a copy come from its immediate dominator, and only what they change from there on needs constants; other
//! variables, above all arrays that were filled before, stay what they are. Soundness only asks that constants stand for what the last edges
//! change; the others keep the formulas small.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaUnwinding, EdgeId, LocId};
use thetis_solver::SolverFactory;

use super::exhaustion::{Datum, Statements};
use super::nest::{Milestone, Nest};
use super::precondition::{Goal, Precondition, changed_by};
use super::{Outcome, Rejection, cells, formulas};

/// The greatest number of copies. Loops in loops could have very many.
const MAX_COPIES: usize = 200_000;

/// The greatest number of values that are kept, over all copies. Later copies keep none, which changes formulas but not what they mean.
const MAX_VALUES: usize = 10_000_000;

/// Checks an unwinding whose lemmas hold. `outgoing` has the edges that are not blocked, `relevant` the locations towards errors.
pub(super) fn check(
    task: &Task<Cfa>,
    proof: &CfaUnwinding,
    outgoing: &IndexVec<LocId, Vec<EdgeId>>,
    relevant: &BTreeSet<LocId>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    if !relevant.contains(&task.model.initial) {
        return Ok(None);
    }
    let copies = match LoopWalk::new(task, proof, outgoing, relevant, run)?.copies(run)? {
        Ok(copies) => copies,
        Err(rejection) => return Ok(Some(rejection)),
    };
    let safe = safe_at_start(task, proof, &copies, run)?;
    let mut solver = solvers.start(run)?;
    let is_safe = formulas::is_implied(&task.store, task.store.tru(), safe, &mut *solver, run)?;
    Ok((!is_safe).then_some(Rejection::Unwinding))
}

/// A copy of a location, named by its number; edges lead to greater numbers.
struct LoopCopy {
    location: LocId,
    /// Whether it is bad to be here: at an error location, a limit, or in a round after the last one.
    is_bad: bool,
    /// The edges that may be taken, with the copies they lead to.
    edges: Vec<(EdgeId, usize)>,
    /// Variables with one value in all runs that arrive here.
    values: Vec<(VarId, Value)>,
    /// How many edges lead here.
    num_ways: usize,
    /// The last copy that all paths to this one visit before it.
    dominator: usize,
    /// What is changed on the paths from there to here.
    changed: BTreeSet<VarId>,
}

/// The runs that arrive at a copy.
struct LoopArrival {
    values: Vec<Datum>,
    ways: Vec<(usize, EdgeId)>,
}

/// The copies that have been made so far.
struct LoopWalk<'t> {
    task: &'t Task<Cfa>,
    proof: &'t CfaUnwinding,
    outgoing: &'t IndexVec<LocId, Vec<EdgeId>>,
    relevant: &'t BTreeSet<LocId>,
    nest: Nest,
    statements: Statements<'t>,
    copies: Vec<LoopCopy>,
    /// How many values they keep.
    num_values: usize,
    /// Where runs arrive next.
    pending: BTreeMap<(Milestone, LocId), LoopArrival>,
}

impl<'t> LoopWalk<'t> {
    fn new(
        task: &'t Task<Cfa>,
        proof: &'t CfaUnwinding,
        outgoing: &'t IndexVec<LocId, Vec<EdgeId>>,
        relevant: &'t BTreeSet<LocId>,
        run: &Run,
    ) -> Result<LoopWalk<'t>, Stop> {
        let nest = Nest::new(&task.model, outgoing, relevant, run)?;
        let statements = Statements::new(task);
        let location = task.model.initial;
        let start = LoopArrival { values: statements.nothing_known(), ways: Vec::new() };
        let pending = BTreeMap::from([((nest.first(location), location), start)]);
        let copies = Vec::new();
        Ok(LoopWalk { task, proof, outgoing, relevant, nest, statements, copies, num_values: 0, pending })
    }

    /// All copies that a run may visit.
    fn copies(mut self, run: &Run) -> Result<Result<Vec<LoopCopy>, Rejection>, Stop> {
        while let Some(((milestone, location), arrival)) = self.pending.pop_first() {
            run.checkpoint()?;
            if self.copies.len() == MAX_COPIES {
                return Ok(Err(Rejection::Unwinding));
            }
            if let Err(rejection) = self.visit(&milestone, location, arrival) {
                return Ok(Err(rejection));
            }
        }
        Ok(Ok(self.copies))
    }

    /// Makes a copy and follows its edges.
    fn visit(&mut self, milestone: &[u32], location: LocId, arrival: LoopArrival) -> Result<(), Rejection> {
        let number = self.copies.len();
        let LoopArrival { values, ways } = arrival;
        let is_bad = self.task.model.is_forbidden(location) || self.is_after_last_round(milestone, &ways);
        let (dominator, changed) = self.paths(&ways);
        for (source, edge) in &ways {
            self.copies[*source].edges.push((*edge, number));
        }
        let known = self.kept(&values);
        let num_ways = ways.len();
        self.copies.push(LoopCopy {
            location,
            is_bad,
            edges: Vec::new(),
            values: known,
            num_ways,
            dominator,
            changed,
        });
        if is_bad {
            return Ok(());
        }
        let outgoing = self.outgoing;
        for edge in &outgoing[location] {
            self.follow(number, milestone, &values, *edge)?;
        }
        Ok(())
    }

    /// The variables with known values, as long as there is room for them.
    fn kept(&mut self, values: &[Datum]) -> Vec<(VarId, Value)> {
        if self.num_values > MAX_VALUES {
            return Vec::new();
        }
        let known = self.statements.scalars(values);
        self.num_values += known.len();
        known
    }

    /// Follows an edge out of a copy, if it leads towards errors and may be taken.
    fn follow(
        &mut self,
        source: usize,
        milestone: &[u32],
        values: &[Datum],
        edge: EdgeId,
    ) -> Result<(), Rejection> {
        let task = self.task;
        let cfa = &task.model;
        let location = cfa.edges[edge].target;
        if !self.relevant.contains(&location) {
            return Ok(());
        }
        let Some(after) = self.statements.after(edge, values) else { return Ok(()) };
        let next = self.nest.after(cfa, milestone, edge);
        if *next <= *milestone {
            return Err(Rejection::UncutCycle(location));
        }
        match self.pending.entry((next, location)) {
            Entry::Occupied(arrival) => arrival.into_mut().add(source, edge, &after),
            Entry::Vacant(entry) => {
                entry.insert(LoopArrival { values: after, ways: vec![(source, edge)] });
            }
        }
        Ok(())
    }

    /// Whether a run that arrives like this has started a loop again more often than the proof says.
    fn is_after_last_round(&self, milestone: &[u32], ways: &[(usize, EdgeId)]) -> bool {
        let starts_again = ways.iter().any(|(_, edge)| self.nest.is_again(*edge));
        starts_again && Nest::innermost_round(milestone) > self.proof.bound
    }

    /// The immediate dominator of the copy that is entered in these ways, and what is changed on the paths from there: the last of several
    /// copies gives way to its dominator until all are the same, so that what paths share is visited once.
    fn paths(&self, ways: &[(usize, EdgeId)]) -> (usize, BTreeSet<VarId>) {
        let edges = ways.iter().map(|(_, edge)| &self.task.model.edges[*edge].stmt);
        let mut changed = changed_by(edges);
        let mut sources: BTreeSet<usize> = ways.iter().map(|(source, _)| *source).collect();
        while sources.len() > 1 {
            let last = sources.pop_last().expect("there should be several");
            changed.extend(&self.copies[last].changed);
            sources.insert(self.copies[last].dominator);
        }
        (sources.pop_first().unwrap_or(0), changed)
    }
}

impl LoopArrival {
    fn add(&mut self, source: usize, edge: EdgeId, values: &[Datum]) {
        self.ways.push((source, edge));
        self.values.iter_mut().zip(values).for_each(|(known, other)| known.join(other));
    }
}

/// The formula of the first copy.
fn safe_at_start(
    task: &Task<Cfa>,
    proof: &CfaUnwinding,
    copies: &[LoopCopy],
    run: &Run,
) -> Result<ExprId, Stop> {
    let mut precondition = Precondition::new(&task.store, &task.model);
    let mut goals: Vec<Option<Goal>> = copies.iter().map(|_| None).collect();
    let mut safe = task.store.tru();
    for (number, copy) in copies.iter().enumerate().rev() {
        run.checkpoint()?;
        safe = safe_at(task, proof, copy, &goals, &mut precondition);
        goals[number] = Some(precondition.goal(safe, copy.num_ways, &copy.changed));
    }
    Ok(safe)
}

/// The formula of a copy, whose edges lead to copies with known `goals`.
fn safe_at(
    task: &Task<Cfa>,
    proof: &CfaUnwinding,
    copy: &LoopCopy,
    goals: &[Option<Goal>],
    precondition: &mut Precondition<'_>,
) -> ExprId {
    let store = &task.store;
    if copy.is_bad {
        return store.fals();
    }
    let mut needed = Vec::new();
    for (edge, target) in &copy.edges {
        let goal = goals[*target].expect("edges should lead to greater numbers");
        needed.push(precondition.towards(&task.model.edges[*edge].stmt, goal));
    }
    let needed = store.and_all(needed);
    let safe = match proof.lemmas.formulas.get(&copy.location) {
        Some(lemma) => {
            let instances = cells::instances(store, &proof.lemmas.cells, *lemma, needed);
            store.implies(instances, needed)
        }
        None => needed,
    };
    precondition.with_values(safe, &copy.values)
}
