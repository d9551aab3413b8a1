//! Location invariants: initiation and consecution.
//!
//! Every location has a formula `G`, from the proof: `true` if it has none. Error locations have `false`, or `true` if the invariants are only
//! lemmas and need not exclude errors. [Limits](thetis_model::cfa::Cfa::limits) count as error locations: a proof has to exclude them too. A
//! derived location also has `D = (G imply the weakest preconditions of its outgoing edges)`, where an edge has to arrive at the `D` of a
//! derived target and at the `G` of any other. Since derived locations form no cycle, this defines each `D`. Blocked edges do not count for
//! this. The invariant that the checker establishes for a derived location is `G ∧ D`, and for any other location `G`. It checks that
//!
//! 1. the invariant of the initial location is valid,
//! 2. for each edge, the `G` of its source implies the weakest precondition of the `G` of its target, or of `false` if
//!    the proof calls the edge blocked,
//! 3. for each edge that is not blocked from a location that is not derived to one that is, the `G` of the source
//!    implies the weakest precondition of the `D` of the target.
//!
//! An edge from a derived location preserves these invariants: `G ∧ D` of the source gives what the edge needs, which
//! is the `D` of a derived target or the `G` of any other, and question 2 gives the `G` of a derived target. So
//! question 2 need not be asked for an edge from a derived location to one that is not.
//!
//! With cells, a `G` that is known is used through its [instances](super::cells). In `D`, instances of `G` then take the place
//! of `G`; they follow from `G`, so the argument above still applies.
//!
//! `D` of a location with several incoming edges is a [`Goal`], which is used by conjoined formulas only: those of
//! different edges into it.

use std::collections::BTreeMap;

use thetis_base::Run;
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, EdgeId, LocId};
use thetis_solver::{Solver, SolverFactory};

use super::precondition::{Goal, Precondition, changed_by};
use super::{Outcome, Rejection, cells, formulas, order};
use crate::CheckError;

pub(super) fn check(
    task: &Task<Cfa>,
    invariants: &CfaInvariants,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    check_with(task, invariants, task.store.fals(), solvers, run)
}

/// Whether `lemmas` hold until a run arrives at an error location.
pub(super) fn check_lemmas(
    task: &Task<Cfa>,
    lemmas: &CfaInvariants,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    if lemmas.is_empty() {
        return Ok(None);
    }
    check_with(task, lemmas, task.store.tru(), solvers, run)
}

fn check_with(
    task: &Task<Cfa>,
    invariants: &CfaInvariants,
    at_errors: ExprId,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    if let Err(rejection) = check_formulas(task, invariants) {
        return Ok(Some(rejection));
    }
    let mut check = match Check::new(task, invariants, at_errors, run)? {
        Ok(check) => check,
        Err(rejection) => return Ok(Some(rejection)),
    };
    let mut solver = solvers.start(run)?;
    if !check.is_implied(task.store.tru(), check.believed_initially(), &mut *solver)? {
        return Ok(Some(Rejection::Initiation));
    }
    // Runs need not be followed beyond error locations.
    let edges = task.model.edges.iter_enumerated().filter(|(_, edge)| !task.model.is_forbidden(edge.source));
    for (edge, _) in edges {
        if let Some(rejection) = check.check_edge(edge, &mut *solver)? {
            return Ok(Some(rejection));
        }
    }
    Ok(None)
}

fn check_formulas(task: &Task<Cfa>, invariants: &CfaInvariants) -> Result<(), Rejection> {
    formulas::check(task, invariants)?;
    if invariants.blocked.iter().any(|edge| task.model.edges.get(*edge).is_none()) {
        return Err(Rejection::UnknownEdge);
    }
    for location in &invariants.derived {
        if task.model.locations.get(*location).is_none() {
            return Err(Rejection::UnknownLocation);
        }
        if task.model.is_forbidden(*location) {
            return Err(Rejection::DerivedError(*location));
        }
    }
    Ok(())
}

struct Check<'t> {
    task: &'t Task<Cfa>,
    invariants: &'t CfaInvariants,
    /// The formula of error locations.
    at_errors: ExprId,
    precondition: Precondition<'t>,
    /// What is derived, as a formula for runs that start there and as a goal for edges.
    derived: BTreeMap<LocId, (ExprId, Goal)>,
    run: &'t Run,
}

