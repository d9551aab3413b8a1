//! Ranges of bit-vectors: bounds of the unsigned and of the signed value.
//!
//! Each operation is done on both views, modulo 2^n, and then each view learns from the other what it can. Sums and
//! differences that wrap around the end of one view are often exact in the other.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use thetis_expr::{BitVec, Op};

use super::interval::Interval;

/// The bit-vectors of a width whose unsigned and signed values are in intervals. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitsRange {
    width: u32,
    unsigned: Interval,
    signed: Interval,
}

fn power(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

impl BitsRange {
    /// All bit-vectors of `width`.
    pub fn all(width: u32) -> BitsRange {
        let half = power(width - 1);
        BitsRange {
            width,
            unsigned: Interval::below(&power(width)),
            signed: Interval::below(&power(width)).shift(&-half),
        }
    }

    /// One bit-vector.
    pub fn exactly(bits: &BitVec) -> BitsRange {
        let unsigned = Interval::exactly(BigInt::from(bits.unsigned().clone()));
        BitsRange { width: bits.width(), unsigned, signed: Interval::exactly(bits.signed()) }
    }

    /// The bit-vectors whose values are in both intervals, which are taken modulo 2^n.
    pub fn wrapped(width: u32, unsigned: &Interval, signed: &Interval) -> Option<BitsRange> {
        let (size, half) = (power(width), power(width - 1));
        let unsigned = unsigned.modulo(&Interval::exactly(size.clone()));
        let signed = signed.shift(&half).modulo(&Interval::exactly(size)).shift(&-half);
        BitsRange { width, unsigned, signed }.reduced()
    }

    /// The bit-vectors that are equal to integers of `interval` modulo 2^n.
    pub fn of_integers(width: u32, interval: &Interval) -> BitsRange {
        BitsRange::wrapped(width, interval, interval).unwrap_or_else(|| BitsRange::all(width))
    }

    /// The width.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned values.
    pub fn unsigned(&self) -> &Interval {
        &self.unsigned
    }

    /// The signed values.
    pub fn signed(&self) -> &Interval {
        &self.signed
    }

    /// The only bit-vector, if there is only one.
    pub fn single(&self) -> Option<BitVec> {
        self.unsigned.single().map(|number| BitVec::from_int(self.width, number))
    }

    /// Those with unsigned values in `interval`.
    pub fn meet_unsigned(&self, interval: &Interval) -> Option<BitsRange> {
        BitsRange { unsigned: self.unsigned.meet(interval)?, ..self.clone() }.reduced()
    }

    /// Those with signed values in `interval`.
    pub fn meet_signed(&self, interval: &Interval) -> Option<BitsRange> {
        BitsRange { signed: self.signed.meet(interval)?, ..self.clone() }.reduced()
    }

    /// What both have in common.
    pub fn meet(&self, other: &BitsRange) -> Option<BitsRange> {
        self.meet_unsigned(&other.unsigned)?.meet_signed(&other.signed)
    }

    /// The least range around both.
    pub fn join(&self, other: &BitsRange) -> BitsRange {
        BitsRange {
            width: self.width,
            unsigned: self.unsigned.join(&other.unsigned),
            signed: self.signed.join(&other.signed),
        }
    }

    /// Replaces the views by what `change` makes of them, within what the width allows.
    pub fn with_views(&self, unsigned: &Interval, signed: &Interval) -> BitsRange {
        let all = BitsRange::all(self.width);
        let unsigned = all.unsigned.meet(unsigned).unwrap_or_else(|| all.unsigned.clone());
        let signed = all.signed.meet(signed).unwrap_or_else(|| all.signed.clone());
        BitsRange { width: self.width, unsigned, signed }
    }

    /// Each view with what the other says.
    fn reduced(mut self) -> Option<BitsRange> {
        let (size, half) = (power(self.width), power(self.width - 1));
        if self.unsigned.is_within(&Interval::below(&half)) {
            self.signed = self.signed.meet(&self.unsigned)?;
        } else if self.unsigned.low() >= Some(&half) {
            self.signed = self.signed.meet(&self.unsigned.shift(&-size.clone()))?;
        }
        if self.signed.is_at_least(0) {
            self.unsigned = self.unsigned.meet(&self.signed)?;
        } else if self.signed.high() < Some(&BigInt::zero()) {
            self.unsigned = self.unsigned.meet(&self.signed.shift(&size))?;
        }
        Some(self)
    }

    /// The results of an operator on one bit-vector, of the given width.
    pub fn unary(&self, op: Op, width: u32) -> BitsRange {
        let minus_one = Interval::exactly(-BigInt::one());
        let result = match op {
            Op::BvNeg => BitsRange::wrapped(width, &self.unsigned.neg(), &self.signed.neg()),
            Op::BvNot => {
                BitsRange::wrapped(width, &minus_one.sub(&self.unsigned), &minus_one.sub(&self.signed))
            }
            Op::ZeroExtend => Some(BitsRange::of_integers(width, &self.unsigned)),
            Op::SignExtend => Some(BitsRange::of_integers(width, &self.signed)),
            Op::Extract(low) => {
                let divisor = Interval::exactly(power(low));
                BitsRange::wrapped(width, &self.unsigned.div(&divisor), &self.signed.div(&divisor))
            }
            _ => None,
        };
        result.unwrap_or_else(|| BitsRange::all(width))
    }

    /// The results of an operator on two bit-vectors, of the given width.
    pub fn binary(&self, op: Op, other: &BitsRange, width: u32) -> BitsRange {
        let (a, b) = (&self.unsigned, &other.unsigned);
        let both = |unsigned: Interval, signed: Interval| BitsRange::wrapped(width, &unsigned, &signed);
        let natural = |unsigned: Interval| Some(BitsRange::of_integers(width, &unsigned));
        let result = match op {
            Op::BvAdd => both(a.add(b), self.signed.add(&other.signed)),
            Op::BvSub => both(a.sub(b), self.signed.sub(&other.signed)),
            Op::BvMul => both(a.mul(b), self.signed.mul(&other.signed)),
            Op::BvUdiv if b.is_at_least(1) => natural(a.div(b)),
            Op::BvUrem => natural(remainder(a, b)),
            Op::BvAnd => natural(up_to(a.high().min(b.high()))),
            Op::BvOr | Op::BvXor => natural(up_to(Some(&all_ones(a, b)))),
            Op::BvSdiv | Op::BvSrem | Op::BvSmod
                if self.signed.is_at_least(0) && other.signed.is_at_least(1) =>
            {
                natural(if op == Op::BvSdiv { a.div(b) } else { remainder(a, b) })
            }
            Op::BvShl => shift_of(other).and_then(|distance| {
                let factor = Interval::exactly(power(distance));
                both(a.mul(&factor), self.signed.mul(&factor))
            }),
            Op::BvLshr => match shift_of(other) {
                Some(distance) => natural(a.div(&Interval::exactly(power(distance)))),
                None => natural(up_to(a.high())),
            },
            Op::BvAshr => shift_of(other).map(|distance| {
                BitsRange::of_integers(width, &self.signed.div(&Interval::exactly(power(distance))))
            }),
            Op::Concat => natural(a.mul(&Interval::exactly(power(other.width))).add(b)),
            _ => None,
        };
        result.unwrap_or_else(|| BitsRange::all(width))
    }
}

/// The distance of a shift, if it is known and small enough to be shifted by.
fn shift_of(range: &BitsRange) -> Option<u32> {
    u32::try_from(range.unsigned.single()?).ok().filter(|distance| *distance <= 1024)
}

fn up_to(high: Option<&BigInt>) -> Interval {
    Interval::new(Some(BigInt::zero()), high.cloned()).unwrap_or_else(Interval::all)
}

/// The remainders of unsigned numbers. They are not greater than the dividend, even if the divisor is zero.
fn remainder(dividend: &Interval, divisor: &Interval) -> Interval {
    let own = up_to(dividend.high());
    match divisor.is_at_least(1) {
        true => dividend.modulo(divisor).meet(&own).unwrap_or(own),
        false => own,
    }
}

/// The greatest number with as many bits as the greatest of both intervals, which have no negative numbers.
fn all_ones(left: &Interval, right: &Interval) -> BigInt {
    let bits = |interval: &Interval| interval.high().map_or(0, BigInt::bits);
    (BigInt::one() << bits(left).max(bits(right))) - 1
}
