//! Constant expressions, evaluated on the checked tree.
//!
//! The value of an expression is known if it consists of literals and operators that do not depend on the run. Besides
//! the standard's integer constant expressions this includes addresses of members of an object at a constant address
//! (`(size_t)&((struct s *)0)->member`) and floating arithmetic, as gcc does. Signed overflow wraps around; a division
//! by zero or a shift by too much has no value.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use thetis_expr::{Float, FloatSign, Rational};

use super::convert::wrapped;
use super::{Checked, Checker, float};
use crate::code;
use crate::hir::{BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, PlaceKind, Type, TypeId, UnaryOp};
use crate::syntax::ast;

/// The value of a constant expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Constant {
    /// Also addresses.
    Int(BigInt),
    Float(Float),
}

impl Checker<'_, '_> {
    /// The value of an expression that has to be an integer constant.
    pub(super) fn integer_constant(&mut self, expr: &ast::Expr) -> Checked<BigInt> {
        let value = self.value(expr)?;
        if !self.is_integer(value.ty) {
            return self
                .type_error(expr.span, format!("expected an integer, found `{}`", self.show(value.ty)));
        }
        self.constant_int(&value)
            .ok_or_else(|| self.sink.error(expr.span, code::CONSTANT, "the expression is not constant"))
    }

    /// The value of an integer expression, if it is constant.
    pub(super) fn constant_int(&self, expr: &Expr) -> Option<BigInt> {
        match self.constant(expr)? {
            Constant::Int(value) => Some(value),
            Constant::Float(_) => None,
        }
    }

    /// The value of an expression, if it is constant.
    pub(super) fn constant(&self, expr: &Expr) -> Option<Constant> {
        stacker::maybe_grow(super::RED_ZONE, super::MORE_STACK, || self.constant_here(expr))
    }

