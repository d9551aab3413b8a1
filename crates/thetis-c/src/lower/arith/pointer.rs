//! Pointers: `object * 2^32 + offset`.
//!
//! As C integers they are addresses. With 64 bits the address is the pointer itself; with 32 bits object number `k`
//! starts at `k * 2^16`. That is one possible layout of memory, and converting a pointer to an integer and back gives
//! the same pointer as long as its offset fits into 16 bits.

use num_bigint::BigInt;
use thetis_expr::{ExprId, Value};

use super::{Arith, Encoding};
use crate::hir::DataModel;
use crate::lower::scalar::{Integer, address_width};

/// The size of a pointer as bit-vector.
pub(super) const BITS: u32 = 64;
/// The size of an offset.
const OFFSET_BITS: u32 = 32;
/// The size of an offset in an address of 32 bits.
const SHORT_OFFSET_BITS: u32 = 16;

/// The object that a pointer points to, and the offset there.
pub(crate) fn split_pointer(pointer: &Value) -> Option<(u64, u32)> {
    let number = match pointer {
        Value::Int(number) => u64::try_from(number).ok()?,
        Value::BitVec(bits) => u64::try_from(bits.unsigned()).ok()?,
        _ => return None,
    };
    Some((number >> OFFSET_BITS, number as u32))
}

