//! k-inductions: the lemma, the base and the step.

use thetis_base::Run;
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::sts::{Paths, Sts};
use thetis_solver::SolverFactory;

use super::invariant::check_inductive;
use super::relation::Relation;
use super::{Outcome, Rejection};
use crate::is_unsatisfiable;

/// The claim: `k` consecutive steps that are not bad are never followed by a bad one, if the lemma holds in
/// all of them.
#[derive(Clone, Copy)]
pub(super) struct Claim {
    pub(super) k: u32,
    pub(super) lemma: ExprId,
    pub(super) paths: Paths,
}

pub(super) fn check(task: &Task<Sts>, claim: Claim, solvers: &dyn SolverFactory, run: &Run) -> Outcome {
    if let Some(rejection) = check_inductive(task, claim.lemma, solvers, run)? {
        return Ok(Some(rejection));
    }
    let relation = Relation::new(task);
    if let Some(rejection) = check_base(&relation, claim.k, solvers, run)? {
        return Ok(Some(rejection));
    }
    check_step(&relation, claim, solvers, run)
}

/// None of the first `k` steps of a run is bad.
fn check_base(relation: &Relation<'_>, k: u32, solvers: &dyn SolverFactory, run: &Run) -> Outcome {
    let (store, sts) = (relation.store, relation.sts);
    let mut solver = solvers.start(run)?;
    solver.assert(store, store.at_step(sts.init, 0))?;
    for step in 0..k {
        solver.assert(store, store.at_step(sts.constraint, step))?;
        if !is_unsatisfiable(&mut *solver, store, store.at_step(sts.bad, step), run)? {
            return Ok(Some(Rejection::Base(step)));
        }
        solver.assert(store, store.at_step(relation.transition, step))?;
    }
    Ok(None)
}

/// A step that follows `k` steps that are not bad is not bad either, if the lemma holds in all of them.
fn check_step(relation: &Relation<'_>, claim: Claim, solvers: &dyn SolverFactory, run: &Run) -> Outcome {
    let Claim { k, lemma, paths } = claim;
    let (store, sts) = (relation.store, relation.sts);
    let mut solver = solvers.start(run)?;
    for step in 0..=k {
        run.checkpoint()?;
        solver.assert(store, store.at_step(sts.constraint, step))?;
        solver.assert(store, store.at_step(lemma, step))?;
        if paths == Paths::Simple {
            for earlier in 0..step {
                solver.assert(store, relation.differ(earlier, step))?;
            }
        }
        if step < k {
            solver.assert(store, store.not(store.at_step(sts.bad, step)))?;
            solver.assert(store, store.at_step(relation.transition, step))?;
        }
    }
    let is_inductive = is_unsatisfiable(&mut *solver, store, store.at_step(sts.bad, k), run)?;
    Ok((!is_inductive).then_some(Rejection::Induction))
}
