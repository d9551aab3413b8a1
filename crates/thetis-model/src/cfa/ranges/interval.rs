//! Intervals of integers, with or without bounds.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Bounds with more bits are given up: they come from repeated products and would only grow.
const MAX_BITS: u64 = 1024;

/// The integers from `low` to `high`; a missing bound is infinite. Never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Interval {
    /// All integers.
    pub fn all() -> Interval {
        Interval { low: None, high: None }
    }

    /// One integer.
    pub fn exactly(number: BigInt) -> Interval {
        Interval { low: Some(number.clone()), high: Some(number) }
    }

    /// The integers between two bounds; `None` if there are none.
    pub fn new(low: Option<BigInt>, high: Option<BigInt>) -> Option<Interval> {
        let is_empty = matches!((&low, &high), (Some(low), Some(high)) if low > high);
        (!is_empty).then_some(Interval { low, high })
    }

    /// The integers from zero to below `end`, which is positive.
    pub fn below(end: &BigInt) -> Interval {
        Interval { low: Some(BigInt::zero()), high: Some(end - 1) }
    }

    /// The least integer.
    pub fn low(&self) -> Option<&BigInt> {
        self.low.as_ref()
    }

    /// The greatest integer.
    pub fn high(&self) -> Option<&BigInt> {
        self.high.as_ref()
    }

    /// The only integer, if there is only one.
    pub fn single(&self) -> Option<&BigInt> {
        self.low.as_ref().filter(|low| Some(*low) == self.high.as_ref())
    }

    /// Whether all integers of this interval are in `other`.
    pub fn is_within(&self, other: &Interval) -> bool {
        let low_fits = other.low.is_none() || self.low.is_some() && self.low >= other.low;
        let high_fits = match (&self.high, &other.high) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(high), Some(limit)) => high <= limit,
        };
        low_fits && high_fits
    }

    /// Whether all integers are at least `number`.
    pub fn is_at_least(&self, number: i32) -> bool {
        self.low.as_ref().is_some_and(|low| *low >= BigInt::from(number))
    }

    /// The least interval around both.
    pub fn join(&self, other: &Interval) -> Interval {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(left, right)| left.min(right).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(left, right)| left.max(right).clone());
        Interval { low, high }
    }

    /// What both have in common.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = self.low.iter().chain(&other.low).max().cloned();
        let high = self.high.iter().chain(&other.high).min().cloned();
        Interval::new(low, high)
    }

    /// An interval around `new`, which contains this one, whose moved bounds are thresholds or infinite.
    pub fn widen(&self, new: &Interval, thresholds: &BTreeSet<BigInt>) -> Interval {
        let low = match &new.low {
            low if *low == self.low => low.clone(),
            Some(low) => thresholds.range(..=low).next_back().cloned(),
            None => None,
        };
        let high = match &new.high {
            high if *high == self.high => high.clone(),
            Some(high) => thresholds.range(high..).next().cloned(),
            None => None,
        };
        Interval { low, high }
    }

    /// Sums.
    pub fn add(&self, other: &Interval) -> Interval {
        let sum = |left: &Option<BigInt>, right: &Option<BigInt>| {
            left.as_ref().zip(right.as_ref()).and_then(|(left, right)| limited(left + right))
        };
        Interval { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    /// The integers moved by `distance`.
    pub fn shift(&self, distance: &BigInt) -> Interval {
        self.add(&Interval::exactly(distance.clone()))
    }

    /// The negated integers.
    pub fn neg(&self) -> Interval {
        Interval { low: self.high.as_ref().map(|high| -high), high: self.low.as_ref().map(|low| -low) }
    }

    /// Differences.
    pub fn sub(&self, other: &Interval) -> Interval {
        self.add(&other.neg())
    }

    /// Products.
    pub fn mul(&self, other: &Interval) -> Interval {
        if let Some(factor) = other.single() {
            return self.scale(factor);
        }
        if let Some(factor) = self.single() {
            return other.scale(factor);
        }
        if let ((Some(a), Some(b)), (Some(c), Some(d))) = ((&self.low, &self.high), (&other.low, &other.high))
        {
            let products = [a * c, a * d, b * c, b * d];
            let low = products.iter().min().cloned().and_then(limited);
            return Interval { low, high: products.into_iter().max().and_then(limited) };
        }
        if self.is_at_least(0) && other.is_at_least(0) {
            let low =
                self.low.as_ref().zip(other.low.as_ref()).and_then(|(left, right)| limited(left * right));
            return Interval { low, high: None };
        }
        Interval::all()
    }

    fn scale(&self, factor: &BigInt) -> Interval {
        if factor.is_zero() {
            return Interval::exactly(BigInt::zero());
        }
        let times = |bound: &Option<BigInt>| bound.as_ref().and_then(|bound| limited(bound * factor));
        let (low, high) = (times(&self.low), times(&self.high));
        if factor.is_negative() { Interval { low: high, high: low } } else { Interval { low, high } }
    }

    /// Euclidean quotients; nothing is known if the divisor may be zero.
    pub fn div(&self, divisor: &Interval) -> Interval {
        if let Some(number) = divisor.single().filter(|number| !number.is_zero()) {
            let size = number.abs();
            let floor = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound.div_floor(&size));
            let quotient = Interval { low: floor(&self.low), high: floor(&self.high) };
            return if number.is_negative() { quotient.neg() } else { quotient };
        }
        if !divisor.is_at_least(1) {
            return Interval::all();
        }
        // Division by something positive does not lead away from zero.
        self.join(&Interval::exactly(BigInt::zero()))
    }

    /// Euclidean remainders.
    pub fn modulo(&self, divisor: &Interval) -> Interval {
        if let Some(number) = divisor.single().filter(|number| number.is_positive()) {
            return match self.block(number) {
                Some(block) => self.shift(&-(block * number)),
                None => Interval::below(number),
            };
        }
        if !divisor.is_at_least(1) {
            return Interval::all();
        }
        let high = divisor.high.as_ref().map(|high| high - 1);
        let own = if self.is_at_least(0) { self.high.clone() } else { None };
        Interval { low: Some(BigInt::zero()), high: high.into_iter().chain(own).min() }
    }

    /// The `k` such that all integers are between `k * size` and `(k + 1) * size - 1`, for a positive `size`.
    pub fn block(&self, size: &BigInt) -> Option<BigInt> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        let block = low.div_floor(size);
        (high.div_floor(size) == block).then_some(block)
    }

    /// The integers whose product with `factor`, which is not zero, is in this interval.
    pub fn divided_by(&self, factor: &BigInt) -> Option<Interval> {
        let this = if factor.is_negative() { self.neg() } else { self.clone() };
        let size = factor.abs();
        let low = this.low.as_ref().map(|low| low.div_ceil(&size));
        let high = this.high.as_ref().map(|high| high.div_floor(&size));
        Interval::new(low, high)
    }

    /// This interval without `number`, if what is left is an interval; `None` if nothing is left.
    pub fn without(&self, number: &BigInt) -> Option<Interval> {
        if self.single() == Some(number) {
            return None;
        }
        let (mut low, mut high) = (self.low.clone(), self.high.clone());
        if low.as_ref() == Some(number) {
            low = Some(number + BigInt::one());
        } else if high.as_ref() == Some(number) {
            high = Some(number - BigInt::one());
        }
        Interval::new(low, high)
    }
}

fn limited(number: BigInt) -> Option<BigInt> {
    (number.bits() <= MAX_BITS).then_some(number)
}
