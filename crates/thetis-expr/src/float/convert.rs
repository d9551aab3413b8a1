//! Conversions between formats, and from and to bit-vectors and rationals.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, Zero};

use super::arith::round_quotient;
use super::round::{round, round_to_integer};
use super::{Dyadic, Float, FloatSign, FloatSort, RoundingMode};
use crate::{BitVec, Rational};

/// Which floats of a format have an integer part that fits into a bit-vector. Needed for solvers, which leave the
/// conversion of all others open.
#[derive(Clone, Debug)]
pub struct IntegerRange {
    /// The format to compare in. It is wider than the original one if rounding to an integer could overflow there,
    /// which happens in formats whose largest numbers are not integers.
    pub format: FloatSort,
    /// What the number, rounded to an integer, has to be at least, if that is a restriction.
    pub least: Option<Float>,
    /// What the number, rounded to an integer, has to be less than, if that is a restriction.
    pub limit: Option<Float>,
}

impl FloatSort {
    /// The range of conversions to signed bit-vectors of `width` bits.
    pub fn signed_range(self, width: u32) -> IntegerRange {
        let power = BigInt::one() << (width - 1);
        self.range(width - 1, -power.clone(), power)
    }

    /// The range of conversions to unsigned bit-vectors of `width` bits.
    pub fn unsigned_range(self, width: u32) -> IntegerRange {
        let mut range = self.range(width, BigInt::zero(), BigInt::one() << width);
        range.least = Some(Float::zero(range.format, FloatSign::Positive));
        range
    }

    /// The bounds, which are zero or powers of two, are exact if the format reaches `exponent`; otherwise they
    /// always hold.
    fn range(self, exponent: u32, least: BigInt, limit: BigInt) -> IntegerRange {
        let narrow = self.max_exponent() < i64::from(self.significand_bits());
        let wider = FloatSort::new(self.exponent_bits() + 1, self.significand_bits()).filter(|_| narrow);
        let format = wider.unwrap_or(self);
        let reached = i64::from(exponent) <= format.max_exponent();
        let bound = |number| reached.then(|| Float::from_int(format, RoundingMode::TowardZero, &number));
        IntegerRange { format, least: bound(least), limit: bound(limit) }
    }
}

impl Float {
    /// The value in another format.
    pub(crate) fn to_format(&self, sort: FloatSort, mode: RoundingMode) -> Float {
        match self.dyadic() {
            Some(number) => round(sort, mode, &number, false),
            None if self.is_nan() => Float::nan(sort),
            None => Float::infinity(sort, FloatSign::of(self.is_negative())),
        }
    }

    pub(crate) fn from_rational(sort: FloatSort, mode: RoundingMode, number: &Rational) -> Float {
        let part =
            |number: &BigInt| Dyadic { negative: false, magnitude: number.magnitude().clone(), exponent: 0 };
        round_quotient(sort, mode, number.is_negative(), &part(number.numer()), &part(number.denom()))
    }

    pub(crate) fn from_int(sort: FloatSort, mode: RoundingMode, number: &BigInt) -> Float {
        let magnitude = number.magnitude().clone();
        round(sort, mode, &Dyadic { negative: number.is_negative(), magnitude, exponent: 0 }, false)
    }

    /// The exact number; zero for NaN and the infinities.
    pub(crate) fn to_rational(&self) -> Rational {
        let Some(number) = self.dyadic() else { return Rational::zero() };
        let power = BigInt::from(BigUint::one() << number.exponent.unsigned_abs());
        let magnitude = signed(number.negative, number.magnitude);
        if number.exponent < 0 { Rational::new(magnitude, power) } else { Rational::from(magnitude * power) }
    }

    /// The integer this is rounded to, if it fits an unsigned bit-vector; else zero.
    pub(crate) fn to_unsigned(&self, width: u32, mode: RoundingMode) -> BitVec {
        self.to_integer(mode)
            .filter(|number| !number.is_negative() && number.bits() <= u64::from(width))
            .map_or_else(|| BitVec::new(width, 0u32), |number| BitVec::from_int(width, &number))
    }

    /// The integer this is rounded to, if it fits a signed bit-vector; else zero.
    pub(crate) fn to_signed(&self, width: u32, mode: RoundingMode) -> BitVec {
        let fits = |number: &BigInt| {
            let bits = BitVec::from_int(width, number);
            bits.signed() == *number
        };
        self.to_integer(mode)
            .filter(fits)
            .map_or_else(|| BitVec::new(width, 0u32), |number| BitVec::from_int(width, &number))
    }

    fn to_integer(&self, mode: RoundingMode) -> Option<BigInt> {
        let number = self.dyadic()?;
        Some(signed(number.negative, round_to_integer(mode, &number)))
    }
}

fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude)
}
