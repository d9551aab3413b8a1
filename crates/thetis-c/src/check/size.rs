//! How large types are, how they are aligned, and where their members are.

use thetis_base::Span;

use super::expr::Operand;
use super::literal::unsupported;
use super::{Checked, Checker};
use crate::code;
use crate::hir::{ArrayLength, BinaryOp, Expr, ExprKind, Machine, Place, PlaceKind, Type, TypeId};
use crate::syntax::ast;

impl Checker<'_, '_> {
    pub(super) fn size_of_operand(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.operand(operand)?;
        let is_bit_field =
            matches!(&operand, Operand::Place(place) if self.bits_of_place(&place.kind).is_some());
        if is_bit_field {
            return self.type_error(span, "a bit-field has no size");
        }
        let ty = self.operand_type(&operand);
        if self.has_variable_size(ty) && operand.has_effects() {
            let size_type = self.size_type();
            return Ok(unsupported("effects in the operand of `sizeof`", size_type, span));
        }
        self.size_of(ty, span)
    }

    /// The size of a type that is written out. Lengths on which it does not depend may or may not be evaluated.
    pub(super) fn size_of_type(&mut self, name: &ast::TypeName, span: Span) -> Checked<Expr> {
        self.with_lengths(|checker| {
            let ty = checker.type_name(name)?;
            if !checker.has_variable_size(ty) {
                checker.refuse_effects_of_lengths("a length with effects that `sizeof` does not need", span);
            }
            checker.size_of(ty, span)
        })
    }

    /// The size of a type: a constant, or a calculation from the lengths of variable-length arrays.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> Checked<Expr> {
        let size_type = self.size_type();
        if let Some(size) = self.types.size_of(ty) {
            return Ok(self.int_expr(size, size_type, span));
        }
        let Type::Array(element, length) = *self.types.get(ty) else {
            return self.no_size(ty, span);
        };
        let length = match length {
            ArrayLength::Constant(length) => self.int_expr(length, size_type, span),
            ArrayLength::Variable(local) => {
                let place = Place { kind: PlaceKind::Local(local), ty: size_type, span };
                Expr { kind: ExprKind::Load(Box::new(place)), ty: size_type, span }
            }
            ArrayLength::Unknown => return self.no_size(ty, span),
        };
        let size = self.size_of(element, span)?;
        let kind = ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(size));
        Ok(Expr { kind, ty: size_type, span })
    }

    fn no_size<T>(&mut self, ty: TypeId, span: Span) -> Checked<T> {
        let message = format!("the incomplete type `{}` has no size", self.show(ty));
        Err(self.sink.error(span, code::INCOMPLETE_TYPE, message))
    }

    pub(super) fn align_of(&mut self, kind: ast::AlignmentKind, ty: TypeId, span: Span) -> Checked<Expr> {
        let least = self.types.align_of(ty);
        let is_preferred = kind == ast::AlignmentKind::Preferred && self.types.machine() == Machine::I386;
        let align = match self.types.get(ty) {
            Type::Record(record) if self.types.record(*record).fields.is_none() => {
                return self.no_size(ty, span);
            }
            // Variables of these types are aligned better than members.
            Type::Int(kind) if is_preferred => kind.size(self.model()),
            Type::Float(crate::hir::FloatKind::Double) if is_preferred => 8,
            _ => least,
        };
        let size_type = self.size_type();
        Ok(self.int_expr(align, size_type, span))
    }

    pub(super) fn offset_of(
        &mut self,
        name: &ast::TypeName,
        steps: &[ast::OffsetStep],
        span: Span,
    ) -> Checked<Expr> {
        let ty = self.type_name(name)?;
        let null = self.pointer_to(ty);
        let null = self.int_expr(0, null, span);
        let mut place = Place { kind: PlaceKind::Deref(Box::new(null)), ty, span };
        for step in steps {
            place = self.offset_step(place, step, span)?;
        }
        let pointer = self.pointer_to(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer, span };
        let size_type = self.size_type();
        match self.constant_int(&address) {
            Some(offset) => Ok(self.int_expr(offset, size_type, span)),
            None => Ok(unsupported("`offsetof` with an index that is not constant", size_type, span)),
        }
    }

    fn offset_step(&mut self, place: Place, step: &ast::OffsetStep, span: Span) -> Checked<Place> {
        match step {
            ast::OffsetStep::Field(name, field_span) => {
                let path = self.record_of(place.ty).and_then(|record| self.find_field(record, name));
                let Some(path) = path else {
                    let message = format!("`{}` has no member `{name}`", self.show(place.ty));
                    return Err(self.sink.error(*field_span, code::UNKNOWN_NAME, message));
                };
                Ok(path.into_iter().fold(place, |place, index| self.field_of(place, index, span)))
            }
            ast::OffsetStep::Index(index) => {
                let index = self.value(index)?;
                let Type::Array(element, _) = *self.types.get(place.ty) else {
                    return self.type_error(index.span, format!("`{}` is not an array", self.show(place.ty)));
                };
                Ok(Place { kind: PlaceKind::Index(Box::new(place), Box::new(index)), ty: element, span })
            }
        }
    }
}
