//! `__builtin_add_overflow` and its relatives: arithmetic that says whether the result fits.
//!
//! The operation is computed with 128-bit integers, which is enough for sums, differences and products of 64-bit
//! integers: a product that does not fit differs from all 64-bit numbers even after it has wrapped around.

use thetis_base::Span;

use super::expr::Operand;
use super::literal::unsupported;
use super::{Checked, Checker};
use crate::hir::{
    BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, PlaceKind, Stmt, StmtKind, Type, TypeId,
};
use crate::syntax::ast;

/// What a builtin computes, and the type of its operands if its name determines it.
pub(super) fn overflow_operation(name: &str) -> Option<(BinaryOp, Option<IntKind>)> {
    let name = name.strip_suffix("_p").unwrap_or(name).strip_suffix("_overflow")?;
    let op = |name: &str| {
        Some(match name {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "mul" => BinaryOp::Mul,
            _ => return None,
        })
    };
    if let Some(op) = op(name) {
        return Some((op, None));
    }
    let (is_signed, rest) = match name.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, name.strip_prefix('u')?),
    };
    let length = rest.len().min(3);
    let kind = match (is_signed, rest.get(length..)?) {
        (true, "") => IntKind::Int,
        (false, "") => IntKind::UnsignedInt,
        (true, "l") => IntKind::Long,
        (false, "l") => IntKind::UnsignedLong,
        (true, "ll") => IntKind::LongLong,
        (false, "ll") => IntKind::UnsignedLongLong,
        _ => return None,
    };
    Some((op(rest.get(..length)?)?, Some(kind)))
}

impl Checker<'_, '_> {
    /// The class of a type as `__builtin_classify_type` numbers it, after promotions.
    pub(super) fn type_class(&self, ty: TypeId) -> u8 {
        match self.types.get(ty) {
            Type::Void => 0,
            Type::Int(_) => 1,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Record(record) if self.opaque_reason(ty).is_some() => {
                let is_complex = self.types.record(*record).tag.contains("complex");
                if is_complex { 9 } else { 8 }
            }
            Type::Record(record) => match self.types.record(*record).kind {
                crate::hir::RecordKind::Struct => 12,
                crate::hir::RecordKind::Union => 13,
            },
        }
    }

    /// An operation whose result is stored, or only looked at (`_p`), and whether it does not fit.
    pub(super) fn checked_operation(
        &mut self,
        name: &str,
        [left, right, result]: [&ast::Expr; 3],
        span: Span,
    ) -> Checked<Operand> {
        let int = self.int();
        let Some((op, kind)) = overflow_operation(name) else {
            return Ok(Operand::Value(unsupported(format!("`__builtin_{name}`"), int, span)));
        };
        let operands = [self.value(left)?, self.value(right)?];
        let result = self.value(result)?;
        let is_stored = !name.ends_with("_p");
        let target = if is_stored { self.pointee(result.ty) } else { Some(result.ty) };
        let types = [Some(operands[0].ty), Some(operands[1].ty), target];
        let is_fine = |ty: Option<TypeId>| {
            let size = ty.and_then(|ty| self.int_kind(ty)).map(|kind| kind.size(self.model()));
            size.is_some_and(|size| size <= 8)
        };
        let Some(target) = target.filter(|_| types.into_iter().all(is_fine) && self.function.is_some())
        else {
            return Ok(Operand::Value(unsupported(format!("`__builtin_{name}` of these types"), int, span)));
        };
        let target = self.types.plain(target);
        let [left, right] = operands.map(|operand| self.widened(operand, kind));
        let wide = left.ty;
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        let (calculation, exact) = self.kept(Expr { kind, ty: wide, span });
        let mut stmts = vec![calculation];
        let narrow = self.convert(exact.clone(), target);
        if is_stored {
            let kind = PlaceKind::Deref(Box::new(result));
            let place = Place { kind, ty: target, span };
            let kind = ExprKind::Assign(Box::new(place), Box::new(narrow.clone()));
            stmts.push(Stmt { kind: StmtKind::Expr(Expr { kind, ty: target, span }), span });
        }
        let again = self.convert(narrow, wide);
        let kind = ExprKind::Compare(CompareOp::Ne, Box::new(again), Box::new(exact));
        let differs = Expr { kind, ty: int, span };
        let bool_type = self.int_type(IntKind::Bool);
        let value = self.convert(differs, bool_type);
        let kind = ExprKind::Block(stmts, Some(Box::new(value)));
        Ok(Operand::Value(Expr { kind, ty: bool_type, span }))
    }

    /// An operand, first as what the name of the builtin says, then with 128 bits.
    fn widened(&mut self, operand: Expr, kind: Option<IntKind>) -> Expr {
        let operand = match kind {
            Some(kind) => {
                let ty = self.int_type(kind);
                self.convert(operand, ty)
            }
            None => operand,
        };
        let wide = self.int_type(IntKind::Int128);
        self.convert(operand, wide)
    }
}
