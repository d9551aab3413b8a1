//! Integer operations on bit-vectors.

use num_bigint::BigInt;
use thetis_expr::{BitVec, ExprId, Value};

use super::{Arith, Encoding, Operation, Partial};
use crate::hir::BinaryOp;
use crate::lower::scalar::Integer;

impl Arith<'_> {
    pub(super) fn vector_binary(self, operation: Operation) -> Partial {
        let Operation { op, integer, amount, left, right } = operation;
        let store = self.store;
        let nonzero = |term| Partial {
            term,
            is_defined: store.ne(right, store.bits(integer.width, 0u32)),
            convention: None,
        };
        match (op, integer.is_signed) {
            (BinaryOp::Add, _) => self.total(store.bv_add(left, right)),
            (BinaryOp::Sub, _) => self.total(store.bv_sub(left, right)),
            (BinaryOp::Mul, _) => self.total(store.bv_mul(left, right)),
            (BinaryOp::Div, true) => nonzero(store.bv_sdiv(left, right)),
            (BinaryOp::Div, false) => nonzero(store.bv_udiv(left, right)),
            (BinaryOp::Rem, true) => nonzero(store.bv_srem(left, right)),
            (BinaryOp::Rem, false) => nonzero(store.bv_urem(left, right)),
            (BinaryOp::BitAnd, _) => self.total(store.bv_and(left, right)),
            (BinaryOp::BitOr, _) => self.total(store.bv_or(left, right)),
            (BinaryOp::BitXor, _) => self.total(store.bv_xor(left, right)),
            (BinaryOp::Shl | BinaryOp::Shr, _) => {
                let is_amount = self.is_shift_amount(integer.width, amount, right);
                let is_defined = store.or(is_amount, store.eq(left, store.bits(integer.width, 0u32)));
                let by = self.resize(amount, Integer::unsigned(integer.width), right);
                let term = match (op, integer.is_signed) {
                    (BinaryOp::Shl, _) => store.bv_shl(left, by),
                    (_, true) => store.bv_ashr(left, by),
                    (_, false) => store.bv_lshr(left, by),
                };
                Partial { term, is_defined, convention: Some(self.shifted_out(op, integer, left)) }
            }
        }
    }

    /// Whether the mathematical result of an operation is not representable; `None` if it always is. Bits that an
    /// unsigned shift shifts out do not count as overflow.
    pub(crate) fn overflows(self, operation: Operation) -> Option<ExprId> {
        let wraps = matches!(operation.op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        if !operation.integer.is_signed && !wraps {
            return None;
        }
        match self.encoding {
            Encoding::Bv => self.vector_overflows(operation),
            Encoding::Int | Encoding::Mod => self.integer_overflows(operation),
        }
    }

    fn vector_overflows(self, operation: Operation) -> Option<ExprId> {
        let Operation { op, integer, amount, left, right } = operation;
        let store = self.store;
        let literal = |number: BigInt| store.literal(Value::BitVec(BitVec::from_int(integer.width, &number)));
        let wider = |width: u32, operation: &dyn Fn(ExprId, ExprId) -> ExprId| {
            let extend = |term: ExprId| match integer.is_signed {
                true => store.sign_extend(term, width),
                false => store.zero_extend(term, width),
            };
            let exact = operation(extend(left), extend(right));
            let narrow = store.extract(exact, 0, integer.width);
            store.ne(exact, extend(narrow))
        };
        match op {
            BinaryOp::Add => Some(wider(integer.width + 1, &|left, right| store.bv_add(left, right))),
            BinaryOp::Sub => Some(wider(integer.width + 1, &|left, right| store.bv_sub(left, right))),
            BinaryOp::Mul => Some(wider(2 * integer.width, &|left, right| store.bv_mul(left, right))),
            BinaryOp::Div | BinaryOp::Rem => {
                let is_least = store.eq(left, literal(integer.min()));
                Some(store.and(is_least, store.eq(right, literal(BigInt::from(-1)))))
            }
            BinaryOp::Shl => {
                let by = self.resize(amount, Integer::unsigned(integer.width), right);
                let shifted = store.bv_shl(left, by);
                let is_negative = store.bv_slt(left, literal(BigInt::from(0)));
                let becomes_negative = store.bv_slt(shifted, literal(BigInt::from(0)));
                let loses_bits = store.ne(store.bv_lshr(shifted, by), left);
                Some(store.or_all([is_negative, becomes_negative, loses_bits]))
            }
            BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => None,
        }
    }
}
