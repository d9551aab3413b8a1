//! Expressions: their effects become statements, their values terms.
//!
//! The value of an expression is a term over the variables of the automaton as they are when its evaluation ends. An
//! operand whose right neighbour changes variables is therefore *frozen*, that is, kept in a variable of its own.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::assumption::AssumptionKind;
use super::lowering::Lowering;
use super::options::Property;
use super::order::{Conflict, rewrites};
use super::origin::{Event, VarOrigin, ViolationKind};
use super::scalar::{Integer, Scalar, address_width};
use super::spot::Spot;
use super::storage::Storage;
use super::volatile::Volatility;
use crate::hir::{BinaryOp, BitField, CompareOp, Expr, ExprKind, Place, Type, TypeId, UnaryOp};

/// What becomes of the value of an assignment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Value,
    Nothing,
}

/// `place op= value`, calculated in the type `computation`.
#[derive(Clone, Copy)]
struct Update<'h> {
    place: &'h Place,
    op: BinaryOp,
    value: &'h Expr,
    computation: TypeId,
}

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
            _ if self.is_record(expr.ty) => drop(self.record(expr)),
            _ => drop(self.evaluate(expr, Use::Nothing)),
        }
    }

    /// The value of a scalar expression; of type `void`, nothing of interest.
    pub(super) fn value(&mut self, expr: &'h Expr) -> ExprId {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.evaluate(expr, Use::Value))
    }

    fn is_record(&self, ty: TypeId) -> bool {
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
            ExprKind::FunctionAddress(function) => self.function_address(*function),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr),
            ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                self.truth_value(expr)
            }
            ExprKind::Binary(op, left, right) => {
                if matches!(op, BinaryOp::Rem | BinaryOp::BitAnd) && self.as_pointer(left).is_some() {
                    self.limit(expr.span, "the low bits of an address matter");
                }
                let (left_term, right_term) = self.operands(left, right);
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
                self.update(place, *op, value, *computation, usage, expr.span)
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
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// The end of a statement expression: what its value was computed from may change then.
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
        self.limit(expr.span, reason);
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
            lowering.emit(StmtKind::Assign(vars[number], term), expr.span, Event::Silent);
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

    fn load_place(&mut self, place: &'h Place) -> ExprId {
        let spot = self.place(place);
        let bits = self.bits_of(place);
        self.check_scalar(spot, place.ty, bits, place.span);
        self.check_origin(place, spot, place.span);
        match self.scalar(place.ty) {
            Some(scalar) => self.read_object(place, spot, scalar, bits),
            None => self.store().tru(),
        }
    }

    /// Reads the object of an expression. What the outside world may change has another value each time.
    fn read_object(
        &mut self,
        place: &'h Place,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
    ) -> ExprId {
        match self.volatility(place) {
            Volatility::Own => self.read(spot, scalar, bits, place.span),
            Volatility::Outside => {
                let value = self.arbitrary(scalar, place.span);
                self.narrowed(scalar, bits, value)
            }
            Volatility::Unknown => {
                self.limit(place.span, "a volatile object may be one of the program or of a device");
                self.read(spot, scalar, bits, place.span)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'h Expr, expr: &Expr) -> ExprId {
        let term = self.value(operand);
        let Some(scalar) = self.scalar(expr.ty) else { return term };
        if let (UnaryOp::Neg, Scalar::Int(integer), true) = (op, scalar, self.checks_overflow()) {
            let zero = self.arith.zero(scalar);
            self.check_overflow(BinaryOp::Sub, integer, integer, zero, term, expr.span);
        }
        self.arith.unary(op, scalar, term)
    }

    /// An operator on terms of type `ty`.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        left: ExprId,
        (right_ty, right): (TypeId, ExprId),
        span: Span,
    ) -> ExprId {
        let Some(scalar) = self.scalar(ty) else { return left };
        let amount = self.scalar(right_ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        if let (Scalar::Int(integer), true) = (scalar, self.checks_overflow()) {
            self.check_overflow(op, integer, amount, left, right, span);
        }
        if let Scalar::Int(integer) = scalar {
            self.check_operand(op, integer, amount, right, span);
        }
        let partial = self.arith.binary(op, scalar, amount, left, right);
        self.defined(partial, scalar, span)
    }

    fn check_overflow(
        &mut self,
        op: BinaryOp,
        integer: Integer,
        amount: Integer,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) {
        if let Some(overflow) = self.arith.overflows(op, integer, amount, left, right) {
            self.forbid(overflow, span, ViolationKind::Overflow);
        }
    }

    /// Checks the divisor of a division or the amount of a shift, if that is what is asked.
    fn check_operand(&mut self, op: BinaryOp, integer: Integer, amount: Integer, right: ExprId, span: Span) {
        let store = self.store();
        match (&self.options.property, op) {
            (Property::NoDivisionByZero, BinaryOp::Div | BinaryOp::Rem) => {
                let zero = self.arith.zero(Scalar::Int(integer));
                self.forbid(store.eq(right, zero), span, ViolationKind::DivisionByZero);
            }
            (Property::ValidShift, BinaryOp::Shl | BinaryOp::Shr) => {
                let scalar = Scalar::Int(amount);
                let width = self.arith.integer(amount, &BigInt::from(integer.width));
                let is_negative = self.arith.compare(CompareOp::Lt, scalar, right, self.arith.zero(scalar));
                let is_large = self.arith.compare(CompareOp::Le, scalar, width, right);
                self.forbid(store.or(is_negative, is_large), span, ViolationKind::Shift);
            }
            _ => {}
        }
    }

    /// `pointer + index`.
    fn advanced(
        &mut self,
        pointer: ExprId,
        pointer_ty: TypeId,
        (index_ty, index): (TypeId, ExprId),
        is_negated: bool,
        span: Span,
    ) -> ExprId {
        let (_, bytes) = self.moved_bytes(pointer_ty, (index_ty, index), is_negated, span);
        self.arith.advance(pointer, bytes)
    }

    /// The size of what a pointer points to, and how many bytes an index moves it.
    pub(super) fn moved_bytes(
        &mut self,
        pointer_ty: TypeId,
        (index_ty, index): (TypeId, ExprId),
        is_negated: bool,
        span: Span,
    ) -> (ExprId, ExprId) {
        let integer = self.scalar(index_ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        let size = match self.program.types.get(pointer_ty) {
            Type::Pointer(target) => self.size_of(*target, span),
            _ => self.arith.pointer(1),
        };
        let bytes = self.arith.scale(self.arith.bytes(integer, index), size);
        (size, if is_negated { self.arith.negate_bytes(bytes) } else { bytes })
    }

    /// Checks that an index moves a pointer not too far.
    fn check_moved(&mut self, pointer_ty: TypeId, (index_ty, index): (TypeId, ExprId), span: Span) {
        if self.checks_accesses() {
            let integer = self.scalar(index_ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
            let (size, _) = self.moved_bytes(pointer_ty, (index_ty, index), false, span);
            self.check_move((integer, index), size, span);
        }
    }

    fn difference(&mut self, left: &'h Expr, right: &'h Expr, expr: &Expr) -> ExprId {
        let (left_term, right_term) = self.operands(left, right);
        let size = match self.program.types.get(left.ty) {
            Type::Pointer(target) => self.program.types.size_of(*target).filter(|size| *size > 0),
            _ => None,
        };
        let (Some(size), Some(Scalar::Int(integer))) = (size, self.scalar(expr.ty)) else {
            self.limit(expr.span, "pointers to objects without a constant size are subtracted");
            return self.arbitrary(Scalar::Int(Integer::signed(64)), expr.span);
        };
        self.arith.distance(integer, left_term, right_term, size)
    }

    fn conversion(&mut self, inner: &'h Expr, expr: &Expr) -> ExprId {
        if self.is_record(inner.ty) {
            self.record(inner);
            return self.store().tru();
        }
        let term = self.value(inner);
        let (Some(from), Some(to)) = (self.scalar(inner.ty), self.scalar(expr.ty)) else { return term };
        let is_address = from == Scalar::Pointer && to.integer().is_some() && to != Scalar::Bool;
        if self.cuts_address(inner, to) && term != self.arith.pointer(0) {
            self.limit(expr.span, "an address becomes an integer with fewer bits");
        }
        if is_address && term != self.arith.pointer(0) {
            self.assume_silently(
                AssumptionKind::PointerNumbers,
                "pointers as integers have the addresses that the model gives them",
                expr.span,
            );
        }
        self.check_conversion(from, to, term, expr.span);
        let partial = self.arith.convert(from, to, term);
        self.defined(partial, to, expr.span)
    }

    /// Whether a conversion keeps only some bits of an address. What they are is not known.
    fn cuts_address(&self, inner: &'h Expr, to: Scalar) -> bool {
        let width = address_width(self.program.types.model());
        let is_pointer = self.scalar(inner.ty) == Some(Scalar::Pointer) || self.as_pointer(inner).is_some();
        is_pointer && matches!(to, Scalar::Int(integer) if integer.width < width)
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
                lowering.emit(StmtKind::Assign(var, term), value.span, Event::Silent);
            }
        };
        self.choose(condition, branch(then), branch(otherwise), expr.span);
        self.store().var_expr(var)
    }

    /// The place of an assignment whose right side is evaluated next.
    fn target(&mut self, place: &'h Place, value: &'h Expr) -> Spot {
        let spot = self.place(place);
        if self.writes(value) { self.freeze_spot(spot, place.span) } else { spot }
    }

    fn assign(&mut self, place: &'h Place, value: &'h Expr, usage: Use, span: Span) -> ExprId {
        if rewrites(place, value) {
            self.limit_order(span);
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
        let term = self.value(value);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        self.store_value(spot, place, term, usage, span)
    }

    fn assign_value_first(&mut self, place: &'h Place, value: &'h Expr, span: Span) -> ExprId {
        let term = self.value(value);
        let term = self.freeze(term, span);
        let spot = self.place(place);
        self.check_written(spot, place.ty, self.bits_of(place), place.span);
        self.store_value(spot, place, term, Use::Value, span)
    }

    /// The value of a change to an object that may happen in two ways.
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
                lowering.emit(StmtKind::Assign(var, term), span, Event::Silent);
            },
            |lowering| {
                let term = reversed(lowering);
                lowering.emit(StmtKind::Assign(var, term), span, Event::Silent);
            },
        );
        self.store().var_expr(var)
    }

    /// Writes a value to a place and says what has been stored.
    fn store_value(&mut self, spot: Spot, place: &'h Place, value: ExprId, usage: Use, span: Span) -> ExprId {
        let Some(scalar) = self.scalar(place.ty) else { return value };
        let bits = self.bits_of(place);
        let is_variable = match spot {
            Spot::Part { storage, .. } => {
                matches!(self.storages.parts[storage], Storage::Scalar { is_array: false, .. })
            }
            Spot::Single { .. } => true,
            Spot::Memory { .. } | Spot::Nowhere => false,
        };
        if usage == Use::Nothing || is_variable {
            self.write(spot, scalar, bits, value, span, Event::Assign);
            return if usage == Use::Nothing { value } else { self.read(spot, scalar, bits, span) };
        }
        let stored = self.narrowed(scalar, bits, value);
        let stored = self.freeze(stored, span);
        self.write(spot, scalar, bits, stored, span, Event::Assign);
        stored
    }

    fn narrowed(&self, scalar: Scalar, bits: Option<BitField>, value: ExprId) -> ExprId {
        let narrow = self.arith.convert(scalar, scalar.narrowed(bits), value).term;
        self.arith.convert(scalar.narrowed(bits), scalar, narrow).term
    }

    fn update(
        &mut self,
        place: &'h Place,
        op: BinaryOp,
        value: &'h Expr,
        computation: TypeId,
        usage: Use,
        span: Span,
    ) -> ExprId {
        let update = Update { place, op, value, computation };
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
        let result = self.binary(op, computation, left, (value.ty, right), span);
        let result = self.arith.convert(wide, scalar, result);
        let result = self.defined(result, scalar, span);
        self.store_value(spot, place, result, usage, span)
    }

    fn step(
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
                if self.checks_overflow() {
                    self.check_overflow(op, wide, wide, old, one, span);
                }
                let new = self.arith.binary(op, Scalar::Int(wide), wide, old, one).term;
                self.arith.convert(Scalar::Int(wide), scalar, new).term
            }
        }
    }

    /// Where the value of an expression of record type is.
    pub(super) fn record(&mut self, expr: &'h Expr) -> Spot {
        match &expr.kind {
            ExprKind::Load(place) => {
                let spot = self.place(place);
                self.check_object(spot, place.ty, place.span);
                if self.volatility(place) != Volatility::Own {
                    self.limit(place.span, "a volatile structure of the outside world is read as a whole");
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
                    self.limit(expr.span, "a union is chosen by a condition");
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
                self.limit(expr.span, reason.as_str());
                Spot::Nowhere
            }
            _ => {
                self.limit(expr.span, "a structure is made in a way that is not understood");
                Spot::Nowhere
            }
        }
    }

    /// The end of a statement expression whose value is a record: it is copied, since what it was may end to live.
    fn leave_record(&mut self, spot: Spot, expr: &'h Expr) -> Spot {
        self.scope.num_expressions -= 1;
        if !self.checks_memory() {
            return spot;
        }
        let Some(target) = self.temporary_spot(expr.ty) else {
            self.limit(expr.span, "a union is the value of a statement expression");
            return Spot::Nowhere;
        };
        self.copy(target, spot, expr.ty, expr.span, &Event::Silent);
        self.end_lifetimes_in(expr);
        target
    }

    /// A comparison of integers that are just pointers is one of the pointers.
    pub(super) fn compared_pointers(&self, left: &'h Expr, right: &'h Expr) -> Option<[Option<&'h Expr>; 2]> {
        match (self.as_pointer(left), self.as_pointer(right)) {
            (Some(left), Some(right)) => Some([Some(left), Some(right)]),
            (Some(left), None) if super::layout::is_zero(right) => Some([Some(left), None]),
            (None, Some(right)) if super::layout::is_zero(left) => Some([None, Some(right)]),
            _ => None,
        }
    }

    fn as_pointer(&self, expr: &'h Expr) -> Option<&'h Expr> {
        let ExprKind::Convert(inner) = &expr.kind else { return None };
        let Some(Scalar::Int(integer)) = self.scalar(expr.ty) else { return None };
        if integer.width < address_width(self.program.types.model()) {
            return None;
        }
        match self.scalar(inner.ty)? {
            Scalar::Pointer => Some(inner),
            _ => self.as_pointer(inner),
        }
    }

    /// The term of a comparison.
    pub(super) fn comparison(&mut self, op: CompareOp, left: &'h Expr, right: &'h Expr) -> ExprId {
        if let Some(sides) = self.compared_pointers(left, right) {
            let null = self.arith.pointer(0);
            let [left_term, right_term] = match sides {
                [Some(left), Some(right)] => <[ExprId; 2]>::from(self.operands(left, right)),
                [Some(left), None] => [self.value(left), null],
                [None, Some(right)] => [null, self.value(right)],
                [None, None] => [null, null],
            };
            return self.arith.compare(op, Scalar::Pointer, left_term, right_term);
        }
        let (left_term, right_term) = self.operands(left, right);
        match self.scalar(left.ty) {
            Some(Scalar::Pointer) => {
                self.check_literals([left, right], [left_term, right_term], left.span);
                self.arith.compare(op, Scalar::Pointer, left_term, right_term)
            }
            Some(scalar) => self.arith.compare(op, scalar, left_term, right_term),
            None => self.store().tru(),
        }
    }
}
