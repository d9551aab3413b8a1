//! Scalars as terms: the one place that defines how C numbers become terms.
//!
//! There are three encodings. In `Bv` an integer of *n* bits is a bit-vector of *n* bits. In `Mod` it is a mathematical
//! integer that always lies in the range of its type: after an operation that may leave it, the result *t* is wrapped to
//!
//! ```text
//! t mod 2^n                              unsigned
//! ((t + 2^(n-1)) mod 2^n) - 2^(n-1)      signed
//! ```
//!
//! and the wrapping is left out only where the types guarantee the range; a later pass that knows more about values
//! recognises these two shapes. In `Int` nothing is wrapped. Floating-point numbers are IEEE numbers in all encodings.
//! A pointer is `object * 2^32 + offset`, a mathematical integer or a bit-vector of 64 bits, whatever size the data
//! model gives it.
//!
//! Some operations are undefined for some operands (division by zero). They return a [`Partial`]: a term, and the
//! condition under which it is the value.

mod bits;
mod float;
mod integer;
mod pointer;
mod vector;

use num_bigint::BigInt;
use thetis_expr::{BitVec, ExprId, Op, Sort, Store, Value};

use super::options::Arithmetic;
use super::scalar::{Integer, Scalar, address_width};
use crate::hir::{BinaryOp, CompareOp, DataModel, UnaryOp};

pub(crate) use bits::is_plain_mask;
pub(crate) use pointer::split_pointer;

/// How integers are expressed; the choice of `Auto` has been made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// Mathematical integers.
    Int,
    /// Mathematical integers, wrapped.
    Mod,
    /// Bit-vectors.
    Bv,
}

impl Encoding {
    /// The encoding of a translation, whose arithmetic is never `Auto`.
    pub(crate) fn of(arithmetic: Arithmetic) -> Encoding {
        match arithmetic {
            Arithmetic::Int => Encoding::Int,
            Arithmetic::Mod => Encoding::Mod,
            Arithmetic::Bv | Arithmetic::Auto => Encoding::Bv,
        }
    }
}

/// A term that is the value of an operation under a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partial {
    /// The value.
    pub(crate) term: ExprId,
    /// When it is; otherwise the operation may give anything.
    pub(crate) is_defined: ExprId,
    /// The conventional value otherwise, if verifiers agree on one.
    pub(crate) convention: Option<ExprId>,
}

/// An operation with two integers.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) op: BinaryOp,
    /// The type of the left operand and of the result.
    pub(crate) integer: Integer,
    /// The type of the right operand, which is another one in shifts.
    pub(crate) amount: Integer,
    pub(crate) left: ExprId,
    pub(crate) right: ExprId,
}

impl Operation {
    /// An operation with operands of one type.
    pub(crate) fn of_one(op: BinaryOp, integer: Integer, left: ExprId, right: ExprId) -> Operation {
        Operation { op, integer, amount: integer, left, right }
    }
}

/// Operations on scalars in one encoding.
#[derive(Clone, Copy)]
pub(crate) struct Arith<'s> {
    pub(crate) store: &'s Store,
    pub(crate) encoding: Encoding,
    pub(crate) model: DataModel,
}

