//! Location invariants: initiation and consecution.

use std::collections::BTreeMap;

use thetis_base::Run;
use thetis_expr::{ExprId, Sort};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, LocId};
use thetis_solver::SolverFactory;

use super::super::is_unsatisfiable;
use super::precondition::Precondition;
use super::{Outcome, Rejection};

pub(super) fn check(
    task: &Task<Cfa>,
    invariants: &BTreeMap<LocId, ExprId>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Outcome {
    if let Err(rejection) = check_formulas(task, invariants) {
        return Ok(Some(rejection));
    }
    let (store, cfa) = (&task.store, &task.model);
    let formula_at = |location: LocId| match invariants.get(&location) {
        _ if cfa.is_error(location) => store.fals(),
        Some(formula) => *formula,
        None => store.tru(),
    };
    let mut solver = solvers.start(run)?;
    if !is_unsatisfiable(&mut *solver, store, store.not(formula_at(cfa.initial)), run)? {
        return Ok(Some(Rejection::Initiation));
    }
    for (id, edge) in cfa.edges.iter_enumerated() {
        let preserved = Precondition::new(store).of(&edge.stmt, formula_at(edge.target));
        let broken = store.and(formula_at(edge.source), store.not(preserved));
        if !is_unsatisfiable(&mut *solver, store, broken, run)? {
            return Ok(Some(Rejection::Consecution(id)));
        }
    }
    Ok(None)
}

fn check_formulas(task: &Task<Cfa>, invariants: &BTreeMap<LocId, ExprId>) -> Result<(), Rejection> {
    for (location, formula) in invariants {
        if task.model.locations.get(*location).is_none() {
            return Err(Rejection::UnknownLocation);
        }
        let vars = task.store.vars_of([*formula]);
        if task.store.sort(*formula) != Sort::Bool || !vars.iter().all(|var| task.model.vars.contains(var)) {
            return Err(Rejection::NotAFormula(*location));
        }
    }
    Ok(())
}
