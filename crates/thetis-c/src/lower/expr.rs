//! Expressions: their effects become statements, their values terms.
//!
//! The value of an expression is a term over the variables of the automaton as they are when its evaluation ends. An
//! operand whose right neighbour changes variables is therefore *frozen*, that is, copied to a new variable.

use num_bigint::BigInt;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::assign::{Update, Use};
use super::lowering::Lowering;
use super::order::Conflict;
use super::origin::{Event, VarOrigin};
use super::scalar::{Integer, Scalar, address_width};
use super::spot::Spot;
use super::volatile::Volatility;
use super::walk::site_of;
use crate::hir::{BitField, Expr, ExprKind, Place, Type, TypeId};

impl<'h> Lowering<'h> {
    /// Evaluates an expression for its effects.
    pub(super) fn effect(&mut self, expr: &'h Expr) {
        match &expr.kind {
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.effect(right);
            }
            ExprKind::Convert(inner) if matches!(self.program.types.get(expr.ty), Type::Void) => {
                self.effect(inner)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.choose(
                    condition,
                    |lowering| lowering.effect(then),
                    |lowering| lowering.effect(otherwise),
                    expr.span,
                );
            }
            // The value read by a statement such as `(void)x` is not used.
            ExprKind::Load(place) if self.checks_values() => drop(self.place(place)),
            _ if self.is_record(expr.ty) => drop(self.record(expr)),
            _ => {
                self.ignored = Some(site_of(expr));
                self.evaluate(expr, Use::Nothing);
            }
        }
    }

    /// The value of a scalar expression; meaningless for type `void`.
    pub(super) fn value(&mut self, expr: &'h Expr) -> ExprId {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.evaluate(expr, Use::Value))
    }

    pub(super) fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(_))
    }

    fn evaluate(&mut self, expr: &'h Expr, usage: Use) -> ExprId {
        let store = self.store();
        match &expr.kind {
            ExprKind::Int(number) => self.literal(expr.ty, number),
            ExprKind::Float(bits) => match self.scalar(expr.ty) {
                Some(Scalar::Float(kind)) => self.arith.float_literal(kind, *bits),
                _ => store.tru(),
            },
            ExprKind::Load(place) => self.load_place(place),
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.address_of(place),
            ExprKind::FunctionAddress(function) => self.objects.function_address(*function),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr),
            ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                self.truth_value(expr)
            }
            ExprKind::Binary(op, left, right) => {
                let (left_term, right_term) = self.operands(left, right);
                self.check_number_of(*op, left, right, [left_term, right_term], expr.span);
                self.binary(*op, expr.ty, left_term, (right.ty, right_term), expr.span)
            }
            ExprKind::Offset { pointer, index, is_negated } => {
                let (pointer_term, index_term) = self.operands(pointer, index);
                self.check_moved(pointer.ty, (index.ty, index_term), expr.span);
                self.advanced(pointer_term, pointer.ty, (index.ty, index_term), *is_negated, expr.span)
            }
            ExprKind::Difference(left, right) => self.difference(left, right, expr),
            ExprKind::Convert(inner) => self.conversion(inner, expr),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise, expr)
            }
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.evaluate(right, usage)
            }
            ExprKind::Assign(place, value) => self.assign(place, value, usage, expr.span),
            ExprKind::Update { place, op, value, computation } => {
                let update = Update { place, op: *op, value, computation: *computation };
                self.update(update, usage, expr.span)
            }
            ExprKind::Advance { place, index, is_negated } => {
                if self.conflict_with_object(place, index) != Conflict::None {
                    self.limit_order(expr.span);
                }
                let spot = self.target(place, index);
                let index_term = self.value(index);
                self.check_object(spot, place.ty, expr.span);
                self.check_origin(place, spot, expr.span);
                self.check_moved(place.ty, (index.ty, index_term), expr.span);
                let old = self.read_object(place, spot, Scalar::Pointer, None);
                let new = self.advanced(old, place.ty, (index.ty, index_term), *is_negated, expr.span);
                self.store_value(spot, place, new, usage, expr.span)
            }
            ExprKind::Step { place, is_increment, is_postfix } => {
                self.step(place, *is_increment, *is_postfix, usage, expr.span)
            }
            ExprKind::Call(callee, args) => self.call_value(expr, callee, args),
            ExprKind::Block(stmts, value) => {
                self.enter_expression(stmts);
                let term = value.as_ref().map_or(store.tru(), |value| self.evaluate(value, usage));
                self.leave_expression(expr, term)
            }
            ExprKind::Unsupported(reason) => self.unsupported(expr, reason),
        }
    }

    /// The statements of a statement expression.
    fn enter_expression(&mut self, stmts: &'h [crate::hir::Stmt]) {
        self.scope.num_expressions += 1;
        for stmt in stmts {
            self.enter_atomic_access(stmt);
            self.stmt(stmt);
        }
        self.leave_atomic_access(stmts);
    }

    /// The end of a statement expression: the variables of its value may change then.
    fn leave_expression(&mut self, expr: &'h Expr, value: ExprId) -> ExprId {
        self.scope.num_expressions -= 1;
        if !self.checks_memory() {
            return value;
        }
        let value = self.freeze(value, expr.span);
        self.end_lifetimes_in(expr);
        value
    }

    fn unsupported(&mut self, expr: &Expr, reason: &str) -> ExprId {
        self.out.limit(expr.span, reason);
        match self.scalar(expr.ty) {
            Some(scalar) => self.arbitrary(scalar, expr.span),
            None => self.store().tru(),
        }
    }

    fn literal(&mut self, ty: TypeId, number: &BigInt) -> ExprId {
        match self.scalar(ty) {
            Some(Scalar::Bool) => self.arith.integer(Integer::unsigned(1), number),
            Some(Scalar::Int(integer)) => self.arith.integer(integer, number),
            Some(Scalar::Pointer) => {
                let address = Integer::unsigned(address_width(self.program.types.model()));
                let term = self.arith.integer(address, number);
                self.arith.convert(Scalar::Int(address), Scalar::Pointer, term).term
            }
            Some(Scalar::Float(_)) | None => self.store().tru(),
        }
    }

    /// Two operands, the left one first.
    pub(super) fn operands(&mut self, left: &'h Expr, right: &'h Expr) -> (ExprId, ExprId) {
        match self.conflict(left, right) {
            Conflict::None => self.operands_in_order(left, right),
            Conflict::Ordered => self.operands_in_either_order(left, right),
            Conflict::Undefined => {
                self.limit_order(left.span);
                self.operands_in_order(left, right)
            }
        }
    }

    fn operands_in_either_order(&mut self, left: &'h Expr, right: &'h Expr) -> (ExprId, ExprId) {
        let (Some(left_scalar), Some(right_scalar)) = (self.scalar(left.ty), self.scalar(right.ty)) else {
            return self.operands_in_order(left, right);
        };
        let vars = [left_scalar, right_scalar].map(|scalar| {
            let sort = self.arith.sort(scalar);
            self.auxiliary("tmp", sort, VarOrigin::Temporary)
        });
        let keep = |lowering: &mut Self, number: usize, expr: &'h Expr| {
            let term = lowering.value(expr);
            lowering.out.emit(StmtKind::Assign(vars[number], term), expr.span, Event::Silent);
        };
        self.in_either_order(
            left.span,
            |lowering| {
                keep(lowering, 0, left);
                keep(lowering, 1, right);
            },
            |lowering| {
                keep(lowering, 1, right);
                keep(lowering, 0, left);
            },
        );
        (self.store().var_expr(vars[0]), self.store().var_expr(vars[1]))
    }

    fn operands_in_order(&mut self, left: &'h Expr, right: &'h Expr) -> (ExprId, ExprId) {
        let mut left_term = self.value(left);
        if self.writes(right) {
            left_term = self.freeze(left_term, left.span);
        }
        (left_term, self.value(right))
    }

    /// The value of an expression that is stored next, with the flags of its address bytes.
    pub(super) fn value_with_marks(&mut self, expr: &'h Expr) -> (ExprId, Vec<ExprId>) {
        let (ExprKind::Load(place), Some(scalar)) = (&expr.kind, self.scalar(expr.ty)) else {
            return (self.value(expr), Vec::new());
        };
        let is_plain = self.bits_of(place).is_none() && self.volatility(place) == Volatility::Own;
        if self.holds_addresses(scalar) || !is_plain {
            return (self.value(expr), Vec::new());
        }
        let spot = self.readable(place);
        self.check_value(spot, scalar, None, place.span);
        let value = self.read(spot, scalar, None, place.span);
        (value, self.marks_at(spot, scalar, place.span))
    }

    /// The place of an object that is read next.
    fn readable(&mut self, place: &'h Place) -> Spot {
        let spot = self.place(place);
        self.check_scalar(spot, place.ty, self.bits_of(place), place.span);
        self.check_origin(place, spot, place.span);
        spot
    }

    fn load_place(&mut self, place: &'h Place) -> ExprId {
        let spot = self.readable(place);
        let bits = self.bits_of(place);
        match self.scalar(place.ty) {
            Some(scalar) => self.read_object(place, spot, scalar, bits),
            None => self.store().tru(),
        }
    }

    /// Reads the object of an expression. An object that the outside world may change has a new value each time.
    pub(super) fn read_object(
        &mut self,
        place: &'h Place,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
    ) -> ExprId {
        match self.volatility(place) {
            Volatility::Own => {
                self.check_value(spot, scalar, bits, place.span);
                let value = self.read(spot, scalar, bits, place.span);
                self.check_marks(spot, scalar, value, place.span);
                value
            }
            Volatility::Outside => {
                let value = self.arbitrary(scalar, place.span);
                self.narrowed(scalar, bits, value)
            }
            Volatility::Unknown => {
                self.out.limit(place.span, "a volatile object may be one of the program or of a device");
                self.read(spot, scalar, bits, place.span)
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &'h Expr,
        then: &'h Expr,
        otherwise: &'h Expr,
        expr: &'h Expr,
    ) -> ExprId {
        let Some(scalar) = self.scalar(expr.ty) else {
            self.effect(expr);
            return self.store().tru();
        };
        if self.is_pure(then) && self.is_pure(otherwise) {
            let condition = self.condition(condition);
            let then = self.guarded(condition, |lowering| lowering.value(then));
            let is_false = self.store().not(condition);
            let otherwise = self.guarded(is_false, |lowering| lowering.value(otherwise));
            return self.store().ite(condition, then, otherwise);
        }
        let sort = self.arith.sort(scalar);
        let var = self.auxiliary("tmp", sort, VarOrigin::Temporary);
        let branch = |value: &'h Expr| {
            move |lowering: &mut Self| {
                let term = lowering.value(value);
                lowering.out.emit(StmtKind::Assign(var, term), value.span, Event::Silent);
            }
        };
        self.choose(condition, branch(then), branch(otherwise), expr.span);
        self.store().var_expr(var)
    }

    /// The place of the value of an expression of record type.
    pub(super) fn record(&mut self, expr: &'h Expr) -> Spot {
        match &expr.kind {
            ExprKind::Load(place) => {
                let spot = self.place(place);
                self.check_object(spot, place.ty, place.span);
                if self.volatility(place) != Volatility::Own {
                    self.out
                        .limit(place.span, "a volatile structure of the outside world is read as a whole");
                }
                spot
            }
            ExprKind::Assign(place, value) => {
                if self.conflict_with_place(place, value) != Conflict::None {
                    self.limit_order(expr.span);
                }
                let target = self.target(place, value);
                let source = self.record(value);
                self.check_object(target, place.ty, place.span);
                self.check_writable(target.reach(), place.span);
                self.copy(target, source, expr.ty, expr.span, &Event::Assign);
                target
            }
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.record(right)
            }
            ExprKind::Block(stmts, Some(value)) => {
                self.enter_expression(stmts);
                let spot = self.record(value);
                self.leave_record(spot, expr)
            }
            ExprKind::Call(callee, args) => self.call_record(expr, callee, args),
            ExprKind::Conditional(condition, then, otherwise) => {
                let Some(target) = self.temporary_spot(expr.ty) else {
                    self.out.limit(expr.span, "a union is chosen by a condition");
                    return Spot::Nowhere;
                };
                let branch = |value: &'h Expr| {
                    move |lowering: &mut Self| {
                        let source = lowering.record(value);
                        lowering.copy(target, source, value.ty, value.span, &Event::Silent);
                    }
                };
                self.choose(condition, branch(then), branch(otherwise), expr.span);
                target
            }
            ExprKind::Unsupported(reason) => {
                self.out.limit(expr.span, reason.as_str());
                Spot::Nowhere
            }
            _ => {
                self.out.limit(expr.span, "a structure is created in an unsupported way");
                Spot::Nowhere
            }
        }
    }

    /// The end of a statement expression whose value is a record: it is copied, since the original object may be dead
    /// by then.
    fn leave_record(&mut self, spot: Spot, expr: &'h Expr) -> Spot {
        self.scope.num_expressions -= 1;
        if !self.checks_memory() {
            return spot;
        }
        let Some(target) = self.temporary_spot(expr.ty) else {
            self.out.limit(expr.span, "a union is the value of a statement expression");
            return Spot::Nowhere;
        };
        self.copy(target, spot, expr.ty, expr.span, &Event::Silent);
        self.end_lifetimes_in(expr);
        target
    }
}
