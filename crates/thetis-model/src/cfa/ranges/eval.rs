//! The range of a term, from the ranges of its variables.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, VarId};

use super::bits::BitsRange;
use super::interval::Interval;
use super::range::Range;
use super::state::State;

/// Where variables stand in states.
pub(super) type Positions = FxHashMap<VarId, usize>;

/// The ranges of all sub-terms of `root` in `state`.
pub(super) fn ranges_of(
    store: &Store,
    positions: &Positions,
    state: &State,
    root: ExprId,
) -> FxHashMap<ExprId, Range> {
    let mut ranges: FxHashMap<ExprId, Range> = FxHashMap::default();
    for expr in Postorder::new(store, [root]) {
        let range = range_of_leaf(store, positions, state, expr)
            .unwrap_or_else(|| range_of_app(store, expr, &ranges));
        ranges.insert(expr, range);
    }
    ranges
}

/// The range of `root` in `state`.
pub(super) fn range_of(store: &Store, positions: &Positions, state: &State, root: ExprId) -> Range {
    range_of_leaf(store, positions, state, root)
        .or_else(|| ranges_of(store, positions, state, root).remove(&root))
        .unwrap_or_else(|| Range::all(store.sort(root)))
}

/// The range of a variable or a literal.
fn range_of_leaf(store: &Store, positions: &Positions, state: &State, expr: ExprId) -> Option<Range> {
    let Op::Var(var) = store.op(expr) else { return store.value(expr).map(Range::exactly) };
    let known = positions.get(&var).and_then(|position| state.get(*position));
    Some(known.map_or_else(|| Range::all(store.sort(expr)), |range| (**range).clone()))
}

fn range_of_app(store: &Store, expr: ExprId, ranges: &FxHashMap<ExprId, Range>) -> Range {
    let terms = store.args(expr);
    let args: SmallVec<[&Range; 4]> = terms.iter().map(|arg| &ranges[arg]).collect();
    if let Some(value) = folded(store, expr, &args) {
        return value;
    }
    let (op, sort) = (store.op(expr), store.sort(expr));
    let known = match (op, &args[..]) {
        (Op::Ite, [condition, then, otherwise]) => Some(match condition.as_bool() {
            Some(true) => (*then).clone(),
            Some(false) => (*otherwise).clone(),
            None => then.join(otherwise),
        }),
        (Op::And | Op::Or, _) => Some(junction(op, &args)),
        (Op::Eq, [left, right]) => Some(Range::maybe(left.meet(right).is_none().then_some(false))),
        (_, [Range::Int(only)]) => on_integer(op, sort, only),
        (_, [Range::Bits(only)]) => on_bits(op, sort, only),
        (_, [Range::Bits(left), Range::Bits(right)]) => on_two_bits(op, sort, left, right),
        _ => on_integers(op, &args),
    };
    known.unwrap_or_else(|| Range::all(sort))
}

/// The value of an operator whose arguments are all known.
fn folded(store: &Store, expr: ExprId, args: &[&Range]) -> Option<Range> {
    let values: Option<Args> =
        args.iter().map(|arg| arg.single().map(|value| store.literal(value))).collect();
    store.value(store.rebuild(expr, &values?)).map(Range::exactly)
}

fn junction(op: Op, args: &[&Range]) -> Range {
    let absorbing = op == Op::Or;
    match args.iter().any(|arg| arg.as_bool() == Some(absorbing)) {
        true => Range::truth(absorbing),
        false => Range::Any,
    }
}

fn on_integer(op: Op, sort: Sort, only: &Interval) -> Option<Range> {
    match op {
        Op::Neg => Some(Range::Int(only.neg())),
        Op::IntToBv => Some(Range::Bits(BitsRange::of_integers(sort.width()?, only))),
        _ => None,
    }
}

fn on_bits(op: Op, sort: Sort, only: &BitsRange) -> Option<Range> {
    match op {
        Op::BvToInt => Some(Range::Int(only.unsigned().clone())),
        _ => Some(Range::Bits(only.unary(op, sort.width()?))),
    }
}

fn on_two_bits(op: Op, sort: Sort, left: &BitsRange, right: &BitsRange) -> Option<Range> {
    let compared = |is_strict, left, right| Some(Range::maybe(is_below(left, right, is_strict)));
    match op {
        Op::BvUlt => compared(Strict::Yes, left.unsigned(), right.unsigned()),
        Op::BvUle => compared(Strict::No, left.unsigned(), right.unsigned()),
        Op::BvSlt => compared(Strict::Yes, left.signed(), right.signed()),
        Op::BvSle => compared(Strict::No, left.signed(), right.signed()),
        _ => Some(Range::Bits(left.binary(op, right, sort.width()?))),
    }
}

fn on_integers(op: Op, args: &[&Range]) -> Option<Range> {
    let intervals: Option<SmallVec<[&Interval; 4]>> = args
        .iter()
        .map(|arg| match arg {
            Range::Int(interval) => Some(interval),
            _ => None,
        })
        .collect();
    let intervals = intervals?;
    let (first, others) = intervals.split_first()?;
    let fold = |combine: fn(&Interval, &Interval) -> Interval| {
        Range::Int(others.iter().fold((*first).clone(), |all, next| combine(&all, next)))
    };
    Some(match op {
        Op::Add => fold(Interval::add),
        Op::Sub => fold(Interval::sub),
        Op::Mul => fold(Interval::mul),
        Op::IntDiv => fold(Interval::div),
        Op::Mod => fold(Interval::modulo),
        Op::Le => Range::maybe(is_below(first, others.first()?, Strict::No)),
        Op::Lt => Range::maybe(is_below(first, others.first()?, Strict::Yes)),
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strict {
    Yes,
    No,
}

/// Whether all numbers of `left` are below all of `right`, or none is; `None` if it depends.
fn is_below(left: &Interval, right: &Interval, strict: Strict) -> Option<bool> {
    let below = |left: Option<&BigInt>, right: Option<&BigInt>, strict: Strict| match (left, right) {
        (Some(left), Some(right)) => left < right || strict == Strict::No && left == right,
        _ => false,
    };
    let reverse = if strict == Strict::Yes { Strict::No } else { Strict::Yes };
    if below(left.high(), right.low(), strict) {
        return Some(true);
    }
    below(right.high(), left.low(), reverse).then_some(false)
}
