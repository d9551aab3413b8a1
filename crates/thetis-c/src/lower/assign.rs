//! Assignments: plain and compound ones, increments and decrements.
//!
//! Where it matters whether the object or the value is evaluated first, both orders are explored.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::arith::Operation;
use super::lowering::Lowering;
use super::order::{Conflict, rewrites};
use super::origin::{Event, VarOrigin};
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::storage::Storage;
use super::walk::site_of;
use crate::hir::{BinaryOp, BitField, Expr, Place, Type, TypeId};

/// How the value of an assignment is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Value,
    Nothing,
}

/// `place op= value`, calculated in the type `computation`.
#[derive(Clone, Copy)]
pub(super) struct Update<'h> {
    pub(super) place: &'h Place,
    pub(super) op: BinaryOp,
    pub(super) value: &'h Expr,
    pub(super) computation: TypeId,
}

impl<'h> Lowering<'h> {
    /// The place of an assignment whose right side is evaluated next.
    pub(super) fn target(&mut self, place: &'h Place, value: &'h Expr) -> Spot {
        let spot = self.place(place);
        if self.writes(value) { self.freeze_spot(spot, place.span) } else { spot }
    }

    pub(super) fn assign(&mut self, place: &'h Place, value: &'h Expr, usage: Use, span: Span) -> ExprId {
        if rewrites(place, value) {
            self.limit_order(span);
        }
        if self.is_standard_stream(place) {
            self.out.limit(span, "a standard stream is replaced");
        }
        match self.conflict_with_place(place, value) {
            Conflict::None => self.assign_place_first(place, value, usage, span),
            Conflict::Ordered => self.changed_in_either_order(
                place,
                span,
                |lowering| lowering.assign_place_first(place, value, Use::Value, span),
                |lowering| lowering.assign_value_first(place, value, span),
            ),
            Conflict::Undefined => {
                self.limit_order(span);
                self.assign_place_first(place, value, usage, span)
            }
        }
    }

    fn assign_place_first(&mut self, place: &'h Place, value: &'h Expr, usage: Use, span: Span) -> ExprId {
        let spot = self.target(place, value);
        let (term, marks) = self.value_with_marks(value);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        let stored = self.store_value(spot, place, term, usage, span);
        if let (false, Some(scalar)) = (marks.is_empty(), self.scalar(place.ty)) {
            self.set_marks(spot, scalar, &marks, span);
        }
        stored
    }

    fn assign_value_first(&mut self, place: &'h Place, value: &'h Expr, span: Span) -> ExprId {
        let term = self.value(value);
        let term = self.freeze(term, span);
        let spot = self.place(place);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        self.store_value(spot, place, term, Use::Value, span)
    }

    /// The value of an assignment with two possible orders of evaluation.
    fn changed_in_either_order(
        &mut self,
        place: &'h Place,
        span: Span,
        as_written: impl FnOnce(&mut Self) -> ExprId,
        reversed: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        let Some(scalar) = self.scalar(place.ty) else { return as_written(self) };
        let sort = self.arith.sort(scalar);
        let var = self.auxiliary("tmp", sort, VarOrigin::Temporary);
        self.in_either_order(
            span,
            |lowering| {
                let term = as_written(lowering);
                lowering.out.emit(StmtKind::Assign(var, term), span, Event::Silent);
            },
            |lowering| {
                let term = reversed(lowering);
                lowering.out.emit(StmtKind::Assign(var, term), span, Event::Silent);
            },
        );
        self.store().var_expr(var)
    }

    /// Writes a value to a place and returns the stored value.
    pub(super) fn store_value(
        &mut self,
        spot: Spot,
        place: &'h Place,
        value: ExprId,
        usage: Use,
        span: Span,
    ) -> ExprId {
        let Some(scalar) = self.scalar(place.ty) else { return value };
        let bits = self.bits_of(place);
        self.check_fit(scalar, scalar.narrowed(bits), value, span);
        self.limit_shared_bits(place, span);
        let is_variable = match spot {
            Spot::Part { storage, .. } => {
                matches!(self.objects.storages.parts[storage], Storage::Scalar { is_array: false, .. })
            }
            Spot::Single { .. } => true,
            Spot::Memory { .. } | Spot::Nowhere => false,
        };
        if usage == Use::Nothing || is_variable {
            self.write(spot, (scalar, bits), value, span, Event::Assign);
            return if usage == Use::Nothing { value } else { self.read(spot, scalar, bits, span) };
        }
        let stored = self.narrowed(scalar, bits, value);
        let stored = self.freeze(stored, span);
        self.write(spot, (scalar, bits), stored, span, Event::Assign);
        stored
    }

    pub(super) fn narrowed(&self, scalar: Scalar, bits: Option<BitField>, value: ExprId) -> ExprId {
        let narrow = self.arith.convert(scalar, scalar.narrowed(bits), value).term;
        self.arith.convert(scalar.narrowed(bits), scalar, narrow).term
    }

