//! Unwindings of automata: runs are counted by the cut edges they take.
//!
//! The automaton is unrolled into a graph without cycles: one copy of each location for each number of cut edges
//! taken so far. From the last round backwards, each copy gets the formula of the states from which no run reaches an
//! error location: `false` for error locations, else the conjunction of the weakest preconditions of its outgoing edges,
//! as far as its lemma holds. The **base** asks that the formula of the first copy of the initial location is valid. Then no run
//! with at most `bound` cut edges reaches an error location. About longer runs there are three claims:
//!
//! * *There are none.* Then a cut edge out of the last round is as bad as an error location.
//! * *There are none, loop by loop.* Then rounds are counted in [another way](super::loop_unwinding).
//! * *k-induction.* Then a cut edge out of the last round leads to `true`, and the **step** is asked too. It has
//!   as many rounds, but only the error locations of the last one have `false`. The formula of the
//!   first copy of every location to which a cut edge leads has to be valid. So no run whatsoever goes from there over exactly
//!   `bound` cut edges to an error location. A run that takes `m > bound` cut edges to an error location would, after the
//!   first `m - bound` of them, be such a run.
//!
//! In the base, only those copies count that may be reached according to what is [known](super::known) about values, and known values replace
//! variables. No run is lost that way, so the claims above still hold.
//!
//! Before that, the checker proves the lemmas, as invariants that need not exclude errors, and proves that blocked
//! edges are never taken, so that they can be left out.
//!
//! Limits count as error locations: a proof has to exclude them too.
//!
//! Only locations that, according to the graph, are reachable from the initial one and lead to an error location
//! matter; all others have `true`.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaUnwinding, EdgeId, LocId, LongRuns};
use thetis_solver::{Solver, SolverFactory};

use super::known::{KnownCopy, KnownRound};
use super::precondition::{Goal, Precondition, changed_by};
use super::{Outcome, Rejection, cells, formulas, invariants, known, loop_unwinding, order};

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
    if let Some(rejection) = invariants::check_lemmas(task, &proof.lemmas, solvers, run)? {
        return Ok(Some(rejection));
    }
    let mut outgoing = order::outgoing(cfa);
    outgoing.iter_mut().for_each(|edges| edges.retain(|edge| !proof.lemmas.blocked.contains(edge)));
    let relevant = order::towards_forbidden(cfa, &outgoing);
    if proof.long_runs == LongRuns::LoopByLoop {
        return loop_unwinding::check(task, proof, &outgoing, &relevant, solvers, run);
    }
    let order = match order::targets_first(cfa, &outgoing, &relevant, |edge| !proof.cuts.contains(&edge)) {
        Ok(order) => order,
        Err(location) => return Ok(Some(Rejection::UncutCycle(location))),
    };
    let mut unwinding = Unwinding::new(task, proof, outgoing, order);
    let mut solver = solvers.start(run)?;
    let base = unwinding.short_runs(run)?;
    let safe = base.get(&cfa.initial).map_or(store.tru(), |(safe, _)| *safe);
    if !formulas::is_implied(store, store.tru(), safe, &mut *solver, run)? {
        return Ok(Some(Rejection::Unwinding));
    }
    match proof.long_runs {
        LongRuns::None | LongRuns::LoopByLoop => Ok(None),
        LongRuns::Inductive => unwinding.check_step(&mut *solver, run),
    }
}

fn check_names(task: &Task<Cfa>, proof: &CfaUnwinding) -> Result<(), Rejection> {
    let is_known = |edge: &EdgeId| task.model.edges.get(*edge).is_some();
    if proof.cuts.iter().all(is_known) { Ok(()) } else { Err(Rejection::UnknownEdge) }
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

    /// For each location the states from which no run takes at most `bound` cut edges to an error location, nor one
    /// more of them if there should be no long runs.
    fn short_runs(&mut self, run: &Run) -> Result<Round, Stop> {
        let store = &self.task.store;
        let mut safe = match self.proof.long_runs {
            LongRuns::None | LongRuns::LoopByLoop => self.everywhere(store.fals()),
            LongRuns::Inductive => self.everywhere(store.tru()),
        };
        let outgoing = |location: LocId| self.outgoing[location].as_slice();
        match known::rounds(self.task, self.proof, outgoing, &self.order, run)? {
            Some(rounds) => {
                for round in rounds.iter().rev() {
                    safe = self.round_before(&safe, store.fals(), Some(round), run)?;
                }
            }
            None => {
                for _ in 0..=self.proof.bound {
                    safe = self.round_before(&safe, store.fals(), None, run)?;
                }
            }
        }
        Ok(safe)
    }

    /// The step of k-induction: no run from the target of a cut edge takes exactly `bound` cut edges to an error
    /// location.
    fn check_step(&mut self, solver: &mut dyn Solver, run: &Run) -> Outcome {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let beyond = self.everywhere(store.tru());
        let mut safe = self.round_before(&beyond, store.fals(), None, run)?;
        for _ in 0..self.proof.bound {
            // Runs that arrive at an error location with fewer cut edges are not considered here.
            safe = self.round_before(&safe, store.tru(), None, run)?;
        }
        let targets: BTreeSet<LocId> = self.proof.cuts.iter().map(|edge| cfa.edges[*edge].target).collect();
        for target in targets {
            let Some((safe, _)) = safe.get(&target) else { continue };
            if !formulas::is_implied(store, store.tru(), *safe, solver, run)? {
                return Ok(Some(Rejection::InductionStep(target)));
            }
        }
        Ok(None)
    }

    /// The same formula for all locations.
    fn everywhere(&mut self, formula: ExprId) -> Round {
        let goal = self.precondition.goal(formula, 1, &self.changed);
        self.order.iter().map(|location| (*location, (formula, goal))).collect()
    }

    /// The formulas of the round that leads to the round `next`, where error locations have `at_error`. Copies that are not in `known`, if that
    /// is given, are left out.
    fn round_before(
        &mut self,
        next: &Round,
        at_error: ExprId,
        known: Option<&KnownRound>,
        run: &Run,
    ) -> Result<Round, Stop> {
        let mut current = Round::new();
        for location in self.order.clone() {
            run.checkpoint()?;
            let copy = match known.map(|round| round.get(&location)) {
                None => None,
                Some(Some(copy)) => Some(copy),
                Some(None) => continue,
            };
            let safe = match self.task.model.is_forbidden(location) {
                true => at_error,
                false => self.safe_at(location, copy, &current, next),
            };
            let num_ways = copy.map_or(self.num_incoming[location], |copy| copy.num_ways);
            let goal = self.precondition.goal(safe, num_ways, &self.changed);
            current.insert(location, (safe, goal));
        }
        Ok(current)
    }

    fn safe_at(
        &mut self,
        location: LocId,
        copy: Option<&KnownCopy>,
        current: &Round,
        next: &Round,
    ) -> ExprId {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let edges = copy.map_or(&self.outgoing[location], |copy| &copy.edges);
        let mut needed = Vec::new();
        for id in edges {
            let edge = &cfa.edges[*id];
            let round = if self.proof.cuts.contains(id) { next } else { current };
            if let Some((_, goal)) = round.get(&edge.target) {
                needed.push(self.precondition.towards(&edge.stmt, *goal));
            }
        }
        let needed = store.and_all(needed);
        let safe = match self.proof.lemmas.formulas.get(&location) {
            Some(lemma) => {
                let instances = cells::instances(store, &self.proof.lemmas.cells, *lemma, needed);
                store.implies(instances, needed)
            }
            None => needed,
        };
        copy.map_or(safe, |copy| self.precondition.with_values(safe, &copy.values))
    }
}
