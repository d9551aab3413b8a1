//! Floating-point values of any format, exactly as IEEE 754 and SMT-LIB define them.
//!
//! A value is kept as the bits of its interchange format, with one NaN only, so that equal values are equal Rust
//! values. Operations unpack it to an exact dyadic number, compute exactly (or with a sticky bit that records a
//! remainder), and round once: [`round`](self::round) is the only place where precision is lost.
//!
//! Where SMT-LIB leaves a result open, ours is fixed, and the solver-facing printer says so: the minimum of -0 and +0
//! is -0 and the maximum is +0, whatever their order; NaN, the infinities and values that do not fit become 0 when
//! converted to a bit-vector or a rational.
//!
//! Publications: IEEE 754-2019; Brain, Tinelli, Rümmer, Wahl: An Automatable Formal Semantics for IEEE-754
//! Floating-Point Arithmetic (ARITH 2015).

mod arith;
mod convert;
mod round;

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

use crate::BitVec;
pub use convert::IntegerRange;

/// A floating-point format: the numbers of bits of the exponent and of the significand, hidden bit included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatSort {
    exponent: u8,
    significand: u16,
}

/// How a result that is not a value of the format is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundingMode {
    /// To the nearest, on a tie to the even one.
    NearestEven,
    /// To the nearest, on a tie away from zero.
    NearestAway,
    /// Upwards.
    TowardPositive,
    /// Downwards.
    TowardNegative,
    /// Towards zero.
    TowardZero,
}

/// A floating-point value. Invariant: if it is NaN, it is the one with positive sign and only the highest fraction
/// bit set.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    sort: FloatSort,
    bits: BigUint,
}

/// What kind of value a float is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite,
    /// A zero.
    Zero,
    /// Less in magnitude than every normal number.
    Subnormal,
    /// Any other number.
    Normal,
}

/// The sign that every float but NaN has, also zeros and infinities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSign {
    /// Of positive numbers.
    Positive,
    /// Of negative numbers.
    Negative,
}

impl FloatSign {
    fn of(negative: bool) -> FloatSign {
        if negative { FloatSign::Negative } else { FloatSign::Positive }
    }
}

/// An exact number: `magnitude * 2^exponent`, negative or not.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(crate) negative: bool,
    pub(crate) magnitude: BigUint,
    pub(crate) exponent: i64,
}

impl RoundingMode {
    /// All modes.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];

    /// The short name of SMT-LIB and `.cfa`.
    pub fn name(self) -> &'static str {
        match self {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    /// The mode with a short or long name of SMT-LIB.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        let long = match name {
            "roundNearestTiesToEven" => "RNE",
            "roundNearestTiesToAway" => "RNA",
            "roundTowardPositive" => "RTP",
            "roundTowardNegative" => "RTN",
            "roundTowardZero" => "RTZ",
            short => short,
        };
        RoundingMode::ALL.into_iter().find(|mode| mode.name() == long)
    }
}

impl FloatSort {
    /// The format with these numbers of bits. None if they are not supported: 2 to 20 bits of exponent, 2 to 65535
    /// of significand.
    pub fn new(exponent: u32, significand: u32) -> Option<FloatSort> {
        let exponent = u8::try_from(exponent).ok().filter(|bits| (2..=20).contains(bits))?;
        let significand = u16::try_from(significand).ok().filter(|bits| *bits >= 2)?;
        Some(FloatSort { exponent, significand })
    }

    /// Bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        u32::from(self.exponent)
    }

    /// Bits of the significand, with the hidden one.
    pub fn significand_bits(self) -> u32 {
        u32::from(self.significand)
    }

    /// Bits of the interchange format.
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.significand_bits()
    }

    fn fraction_bits(self) -> u32 {
        self.significand_bits() - 1
    }

    /// The largest exponent of a finite number `1.f * 2^e`; also the bias.
    pub(crate) fn max_exponent(self) -> i64 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    fn min_exponent(self) -> i64 {
        1 - self.max_exponent()
    }

    fn exponent_mask(self) -> u64 {
        (1 << self.exponent_bits()) - 1
    }
}

impl Float {
    /// The value with the given bits in the interchange format; `bits` has the width of the format.
    ///
    /// # Panics
    /// If it does not.
    pub fn from_bits(sort: FloatSort, bits: &BitVec) -> Float {
        assert_eq!(bits.width(), sort.width(), "the bits of a float should have its width");
        let value = Float { sort, bits: bits.unsigned().clone() };
        if value.is_nan() { Float::nan(sort) } else { value }
    }

    /// Not a number.
    pub fn nan(sort: FloatSort) -> Float {
        let quiet = BigUint::one() << (sort.fraction_bits() - 1);
        Float::pack(sort, false, sort.exponent_mask(), quiet)
    }

    /// An infinity.
    pub fn infinity(sort: FloatSort, sign: FloatSign) -> Float {
        Float::pack(sort, sign == FloatSign::Negative, sort.exponent_mask(), BigUint::zero())
    }

    /// A zero.
    pub fn zero(sort: FloatSort, sign: FloatSign) -> Float {
        Float::pack(sort, sign == FloatSign::Negative, 0, BigUint::zero())
    }

