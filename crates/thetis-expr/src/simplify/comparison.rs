//! Negation, and the order of numbers.

use num_traits::{One, Signed, Zero};

use super::Rule;
use super::linear::{Linear, literal, number, split_product};
use crate::{ExprId, Op, Rational, Sort, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "negate-comparison", apply: negate_comparison },
    Rule { name: "order-of-sums", apply: order_of_sums },
    Rule { name: "order-of-product", apply: order_of_product },
    Rule { name: "order-of-choice", apply: order_of_choice },
    Rule { name: "strict-to-weak", apply: strict_to_weak },
];

/// The sides of `expr` if it is an inequality of numbers.
fn sides(store: &Store, expr: ExprId) -> Option<(ExprId, ExprId)> {
    matches!(store.op(expr), Op::Le | Op::Lt).then(|| (store.arg(expr, 0), store.arg(expr, 1)))
}

fn order(store: &Store, op: Op, left: ExprId, right: ExprId) -> Option<ExprId> {
    store.app(op, None, &[left, right]).ok()
}

/// `not a <= b` is `b < a`, on numbers and bit-vectors.
fn negate_comparison(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::Not).then(|| store.arg(expr, 0))?;
    let opposite = match store.op(inner) {
        Op::Le => Op::Lt,
        Op::Lt => Op::Le,
        Op::BvUle => Op::BvUlt,
        Op::BvUlt => Op::BvUle,
        Op::BvSle => Op::BvSlt,
        Op::BvSlt => Op::BvSle,
        _ => return None,
    };
    order(store, opposite, store.arg(inner, 1), store.arg(inner, 0))
}

/// `x + 3 <= y + 5` is `x <= y + 2`; `x - y <= 0` is `x <= y`; `-x <= 3` is `-3 <= x`.
fn order_of_sums(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let sum = Linear::of_difference(store, left, right).filter(Linear::is_improved)?;
    let (left, right) = sum.sides(store);
    order(store, store.op(expr), left, right)
}

/// `x * 3 <= 7` is `x <= 2` on integers; `r * -2 < 1` is `-1/2 < r`.
fn order_of_product(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let product_left = number(store, right).zip(split_product(store, left));
    let product_right = number(store, left).zip(split_product(store, right));
    let is_left = product_left.is_some();
    let (bound, (base, coefficient)) = product_left.or(product_right)?;
    if coefficient.is_zero() {
        return None;
    }
    // Dividing by a negative number turns the inequality around.
    let below = is_left == coefficient.is_positive();
    let bound = rounded(store, expr, bound / coefficient, below);
    let (left, right) = if below { (base, bound) } else { (bound, base) };
    order(store, store.op(expr), left, right)
}

/// The bound that integers have to respect instead of a fractional one.
fn rounded(store: &Store, expr: ExprId, bound: Rational, below: bool) -> ExprId {
    let sort = store.sort(store.arg(expr, 0));
    // `x < 7/2` is `x < 4`, and `x <= 7/2` is `x <= 3`; downwards the other way round.
    let up = (store.op(expr) == Op::Lt) == below;
    let bound = match sort {
        Sort::Int if up => bound.ceil(),
        Sort::Int => bound.floor(),
        _ => bound,
    };
    literal(store, sort, bound)
}

/// `(if c then 1 else 2) <= 1` is `c`.
fn order_of_choice(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    let literal_choice = |term| {
        store.op(term) == Op::Ite
            && store.is_literal(store.arg(term, 1))
            && store.is_literal(store.arg(term, 2))
    };
    let compare = |choice: ExprId, with: &dyn Fn(ExprId) -> Option<ExprId>| {
        Some(store.ite(store.arg(choice, 0), with(store.arg(choice, 1))?, with(store.arg(choice, 2))?))
    };
    let op = store.op(expr);
    if literal_choice(left) && store.is_literal(right) {
        return compare(left, &|branch| order(store, op, branch, right));
    }
    if store.is_literal(left) && literal_choice(right) {
        return compare(right, &|branch| order(store, op, left, branch));
    }
    None
}

/// `x < 3` is `x <= 2` on integers.
fn strict_to_weak(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (left, right) = sides(store, expr)?;
    if store.op(expr) != Op::Lt || store.sort(left) != Sort::Int {
        return None;
    }
    if let Some(bound) = number(store, right) {
        return Some(store.le(left, literal(store, Sort::Int, bound - Rational::one())));
    }
    let bound = number(store, left)?;
    Some(store.le(literal(store, Sort::Int, bound + Rational::one()), right))
}
