//! Integers and rationals.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::store::{Args, FALSE, TRUE};
use crate::{ExprId, Op, Rational, Sort, Store, Value};

impl Store {
    /// An integer literal.
    pub fn int(&self, number: impl Into<BigInt>) -> ExprId {
        self.literal(Value::int(number))
    }

    /// A rational literal.
    pub fn real(&self, number: Rational) -> ExprId {
        self.literal(Value::Real(number))
    }

    /// Arithmetic negation.
    pub fn neg(&self, number: ExprId) -> ExprId {
        self.apply(Op::Neg, &[number])
    }

    /// Sum of two.
    pub fn add(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Add, &[left, right])
    }

    /// Difference.
    pub fn sub(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Sub, &[left, right])
    }

    /// Product of two.
    pub fn mul(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Mul, &[left, right])
    }

    /// Euclidean division of integers.
    pub fn int_div(&self, dividend: ExprId, divisor: ExprId) -> ExprId {
        self.apply(Op::IntDiv, &[dividend, divisor])
    }

    /// Euclidean remainder of integers.
    pub fn modulo(&self, dividend: ExprId, divisor: ExprId) -> ExprId {
        self.apply(Op::Mod, &[dividend, divisor])
    }

    /// Division of rationals.
    pub fn real_div(&self, dividend: ExprId, divisor: ExprId) -> ExprId {
        self.apply(Op::RealDiv, &[dividend, divisor])
    }

    /// `left <= right` on numbers.
    pub fn le(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Le, &[left, right])
    }

    /// `left < right` on numbers.
    pub fn lt(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Lt, &[left, right])
    }

    /// `left >= right` on numbers.
    pub fn ge(&self, left: ExprId, right: ExprId) -> ExprId {
        self.le(right, left)
    }

    /// `left > right` on numbers.
    pub fn gt(&self, left: ExprId, right: ExprId) -> ExprId {
        self.lt(right, left)
    }

    /// Integer to rational.
    pub fn to_real(&self, number: ExprId) -> ExprId {
        self.apply(Op::ToReal, &[number])
    }

    /// Floor of a rational.
    pub fn to_int(&self, number: ExprId) -> ExprId {
        self.apply(Op::ToInt, &[number])
    }

    fn number(&self, sort: Sort, number: i32) -> Value {
        match sort {
            Sort::Int => Value::int(number),
            _ => Value::Real(Rational::from_integer(number.into())),
        }
    }

    fn is_number(&self, expr: ExprId, number: i32) -> bool {
        self.is_value(expr, |value| match value {
            Value::Int(value) => is_int(value, number),
            Value::Real(value) => value.is_integer() && is_int(value.numer(), number),
            _ => false,
        })
    }

    pub(super) fn arith_identity(&self, op: Op, args: &Args) -> Option<ExprId> {
        match (op, &args[..]) {
            (Op::Neg, &[inner]) if self.op(inner) == Op::Neg => Some(self.arg(inner, 0)),
            (Op::Sub, &[left, right]) if left == right => Some(self.literal(self.number(self.sort(left), 0))),
            (Op::Sub, &[left, right]) if self.is_literal(right) => Some(self.add(left, self.neg(right))),
            (Op::Sub, &[left, right]) if self.is_number(left, 0) => Some(self.neg(right)),
            (Op::Le, &[left, right]) if left == right => Some(TRUE),
            (Op::Lt, &[left, right]) if left == right => Some(FALSE),
            (Op::IntDiv | Op::RealDiv, &[left, right]) if self.is_number(right, 1) => Some(left),
            (Op::Mod, &[_, right]) if self.is_number(right, 1) => Some(self.int(0)),
            _ => None,
        }
    }

    /// A sum or product of ordered arguments: the literals, which come last, are merged into one, and a neutral
    /// one is dropped.
    pub(super) fn sum_or_product(&self, op: Op, sort: Sort, mut args: Args) -> ExprId {
        let num_literals = args.iter().rev().take_while(|arg| self.is_literal(**arg)).count();
        if num_literals > 1 {
            let literals: Args = args.drain(args.len() - num_literals..).collect();
            args.push(self.apply(op, &literals));
        }
        if let (Some(&constant), true) = (args.last(), num_literals > 0) {
            if op == Op::Mul && self.is_number(constant, 0) {
                return constant;
            }
            if self.is_number(constant, i32::from(op == Op::Mul)) {
                args.pop();
            }
        }
        match args[..] {
            [only] => only,
            _ => self.intern(op, sort, &args),
        }
    }
}

/// Comparison with a small number, without allocation.
fn is_int(value: &BigInt, number: i32) -> bool {
    value.to_i32() == Some(number)
}

#[cfg(test)]
mod tests {
    use num_traits::{One, Zero};

    use super::*;

    #[test]
    fn numbers_match_their_sort() {
        let store = Store::new();
        assert!(store.is_number(store.int(1), 1));
        assert!(store.is_number(store.real(Rational::one()), 1));
        assert!(!store.is_number(store.real(Rational::zero()), 1));
        assert!(!store.is_number(store.tru(), 1));
    }
}
