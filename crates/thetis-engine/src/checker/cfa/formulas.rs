//! Formulas at locations.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
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

/// Whether `conclusion` holds wherever `premise` does, whatever the values of the constants in it. The solver is not
/// asked about conjuncts that the premise has too, of which there are many when an edge changes little.
pub(super) fn is_implied(
    store: &Store,
    premise: ExprId,
    conclusion: ExprId,
    solver: &mut dyn Solver,
    run: &Run,
) -> Result<bool, CheckError> {
    let premises: FxHashSet<ExprId> = store.conjuncts(premise).into_iter().collect();
    let open = store.conjuncts(conclusion).into_iter().filter(|conjunct| !premises.contains(conjunct));
    let broken = store.and(premise, store.not(store.and_all(open)));
    Ok(broken == store.fals() || is_unsatisfiable(solver, store, broken, run)?)
}
