//! Floating-point operators.
//!
//! SMT-LIB leaves some of them open; our terms do not, so `fp.min` and `fp.max` of zeros of both signs, and conversions
//! of what does not fit, are guarded. The guards are those of the SMT-LIB printer of `thetis-expr`.

use num_bigint::BigUint;
use thetis_expr::{BitVec, ExprId, Float, FloatSign, FloatSort, Op, RoundingMode, Sort, Store};
use thetis_solver::SolverError;

use super::Translator;
use crate::ffi::{Binary, Term};

type Made = Result<Term, SolverError>;

impl Translator {
    /// The translation of one operator on floats on translated arguments.
    pub(super) fn float(&mut self, store: &Store, expr: ExprId, args: &[Term]) -> Made {
        use Op::*;
        let cx = self.context.clone();
        let (api, op) = (cx.api(), store.op(expr));
        let mode = self.mode(op.rounding_mode().unwrap_or(RoundingMode::NearestEven))?;
        let sort = self.sort(store, store.sort(expr))?;
        match op {
            FpAdd(_) => cx.ternary(api.mk_fpa_add, [&mode, &args[0], &args[1]]),
            FpSub(_) => cx.ternary(api.mk_fpa_sub, [&mode, &args[0], &args[1]]),
            FpMul(_) => cx.ternary(api.mk_fpa_mul, [&mode, &args[0], &args[1]]),
            FpDiv(_) => cx.ternary(api.mk_fpa_div, [&mode, &args[0], &args[1]]),
            FpFma(_) => {
                reject_wrong_fma(store.sort(expr))?;
                cx.quaternary(api.mk_fpa_fma, [&mode, &args[0], &args[1], &args[2]])
            }
            FpSqrt(_) => cx.binary(api.mk_fpa_sqrt, &mode, &args[0]),
            FpRem => cx.binary(api.mk_fpa_rem, &args[0], &args[1]),
            FpRoundToIntegral(_) => cx.binary(api.mk_fpa_round_to_integral, &mode, &args[0]),
            FpMin => self.choice(api.mk_fpa_min, args, FpMin),
            FpMax => self.choice(api.mk_fpa_max, args, FpMax),
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
            FpFromBits => cx.binary(api.mk_fpa_to_fp_bv, &args[0], &sort),
            FpFromFp(_) => cx.ternary(api.mk_fpa_to_fp_float, [&mode, &args[0], &sort]),
            FpFromReal(_) => cx.ternary(api.mk_fpa_to_fp_real, [&mode, &args[0], &sort]),
            FpFromSigned(_) => cx.ternary(api.mk_fpa_to_fp_signed, [&mode, &args[0], &sort]),
            FpFromUnsigned(_) => cx.ternary(api.mk_fpa_to_fp_unsigned, [&mode, &args[0], &sort]),
            FpToSigned(_) | FpToUnsigned(_) => self.conversion_to_bits(store, expr, &mode, &args[0]),
            FpToReal => self.conversion_to_real(&args[0], &sort),
            _ => panic!("{op:?} should be an operator on floats"),
        }
    }

