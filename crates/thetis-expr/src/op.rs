//! The operators of terms.

use crate::VarId;

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
    }
}
