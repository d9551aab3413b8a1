//! Which expressions can be terms: those that change nothing, read no input and need no check.

use super::builtin::{Builtin, builtin};
use super::lowering::Lowering;
use super::options::Property;
use super::scalar::Scalar;
use super::walk::{Part, site_of, walk};
use crate::hir::{BinaryOp, Callee, Expr, ExprKind, PlaceKind, UnaryOp};

impl Lowering<'_> {
    /// Whether evaluating an expression may change variables of the program.
    pub(super) fn writes(&self, expr: &Expr) -> bool {
        walk([Part::Expr(expr)]).any(|part| match part {
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Assign(..)
                | ExprKind::Update { .. }
                | ExprKind::Advance { .. }
                | ExprKind::Step { .. }
                | ExprKind::Block(..)
                | ExprKind::Unsupported(_) => true,
                ExprKind::Call(callee, _) => !matches!(
                    self.builtin_of(callee),
                    Some(
                        Builtin::Input
                            | Builtin::Harmless
                            | Builtin::Identity
                            | Builtin::Shared
                            | Builtin::IsStream
                            | Builtin::Math(_)
                    )
                ),
                _ => false,
            },
            Part::Place(place) => matches!(place.kind, PlaceKind::Literal(..)),
            Part::Stmt(_) | Part::Initializer(_) => false,
        })
    }

    /// Whether an expression is just a value.
    pub(super) fn is_pure(&mut self, expr: &Expr) -> bool {
        if let Some(known) = self.purity.get(&site_of(expr)).filter(|_| !self.calls.has_threads) {
            return *known;
        }
        let is_pure = !self.writes(expr)
            && walk([Part::Expr(expr)]).all(|part| match part {
                Part::Expr(expr) => match &expr.kind {
                    ExprKind::Call(callee, _) => {
                        matches!(
                            self.builtin_of(callee),
                            Some(Builtin::Identity | Builtin::Shared | Builtin::IsStream | Builtin::Math(_))
                        )
                    }
                    ExprKind::Binary(op, ..) => {
                        let is_arithmetic = !matches!(
                            op,
                            BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
                        );
                        let may_overflow = is_arithmetic && self.may_overflow(expr);
                        !(may_overflow || self.checks_operand(*op))
                    }
                    _ if self.needs_check(expr) => false,
                    ExprKind::Load(place) if self.is_shareable(place) => false,
                    ExprKind::Load(place) => !(self.checks_values() && self.is_value_checked(place)),
                    ExprKind::Convert(_) => !self.checks_fit(),
                    ExprKind::Unary(UnaryOp::Neg, _) => !self.may_overflow(expr),
                    _ => true,
                },
                _ => true,
            });
        self.purity.insert(site_of(expr), is_pure);
        is_pure
    }

    /// Whether the right operand of an operator is checked.
    fn checks_operand(&self, op: BinaryOp) -> bool {
        match self.options.property {
            Property::NoDivisionByZero => matches!(op, BinaryOp::Div | BinaryOp::Rem),
            Property::ValidShift => matches!(op, BinaryOp::Shl | BinaryOp::Shr),
            _ => false,
        }
    }

    fn may_overflow(&self, expr: &Expr) -> bool {
        matches!(self.scalar(expr.ty), Some(Scalar::Int(integer)) if self.checks_overflow(integer))
    }

    /// The builtin that is called, if it is one.
    pub(super) fn builtin_of(&self, callee: &Callee) -> Option<Builtin> {
        let Callee::Function(function) = callee else { return None };
        let function = &self.program.functions[self.calls.resolve(*function)];
        if function.body.is_some() {
            return None;
        }
        builtin(&self.program.types, function)
    }
}
