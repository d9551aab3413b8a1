//! What is known of the value of a term.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_expr::{BitVec, ExprId, Sort, Store, Value};

use super::bits::BitsRange;
use super::interval::Interval;

/// A set of values of one sort; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// Integers.
    Int(Interval),
    /// Bit-vectors.
    Bits(BitsRange),
    /// One value of any other sort, truth values included.
    Exactly(Value),
    /// All values of the sort.
    Any,
}

impl Range {
    /// All values of `sort`.
    pub fn all(sort: Sort) -> Range {
        match sort {
            Sort::Int => Range::Int(Interval::all()),
            Sort::BitVec(width) => Range::Bits(BitsRange::all(width.get())),
            _ => Range::Any,
        }
    }

    /// One value.
    pub fn exactly(value: Value) -> Range {
        match value {
            Value::Int(number) => Range::Int(Interval::exactly(number)),
            Value::BitVec(bits) => Range::Bits(BitsRange::exactly(&bits)),
            other => Range::Exactly(other),
        }
    }

    /// One truth value.
    pub fn truth(value: bool) -> Range {
        Range::Exactly(Value::Bool(value))
    }

    /// A truth value that may be known.
    pub fn maybe(value: Option<bool>) -> Range {
        value.map_or(Range::Any, Range::truth)
    }

    /// The only value, if there is only one.
    pub fn single(&self) -> Option<Value> {
        match self {
            Range::Int(interval) => interval.single().cloned().map(Value::Int),
            Range::Bits(bits) => bits.single().map(Value::BitVec),
            Range::Exactly(value) => Some(value.clone()),
            Range::Any => None,
        }
    }

    /// The truth value, if it is known.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Range::Exactly(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The least range around both.
    pub fn join(&self, other: &Range) -> Range {
        match (self, other) {
            (Range::Int(left), Range::Int(right)) => Range::Int(left.join(right)),
            (Range::Bits(left), Range::Bits(right)) => Range::Bits(left.join(right)),
            (left, right) if left == right => left.clone(),
            _ => Range::Any,
        }
    }

    /// What both have in common.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        match (self, other) {
            (Range::Int(left), Range::Int(right)) => left.meet(right).map(Range::Int),
            (Range::Bits(left), Range::Bits(right)) => left.meet(right).map(Range::Bits),
            (Range::Any, known) | (known, Range::Any) => Some(known.clone()),
            (left, right) => (left == right).then(|| left.clone()),
        }
    }

    /// A range around `new`, which contains this one, that cannot grow for ever.
    pub fn widen(&self, new: &Range, thresholds: &BTreeSet<BigInt>) -> Range {
        match (self, new) {
            (Range::Int(old), Range::Int(new)) => Range::Int(old.widen(new, thresholds)),
            (Range::Bits(old), Range::Bits(new)) => {
                let unsigned = old.unsigned().widen(new.unsigned(), thresholds);
                Range::Bits(new.with_views(&unsigned, &old.signed().widen(new.signed(), thresholds)))
            }
            (_, new) => new.clone(),
        }
    }

    /// That the value of `term` is in this range.
    pub fn formula(&self, store: &Store, term: ExprId) -> ExprId {
        match self {
            Range::Any => store.tru(),
            Range::Exactly(value) => store.eq(term, store.literal(value.clone())),
            Range::Int(interval) => {
                if let Some(number) = interval.single() {
                    return store.eq(term, store.int(number.clone()));
                }
                let low = interval.low().map(|low| store.le(store.int(low.clone()), term));
                let high = interval.high().map(|high| store.le(term, store.int(high.clone())));
                store.and_all(low.into_iter().chain(high))
            }
            Range::Bits(bits) => bits_formula(store, term, bits),
        }
    }
}

/// Bounds that every bit-vector satisfies, and signed bounds that the unsigned ones say already, are left out.
fn bits_formula(store: &Store, term: ExprId, range: &BitsRange) -> ExprId {
    if let Some(bits) = range.single() {
        return store.eq(term, store.literal(Value::BitVec(bits)));
    }
    let all = BitsRange::all(range.width());
    let literal = |number: &BigInt| store.literal(Value::BitVec(BitVec::from_int(range.width(), number)));
    let mut bounds = Vec::new();
    let mut add = |own: Option<&BigInt>, trivial: Option<&BigInt>, bound: &dyn Fn(ExprId) -> ExprId| {
        bounds.extend(own.filter(|own| Some(*own) != trivial).map(|own| bound(literal(own))));
    };
    add(range.unsigned().low(), all.unsigned().low(), &|low| store.bv_ule(low, term));
    add(range.unsigned().high(), all.unsigned().high(), &|high| store.bv_ule(term, high));
    let implied = all.meet_unsigned(range.unsigned()).unwrap_or_else(|| all.clone());
    if implied.signed() != range.signed() {
        add(range.signed().low(), all.signed().low(), &|low| store.bv_sle(low, term));
        add(range.signed().high(), all.signed().high(), &|high| store.bv_sle(term, high));
    }
    store.and_all(bounds)
}
