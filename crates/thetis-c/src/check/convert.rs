//! Conversions: promotions, the usual arithmetic conversions, conversions as if by assignment.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use thetis_base::Span;

use super::constant::Constant;
use super::literal::unsupported;
use super::{Checked, Checker};
use crate::code;
use crate::hir::{
    BitField, DataModel, Expr, ExprKind, FloatKind, Initializer, IntKind, Part, Place, PlaceKind, RecordId,
    Step, Type, TypeId,
};

/// The value of an integer modulo the range of a type: what a conversion to it gives.
pub(super) fn wrapped(kind: IntKind, value: BigInt, model: DataModel) -> BigInt {
    if kind == IntKind::Bool {
        return BigInt::from(u8::from(!value.is_zero()));
    }
    let modulus = BigInt::one() << kind.width(model);
    let mut rest = value % &modulus;
    if rest.is_negative() {
        rest += &modulus;
    }
    if kind.is_signed() && &rest + &rest >= modulus {
        rest -= modulus;
    }
    rest
}

impl Checker<'_, '_> {
    /// Whether an integer type has a value.
    pub(super) fn holds(&self, kind: IntKind, value: &BigInt) -> bool {
        wrapped(kind, value.clone(), self.model()) == *value
    }

    /// A value converted to a scalar type or `void`. Constants stay constants.
    pub(super) fn convert(&self, expr: Expr, ty: TypeId) -> Expr {
        let ty = self.types.plain(ty);
        if expr.ty == ty {
            return expr;
        }
        let span = expr.span;
        if let ExprKind::Int(value) = &expr.kind {
            let is_folded = match self.types.get(ty) {
                Type::Int(_) => true,
                Type::Pointer(_) => value.is_zero(),
                _ => false,
            };
            let folded = self.converted_constant(Constant::Int(value.clone()), ty);
            if let (true, Some(Constant::Int(value))) = (is_folded, folded) {
                return Expr { kind: ExprKind::Int(value), ty, span };
            }
        }
        Expr { kind: ExprKind::Convert(Box::new(expr)), ty, span }
    }

    /// The bits of the bit-field whose value an expression is.
    pub(super) fn bit_field(&self, expr: &Expr) -> Option<BitField> {
        match &expr.kind {
            ExprKind::Load(place)
            | ExprKind::Assign(place, _)
            | ExprKind::Update { place, .. }
            | ExprKind::Step { place, .. } => self.bits_of_place(&place.kind),
            ExprKind::Comma(_, value) | ExprKind::Block(_, Some(value)) => self.bit_field(value),
            _ => None,
        }
    }

    pub(super) fn bits_of_place(&self, place: &PlaceKind) -> Option<BitField> {
        let PlaceKind::Field(object, index) = place else { return None };
        self.types.record(self.record_of(object.ty)?).fields.as_ref()?.get(*index)?.bits
    }

    /// The type that an integer type is promoted to, `None` for a bit-field whose width lies between those of types:
    /// gcc computes with the width of the bit-field.
    pub(super) fn promoted_type(&mut self, ty: TypeId, bits: Option<BitField>) -> Option<TypeId> {
        let Some(kind) = self.int_kind(ty) else { return Some(ty) };
        let model = self.model();
        let int_width = IntKind::Int.width(model);
        match bits {
            Some(bits) if bits.width < int_width || (bits.width == int_width && kind.is_signed()) => {
                Some(self.int())
            }
            Some(bits) if bits.width == int_width => Some(self.int_type(IntKind::UnsignedInt)),
            Some(bits) if bits.width < kind.width(model) => None,
            _ if rank(kind) < rank(IntKind::Int) => Some(self.int()),
            _ => Some(ty),
        }
    }

    /// A value after the integer promotions.
    pub(super) fn promote(&mut self, expr: Expr) -> Expr {
        let bits = self.bit_field(&expr);
        match self.promoted_type(expr.ty, bits) {
            Some(ty) => self.convert(expr, ty),
            None => unsupported("arithmetic on a bit-field that is wider than `int`", expr.ty, expr.span),
        }
    }

    /// Arguments without a parameter: promoted, and `float` becomes `double`.
    pub(super) fn promote_argument(&mut self, expr: Expr) -> Expr {
        if self.float_kind(expr.ty) == Some(FloatKind::Float) {
            let double = self.float_type(FloatKind::Double);
            return self.convert(expr, double);
        }
        self.promote(expr)
    }

    /// The common type of two promoted arithmetic types.
    pub(super) fn common_type(&mut self, left: TypeId, right: TypeId) -> TypeId {
        match (self.types.get(left).clone(), self.types.get(right).clone()) {
            (Type::Float(left), Type::Float(right)) => self.float_type(left.max(right)),
            (Type::Float(_), _) => left,
            (_, Type::Float(_)) => right,
            (Type::Int(left), Type::Int(right)) => {
                let kind = common_kind(left, right, self.model());
                self.int_type(kind)
            }
            _ => left,
        }
    }

    /// Both operands after the usual arithmetic conversions.
    pub(super) fn usual_conversions(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let left = self.promote(left);
        let right = self.promote(right);
        let ty = self.common_type(left.ty, right.ty);
        (self.convert(left, ty), self.convert(right, ty))
    }