    /// The float as Z3's literal.
    pub(super) fn float_value(&mut self, float: &Float, sort: &Term) -> Made {
        if float.is_nan() {
            return self.context.unary(self.context.api().mk_fpa_nan, sort);
        }
        let bits = float.to_bits();
        let bits = self.bits(&bits, &self.context.bitvec_sort(bits.width())?)?;
        self.context.binary(self.context.api().mk_fpa_to_fp_bv, &bits, sort)
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

    /// The smaller or larger of two. Of two zeros it is the first if that has the sign we want, else the second.
    fn choice(&self, make: Binary, args: &[Term], op: Op) -> Made {
        let (cx, api) = (&self.context, self.context.api());
        let has_sign = if op == Op::FpMin { api.mk_fpa_is_negative } else { api.mk_fpa_is_positive };
        let is_zero = |arg| cx.unary(api.mk_fpa_is_zero, arg);
        let are_zeros = cx.nary(api.mk_and, &[is_zero(&args[0])?, is_zero(&args[1])?])?;
        let zero = cx.ternary(api.mk_ite, [&cx.unary(has_sign, &args[0])?, &args[0], &args[1]])?;
        cx.ternary(api.mk_ite, [&are_zeros, &zero, &cx.binary(make, &args[0], &args[1])?])
    }

    /// The exact value; zero for NaN and infinities.
    fn conversion_to_real(&self, arg: &Term, sort: &Term) -> Made {
        let (cx, api) = (&self.context, self.context.api());
        let tests = [cx.unary(api.mk_fpa_is_nan, arg)?, cx.unary(api.mk_fpa_is_infinite, arg)?];
        let is_no_number = cx.nary(api.mk_or, &tests)?;
        let zero = cx.small_numeral(0, sort)?;
        cx.ternary(api.mk_ite, [&is_no_number, &zero, &cx.unary(api.mk_fpa_to_real, arg)?])
    }

    /// A conversion to a bit-vector: rounds to an integer first, and gives zero if that is out of range.
    ///
    /// Formats whose largest numbers are no integers are made wider before, or the rounding could overflow.
    fn conversion_to_bits(&mut self, store: &Store, expr: ExprId, mode: &Term, arg: &Term) -> Made {
        let (cx, api) = (self.context.clone(), self.context.api());
        let width = store.sort(expr).width().expect("the result should be a bit-vector");
        let format = store.sort(store.arg(expr, 0)).float_format().expect("the argument should be a float");
        let exact = self.mode(RoundingMode::TowardZero)?;
        let wide = FloatSort::new(format.exponent_bits() + 1, format.significand_bits());
        let (format, arg) = match wide {
            Some(wide) if max_exponent(format) < i64::from(format.significand_bits()) => {
                let sort = self.sort(store, Sort::Float(wide))?;
                (wide, cx.ternary(api.mk_fpa_to_fp_float, [&exact, arg, &sort])?)
            }
            _ => (format, arg.clone()),
        };
        let whole = cx.binary(api.mk_fpa_round_to_integral, mode, &arg)?;
        let is_signed = matches!(store.op(expr), Op::FpToSigned(_));
        let make = if is_signed { api.mk_fpa_to_sbv } else { api.mk_fpa_to_ubv };
        let range = if is_signed { width - 1 } else { width };
        let fits = self.fits(store, &whole, format, range, is_signed)?;
        let zero = cx.small_numeral(0, &cx.bitvec_sort(width)?)?;
        cx.ternary(api.mk_ite, [&fits, &cx.sized(make, &exact, &whole, width)?, &zero])
    }

    /// Whether `-2^range <= whole < 2^range`, or `0 <= whole < 2^range` if not signed.
    fn fits(&mut self, store: &Store, whole: &Term, format: FloatSort, range: u32, is_signed: bool) -> Made {
        let (cx, api) = (self.context.clone(), self.context.api());
        let sort = self.sort(store, Sort::Float(format))?;
        let not = |test: Term| cx.unary(api.mk_not, &test);
        let mut tests =
            vec![not(cx.unary(api.mk_fpa_is_nan, whole)?)?, not(cx.unary(api.mk_fpa_is_infinite, whole)?)?];
        if !is_signed {
            let zero = self.float_value(&Float::zero(format, FloatSign::Positive), &sort)?;
            tests.push(cx.binary(api.mk_fpa_leq, &zero, whole)?);
        }
        // Finite numbers of formats with smaller exponents are all in range.
        if i64::from(range) <= max_exponent(format) {
            let power = self.float_value(&power_of_two(format, range), &sort)?;
            tests.push(cx.binary(api.mk_fpa_lt, whole, &power)?);
            if is_signed {
                tests.push(cx.binary(api.mk_fpa_leq, &cx.unary(api.mk_fpa_neg, &power)?, whole)?);
            }
        }
        cx.nary(api.mk_and, &tests)
    }
}

/// Z3 5.3 computes `fp.fma` wrongly in formats with fewer than 4 bits of significand, and rightly in all others that
/// were tried; see `tests/laws.rs`.
fn reject_wrong_fma(sort: Sort) -> Result<(), SolverError> {
    match sort.float_format() {
        Some(format) if format.significand_bits() < 4 => Err(SolverError::Unsupported(
            "`fp.fma` on floats with fewer than 4 bits of significand, which Z3 computes wrongly".into(),
        )),
        _ => Ok(()),
    }
}

/// The largest exponent of a finite number of the format; also the bias.
fn max_exponent(format: FloatSort) -> i64 {
    (1 << (format.exponent_bits() - 1)) - 1
}

/// `2^exponent`, which is a number of the format.
fn power_of_two(format: FloatSort, exponent: u32) -> Float {
    let biased = BigUint::from(exponent) + BigUint::from(max_exponent(format).unsigned_abs());
    Float::from_bits(format, &BitVec::new(format.width(), biased << (format.significand_bits() - 1)))
}
