//! Bit-vectors, and the remaining operators, which are interned without applying identities.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::store::{Args, FALSE, TRUE};
use crate::{BitVec, ExprId, Op, Sort, Store, Value};

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        impl Store {
            $($(#[$doc])* pub fn $name(&self, left: ExprId, right: ExprId) -> ExprId {
                self.apply(Op::$op, &[left, right])
            })*
        }
    };
}

binary! {
    /// Bitwise and.
    bv_and = BvAnd;
    /// Bitwise or.
    bv_or = BvOr;
    /// Bitwise exclusive or.
    bv_xor = BvXor;
    /// Sum modulo 2^n.
    bv_add = BvAdd;
    /// Difference modulo 2^n.
    bv_sub = BvSub;
    /// Product modulo 2^n.
    bv_mul = BvMul;
    /// Unsigned division.
    bv_udiv = BvUdiv;
    /// Unsigned remainder.
    bv_urem = BvUrem;
    /// Signed division.
    bv_sdiv = BvSdiv;
    /// Signed remainder, sign of the dividend.
    bv_srem = BvSrem;
    /// Signed remainder, sign of the divisor.
    bv_smod = BvSmod;
    /// Shift left.
    bv_shl = BvShl;
    /// Logical shift right.
    bv_lshr = BvLshr;
    /// Arithmetic shift right.
    bv_ashr = BvAshr;
    /// Unsigned less.
    bv_ult = BvUlt;
    /// Unsigned less or equal.
    bv_ule = BvUle;
    /// Signed less.
    bv_slt = BvSlt;
    /// Signed less or equal.
    bv_sle = BvSle;
    /// Concatenation, most significant part first.
    concat = Concat;
}

impl Store {
    /// A bit-vector literal: the lowest `width` bits of `number`.
    pub fn bits(&self, width: u32, number: impl Into<BigUint>) -> ExprId {
        self.literal(Value::BitVec(BitVec::new(width, number)))
    }

    /// Bitwise complement.
    pub fn bv_not(&self, bits: ExprId) -> ExprId {
        self.apply(Op::BvNot, &[bits])
    }

    /// Two's complement negation.
    pub fn bv_neg(&self, bits: ExprId) -> ExprId {
        self.apply(Op::BvNeg, &[bits])
    }

    /// `width` bits of `bits`, starting at bit `lowest`.
    pub fn extract(&self, bits: ExprId, lowest: u32, width: u32) -> ExprId {
        self.apply_to(Op::Extract(lowest), Some(Sort::bitvec(width)), &[bits])
    }

    /// Extension by zeros to `width` bits.
    pub fn zero_extend(&self, bits: ExprId, width: u32) -> ExprId {
        self.apply_to(Op::ZeroExtend, Some(Sort::bitvec(width)), &[bits])
    }

    /// Extension by the sign to `width` bits.
    pub fn sign_extend(&self, bits: ExprId, width: u32) -> ExprId {
        self.apply_to(Op::SignExtend, Some(Sort::bitvec(width)), &[bits])
    }

    /// The unsigned value of a bit-vector as an integer.
    pub fn bv_to_int(&self, bits: ExprId) -> ExprId {
        self.apply(Op::BvToInt, &[bits])
    }

    /// An integer modulo 2^`width` as a bit-vector.
    pub fn int_to_bv(&self, number: ExprId, width: u32) -> ExprId {
        self.apply_to(Op::IntToBv, Some(Sort::bitvec(width)), &[number])
    }

    pub(super) fn bits_identity(&self, op: Op, sort: Sort, args: &Args) -> Option<ExprId> {
        use Op::*;
        match (op, &args[..]) {
            (BvNot | BvNeg, &[inner]) if self.op(inner) == op => Some(self.arg(inner, 0)),
            (BvAnd | BvOr, &[left, right]) if left == right => Some(left),
            (BvXor | BvSub, &[left, right]) if left == right => Some(self.literal(zero(sort))),
            (BvUle | BvSle, &[left, right]) if left == right => Some(TRUE),
            (BvUlt | BvSlt, &[left, right]) if left == right => Some(FALSE),
            (BvAdd | BvSub | BvOr | BvXor | BvShl | BvLshr | BvAshr, &[left, right])
                if self.is_zero(right) =>
            {
                Some(left)
            }
            (BvAnd | BvMul, &[_, right]) if self.is_zero(right) => Some(right),
            (BvMul | BvUdiv, &[left, right]) if self.is_one(right) => Some(left),
            (Extract(0) | ZeroExtend | SignExtend, &[inner]) if self.sort(inner) == sort => Some(inner),
            _ => None,
        }
    }

    fn is_zero(&self, expr: ExprId) -> bool {
        self.is_value(expr, |value| matches!(value, Value::BitVec(bits) if bits.unsigned().is_zero()))
    }

    fn is_one(&self, expr: ExprId) -> bool {
        self.is_value(expr, |value| matches!(value, Value::BitVec(bits) if bits.unsigned().is_one()))
    }
}

fn zero(sort: Sort) -> Value {
    let width = sort.width().expect("the sort should be a bit-vector");
    Value::BitVec(BitVec::new(width, BigUint::zero()))
}
