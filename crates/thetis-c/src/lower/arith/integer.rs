//! Integer operations on mathematical integers.
//!
//! Division of terms is Euclidean, that of C rounds [towards zero](toward_zero).

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use thetis_expr::{ExprId, toward_zero};

use super::{Arith, Encoding, Operation, Partial};
use crate::hir::BinaryOp;
use crate::lower::scalar::Integer;

impl Arith<'_> {
    /// The value of the type that is congruent to `term`; in `Int` the term itself.
    pub(crate) fn wrap(self, integer: Integer, term: ExprId) -> ExprId {
        if self.encoding == Encoding::Int {
            return term;
        }
        let store = self.store;
        if let Some(number) = store.value(term).as_ref().and_then(|value| value.as_int()) {
            return store.int(integer.wrap(number));
        }
        let modulus = store.int(integer.modulus());
        if !integer.is_signed {
            return store.modulo(term, modulus);
        }
        let half = store.int(BigInt::from(1) << (integer.width - 1));
        store.sub(store.modulo(store.add(term, half), modulus), half)
    }

    pub(super) fn integer_binary(self, operation: Operation) -> Partial {
        let Operation { op, integer, left, right, .. } = operation;
        let store = self.store;
        match op {
            BinaryOp::Add => self.total(self.wrap(integer, store.add(left, right))),
            BinaryOp::Sub => self.total(self.wrap(integer, store.sub(left, right))),
            BinaryOp::Mul => self.total(self.wrap(integer, store.mul(left, right))),
            BinaryOp::Div => self.nonzero(right, self.quotient(integer, left, right)),
            BinaryOp::Rem => self.nonzero(right, self.remainder(integer, left, right)),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(operation),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.total(self.bitwise(op, integer, left, right))
            }
        }
    }

    fn nonzero(self, divisor: ExprId, term: ExprId) -> Partial {
        Partial { term, is_defined: self.store.ne(divisor, self.store.int(0)), convention: None }
    }

    /// Only the least number divided by -1 leaves the range.
    fn quotient(self, integer: Integer, left: ExprId, right: ExprId) -> ExprId {
        let quotient = self.toward_zero(integer, left, |dividend| self.store.int_div(dividend, right));
        if integer.is_signed && self.may_be_minus_one(right) {
            return self.wrap(integer, quotient);
        }
        quotient
    }

    fn remainder(self, integer: Integer, left: ExprId, right: ExprId) -> ExprId {
        self.toward_zero(integer, left, |dividend| self.store.modulo(dividend, right))
    }

    /// An operation on a dividend that is not negative, extended to others by symmetry.
    fn toward_zero(self, integer: Integer, left: ExprId, operation: impl Fn(ExprId) -> ExprId) -> ExprId {
        if !integer.is_signed && self.encoding != Encoding::Int {
            return operation(left);
        }
        toward_zero(self.store, left, operation)
    }

    fn may_be_minus_one(self, divisor: ExprId) -> bool {
        match self.store.value(divisor).as_ref().and_then(|value| value.as_int()) {
            Some(number) => *number == BigInt::from(-1),
            None => true,
        }
    }

    /// Whether the mathematical result of a signed operation is not representable; `None` if it always is.
    pub(super) fn integer_overflows(self, operation: Operation) -> Option<ExprId> {
        let Operation { op, integer, left, right, .. } = operation;
        let store = self.store;
        let exact = match op {
            BinaryOp::Add => store.add(left, right),
            BinaryOp::Sub => store.sub(left, right),
            BinaryOp::Mul => store.mul(left, right),
            BinaryOp::Div | BinaryOp::Rem => {
                let is_least = store.eq(left, store.int(integer.min()));
                return Some(store.and(is_least, store.eq(right, store.int(-1))));
            }
            BinaryOp::Shl => {
                let shifted = store.mul(left, self.power_of_two(integer.width, right));
                return Some(store.or(store.lt(left, store.int(0)), self.leaves(integer, shifted)));
            }
            BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => return None,
        };
        Some(self.leaves(integer, exact))
    }

    fn leaves(self, integer: Integer, term: ExprId) -> ExprId {
        let store = self.store;
        store.or(store.lt(term, store.int(integer.min())), store.lt(store.int(integer.max()), term))
    }

    /// `2^amount` for an amount from 0 to `width - 1`.
    pub(super) fn power_of_two(self, width: u32, amount: ExprId) -> ExprId {
        let store = self.store;
        if let Some(number) = store.value(amount).as_ref().and_then(|value| value.as_int()) {
            let in_range = !number.is_negative() && *number < BigInt::from(width);
            let exponent = if in_range { number.clone() } else { BigInt::zero() };
            return store.int(BigInt::from(1) << u32::try_from(exponent).unwrap_or(0));
        }
        let power = |exponent: u32| store.int(BigInt::from(1) << exponent);
        (1..width).fold(power(0), |rest, exponent| {
            store.ite(store.eq(amount, store.int(exponent)), power(exponent), rest)
        })
    }
}
