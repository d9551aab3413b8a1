//! Sets of states as conjunctions of literals.

use thetis_expr::{ExprId, Sort, Store, Value, VarId};

/// A conjunction of formulas about one variable each, in ascending order.
pub(super) type Cube = Vec<ExprId>;

/// Whether values of the sort are described by literals.
pub(super) fn has_literals(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::BitVec(_))
}

/// Formulas that together fix `var` to `value`: the Boolean itself, a lower and an upper bound, or the single bits. The
/// finer they are, the more can be dropped one by one.
pub(super) fn literals(store: &Store, var: VarId, value: &Value) -> Vec<ExprId> {
    let term = store.var_expr(var);
    match value {
        Value::Bool(true) => vec![term],
        Value::Bool(false) => vec![store.not(term)],
        Value::Int(number) => {
            let number = store.int(number.clone());
            vec![store.le(number, term), store.le(term, number)]
        }
        Value::BitVec(bits) => {
            let bit = |at: u32| store.bits(1, u32::from(bits.unsigned().bit(u64::from(at))));
            (0..bits.width()).map(|at| store.eq(store.extract(term, at, 1), bit(at))).collect()
        }
        other => vec![store.eq(term, store.literal(other.clone()))],
    }
}

/// The formula that excludes the states of a cube.
pub(super) fn clause(store: &Store, cube: &[ExprId]) -> ExprId {
    store.or_all(cube.iter().map(|literal| store.not(*literal)))
}

/// Whether all literals of `fewer` are among those of `more`.
pub(super) fn is_subset(fewer: &[ExprId], more: &[ExprId]) -> bool {
    fewer.iter().all(|literal| more.binary_search(literal).is_ok())
}

/// The literals of both, in order.
pub(super) fn union(left: &[ExprId], right: &[ExprId]) -> Cube {
    let mut all: Cube = left.iter().chain(right).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
