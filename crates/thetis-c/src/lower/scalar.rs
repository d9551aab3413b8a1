//! Scalars: what fits into one term.

pub use thetis_expr::Integer;

use crate::hir::{BitField, DataModel, FloatKind, IntKind, Type, TypeId, Types};

/// The type of a scalar, as far as its values are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// `_Bool`
    Bool,
    /// Other integers.
    Int(Integer),
    /// Floating types.
    Float(FloatKind),
    /// Pointers.
    Pointer,
}

impl Scalar {
    /// The scalar that a type is, if it is one.
    pub(crate) fn of(types: &Types, ty: TypeId) -> Option<Scalar> {
        match types.get(ty) {
            Type::Int(IntKind::Bool) => Some(Scalar::Bool),
            Type::Int(kind) => {
                Some(Scalar::Int(Integer { width: kind.width(types.model()), is_signed: kind.is_signed() }))
            }
            Type::Float(kind) => Some(Scalar::Float(*kind)),
            Type::Pointer(_) => Some(Scalar::Pointer),
            Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
        }
    }

    /// The values as integers: those of `_Bool` are 0 and 1.
    pub(crate) fn integer(self) -> Option<Integer> {
        match self {
            Scalar::Bool => Some(Integer::unsigned(1)),
            Scalar::Int(integer) => Some(integer),
            Scalar::Float(_) | Scalar::Pointer => None,
        }
    }

    /// What a bit-field of this declared type holds.
    pub(crate) fn narrowed(self, bits: Option<BitField>) -> Scalar {
        match (self, bits) {
            (Scalar::Int(integer), Some(bits)) => Scalar::Int(Integer { width: bits.width, ..integer }),
            _ => self,
        }
    }
}

/// The integers that `size_t` and `ptrdiff_t` are: as wide as the data model says pointers are.
pub(crate) fn address_width(model: DataModel) -> u32 {
    8 * model.pointer_size() as u32
}
