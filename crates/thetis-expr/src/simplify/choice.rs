//! If-then-else.

use super::Rule;
use crate::{ExprId, Op, Sort, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "ite-same-condition", apply: same_condition },
    Rule { name: "ite-condition-branch", apply: condition_branch },
    Rule { name: "ite-equivalence", apply: equivalence },
    Rule { name: "ite-equal-branches", apply: equal_branches },
    Rule { name: "ite-merge", apply: merge },
];

fn parts(store: &Store, expr: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
    (store.op(expr) == Op::Ite).then(|| (store.arg(expr, 0), store.arg(expr, 1), store.arg(expr, 2)))
}

/// A branch that decides by the same condition again: `if c then (if c then a else b) else d`.
fn same_condition(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (condition, then, otherwise) = parts(store, expr)?;
    let decided = |branch, position| match parts(store, branch) {
        Some((inner, _, _)) if inner == condition => store.arg(branch, position),
        _ => branch,
    };
    let (then_known, otherwise_known) = (decided(then, 1), decided(otherwise, 2));
    let changed = then_known != then || otherwise_known != otherwise;
    changed.then(|| store.ite(condition, then_known, otherwise_known))
}

/// `if c then c else b` is `c or b`; `if c then a else c` is `c and a`.
fn condition_branch(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (condition, then, otherwise) = parts(store, expr)?;
    match condition {
        _ if condition == then => Some(store.or(condition, otherwise)),
        _ if condition == otherwise => Some(store.and(condition, then)),
        _ => None,
    }
}

/// `if c then a else not a` is `c = a`, and the other way round it is `c /= a`.
fn equivalence(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (condition, then, otherwise) = parts(store, expr)?;
    if store.sort(expr) != Sort::Bool {
        return None;
    }
    let negates = |outer, inner| store.op(outer) == Op::Not && store.arg(outer, 0) == inner;
    match (negates(otherwise, then), negates(then, otherwise)) {
        (true, _) => Some(store.eq(condition, then)),
        (_, true) => Some(store.ne(condition, otherwise)),
        _ => None,
    }
}

/// `if a = b then a else b` is `b`.
fn equal_branches(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (condition, then, otherwise) = parts(store, expr)?;
    if store.op(condition) != Op::Eq {
        return None;
    }
    let sides = (store.arg(condition, 0), store.arg(condition, 1));
    (sides == (then, otherwise) || sides == (otherwise, then)).then_some(otherwise)
}

/// Two decisions with a common result become one: `if c then a else (if d then a else b)`.
fn merge(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (condition, then, otherwise) = parts(store, expr)?;
    if let Some((inner, inner_then, rest)) = parts(store, otherwise)
        && inner_then == then
    {
        return Some(store.ite(store.or(condition, inner), then, rest));
    }
    let (inner, inner_then, inner_otherwise) = parts(store, then)?;
    (inner_otherwise == otherwise).then(|| store.ite(store.and(condition, inner), inner_then, otherwise))
}
