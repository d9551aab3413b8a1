//! Invariants: initiation, consecution and safety.

use thetis_base::Run;
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::sts::Sts;
use thetis_solver::SolverFactory;

use super::relation::Relation;
use super::{Outcome, Rejection, is_state_formula};
use crate::{CheckError, is_unsatisfiable};

pub(super) fn check(task: &Task<Sts>, invariant: ExprId, solvers: &dyn SolverFactory, run: &Run) -> Outcome {
    if let Some(rejection) = check_inductive(task, invariant, solvers, run)? {
        return Ok(Some(rejection));
    }
    let (store, sts) = (&task.store, &task.model);
    let is_safe = is_contradiction(task, &[invariant, sts.constraint, sts.bad], store.tru(), solvers, run)?;
    Ok((!is_safe).then_some(Rejection::Safety))
}

/// Whether `formula` holds in initial states and every step preserves it.
pub(super) fn check_inductive(
    task: &Task<Sts>,
    formula: ExprId,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    if !is_state_formula(task, formula) {
        return Ok(Some(Rejection::NotAFormula));
    }
    let (store, sts) = (&task.store, &task.model);
    if !is_contradiction(task, &[sts.init, sts.constraint], store.not(formula), solvers, run)? {
        return Ok(Some(Rejection::Initiation));
    }
    let step = [formula, sts.constraint, Relation::new(task).transition, store.primed(sts.constraint)];
    let broken = store.not(store.primed(formula));
    let is_preserved = is_contradiction(task, &step, broken, solvers, run)?;
    Ok((!is_preserved).then_some(Rejection::Consecution))
}

/// Whether a fresh solver proves that the premises and the last formula have no model.
fn is_contradiction(
    task: &Task<Sts>,
    premises: &[ExprId],
    last: ExprId,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<bool, CheckError> {
    let mut solver = solvers.start(run)?;
    for premise in premises {
        solver.assert(&task.store, *premise)?;
    }
    is_unsatisfiable(&mut *solver, &task.store, last, run)
}
