//! The sorts of terms.

use std::num::NonZeroU32;

use crate::FloatSort;

/// The sort of a term. Component sorts of arrays are interned in the store, so a sort is `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Exact rationals, read as reals by solvers.
    Real,
    /// Bit-vectors of a positive width.
    BitVec(NonZeroU32),
    /// Floating-point numbers of a format.
    Float(FloatSort),
    /// Arrays; see [`Store::array_sort`](crate::Store::array_sort).
    Array(ArraySort),
}

/// The interned index and element sorts of an array sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArraySort(pub(crate) u32);

impl Sort {
    /// The bit-vector sort of `width` bits.
    ///
    /// # Panics
    /// If `width` is zero.
    pub fn bitvec(width: u32) -> Sort {
        Sort::BitVec(NonZeroU32::new(width).expect("a bit-vector should have a positive width"))
    }

    /// The floating-point sort with these numbers of bits, the hidden one of the significand included.
    ///
    /// # Panics
    /// If the format is not supported; see [`FloatSort::new`].
    pub fn float(exponent: u32, significand: u32) -> Sort {
        Sort::Float(FloatSort::new(exponent, significand).expect("the float format should be supported"))
    }

    /// The format, if this is a floating-point sort.
    pub fn float_format(self) -> Option<FloatSort> {
        match self {
            Sort::Float(format) => Some(format),
            _ => None,
        }
    }

    /// The width, if this is a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width.get()),
            _ => None,
        }
    }

    /// Whether terms of this sort can be added, multiplied and ordered as numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}
