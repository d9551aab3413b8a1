//! Formulas that hold for all cells.
//!
//! The formula `G(k)` of a proof with the cell `k` means `∀k. G(k)`. No query of the checker has a quantifier:
//!
//! * Where such a formula has to be shown, its cells are constants like those of
//!   [weakest preconditions](super::precondition), which stand for universally quantified variables too. Cells are no variables
//!   of the model, so no statement changes or reads them, and two formulas with the same cell are only ever conjoined.
//! * Where it is known, it is replaced by finitely many of its [instances], which follow from it. With too few instances
//!   the checker may reject a correct proof, but it never accepts a wrong one. The instances at the indices that occur in
//!   the conclusion are enough for reads and writes at these indices.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Op, Postorder, Store, Substitution, VarId};

/// Instances of `formula` that may help to show `conclusion`: each of `cells` is instantiated with itself, with each index in
/// `conclusion`, and with each index in `formula` that does not depend on cells.
pub(super) fn instances(
    store: &Store,
    cells: &BTreeSet<VarId>,
    formula: ExprId,
    conclusion: ExprId,
) -> ExprId {
    let bound: Vec<VarId> = store.vars_of([formula]).into_iter().filter(|var| cells.contains(var)).collect();
    if bound.is_empty() {
        return formula;
    }
    let is_free = |index: &ExprId| !store.vars_of([*index]).iter().any(|var| bound.contains(var));
    let mut indices = indices(store, conclusion);
    indices.extend(self::indices(store, formula).into_iter().filter(is_free));
    let mut instances = vec![Substitution::new()];
    for cell in bound {
        let sort = store.var_sort(cell);
        let suited = indices.iter().copied().filter(|index| store.sort(*index) == sort);
        let suited: BTreeSet<ExprId> = suited.chain([store.var_expr(cell)]).collect();
        instances = instances.iter().flat_map(|instance| extended(store, instance, cell, &suited)).collect();
    }
    store.and_all(instances.iter().map(|instance| instance.apply(store, formula)))
}

/// `instance` with each of `indices` for `cell`.
fn extended(
    store: &Store,
    instance: &Substitution,
    cell: VarId,
    indices: &BTreeSet<ExprId>,
) -> Vec<Substitution> {
    let with = |index: &ExprId| {
        let mut extended = instance.clone();
        extended.insert(store, cell, *index);
        extended
    };
    indices.iter().map(with).collect()
}

/// The indices at which `formula` reads or writes arrays.
fn indices(store: &Store, formula: ExprId) -> BTreeSet<ExprId> {
    let accesses =
        Postorder::new(store, [formula]).filter(|expr| matches!(store.op(*expr), Op::Select | Op::Store));
    accesses.map(|access| store.arg(access, 1)).collect()
}
