//! Integer types of programming languages: a number of bits, signed or unsigned.
//!
//! Front ends that encode numbers as mathematical integers need the same few facts about them, whatever the language.

use num_bigint::BigInt;

use crate::{ExprId, Store};

/// The values of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Integer {
    /// How many bits.
    pub width: u32,
    /// Whether they are in two's complement.
    pub is_signed: bool,
}

impl Integer {
    /// A signed type.
    pub const fn signed(width: u32) -> Integer {
        Integer { width, is_signed: true }
    }

    /// An unsigned type.
    pub const fn unsigned(width: u32) -> Integer {
        Integer { width, is_signed: false }
    }

    /// How many values there are.
    pub fn modulus(self) -> BigInt {
        BigInt::from(1) << self.width
    }

    /// The least value.
    pub fn min(self) -> BigInt {
        if self.is_signed { -(BigInt::from(1) << (self.width - 1)) } else { BigInt::from(0) }
    }

    /// The greatest value.
    pub fn max(self) -> BigInt {
        self.min() + self.modulus() - 1
    }

    /// Whether every value of `other` is one of this type.
    pub fn contains(self, other: Integer) -> bool {
        self.min() <= other.min() && other.max() <= self.max()
    }

    /// The value of this type that is congruent to `number`.
    pub fn wrap(self, number: &BigInt) -> BigInt {
        let modulus = self.modulus();
        let low = ((number % &modulus) + &modulus) % &modulus;
        if low > self.max() { low - modulus } else { low }
    }

    /// That a mathematical integer is a value of this type.
    pub fn holds(self, store: &Store, term: ExprId) -> ExprId {
        store.and(store.le(store.int(self.min()), term), store.le(term, store.int(self.max())))
    }
}

/// An operation on a dividend that is not negative, extended to others by symmetry. Division of terms is Euclidean, that of
/// most languages rounds towards zero; for a dividend that is not negative the two agree, whatever the sign of the divisor.
pub fn toward_zero(store: &Store, dividend: ExprId, operation: impl Fn(ExprId) -> ExprId) -> ExprId {
    let is_negative = store.lt(dividend, store.int(0));
    store.ite(is_negative, store.neg(operation(store.neg(dividend))), operation(dividend))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_into_the_range_of_their_type() {
        let cases = [
            (Integer::unsigned(8), 256, 0),
            (Integer::unsigned(8), -1, 255),
            (Integer::signed(8), 128, -128),
            (Integer::signed(8), -129, 127),
            (Integer::signed(8), 127, 127),
            (Integer::unsigned(1), 3, 1),
        ];
        for (integer, number, expected) in cases {
            assert_eq!(integer.wrap(&BigInt::from(number)), BigInt::from(expected), "{integer:?} {number}");
        }
        assert!(Integer::signed(9).contains(Integer::unsigned(8)));
        assert!(!Integer::signed(8).contains(Integer::unsigned(8)));
    }

    #[test]
    fn quotients_and_remainders_have_the_signs_of_most_languages() {
        let store = Store::new();
        for (dividend, divisor) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 3), (-6, 3)] {
            let [left, right] = [dividend, divisor].map(|number| store.int(number));
            let quotient = toward_zero(&store, left, |dividend| store.int_div(dividend, right));
            let remainder = toward_zero(&store, left, |dividend| store.modulo(dividend, right));
            assert_eq!(quotient, store.int(dividend / divisor), "{dividend} / {divisor}");
            assert_eq!(remainder, store.int(dividend % divisor), "{dividend} % {divisor}");
        }
    }
}
