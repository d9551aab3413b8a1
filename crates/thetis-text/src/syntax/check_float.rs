//! Floating-point literals and operators.
//!
//! Formats are those of SMT-LIB: `fp[e,s]` has `e` bits of exponent and `s` of significand, the hidden one included, so
//! that a literal `sign exponent.significand` has one digit less after the point.
//!
//! A float that is not a number, is infinite or does not fit becomes *some* bit-vector; terms give zero then. As for
//! divisions by zero, an auxiliary variable takes that place. The other result that SMT-LIB leaves open, the sign of
//! the minimum or maximum of the two zeros, is that of IEEE 754-2019 here: -0 is less.

use num_bigint::BigUint;
use thetis_base::Span;
use thetis_expr::{BitVec, ExprId, Float, FloatSign, FloatSort, Op, RoundingMode, Sort, Store};

use super::ast::{ExprIndex, FloatBinary, FloatLiteral, FloatUnary, Signedness, TypeIndex};
use super::check_expr::Lowering;
use super::check_type::FORMATS;
use super::code;
use super::literal;

impl Lowering<'_, '_, '_> {
    pub(crate) fn float_literal(&mut self, parts: FloatLiteral, span: Span) -> Option<ExprId> {
        let exponent = self.meant(parts.exponent, literal::bits(self.text_of(parts.exponent)))?;
        let significand = self.meant(parts.significand, literal::bits(self.text_of(parts.significand)))?;
        let Some(format) = FloatSort::new(exponent.width(), significand.width() + 1) else {
            return self.error(span, code::WIDTH, FORMATS);
        };
        let sign = BigUint::from(u8::from(parts.is_negative)) << exponent.width();
        let bits = ((sign | exponent.unsigned()) << significand.width()) | significand.unsigned();
        Some(self.store.float(Float::from_bits(format, &BitVec::new(format.width(), bits))))
    }

    pub(crate) fn float_unary(&mut self, op: FloatUnary, operand: ExprIndex, span: Span) -> Option<ExprId> {
        if let FloatUnary::FromBv(ty, signedness, mode) = op {
            return self.float_from_bits(operand, ty, signedness, mode);
        }
        let term = self.expect_float(op.text(), operand)?;
        let store = self.store;
        Some(match op {
            FloatUnary::Abs => store.fp_abs(term),
            FloatUnary::IsNan => store.fp_is_nan(term),
            FloatUnary::RoundToInt(mode) => store.fp_round_to_integral(mode, term),
            FloatUnary::Sqrt(mode) => store.fp_sqrt(mode, term),
            FloatUnary::Neg => store.fp_neg(term),
            FloatUnary::Pos => term,
            FloatUnary::ToFp(ty, mode) => store.fp_from_fp(mode, term, self.sorts.of(ty)?),
            FloatUnary::ToBv(ty, Signedness::Signed, mode) => {
                self.float_to_bits(Op::FpToSigned(mode), term, self.sorts.of(ty)?, span)
            }
            FloatUnary::ToBv(ty, Signedness::Unsigned, mode) => {
                self.float_to_bits(Op::FpToUnsigned(mode), term, self.sorts.of(ty)?, span)
            }
            FloatUnary::FromBv(..) => return None,
        })
    }

    pub(crate) fn float_binary(
        &mut self,
        op: FloatBinary,
        left: ExprIndex,
        right: ExprIndex,
    ) -> Option<ExprId> {
        let first = self.expect_float(op.text(), left);
        self.expect_float(op.text(), right).and(first)?;
        let (left, right) = self.same_sort(op.text(), left, right)?;
        let store = self.store;
        Some(match op {
            FloatBinary::Max => store.fp_max(left, right),
            FloatBinary::Min => store.fp_min(left, right),
            FloatBinary::Rem => store.fp_rem(left, right),
            FloatBinary::Add(mode) => store.fp_add(mode, left, right),
            FloatBinary::Sub(mode) => store.fp_sub(mode, left, right),
            FloatBinary::Mul(mode) => store.fp_mul(mode, left, right),
            FloatBinary::Div(mode) => store.fp_div(mode, left, right),
        })
    }

    fn float_from_bits(
        &mut self,
        operand: ExprIndex,
        ty: TypeIndex,
        signedness: Signedness,
        mode: RoundingMode,
    ) -> Option<ExprId> {
        self.expect_bits("fpfrombv", operand)?;
        let (bits, sort) = (self.term(operand)?, self.sorts.of(ty)?);
        Some(match signedness {
            Signedness::Signed => self.store.fp_from_signed(mode, bits, sort),
            Signedness::Unsigned => self.store.fp_from_unsigned(mode, bits, sort),
        })
    }

    fn float_to_bits(&mut self, op: Op, float: ExprId, sort: Sort, span: Span) -> ExprId {
        let bits = self.store.app(op, Some(sort), &[float]).expect("a float should convert to bits");
        let fits = fits(self.store, bits, float);
        if fits == self.store.tru() {
            return bits;
        }
        let arbitrary = self.arbitrary("fptobv", sort, span);
        self.store.ite(fits, bits, arbitrary)
    }

    fn expect_float(&mut self, op: &str, operand: ExprIndex) -> Option<ExprId> {
        let term = self.term(operand)?;
        match self.store.sort(term) {
            Sort::Float(_) => Some(term),
            _ => self.wrong_operand(op, "a floating-point number", operand),
        }
    }
}

/// That `float`, rounded, is a number and fits into the bit-vector `bits` that it is converted to.
///
/// All bounds are powers of two or infinite, so the format can express them: the least number `l` and the one after
/// the greatest, `h`; the formula is `l <= r and r < h` for the rounded float `r`.
pub(crate) fn fits(store: &Store, bits: ExprId, float: ExprId) -> ExprId {
    let op = store.op(bits);
    let (Some(mode), Some(format)) = (op.rounding_mode(), store.sort(float).float_format()) else {
        return store.tru();
    };
    let width = store.sort(bits).width().unwrap_or(1);
    let rounded = store.fp_round_to_integral(mode, float);
    let (above_low, high) = match op {
        Op::FpToSigned(_) => (at_least_minus_power(store, format, width - 1, rounded), width - 1),
        _ => (store.fp_le(store.float(Float::zero(format, FloatSign::Positive)), rounded), width),
    };
    store.and(above_low, store.fp_lt(rounded, power(store, format, high, FloatSign::Positive)))
}

fn at_least_minus_power(store: &Store, format: FloatSort, exponent: u32, rounded: ExprId) -> ExprId {
    let bound = power(store, format, exponent, FloatSign::Negative);
    if is_finite(format, exponent) { store.fp_le(bound, rounded) } else { store.fp_lt(bound, rounded) }
}

/// `2^exponent`, or its opposite; infinite if it is too large for the format.
fn power(store: &Store, format: FloatSort, exponent: u32, sign: FloatSign) -> ExprId {
    if !is_finite(format, exponent) {
        return store.float(Float::infinity(format, sign));
    }
    let sign = BigUint::from(u8::from(sign == FloatSign::Negative)) << (format.width() - 1);
    let field = BigUint::from(bias(format) + u64::from(exponent));
    let bits = sign | (field << (format.significand_bits() - 1));
    store.float(Float::from_bits(format, &BitVec::new(format.width(), bits)))
}

/// Whether `2^exponent` is a finite number of the format.
fn is_finite(format: FloatSort, exponent: u32) -> bool {
    u64::from(exponent) <= bias(format)
}

/// The bias of exponents, which is also the greatest exponent.
fn bias(format: FloatSort) -> u64 {
    (1 << (format.exponent_bits() - 1)) - 1
}