impl Arith<'_> {
    /// The pointer with a constant value.
    pub(crate) fn pointer(self, value: u64) -> ExprId {
        match self.encoding {
            Encoding::Bv => self.store.bits(BITS, value),
            Encoding::Int | Encoding::Mod => self.store.int(value),
        }
    }

    /// The address of the first byte of an object.
    pub(crate) fn object_address(self, object: u64) -> ExprId {
        self.pointer(object << OFFSET_BITS)
    }

    /// The number of the object that a constant pointer points to.
    pub(crate) fn object_number(self, pointer: ExprId) -> Option<u64> {
        split_pointer(&self.store.value(pointer)?).map(|(object, _)| object)
    }

    /// The pointer `bytes` further.
    pub(crate) fn advance(self, pointer: ExprId, bytes: ExprId) -> ExprId {
        match self.encoding {
            Encoding::Bv => self.store.bv_add(pointer, bytes),
            Encoding::Int | Encoding::Mod => self.store.add(pointer, bytes),
        }
    }

    /// The pointer a constant number of bytes further.
    pub(crate) fn advance_by(self, pointer: ExprId, bytes: u64) -> ExprId {
        self.advance(pointer, self.pointer(bytes))
    }

    /// The opposite of a number of bytes.
    pub(crate) fn negate_bytes(self, bytes: ExprId) -> ExprId {
        match self.encoding {
            Encoding::Bv => self.store.bv_neg(bytes),
            Encoding::Int | Encoding::Mod => self.store.neg(bytes),
        }
    }

    /// An integer as a number of elements or bytes to move by. Addresses wrap around, so large unsigned numbers move backwards.
    pub(crate) fn bytes(self, integer: Integer, term: ExprId) -> ExprId {
        let store = self.store;
        let signed = Integer::signed(address_width(self.model));
        match self.encoding {
            Encoding::Bv => {
                let address = self.resize(integer, signed, term);
                self.resize(signed, Integer::unsigned(BITS), address)
            }
            Encoding::Mod if signed.contains(integer) => term,
            Encoding::Mod if integer.width == signed.width => {
                let modulus = BigInt::from(1) << integer.width;
                let is_forward = store.le(term, store.int(signed.max()));
                store.ite(is_forward, term, store.sub(term, store.int(modulus)))
            }
            Encoding::Mod => self.wrap(signed, term),
            Encoding::Int => term,
        }
    }

    /// A product of numbers of bytes.
    pub(crate) fn scale(self, bytes: ExprId, factor: ExprId) -> ExprId {
        match self.encoding {
            Encoding::Bv => self.store.bv_mul(bytes, factor),
            Encoding::Int | Encoding::Mod => self.store.mul(bytes, factor),
        }
    }

    /// How many elements of `size` bytes lie between pointers, as a value of type `integer`.
    pub(crate) fn distance(self, integer: Integer, left: ExprId, right: ExprId, size: u64) -> ExprId {
        let store = self.store;
        match self.encoding {
            Encoding::Bv => {
                let elements = store.bv_sdiv(store.bv_sub(left, right), store.bits(BITS, size));
                self.resize(Integer::signed(BITS), integer, elements)
            }
            Encoding::Int | Encoding::Mod => store.int_div(store.sub(left, right), store.int(size)),
        }
    }

    /// Which object a pointer points into, as a pointer to its first byte, and where.
    pub(crate) fn object_and_offset(self, pointer: ExprId) -> (ExprId, ExprId) {
        let store = self.store;
        match self.encoding {
            Encoding::Bv => {
                let object = store.extract(pointer, OFFSET_BITS, BITS - OFFSET_BITS);
                let offset = store.extract(pointer, 0, OFFSET_BITS);
                let zeros = store.bits(OFFSET_BITS, 0u32);
                (store.concat(object, zeros), store.zero_extend(offset, BITS))
            }
            Encoding::Int | Encoding::Mod => {
                let offset = store.modulo(pointer, store.int(1u64 << OFFSET_BITS));
                (store.sub(pointer, offset), offset)
            }
        }
    }

    /// The object that a pointer is nearest to, as a pointer to its first byte, and how far after it (or before).
    pub(crate) fn object_and_distance(self, pointer: ExprId) -> (ExprId, ExprId) {
        let store = self.store;
        match self.encoding {
            Encoding::Bv => {
                let distance = store.sign_extend(store.extract(pointer, 0, OFFSET_BITS), BITS);
                (store.bv_sub(pointer, distance), distance)
            }
            Encoding::Int | Encoding::Mod => {
                let half = store.int(1u64 << (OFFSET_BITS - 1));
                let shifted = store.modulo(store.add(pointer, half), store.int(1u64 << OFFSET_BITS));
                let distance = store.sub(shifted, half);
                (store.sub(pointer, distance), distance)
            }
        }
    }

    /// When a pointer cannot be recovered from its address.
    pub(crate) fn loses_address(self, pointer: ExprId) -> ExprId {
        let store = self.store;
        match self.model {
            DataModel::Lp64 => store.fals(),
            DataModel::Ilp32 => {
                let address = Integer::unsigned(address_width(self.model));
                let again = self.integer_to_pointer(address, self.address(pointer));
                store.not(store.eq(again, pointer))
            }
        }
    }

    pub(super) fn pointer_to_integer(self, pointer: ExprId, to: Integer) -> ExprId {
        let address = Integer::unsigned(address_width(self.model));
        self.resize(address, to, self.address(pointer))
    }

    /// The address that a pointer is, as an unsigned integer of the size of the data model.
    pub(crate) fn address_number(self, pointer: ExprId) -> ExprId {
        self.address(pointer)
    }

    fn address(self, pointer: ExprId) -> ExprId {
        let store = self.store;
        match (self.encoding, self.model) {
            (Encoding::Bv, DataModel::Lp64) => pointer,
            (_, DataModel::Lp64) => self.wrap(Integer::unsigned(BITS), pointer),
            (Encoding::Bv, DataModel::Ilp32) => {
                let object = store.extract(pointer, OFFSET_BITS, SHORT_OFFSET_BITS);
                let base = store.concat(object, store.bits(SHORT_OFFSET_BITS, 0u32));
                store.bv_add(base, store.extract(pointer, 0, OFFSET_BITS))
            }
            (_, DataModel::Ilp32) => {
                let (base, offset) = self.object_and_offset(pointer);
                let start = store.int_div(base, store.int(1u64 << SHORT_OFFSET_BITS));
                self.wrap(Integer::unsigned(32), store.add(start, offset))
            }
        }
    }

    pub(super) fn integer_to_pointer(self, from: Integer, term: ExprId) -> ExprId {
        let store = self.store;
        let address = self.resize(from, Integer::unsigned(address_width(self.model)), term);
        match (self.encoding, self.model) {
            (_, DataModel::Lp64) => address,
            (Encoding::Bv, DataModel::Ilp32) => {
                let object = store.extract(address, SHORT_OFFSET_BITS, SHORT_OFFSET_BITS);
                let offset = store.extract(address, 0, SHORT_OFFSET_BITS);
                store.concat(store.zero_extend(object, OFFSET_BITS), store.zero_extend(offset, OFFSET_BITS))
            }
            (_, DataModel::Ilp32) => {
                let short = store.int(1u64 << SHORT_OFFSET_BITS);
                let object = store.int_div(address, short);
                let start = store.mul(object, store.int(BigInt::from(1u64 << OFFSET_BITS)));
                store.add(start, store.modulo(address, short))
            }
        }
    }
}
