//! Bit-vector values with the operations of SMT-LIB's `FixedSizeBitVectors`.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

use crate::big::{div_rem, modulo_power, product};

/// A bit-vector of a positive width. Invariant: the bits above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitVec {
    width: u32,
    bits: BigUint,
}

impl BitVec {
    /// The lowest `width` bits of `number`.
    pub fn new(width: u32, number: impl Into<BigUint>) -> BitVec {
        assert!(width > 0, "a bit-vector should have a positive width");
        let bits = number.into();
        let bits = if bits.bits() <= u64::from(width) { bits } else { bits & mask(width) };
        BitVec { width, bits }
    }

    /// An integer modulo `2^width`.
    pub fn from_int(width: u32, number: &BigInt) -> BitVec {
        BitVec::new(width, modulo_power(number, width))
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value read as an unsigned number.
    pub fn unsigned(&self) -> &BigUint {
        &self.bits
    }

    /// The value read in two's complement.
    pub fn signed(&self) -> BigInt {
        let unsigned = BigInt::from(self.bits.clone());
        if self.is_negative() { unsigned - BigInt::from(BigUint::one() << self.width) } else { unsigned }
    }

    /// Whether the highest bit is set.
    pub fn is_negative(&self) -> bool {
        self.bits.bit(u64::from(self.width) - 1)
    }

    /// The binary digits, most significant first.
    pub fn binary(&self) -> String {
        format!("{:0>width$}", self.bits.to_str_radix(2), width = self.width as usize)
    }

    fn with(&self, bits: BigUint) -> BitVec {
        BitVec::new(self.width, bits)
    }

    fn with_int(&self, number: BigInt) -> BitVec {
        BitVec::from_int(self.width, &number)
    }

    pub(crate) fn not(&self) -> BitVec {
        self.with(&self.bits ^ mask(self.width))
    }

    pub(crate) fn neg(&self) -> BitVec {
        self.with_int(-BigInt::from(self.bits.clone()))
    }

    pub(crate) fn and(&self, other: &BitVec) -> BitVec {
        self.with(&self.bits & &other.bits)
    }

    pub(crate) fn or(&self, other: &BitVec) -> BitVec {
        self.with(&self.bits | &other.bits)
    }

    pub(crate) fn xor(&self, other: &BitVec) -> BitVec {
        self.with(&self.bits ^ &other.bits)
    }

    pub(crate) fn add(&self, other: &BitVec) -> BitVec {
        self.with(&self.bits + &other.bits)
    }

    pub(crate) fn sub(&self, other: &BitVec) -> BitVec {
        self.with_int(BigInt::from(self.bits.clone()) - BigInt::from(other.bits.clone()))
    }

    pub(crate) fn mul(&self, other: &BitVec) -> BitVec {
        self.with(product(&self.bits, &other.bits))
    }

    pub(crate) fn udiv(&self, other: &BitVec) -> BitVec {
        if other.bits.is_zero() {
            self.with(mask(self.width))
        } else {
            self.with(div_rem(&self.bits, &other.bits).0)
        }
    }

    pub(crate) fn urem(&self, other: &BitVec) -> BitVec {
        if other.bits.is_zero() { self.clone() } else { self.with(div_rem(&self.bits, &other.bits).1) }
    }

    /// Signed division as SMT-LIB defines it: on magnitudes, by `udiv`, so that a divisor of zero gives 1 or -1.
    pub(crate) fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    pub(crate) fn srem(&self, other: &BitVec) -> BitVec {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    pub(crate) fn smod(&self, other: &BitVec) -> BitVec {
        let remainder = self.srem(other);
        if remainder.bits.is_zero() || remainder.is_negative() == other.is_negative() {
            return remainder;
        }
        remainder.add(other)
    }

    fn magnitude(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub(crate) fn shl(&self, amount: &BitVec) -> BitVec {
        match amount.shift_below(self.width) {
            Some(amount) => self.with(&self.bits << amount),
            None => self.with(BigUint::zero()),
        }
    }

    pub(crate) fn lshr(&self, amount: &BitVec) -> BitVec {
        match amount.shift_below(self.width) {
            Some(amount) => self.with(&self.bits >> amount),
            None => self.with(BigUint::zero()),
        }
    }

    pub(crate) fn ashr(&self, amount: &BitVec) -> BitVec {
        let amount = amount.shift_below(self.width).unwrap_or(self.width);
        self.with_int(self.signed() >> amount)
    }

    fn shift_below(&self, width: u32) -> Option<u32> {
        self.bits.to_u32().filter(|amount| *amount < width)
    }

    pub(crate) fn compare_signed(&self, other: &BitVec) -> Ordering {
        self.signed().cmp(&other.signed())
    }

    pub(crate) fn concat(&self, low: &BitVec) -> BitVec {
        BitVec::new(self.width + low.width, (&self.bits << low.width) | &low.bits)
    }

    pub(crate) fn extract(&self, lowest: u32, width: u32) -> BitVec {
        BitVec::new(width, &self.bits >> lowest)
    }

    pub(crate) fn zero_extend(&self, width: u32) -> BitVec {
        BitVec::new(width, self.bits.clone())
    }

    pub(crate) fn sign_extend(&self, width: u32) -> BitVec {
        BitVec::from_int(width, &self.signed())
    }

    pub(crate) fn to_int(&self) -> BigInt {
        BigInt::from_biguint(Sign::Plus, self.bits.clone())
    }
}

fn mask(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

/// `8'd255`: width and unsigned decimal value, as the `.cfa` language writes it.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'d{}", self.width, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(number: i64) -> BitVec {
        BitVec::from_int(4, &BigInt::from(number))
    }

    /// Compares the signed results of an operation on 4-bit vectors with a table.
    fn check(operation: fn(&BitVec, &BitVec) -> BitVec, table: &[(i64, i64, i64)]) {
        for &(left, right, expected) in table {
            assert_eq!(operation(&bits(left), &bits(right)), bits(expected), "on {left} and {right}");
        }
    }

    #[test]
    fn division_follows_smtlib() {
        check(BitVec::udiv, &[(7, 2, 3), (-1, 2, 7), (3, 0, -1)]);
        check(BitVec::urem, &[(7, 2, 1), (3, 0, 3)]);
        check(BitVec::sdiv, &[(7, -2, -3), (-7, 2, -3), (-8, -1, -8), (3, 0, -1), (-3, 0, 1)]);
        check(BitVec::srem, &[(7, -2, 1), (-7, 2, -1), (3, 0, 3)]);
        check(BitVec::smod, &[(7, -2, -1), (-7, 2, 1), (-7, -2, -1), (4, 2, 0)]);
    }

    #[test]
    fn shifts_saturate() {
        check(BitVec::shl, &[(3, 1, 6), (3, 3, -8), (3, 4, 0), (3, -1, 0)]);
        check(BitVec::lshr, &[(-1, 1, 7), (-1, 5, 0)]);
        check(BitVec::ashr, &[(-8, 1, -4), (-8, 9, -1), (7, 9, 0)]);
    }

    #[test]
    fn parts_and_extensions() {
        let byte = BitVec::new(8, 0b1010_0110u32);
        assert_eq!(byte.extract(4, 4), BitVec::new(4, 0b1010u32));
        assert_eq!(byte.extract(4, 4).concat(&byte.extract(0, 4)), byte);
        assert_eq!(byte.sign_extend(12), BitVec::new(12, 0xfa6u32));
        assert_eq!(byte.zero_extend(12), BitVec::new(12, 0xa6u32));
        assert_eq!(byte.binary(), "10100110");
        assert_eq!(byte.signed(), BigInt::from(-90));
    }
}
