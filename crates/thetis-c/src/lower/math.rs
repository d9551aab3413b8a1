//! Functions of `math.h` that have exact meanings.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, Float, FloatSign, RoundingMode};

use super::builtin::Math;
use super::lowering::Lowering;
use super::scalar::{Integer, Scalar};
use crate::hir::Expr;

/// The values of `fpclassify` in glibc.
const CLASSES: [i32; 5] = [0, 1, 2, 3, 4];

impl<'h> Lowering<'h> {
    /// The value of a function on floating-point numbers.
    pub(super) fn math(&mut self, function: Math, call: &'h Expr, args: &'h [Expr]) -> Option<ExprId> {
        let store = self.store();
        let result = self.scalar(call.ty)?;
        if let (Math::Infinity | Math::NotANumber, Scalar::Float(_)) = (function, result) {
            args.iter().for_each(|arg| self.effect(arg));
            let format = self.arith.sort(result).float_format()?;
            let value = if function == Math::Infinity {
                Float::infinity(format, FloatSign::Positive)
            } else {
                Float::nan(format)
            };
            return Some(store.float(value));
        }
        let terms: Vec<ExprId> = args.iter().map(|arg| self.value(arg)).collect();
        let (&term, Scalar::Float(kind)) = (terms.first()?, self.scalar(args.first()?.ty)?) else {
            return Some(self.arbitrary(result, call.span));
        };
        let rounded = |mode| store.fp_round_to_integral(mode, term);
        let value = match function {
            Math::Abs => store.fp_abs(term),
            Math::Sqrt => store.fp_sqrt(RoundingMode::NearestEven, term),
            Math::Floor => rounded(RoundingMode::TowardNegative),
            Math::Ceil => rounded(RoundingMode::TowardPositive),
            Math::Trunc => rounded(RoundingMode::TowardZero),
            Math::Round => rounded(RoundingMode::NearestAway),
            Math::NearbyInt => rounded(RoundingMode::NearestEven),
            Math::Min => self.extreme([term, *terms.get(1)?], store.fp_min(term, *terms.get(1)?), call.span),
            Math::Max => self.extreme([term, *terms.get(1)?], store.fp_max(term, *terms.get(1)?), call.span),
            Math::IsNan => self.arith.truth_value(result, store.fp_is_nan(term)),
            Math::IsInf => self.signed_infinity(result, term),
            Math::IsFinite => {
                let is_special = store.or(store.fp_is_nan(term), store.fp_is_infinite(term));
                self.arith.truth_value(result, store.not(is_special))
            }
            Math::IsNormal => self.arith.truth_value(result, store.fp_is_normal(term)),
            Math::SignBit => self.sign_bit(result, term, call.span),
            Math::Classify => self.classify(result, term),
            Math::Infinity | Math::NotANumber => self.arith.zero(Scalar::Float(kind)),
        };
        let from = if store.sort(value).float_format().is_some() { Scalar::Float(kind) } else { result };
        Some(self.arith.convert(from, result, value).term)
    }

    /// `fmin` and `fmax` prefer numbers to NaN. Which of two zeros they give is unspecified.
    fn extreme(&mut self, [left, right]: [ExprId; 2], chosen: ExprId, span: Span) -> ExprId {
        let store = self.store();
        let are_zeros = store.and(store.fp_is_zero(left), store.fp_is_zero(right));
        let is_open = store.and(are_zeros, store.ne(left, right));
        let mut number = chosen;
        if is_open != store.fals() {
            self.approximate_if(is_open, "the sign of zero", span);
            let any = self.arbitrary(Scalar::Bool, span);
            let either = store.ite(self.arith.is_true(Scalar::Bool, any), left, right);
            number = store.ite(is_open, either, chosen);
        }
        store.ite(store.fp_is_nan(left), right, store.ite(store.fp_is_nan(right), left, number))
    }

    /// Zero, or any other number if the sign is set. Terms do not know the sign of a NaN.
    fn sign_bit(&mut self, result: Scalar, term: ExprId, span: Span) -> ExprId {
        let store = self.store();
        let is_nan = store.fp_is_nan(term);
        let mut is_set = store.fp_is_negative(term);
        if is_nan != store.fals() {
            self.approximate_if(is_nan, "the sign of a NaN", span);
            let any = self.arbitrary(Scalar::Bool, span);
            is_set = store.ite(is_nan, self.arith.is_true(Scalar::Bool, any), is_set);
        }
        let any = self.arbitrary(result, span);
        let one = self.arith.truth_value(result, store.tru());
        let number = store.ite(self.arith.is_true(result, any), any, one);
        store.ite(is_set, number, self.arith.zero(result))
    }

    /// `isinf` of glibc: 1, -1 or 0.
    fn signed_infinity(&self, result: Scalar, term: ExprId) -> ExprId {
        let store = self.store();
        let integer = result.integer().unwrap_or(Integer::signed(32));
        let [one, minus_one, zero] =
            [1, -1, 0].map(|number| self.arith.integer(integer, &BigInt::from(number)));
        let signed = store.ite(store.fp_is_negative(term), minus_one, one);
        store.ite(store.fp_is_infinite(term), signed, zero)
    }

    fn classify(&self, result: Scalar, term: ExprId) -> ExprId {
        let store = self.store();
        let integer = result.integer().unwrap_or(Integer::signed(32));
        let [nan, infinite, zero, subnormal, normal] =
            CLASSES.map(|number| self.arith.integer(integer, &BigInt::from(number)));
        let rest = store.ite(store.fp_is_subnormal(term), subnormal, normal);
        let rest = store.ite(store.fp_is_zero(term), zero, rest);
        let rest = store.ite(store.fp_is_infinite(term), infinite, rest);
        store.ite(store.fp_is_nan(term), nan, rest)
    }
}
