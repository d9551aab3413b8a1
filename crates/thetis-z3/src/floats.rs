//! Translation of operators on floats.
//!
//! Some results are open in SMT-LIB and fixed in `thetis-expr`: the least and greatest of -0 and +0, and conversions of
//! what is no number or does not fit. Those operators are guarded here as they are in the SMT-LIB text.

use thetis_expr::{ExprId, Float, FloatSort, Op, RoundingMode, Store, Value};
use thetis_solver::SolverError;

use crate::ffi::{Binary, Term, Unary};
use crate::translate::Translator;

type Made = Result<Term, SolverError>;

impl Translator {
    /// The translation of an operator on floats, or from or to them, on translated arguments.
    pub(crate) fn float(&mut self, store: &Store, expr: ExprId, args: &[Term]) -> Made {
        use Op::*;
        let context = self.context.clone();
        let (cx, api, op) = (&context, context.api(), store.op(expr));
        match op {
            FpRem => cx.binary(api.mk_fpa_rem, &args[0], &args[1]),
            FpMin => self.choice(store, expr, api.mk_fpa_min, api.mk_fpa_is_negative, args),
            FpMax => self.choice(store, expr, api.mk_fpa_max, api.mk_fpa_is_positive, args),
            FpAbs => cx.unary(api.mk_fpa_abs, &args[0]),
            FpNeg => cx.unary(api.mk_fpa_neg, &args[0]),
            FpLe => cx.binary(api.mk_fpa_leq, &args[0], &args[1]),
            FpLt => cx.binary(api.mk_fpa_lt, &args[0], &args[1]),
            FpEq => cx.binary(api.mk_fpa_eq, &args[0], &args[1]),
            FpIsNan => cx.unary(api.mk_fpa_is_nan, &args[0]),
            FpIsInfinite => cx.unary(api.mk_fpa_is_infinite, &args[0]),
            FpIsZero => cx.unary(api.mk_fpa_is_zero, &args[0]),
            FpIsNormal => cx.unary(api.mk_fpa_is_normal, &args[0]),
            FpIsSubnormal => cx.unary(api.mk_fpa_is_subnormal, &args[0]),
            FpIsNegative => cx.unary(api.mk_fpa_is_negative, &args[0]),
            FpIsPositive => cx.unary(api.mk_fpa_is_positive, &args[0]),
            FpToReal => self.rational(store, expr, &args[0]),
            FpFromBits => {
                let sort = self.sort(store, store.sort(expr))?;
                cx.binary(api.mk_fpa_to_fp_bv, &args[0], &sort)
            }
            _ => {
                let mode = op.rounding_mode().expect("the operator should have a rounding mode");
                let mode_term = self.mode(mode)?;
                self.rounded(store, expr, &mode_term, args)
            }
        }
    }

    /// The translation of an operator with a rounding mode.
    fn rounded(&mut self, store: &Store, expr: ExprId, mode: &Term, args: &[Term]) -> Made {
        use Op::*;
        let context = self.context.clone();
        let (cx, api) = (&context, context.api());
        let sort = self.sort(store, store.sort(expr))?;
        match store.op(expr) {
            FpAdd(_) => cx.ternary(api.mk_fpa_add, [mode, &args[0], &args[1]]),
            FpSub(_) => cx.ternary(api.mk_fpa_sub, [mode, &args[0], &args[1]]),
            FpMul(_) => cx.ternary(api.mk_fpa_mul, [mode, &args[0], &args[1]]),
            FpDiv(_) => cx.ternary(api.mk_fpa_div, [mode, &args[0], &args[1]]),
            FpFma(_) => self.fused(store, expr, mode, args),
            FpSqrt(_) => cx.binary(api.mk_fpa_sqrt, mode, &args[0]),
            FpRoundToIntegral(_) => cx.binary(api.mk_fpa_round_to_integral, mode, &args[0]),
            FpFromFp(_) => cx.ternary(api.mk_fpa_to_fp_float, [mode, &args[0], &sort]),
            FpFromReal(_) => cx.ternary(api.mk_fpa_to_fp_real, [mode, &args[0], &sort]),
            FpFromSigned(_) => cx.ternary(api.mk_fpa_to_fp_signed, [mode, &args[0], &sort]),
            FpFromUnsigned(_) => cx.ternary(api.mk_fpa_to_fp_unsigned, [mode, &args[0], &sort]),
            FpToSigned(_) | FpToUnsigned(_) => self.integer(store, expr, mode, &args[0]),
            op => panic!("{op:?} should be an operator with a rounding mode"),
        }
    }

    /// Z3 5.3 folds `fp.fma` wrongly on literals with at most three bits of significand.
    fn fused(&mut self, store: &Store, expr: ExprId, mode: &Term, args: &[Term]) -> Made {
        if format_of(store, expr).significand_bits() < 4 {
            return Err(SolverError::Unsupported("`fp.fma` with less than 4 bits of significand".into()));
        }
        self.context.quaternary(self.context.api().mk_fpa_fma, [mode, &args[0], &args[1], &args[2]])
    }

