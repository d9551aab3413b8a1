//! Arithmetic on numbers of any size that stops when the run must stop.
//!
//! A program that squares a number in a loop doubles its size with each step; a product of two such numbers soon takes minutes. So
//! operations on large numbers are made of operations on parts that take less than a millisecond each, with a check of [the limits
//! of the run](thetis_base::heed) between them: products by Karatsuba's method, quotients digit by digit to a large base, decimal
//! text by halves. Numbers of ordinary size are computed directly.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Pow, Signed, Zero};
use thetis_base::heed;

use crate::Rational;

/// Numbers of at most this many bits are treated as a whole.
const PART: u64 = 1 << 17;

/// How many bits of work one division may be: the bits of the quotient times those of the divisor.
const WORK: u64 = 1 << 33;

/// How many bits are worked on between two looks at the limits.
const WORK_OF_STEPS: u64 = 1 << 24;

/// At most this many decimal digits are read or written as a whole.
const DIGITS: usize = 30_000;

/// `left * right`.
pub(crate) fn mul(left: &BigInt, right: &BigInt) -> BigInt {
    let sign = if left.is_negative() == right.is_negative() { Sign::Plus } else { Sign::Minus };
    BigInt::from_biguint(sign, product(left.magnitude(), right.magnitude()))
}

/// The product of two magnitudes.
pub(crate) fn product(left: &BigUint, right: &BigUint) -> BigUint {
    if left.bits().max(right.bits()) <= PART { left * right } else { product_of_parts(left, right) }
}

fn product_of_parts(left: &BigUint, right: &BigUint) -> BigUint {
    heed();
    let bits = left.bits().max(right.bits());
    let half = bits.div_ceil(2);
    let ((left_high, left_low), (right_high, right_low)) = (split(left, half), split(right, half));
    if left_high.is_zero() || right_high.is_zero() {
        let (short, high, low) = match left_high.is_zero() {
            true => (left, right_high, right_low),
            false => (right, left_high, left_low),
        };
        return (product(short, &high) << half) + product(short, &low);
    }
    let (high, low) = (product(&left_high, &right_high), product(&left_low, &right_low));
    let middle = product(&(left_high + left_low), &(right_high + right_low)) - &high - &low;
    (high << (2 * half)) + (middle << half) + low
}

/// The bits of `number` from the bit `at` upwards, and those below.
fn split(number: &BigUint, at: u64) -> (BigUint, BigUint) {
    let high = number >> at;
    let low = number - (&high << at);
    (high, low)
}

/// Quotient and remainder of magnitudes; the divisor is not zero.
pub(crate) fn div_rem(dividend: &BigUint, divisor: &BigUint) -> (BigUint, BigUint) {
    let quotient_bits = dividend.bits().saturating_sub(divisor.bits());
    if quotient_bits.saturating_mul(divisor.bits()) <= WORK {
        return dividend.div_rem(divisor);
    }
    // The digits of the base `2^(32 * length)`, from the highest one on.
    let length = (WORK / divisor.bits() / 32).max(1) as usize;
    let digits = dividend.to_u32_digits();
    let (mut quotient, mut remainder) = (vec![0; digits.len()], BigUint::zero());
    for start in (0..digits.len()).step_by(length).rev() {
        heed();
        let end = (start + length).min(digits.len());
        let digit = BigUint::new(digits[start..end].to_vec());
        let (part, rest) = ((remainder << (32 * (end - start))) + digit).div_rem(divisor);
        for (place, bits) in quotient[start..end].iter_mut().zip(part.to_u32_digits()) {
            *place = bits;
        }
        remainder = rest;
    }
    (BigUint::new(quotient), remainder)
}

/// Quotient and remainder with `0 <= remainder < |divisor|`; `(0, dividend)` for divisor zero.
pub(crate) fn euclidean(dividend: &BigInt, divisor: &BigInt) -> (BigInt, BigInt) {
    if divisor.is_zero() {
        return (BigInt::zero(), dividend.clone());
    }
    let (mut quotient, mut remainder) = div_rem(dividend.magnitude(), divisor.magnitude());
    if dividend.is_negative() && !remainder.is_zero() {
        quotient += BigUint::one();
        remainder = divisor.magnitude() - remainder;
    }
    let sign = if dividend.is_negative() == divisor.is_negative() { Sign::Plus } else { Sign::Minus };
    (BigInt::from_biguint(sign, quotient), BigInt::from(remainder))
}

