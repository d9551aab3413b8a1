//! Complete unwindings of automata whose runs take boundedly many cut edges.
//!
//! The automaton is unrolled into a graph without cycles: one copy of each location for each number of cut edges
//! taken so far. From the last round backwards, each copy gets the formula of the states from which no run reaches an
//! error location or takes a cut edge out of the last round: `false` for error locations, else the conjunction of the
//! weakest preconditions of its outgoing edges. The proof is accepted iff the formula of the first copy of
//! the initial location is valid.
//!
//! Only locations matter that are reachable from the initial one and lead to an error location, as far as the graph
//! tells; what leads elsewhere has `true`.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, LocId};
use thetis_solver::SolverFactory;

use super::super::is_unsatisfiable;
use super::precondition::{Goal, Precondition, changed_by};
use super::{Outcome, Rejection, order};

pub(super) fn check(
    task: &Task<Cfa>,
    bound: u32,
    cuts: &BTreeSet<EdgeId>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    let (store, cfa) = (&task.store, &task.model);
    if cuts.iter().any(|edge| cfa.edges.get(*edge).is_none()) {
        return Ok(Some(Rejection::UnknownEdge));
    }
    let outgoing = order::outgoing(cfa);
    let relevant = relevant_locations(cfa, &outgoing);
    let order = match order::targets_first(cfa, &outgoing, &relevant, |edge| !cuts.contains(&edge)) {
        Ok(order) => order,
        Err(location) => return Ok(Some(Rejection::UncutCycle(location))),
    };
    let mut unwinding = Unwinding::new(task, cuts, outgoing, order);
    let mut safe = unwinding.beyond();
    for _ in 0..=bound {
        safe = unwinding.round_before(&safe, run)?;
    }
    let Some((safe, _)) = safe.get(&cfa.initial) else { return Ok(None) };
    if is_unsatisfiable(&mut *solvers.start(run)?, store, store.not(*safe), run)? {
        return Ok(None);
    }
    Ok(Some(Rejection::Unwinding))
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
    cuts: &'t BTreeSet<EdgeId>,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    num_incoming: IndexVec<LocId, usize>,
    order: Vec<LocId>,
    changed: BTreeSet<VarId>,
    precondition: Precondition<'t>,
}

impl<'t> Unwinding<'t> {
    fn new(
        task: &'t Task<Cfa>,
        cuts: &'t BTreeSet<EdgeId>,
        outgoing: IndexVec<LocId, Vec<EdgeId>>,
        order: Vec<LocId>,
    ) -> Unwinding<'t> {
        let changed = changed_by(task.model.edges.iter().map(|edge| &edge.stmt));
        let precondition = Precondition::new(&task.store, &task.model);
        let num_incoming = order::num_incoming(&task.model);
        Unwinding { task, cuts, outgoing, num_incoming, order, changed, precondition }
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
        if cfa.is_error(location) {
            return self.task.store.fals();
        }
        let mut needed = Vec::new();
        for id in &self.outgoing[location] {
            let edge = &cfa.edges[*id];
            let round = if self.cuts.contains(id) { next } else { current };
            if let Some((_, goal)) = round.get(&edge.target) {
                needed.push(self.precondition.towards(&edge.stmt, *goal));
            }
        }
        self.task.store.and_all(needed)
    }
}
