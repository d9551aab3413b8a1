//! The syntax tree.
//!
//! Expressions and types lie in two lists in which parts come before the whole, so that the checker is a loop over a
//! list and neither it nor dropping the tree recurses. Names and literals are kept as text; what they mean is the
//! checker's matter. Floating-point syntax is complete here although the checker still refuses it.

use thetis_base::Span;

/// A file.
#[derive(Default)]
pub(super) struct Ast<'s> {
    /// All types, parts first.
    pub(super) types: Vec<Type>,
    /// All expressions, parts first.
    pub(super) exprs: Vec<Expr>,
    /// The operands of expressions with a varying number of them.
    pub(super) operands: Vec<ExprIndex>,
    /// All statements; those of one edge lie together.
    pub(super) stmts: Vec<Stmt<'s>>,
    pub(super) globals: Vec<Decl<'s>>,
    pub(super) processes: Vec<Process<'s>>,
}

/// A place in [`Ast::types`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TypeIndex(pub(super) u32);

/// A place in [`Ast::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExprIndex(pub(super) u32);

/// A part of [`Ast::operands`] or [`Ast::stmts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Range {
    pub(super) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..self.end as usize]
    }
}

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub(super) text: &'s str,
    pub(super) span: Span,
}

/// `name : type`.
#[derive(Clone, Copy)]
pub(super) struct Decl<'s> {
    pub(super) name: Name<'s>,
    pub(super) ty: TypeIndex,
}

pub(super) struct Process<'s> {
    pub(super) is_main: bool,
    pub(super) name: Name<'s>,
    pub(super) params: Vec<Decl<'s>>,
    pub(super) vars: Vec<Decl<'s>>,
    pub(super) locs: Vec<Loc<'s>>,
    pub(super) edges: Vec<Edge<'s>>,
}

pub(super) struct Loc<'s> {
    pub(super) kind: LocKind,
    pub(super) name: Name<'s>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocKind {
    Plain,
    Init,
    Final,
    Error,
}

pub(super) struct Edge<'s> {
    pub(super) source: Name<'s>,
    pub(super) target: Name<'s>,
    pub(super) stmts: Range,
    pub(super) span: Span,
}

pub(super) struct Stmt<'s> {
    pub(super) kind: StmtKind<'s>,
    pub(super) span: Span,
}

pub(super) enum StmtKind<'s> {
    Assign(Name<'s>, Root),
    Assume(Root),
    Havoc(Name<'s>),
}

/// A whole expression: its parts are all nodes from `first` to `root`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) first: ExprIndex,
    pub(super) root: ExprIndex,
}

pub(super) struct Type {
    pub(super) kind: TypeKind,
    pub(super) span: Span,
}

#[derive(Clone, Copy)]
pub(super) enum TypeKind {
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

pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Clone, Copy)]
pub(super) enum ExprKind {
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
    Write(ExprIndex, ExprIndex, ExprIndex),
    /// Operand, bit after the highest, lowest bit.
    Extract(ExprIndex, Span, Span),
    Extend(Extension, ExprIndex, TypeIndex),
    Array(ArrayLiteral),
    /// Already reported.
    Poison,
}

/// `[index <- element, <type> default <- element]`; `entries` holds indices and elements by turns.
#[derive(Clone, Copy)]
pub(super) struct ArrayLiteral {
    pub(super) entries: Range,
    pub(super) index: Option<TypeIndex>,
    pub(super) default: ExprIndex,
}

#[derive(Clone, Copy)]
pub(super) struct FloatLiteral {
    #[expect(dead_code, reason = "the checker refuses floating-point numbers until terms have them")]
    pub(super) is_negative: bool,
    pub(super) exponent: Span,
    pub(super) significand: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extension {
    Zero,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChainOp {
    And,
    Or,
    Add,
    Mul,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnaryOp {
    Not,
    Plus,
    Minus,
    BvNot,
    BvPos,
    BvNeg,
    Float(FloatUnary),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatUnary {
    Abs,
    IsNan,
    RoundToInt(Rounding),
    Sqrt(Rounding),
    Neg,
    Pos,
    /// To the given floating-point type.
    ToFp(TypeIndex, Rounding),
    /// To the given bit-vector type.
    ToBv(TypeIndex, Signedness, Rounding),
    /// From a bit-vector to the given floating-point type.
    FromBv(TypeIndex, Signedness, Rounding),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signedness {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BinaryOp {
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
pub(super) enum BitsOp {
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
pub(super) enum FloatBinary {
    Max,
    Min,
    Rem,
    Add(Rounding),
    Sub(Rounding),
    Mul(Rounding),
    Div(Rounding),
}
