//! Ranges of floating-point numbers.
//!
//! Every operation of IEEE 754 is the exact one followed by rounding, and rounding is monotone in every mode. So where the exact
//! operation is monotone in each argument, its results over ranges lie between those at the ends, which the exact evaluator
//! computes. Three things need care:
//!
//! * **NaN** is unordered. A range records separately whether NaN is possible. If the result at an end is NaN (∞ − ∞, 0 · ∞),
//!   nothing is known about the results in between, so the result is the full range.
//! * **Zeros** of both signs are equal as numbers and differ as divisors. In the order of this file, −0 is right below +0. Which of them
//!   an operation returns depends on more than the order, so a zero at the end of a result stands for both.
//! * **Division** is monotone only where the divisor has one sign, so a divisor that may be zero gives the full
//!   range.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use thetis_expr::{Float, FloatSign, FloatSort};

/// A set of floats of one format: all from one to another in the order −∞ … −0, +0 … +∞, and perhaps NaN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatRange {
    sort: FloatSort,
    /// The least and the greatest number, if there is one.
    numbers: Option<(Float, Float)>,
    nan: bool,
}

impl FloatRange {
    /// All values of the format.
    pub fn all(sort: FloatSort) -> FloatRange {
        FloatRange { nan: true, ..FloatRange::numbers(sort) }
    }

    /// All values of the format except NaN.
    pub fn numbers(sort: FloatSort) -> FloatRange {
        let numbers =
            Some((Float::infinity(sort, FloatSign::Negative), Float::infinity(sort, FloatSign::Positive)));
        FloatRange { sort, numbers, nan: false }
    }

    /// All values of the format except the infinities.
    pub fn finite(sort: FloatSort) -> FloatRange {
        let next_to = |infinity: Float, step: i32| Float::with_ordinal(sort, &(ordinal(&infinity) + step));
        let least = next_to(Float::infinity(sort, FloatSign::Negative), 1);
        let greatest = next_to(Float::infinity(sort, FloatSign::Positive), -1);
        FloatRange { sort, numbers: Some((least, greatest)), nan: true }
    }

    /// One value.
    pub fn of(value: &Float) -> FloatRange {
        let nan = value.is_nan();
        FloatRange { sort: value.sort(), numbers: (!nan).then(|| (value.clone(), value.clone())), nan }
    }

    /// The numbers from `least` to `greatest`, neither of which is NaN.
    pub fn between(least: Float, greatest: Float) -> FloatRange {
        FloatRange { sort: least.sort(), numbers: Some((least, greatest)), nan: false }
    }

    /// The format.
    pub fn format(&self) -> FloatSort {
        self.sort
    }

