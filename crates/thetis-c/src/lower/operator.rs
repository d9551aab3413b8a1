//! Operators, conversions and comparisons.
//!
//! The result of an operator is a term; overflow and invalid operands are checked first if the property requires it.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;

use super::arith::Operation;
use super::assumption::AssumptionKind;
use super::lowering::Lowering;
use super::options::Property;
use super::origin::ViolationKind;
use super::scalar::{Integer, Scalar, address_width};
use crate::hir::{BinaryOp, CompareOp, Expr, ExprKind, FloatKind, Type, TypeId, UnaryOp};

impl<'h> Lowering<'h> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &'h Expr, expr: &Expr) -> ExprId {
        let term = self.value(operand);
        let Some(scalar) = self.scalar(expr.ty) else { return term };
        if let (UnaryOp::Neg, Scalar::Int(integer)) = (op, scalar) {
            let zero = self.arith.zero(scalar);
            self.check_overflow(Operation::of_one(BinaryOp::Sub, integer, zero, term), expr.span);
        }
        self.check_number_alone(operand, scalar, term, expr.span);
        self.arith.unary(op, scalar, term)
    }

    /// An operator on terms of type `ty`.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        left: ExprId,
        (right_ty, right): (TypeId, ExprId),
        span: Span,
    ) -> ExprId {
        let Some(scalar) = self.scalar(ty) else { return left };
        let amount = self.scalar(right_ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        if let Scalar::Int(integer) = scalar {
            let operation = Operation { op, integer, amount, left, right };
            self.check_overflow(operation, span);
            self.check_operand(operation, span);
        }
        self.trust_rounding(op, scalar, span);
        let partial = self.arith.binary(op, scalar, amount, left, right);
        self.defined(partial, scalar, span)
    }

    pub(super) fn check_overflow(&mut self, operation: Operation, span: Span) {
        if !self.checks_overflow(operation.integer) {
            return;
        }
        if let Some(overflow) = self.arith.overflows(operation) {
            self.out.forbid(overflow, span, ViolationKind::Overflow);
        }
    }

    /// Checks that a value fits into the integer type that it is converted to, if the property requires it.
    pub(super) fn check_fit(&mut self, from: Scalar, to: Scalar, term: ExprId, span: Span) {
        let Some(to_integer) = to.integer().filter(|_| self.checks_fit() && to != Scalar::Bool) else {
            return;
        };
        let store = self.store();
        let is_lost = match from {
            Scalar::Int(from_integer) if !to_integer.contains(from_integer) => {
                let least = self.arith.integer(from_integer, &to_integer.min().max(from_integer.min()));
                let most = self.arith.integer(from_integer, &to_integer.max().min(from_integer.max()));
                let is_below = self.arith.compare(CompareOp::Lt, from, term, least);
                let is_above = self.arith.compare(CompareOp::Lt, from, most, term);
                store.or(is_below, is_above)
            }
            Scalar::Float(_) => store.not(self.arith.convert(from, to, term).is_defined),
            Scalar::Int(_) | Scalar::Bool | Scalar::Pointer => return,
        };
        self.out.forbid(is_lost, span, ViolationKind::Conversion);
    }

    /// Whether the property is about conversions.
    pub(super) fn checks_fit(&self) -> bool {
        self.options.property == Property::NoLossyConversion
    }

    /// Compilers for machines that can multiply and add at once may round once instead of twice.
    fn trust_rounding(&mut self, op: BinaryOp, scalar: Scalar, span: Span) {
        self.trust_precision(scalar, span);
        let is_sum = matches!((op, scalar), (BinaryOp::Add | BinaryOp::Sub, Scalar::Float(_)));
        if is_sum && self.program.types.machine().may_fuse() {
            let text = "each floating-point operation is rounded by itself (-ffp-contract=off)";
            self.out.assume_silently(AssumptionKind::SeparateRounding, text, span);
        }
    }

    /// Compilers may keep a number that was computed in a register with more digits than its type has.
    fn trust_precision(&mut self, scalar: Scalar, span: Span) {
        let is_rounded = matches!(scalar, Scalar::Float(FloatKind::Float | FloatKind::Double));
        if is_rounded && self.program.types.machine().has_excess_precision() {
            let text = "each floating-point operation is rounded to its type (-msse2 -mfpmath=sse)";
            self.out.assume_silently(AssumptionKind::SeparateRounding, text, span);
        }
    }

    /// Checks the divisor of a division or the amount of a shift, if the property requires it.
    fn check_operand(&mut self, operation: Operation, span: Span) {
        let Operation { op, integer, amount, right, .. } = operation;
        let store = self.store();
        match (&self.options.property, op) {
            (Property::NoDivisionByZero, BinaryOp::Div | BinaryOp::Rem) => {
                let zero = self.arith.zero(Scalar::Int(integer));
                self.out.forbid(store.eq(right, zero), span, ViolationKind::DivisionByZero);
            }
            (Property::ValidShift, BinaryOp::Shl | BinaryOp::Shr) => {
                let scalar = Scalar::Int(amount);
                let width = self.arith.integer(amount, &BigInt::from(integer.width));
                let is_negative = self.arith.compare(CompareOp::Lt, scalar, right, self.arith.zero(scalar));
                let is_large = self.arith.compare(CompareOp::Le, scalar, width, right);
                self.out.forbid(store.or(is_negative, is_large), span, ViolationKind::Shift);
            }
            _ => {}
        }
    }

    /// `pointer + index`.
    pub(super) fn advanced(
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

    /// Checks that an index does not move a pointer too far.
    pub(super) fn check_moved(
        &mut self,
        pointer_ty: TypeId,
        (index_ty, index): (TypeId, ExprId),
        span: Span,
    ) {
        if self.checks_accesses() {
            let integer = self.scalar(index_ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
            let (size, _) = self.moved_bytes(pointer_ty, (index_ty, index), false, span);
            self.check_move((integer, index), size, span);
        }
    }

    pub(super) fn difference(&mut self, left: &'h Expr, right: &'h Expr, expr: &Expr) -> ExprId {
        let (left_term, right_term) = self.operands(left, right);
        let size = match self.program.types.get(left.ty) {
            Type::Pointer(target) => self.program.types.size_of(*target).filter(|size| *size > 0),
            _ => None,
        };
        let (Some(size), Some(Scalar::Int(integer))) = (size, self.scalar(expr.ty)) else {
            self.out.limit(expr.span, "pointers to objects without a constant size are subtracted");
            return self.arbitrary(Scalar::Int(Integer::signed(64)), expr.span);
        };
        self.check_difference([left, right], [left_term, right_term], expr.span);
        self.arith.distance(integer, left_term, right_term, size)
    }

    pub(super) fn conversion(&mut self, inner: &'h Expr, expr: &Expr) -> ExprId {
        if self.is_record(inner.ty) {
            self.record(inner);
            return self.store().tru();
        }
        let term = self.value(inner);
        let (Some(from), Some(to)) = (self.scalar(inner.ty), self.scalar(expr.ty)) else { return term };
        let is_address = from == Scalar::Pointer && to.integer().is_some() && to != Scalar::Bool;
        if self.cuts_address(inner, to) && term != self.arith.pointer(0) {
            self.out.limit(expr.span, "an address becomes an integer with fewer bits");
        }
        self.check_narrowed(inner, to, term, expr.span);
        if is_address && term != self.arith.pointer(0) {
            self.out.assume_silently(
                AssumptionKind::PointerNumbers,
                "pointers as integers have the addresses that the model gives them",
                expr.span,
            );
        }
        self.check_conversion(from, to, term, expr.span);
        self.check_fit(from, to, term, expr.span);
        if from != Scalar::Float(FloatKind::Float) {
            self.trust_precision(to, expr.span);
        }
        let partial = self.arith.convert(from, to, term);
        self.defined(partial, to, expr.span)
    }

    /// Whether a conversion keeps only some bits of an address. What they are is not known.
    fn cuts_address(&self, inner: &'h Expr, to: Scalar) -> bool {
        let width = address_width(self.program.types.model());
        let is_pointer = self.scalar(inner.ty) == Some(Scalar::Pointer) || self.as_pointer(inner).is_some();
        is_pointer && matches!(to, Scalar::Int(integer) if integer.width < width)
    }

    /// A comparison of integers that are just pointers is one of the pointers.
    fn compared_pointers(&self, left: &'h Expr, right: &'h Expr) -> Option<[Option<&'h Expr>; 2]> {
        match (self.as_pointer(left), self.as_pointer(right)) {
            (Some(left), Some(right)) => Some([Some(left), Some(right)]),
            (Some(left), None) if super::layout::is_zero(right) => Some([Some(left), None]),
            (None, Some(right)) if super::layout::is_zero(left) => Some([None, Some(right)]),
            _ => None,
        }
    }

    pub(super) fn as_pointer(&self, expr: &'h Expr) -> Option<&'h Expr> {
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
            return self.ordered(op, Scalar::Pointer, [left, right], [left_term, right_term]);
        }
        let (left_term, right_term) = self.operands(left, right);
        match self.scalar(left.ty) {
            Some(Scalar::Pointer) => {
                self.check_literals([left, right], [left_term, right_term], left.span);
                self.ordered(op, Scalar::Pointer, [left, right], [left_term, right_term])
            }
            Some(scalar) => self.ordered(op, scalar, [left, right], [left_term, right_term]),
            None => self.store().tru(),
        }
    }
}
