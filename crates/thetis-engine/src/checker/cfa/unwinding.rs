//! Complete unwindings of automata whose runs take boundedly many cut edges.
//!
//! The automaton is unrolled into a graph without cycles: one copy of each location for each number of cut edges
//! taken so far. From the last round backwards, each copy gets the formula of the states from which no run reaches an
//! error location or takes a cut edge out of the last round: `false` for error locations, else the conjunction of the
//! weakest preconditions of its outgoing edges, as far as its lemma holds. The proof is accepted iff the formula of the
//! first copy of the initial location is valid.
//!
//! Before that the lemmas are shown to hold initially and to be preserved by every edge, and the blocked edges are shown
//! to be so where the lemma of their source holds. Then they can be left out.
//!
//! Only locations matter that are reachable from the initial one and lead to an error location, as far as the graph
//! tells; what leads elsewhere has `true`.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaUnwinding, EdgeId, LocId};
use thetis_solver::{Solver, SolverFactory};

use super::precondition::{Goal, Precondition, changed_by};
use super::{Outcome, Rejection, formulas, order};

pub(super) fn check(
    task: &Task<Cfa>,
    proof: &CfaUnwinding,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    let (store, cfa) = (&task.store, &task.model);
    if let Err(rejection) = check_names(task, proof) {
        return Ok(Some(rejection));
    }
    let mut solver = solvers.start(run)?;
    if let Some(rejection) = check_lemmas(task, proof, &mut *solver, run)? {
        return Ok(Some(rejection));
    }
    let mut outgoing = order::outgoing(cfa);
    outgoing.iter_mut().for_each(|edges| edges.retain(|edge| !proof.blocked.contains(edge)));
    let relevant = relevant_locations(cfa, &outgoing);
    let order = match order::targets_first(cfa, &outgoing, &relevant, |edge| !proof.cuts.contains(&edge)) {
        Ok(order) => order,
        Err(location) => return Ok(Some(Rejection::UncutCycle(location))),
    };
    let mut unwinding = Unwinding::new(task, proof, outgoing, order);
    let mut safe = unwinding.beyond();
    for _ in 0..=proof.bound {
        safe = unwinding.round_before(&safe, run)?;
    }
    let safe = safe.get(&cfa.initial).map_or(store.tru(), |(safe, _)| *safe);
    let is_safe = formulas::is_implied(store, store.tru(), safe, &mut *solver, run)?;
    Ok((!is_safe).then_some(Rejection::Unwinding))
}

fn check_names(task: &Task<Cfa>, proof: &CfaUnwinding) -> Result<(), Rejection> {
    let is_known = |edge: &EdgeId| task.model.edges.get(*edge).is_some();
    if !proof.cuts.iter().chain(&proof.blocked).all(is_known) {
        return Err(Rejection::UnknownEdge);
    }
    formulas::check(task, &proof.lemmas)
}

fn check_lemmas(task: &Task<Cfa>, proof: &CfaUnwinding, solver: &mut dyn Solver, run: &Run) -> Outcome {
    let store = &task.store;
    let lemma = |location: LocId| proof.lemmas.get(&location).copied().unwrap_or(store.tru());
    let mut precondition = Precondition::new(store, &task.model);
    if !formulas::is_implied(store, store.tru(), lemma(task.model.initial), solver, run)? {
        return Ok(Some(Rejection::Initiation));
    }
    for (id, edge) in task.model.edges.iter_enumerated() {
        let is_blocked = proof.blocked.contains(&id);
        let post = if is_blocked { store.fals() } else { lemma(edge.target) };
        let needed = precondition.of(&edge.stmt, post);
        if !formulas::is_implied(store, lemma(edge.source), needed, solver, run)? {
            return Ok(Some(if is_blocked { Rejection::NotBlocked(id) } else { Rejection::Consecution(id) }));
        }
    }
    Ok(None)
}

/// The locations that a shortest run to an error location can visit: edges that leave error locations do not count.
fn relevant_locations(cfa: &Cfa, outgoing: &IndexVec<LocId, Vec<EdgeId>>) -> BTreeSet<LocId> {
    let mut reached = BTreeSet::new();
    let mut incoming: IndexVec<LocId, Vec<LocId>> = cfa.locations.iter().map(|_| Vec::new()).collect();
    let mut stack = vec![cfa.initial];
    while let Some(location) = stack.pop() {
        if reached.insert(location) {
            for target in outgoing[location].iter().map(|edge| cfa.edges[*edge].target) {
                incoming[target].push(location);
                stack.push(target);
            }
        }
    }
    let mut relevant = BTreeSet::new();
    let mut stack: Vec<LocId> = cfa.errors.iter().copied().filter(|error| reached.contains(error)).collect();
    while let Some(location) = stack.pop() {
        if relevant.insert(location) {
            stack.extend(&incoming[location]);
        }
    }
    relevant
}

/// The formulas of the copies of one round, and the same as goals.
type Round = BTreeMap<LocId, (ExprId, Goal)>;

struct Unwinding<'t> {
    task: &'t Task<Cfa>,
    proof: &'t CfaUnwinding,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    num_incoming: IndexVec<LocId, usize>,
    order: Vec<LocId>,
    changed: BTreeSet<VarId>,
    precondition: Precondition<'t>,
}

impl<'t> Unwinding<'t> {
    fn new(
        task: &'t Task<Cfa>,
        proof: &'t CfaUnwinding,
        outgoing: IndexVec<LocId, Vec<EdgeId>>,
        order: Vec<LocId>,
    ) -> Unwinding<'t> {
        let changed = changed_by(task.model.edges.iter().map(|edge| &edge.stmt));
        let precondition = Precondition::new(&task.store, &task.model);
        let num_incoming = order::num_incoming(&task.model);
        Unwinding { task, proof, outgoing, num_incoming, order, changed, precondition }
    }

    /// What no run should reach behind the last round.
    fn beyond(&mut self) -> Round {
        let never = self.task.store.fals();
        let goal = self.precondition.goal(never, 1, &self.changed);
        self.order.iter().map(|location| (*location, (never, goal))).collect()
    }

    /// The formulas of the round that leads to the round `next`.
    fn round_before(&mut self, next: &Round, run: &Run) -> Result<Round, Stop> {
        let mut current = Round::new();
        for location in self.order.clone() {
            run.checkpoint()?;
            let safe = self.safe_at(location, &current, next);
            let goal = self.precondition.goal(safe, self.num_incoming[location], &self.changed);
            current.insert(location, (safe, goal));
        }
        Ok(current)
    }

    fn safe_at(&mut self, location: LocId, current: &Round, next: &Round) -> ExprId {
        let cfa = &self.task.model;
        let mut needed = Vec::new();
        if cfa.is_error(location) {
            needed.push(self.task.store.fals());
        }
        for id in &self.outgoing[location] {
            let edge = &cfa.edges[*id];
            let round = if self.proof.cuts.contains(id) { next } else { current };
            if let Some((_, goal)) = round.get(&edge.target) {
                needed.push(self.precondition.towards(&edge.stmt, *goal));
            }
        }
        let needed = self.task.store.and_all(needed);
        match self.proof.lemmas.get(&location) {
            Some(lemma) => self.task.store.implies(*lemma, needed),
            None => needed,
        }
    }
}