impl<'t> Check<'t> {
    fn new(
        task: &'t Task<Cfa>,
        invariants: &'t CfaInvariants,
        at_errors: ExprId,
        run: &'t Run,
    ) -> Result<Result<Check<'t>, Rejection>, CheckError> {
        let cfa = &task.model;
        let is_derived = |location: LocId| invariants.derived.contains(&location);
        let mut outgoing = order::outgoing(cfa);
        outgoing.iter_mut().for_each(|edges| edges.retain(|edge| !invariants.blocked.contains(edge)));
        let order = match order::targets_first(cfa, &outgoing, &invariants.derived, |_| true) {
            Ok(order) => order,
            Err(location) => return Ok(Err(Rejection::DerivedCycle(location))),
        };
        // On the way to a goal no other variables change than those on edges into derived locations.
        let entering = cfa.edges.iter().filter(|edge| is_derived(edge.target));
        let changed = changed_by(entering.map(|edge| &edge.stmt));
        let num_incoming = order::num_incoming(cfa);
        let precondition = Precondition::new(&task.store, cfa);
        let mut check = Check { task, invariants, at_errors, precondition, derived: BTreeMap::new(), run };
        for location in order {
            run.checkpoint()?;
            let needed: Vec<ExprId> = outgoing[location].iter().map(|edge| check.needed_for(*edge)).collect();
            let needed = task.store.and_all(needed);
            let derived = task.store.implies(check.known_at(location, needed), needed);
            let goal = check.precondition.goal(derived, num_incoming[location], &changed);
            check.derived.insert(location, (derived, goal));
        }
        Ok(Ok(check))
    }

    /// `G`.
    fn formula_at(&self, location: LocId) -> ExprId {
        match self.invariants.formulas.get(&location) {
            _ if self.task.model.is_forbidden(location) => self.at_errors,
            Some(formula) => *formula,
            None => self.task.store.tru(),
        }
    }

    /// What `G` says about `conclusion`.
    fn known_at(&self, location: LocId, conclusion: ExprId) -> ExprId {
        cells::instances(&self.task.store, &self.invariants.cells, self.formula_at(location), conclusion)
    }

    /// The part of `D` of the source of `edge` that is due to `edge`.
    fn needed_for(&mut self, edge: EdgeId) -> ExprId {
        let edge = &self.task.model.edges[edge];
        match self.derived.get(&edge.target) {
            Some((_, goal)) => self.precondition.towards(&edge.stmt, *goal),
            None => self.precondition.of(&edge.stmt, self.formula_at(edge.target)),
        }
    }

    fn believed_initially(&self) -> ExprId {
        let initial = self.task.model.initial;
        let derived = self.derived.get(&initial).map_or(self.task.store.tru(), |(formula, _)| *formula);
        self.task.store.and(self.formula_at(initial), derived)
    }

    /// What is wrong with `id`, if anything.
    fn check_edge(&mut self, id: EdgeId, solver: &mut dyn Solver) -> Result<Option<Rejection>, CheckError> {
        let edge = &self.task.model.edges[id];
        if self.invariants.blocked.contains(&id) {
            let never = self.precondition.of(&edge.stmt, self.task.store.fals());
            let is_blocked = self.is_implied(self.known_at(edge.source, never), never, solver)?;
            return Ok((!is_blocked).then_some(Rejection::NotBlocked(id)));
        }
        let is_derived = |location: LocId| self.invariants.derived.contains(&location);
        let (from_derived, to_derived) = (is_derived(edge.source), is_derived(edge.target));
        let mut is_preserved = true;
        if !from_derived || to_derived {
            let given = self.precondition.of(&edge.stmt, self.formula_at(edge.target));
            is_preserved &= self.is_implied(self.known_at(edge.source, given), given, solver)?;
        }
        if is_preserved && !from_derived && to_derived {
            let needed = self.needed_for(id);
            is_preserved &= self.is_implied(self.known_at(edge.source, needed), needed, solver)?;
        }
        Ok((!is_preserved).then_some(Rejection::Consecution(id)))
    }

    fn is_implied(
        &self,
        premise: ExprId,
        conclusion: ExprId,
        solver: &mut dyn Solver,
    ) -> Result<bool, CheckError> {
        formulas::is_implied(&self.task.store, premise, conclusion, solver, self.run)
    }
}
