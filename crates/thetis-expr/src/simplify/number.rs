//! Sums, products and quotients of numbers.

use num_traits::{One, Zero};

use super::Rule;
use super::junction::flat_args;
use super::linear::{Linear, literal, number, scaled, split_product};
use crate::{ExprId, Op, Rational, Sort, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "flatten-sum", apply: flatten },
    Rule { name: "like-terms", apply: like_terms },
    Rule { name: "negate-difference", apply: negate_difference },
    Rule { name: "negate-product", apply: negate_product },
    Rule { name: "divide-by-zero", apply: divide_by_zero },
    Rule { name: "divide-by-literal", apply: divide_by_literal },
    Rule { name: "repeated-mod", apply: repeated_mod },
];

/// `a + (b + c)` is `a + b + c`; likewise products.
fn flatten(store: &Store, expr: ExprId) -> Option<ExprId> {
    let op = store.op(expr);
    if !matches!(op, Op::Add | Op::Mul) {
        return None;
    }
    store.app(op, None, &flat_args(store, expr)?).ok()
}

/// Terms that occur several times in a sum or difference occur once: `x + x`, `x + y - x`; `x + -y` is `x - y`.
fn like_terms(store: &Store, expr: ExprId) -> Option<ExprId> {
    if !matches!(store.op(expr), Op::Add | Op::Sub) {
        return None;
    }
    Linear::of(store, expr).filter(Linear::is_improved).map(|sum| sum.term(store))
}

/// `-(a - b)` is `b - a`.
fn negate_difference(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::Neg).then(|| store.arg(expr, 0))?;
    (store.op(inner) == Op::Sub).then(|| store.sub(store.arg(inner, 1), store.arg(inner, 0)))
}

/// `-(x * 3)` is `x * -3`.
fn negate_product(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::Neg).then(|| store.arg(expr, 0))?;
    let (base, coefficient) = split_product(store, inner)?;
    Some(scaled(store, base, -coefficient))
}

/// Our division is total: `x / 0 = 0` and `x mod 0 = x`.
fn divide_by_zero(store: &Store, expr: ExprId) -> Option<ExprId> {
    let op = store.op(expr);
    let divides = matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv);
    if !divides || !number(store, store.arg(expr, 1))?.is_zero() {
        return None;
    }
    Some(if op == Op::Mod { store.arg(expr, 0) } else { store.arg(expr, 1) })
}

/// `r / 4` is `r * 1/4`.
fn divide_by_literal(store: &Store, expr: ExprId) -> Option<ExprId> {
    if store.op(expr) != Op::RealDiv {
        return None;
    }
    let divisor = number(store, store.arg(expr, 1)).filter(|divisor| !divisor.is_zero())?;
    Some(store.mul(store.arg(expr, 0), literal(store, Sort::Real, Rational::one() / divisor)))
}

/// `(x mod 3) mod 3` is `x mod 3`.
fn repeated_mod(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::Mod).then(|| store.arg(expr, 0))?;
    (store.op(inner) == Op::Mod && store.arg(inner, 1) == store.arg(expr, 1)).then_some(inner)
}
