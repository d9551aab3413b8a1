//! Parts, extensions and conversions.

use std::cmp::Ordering;

use super::Rule;
use crate::{ExprId, Op, Store};

pub(super) const RULES: &[Rule] = &[
    Rule { name: "extract-of-extract", apply: extract_of_extract },
    Rule { name: "extract-of-concatenation", apply: extract_of_concatenation },
    Rule { name: "extract-of-extension", apply: extract_of_extension },
    Rule { name: "repeated-extension", apply: repeated_extension },
    Rule { name: "concatenate-zeros", apply: concatenate_zeros },
    Rule { name: "concatenate-neighbours", apply: concatenate_neighbours },
    Rule { name: "floor-of-integer", apply: floor_of_integer },
    Rule { name: "bits-of-number-of-bits", apply: bits_of_number_of_bits },
    Rule { name: "number-of-extension", apply: number_of_extension },
];

fn width(store: &Store, expr: ExprId) -> Option<u32> {
    store.sort(expr).width()
}

/// The argument of an extraction, its lowest bit and its width.
fn extraction(store: &Store, expr: ExprId) -> Option<(ExprId, u32, u32)> {
    match store.op(expr) {
        Op::Extract(lowest) => Some((store.arg(expr, 0), lowest, width(store, expr)?)),
        _ => None,
    }
}

fn extract_of_extract(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (inner, lowest, width) = extraction(store, expr)?;
    let (base, below, _) = extraction(store, inner)?;
    Some(store.extract(base, below + lowest, width))
}

/// Bits of one of the two parts only.
fn extract_of_concatenation(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (inner, lowest, wanted) = extraction(store, expr)?;
    if store.op(inner) != Op::Concat {
        return None;
    }
    let (high, low) = (store.arg(inner, 0), store.arg(inner, 1));
    let low_width = width(store, low)?;
    if lowest >= low_width {
        return Some(store.extract(high, lowest - low_width, wanted));
    }
    (lowest + wanted <= low_width).then(|| store.extract(low, lowest, wanted))
}

/// Bits of what was extended, or of the zeros, or an extension of the upper bits of it.
fn extract_of_extension(store: &Store, expr: ExprId) -> Option<ExprId> {
    let (inner, lowest, wanted) = extraction(store, expr)?;
    let op = store.op(inner);
    if !matches!(op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let base = store.arg(inner, 0);
    let available = width(store, base)?;
    if lowest + wanted <= available {
        return Some(store.extract(base, lowest, wanted));
    }
    if lowest >= available {
        return (op == Op::ZeroExtend).then(|| store.bits(wanted, 0u32));
    }
    let kept = store.extract(base, lowest, available - lowest);
    store.app(op, Some(store.sort(expr)), &[kept]).ok()
}

/// Two extensions of one kind are one; the sign after zeros is zero.
fn repeated_extension(store: &Store, expr: ExprId) -> Option<ExprId> {
    if !matches!(store.op(expr), Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let inner = store.arg(expr, 0);
    match (store.op(expr), store.op(inner)) {
        (_, Op::ZeroExtend) => Some(store.zero_extend(store.arg(inner, 0), width(store, expr)?)),
        (Op::SignExtend, Op::SignExtend) => Some(store.sign_extend(store.arg(inner, 0), width(store, expr)?)),
        _ => None,
    }
}

/// Zeros before a bit-vector extend it.
fn concatenate_zeros(store: &Store, expr: ExprId) -> Option<ExprId> {
    let high = (store.op(expr) == Op::Concat).then(|| store.arg(expr, 0))?;
    let zeros = store.is_literal(high) && high == store.bits(width(store, high)?, 0u32);
    zeros.then(|| width(store, expr).map(|width| store.zero_extend(store.arg(expr, 1), width))).flatten()
}

/// `x[8:4] ++ x[4:0]` is `x[8:0]`.
fn concatenate_neighbours(store: &Store, expr: ExprId) -> Option<ExprId> {
    if store.op(expr) != Op::Concat {
        return None;
    }
    let (high, above, _) = extraction(store, store.arg(expr, 0))?;
    let (low, below, low_width) = extraction(store, store.arg(expr, 1))?;
    (high == low && below + low_width == above)
        .then(|| store.extract(low, below, width(store, expr).unwrap_or(1)))
}

fn floor_of_integer(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::ToInt).then(|| store.arg(expr, 0))?;
    (store.op(inner) == Op::ToReal).then(|| store.arg(inner, 0))
}

/// A bit-vector, as a number, as a bit-vector of any width.
fn bits_of_number_of_bits(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::IntToBv).then(|| store.arg(expr, 0))?;
    if store.op(inner) != Op::BvToInt {
        return None;
    }
    let (base, wanted) = (store.arg(inner, 0), width(store, expr)?);
    match wanted.cmp(&width(store, base)?) {
        Ordering::Less => Some(store.extract(base, 0, wanted)),
        _ => Some(store.zero_extend(base, wanted)),
    }
}

/// Zeros do not change a number.
fn number_of_extension(store: &Store, expr: ExprId) -> Option<ExprId> {
    let inner = (store.op(expr) == Op::BvToInt).then(|| store.arg(expr, 0))?;
    (store.op(inner) == Op::ZeroExtend).then(|| store.bv_to_int(store.arg(inner, 0)))
}
