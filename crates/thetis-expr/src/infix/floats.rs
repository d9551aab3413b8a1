//! Operators on floats.

use smallvec::smallvec;

use super::level::Level;
use super::shape::{Piece, Pieces, between};
use crate::{ExprId, FloatSort, Op, Store};

/// The level and pieces of a float operator.
pub(super) fn pieces(store: &Store, op: Op, expr: ExprId) -> (Level, Pieces) {
    use Level::*;
    use Op::*;
    match op {
        FpAdd(_) | FpSub(_) => (Sum, rounded(store, op, expr, Sum, Product)),
        FpMul(_) | FpDiv(_) => (Product, rounded(store, op, expr, Product, Concatenation)),
        FpRem => (Product, between(store, expr, " fprem ", Product, Concatenation)),
        FpMin => (MinMax, between(store, expr, " fpmin ", Level::Or, Level::Or)),
        FpMax => (MinMax, between(store, expr, " fpmax ", Level::Or, Level::Or)),
        FpLe => (Relation, between(store, expr, " <= ", BitOr, BitOr)),
        FpLt => (Relation, between(store, expr, " < ", BitOr, BitOr)),
        FpEq => (Equality, between(store, expr, " = ", Relation, Relation)),
        FpIsNan | FpAbs | FpNeg | FpSqrt(_) | FpRoundToIntegral(_) => prefix(store, op, expr),
        FpFromFp(_) | FpFromSigned(_) | FpFromUnsigned(_) | FpToSigned(_) | FpToUnsigned(_) => {
            prefix(store, op, expr)
        }
        _ => call(store, op, expr),
    }
}

/// Identity of floats, which `=` is not.
pub(super) fn same(store: &Store, expr: ExprId) -> (Level, Pieces) {
    let args = between(store, expr, ", ", Level::Lowest, Level::Lowest);
    (Level::Primary, wrapped("same(".into(), args, ")".into()))
}

/// The word of an operator, with the formats and the rounding mode that belong to it.
fn word(store: &Store, op: Op, expr: ExprId) -> String {
    use Op::*;
    let width = store.sort(expr).width().unwrap_or(0);
    let format = store.sort(expr).float_format().map(indices).unwrap_or_default();
    let name = match op {
        FpAdd(_) => "fpadd".into(),
        FpSub(_) => "fpsub".into(),
        FpMul(_) => "fpmul".into(),
        FpDiv(_) => "fpdiv".into(),
        FpIsNan => "fpisnan".into(),
        FpAbs => "fpabs".into(),
        FpNeg => "fpneg".into(),
        FpSqrt(_) => "fpsqrt".into(),
        FpRoundToIntegral(_) => "fproundtoint".into(),
        FpFromFp(_) => format!("fptofp[{format}]"),
        FpFromSigned(_) => format!("fpfrombv[{format}][s]"),
        FpFromUnsigned(_) => format!("fpfrombv[{format}][u]"),
        FpToSigned(_) => format!("fptobv[{width}'s]"),
        FpToUnsigned(_) => format!("fptobv[{width}'u]"),
        _ => panic!("{op:?} should be written as a call"),
    };
    match op.rounding_mode() {
        Some(mode) => format!("{name}[{}]", mode.name()),
        None => name,
    }
}

fn indices(format: FloatSort) -> String {
    format!("{},{}", format.exponent_bits(), format.significand_bits())
}

fn rounded(store: &Store, op: Op, expr: ExprId, left: Level, right: Level) -> Pieces {
    let (first, second) = (store.arg(expr, 0), store.arg(expr, 1));
    let word = format!(" {} ", word(store, op, expr));
    smallvec![Piece::Term(first, left), Piece::Owned(word), Piece::Term(second, right)]
}

fn prefix(store: &Store, op: Op, expr: ExprId) -> (Level, Pieces) {
    let word = format!("{} ", word(store, op, expr));
    (Level::Sign, smallvec![Piece::Owned(word), Piece::Term(store.arg(expr, 0), Level::Sign)])
}

fn call(store: &Store, op: Op, expr: ExprId) -> (Level, Pieces) {
    use Op::*;
    let format = store.sort(expr).float_format().map(indices).unwrap_or_default().replace(',', ", ");
    let (opening, closing) = match op {
        FpFma(mode) => (format!("fpfma({}, ", mode.name()), ")".into()),
        FpFromReal(mode) => (format!("rat2fp({}, ", mode.name()), format!(", {format})")),
        FpFromBits => ("bv2fp(".into(), format!(", {format})")),
        FpToReal => ("fp2rat(".into(), ")".into()),
        FpIsInfinite => ("fpisinfinite(".into(), ")".into()),
        FpIsZero => ("fpiszero(".into(), ")".into()),
        FpIsNormal => ("fpisnormal(".into(), ")".into()),
        FpIsSubnormal => ("fpissubnormal(".into(), ")".into()),
        FpIsNegative => ("fpisnegative(".into(), ")".into()),
        FpIsPositive => ("fpispositive(".into(), ")".into()),
        _ => panic!("{op:?} should not be written as a call"),
    };
    let args = between(store, expr, ", ", Level::Lowest, Level::Lowest);
    (Level::Primary, wrapped(opening, args, closing))
}

fn wrapped(opening: String, args: Pieces, closing: String) -> Pieces {
    std::iter::once(Piece::Owned(opening)).chain(args).chain([Piece::Owned(closing)]).collect()
}
