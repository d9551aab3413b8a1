//! Formulas at locations.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants};
use thetis_solver::Solver;

use super::Rejection;
use super::idle_wraps::without_idle_wraps;
use crate::{CheckError, is_unsatisfiable};

/// Checks that locations exist, that formulas are over variables of the model and cells, and that no cell is a
/// variable of the model.
pub(super) fn check(task: &Task<Cfa>, invariants: &CfaInvariants) -> Result<(), Rejection> {
    let mut vars: BTreeSet<VarId> = task.model.vars.iter().copied().collect();
    if let Some(cell) = invariants.cells.intersection(&vars).next() {
        return Err(Rejection::CellOfModel(*cell));
    }
    vars.extend(&invariants.cells);
    for (location, formula) in &invariants.formulas {
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
///
/// An edge changes little, so most conjuncts of the conclusion also occur in the premise, and most conjuncts of the premise
/// are irrelevant to the remaining ones. The solver is not asked about the former and is first asked without the latter: if
/// a weaker premise suffices, so does the full one. Remainders that have no effect are [removed](super::idle_wraps).
pub(super) fn is_implied(
    store: &Store,
    premise: ExprId,
    conclusion: ExprId,
    solver: &mut dyn Solver,
    run: &Run,
) -> Result<bool, CheckError> {
    let (premises, conclusions) = sequent(store, premise, conclusion);
    let known: FxHashSet<ExprId> = premises.iter().copied().collect();
    let open = conclusions.into_iter().filter(|conjunct| !known.contains(conjunct));
    let violated = store.not(store.and_all(open));
    let broken = store.and(store.and_all(premises.iter().copied()), violated);
    if broken == store.fals() {
        return Ok(true);
    }
    let related = related(store, &premises, violated);
    if related.len() < premises.len() {
        let broken = store.and(store.and_all(related), violated);
        if is_unsatisfiable(solver, store, without_idle_wraps(store, broken), run)? {
            return Ok(true);
        }
    }
    is_unsatisfiable(solver, store, without_idle_wraps(store, broken), run)
}

/// The conjuncts of the premise and of the conclusion. What an assumption `p` needs is `not p or (c and d and ...)`: to show one
/// alternative, the others may be taken for false, so `p` becomes a premise and `c`, `d`, ... are the conclusions.
fn sequent(store: &Store, premise: ExprId, conclusion: ExprId) -> (Vec<ExprId>, Vec<ExprId>) {
    let mut premises = store.conjuncts(premise);
    let alternatives = store.disjuncts(conclusion);
    let widths = alternatives.iter().map(|alternative| store.conjuncts(*alternative).len());
    let Some((shown, _)) = widths.enumerate().max_by_key(|(_, width)| *width) else {
        return (premises, vec![conclusion]);
    };
    let others = alternatives.iter().enumerate().filter(|(position, _)| *position != shown);
    premises.extend(others.flat_map(|(_, other)| store.conjuncts(store.not(*other))));
    (premises, store.conjuncts(alternatives[shown]))
}

/// Those of `premises` that have variables in common with `formula`, directly or through each other.
fn related(store: &Store, premises: &[ExprId], formula: ExprId) -> Vec<ExprId> {
    let mut vars: FxHashSet<VarId> = store.vars_of([formula]).into_iter().collect();
    let mut others: Vec<(ExprId, Vec<VarId>)> =
        premises.iter().map(|premise| (*premise, store.vars_of([*premise]))).collect();
    let mut related = Vec::new();
    loop {
        let num_related = related.len();
        others.retain(|(premise, of_premise)| {
            let is_related = of_premise.iter().any(|var| vars.contains(var));
            if is_related {
                related.push(*premise);
                vars.extend(of_premise);
            }
            !is_related
        });
        if related.len() == num_related {
            return related;
        }
    }
}
