//! Conversions between formats, and from and to bit-vectors and rationals.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, Zero};

use super::arith::round_quotient;
use super::round::{round, round_to_integer};
use super::{Dyadic, Float, FloatSort, RoundingMode};
use crate::{BitVec, Rational};

impl Float {
    /// The value in another format.
    pub(crate) fn to_format(&self, sort: FloatSort, mode: RoundingMode) -> Float {
        match self.dyadic() {
            Some(number) => round(sort, mode, &number, false),
            None if self.is_nan() => Float::nan(sort),
            None => Float::infinity(sort, self.is_negative()),
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
