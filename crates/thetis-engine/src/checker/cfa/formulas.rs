//! Formulas at locations.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, LocId};
use thetis_solver::Solver;

use super::super::{CheckError, is_unsatisfiable};
use super::Rejection;

/// Whether all are formulas over variables of the model, at locations that exist.
pub(super) fn check(task: &Task<Cfa>, formulas: &BTreeMap<LocId, ExprId>) -> Result<(), Rejection> {
    let vars: BTreeSet<VarId> = task.model.vars.iter().copied().collect();
    for (location, formula) in formulas {
        if task.model.locations.get(*location).is_none() {
            return Err(Rejection::UnknownLocation);
        }
        let is_known = task.store.vars_of([*formula]).iter().all(|var| vars.contains(var));
        if task.store.sort(*formula) != Sort::Bool || !is_known {
            return Err(Rejection::NotAFormula(*location));
        }
    }
    Ok(())
}

/// Whether `conclusion` holds wherever `premise` does, whatever the values of the constants in it.
pub(super) fn is_implied(
    store: &Store,
    premise: ExprId,
    conclusion: ExprId,
    solver: &mut dyn Solver,
    run: &Run,
) -> Result<bool, CheckError> {
    let broken = store.and(premise, store.not(conclusion));
    Ok(broken == store.fals() || is_unsatisfiable(solver, store, broken, run)?)
}