    /// Whether there is no such value.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_none() && !self.nan
    }

    /// The value, if there is just one.
    pub fn single(&self) -> Option<Float> {
        match &self.numbers {
            None => self.nan.then(|| Float::nan(self.sort)),
            Some((least, greatest)) => (!self.nan && least == greatest).then(|| least.clone()),
        }
    }

    /// Whether the value can be NaN.
    pub fn has_nan(&self) -> bool {
        self.nan
    }

    /// The least and the greatest number, if there is one.
    pub fn ends(&self) -> Option<(&Float, &Float)> {
        self.numbers.as_ref().map(|(least, greatest)| (least, greatest))
    }

    /// Whether `value` is one of them.
    pub fn contains(&self, value: &Float) -> bool {
        match (place(value), &self.numbers) {
            (None, _) => self.nan,
            (Some(_), None) => false,
            (value, Some((least, greatest))) => place(least) <= value && value <= place(greatest),
        }
    }

    /// The least range with the values of both.
    #[must_use]
    pub fn or(&self, other: &FloatRange) -> FloatRange {
        let numbers = match (&self.numbers, &other.numbers) {
            (Some((least, greatest)), Some((other_least, other_greatest))) => {
                Some((lower(least, other_least), higher(greatest, other_greatest)))
            }
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        FloatRange { sort: self.sort, numbers, nan: self.nan || other.nan }
    }

    /// The values that both have.
    #[must_use]
    pub fn and(&self, other: &FloatRange) -> FloatRange {
        let numbers = match (&self.numbers, &other.numbers) {
            (Some((least, greatest)), Some((other_least, other_greatest))) => {
                let (least, greatest) = (higher(least, other_least), lower(greatest, other_greatest));
                (place(&least) <= place(&greatest)).then_some((least, greatest))
            }
            _ => None,
        };
        FloatRange { sort: self.sort, numbers, nan: self.nan && other.nan }
    }

    /// The same without NaN.
    #[must_use]
    pub fn without_nan(&self) -> FloatRange {
        FloatRange { nan: false, ..self.clone() }
    }

    /// The numbers that are at most the greatest of these, as numbers: both zeros if that is a zero.
    pub fn up_to(&self) -> FloatRange {
        let ends = self.numbers.as_ref();
        let numbers = ends.map(|(_, greatest)| {
            (Float::infinity(self.sort, FloatSign::Negative), upper_zero(greatest.clone()))
        });
        FloatRange { sort: self.sort, numbers, nan: false }
    }

    /// The numbers that are at least the least of these, as numbers: both zeros if that is a zero.
    pub fn from_here(&self) -> FloatRange {
        let ends = self.numbers.as_ref();
        let numbers = ends
            .map(|(least, _)| (lower_zero(least.clone()), Float::infinity(self.sort, FloatSign::Positive)));
        FloatRange { sort: self.sort, numbers, nan: false }
    }

    /// The numbers that equal one of these: a zero stands for both.
    #[must_use]
    pub fn equals(&self) -> FloatRange {
        self.up_to().and(&self.from_here())
    }

    /// Whether a zero is among them.
    pub fn has_zero(&self) -> bool {
        self.numbers
            .as_ref()
            .is_some_and(|(least, greatest)| number(least) <= zero() && zero() <= number(greatest))
    }

    /// Whether an infinity of this sign is among them.
    fn has_infinity(&self, sign: FloatSign) -> bool {
        let infinity = Float::infinity(self.sort, sign);
        self.numbers.as_ref().is_some_and(|(least, greatest)| *least == infinity || *greatest == infinity)
    }

    /// Whether an infinity is among them.
    pub fn is_unbounded(&self) -> bool {
        self.has_infinity(FloatSign::Negative) || self.has_infinity(FloatSign::Positive)
    }

    /// How many numbers there are, less one.
    pub fn width(&self) -> BigInt {
        match &self.numbers {
            None => BigInt::zero(),
            Some((least, greatest)) => ordinal(greatest) - ordinal(least),
        }
    }

    /// Two ranges that together contain the values of this one, unless it has at most one value. NaN is split off first, then the
    /// negative numbers; numbers of one sign are split at the middle of their logarithms.
    pub fn split(&self) -> Option<(FloatRange, FloatRange)> {
        let (least, greatest) = self.numbers.as_ref()?;
        if self.nan {
            return Some((self.without_nan(), FloatRange { numbers: None, ..self.clone() }));
        }
        let (low, high) = (ordinal(least), ordinal(greatest));
        if low == high {
            return None;
        }
        let middle = if low < zero() && high >= zero() { -BigInt::one() } else { half(&(&low + &high)) };
        let part = |from: &BigInt, to: &BigInt| {
            FloatRange::between(Float::with_ordinal(self.sort, from), Float::with_ordinal(self.sort, to))
        };
        Some((part(&low, &middle), part(&(&middle + BigInt::one()), &high)))
    }

    /// A value in the middle.
    pub fn middle(&self) -> Option<Float> {
        match &self.numbers {
            None => self.nan.then(|| Float::nan(self.sort)),
            Some((least, greatest)) => {
                let middle = half(&(ordinal(least) + ordinal(greatest)));
                Some(Float::with_ordinal(self.sort, &middle))
            }
        }
    }

    /// The image under an increasing function that maps numbers to numbers of the format `sort` and NaN to NaN.
    #[must_use]
    pub fn increasing(&self, sort: FloatSort, function: impl Fn(&Float) -> Float) -> FloatRange {
        match &self.numbers {
            None => FloatRange { sort, numbers: None, nan: self.nan },
            Some((least, greatest)) => hull(sort, [function(least), function(greatest)], self.nan),
        }
    }

    /// The same values with the other sign.
    #[must_use]
    pub fn negated(&self, negate: impl Fn(&Float) -> Float) -> FloatRange {
        let numbers = self.numbers.as_ref().map(|(least, greatest)| (negate(greatest), negate(least)));
        FloatRange { numbers, ..self.clone() }
    }

    /// The same values without their sign.
    #[must_use]
    pub fn absolute(&self, negate: impl Fn(&Float) -> Float) -> FloatRange {
        let of = |sign| FloatRange { nan: self.nan, ..half_line(self.sort, sign) };
        self.and(&of(FloatSign::Positive)).or(&self.and(&of(FloatSign::Negative)).negated(negate))
    }

    /// The square roots.
    #[must_use]
    pub fn roots(&self, root: impl Fn(&Float) -> Float) -> FloatRange {
        let from_zero = FloatRange::between(
            Float::zero(self.sort, FloatSign::Negative),
            Float::infinity(self.sort, FloatSign::Positive),
        );
        let negative = self.numbers.as_ref().is_some_and(|(least, _)| number(least) < zero());
        let roots = self.and(&from_zero).increasing(self.sort, root);
        FloatRange { nan: self.nan || negative, ..roots }
    }

    /// The sums of pairs, or the results of any function that increases in both arguments.
    #[must_use]
    pub fn sums(&self, other: &FloatRange, add: impl Fn(&Float, &Float) -> Float) -> FloatRange {
        let opposite = (self.has_infinity(FloatSign::Positive) && other.has_infinity(FloatSign::Negative))
            || (self.has_infinity(FloatSign::Negative) && other.has_infinity(FloatSign::Positive));
        let Some(((least, greatest), (other_least, other_greatest))) = self.both(other) else {
            return FloatRange { sort: self.sort, numbers: None, nan: self.nan || other.nan };
        };
        let ends = [add(least, other_least), add(greatest, other_greatest)];
        hull(self.sort, ends, self.nan || other.nan || opposite)
    }

    /// The products.
    #[must_use]
    pub fn products(&self, other: &FloatRange, multiply: impl Fn(&Float, &Float) -> Float) -> FloatRange {
        let undefined =
            (self.has_zero() && other.is_unbounded()) || (self.is_unbounded() && other.has_zero());
        self.corners(other, undefined, multiply)
    }

    /// The quotients.
    #[must_use]
    pub fn quotients(&self, divisor: &FloatRange, divide: impl Fn(&Float, &Float) -> Float) -> FloatRange {
        if divisor.has_zero() {
            return FloatRange::all(self.sort);
        }
        self.corners(divisor, self.is_unbounded() && divisor.is_unbounded(), divide)
    }

    /// The smaller or the larger ones of pairs, where a number is preferred to NaN.
    #[must_use]
    pub fn choices(&self, other: &FloatRange, choose: impl Fn(&Float, &Float) -> Float) -> FloatRange {
        let mut chosen = match self.both(other) {
            Some(((least, greatest), (other_least, other_greatest))) => {
                hull(self.sort, [choose(least, other_least), choose(greatest, other_greatest)], false)
            }
            None => FloatRange { sort: self.sort, numbers: None, nan: false },
        };
        if self.nan {
            chosen = chosen.or(&other.without_nan());
        }
        if other.nan {
            chosen = chosen.or(&self.without_nan());
        }
        FloatRange { nan: self.nan && other.nan, ..chosen }
    }

    /// The results of a function that is monotone in each argument, increasing or not.
    fn corners(
        &self,
        other: &FloatRange,
        undefined: bool,
        function: impl Fn(&Float, &Float) -> Float,
    ) -> FloatRange {
        let nan = self.nan || other.nan || undefined;
        let Some(((least, greatest), (other_least, other_greatest))) = self.both(other) else {
            return FloatRange { sort: self.sort, numbers: None, nan };
        };
        let corners = [
            function(least, other_least),
            function(least, other_greatest),
            function(greatest, other_least),
            function(greatest, other_greatest),
        ];
        hull(self.sort, corners, nan)
    }

    /// The ends of both, if both have numbers.
    #[expect(clippy::type_complexity, reason = "it is taken apart where it is used")]
    fn both<'r>(&'r self, other: &'r FloatRange) -> Option<(&'r (Float, Float), &'r (Float, Float))> {
        Some((self.numbers.as_ref()?, other.numbers.as_ref()?))
    }

    /// Whether the numbers of this range are less than those of `other`; `None` if that depends on the numbers. NaN is
    /// not less than anything.
    pub fn less(&self, other: &FloatRange) -> Option<bool> {
        self.compare(other, |left, right| left < right)
    }

    /// Whether the numbers of this range are at most those of `other`, in the same way.
    pub fn at_most(&self, other: &FloatRange) -> Option<bool> {
        self.compare(other, |left, right| left <= right)
    }

    fn compare(&self, other: &FloatRange, holds: impl Fn(BigInt, BigInt) -> bool) -> Option<bool> {
        let Some(((least, greatest), (other_least, other_greatest))) = self.both(other) else {
            return Some(false);
        };
        if !holds(number(least), number(other_greatest)) {
            return Some(false);
        }
        let always = !self.nan && !other.nan && holds(number(greatest), number(other_least));
        always.then_some(true)
    }

    /// Whether the values of this range equal those of `other` as numbers, in the same way.
    pub fn equal(&self, other: &FloatRange) -> Option<bool> {
        if self.equals().and(&other.equals()).is_empty() {
            return Some(false);
        }
        let is_one = |range: &FloatRange| {
            !range.nan && range.ends().is_some_and(|(low, high)| number(low) == number(high))
        };
        (is_one(self) && is_one(other)).then_some(true)
    }

    /// Whether the values of this range are identical to those of `other`, in the same way.
    pub fn same(&self, other: &FloatRange) -> Option<bool> {
        if self.and(other).is_empty() {
            return Some(false);
        }
        (self.single().is_some() && self.single() == other.single()).then_some(true)
    }

    /// Whether the values satisfy a test that is known for every value of `yes` and for no other value.
    pub fn is_within(&self, yes: &FloatRange) -> Option<bool> {
        let common = self.and(yes);
        if common.is_empty() {
            return Some(false);
        }
        (common == *self).then_some(true)
    }
}