    fn constant_here(&self, expr: &Expr) -> Option<Constant> {
        Some(match &expr.kind {
            ExprKind::Int(value) => Constant::Int(value.clone()),
            ExprKind::Float(bits) => Constant::Float(float::value_of(self.float_kind(expr.ty)?, *bits)),
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                Constant::Int(self.constant_address(place)?)
            }
            ExprKind::Unary(op, operand) => self.unary_constant(*op, expr.ty, &self.constant(operand)?)?,
            ExprKind::Not(operand) => truth_value(!is_true(&self.constant(operand)?)),
            ExprKind::Binary(op, left, right) => {
                self.binary_constant(*op, expr.ty, &self.constant(left)?, &self.constant(right)?)?
            }
            ExprKind::Compare(op, left, right) => {
                truth_value(compare(*op, &self.constant(left)?, &self.constant(right)?)?)
            }
            ExprKind::Offset { pointer, index, is_negated } => {
                let index = self.constant_int(index)?;
                let index = if *is_negated { -index } else { index };
                let size = self.types.size_of(self.pointee(expr.ty)?)?;
                Constant::Int(self.constant_int(pointer)? + index * size)
            }
            ExprKind::Convert(operand) => self.converted_constant(self.constant(operand)?, expr.ty)?,
            ExprKind::And(left, right) => {
                truth_value(is_true(&self.constant(left)?) && is_true(&self.constant(right)?))
            }
            ExprKind::Or(left, right) => {
                truth_value(is_true(&self.constant(left)?) || is_true(&self.constant(right)?))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if is_true(&self.constant(condition)?) { then } else { otherwise };
                self.constant(chosen)?
            }
            _ => return None,
        })
    }

    /// The address of an object that is reached from a constant address.
    fn constant_address(&self, place: &Place) -> Option<BigInt> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.constant_int(pointer),
            PlaceKind::Field(object, index) => {
                let record = self.types.record(self.record_of(object.ty)?);
                let field = record.fields.as_ref()?.get(*index)?;
                Some(self.constant_address(object)? + field.offset)
            }
            PlaceKind::Index(array, index) => {
                let size = self.types.size_of(place.ty)?;
                Some(self.constant_address(array)? + self.constant_int(index)? * size)
            }
            _ => None,
        }
    }

    fn unary_constant(&self, op: UnaryOp, ty: TypeId, operand: &Constant) -> Option<Constant> {
        match (op, operand) {
            (UnaryOp::Neg, Constant::Float(value)) => Some(Constant::Float(float::negated(value))),
            (UnaryOp::Neg, Constant::Int(value)) => self.in_type(-value, ty),
            (UnaryOp::BitNot, Constant::Int(value)) => self.in_type(-value - BigInt::one(), ty),
            (UnaryOp::BitNot, Constant::Float(_)) => None,
        }
    }

    fn binary_constant(
        &self,
        op: BinaryOp,
        ty: TypeId,
        left: &Constant,
        right: &Constant,
    ) -> Option<Constant> {
        match (left, right) {
            (Constant::Float(left), Constant::Float(right)) => {
                float::calculated(op, left, right).map(Constant::Float)
            }
            (Constant::Int(left), Constant::Int(right)) => {
                let width = self.int_kind(ty)?.width(self.model());
                self.in_type(calculate(op, left, right, width)?, ty)
            }
            _ => None,
        }
    }

    fn in_type(&self, value: BigInt, ty: TypeId) -> Option<Constant> {
        Some(Constant::Int(wrapped(self.int_kind(ty)?, value, self.model())))
    }

    /// A constant converted to another type.
    pub(super) fn converted_constant(&self, value: Constant, ty: TypeId) -> Option<Constant> {
        let target = self.types.get(ty);
        Some(match (value, target) {
            (value, Type::Int(IntKind::Bool)) => truth_value(is_true(&value)),
            (Constant::Int(value), Type::Int(kind)) => Constant::Int(wrapped(*kind, value, self.model())),
            (Constant::Int(value), Type::Pointer(_)) => {
                let modulus = BigInt::one() << (8 * self.model().pointer_size());
                Constant::Int(((value % &modulus) + &modulus) % modulus)
            }
            (Constant::Int(value), Type::Float(kind)) => {
                Constant::Float(float::from_rational(*kind, Rational::new(value, BigInt::one())))
            }
            (Constant::Float(value), Type::Float(kind)) => Constant::Float(float::to_kind(*kind, &value)),
            (Constant::Float(value), Type::Int(kind)) => {
                let whole = float::to_rational(&value)?.trunc().to_integer();
                // A number that does not fit has no value.
                self.holds(*kind, &whole).then_some(Constant::Int(whole))?
            }
            _ => return None,
        })
    }
}

fn truth_value(value: bool) -> Constant {
    Constant::Int(BigInt::from(u8::from(value)))
}

fn is_true(value: &Constant) -> bool {
    match value {
        Constant::Int(value) => !value.is_zero(),
        // NaN is not zero, so it is true.
        Constant::Float(value) => {
            !float::compared(CompareOp::Eq, value, &Float::zero(value.sort(), FloatSign::Positive))
        }
    }
}

fn compare(op: CompareOp, left: &Constant, right: &Constant) -> Option<bool> {
    match (left, right) {
        (Constant::Float(left), Constant::Float(right)) => Some(float::compared(op, left, right)),
        (Constant::Int(left), Constant::Int(right)) => Some(match op {
            CompareOp::Eq => left == right,
            CompareOp::Ne => left != right,
            CompareOp::Lt => left < right,
            CompareOp::Le => left <= right,
            CompareOp::Gt => left > right,
            CompareOp::Ge => left >= right,
        }),
        _ => None,
    }
}

/// The mathematical result; division truncates.
fn calculate(op: BinaryOp, left: &BigInt, right: &BigInt, width: u32) -> Option<BigInt> {
    let shift = || right.to_u32().filter(|distance| *distance < width);
    Some(match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div | BinaryOp::Rem if right.is_zero() => return None,
        BinaryOp::Div => left / right,
        BinaryOp::Rem => left % right,
        BinaryOp::Shl => left << shift()?,
        BinaryOp::Shr => left >> shift()?,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
    })
}
