//! Operators.

use num_traits::Zero;
use thetis_base::Span;

use super::expr::Operand;
use super::literal::unsupported;
use super::{Checked, Checker};
use crate::code;
use crate::hir::{
    BinaryOp, CompareOp, Expr, ExprKind, Initializer, Place, PlaceKind, StmtKind, Type, TypeId, UnaryOp,
};
use crate::syntax::ast;

/// A binary operator by what it does.
enum Operation {
    Calculate(BinaryOp),
    Compare(CompareOp),
    And,
    Or,
}

impl Checker<'_, '_> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        if op == ast::UnaryOp::Address {
            return self.address_of(operand, span);
        }
        let value = self.value(operand)?;
        if let Some(reason) = self.opaque_reason(value.ty) {
            let reason = format!("an operation on {reason}");
            return Ok(unsupported(reason, value.ty, span));
        }
        match op {
            ast::UnaryOp::Not => {
                let value = self.check_condition(value)?;
                let ty = self.int();
                Ok(Expr { kind: ExprKind::Not(Box::new(value)), ty, span })
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Minus if self.is_arithmetic(value.ty) => {
                let mut value = self.promote(value);
                value.span = span;
                Ok(if op == ast::UnaryOp::Plus { value } else { negated(UnaryOp::Neg, value) })
            }
            ast::UnaryOp::BitNot if self.is_integer(value.ty) => {
                let mut value = self.promote(value);
                value.span = span;
                Ok(negated(UnaryOp::BitNot, value))
            }
            ast::UnaryOp::ComplexPart => Ok(unsupported("a part of a complex number", value.ty, span)),
            _ => self.type_error(span, format!("the operator does not apply to `{}`", self.show(value.ty))),
        }
    }

    fn address_of(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = match self.operand(operand)? {
            Operand::Place(place) => place,
            function @ Operand::Function(..) => return self.value_of(function),
            Operand::Value(value) if matches!(value.kind, ExprKind::Unsupported(_)) => {
                let ty = self.pointer_to(value.ty);
                return Ok(Expr { ty, ..value });
            }
            Operand::Value(_) => return self.type_error(span, "a value has no address"),
        };
        if self.bits_of_place(&place.kind).is_some() {
            return self.type_error(span, "a bit-field has no address");
        }
        let ty = self.pointer_to(place.ty);
        Ok(match place.kind {
            PlaceKind::Deref(pointer) => Expr { ty, span, ..*pointer },
            kind => {
                let place = Place { kind, ..place };
                Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span }
            }
        })
    }

    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let int = self.int();
        match operation(op) {
            Operation::And => {
                let kind = ExprKind::And(Box::new(self.condition(left)?), Box::new(self.condition(right)?));
                Ok(Expr { kind, ty: int, span })
            }
            Operation::Or => {
                let kind = ExprKind::Or(Box::new(self.condition(left)?), Box::new(self.condition(right)?));
                Ok(Expr { kind, ty: int, span })
            }
            Operation::Compare(op) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.comparison(op, left, right, span)
            }
            Operation::Calculate(op) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.calculation(op, left, right, span)
            }
        }
    }

    pub(super) fn comparison(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Checked<Expr> {
        let int = self.int();
        if let Some(reason) = self.opaque_reason(left.ty).or(self.opaque_reason(right.ty)) {
            let reason = format!("a comparison of {reason}");
            return Ok(unsupported(reason, int, span));
        }
        let (left, right) = match (self.types.get(left.ty).clone(), self.types.get(right.ty).clone()) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {
                self.usual_conversions(left, right)
            }
            (Type::Pointer(_), Type::Pointer(_)) => {
                let takes_right = self.is_null_constant(&left) || self.is_void_pointer(left.ty);
                let ty = if takes_right { right.ty } else { left.ty };
                (self.convert(left, ty), self.convert(right, ty))
            }
            (Type::Pointer(_), Type::Int(_)) => {
                self.warn_about_mixed_comparison(&right, span);
                let ty = left.ty;
                (left, self.convert(right, ty))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                self.warn_about_mixed_comparison(&left, span);
                let ty = right.ty;
                (self.convert(left, ty), right)
            }
            _ => return self.no_operator(&left, &right, span),
        };
        Ok(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: int, span })
    }

    fn warn_about_mixed_comparison(&mut self, integer: &Expr, span: Span) {
        if !self.is_null_constant(integer) {
            self.sink.warning(span, code::TYPE_MISMATCH, "a comparison of a pointer with an integer");
        }
    }

    fn no_operator<T>(&mut self, left: &Expr, right: &Expr, span: Span) -> Checked<T> {
        let message =
            format!("the operator does not apply to `{}` and `{}`", self.show(left.ty), self.show(right.ty));
        self.type_error(span, message)
    }

    pub(super) fn calculation(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Checked<Expr> {
        if let Some(reason) = self.opaque_reason(left.ty).or(self.opaque_reason(right.ty)) {
            let ty = if self.opaque_reason(left.ty).is_some() { left.ty } else { right.ty };
            let reason = format!("an operation on {reason}");
            return Ok(unsupported(reason, ty, span));
        }
        let is_fine = match op {
            BinaryOp::Mul | BinaryOp::Div => self.is_arithmetic(left.ty) && self.is_arithmetic(right.ty),
            BinaryOp::Add | BinaryOp::Sub => return self.addition(op, left, right, span),
            _ => self.is_integer(left.ty) && self.is_integer(right.ty),
        };
        if !is_fine {
            return self.no_operator(&left, &right, span);
        }
        let (left, right) = match op {
            BinaryOp::Shl | BinaryOp::Shr => (self.promote(left), self.promote(right)),
            _ => self.usual_conversions(left, right),
        };
        let ty = left.ty;
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// `+` and `-`, which also apply to pointers.
    fn addition(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Checked<Expr> {
        if self.is_arithmetic(left.ty) && self.is_arithmetic(right.ty) {
            let (left, right) = self.usual_conversions(left, right);
            let ty = left.ty;
            return Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span });
        }
        let is_negated = op == BinaryOp::Sub;
        match (self.pointee(left.ty), self.pointee(right.ty)) {
            (Some(target), None) if self.is_integer(right.ty) => {
                self.check_steps(target, span)?;
                Ok(offset(left, right, is_negated, span))
            }
            (None, Some(target)) if self.is_integer(left.ty) && !is_negated => {
                self.check_steps(target, span)?;
                Ok(offset(right, left, is_negated, span))
            }
            (Some(target), Some(_)) if is_negated => {
                self.check_steps(target, span)?;
                let right = self.convert(right, left.ty);
                let ty = self.difference_type();
                Ok(Expr { kind: ExprKind::Difference(Box::new(left), Box::new(right)), ty, span })
            }
            _ => self.no_operator(&left, &right, span),
        }
    }

    /// Rejects steps over objects of unknown size. GNU C takes `void` and functions to have one byte.
    pub(super) fn check_steps(&mut self, target: TypeId, span: Span) -> Checked<()> {
        let has_size =
            matches!(self.types.get(target), Type::Void | Type::Function(_)) || self.is_complete(target);
        if has_size {
            return Ok(());
        }
        let message = format!("a pointer to the incomplete type `{}` cannot be moved", self.show(target));
        Err(self.sink.error(span, code::INCOMPLETE_TYPE, message))
    }

    /// The object that an assignment changes.
    fn target(&mut self, expr: &ast::Expr) -> Checked<Target> {
        let place = match self.operand(expr)? {
            Operand::Place(place) => place,
            Operand::Value(value) if matches!(value.kind, ExprKind::Unsupported(_)) => {
                return Ok(Target::Unsupported(value));
            }
            _ => return self.type_error(expr.span, "only objects can be assigned to"),
        };
        let is_assignable = match self.types.get(place.ty) {
            Type::Array(..) | Type::Function(_) | Type::Void => false,
            _ => self.is_complete(place.ty) && !is_temporary(&place),
        };
        if is_assignable {
            return Ok(Target::Place(place));
        }
        let message = format!("an expression of type `{}` cannot be assigned to", self.show(place.ty));
        self.type_error(expr.span, message)
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<ast::BinaryOp>,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let place = match self.target(left)? {
            Target::Place(place) => place,
            Target::Unsupported(value) => {
                self.value(right)?;
                return Ok(value);
            }
        };
        let value = self.value(right)?;
        let ty = self.types.plain(place.ty);
        match op.map(operation) {
            None => {
                let value = self.assign_convert(value, ty, "assignment")?;
                Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
            }
            Some(Operation::Calculate(op)) => self.update(op, place, value, span),
            Some(_) => self.type_error(span, "this operator has no assignment"),
        }
    }

    fn update(&mut self, op: BinaryOp, place: Place, value: Expr, span: Span) -> Checked<Expr> {
        let ty = self.types.plain(place.ty);
        if let Some(reason) = self.opaque_reason(ty).or(self.opaque_reason(value.ty)) {
            let reason = format!("an operation on {reason}");
            return Ok(unsupported(reason, ty, span));
        }
        if let Some(target) = self.pointee(ty) {
            let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
            if !is_sum || !self.is_integer(value.ty) {
                return self.type_error(span, format!("the operator does not apply to `{}`", self.show(ty)));
            }
            self.check_steps(target, span)?;
            let is_negated = op == BinaryOp::Sub;
            let kind = ExprKind::Advance { place: Box::new(place), index: Box::new(value), is_negated };
            return Ok(Expr { kind, ty, span });
        }
        let needs_integers = !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div);
        let fits = |checker: &Self, ty| {
            if needs_integers { checker.is_integer(ty) } else { checker.is_arithmetic(ty) }
        };
        if !fits(self, ty) || !fits(self, value.ty) {
            let message =
                format!("the operator does not apply to `{}` and `{}`", self.show(ty), self.show(value.ty));
            return self.type_error(span, message);
        }
        let value = self.promote(value);
        let bits = self.bits_of_place(&place.kind);
        let Some(promoted) = self.promoted_type(ty, bits) else {
            return Ok(unsupported("arithmetic on a bit-field that is wider than `int`", ty, span));
        };
        let (computation, value) = match op {
            BinaryOp::Shl | BinaryOp::Shr => (promoted, value),
            _ => {
                let common = self.common_type(promoted, value.ty);
                (common, self.convert(value, common))
            }
        };
        let kind = ExprKind::Update { place: Box::new(place), op, value: Box::new(value), computation };
        Ok(Expr { kind, ty, span })
    }

    pub(super) fn step(
        &mut self,
        operand: &ast::Expr,
        is_increment: bool,
        is_postfix: bool,
        span: Span,
    ) -> Checked<Expr> {
        let place = match self.target(operand)? {
            Target::Place(place) => place,
            Target::Unsupported(value) => return Ok(value),
        };
        let ty = self.types.plain(place.ty);
        if let Some(reason) = self.opaque_reason(ty) {
            let reason = format!("an operation on {reason}");
            return Ok(unsupported(reason, ty, span));
        }
        if !self.is_scalar(ty) {
            return self.type_error(span, format!("the operator does not apply to `{}`", self.show(ty)));
        }
        if let Some(target) = self.pointee(ty) {
            self.check_steps(target, span)?;
        }
        Ok(Expr { kind: ExprKind::Step { place: Box::new(place), is_increment, is_postfix }, ty, span })
    }

    pub(super) fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let condition = self.condition(condition)?;
        let Some(then) = then else { return self.value_or(condition, otherwise, span) };
        let then = self.value(then)?;
        let otherwise = self.value(otherwise)?;
        self.choice(condition, then, otherwise, span)
    }

    /// `value ?: otherwise` of GNU C, the value evaluated once.
    fn value_or(&mut self, value: Expr, otherwise: &ast::Expr, span: Span) -> Checked<Expr> {
        let otherwise = self.value(otherwise)?;
        let value = if self.is_integer(value.ty) { self.promote(value) } else { value };
        if self.function.is_none() {
            // Constants have no effects.
            return self.choice(value.clone(), value, otherwise, span);
        }
        let ty = value.ty;
        let local = self.nameless_local("value", ty, value.span);
        let read = |checker: &mut Self| {
            let place = Place { kind: PlaceKind::Local(local), ty, span };
            checker.value_of(Operand::Place(place))
        };
        let declaration = StmtKind::Declare(local, Some(Initializer::Value(value)));
        let (condition, then) = (read(self)?, read(self)?);
        let choice = self.choice(condition, then, otherwise, span)?;
        let ty = choice.ty;
        let stmts = vec![crate::hir::Stmt { kind: declaration, span }];
        Ok(Expr { kind: ExprKind::Block(stmts, Some(Box::new(choice))), ty, span })
    }

    fn choice(&mut self, condition: Expr, then: Expr, otherwise: Expr, span: Span) -> Checked<Expr> {
        let (then, otherwise) = self.branches(then, otherwise, span)?;
        let ty = then.ty;
        // A constant condition with constant values is a constant, such as a null pointer.
        if let Some(chosen) = self.constant_int(&condition) {
            let chosen = if chosen.is_zero() { &otherwise } else { &then };
            if let (ExprKind::Int(value), true) = (&chosen.kind, matches!(then.kind, ExprKind::Int(_))) {
                return Ok(Expr { kind: ExprKind::Int(value.clone()), ty, span });
            }
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, ty, span })
    }

    /// The two values of a conditional expression, converted to their common type.
    fn branches(&mut self, then: Expr, otherwise: Expr, span: Span) -> Checked<(Expr, Expr)> {
        if then.ty == otherwise.ty && !self.is_integer(then.ty) {
            return Ok((then, otherwise));
        }
        let ty = match (self.types.get(then.ty).clone(), self.types.get(otherwise.ty).clone()) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {
                return Ok(self.usual_conversions(then, otherwise));
            }
            (Type::Void, _) | (_, Type::Void) => self.void(),
            (Type::Pointer(_), Type::Pointer(_)) => self.common_pointer(&then, &otherwise),
            (Type::Pointer(_), Type::Int(_)) => then.ty,
            (Type::Int(_), Type::Pointer(_)) => otherwise.ty,
            _ if self.opaque_reason(then.ty).is_some() => then.ty,
            _ if self.opaque_reason(otherwise.ty).is_some() => otherwise.ty,
            _ => return self.no_operator(&then, &otherwise, span),
        };
        if self.opaque_reason(ty).is_some() {
            let then = self.assign_convert(then, ty, "conditional expression")?;
            return Ok((then, self.assign_convert(otherwise, ty, "conditional expression")?));
        }
        Ok((self.convert(then, ty), self.convert(otherwise, ty)))
    }

    fn common_pointer(&mut self, then: &Expr, otherwise: &Expr) -> TypeId {
        if self.is_null_constant(then) {
            return otherwise.ty;
        }
        if self.is_null_constant(otherwise) {
            return then.ty;
        }
        if self.is_void_pointer(then.ty) {
            return then.ty;
        }
        // Pointers to different things have only their address in common.
        self.composite(then.ty, otherwise.ty).unwrap_or_else(|| {
            let void = self.void();
            self.pointer_to(void)
        })
    }
}

