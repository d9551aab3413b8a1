//! Equality and exclusive or.

use num_traits::Zero;

use super::Rule;
use super::linear::{Linear, literal, number, split_product};
use crate::{ExprId, Op, Sort, Store, Value};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "xor-to-equality", apply: xor_to_equality },
    Rule { name: "equal-negations", apply: equal_negations },
    Rule { name: "equal-choice", apply: equal_choice },
    Rule { name: "equal-sums", apply: equal_sums },
    Rule { name: "equal-product", apply: equal_product },
    Rule { name: "equal-bit-sums", apply: equal_bit_sums },
    Rule { name: "equal-complements", apply: equal_complements },
    Rule { name: "equal-concatenation", apply: equal_concatenation },
    Rule { name: "equal-extension", apply: equal_extension },
    Rule { name: "equal-store", apply: equal_store },
];

fn sides(store: &Store, expr: ExprId) -> Option<(ExprId, ExprId)> {
    (store.op(expr) == Op::Eq).then(|| (store.arg(expr, 0), store.arg(expr, 1)))
}

/// `a xor b` is `not (a = b)`.
fn xor_to_equality(store: &Store, expr: ExprId) -> Option<ExprId> {
    (store.op(expr) == Op::Xor).then(|| store.ne(store.arg(expr, 0), store.arg(expr, 1)))
}

/// `not a = not b` is `a = b`; `not a = b` is `not (a = b)`.
fn equal_negations(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let negated = |term| store.op(term) == Op::Not;
    match (negated(left), negated(right)) {
        (true, true) => Some(store.eq(store.arg(left, 0), store.arg(right, 0))),
        (true, false) => Some(store.ne(store.arg(left, 0), right)),
        (false, true) => Some(store.ne(left, store.arg(right, 0))),
        (false, false) => None,
    }
}

/// A choice with a literal branch equals a literal: `(if c then 1 else x) = 2` is `not c and x = 2`.
fn equal_choice(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (choice, right) = sides(store, expr)?;
    if store.op(choice) != Op::Ite || !store.is_literal(right) {
        return None;
    }
    let (condition, then, otherwise) = (store.arg(choice, 0), store.arg(choice, 1), store.arg(choice, 2));
    if !store.is_literal(then) && !store.is_literal(otherwise) {
        return None;
    }
    Some(store.ite(condition, store.eq(then, right), store.eq(otherwise, right)))
}

/// `x + 3 = y + 5` is `x = y + 2`; `x - y = 0` is `x = y`.
fn equal_sums(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    if !store.sort(left).is_numeric() {
        return None;
    }
    let sum = Linear::of_difference(store, left, right).filter(Linear::is_improved)?;
    let (left, right) = sum.sides(store);
    Some(store.eq(left, right))
}

/// `x * 3 = 6` is `x = 2`, and `x * 3 = 7` has no integer solution.
fn equal_product(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let (base, coefficient) = split_product(store, left)?;
    let result = number(store, right)?;
    if coefficient.is_zero() {
        return None;
    }
    let quotient = result / coefficient;
    if store.sort(left) == Sort::Int && !quotient.is_integer() {
        return Some(store.fals());
    }
    Some(store.eq(base, literal(store, store.sort(left), quotient)))
}

/// `x bvadd 3 = 5` is `x = 2`; `x bvadd y = x bvadd z` is `y = z`.
fn equal_bit_sums(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let is_sum = |term| store.op(term) == Op::BvAdd;
    if !is_sum(left) && !is_sum(right) {
        return None;
    }
    if is_sum(left) && store.is_literal(right) && store.is_literal(store.arg(left, 1)) {
        return Some(store.eq(store.arg(left, 0), store.bv_sub(right, store.arg(left, 1))));
    }
    if !is_sum(left) || !is_sum(right) {
        return None;
    }
    let (left, right) = (store.args(left), store.args(right));
    let common = left.iter().find(|arg| right.contains(arg))?;
    let other = |args: &[ExprId]| if args[0] == *common { args[1] } else { args[0] };
    Some(store.eq(other(&left), other(&right)))
}

/// `bvnot a = bvnot b` is `a = b`, also for negations and with a literal on one side.
fn equal_complements(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let op = store.op(left);
    if !matches!(op, Op::BvNot | Op::BvNeg) || !(store.op(right) == op || store.is_literal(right)) {
        return None;
    }
    Some(store.eq(store.arg(left, 0), store.app(op, None, &[right]).ok()?))
}

/// `a ++ b = 8'd18` is `a = 4'd1 and b = 4'd2`.
fn equal_concatenation(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    if store.op(left) != Op::Concat || !store.is_literal(right) {
        return None;
    }
    let (high, low) = (store.arg(left, 0), store.arg(left, 1));
    let (high_width, low_width) = (store.sort(high).width()?, store.sort(low).width()?);
    let high_equal = store.eq(high, store.extract(right, low_width, high_width));
    Some(store.and(high_equal, store.eq(low, store.extract(right, 0, low_width))))
}

/// An extension equals a literal if what was extended does, and the extension of that is the literal.
fn equal_extension(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let op = store.op(left);
    if !matches!(op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let inner = store.arg(left, 0);
    if store.op(right) == op && store.sort(store.arg(right, 0)) == store.sort(inner) {
        return Some(store.eq(inner, store.arg(right, 0)));
    }
    let Some(Value::BitVec(_)) = store.value(right) else { return None };
    let low = store.extract(right, 0, store.sort(inner).width()?);
    let extended = store.app(op, Some(store.sort(left)), &[low]).ok()?;
    Some(if extended == right { store.eq(inner, low) } else { store.fals() })
}

/// `a[i <- v] = a` is `a[i] = v`.
fn equal_store(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let written = |array, original| store.op(array) == Op::Store && store.arg(array, 0) == original;
    let (array, original) = match (written(left, right), written(right, left)) {
        (true, _) => (left, right),
        (_, true) => (right, left),
        _ => return None,
    };
    Some(store.eq(store.select(original, store.arg(array, 1)), store.arg(array, 2)))
}
