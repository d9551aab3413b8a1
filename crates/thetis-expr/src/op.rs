//! The operators of terms.

use crate::{RoundingMode, VarId};

/// Index of a literal in the store's value table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub(crate) u32);

/// The operator at the root of a term. Widths of extractions and extensions are in the sort of the term.
///
/// There is no `>`, `>=`, `=>` or `distinct`: the smart constructors express them with what is here, so that
/// equal meaning more often gives equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A literal.
    Const(ValueId),
    /// A variable.
    Var(VarId),

    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Exclusive or.
    Xor,
    /// If-then-else, of any sort.
    Ite,
    /// Equality, of any sort (on Booleans: equivalence).
    Eq,

    /// Arithmetic negation.
    Neg,
    /// Sum of two or more numbers of one sort.
    Add,
    /// Difference.
    Sub,
    /// Product of two or more numbers of one sort.
    Mul,
    /// Euclidean integer division; `x div 0 = 0`.
    IntDiv,
    /// Euclidean remainder, never negative for a non-zero divisor; `x mod 0 = x`.
    Mod,
    /// Exact division of rationals; `x / 0 = 0`.
    RealDiv,
    /// Less or equal on numbers.
    Le,
    /// Less on numbers.
    Lt,
    /// Integer to rational.
    ToReal,
    /// Floor of a rational.
    ToInt,

    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Sum modulo 2^n.
    BvAdd,
    /// Difference modulo 2^n.
    BvSub,
    /// Product modulo 2^n.
    BvMul,
    /// Unsigned division; all ones for divisor zero.
    BvUdiv,
    /// Unsigned remainder; the dividend for divisor zero.
    BvUrem,
    /// Signed division, rounding to zero.
    BvSdiv,
    /// Signed remainder with the sign of the dividend.
    BvSrem,
    /// Signed remainder with the sign of the divisor.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Shift right, filling with zeros.
    BvLshr,
    /// Shift right, filling with the sign.
    BvAshr,
    /// Unsigned less.
    BvUlt,
    /// Unsigned less or equal.
    BvUle,
    /// Signed less.
    BvSlt,
    /// Signed less or equal.
    BvSle,
    /// Concatenation, most significant part first.
    Concat,
    /// Bits from the given lowest one upward; how many is in the sort.
    Extract(u32),
    /// Extension by zeros to the width of the sort.
    ZeroExtend,
    /// Extension by the sign to the width of the sort.
    SignExtend,
    /// The unsigned value of a bit-vector.
    BvToInt,
    /// An integer modulo 2^n.
    IntToBv,

    /// Sum of floats.
    FpAdd(RoundingMode),
    /// Difference of floats.
    FpSub(RoundingMode),
    /// Product of floats.
    FpMul(RoundingMode),
    /// Quotient of floats.
    FpDiv(RoundingMode),
    /// `x * y + z`, rounded once.
    FpFma(RoundingMode),
    /// Square root.
    FpSqrt(RoundingMode),
    /// IEEE remainder: `x - n * y` for the integer `n` nearest to `x / y`.
    FpRem,
    /// The nearest integer, as a float.
    FpRoundToIntegral(RoundingMode),
    /// The smaller float; -0 of -0 and +0.
    FpMin,
    /// The larger float; +0 of -0 and +0.
    FpMax,
    /// The float without its sign.
    FpAbs,
    /// The float with the other sign.
    FpNeg,
    /// Less or equal on floats; false for NaN.
    FpLe,
    /// Less on floats; false for NaN.
    FpLt,
    /// Equality of IEEE 754: -0 equals +0, NaN equals nothing. (`Eq` is identity.)
    FpEq,
    /// Whether a float is NaN.
    FpIsNan,
    /// Whether a float is an infinity.
    FpIsInfinite,
    /// Whether a float is a zero.
    FpIsZero,
    /// Whether a float is normal.
    FpIsNormal,
    /// Whether a float is subnormal.
    FpIsSubnormal,
    /// Whether a float is not NaN and has a negative sign.
    FpIsNegative,
    /// Whether a float is not NaN and has a positive sign.
    FpIsPositive,
    /// The float with the bits of the argument, in the format of the sort.
    FpFromBits,
    /// A float in the format of the sort.
    FpFromFp(RoundingMode),
    /// A rational as float.
    FpFromReal(RoundingMode),
    /// A bit-vector in two's complement as float.
    FpFromSigned(RoundingMode),
    /// An unsigned bit-vector as float.
    FpFromUnsigned(RoundingMode),
    /// A float as bit-vector in two's complement; zero if it does not fit or is no number.
    FpToSigned(RoundingMode),
    /// A float as unsigned bit-vector; zero if it does not fit or is no number.
    FpToUnsigned(RoundingMode),
    /// The exact rational; zero for NaN and the infinities.
    FpToReal,

    /// Array read.
    Select,
    /// Functional array write.
    Store,
    /// The array that holds one value everywhere; its index sort is in the sort.
    ConstArray,
}

impl Op {
    /// Whether the order of arguments is irrelevant to the meaning.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(self, And | Or | Xor | Eq | Add | Mul | BvAnd | BvOr | BvXor | BvAdd | BvMul)
            || matches!(self, FpAdd(_) | FpMul(_) | FpMin | FpMax | FpEq)
    }

    /// Whether this is an operator on floats, or from or to them.
    pub fn is_float(self) -> bool {
        use Op::*;
        let computes = matches!(
            self,
            FpAdd(_) | FpSub(_) | FpMul(_) | FpDiv(_) | FpFma(_) | FpSqrt(_) | FpRem | FpRoundToIntegral(_)
        );
        let chooses = matches!(self, FpMin | FpMax | FpAbs | FpNeg | FpLe | FpLt | FpEq);
        let tests = matches!(self, FpIsNan | FpIsInfinite | FpIsZero | FpIsNormal | FpIsSubnormal)
            || matches!(self, FpIsNegative | FpIsPositive);
        let converts = matches!(self, FpFromBits | FpFromFp(_) | FpFromReal(_) | FpFromSigned(_))
            || matches!(self, FpFromUnsigned(_) | FpToSigned(_) | FpToUnsigned(_) | FpToReal);
        computes || chooses || tests || converts
    }

    /// The rounding mode, if this operator has one.
    pub fn rounding_mode(self) -> Option<RoundingMode> {
        use Op::*;
        match self {
            FpAdd(mode) | FpSub(mode) | FpMul(mode) | FpDiv(mode) | FpFma(mode) | FpSqrt(mode) => Some(mode),
            FpRoundToIntegral(mode) | FpFromFp(mode) | FpFromReal(mode) | FpFromSigned(mode) => Some(mode),
            FpFromUnsigned(mode) | FpToSigned(mode) | FpToUnsigned(mode) => Some(mode),
            _ => None,
        }
    }
}
