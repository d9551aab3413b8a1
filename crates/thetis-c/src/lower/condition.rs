//! Conditions: formulas if they have no side effects, branches otherwise.

use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::{LocId, StmtKind};

use super::lowering::Lowering;
use super::origin::{Event, VarOrigin};
use super::scalar::Scalar;
use crate::hir::{Expr, ExprKind};

impl<'h> Lowering<'h> {
    /// Whether an expression is true, as a formula. Its side effects are appended.
    pub(super) fn condition(&mut self, expr: &'h Expr) -> ExprId {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.condition_inside(expr))
    }

    fn condition_inside(&mut self, expr: &'h Expr) -> ExprId {
        let store = self.store();
        match &expr.kind {
            ExprKind::Not(operand) => {
                let operand = self.condition(operand);
                store.not(operand)
            }
            ExprKind::Compare(op, left, right) => self.comparison(*op, left, right),
            ExprKind::And(left, right) if self.is_pure(right) => {
                let left = self.condition(left);
                let right = self.guarded(left, |lowering| lowering.condition(right));
                store.and(left, right)
            }
            ExprKind::Or(left, right) if self.is_pure(right) => {
                let left = self.condition(left);
                let right = self.guarded(store.not(left), |lowering| lowering.condition(right));
                store.or(left, right)
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                let var = self.branched(expr);
                store.ne(var, self.arith.zero(Scalar::Bool))
            }
            ExprKind::Convert(inner) if self.keeps_truth(inner, expr) => self.condition(inner),
            _ => {
                let term = self.value(expr);
                match self.scalar(expr.ty) {
                    Some(scalar) => self.arith.is_true(scalar, term),
                    None => store.tru(),
                }
            }
        }
    }

    /// Whether a conversion keeps zero apart from everything else.
    fn keeps_truth(&self, inner: &Expr, expr: &Expr) -> bool {
        match (self.scalar(inner.ty), self.scalar(expr.ty)) {
            (Some(_), Some(Scalar::Bool)) | (Some(Scalar::Pointer), Some(Scalar::Pointer)) => true,
            (Some(Scalar::Bool), Some(Scalar::Int(_))) => true,
            (Some(Scalar::Int(from)), Some(Scalar::Int(to))) => from.width <= to.width,
            _ => false,
        }
    }

    /// The value of a condition as a number.
    pub(super) fn truth_value(&mut self, expr: &'h Expr) -> ExprId {
        let condition = self.condition(expr);
        match self.scalar(expr.ty) {
            Some(scalar) => self.arith.truth_value(scalar, condition),
            None => condition,
        }
    }

    /// A `_Bool` that says which way a condition with effects went.
    fn branched(&mut self, expr: &'h Expr) -> ExprId {
        let store = self.store();
        let sort = self.arith.sort(Scalar::Bool);
        let var = self.auxiliary("tmp", sort, VarOrigin::Temporary);
        let (then, otherwise) = (self.out.location(expr.span), self.out.location(expr.span));
        let join = self.out.location(expr.span);
        self.branch(expr, then, otherwise);
        for (location, truth) in [(then, store.tru()), (otherwise, store.fals())] {
            self.out.graph.continue_at(location);
            let value = self.arith.truth_value(Scalar::Bool, truth);
            self.out.emit(StmtKind::Assign(var, value), expr.span, Event::Silent);
            self.out.go(join);
        }
        self.out.graph.continue_at(join);
        store.var_expr(var)
    }

    /// Goes to one of two locations.
    pub(super) fn branch(&mut self, expr: &'h Expr, then: LocId, otherwise: LocId) {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.branch_inside(expr, then, otherwise));
    }

    fn branch_inside(&mut self, expr: &'h Expr, then: LocId, otherwise: LocId) {
        match &expr.kind {
            ExprKind::Not(operand) if !self.is_pure(operand) => self.branch(operand, otherwise, then),
            ExprKind::And(left, right) if !self.is_pure(right) => {
                let middle = self.out.location(right.span);
                self.branch(left, middle, otherwise);
                self.out.graph.continue_at(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Or(left, right) if !self.is_pure(right) => {
                let middle = self.out.location(right.span);
                self.branch(left, then, middle);
                self.out.graph.continue_at(middle);
                self.branch(right, then, otherwise);
            }
            _ => {
                let condition = self.condition(expr);
                self.branch_on(condition, then, otherwise, expr.span);
            }
        }
    }

    /// Goes to one of two locations, by a formula.
    pub(super) fn branch_on(&mut self, condition: ExprId, then: LocId, otherwise: LocId, span: Span) {
        let taken = |taken| Event::Branch { taken };
        self.divide(condition, [(then, taken(true)), (otherwise, taken(false))], span);
    }

    /// The same for a choice that is no condition of the program, such as which function a pointer points to: stories leave it out.
    pub(super) fn select(&mut self, condition: ExprId, then: LocId, otherwise: LocId, span: Span) {
        self.divide(condition, [(then, Event::Silent), (otherwise, Event::Silent)], span);
    }

    fn divide(&mut self, condition: ExprId, ways: [(LocId, Event); 2], span: Span) {
        let store = self.store();
        let [(then, if_true), (otherwise, if_false)] = ways;
        if condition == store.tru() {
            return self.out.go(then);
        }
        if condition == store.fals() {
            return self.out.go(otherwise);
        }
        let source = self.out.here();
        self.out.graph.guard(source, then, condition, span, if_true);
        self.out.graph.guard(source, otherwise, store.not(condition), span, if_false);
        self.out.graph.die(self.out.frame);
    }

    /// Appends one of two alternatives, by a condition.
    pub(super) fn choose(
        &mut self,
        condition: &'h Expr,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
        span: Span,
    ) {
        let (first, second, join) =
            (self.out.location(span), self.out.location(span), self.out.location(span));
        let num_edges = self.out.graph.num_edges();
        self.branch(condition, first, second);
        self.out.note_choice(num_edges, span, [first, second]);
        self.out.graph.continue_at(first);
        then(self);
        self.out.go(join);
        self.out.graph.continue_at(second);
        otherwise(self);
        self.out.go(join);
        self.out.graph.continue_at(join);
    }
}