    pub(super) fn update(&mut self, update: Update<'h>, usage: Use, span: Span) -> ExprId {
        let Update { place, value, .. } = update;
        match self.conflict_with_object(place, value) {
            Conflict::None => self.update_value_first(update, usage, span),
            Conflict::Ordered => self.changed_in_either_order(
                place,
                span,
                |lowering| lowering.update_value_first(update, Use::Value, span),
                |lowering| lowering.update_object_first(update, span),
            ),
            Conflict::Undefined => {
                self.limit_order(span);
                self.update_value_first(update, usage, span)
            }
        }
    }

    /// Evaluates the right side before the object is read.
    fn update_value_first(&mut self, update: Update<'h>, usage: Use, span: Span) -> ExprId {
        let Update { place, value, .. } = update;
        let spot = self.target(place, value);
        let right = self.value(value);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        let Some(scalar) = self.scalar(place.ty) else { return right };
        let old = self.read_object(place, spot, scalar, self.bits_of(place));
        self.updated(update, spot, (old, right), usage, span)
    }

    /// Reads the object before the right side is evaluated.
    fn update_object_first(&mut self, update: Update<'h>, span: Span) -> ExprId {
        let Update { place, value, .. } = update;
        let spot = self.target(place, value);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        let Some(scalar) = self.scalar(place.ty) else { return self.value(value) };
        let old = self.read_object(place, spot, scalar, self.bits_of(place));
        let old = self.freeze(old, span);
        let right = self.value(value);
        self.updated(update, spot, (old, right), Use::Value, span)
    }

    fn updated(
        &mut self,
        update: Update<'h>,
        spot: Spot,
        (old, right): (ExprId, ExprId),
        usage: Use,
        span: Span,
    ) -> ExprId {
        let Update { place, op, value, computation } = update;
        let (Some(scalar), Some(wide)) = (self.scalar(place.ty), self.scalar(computation)) else {
            return right;
        };
        let left = self.arith.convert(scalar, wide, old);
        let left = self.defined(left, wide, span);
        let class = self.points.target(self.out.frame, site_of(value));
        self.check_number(op, class, wide, [left, right], span);
        let result = self.binary(op, computation, left, (value.ty, right), span);
        self.check_fit(wide, scalar, result, span);
        let result = self.arith.convert(wide, scalar, result);
        let result = self.defined(result, scalar, span);
        self.store_value(spot, place, result, usage, span)
    }

    pub(super) fn step(
        &mut self,
        place: &'h Place,
        is_increment: bool,
        is_postfix: bool,
        usage: Use,
        span: Span,
    ) -> ExprId {
        let spot = self.place(place);
        let Some(scalar) = self.scalar(place.ty) else { return self.store().tru() };
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        self.check_origin(place, spot, place.span);
        let mut old = self.read_object(place, spot, scalar, self.bits_of(place));
        if is_postfix && usage == Use::Value {
            old = self.freeze(old, span);
        }
        let new = self.stepped(place.ty, scalar, old, is_increment, span);
        match is_postfix && usage == Use::Value {
            true => {
                self.store_value(spot, place, new, Use::Nothing, span);
                old
            }
            false => self.store_value(spot, place, new, usage, span),
        }
    }

    /// One more or less; integers that are narrower than `int` are computed as `int`.
    fn stepped(&mut self, ty: TypeId, scalar: Scalar, old: ExprId, is_increment: bool, span: Span) -> ExprId {
        let op = if is_increment { BinaryOp::Add } else { BinaryOp::Sub };
        let int = Integer::signed(32);
        let one = |lowering: &Self, wide: Scalar| {
            let one = lowering.arith.integer(int, &BigInt::from(1));
            lowering.arith.convert(Scalar::Int(int), wide, one).term
        };
        match scalar {
            Scalar::Pointer => {
                let size = match self.program.types.get(ty) {
                    Type::Pointer(target) => self.size_of(*target, span),
                    _ => self.arith.pointer(1),
                };
                self.check_move((int, self.arith.integer(int, &BigInt::from(1))), size, span);
                let bytes = if is_increment { size } else { self.arith.negate_bytes(size) };
                self.arith.advance(old, bytes)
            }
            Scalar::Float(_) => self.arith.binary(op, scalar, int, old, one(self, scalar)).term,
            Scalar::Bool | Scalar::Int(_) => {
                let wide = match scalar {
                    Scalar::Int(integer) if integer.width >= 32 => integer,
                    _ => int,
                };
                let old = self.arith.convert(scalar, Scalar::Int(wide), old).term;
                let one = one(self, Scalar::Int(wide));
                self.check_overflow(Operation::of_one(op, wide, old, one), span);
                let new = self.arith.binary(op, Scalar::Int(wide), wide, old, one).term;
                self.check_fit(Scalar::Int(wide), scalar, new, span);
                self.arith.convert(Scalar::Int(wide), scalar, new).term
            }
        }
    }
}