/// All numbers with a sign, the infinity and the zero too.
pub fn half_line(sort: FloatSort, sign: FloatSign) -> FloatRange {
    let ends = (Float::zero(sort, sign), Float::infinity(sort, sign));
    let (least, greatest) = if sign == FloatSign::Negative { (ends.1, ends.0) } else { ends };
    FloatRange::between(least, greatest)
}

/// The least range with these values, in which a zero at an end stands for both. If one is NaN, they say nothing.
fn hull<const N: usize>(sort: FloatSort, values: [Float; N], nan: bool) -> FloatRange {
    if values.iter().any(Float::is_nan) {
        return FloatRange::all(sort);
    }
    let [first, others @ ..] = &values[..] else { return FloatRange::all(sort) };
    let (mut least, mut greatest) = (first.clone(), first.clone());
    for value in others {
        least = lower(&least, value);
        greatest = higher(&greatest, value);
    }
    FloatRange { sort, numbers: Some((lower_zero(least), upper_zero(greatest))), nan }
}

fn lower_zero(value: Float) -> Float {
    if number(&value).is_zero() { Float::zero(value.sort(), FloatSign::Negative) } else { value }
}

fn upper_zero(value: Float) -> Float {
    if number(&value).is_zero() { Float::zero(value.sort(), FloatSign::Positive) } else { value }
}

fn lower(left: &Float, right: &Float) -> Float {
    if place(left) <= place(right) { left.clone() } else { right.clone() }
}

fn higher(left: &Float, right: &Float) -> Float {
    if place(left) >= place(right) { left.clone() } else { right.clone() }
}

/// The place of a number in the order; none for NaN.
fn place(value: &Float) -> Option<BigInt> {
    value.ordinal()
}

/// The same for what is known to be a number.
fn ordinal(value: &Float) -> BigInt {
    value.ordinal().expect("an end of a range should be a number")
}

/// Ordered as numbers are, with equal zeros.
fn number(value: &Float) -> BigInt {
    let ordinal = ordinal(value);
    if ordinal < zero() { ordinal + BigInt::one() } else { ordinal }
}

fn zero() -> BigInt {
    BigInt::zero()
}

/// Rounded downwards.
fn half(sum: &BigInt) -> BigInt {
    sum >> 1u32
}