/// The left side of an assignment.
enum Target {
    Place(Place),
    Unsupported(Expr),
}

/// Whether a place is part of a value that no object holds.
fn is_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temporary(_) => true,
        PlaceKind::Field(object, _) | PlaceKind::Index(object, _) => is_temporary(object),
        _ => false,
    }
}

fn negated(op: UnaryOp, value: Expr) -> Expr {
    let (ty, span) = (value.ty, value.span);
    Expr { kind: ExprKind::Unary(op, Box::new(value)), ty, span }
}

fn offset(pointer: Expr, index: Expr, is_negated: bool, span: Span) -> Expr {
    let ty = pointer.ty;
    let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), is_negated };
    Expr { kind, ty, span }
}

fn operation(op: ast::BinaryOp) -> Operation {
    use Operation::{Calculate, Compare};
    match op {
        ast::BinaryOp::Mul => Calculate(BinaryOp::Mul),
        ast::BinaryOp::Div => Calculate(BinaryOp::Div),
        ast::BinaryOp::Rem => Calculate(BinaryOp::Rem),
        ast::BinaryOp::Add => Calculate(BinaryOp::Add),
        ast::BinaryOp::Sub => Calculate(BinaryOp::Sub),
        ast::BinaryOp::Shl => Calculate(BinaryOp::Shl),
        ast::BinaryOp::Shr => Calculate(BinaryOp::Shr),
        ast::BinaryOp::BitAnd => Calculate(BinaryOp::BitAnd),
        ast::BinaryOp::BitXor => Calculate(BinaryOp::BitXor),
        ast::BinaryOp::BitOr => Calculate(BinaryOp::BitOr),
        ast::BinaryOp::Lt => Compare(CompareOp::Lt),
        ast::BinaryOp::Gt => Compare(CompareOp::Gt),
        ast::BinaryOp::Le => Compare(CompareOp::Le),
        ast::BinaryOp::Ge => Compare(CompareOp::Ge),
        ast::BinaryOp::Eq => Compare(CompareOp::Eq),
        ast::BinaryOp::Ne => Compare(CompareOp::Ne),
        ast::BinaryOp::And => Operation::And,
        ast::BinaryOp::Or => Operation::Or,
    }
}