/// The lowest `width` bits of `number` in two's complement.
pub(crate) fn modulo_power(number: &BigInt, width: u32) -> BigUint {
    let modulus = BigUint::one() << width;
    let low = match number.bits() <= u64::from(width) {
        true => number.magnitude().clone(),
        false => number.magnitude() & (&modulus - BigUint::one()),
    };
    if number.is_negative() && !low.is_zero() { modulus - low } else { low }
}

/// The product of two rationals.
pub(crate) fn mul_real(left: &Rational, right: &Rational) -> Rational {
    if is_plain(left) && is_plain(right) {
        return left * right;
    }
    reduced(mul(left.numer(), right.numer()), mul(left.denom(), right.denom()))
}

/// The sum of two rationals.
pub(crate) fn add_real(left: &Rational, right: &Rational) -> Rational {
    if is_plain(left) && is_plain(right) {
        return left + right;
    }
    let numerator = mul(left.numer(), right.denom()) + mul(right.numer(), left.denom());
    reduced(numerator, mul(left.denom(), right.denom()))
}

/// The quotient of two rationals; zero if the divisor is.
pub(crate) fn div_real(left: &Rational, right: &Rational) -> Rational {
    if right.is_zero() {
        return Rational::zero();
    }
    mul_real(left, &right.recip())
}

/// Whether operations of the library on `number` are quick enough. Greatest common divisors take quadratic time.
fn is_plain(number: &Rational) -> bool {
    const PLAIN: u64 = 1 << 14;
    number.numer().bits().max(number.denom().bits()) <= PLAIN
}

/// A fraction with a positive denominator in lowest terms.
pub(crate) fn reduced(numerator: BigInt, denominator: BigInt) -> Rational {
    if numerator.is_zero() {
        return Rational::zero();
    }
    let common = common_divisor(numerator.magnitude(), denominator.magnitude());
    let divided =
        |number: &BigInt| BigInt::from_biguint(number.sign(), div_rem(number.magnitude(), &common).0);
    Rational::new_raw(divided(&numerator), divided(&denominator))
}

/// The greatest common divisor of two positive numbers, by subtraction and halving (Stein).
fn common_divisor(left: &BigUint, right: &BigUint) -> BigUint {
    let zeros = |number: &BigUint| number.trailing_zeros().unwrap_or(0);
    let (left_zeros, right_zeros) = (zeros(left), zeros(right));
    let (mut large, mut small) = (left >> left_zeros, right >> right_zeros);
    let mut work = 0;
    while large != small {
        work += large.bits();
        if work > WORK_OF_STEPS {
            work = 0;
            heed();
        }
        if large < small {
            std::mem::swap(&mut large, &mut small);
        }
        large -= &small;
        large >>= zeros(&large);
    }
    small << left_zeros.min(right_zeros)
}

/// The number with these decimal digits, without a sign.
pub fn from_decimal(digits: &str) -> Option<BigInt> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| BigInt::from(read(digits.as_bytes())))
}

/// The number of decimal digits, which may be none.
fn read(digits: &[u8]) -> BigUint {
    if digits.len() <= DIGITS {
        return BigUint::parse_bytes(digits, 10).unwrap_or_default();
    }
    heed();
    let (high, low) = digits.split_at(digits.len() / 2);
    product(&read(high), &power_of_ten(low.len())) + read(low)
}

pub(crate) fn power_of_ten(exponent: usize) -> BigUint {
    if exponent <= DIGITS {
        return BigUint::from(10u32).pow(exponent);
    }
    let half = power_of_ten(exponent / 2);
    let square = product(&half, &half);
    if exponent.is_multiple_of(2) { square } else { square * 10u32 }
}

