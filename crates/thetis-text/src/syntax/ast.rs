//! The syntax tree of types and expressions.
//!
//! Expressions and types lie in two lists in which parts come before the whole, so that the checker is a loop over a
//! list and neither it nor dropping the tree recurses. Names and literals are kept as text; what they mean is the
//! checker's matter.

use thetis_base::Span;
use thetis_expr::RoundingMode;

/// The types and expressions of a file.
#[derive(Default)]
pub(crate) struct Ast {
    /// All types, parts first.
    pub(crate) types: Vec<Type>,
    /// All expressions, parts first.
    pub(crate) exprs: Vec<Expr>,
    /// The operands of expressions with a varying number of them.
    pub(crate) operands: Vec<ExprIndex>,
}

/// A place in [`Ast::types`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TypeIndex(pub(crate) u32);

/// A place in [`Ast::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExprIndex(pub(crate) u32);

/// A part of a list such as [`Ast::operands`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Range {
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }
}

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'s> {
    pub(crate) text: &'s str,
    pub(crate) span: Span,
}

/// `name : type`.
#[derive(Clone, Copy)]
pub(crate) struct Decl<'s> {
    pub(crate) name: Name<'s>,
    pub(crate) ty: TypeIndex,
}

/// A whole expression: its parts are all nodes from `first` to `root`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(crate) first: ExprIndex,
    pub(crate) root: ExprIndex,
}

pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy)]
pub(crate) enum TypeKind {
    Bool,
    Int,
    Rat,
    /// The width as written.
    Bv(Span),
    /// The widths of exponent and significand as written.
    Fp(Span, Span),
    Array(TypeIndex, TypeIndex),
    /// Already reported.
    Poison,
}

pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy)]
pub(crate) enum ExprKind {
    Bool(bool),
    Nat,
    Rat(Span, Span),
    Bits,
    Float(FloatLiteral),
    Var,
    Unary(UnaryOp, ExprIndex),
    Binary(BinaryOp, ExprIndex, ExprIndex),
    /// Two or more operands joined by one operator that may chain: `and`, `or`, `+`, `*`.
    Chain(ChainOp, Range),
    Ite(ExprIndex, ExprIndex, ExprIndex),
    Read(ExprIndex, ExprIndex),
    /// One or more writes to an array; the range holds indices and elements by turns.
    Write(ExprIndex, Range),
    /// Operand, bit after the highest, lowest bit.
    Extract(ExprIndex, Span, Span),
    Extend(Extension, ExprIndex, TypeIndex),
    Array(ArrayLiteral),
    /// Already reported.
    Poison,
}

/// `[index <- element, <type> default <- element]`; `entries` holds indices and elements by turns.
#[derive(Clone, Copy)]
pub(crate) struct ArrayLiteral {
    pub(crate) entries: Range,
    pub(crate) index: Option<TypeIndex>,
    pub(crate) default: ExprIndex,
}

#[derive(Clone, Copy)]
pub(crate) struct FloatLiteral {
    pub(crate) is_negative: bool,
    pub(crate) exponent: Span,
    pub(crate) significand: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extension {
    Zero,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChainOp {
    And,
    Or,
    Add,
    Mul,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Not,
    Plus,
    Minus,
    BvNot,
    BvPos,
    BvNeg,
    /// The value in the next state.
    Prime,
    Float(FloatUnary),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatUnary {
    Abs,
    IsNan,
    RoundToInt(RoundingMode),
    Sqrt(RoundingMode),
    Neg,
    Pos,
    /// To the given floating-point type.
    ToFp(TypeIndex, RoundingMode),
    /// To the given bit-vector type.
    ToBv(TypeIndex, Signedness, RoundingMode),
    /// From a bit-vector to the given floating-point type.
    FromBv(TypeIndex, Signedness, RoundingMode),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signedness {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    Iff,
    Imply,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Sub,
    Div,
    Mod,
    Rem,
    Bits(BitsOp),
    Float(FloatBinary),
}

/// Operators on two bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BitsOp {
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    Or,
    Xor,
    And,
    Shl,
    Ashr,
    Lshr,
    Rol,
    Ror,
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Smod,
    Urem,
    Srem,
    Concat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatBinary {
    Max,
    Min,
    Rem,
    Add(RoundingMode),
    Sub(RoundingMode),
    Mul(RoundingMode),
    Div(RoundingMode),
}
