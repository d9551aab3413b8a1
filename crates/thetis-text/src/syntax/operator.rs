//! The operators of the language: their levels, how they associate and how they are written.

use thetis_expr::RoundingMode;

use super::ast::{BinaryOp, BitsOp, ChainOp, Extension, FloatBinary, FloatUnary, UnaryOp};
use super::token::Tok;

/// How strongly an operator binds; greater numbers bind more strongly. The names are those of the grammar.
pub(crate) mod level {
    pub(crate) const EXPR: u8 = 0;
    pub(crate) const IFF: u8 = 1;
    pub(crate) const IMPLY: u8 = 2;
    pub(crate) const QUANT: u8 = 3;
    pub(crate) const FPMM: u8 = 4;
    pub(crate) const OR: u8 = 5;
    pub(crate) const XOR: u8 = 6;
    pub(crate) const AND: u8 = 7;
    pub(crate) const NOT: u8 = 8;
    pub(crate) const EQ: u8 = 9;
    pub(crate) const REL: u8 = 10;
    pub(crate) const BIT_OR: u8 = 11;
    pub(crate) const BIT_XOR: u8 = 12;
    pub(crate) const BIT_AND: u8 = 13;
    pub(crate) const SHIFT: u8 = 14;
    pub(crate) const ADD: u8 = 15;
    pub(crate) const MUL: u8 = 16;
    pub(crate) const CONCAT: u8 = 17;
}

/// What repeats of operators of one level mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assoc {
    Left,
    Right,
    /// They need parentheses.
    None,
}

/// An operator between two operands.
#[derive(Clone, Copy)]
pub(crate) struct Infix {
    pub(crate) level: u8,
    pub(crate) assoc: Assoc,
    pub(crate) op: InfixOp,
}

#[derive(Clone, Copy)]
pub(crate) enum InfixOp {
    Chain(ChainOp),
    Binary(BinaryOp),
}

/// The infix operator that a token is. RoundingMode modes are read later.
pub(crate) fn infix(tok: Tok) -> Option<Infix> {
    use Assoc::{Left, None as Once, Right};
    use BinaryOp::{Bits, Float};
    let nearest = RoundingMode::NearestEven;
    let binary = |level, assoc, op| Some(Infix { level, assoc, op: InfixOp::Binary(op) });
    let chain = |level, op| Some(Infix { level, assoc: Left, op: InfixOp::Chain(op) });
    match tok {
        Tok::Iff => binary(level::IFF, Right, BinaryOp::Iff),
        Tok::Imply => binary(level::IMPLY, Right, BinaryOp::Imply),
        Tok::FpMax => binary(level::FPMM, Once, Float(FloatBinary::Max)),
        Tok::FpMin => binary(level::FPMM, Once, Float(FloatBinary::Min)),
        Tok::Or => chain(level::OR, ChainOp::Or),
        Tok::Xor => binary(level::XOR, Right, BinaryOp::Xor),
        Tok::And => chain(level::AND, ChainOp::And),
        Tok::Eq => binary(level::EQ, Once, BinaryOp::Eq),
        Tok::Ne => binary(level::EQ, Once, BinaryOp::Ne),
        Tok::Lt => binary(level::REL, Once, BinaryOp::Lt),
        Tok::Le => binary(level::REL, Once, BinaryOp::Le),
        Tok::Gt => binary(level::REL, Once, BinaryOp::Gt),
        Tok::Ge => binary(level::REL, Once, BinaryOp::Ge),
        Tok::BvUlt => binary(level::REL, Once, Bits(BitsOp::Ult)),
        Tok::BvUle => binary(level::REL, Once, Bits(BitsOp::Ule)),
        Tok::BvUgt => binary(level::REL, Once, Bits(BitsOp::Ugt)),
        Tok::BvUge => binary(level::REL, Once, Bits(BitsOp::Uge)),
        Tok::BvSlt => binary(level::REL, Once, Bits(BitsOp::Slt)),
        Tok::BvSle => binary(level::REL, Once, Bits(BitsOp::Sle)),
        Tok::BvSgt => binary(level::REL, Once, Bits(BitsOp::Sgt)),
        Tok::BvSge => binary(level::REL, Once, Bits(BitsOp::Sge)),
        Tok::BvOr => binary(level::BIT_OR, Once, Bits(BitsOp::Or)),
        Tok::BvXor => binary(level::BIT_XOR, Once, Bits(BitsOp::Xor)),
        Tok::BvAnd => binary(level::BIT_AND, Once, Bits(BitsOp::And)),
        Tok::BvShl => binary(level::SHIFT, Once, Bits(BitsOp::Shl)),
        Tok::BvAshr => binary(level::SHIFT, Once, Bits(BitsOp::Ashr)),
        Tok::BvLshr => binary(level::SHIFT, Once, Bits(BitsOp::Lshr)),
        Tok::BvRol => binary(level::SHIFT, Once, Bits(BitsOp::Rol)),
        Tok::BvRor => binary(level::SHIFT, Once, Bits(BitsOp::Ror)),
        Tok::Plus => chain(level::ADD, ChainOp::Add),
        Tok::Minus => binary(level::ADD, Left, BinaryOp::Sub),
        Tok::BvAdd => binary(level::ADD, Left, Bits(BitsOp::Add)),
        Tok::BvSub => binary(level::ADD, Left, Bits(BitsOp::Sub)),
        Tok::FpAdd => binary(level::ADD, Left, Float(FloatBinary::Add(nearest))),
        Tok::FpSub => binary(level::ADD, Left, Float(FloatBinary::Sub(nearest))),
        Tok::Star => chain(level::MUL, ChainOp::Mul),
        Tok::Slash => binary(level::MUL, Left, BinaryOp::Div),
        Tok::Mod => binary(level::MUL, Left, BinaryOp::Mod),
        Tok::Rem => binary(level::MUL, Left, BinaryOp::Rem),
        Tok::BvMul => binary(level::MUL, Left, Bits(BitsOp::Mul)),
        Tok::BvUdiv => binary(level::MUL, Left, Bits(BitsOp::Udiv)),
        Tok::BvSdiv => binary(level::MUL, Left, Bits(BitsOp::Sdiv)),
        Tok::BvSmod => binary(level::MUL, Left, Bits(BitsOp::Smod)),
        Tok::BvUrem => binary(level::MUL, Left, Bits(BitsOp::Urem)),
        Tok::BvSrem => binary(level::MUL, Left, Bits(BitsOp::Srem)),
        Tok::FpRem => binary(level::MUL, Left, Float(FloatBinary::Rem)),
        Tok::FpMul => binary(level::MUL, Left, Float(FloatBinary::Mul(nearest))),
        Tok::FpDiv => binary(level::MUL, Left, Float(FloatBinary::Div(nearest))),
        Tok::Concat => binary(level::CONCAT, Left, Bits(BitsOp::Concat)),
        _ => None,
    }
}

