//! Arrays.

use num_traits::Zero;

use super::Rule;
use super::linear::number;
use crate::{ExprId, Op, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "read-over-other-write", apply: read_over_other_write },
    Rule { name: "write-before-overwrite", apply: write_before_overwrite },
];

/// How many writes the rules look through.
const MAX_WRITES: usize = 32;

/// A read skips writes at indices that differ by a constant: `a[x + 1 <- v][x]` is `a[x]`.
fn read_over_other_write(store: &Store, expr: ExprId) -> Option<ExprId> {
    if store.op(expr) != Op::Select {
        return None;
    }
    let (mut array, index) = (store.arg(expr, 0), store.arg(expr, 1));
    for _ in 0..MAX_WRITES {
        if store.op(array) != Op::Store || !surely_differ(store, store.arg(array, 1), index) {
            break;
        }
        array = store.arg(array, 0);
    }
    Some(store.select(array, index))
}

/// Drops a write that a later write at the same index hides, even with a write elsewhere in between: `a[0 <-
/// v][1 <- w][0 <- u]`.
fn write_before_overwrite(store: &Store, expr: ExprId) -> Option<ExprId> {
    let parts = |array| {
        (store.op(array) == Op::Store)
            .then(|| (store.arg(array, 0), store.arg(array, 1), store.arg(array, 2)))
    };
    let (middle, index, element) = parts(expr)?;
    let (inner, other, other_element) = parts(middle)?;
    let (base, hidden, _) = parts(inner)?;
    (hidden == index && surely_differ(store, other, index))
        .then(|| store.store(store.store(base, other, other_element), index, element))
}

/// Whether two indices are different literals, or one term with different constants added.
fn surely_differ(store: &Store, left: ExprId, right: ExprId) -> bool {
    if store.is_literal(left) && store.is_literal(right) {
        return left != right;
    }
    let ((left, left_offset), (right, right_offset)) =
        (split_offset(store, left), split_offset(store, right));
    left == right && left_offset != right_offset
}

/// `(x, 1)` for `x + 1` and `x bvadd 1`; the offset is a literal, none for zero.
fn split_offset(store: &Store, expr: ExprId) -> (ExprId, Option<ExprId>) {
    let binary = matches!(store.op(expr), Op::Add | Op::BvAdd) && store.num_args(expr) == 2;
    if !binary || !store.is_literal(store.arg(expr, 1)) {
        return (expr, None);
    }
    let offset = store.arg(expr, 1);
    let is_zero = number(store, offset).is_some_and(|number| number.is_zero());
    (store.arg(expr, 0), (!is_zero).then_some(offset))
}
