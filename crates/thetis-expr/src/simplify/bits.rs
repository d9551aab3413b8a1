//! Arithmetic and bitwise operators of bit-vectors.

use num_traits::ToPrimitive;

use super::Rule;
use crate::{ExprId, Op, Store, Value};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "bits-with-ones", apply: with_ones },
    Rule { name: "bits-with-complement", apply: with_complement },
    Rule { name: "bits-absorb", apply: absorb },
    Rule { name: "bits-merge-literals", apply: merge_literals },
    Rule { name: "bits-subtract-literal", apply: subtract_literal },
    Rule { name: "bits-cancel", apply: cancel },
    Rule { name: "bits-negate-difference", apply: negate_difference },
    Rule { name: "shift-out", apply: shift_out },
];

fn pair(store: &Store, expr: ExprId) -> Option<(Op, ExprId, ExprId)> {
    (store.num_args(expr) == 2).then(|| (store.op(expr), store.arg(expr, 0), store.arg(expr, 1)))
}

fn zero(store: &Store, like: ExprId) -> Option<ExprId> {
    Some(store.bits(store.sort(like).width()?, 0u32))
}

/// `x bvand 255` is `x`, `x bvor 255` is 255, `x bvxor 255` is `bvnot x`.
fn with_ones(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    if right != store.bv_not(zero(store, left)?) {
        return None;
    }
    match op {
        Op::BvAnd => Some(left),
        Op::BvOr => Some(right),
        Op::BvXor => Some(store.bv_not(left)),
        _ => None,
    }
}

/// `x bvand bvnot x` is 0; with `bvor` and `bvxor` it is all ones.
fn with_complement(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    let negates = |outer, inner| store.op(outer) == Op::BvNot && store.arg(outer, 0) == inner;
    if !negates(left, right) && !negates(right, left) {
        return None;
    }
    let zero = zero(store, left)?;
    match op {
        Op::BvAnd => Some(zero),
        Op::BvOr | Op::BvXor => Some(store.bv_not(zero)),
        _ => None,
    }
}

/// `x bvand (x bvor y)` is `x`, and dually.
fn absorb(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    let dual = match op {
        Op::BvAnd => Op::BvOr,
        Op::BvOr => Op::BvAnd,
        _ => return None,
    };
    let contains = |whole, part| store.op(whole) == dual && store.args(whole).contains(&part);
    match (contains(right, left), contains(left, right)) {
        (true, _) => Some(left),
        (_, true) => Some(right),
        _ => None,
    }
}

/// `(x bvadd 1) bvadd 2` is `x bvadd 3`, also for the other operators that allow it.
fn merge_literals(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    let associative = matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor);
    if !associative || store.op(left) != op || !store.is_literal(right) {
        return None;
    }
    let (inner, literal) = (store.arg(left, 0), store.arg(left, 1));
    if !store.is_literal(literal) {
        return None;
    }
    store.app(op, None, &[inner, store.app(op, None, &[literal, right]).ok()?]).ok()
}

/// `x bvsub 1` is `x bvadd 255`.
fn subtract_literal(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    (op == Op::BvSub && store.is_literal(right)).then(|| store.bv_add(left, store.bv_neg(right)))
}

/// `x bvadd -x` is 0; `(x bvadd y) bvsub x` and `(x bvsub y) bvadd y` leave one of them.
fn cancel(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    match op {
        Op::BvAdd => cancel_in_sum(store, left, right).or_else(|| cancel_in_sum(store, right, left)),
        Op::BvSub if store.op(left) == Op::BvAdd => {
            let (first, second) = (store.arg(left, 0), store.arg(left, 1));
            match right {
                _ if right == first => Some(second),
                _ if right == second => Some(first),
                _ => None,
            }
        }
        _ => None,
    }
}

fn cancel_in_sum(store: &Store, left: ExprId, right: ExprId) -> Option<ExprId> {
    match store.op(left) {
        Op::BvNeg if store.arg(left, 0) == right => zero(store, right),
        Op::BvSub if store.arg(left, 1) == right => Some(store.arg(left, 0)),
        _ => None,
    }
}

/// `-(a bvsub b)` is `b bvsub a`.
fn negate_difference(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::BvNeg).then(|| store.arg(expr, 0))?;
    (store.op(inner) == Op::BvSub).then(|| store.bv_sub(store.arg(inner, 1), store.arg(inner, 0)))
}

/// A shift by the width or more leaves nothing.
fn shift_out(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = pair(store, expr)?;
    let Some(Value::BitVec(amount)) = store.value(right) else { return None };
    let width = store.sort(left).width()?;
    let beyond = amount.unsigned().to_u32().is_none_or(|amount| amount >= width);
    (matches!(op, Op::BvShl | Op::BvLshr) && beyond).then(|| zero(store, left)).flatten()
}
