//! Rounding: from an exact number to the nearest values of a format.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{Dyadic, Float, FloatSign, FloatSort, RoundingMode};

/// What was cut off below the last place of a result.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// Whether it is at least half of the last place.
    half: bool,
    /// Whether it is neither zero nor exactly half.
    rest: bool,
}

impl Cut {
    /// Whether a result whose magnitude was cut has to be one larger.
    fn rounds_up(self, mode: RoundingMode, negative: bool, is_odd: bool) -> bool {
        let inexact = self.half || self.rest;
        match mode {
            RoundingMode::NearestEven => self.half && (self.rest || is_odd),
            RoundingMode::NearestAway => self.half,
            RoundingMode::TowardPositive => !negative && inexact,
            RoundingMode::TowardNegative => negative && inexact,
            RoundingMode::TowardZero => false,
        }
    }
}

/// Cuts the `places` lowest bits off. `sticky` says that the number is a little more than `magnitude`.
fn cut(magnitude: &BigUint, places: i64, sticky: bool) -> (BigUint, Cut) {
    let Some(places) = u64::try_from(places).ok().filter(|places| *places > 0) else {
        return (magnitude << places.unsigned_abs(), Cut { half: false, rest: sticky });
    };
    if places > magnitude.bits() {
        // Less than half; shifting by huge amounts is avoided.
        return (BigUint::zero(), Cut { half: false, rest: sticky || !magnitude.is_zero() });
    }
    let below_half = magnitude.trailing_zeros().is_some_and(|zeros| zeros < places - 1);
    (magnitude >> places, Cut { half: magnitude.bit(places - 1), rest: sticky || below_half })
}

/// The value of a format that `number` is rounded to. If `sticky` is set, the magnitude of the exact number is
/// greater than that of `number`, by less than one unit of its last place; `number` then has to have at least two
/// bits more than the format.
pub(super) fn round(sort: FloatSort, mode: RoundingMode, number: &Dyadic, sticky: bool) -> Float {
    let Dyadic { negative, magnitude, exponent } = number;
    if magnitude.is_zero() && !sticky {
        return Float::zero(sort, FloatSign::of(*negative));
    }
    let fraction_bits = i64::from(sort.fraction_bits());
    let leading = exponent + magnitude.bits() as i64 - 1;
    let last_place = leading.max(sort.min_exponent()) - fraction_bits;
    let (mut kept, cut) = cut(magnitude, last_place - exponent, sticky);
    if cut.rounds_up(mode, *negative, kept.bit(0)) {
        kept += BigUint::one();
    }
    finish(sort, mode, *negative, kept, last_place)
}

/// Packs `kept * 2^last_place`, where `kept` has at most one bit more than the significand.
fn finish(sort: FloatSort, mode: RoundingMode, negative: bool, kept: BigUint, last_place: i64) -> Float {
    let fraction_bits = sort.fraction_bits();
    let (kept, last_place) = match kept.bits() > u64::from(sort.significand_bits()) {
        true => (kept >> 1u32, last_place + 1),
        false => (kept, last_place),
    };
    let hidden = BigUint::one() << fraction_bits;
    if kept < hidden {
        return Float::pack(sort, negative, 0, kept);
    }
    let exponent = last_place + i64::from(fraction_bits);
    if exponent > sort.max_exponent() {
        return overflow(sort, mode, negative);
    }
    Float::pack(sort, negative, (exponent + sort.max_exponent()) as u64, kept - hidden)
}

fn overflow(sort: FloatSort, mode: RoundingMode, negative: bool) -> Float {
    let to_infinity = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity { Float::infinity(sort, FloatSign::of(negative)) } else { Float::greatest(sort, negative) }
}

/// The magnitude of the integer that `number` is rounded to.
pub(super) fn round_to_integer(mode: RoundingMode, number: &Dyadic) -> BigUint {
    let (mut kept, cut) = cut(&number.magnitude, -number.exponent, false);
    if cut.rounds_up(mode, number.negative, kept.bit(0)) {
        kept += BigUint::one();
    }
    kept
}
