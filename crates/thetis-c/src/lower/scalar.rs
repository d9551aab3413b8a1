//! Scalars: what fits into one term.

use num_bigint::BigInt;

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

/// The values of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Integer {
    /// How many bits.
    pub width: u32,
    /// Whether they are in two's complement.
    pub is_signed: bool,
}

impl Integer {
    /// A signed type.
    pub(crate) fn signed(width: u32) -> Integer {
        Integer { width, is_signed: true }
    }

    /// An unsigned type.
    pub(crate) fn unsigned(width: u32) -> Integer {
        Integer { width, is_signed: false }
    }

    /// The least value.
    pub(crate) fn min(self) -> BigInt {
        if self.is_signed { -(BigInt::from(1) << (self.width - 1)) } else { BigInt::from(0) }
    }

    /// The greatest value.
    pub(crate) fn max(self) -> BigInt {
        let bits = if self.is_signed { self.width - 1 } else { self.width };
        (BigInt::from(1) << bits) - 1
    }

    /// Whether every value of `other` is one of this type.
    pub(crate) fn contains(self, other: Integer) -> bool {
        self.min() <= other.min() && other.max() <= self.max()
    }

    /// The value of this type that is congruent to `number`.
    pub(crate) fn wrap(self, number: &BigInt) -> BigInt {
        let modulus = BigInt::from(1) << self.width;
        let low = ((number % &modulus) + &modulus) % &modulus;
        if low > self.max() { low - modulus } else { low }
    }
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
