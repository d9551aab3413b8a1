//! Floating-point numbers.

use crate::{ExprId, Float, Op, RoundingMode, Sort, Store, Value};

macro_rules! on_floats {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $op:ident;)*) => {
        impl Store {
            $($(#[$doc])* pub fn $name(&self, $($arg: ExprId),*) -> ExprId {
                self.apply(Op::$op, &[$($arg),*])
            })*
        }
    };
}

macro_rules! rounded {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $op:ident;)*) => {
        impl Store {
            $($(#[$doc])* pub fn $name(&self, mode: RoundingMode, $($arg: ExprId),*) -> ExprId {
                self.apply(Op::$op(mode), &[$($arg),*])
            })*
        }
    };
}

macro_rules! converted {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {
        impl Store {
            $($(#[$doc])* pub fn $name(&self, mode: RoundingMode, term: ExprId, sort: Sort) -> ExprId {
                self.apply_to(Op::$op(mode), Some(sort), &[term])
            })*
        }
    };
}

rounded! {
    /// Sum of floats.
    fp_add(left, right) = FpAdd;
    /// Difference of floats.
    fp_sub(left, right) = FpSub;
    /// Product of floats.
    fp_mul(left, right) = FpMul;
    /// Quotient of floats.
    fp_div(left, right) = FpDiv;
    /// `left * right + summand`, rounded once.
    fp_fma(left, right, summand) = FpFma;
    /// Square root.
    fp_sqrt(float) = FpSqrt;
    /// The nearest integer, as a float.
    fp_round_to_integral(float) = FpRoundToIntegral;
}

on_floats! {
    /// IEEE remainder.
    fp_rem(left, right) = FpRem;
    /// The smaller float; -0 of -0 and +0.
    fp_min(left, right) = FpMin;
    /// The larger float; +0 of -0 and +0.
    fp_max(left, right) = FpMax;
    /// The float without its sign.
    fp_abs(float) = FpAbs;
    /// The float with the other sign.
    fp_neg(float) = FpNeg;
    /// Less or equal; false for NaN.
    fp_le(left, right) = FpLe;
    /// Less; false for NaN.
    fp_lt(left, right) = FpLt;
    /// Equality of IEEE 754; [`Store::eq`] is identity.
    fp_eq(left, right) = FpEq;
    /// Whether a float is NaN.
    fp_is_nan(float) = FpIsNan;
    /// Whether a float is an infinity.
    fp_is_infinite(float) = FpIsInfinite;
    /// Whether a float is a zero.
    fp_is_zero(float) = FpIsZero;
    /// Whether a float is normal.
    fp_is_normal(float) = FpIsNormal;
    /// Whether a float is subnormal.
    fp_is_subnormal(float) = FpIsSubnormal;
    /// Whether a float is not NaN and negative.
    fp_is_negative(float) = FpIsNegative;
    /// Whether a float is not NaN and positive.
    fp_is_positive(float) = FpIsPositive;
    /// The exact rational; zero for NaN and the infinities.
    fp_to_real(float) = FpToReal;
}

converted! {
    /// A float in the format of `sort`.
    fp_from_fp = FpFromFp;
    /// A rational as float.
    fp_from_real = FpFromReal;
    /// A bit-vector in two's complement as float.
    fp_from_signed = FpFromSigned;
    /// An unsigned bit-vector as float.
    fp_from_unsigned = FpFromUnsigned;
    /// A float as bit-vector of `sort` in two's complement; zero if it does not fit.
    fp_to_signed = FpToSigned;
    /// A float as unsigned bit-vector of `sort`; zero if it does not fit.
    fp_to_unsigned = FpToUnsigned;
}

impl Store {
    /// A float literal.
    pub fn float(&self, float: Float) -> ExprId {
        self.literal(Value::Float(float))
    }

    /// The float of format `sort` with the given bits.
    pub fn fp_from_bits(&self, bits: ExprId, sort: Sort) -> ExprId {
        self.apply_to(Op::FpFromBits, Some(sort), &[bits])
    }
}
