//! The orders of bit-vectors.

use num_traits::{One, Zero};

use super::Rule;
use crate::{BitVec, ExprId, Op, Store, Value};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "order-at-least", apply: at_least },
    Rule { name: "order-at-greatest", apply: at_greatest },
    Rule { name: "order-below-one", apply: below_one },
    Rule { name: "order-of-extensions", apply: of_extensions },
];

fn bits(store: &Store, expr: ExprId) -> Option<BitVec> {
    match store.value(expr) {
        Some(Value::BitVec(bits)) => Some(bits),
        _ => None,
    }
}

fn is_signed(op: Op) -> bool {
    matches!(op, Op::BvSlt | Op::BvSle)
}

fn is_strict(op: Op) -> bool {
    matches!(op, Op::BvUlt | Op::BvSlt)
}

/// Whether `expr` is the least number of the order of `op`.
fn is_least(store: &Store, op: Op, expr: ExprId) -> bool {
    bits(store, expr).is_some_and(|bits| match is_signed(op) {
        true => *bits.unsigned() == num_bigint::BigUint::one() << (bits.width() - 1),
        false => bits.unsigned().is_zero(),
    })
}

fn is_greatest(store: &Store, op: Op, expr: ExprId) -> bool {
    bits(store, expr).is_some_and(|bits| match is_signed(op) {
        true => bits.unsigned().count_ones() == u64::from(bits.width()) - 1 && !bits.is_negative(),
        false => bits.unsigned().count_ones() == u64::from(bits.width()),
    })
}

/// Comparisons with the least number: nothing is less, and it is at most everything.
fn at_least(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = (store.op(expr), store.arg(expr, 0), store.arg(expr, 1));
    match (is_least(store, op, left), is_least(store, op, right)) {
        (true, _) if is_strict(op) => Some(store.ne(right, left)),
        (true, _) => Some(store.tru()),
        (_, true) if is_strict(op) => Some(store.fals()),
        (_, true) => Some(store.eq(left, right)),
        _ => None,
    }
}

/// Comparisons with the greatest number.
fn at_greatest(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = (store.op(expr), store.arg(expr, 0), store.arg(expr, 1));
    match (is_greatest(store, op, left), is_greatest(store, op, right)) {
        (true, _) if is_strict(op) => Some(store.fals()),
        (true, _) => Some(store.eq(left, right)),
        (_, true) if is_strict(op) => Some(store.ne(left, right)),
        (_, true) => Some(store.tru()),
        _ => None,
    }
}

/// `x bvult 1` is `x = 0`; `1 bvule x` is `x /= 0`.
fn below_one(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = (store.op(expr), store.arg(expr, 0), store.arg(expr, 1));
    let is_one = |term| bits(store, term).is_some_and(|bits| bits.unsigned().is_one());
    let zero = |term| Some(store.bits(store.sort(term).width()?, 0u32));
    match op {
        Op::BvUlt if is_one(right) => Some(store.eq(left, zero(left)?)),
        Op::BvUle if is_one(left) => Some(store.ne(right, zero(right)?)),
        _ => None,
    }
}

/// Extended numbers are ordered as the original ones: by zeros if unsigned, by the sign if signed. Zeros make
/// numbers that are ordered alike in both orders.
fn of_extensions(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (op, left, right) = (store.op(expr), store.arg(expr, 0), store.arg(expr, 1));
    let extension = store.op(left);
    if extension != store.op(right) {
        return None;
    }
    let unsigned = if is_strict(op) { Op::BvUlt } else { Op::BvUle };
    let original = match extension {
        Op::ZeroExtend => unsigned,
        Op::SignExtend => op,
        _ => return None,
    };
    let (left, right) = (store.arg(left, 0), store.arg(right, 0));
    if store.sort(left) != store.sort(right) {
        return None;
    }
    store.app(original, None, &[left, right]).ok()
}