/// The decimal digits of a number, with its sign.
pub fn to_decimal(number: &BigInt) -> String {
    /// Numbers of at most this many bits have at most `DIGITS` digits.
    const BITS: u64 = DIGITS as u64 * 3;
    if number.bits() <= BITS {
        return number.to_string();
    }
    let mut text = String::new();
    if number.is_negative() {
        text.push('-');
    }
    // The parts that are to be written, each with its least number of digits; the last one comes first.
    let mut pending = vec![(number.magnitude().clone(), 0)];
    while let Some((part, width)) = pending.pop() {
        heed();
        if part.bits() <= BITS {
            text.push_str(&format!("{:0>width$}", part.to_string()));
            continue;
        }
        // A bit is a little more than three tenths of a digit, so both halves have digits.
        let low = (part.bits() / 2) as usize * 3 / 10;
        let (high, rest) = div_rem(&part, &power_of_ten(low));
        pending.push((rest, low));
        pending.push((high, width.saturating_sub(low)));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use thetis_base::{Budget, Run, Stop};

    use super::*;

    /// A number of about this many bits without a pattern.
    fn number(bits: u64, seed: u32) -> BigUint {
        let mut state = seed;
        let mut digits = Vec::new();
        for _ in 0..bits / 32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            digits.push(state | 1);
        }
        BigUint::new(digits)
    }

    #[test]
    fn operations_on_parts_agree_with_those_of_the_library() {
        for (left, right) in [(PART * 3, PART * 3 + 64), (PART * 5, PART / 7), (64, PART * 2)] {
            let (left, right) = (number(left, 1), number(right, 2));
            assert_eq!(product(&left, &right), &left * &right);
            assert_eq!(product(&right, &left), &left * &right);
        }
        let (dividend, divisor) = (number(PART * 4, 3), number(PART * 2 - 96, 4));
        assert!((dividend.bits() - divisor.bits()) * divisor.bits() > WORK);
        let (quotient, remainder) = div_rem(&dividend, &divisor);
        assert!(remainder < divisor);
        assert_eq!(product(&quotient, &divisor) + remainder, dividend);
    }

    #[test]
    fn division_is_euclidean_for_all_signs() {
        for dividend in -20..=20 {
            for divisor in (-7..=7).filter(|divisor| *divisor != 0) {
                let (quotient, remainder) = euclidean(&dividend.into(), &divisor.into());
                let expected = (i32::div_euclid(dividend, divisor), i32::rem_euclid(dividend, divisor));
                assert_eq!(
                    (quotient, remainder),
                    (expected.0.into(), expected.1.into()),
                    "{dividend} {divisor}"
                );
            }
        }
    }

    #[test]
    fn powers_of_two_are_moduli() {
        for number in -40i64..=40 {
            assert_eq!(modulo_power(&number.into(), 4), BigUint::from(number.rem_euclid(16) as u64));
        }
    }

    #[test]
    fn rationals_stay_in_lowest_terms() {
        let common = number(1 << 15, 5);
        let fraction = |numerator: &BigUint, denominator: &BigUint| {
            Rational::new(BigInt::from(numerator.clone()), BigInt::from(denominator.clone()))
        };
        let (left, right) = (fraction(&number(1 << 15, 6), &common), fraction(&common, &number(1 << 15, 7)));
        for (found, expected) in [
            (mul_real(&left, &right), &left * &right),
            (add_real(&left, &right), &left + &right),
            (div_real(&left, &-&right), &left / -&right),
        ] {
            assert!(found == expected && *found.denom() == *expected.denom() && found.denom().is_positive());
        }
        assert!(add_real(&left, &-&left).is_zero() && div_real(&left, &Rational::zero()).is_zero());
    }

    #[test]
    fn decimal_text_comes_back() {
        let long = format!("12{}7", "0".repeat(3 * DIGITS));
        let number = from_decimal(&long).unwrap();
        assert_eq!(to_decimal(&number), long);
        assert_eq!(to_decimal(&-number), format!("-{long}"));
        let seven = "7".repeat(DIGITS + 1);
        assert_eq!(to_decimal(&from_decimal(&seven).unwrap()), seven);
        assert_eq!(from_decimal("007"), Some(7.into()));
        for text in ["", "-1", "1_0", "x"] {
            assert_eq!(from_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn every_operation_stops_with_its_run() {
        let run = Run::new(Budget { wall: Some(Duration::ZERO), ..Budget::default() });
        let (large, small) = (number(PART * 4, 8), number(PART * 2, 9));
        let integers = (BigInt::from(large.clone()), BigInt::from(small.clone()));
        let (left, right) = (Rational::from(integers.0.clone()), Rational::from(integers.1.clone()).recip());
        let is_stopped = |work: &dyn Fn()| matches!(run.enclose(work), Err(Stop::OutOfTime));
        assert!(is_stopped(&|| drop(mul(&integers.0, &integers.1))));
        assert!(is_stopped(&|| drop(euclidean(&integers.0, &integers.1))));
        assert!(is_stopped(&|| drop(mul_real(&left, &right))));
        assert!(is_stopped(&|| drop(to_decimal(&integers.0))));
        assert!(is_stopped(&|| drop(from_decimal(&"7".repeat(DIGITS * 2)))));
    }
}
