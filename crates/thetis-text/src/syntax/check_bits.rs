//! Operators on two bit-vectors.

use thetis_expr::{ExprId, Value};

use num_traits::ToPrimitive;

use super::ast::{BitsOp, ExprIndex};
use super::check_expr::Lowering;
use super::code;
use super::literal::MAX_WIDTH;

impl Lowering<'_, '_, '_> {
    pub(crate) fn bits(&mut self, op: BitsOp, left: ExprIndex, right: ExprIndex) -> Option<ExprId> {
        let first = self.expect_bits(op.text(), left);
        let second = self.expect_bits(op.text(), right);
        let (first, second) = (first?, second?);
        if op == BitsOp::Concat {
            return self.concat(first, second, left, right);
        }
        let (left, right) = self.same_sort(op.text(), left, right)?;
        let store = self.store;
        Some(match op {
            BitsOp::Ult => store.bv_ult(left, right),
            BitsOp::Ule => store.bv_ule(left, right),
            BitsOp::Ugt => store.bv_ult(right, left),
            BitsOp::Uge => store.bv_ule(right, left),
            BitsOp::Slt => store.bv_slt(left, right),
            BitsOp::Sle => store.bv_sle(left, right),
            BitsOp::Sgt => store.bv_slt(right, left),
            BitsOp::Sge => store.bv_sle(right, left),
            BitsOp::Or => store.bv_or(left, right),
            BitsOp::Xor => store.bv_xor(left, right),
            BitsOp::And => store.bv_and(left, right),
            BitsOp::Shl => store.bv_shl(left, right),
            BitsOp::Ashr => store.bv_ashr(left, right),
            BitsOp::Lshr => store.bv_lshr(left, right),
            BitsOp::Rol => self.rotate_left(left, right, first),
            BitsOp::Ror => self.rotate_right(left, right, first),
            BitsOp::Add => store.bv_add(left, right),
            BitsOp::Sub => store.bv_sub(left, right),
            BitsOp::Mul => store.bv_mul(left, right),
            BitsOp::Udiv => store.bv_udiv(left, right),
            BitsOp::Sdiv => store.bv_sdiv(left, right),
            BitsOp::Smod => store.bv_smod(left, right),
            BitsOp::Urem => store.bv_urem(left, right),
            BitsOp::Srem => store.bv_srem(left, right),
            BitsOp::Concat => store.concat(left, right),
        })
    }

    fn concat(&mut self, high: u32, low: u32, left: ExprIndex, right: ExprIndex) -> Option<ExprId> {
        if high + low > MAX_WIDTH {
            let message = format!("bit-vectors of more than {MAX_WIDTH} bits are not supported");
            return self.error(self.span(left).to(self.span(right)), code::WIDTH, message);
        }
        Some(self.store.concat(self.term(left)?, self.term(right)?))
    }

    /// By a known amount a rotation is two parts in exchanged order; otherwise two shifts by `amount mod width` and
    /// by the rest of the width, of which the latter gives zero when the former is by nothing.
    fn rotate_left(&self, bits: ExprId, amount: ExprId, width: u32) -> ExprId {
        match self.amount(amount, width) {
            Some(amount) => self.rotate(bits, amount, width),
            None => {
                let (forth, back) = self.shifts(amount, width);
                self.store.bv_or(self.store.bv_shl(bits, forth), self.store.bv_lshr(bits, back))
            }
        }
    }

    fn rotate_right(&self, bits: ExprId, amount: ExprId, width: u32) -> ExprId {
        match self.amount(amount, width) {
            Some(amount) => self.rotate(bits, (width - amount) % width, width),
            None => {
                let (forth, back) = self.shifts(amount, width);
                self.store.bv_or(self.store.bv_lshr(bits, forth), self.store.bv_shl(bits, back))
            }
        }
    }

    /// The amount of a rotation modulo the width, if it is a literal.
    fn amount(&self, amount: ExprId, width: u32) -> Option<u32> {
        match self.store.value(amount)? {
            Value::BitVec(bits) => (bits.unsigned() % width).to_u32(),
            _ => None,
        }
    }

    /// Rotation to the left by a known amount below the width.
    fn rotate(&self, bits: ExprId, amount: u32, width: u32) -> ExprId {
        if amount == 0 {
            return bits;
        }
        let low = self.store.extract(bits, 0, width - amount);
        let high = self.store.extract(bits, width - amount, amount);
        self.store.concat(low, high)
    }

    /// `amount mod width` and `width - amount mod width`. The width fits into as many bits as itself.
    fn shifts(&self, amount: ExprId, width: u32) -> (ExprId, ExprId) {
        let whole = self.store.bits(width, width);
        let forth = self.store.bv_urem(amount, whole);
        (forth, self.store.bv_sub(whole, forth))
    }
}