impl ChainOp {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            ChainOp::And => "and",
            ChainOp::Or => "or",
            ChainOp::Add => "+",
            ChainOp::Mul => "*",
        }
    }
}

impl UnaryOp {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::BvNot => "bvnot",
            UnaryOp::BvPos => "bvpos",
            UnaryOp::BvNeg => "bvneg",
            UnaryOp::Prime => "'",
            UnaryOp::Float(op) => op.text(),
        }
    }
}

impl FloatUnary {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            FloatUnary::Abs => "fpabs",
            FloatUnary::IsNan => "fpisnan",
            FloatUnary::RoundToInt(_) => "fproundtoint",
            FloatUnary::Sqrt(_) => "fpsqrt",
            FloatUnary::Neg => "fpneg",
            FloatUnary::Pos => "fppos",
            FloatUnary::ToFp(..) => "fptofp",
            FloatUnary::ToBv(..) => "fptobv",
            FloatUnary::FromBv(..) => "fpfrombv",
        }
    }
}

impl Extension {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Extension::Zero => "bv_zero_extend",
            Extension::Sign => "bv_sign_extend",
        }
    }
}

impl BinaryOp {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BinaryOp::Iff => "iff",
            BinaryOp::Imply => "imply",
            BinaryOp::Xor => "xor",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "/=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Sub => "-",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::Rem => "rem",
            BinaryOp::Bits(op) => op.text(),
            BinaryOp::Float(op) => op.text(),
        }
    }
}

impl BitsOp {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BitsOp::Ult => "bvult",
            BitsOp::Ule => "bvule",
            BitsOp::Ugt => "bvugt",
            BitsOp::Uge => "bvuge",
            BitsOp::Slt => "bvslt",
            BitsOp::Sle => "bvsle",
            BitsOp::Sgt => "bvsgt",
            BitsOp::Sge => "bvsge",
            BitsOp::Or => "bvor",
            BitsOp::Xor => "bvxor",
            BitsOp::And => "bvand",
            BitsOp::Shl => "bvshl",
            BitsOp::Ashr => "bvashr",
            BitsOp::Lshr => "bvlshr",
            BitsOp::Rol => "bvrol",
            BitsOp::Ror => "bvror",
            BitsOp::Add => "bvadd",
            BitsOp::Sub => "bvsub",
            BitsOp::Mul => "bvmul",
            BitsOp::Udiv => "bvudiv",
            BitsOp::Sdiv => "bvsdiv",
            BitsOp::Smod => "bvsmod",
            BitsOp::Urem => "bvurem",
            BitsOp::Srem => "bvsrem",
            BitsOp::Concat => "++",
        }
    }
}

impl FloatBinary {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            FloatBinary::Max => "fpmax",
            FloatBinary::Min => "fpmin",
            FloatBinary::Rem => "fprem",
            FloatBinary::Add(_) => "fpadd",
            FloatBinary::Sub(_) => "fpsub",
            FloatBinary::Mul(_) => "fpmul",
            FloatBinary::Div(_) => "fpdiv",
        }
    }

    /// The same operator with another rounding mode, if it rounds.
    pub(crate) fn rounding(self, rounding: RoundingMode) -> FloatBinary {
        match self {
            FloatBinary::Max | FloatBinary::Min | FloatBinary::Rem => self,
            FloatBinary::Add(_) => FloatBinary::Add(rounding),
            FloatBinary::Sub(_) => FloatBinary::Sub(rounding),
            FloatBinary::Mul(_) => FloatBinary::Mul(rounding),
            FloatBinary::Div(_) => FloatBinary::Div(rounding),
        }
    }
}
