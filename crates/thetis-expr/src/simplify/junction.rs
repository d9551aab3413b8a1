//! Conjunctions and disjunctions.

use super::Rule;
use crate::store::Args;
use crate::{ExprId, Op, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "flatten-junction", apply: flatten },
    Rule { name: "absorb", apply: absorb },
    Rule { name: "resolve-unit", apply: resolve_unit },
    Rule { name: "opposite-comparisons", apply: opposite_comparisons },
];

/// Longest argument list that flattening makes: longer ones would make deep chains quadratic.
pub(super) const MAX_FLAT_ARGS: usize = 32;

/// `a and (b and c)` is `a and b and c`.
fn flatten(store: &Store, expr: ExprId) -> Option<ExprId> {
    let args = flat_args(store, expr)?;
    store.app(store.op(expr), None, &args).ok()
}

/// The arguments of `expr` and of those of its arguments that have the same operator; none if there are no such
/// arguments, or too many.
pub(super) fn flat_args(store: &Store, expr: ExprId) -> Option<Args> {
    let (op, args) = (store.op(expr), store.args(expr));
    if !args.iter().any(|arg| store.op(*arg) == op) {
        return None;
    }
    let mut flat = Args::new();
    for arg in args {
        match store.op(arg) == op {
            true => flat.extend(store.args(arg)),
            false => flat.push(arg),
        }
    }
    (flat.len() <= MAX_FLAT_ARGS).then_some(flat)
}

fn dual(op: Op) -> Op {
    if op == Op::And { Op::Or } else { Op::And }
}

/// `a and (a or b)` is `a`; `a or a and b` is `a`.
fn absorb(store: &Store, expr: ExprId) -> Option<ExprId> {
    keep(store, expr, |args, arg| {
        let absorbed = |part| args.iter().any(|other| *other == part && *other != arg);
        let weaker = store.op(arg) == dual(store.op(expr)) && store.args(arg).into_iter().any(absorbed);
        (!weaker).then_some(arg)
    })
}

/// `a and (not a or b)` is `a and b`; `a or not a and b` is `a or b`.
fn resolve_unit(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = dual(store.op(expr));
    keep(store, expr, |args, arg| {
        if store.op(arg) != inner {
            return Some(arg);
        }
        let parts = store.args(arg);
        let refuted = |part: &ExprId| args.iter().any(|other| is_negation(store, *other, *part));
        let rest: Args = parts.iter().copied().filter(|part| !refuted(part)).collect();
        let unchanged = rest.len() == parts.len();
        Some(if unchanged { arg } else { join(store, inner, rest) })
    })
}

/// `a <= b and b < a` is `false`; `a <= b or b < a` is `true`.
fn opposite_comparisons(store: &Store, expr: ExprId) -> Option<ExprId> {
    let args = store.args(expr);
    let opposed = |arg: &ExprId| {
        let strict = strict_of(store.op(*arg))?;
        let (left, right) = (store.arg(*arg, 0), store.arg(*arg, 1));
        let opposes = |other: &ExprId| {
            store.op(*other) == strict && store.arg(*other, 0) == right && store.arg(*other, 1) == left
        };
        args.iter().any(opposes).then_some(())
    };
    args.iter().any(|arg| opposed(arg).is_some()).then(|| store.boolean(store.op(expr) == Op::Or))
}

fn strict_of(op: Op) -> Option<Op> {
    match op {
        Op::Le => Some(Op::Lt),
        Op::BvUle => Some(Op::BvUlt),
        Op::BvSle => Some(Op::BvSlt),
        _ => None,
    }
}

fn is_negation(store: &Store, left: ExprId, right: ExprId) -> bool {
    let negates = |outer, inner| store.op(outer) == Op::Not && store.arg(outer, 0) == inner;
    negates(left, right) || negates(right, left)
}

/// The junction with `change` applied to each argument, if that changes anything.
fn keep(store: &Store, expr: ExprId, change: impl Fn(&Args, ExprId) -> Option<ExprId>) -> Option<ExprId> {
    let args = store.args(expr);
    if args.len() > MAX_FLAT_ARGS {
        return None;
    }
    let kept: Args = args.iter().filter_map(|arg| change(&args, *arg)).collect();
    (kept != args).then(|| join(store, store.op(expr), kept))
}

fn join(store: &Store, op: Op, args: Args) -> ExprId {
    if op == Op::And { store.and_all(args) } else { store.or_all(args) }
}