impl<'s> Arith<'s> {
    /// The sort of the values of a scalar type.
    pub(crate) fn sort(self, scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Float(kind) => float::sort(kind),
            Scalar::Pointer => self.integer_sort(pointer::BITS),
            Scalar::Bool => self.integer_sort(1),
            Scalar::Int(integer) => self.integer_sort(integer.width),
        }
    }

    fn integer_sort(self, width: u32) -> Sort {
        match self.encoding {
            Encoding::Bv => Sort::bitvec(width),
            Encoding::Int | Encoding::Mod => Sort::Int,
        }
    }

    /// The sort that numbers elements of arrays.
    pub(crate) fn index_sort(self) -> Sort {
        self.integer_sort(address_width(self.model))
    }

    /// A literal.
    pub(crate) fn integer(self, integer: Integer, number: &BigInt) -> ExprId {
        match self.encoding {
            Encoding::Bv => self.store.literal(Value::BitVec(BitVec::from_int(integer.width, number))),
            Encoding::Mod => self.store.int(integer.wrap(number)),
            Encoding::Int => self.store.int(number.clone()),
        }
    }

    /// Zero, or the null pointer.
    pub(crate) fn zero(self, scalar: Scalar) -> ExprId {
        match scalar {
            Scalar::Float(kind) => float::zero(self.store, kind),
            Scalar::Pointer => self.pointer(0),
            Scalar::Bool => self.integer(Integer::unsigned(1), &BigInt::from(0)),
            Scalar::Int(integer) => self.integer(integer, &BigInt::from(0)),
        }
    }

    /// The number that a literal of integer type is.
    pub(crate) fn as_literal(self, integer: Integer, term: ExprId) -> Option<BigInt> {
        match self.store.value(term)? {
            Value::Int(number) => Some(number),
            Value::BitVec(bits) if integer.is_signed => Some(bits.signed()),
            Value::BitVec(bits) => Some(BigInt::from(bits.unsigned().clone())),
            _ => None,
        }
    }

    /// A truth value as a number of type `scalar`.
    pub(crate) fn truth_value(self, scalar: Scalar, condition: ExprId) -> ExprId {
        let integer = scalar.integer().expect("a truth value should become an integer");
        let [one, zero] = [1, 0].map(|number| self.integer(integer, &BigInt::from(number)));
        self.store.ite(condition, one, zero)
    }

    /// Whether a scalar is not zero. `if c then 1 else 0` is just `c`.
    pub(crate) fn is_true(self, scalar: Scalar, term: ExprId) -> ExprId {
        let zero = self.zero(scalar);
        let is_nonzero = |term: ExprId| match scalar {
            Scalar::Float(_) => self.store.not(self.store.fp_eq(term, zero)),
            _ => self.store.ne(term, zero),
        };
        if self.store.op(term) == Op::Ite {
            let (then, otherwise) = (self.store.arg(term, 1), self.store.arg(term, 2));
            if self.store.is_literal(then) && self.store.is_literal(otherwise) {
                let condition = self.store.arg(term, 0);
                return self.store.ite(condition, is_nonzero(then), is_nonzero(otherwise));
            }
        }
        is_nonzero(term)
    }

    /// The formula that a term is in the range of its type, where its sort does not guarantee that.
    pub(crate) fn in_range(self, scalar: Scalar, term: ExprId) -> Option<ExprId> {
        let integer = scalar.integer().filter(|_| self.encoding != Encoding::Bv)?;
        let store = self.store;
        let at_least = store.le(store.int(integer.min()), term);
        if self.encoding == Encoding::Int && scalar != Scalar::Bool {
            return (!integer.is_signed).then_some(at_least);
        }
        Some(store.and(at_least, store.le(term, store.int(integer.max()))))
    }

    /// A conversion between scalar types.
    pub(crate) fn convert(self, from: Scalar, to: Scalar, term: ExprId) -> Partial {
        if from == to {
            return self.total(term);
        }
        match (from, to) {
            (_, Scalar::Bool) => self.total(self.truth_value(Scalar::Bool, self.is_true(from, term))),
            (Scalar::Float(from), Scalar::Float(to)) => {
                self.total(float::convert(self.store, from, to, term))
            }
            (Scalar::Float(from), Scalar::Int(to)) => self.float_to_integer(from, to, term),
            (Scalar::Bool | Scalar::Int(_), Scalar::Float(to)) => {
                let from = from.integer().expect("an integer type should have a range");
                self.total(self.integer_to_float(from, to, term))
            }
            (Scalar::Pointer, Scalar::Int(to)) => self.total(self.pointer_to_integer(term, to)),
            (Scalar::Bool | Scalar::Int(_), Scalar::Pointer) => {
                let from = from.integer().expect("an integer type should have a range");
                self.total(self.integer_to_pointer(from, term))
            }
            (Scalar::Bool, Scalar::Int(to)) => self.total(self.resize(Integer::unsigned(1), to, term)),
            (Scalar::Int(from), Scalar::Int(to)) => self.total(self.resize(from, to, term)),
            (Scalar::Float(_), Scalar::Pointer) | (Scalar::Pointer, Scalar::Float(_)) => {
                unreachable!("C has no conversion between floats and pointers")
            }
            (Scalar::Pointer, Scalar::Pointer) => self.total(term),
        }
    }

    /// A conversion between integer types.
    pub(crate) fn resize(self, from: Integer, to: Integer, term: ExprId) -> ExprId {
        match self.encoding {
            Encoding::Int => term,
            Encoding::Mod if to.contains(from) => term,
            Encoding::Mod => self.wrap(to, term),
            Encoding::Bv if to.width <= from.width => self.store.extract(term, 0, to.width),
            Encoding::Bv if from.is_signed => self.store.sign_extend(term, to.width),
            Encoding::Bv => self.store.zero_extend(term, to.width),
        }
    }

    /// An operator with one operand.
    pub(crate) fn unary(self, op: UnaryOp, scalar: Scalar, term: ExprId) -> ExprId {
        match (op, scalar, self.encoding) {
            (UnaryOp::Neg, Scalar::Float(_), _) => self.store.fp_neg(term),
            (UnaryOp::Neg, _, Encoding::Bv) => self.store.bv_neg(term),
            (UnaryOp::BitNot, _, Encoding::Bv) => self.store.bv_not(term),
            (UnaryOp::Neg, _, _) => self.wrap(self.range_of(scalar), self.store.neg(term)),
            (UnaryOp::BitNot, _, _) => self.complement(self.range_of(scalar), term),
        }
    }

    fn range_of(self, scalar: Scalar) -> Integer {
        scalar.integer().expect("the operand should be an integer")
    }

    /// An operator with two operands; `amount` is the type of the right operand of a shift.
    pub(crate) fn binary(
        self,
        op: BinaryOp,
        scalar: Scalar,
        amount: Integer,
        left: ExprId,
        right: ExprId,
    ) -> Partial {
        if let Scalar::Float(_) = scalar {
            return self.total(float::binary(self.store, op, left, right));
        }
        let operation = Operation { op, integer: self.range_of(scalar), amount, left, right };
        match self.encoding {
            Encoding::Bv => self.vector_binary(operation),
            Encoding::Int | Encoding::Mod => self.integer_binary(operation),
        }
    }

    /// A comparison.
    pub(crate) fn compare(self, op: CompareOp, scalar: Scalar, left: ExprId, right: ExprId) -> ExprId {
        match op {
            CompareOp::Eq => self.equals(scalar, left, right),
            CompareOp::Ne => self.store.not(self.equals(scalar, left, right)),
            CompareOp::Lt => self.less(scalar, left, right),
            CompareOp::Gt => self.less(scalar, right, left),
            CompareOp::Le => self.less_or_equal(scalar, left, right),
            CompareOp::Ge => self.less_or_equal(scalar, right, left),
        }
    }

    fn equals(self, scalar: Scalar, left: ExprId, right: ExprId) -> ExprId {
        match scalar {
            Scalar::Float(_) => self.store.fp_eq(left, right),
            _ => self.store.eq(left, right),
        }
    }

    fn less(self, scalar: Scalar, left: ExprId, right: ExprId) -> ExprId {
        match (scalar, self.encoding) {
            (Scalar::Float(_), _) => self.store.fp_lt(left, right),
            (Scalar::Int(integer), Encoding::Bv) if integer.is_signed => self.store.bv_slt(left, right),
            (_, Encoding::Bv) => self.store.bv_ult(left, right),
            _ => self.store.lt(left, right),
        }
    }

    fn less_or_equal(self, scalar: Scalar, left: ExprId, right: ExprId) -> ExprId {
        match (scalar, self.encoding) {
            (Scalar::Float(_), _) => self.store.fp_le(left, right),
            (Scalar::Int(integer), Encoding::Bv) if integer.is_signed => self.store.bv_sle(left, right),
            (_, Encoding::Bv) => self.store.bv_ule(left, right),
            _ => self.store.le(left, right),
        }
    }

    fn total(self, term: ExprId) -> Partial {
        Partial { term, is_defined: self.store.tru(), convention: None }
    }
}
