//! Arithmetic. Each operation treats NaN, infinities and zeros first, then computes exactly and rounds once.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::round::{round, round_to_integer};
use super::{Dyadic, Float, FloatSign, RoundingMode};

impl Dyadic {
    fn signed(&self) -> BigInt {
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, self.magnitude.clone())
    }

    fn from_signed(number: &BigInt, exponent: i64) -> Dyadic {
        Dyadic { negative: number.is_negative(), magnitude: number.magnitude().clone(), exponent }
    }

    /// Both numbers as multiples of one power of two.
    fn align(&self, other: &Dyadic) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |number: &Dyadic| number.signed() << (number.exponent - exponent);
        (shifted(self), shifted(other), exponent)
    }

    fn add(&self, other: &Dyadic) -> Dyadic {
        let (left, right, exponent) = self.align(other);
        Dyadic::from_signed(&(left + right), exponent)
    }

    fn mul(&self, other: &Dyadic) -> Dyadic {
        Dyadic {
            negative: self.negative != other.negative,
            magnitude: &self.magnitude * &other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Float {
    pub(crate) fn neg(&self) -> Float {
        if self.is_nan() {
            return self.clone();
        }
        Float { sort: self.sort, bits: &self.bits ^ (BigUint::one() << (self.sort.width() - 1)) }
    }

    pub(crate) fn abs(&self) -> Float {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub(crate) fn add(&self, other: &Float, mode: RoundingMode) -> Float {
        let (Some(left), Some(right)) = (self.dyadic(), other.dyadic()) else {
            return self.add_special(other);
        };
        self.round_sum(&left, &right, mode)
    }

    pub(crate) fn sub(&self, other: &Float, mode: RoundingMode) -> Float {
        self.add(&other.neg(), mode)
    }

    /// A sum with an infinity or NaN in it.
    fn add_special(&self, other: &Float) -> Float {
        match (self.is_infinite(), other.is_infinite()) {
            _ if self.is_nan() || other.is_nan() => Float::nan(self.sort),
            (true, true) if self != other => Float::nan(self.sort),
            (true, _) => self.clone(),
            _ => other.clone(),
        }
    }

    /// Rounds the sum of two finite numbers. A sum of zero is negative if both are, or if they differ in sign and
    /// the mode is downwards.
    fn round_sum(&self, left: &Dyadic, right: &Dyadic, mode: RoundingMode) -> Float {
        let sum = left.add(right);
        if sum.magnitude.is_zero() {
            let downwards = mode == RoundingMode::TowardNegative;
            let negative = if left.negative == right.negative { left.negative } else { downwards };
            return Float::zero(self.sort, FloatSign::of(negative));
        }
        round(self.sort, mode, &sum, false)
    }

    pub(crate) fn mul(&self, other: &Float, mode: RoundingMode) -> Float {
        let negative = self.is_negative() != other.is_negative();
        match (self.dyadic(), other.dyadic()) {
            (Some(left), Some(right)) => round(self.sort, mode, &left.mul(&right), false),
            _ if self.is_nan() || other.is_nan() || self.is_zero() || other.is_zero() => {
                Float::nan(self.sort)
            }
            _ => Float::infinity(self.sort, FloatSign::of(negative)),
        }
    }

    /// `self * other + summand`, rounded once.
    pub(crate) fn fma(&self, other: &Float, summand: &Float, mode: RoundingMode) -> Float {
        let (Some(left), Some(right)) = (self.dyadic(), other.dyadic()) else {
            // The product is special: rounding does not matter to it.
            return self.mul(other, mode).add(summand, mode);
        };
        match summand.dyadic() {
            Some(summand) => self.round_sum(&left.mul(&right), &summand, mode),
            None => summand.clone(),
        }
    }

    pub(crate) fn div(&self, other: &Float, mode: RoundingMode) -> Float {
        let negative = self.is_negative() != other.is_negative();
        match (self.dyadic(), other.dyadic()) {
            _ if self.is_nan() || other.is_nan() => Float::nan(self.sort),
            (Some(left), Some(right)) if !right.magnitude.is_zero() => {
                round_quotient(self.sort, mode, negative, &left, &right)
            }
            (Some(left), Some(_)) if left.magnitude.is_zero() => Float::nan(self.sort),
            (None, None) => Float::nan(self.sort),
            (Some(_), None) => Float::zero(self.sort, FloatSign::of(negative)),
            _ => Float::infinity(self.sort, FloatSign::of(negative)),
        }
    }

    pub(crate) fn sqrt(&self, mode: RoundingMode) -> Float {
        let positive_infinity = self.is_infinite() && !self.is_negative();
        if self.is_nan() || self.is_zero() || positive_infinity {
            return self.clone();
        }
        let Some(number) = self.dyadic().filter(|number| !number.negative) else {
            return Float::nan(self.sort);
        };
        // An even exponent, and a radicand long enough that the root has two bits to spare.
        let spare = 2 * (i64::from(self.sort.significand_bits()) + 2);
        let exponent = number.exponent - spare - (number.exponent - spare).rem_euclid(2);
        let radicand = number.magnitude << (number.exponent - exponent) as u64;
        let root = radicand.sqrt();
        let sticky = &root * &root != radicand;
        let root = Dyadic { negative: false, magnitude: root, exponent: exponent / 2 };
        round(self.sort, mode, &root, sticky)
    }

    /// `self - n * other` for the integer `n` nearest to the quotient, even on a tie; exact.
    pub(crate) fn rem(&self, other: &Float) -> Float {
        match (self.dyadic(), other.dyadic()) {
            (Some(_), None) if !other.is_nan() => self.clone(),
            (Some(left), Some(right)) if !right.magnitude.is_zero() => {
                let (dividend, divisor, exponent) = left.align(&right);
                let remainder = nearest_remainder(&dividend, &divisor.abs());
                let mut exact = Dyadic::from_signed(&remainder, exponent);
                exact.negative = if remainder.is_zero() { self.is_negative() } else { exact.negative };
                round(self.sort, RoundingMode::NearestEven, &exact, false)
            }
            _ => Float::nan(self.sort),
        }
    }

    pub(crate) fn round_to_integral(&self, mode: RoundingMode) -> Float {
        match self.dyadic() {
            Some(number) if number.exponent < 0 => {
                let whole = Dyadic {
                    magnitude: round_to_integer(mode, &number),
                    exponent: 0,
                    negative: number.negative,
                };
                round(self.sort, mode, &whole, false)
            }
            _ => self.clone(),
        }
    }

    /// The smaller one; a number rather than NaN, and -0 rather than +0.
    pub(crate) fn min(&self, other: &Float) -> Float {
        let first = match self.compare(other) {
            None => !self.is_nan(),
            Some(Ordering::Equal) => self.is_negative(),
            Some(order) => order.is_lt(),
        };
        if first { self.clone() } else { other.clone() }
    }

    /// The larger one; a number rather than NaN, and +0 rather than -0.
    pub(crate) fn max(&self, other: &Float) -> Float {
        let first = match self.compare(other) {
            None => !self.is_nan(),
            Some(Ordering::Equal) => !self.is_negative(),
            Some(order) => order.is_gt(),
        };
        if first { self.clone() } else { other.clone() }
    }
}

/// Rounds a quotient of finite numbers, computed to two bits more than the format has.
pub(super) fn round_quotient(
    sort: super::FloatSort,
    mode: RoundingMode,
    negative: bool,
    dividend: &Dyadic,
    divisor: &Dyadic,
) -> Float {
    let missing = divisor.magnitude.bits() + u64::from(sort.significand_bits()) + 2;
    let shift = missing.saturating_sub(dividend.magnitude.bits());
    let (quotient, remainder) = (&dividend.magnitude << shift).div_rem(&divisor.magnitude);
    let exponent = dividend.exponent - divisor.exponent - shift as i64;
    round(sort, mode, &Dyadic { negative, magnitude: quotient, exponent }, !remainder.is_zero())
}

/// The remainder of smallest magnitude; on a tie that of an even quotient.
fn nearest_remainder(dividend: &BigInt, divisor: &BigInt) -> BigInt {
    let (quotient, remainder) = dividend.div_mod_floor(divisor);
    let is_above = match (&remainder << 1u32).cmp(divisor) {
        Ordering::Less => false,
        Ordering::Equal => quotient.is_odd(),
        Ordering::Greater => true,
    };
    if is_above { remainder - divisor } else { remainder }
}