    /// Whether an expression is the null pointer of any type.
    pub(super) fn is_null_constant(&self, expr: &Expr) -> bool {
        let is_type = self.is_integer(expr.ty) || self.is_void_pointer(expr.ty);
        is_type && self.constant_int(expr).is_some_and(|value| value.is_zero())
    }

    /// A value converted as if it were assigned to an object of type `ty`. `what` says what happens, for messages.
    pub(super) fn assign_convert(&mut self, expr: Expr, ty: TypeId, what: &str) -> Checked<Expr> {
        let ty = self.types.plain(ty);
        if expr.ty == ty {
            return Ok(expr);
        }
        let span = expr.span;
        if let Some(reason) = self.opaque_reason(ty).or(self.opaque_reason(expr.ty)) {
            let reason = format!("a conversion of {reason}");
            return Ok(unsupported(reason, ty, span));
        }
        if let Some(record) = self.record_of(ty).filter(|record| self.transparent.contains(record)) {
            return self.transparent_value(expr, ty, record, what);
        }
        let is_fine = match (self.types.get(expr.ty), self.types.get(ty)) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_))
            | (Type::Pointer(_), Type::Pointer(_) | Type::Int(IntKind::Bool)) => true,
            (Type::Int(_), Type::Pointer(_)) => {
                if !self.is_null_constant(&expr) {
                    self.mixed(span, "an integer becomes a pointer", what);
                }
                true
            }
            (Type::Pointer(_), Type::Int(_)) => {
                self.mixed(span, "a pointer becomes an integer", what);
                true
            }
            _ => false,
        };
        if is_fine {
            return Ok(self.convert(expr, ty));
        }
        let message = format!("{what}: expected `{}`, found `{}`", self.show(ty), self.show(expr.ty));
        self.type_error(span, message)
    }

    /// The value of a transparent union: that of the first member that the value can be assigned to.
    fn transparent_value(&mut self, expr: Expr, ty: TypeId, record: RecordId, what: &str) -> Checked<Expr> {
        let members: Vec<TypeId> =
            self.types.record(record).fields.iter().flatten().map(|field| field.ty).collect();
        let exact = members.iter().position(|member| self.composite(*member, expr.ty).is_some());
        let is_pointer = self.pointee(expr.ty).is_some() || self.is_null_constant(&expr);
        let pointer = || members.iter().position(|member| is_pointer && self.pointee(*member).is_some());
        let Some(number) = exact.or_else(pointer) else {
            let message = format!("{what}: expected `{}`, found `{}`", self.show(ty), self.show(expr.ty));
            return self.type_error(expr.span, message);
        };
        let value = self.assign_convert(expr, members[number], what)?;
        Ok(self.union_of(value, ty, number))
    }

    /// The value of a union with one member given.
    pub(super) fn union_of(&mut self, value: Expr, ty: TypeId, number: usize) -> Expr {
        let span = value.span;
        if self.function.is_none() {
            return unsupported("a union made of a value outside of functions", ty, span);
        }
        let local = self.nameless_local("union", ty, span);
        let parts = vec![Part { path: vec![Step::Field(number)], value }];
        let kind = PlaceKind::Literal(local, Box::new(Initializer::Parts(parts)));
        let place = Place { kind, ty, span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
    }

    fn mixed(&mut self, span: Span, happens: &str, what: &str) {
        self.sink.warning(span, code::TYPE_MISMATCH, format!("{what}: {happens} without a cast"));
    }
}

fn rank(kind: IntKind) -> u8 {
    match kind {
        IntKind::Bool => 0,
        IntKind::Char | IntKind::PlainUnsignedChar | IntKind::SignedChar | IntKind::UnsignedChar => 1,
        IntKind::Short | IntKind::UnsignedShort => 2,
        IntKind::Int | IntKind::UnsignedInt => 3,
        IntKind::Long | IntKind::UnsignedLong => 4,
        IntKind::LongLong | IntKind::UnsignedLongLong => 5,
        IntKind::Int128 | IntKind::UnsignedInt128 => 6,
    }
}

/// C11 6.3.1.8, for promoted types.
fn common_kind(left: IntKind, right: IntKind, model: DataModel) -> IntKind {
    if left.is_signed() == right.is_signed() {
        return if rank(left) >= rank(right) { left } else { right };
    }
    let (signed, unsigned) = if left.is_signed() { (left, right) } else { (right, left) };
    if rank(unsigned) >= rank(signed) {
        unsigned
    } else if signed.width(model) > unsigned.width(model) {
        signed
    } else {
        unsigned_of(signed)
    }
}

/// The unsigned type of the same size.
pub(super) fn unsigned_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::PlainUnsignedChar | IntKind::SignedChar => IntKind::UnsignedChar,
        IntKind::Short => IntKind::UnsignedShort,
        IntKind::Int => IntKind::UnsignedInt,
        IntKind::Long => IntKind::UnsignedLong,
        IntKind::LongLong => IntKind::UnsignedLongLong,
        IntKind::Int128 => IntKind::UnsignedInt128,
        other => other,
    }
}