    fn greatest(sort: FloatSort, negative: bool) -> Float {
        let fraction = (BigUint::one() << sort.fraction_bits()) - BigUint::one();
        Float::pack(sort, negative, sort.exponent_mask() - 1, fraction)
    }

    fn pack(sort: FloatSort, negative: bool, exponent: u64, fraction: BigUint) -> Float {
        let sign = BigUint::from(u8::from(negative)) << (sort.width() - 1);
        Float { sort, bits: sign | (BigUint::from(exponent) << sort.fraction_bits()) | fraction }
    }

    /// The format.
    pub fn sort(&self) -> FloatSort {
        self.sort
    }

    /// The bits in the interchange format.
    pub fn to_bits(&self) -> BitVec {
        BitVec::new(self.sort.width(), self.bits.clone())
    }

    /// The sign, exponent and fraction bits.
    pub fn fields(&self) -> (BitVec, BitVec, BitVec) {
        let (exponent, fraction) = (self.sort.exponent_bits(), self.sort.fraction_bits());
        let bits = self.to_bits();
        (bits.extract(exponent + fraction, 1), bits.extract(fraction, exponent), bits.extract(0, fraction))
    }

    /// What kind of value this is.
    pub fn class(&self) -> FloatClass {
        let fraction_is_zero = self.fraction().is_zero();
        match self.exponent_field() {
            0 if fraction_is_zero => FloatClass::Zero,
            0 => FloatClass::Subnormal,
            field if field == self.sort.exponent_mask() && fraction_is_zero => FloatClass::Infinite,
            field if field == self.sort.exponent_mask() => FloatClass::Nan,
            _ => FloatClass::Normal,
        }
    }

    /// Whether this is not a number.
    pub fn is_nan(&self) -> bool {
        self.class() == FloatClass::Nan
    }

    /// Whether the sign bit is set; never for NaN.
    pub fn is_negative(&self) -> bool {
        self.bits.bit(u64::from(self.sort.width()) - 1)
    }

    fn is_zero(&self) -> bool {
        self.class() == FloatClass::Zero
    }

    fn is_infinite(&self) -> bool {
        self.class() == FloatClass::Infinite
    }

    fn exponent_field(&self) -> u64 {
        let field = (&self.bits >> self.sort.fraction_bits()) & BigUint::from(self.sort.exponent_mask());
        field.iter_u64_digits().next().unwrap_or(0)
    }

    fn fraction(&self) -> BigUint {
        &self.bits & ((BigUint::one() << self.sort.fraction_bits()) - BigUint::one())
    }

    /// The exact number, if this is finite.
    pub(crate) fn dyadic(&self) -> Option<Dyadic> {
        let lowest = self.sort.min_exponent() - i64::from(self.sort.fraction_bits());
        let negative = self.is_negative();
        match self.class() {
            FloatClass::Nan | FloatClass::Infinite => None,
            FloatClass::Zero | FloatClass::Subnormal => {
                Some(Dyadic { negative, magnitude: self.fraction(), exponent: lowest })
            }
            FloatClass::Normal => {
                let hidden = BigUint::one() << self.sort.fraction_bits();
                let exponent = lowest + self.exponent_field() as i64 - 1;
                Some(Dyadic { negative, magnitude: self.fraction() | hidden, exponent })
            }
        }
    }

    /// The order of numbers, in which the zeros are equal; none if one is NaN.
    pub(crate) fn compare(&self, other: &Float) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        Some(self.rank().cmp(&other.rank()))
    }

    /// The place of a number in the order of all numbers of the format, in which −0 is right below +0, which has 0; none for NaN.
    pub fn ordinal(&self) -> Option<BigInt> {
        let rank = self.rank();
        let is_negative = self.is_negative();
        (!self.is_nan()).then(|| if is_negative { rank - BigInt::one() } else { rank })
    }

    /// The number at a place in the order, which must be the place of a number of the format.
    pub fn with_ordinal(sort: FloatSort, ordinal: &BigInt) -> Float {
        let negative = ordinal.is_negative();
        let magnitude = if negative { -(ordinal + BigInt::one()) } else { ordinal.clone() };
        let sign = BigUint::from(u8::from(negative)) << (sort.width() - 1);
        Float { sort, bits: sign | magnitude.magnitude() }
    }

    /// Bits read as sign and magnitude: ordered as the numbers are.
    fn rank(&self) -> BigInt {
        let magnitude = &self.bits & ((BigUint::one() << (self.sort.width() - 1)) - BigUint::one());
        if self.is_negative() { -BigInt::from(magnitude) } else { BigInt::from(magnitude) }
    }
}

/// `+8'b01111111.23'b00000000000000000000000`: sign, exponent and fraction bits, as the `.cfa` language writes it.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, exponent, fraction) = self.fields();
        let sign = if self.is_negative() { '-' } else { '+' };
        write!(f, "{sign}{}'b{}", exponent.width(), exponent.binary())?;
        write!(f, ".{}'b{}", fraction.width(), fraction.binary())
    }
}
