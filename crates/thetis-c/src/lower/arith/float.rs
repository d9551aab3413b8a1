//! Floating-point numbers: those of IEEE 754, rounded to nearest even.
//!
//! `long double` is the 80-bit format of x86. Its numbers are those of the format with 15 bits of exponent and 64 bits of
//! significand, although it writes the leading bit of the significand out.

use num_bigint::BigUint;
use thetis_expr::{BitVec, ExprId, Float, FloatSign, FloatSort, RoundingMode, Sort, Store};

use super::{Arith, Encoding, Partial};
use crate::hir::{BinaryOp, FloatKind};
use crate::lower::scalar::Integer;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The format of a floating type.
pub(super) fn sort(kind: FloatKind) -> Sort {
    match kind {
        FloatKind::Float => Sort::float(8, 24),
        FloatKind::Double => Sort::float(11, 53),
        FloatKind::LongDouble => Sort::float(15, 64),
    }
}

fn format(kind: FloatKind) -> FloatSort {
    sort(kind).float_format().expect("the sort of a float should have a format")
}

/// Positive zero.
pub(super) fn zero(store: &Store, kind: FloatKind) -> ExprId {
    store.float(Float::zero(format(kind), FloatSign::Positive))
}

/// A conversion between floating types.
pub(super) fn convert(store: &Store, from: FloatKind, to: FloatKind, term: ExprId) -> ExprId {
    if from == to { term } else { store.fp_from_fp(NEAREST, term, sort(to)) }
}

/// An operator on floating-point numbers.
pub(super) fn binary(store: &Store, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
    match op {
        BinaryOp::Add => store.fp_add(NEAREST, left, right),
        BinaryOp::Sub => store.fp_sub(NEAREST, left, right),
        BinaryOp::Mul => store.fp_mul(NEAREST, left, right),
        BinaryOp::Div => store.fp_div(NEAREST, left, right),
        _ => unreachable!("C has no other operators on floats"),
    }
}

impl Arith<'_> {
    /// The constant with these bits, as the format of C writes them.
    pub(crate) fn float_literal(self, kind: FloatKind, bits: u128) -> ExprId {
        let bits = match kind {
            FloatKind::LongDouble => {
                let fraction = bits & ((1 << 63) - 1);
                ((bits >> 64) << 63) | fraction
            }
            FloatKind::Float | FloatKind::Double => bits,
        };
        let format = format(kind);
        let bits = BitVec::new(format.width(), BigUint::from(bits));
        self.store.float(Float::from_bits(format, &bits))
    }

    pub(super) fn integer_to_float(self, from: Integer, to: FloatKind, term: ExprId) -> ExprId {
        let store = self.store;
        let bits = match self.encoding {
            Encoding::Bv => term,
            Encoding::Int | Encoding::Mod => store.int_to_bv(term, from.width),
        };
        match from.is_signed {
            true => store.fp_from_signed(NEAREST, bits, sort(to)),
            false => store.fp_from_unsigned(NEAREST, bits, sort(to)),
        }
    }

    /// The fraction is cut off; what then does not fit has no value.
    pub(super) fn float_to_integer(self, from: FloatKind, to: Integer, term: ExprId) -> Partial {
        let store = self.store;
        let whole = store.fp_round_to_integral(RoundingMode::TowardZero, term);
        // Powers of two are exact in every format, so the bounds are: least <= whole < end.
        let end = self.power_of_two_float(from, if to.is_signed { to.width - 1 } else { to.width });
        let least = if to.is_signed { store.fp_neg(end) } else { zero(store, from) };
        let is_defined = store.and(store.fp_le(least, whole), store.fp_lt(whole, end));
        let target = Sort::bitvec(to.width);
        let bits = match to.is_signed {
            true => store.fp_to_signed(RoundingMode::TowardZero, term, target),
            false => store.fp_to_unsigned(RoundingMode::TowardZero, term, target),
        };
        let term = match self.encoding {
            Encoding::Bv => bits,
            Encoding::Int | Encoding::Mod => self.read_vector(to, bits),
        };
        Partial { term, is_defined, convention: None }
    }

    fn power_of_two_float(self, kind: FloatKind, exponent: u32) -> ExprId {
        let one = self.store.bits(exponent + 1, BigUint::from(1u32) << exponent);
        self.store.fp_from_unsigned(NEAREST, one, sort(kind))
    }

    /// A float from its bits in memory.
    pub(crate) fn float_from_bits(self, kind: FloatKind, bits: ExprId) -> ExprId {
        self.store.fp_from_bits(bits, sort(kind))
    }
}