    fn mode(&self, mode: RoundingMode) -> Made {
        let api = self.context.api();
        self.context.nullary(match mode {
            RoundingMode::NearestEven => api.mk_fpa_rne,
            RoundingMode::NearestAway => api.mk_fpa_rna,
            RoundingMode::TowardPositive => api.mk_fpa_rtp,
            RoundingMode::TowardNegative => api.mk_fpa_rtn,
            RoundingMode::TowardZero => api.mk_fpa_rtz,
        })
    }

    /// A float literal.
    pub(crate) fn float_value(&mut self, store: &Store, float: &Float) -> Made {
        let bits = self.value(store, &Value::BitVec(float.to_bits()))?;
        let sort = self.sort(store, thetis_expr::Sort::Float(float.sort()))?;
        self.context.binary(self.context.api().mk_fpa_to_fp_bv, &bits, &sort)
    }

    /// The least or greatest of two. Of two zeros it is the one that `preferred` tests, if there is one.
    fn choice(&mut self, store: &Store, expr: ExprId, make: Binary, preferred: Unary, args: &[Term]) -> Made {
        let context = self.context.clone();
        let (cx, api) = (&context, context.api());
        let both = |test| -> Result<[Term; 2], SolverError> {
            Ok([cx.unary(test, &args[0])?, cx.unary(test, &args[1])?])
        };
        let zeros = cx.nary(api.mk_and, &both(api.mk_fpa_is_zero)?)?;
        let found = cx.nary(api.mk_or, &both(preferred)?)?;
        let format = format_of(store, expr);
        let is_min = store.op(expr) == Op::FpMin;
        let (yes, no) = (Float::zero(format, is_min), Float::zero(format, !is_min));
        let (yes, no) = (self.float_value(store, &yes)?, self.float_value(store, &no)?);
        let zero = cx.ternary(api.mk_ite, [&found, &yes, &no])?;
        let other = cx.binary(make, &args[0], &args[1])?;
        cx.ternary(api.mk_ite, [&zeros, &zero, &other])
    }

    /// The exact rational; zero for what is no number.
    fn rational(&mut self, store: &Store, expr: ExprId, float: &Term) -> Made {
        let context = self.context.clone();
        let (cx, api) = (&context, context.api());
        let special = [cx.unary(api.mk_fpa_is_nan, float)?, cx.unary(api.mk_fpa_is_infinite, float)?];
        let special = cx.nary(api.mk_or, &special)?;
        let zero = cx.small_numeral(0, &self.sort(store, store.sort(expr))?)?;
        let exact = cx.unary(api.mk_fpa_to_real, float)?;
        cx.ternary(api.mk_ite, [&special, &zero, &exact])
    }

    /// The bit-vector of a number that fits; zero for others.
    fn integer(&mut self, store: &Store, expr: ExprId, mode: &Term, float: &Term) -> Made {
        let context = self.context.clone();
        let (cx, api) = (&context, context.api());
        let sort = store.sort(expr);
        let width = sort.width().expect("the result should be a bit-vector");
        let format = format_of(store, store.arg(expr, 0));
        let signed = matches!(store.op(expr), Op::FpToSigned(_));
        let range = if signed { format.signed_range(width) } else { format.unsigned_range(width) };
        let exact = self.mode(RoundingMode::TowardZero)?;
        let wide = self.sort(store, thetis_expr::Sort::Float(range.format))?;
        let wide = cx.ternary(api.mk_fpa_to_fp_float, [&exact, float, &wide])?;
        let whole = cx.binary(api.mk_fpa_round_to_integral, mode, &wide)?;
        let nan = cx.unary(api.mk_fpa_is_nan, &whole)?;
        let infinite = cx.unary(api.mk_fpa_is_infinite, &whole)?;
        let mut tests = vec![cx.unary(api.mk_not, &nan)?, cx.unary(api.mk_not, &infinite)?];
        if let Some(least) = &range.least {
            tests.push(cx.binary(api.mk_fpa_leq, &self.float_value(store, least)?, &whole)?);
        }
        if let Some(limit) = &range.limit {
            tests.push(cx.binary(api.mk_fpa_lt, &whole, &self.float_value(store, limit)?)?);
        }
        let fits = cx.nary(api.mk_and, &tests)?;
        let make = if signed { api.mk_fpa_to_sbv } else { api.mk_fpa_to_ubv };
        let bits = cx.sized(make, &exact, &whole, width)?;
        let zero = cx.small_numeral(0, &self.sort(store, sort)?)?;
        cx.ternary(api.mk_ite, [&fits, &bits, &zero])
    }
}

fn format_of(store: &Store, expr: ExprId) -> FloatSort {
    store.sort(expr).float_format().expect("the term should be a float")
}
