//! How far an access reaches: from which object or pointer it counts, and how many bytes further it begins.
//!
//! A place such as `p->rows[i].x` is a way that starts somewhere (at a variable, or where a pointer points to) and then
//! only goes on inside of what it started in. So an access is checked against the object at its start, not against what
//! lies at the final address: the two differ if an index is so large that the address is in another object.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;

use crate::hir::{ArrayLength, CompareOp, Place, PlaceKind, RecordKind, Type, TypeId};
use crate::lower::arith::Encoding;
use crate::lower::layout::fields;
use crate::lower::lowering::Lowering;
use crate::lower::options::MemoryRule;
use crate::lower::points_to::{ClassId, ObjectKey};
use crate::lower::scalar::{Integer, Scalar};
use crate::lower::walk::{Direct, direct};

/// Objects are smaller than this, and so are the distances that pointers are moved at once.
pub(in crate::lower) const MAX_BYTES: u64 = 1 << 31;

/// What an access counts from, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Reach {
    pub(in crate::lower) root: Root,
    pub(in crate::lower) offset: Offset,
    /// When the way is nonsense: an index is so large that bytes cannot be counted.
    pub(super) is_wild: ExprId,
    /// When it leaves an array that has something behind it in the same object.
    pub(super) strays: ExprId,
}

/// What an access counts from.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Root {
    /// A variable by its name; intermediate values have none.
    Variable { key: Option<ObjectKey>, size: Size },
    /// What a pointer points to.
    Pointer { class: Option<ClassId>, pointer: ExprId },
}

/// The number of bytes of a variable.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Size {
    Constant(u64),
    /// An array of variable length.
    Term(ExprId),
    /// An incomplete type.
    Unknown,
}

/// How many bytes after its root an access begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Offset {
    Constant(i128),
    /// `constant + step * index`
    Scaled {
        constant: i128,
        step: i128,
        index: ExprId,
        integer: Integer,
    },
    Bytes(ExprId),
}

/// How many bytes are accessed.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Length {
    Constant(u64),
    Term(ExprId),
}

impl<'h> Lowering<'h> {
    /// A way that starts at a variable; none if memory is not what is asked about.
    pub(in crate::lower) fn reach_of(&mut self, key: Option<ObjectKey>, ty: TypeId) -> Option<Reach> {
        if !self.checks_accesses() {
            return None;
        }
        let size = match (self.program.types.size_of(ty), self.program.types.get(ty)) {
            (Some(size), _) => Size::Constant(size),
            (None, Type::Array(_, ArrayLength::Variable(_))) => {
                let span = self.program.functions[self.calls.frames[self.out.frame].function].span;
                Size::Term(self.size_of(ty, span))
            }
            (None, _) => Size::Unknown,
        };
        Some(self.reach_from(Root::Variable { key, size }))
    }

    /// A way that starts where a pointer points to; none if memory is not what is asked about.
    pub(in crate::lower) fn reach_behind(
        &mut self,
        class: Option<ClassId>,
        pointer: ExprId,
    ) -> Option<Reach> {
        self.checks_accesses().then(|| self.reach_from(Root::Pointer { class, pointer }))
    }

    fn reach_from(&self, root: Root) -> Reach {
        let never = self.store().fals();
        Reach { root, offset: Offset::Constant(0), is_wild: never, strays: never }
    }

    /// The way that goes on for a constant number of bytes.
    pub(in crate::lower) fn reach_further(&self, reach: Option<Reach>, bytes: u64) -> Option<Reach> {
        Some(self.moved(reach?, i128::from(bytes)))
    }

    /// The way that goes on to an element; `element` is its type.
    pub(in crate::lower) fn reach_element(
        &mut self,
        reach: Option<Reach>,
        element: TypeId,
        (integer, index): (Integer, ExprId),
        span: Span,
    ) -> Option<Reach> {
        let reach = reach?;
        let size = self.program.types.size_of(element);
        match (size, self.arith.as_literal(integer, index)) {
            (Some(size), Some(number)) => {
                let bytes = i128::from(size).checked_mul(i128::try_from(number).ok()?)?;
                Some(self.moved(reach, bytes))
            }
            (Some(size), None) => {
                if let Offset::Constant(constant) = reach.offset {
                    let offset = Offset::Scaled { constant, step: i128::from(size), index, integer };
                    return Some(Reach { offset, ..reach });
                }
                let size = self.arith.pointer(size);
                Some(self.reach_scaled(reach, (integer, index), size))
            }
            (None, _) => {
                let size = self.size_of(element, span);
                Some(self.reach_scaled(reach, (integer, index), size))
            }
        }
    }

    /// The way that goes on to the element with a constant number.
    pub(in crate::lower) fn reach_constant(
        &mut self,
        reach: Option<Reach>,
        element: TypeId,
        number: u64,
    ) -> Option<Reach> {
        let integer = Integer::unsigned(64);
        let index = self.arith.integer(integer, &BigInt::from(number));
        let span = self.program.functions[self.calls.frames[self.out.frame].function].span;
        self.reach_element(reach, element, (integer, index), span)
    }

    fn moved(&self, reach: Reach, bytes: i128) -> Reach {
        let offset = match reach.offset {
            Offset::Constant(constant) => Offset::Constant(constant + bytes),
            Offset::Scaled { constant, step, index, integer } => {
                Offset::Scaled { constant: constant + bytes, step, index, integer }
            }
            Offset::Bytes(known) => Offset::Bytes(self.arith.advance(known, self.bytes_literal(bytes))),
        };
        Reach { offset, ..reach }
    }

    fn reach_scaled(&self, reach: Reach, (integer, index): (Integer, ExprId), size: ExprId) -> Reach {
        let (before, wild_before) = self.offset_bytes(reach.offset);
        let (more, is_wild) =
            (self.arith.scale(self.arith.bytes(integer, index), size), self.is_wild(integer, index));
        let is_wild = self.store().or_all([reach.is_wild, wild_before, is_wild]);
        Reach { offset: Offset::Bytes(self.arith.advance(before, more)), is_wild, ..reach }
    }

    /// An offset as a number of bytes, and when there is none.
    pub(super) fn offset_bytes(&self, offset: Offset) -> (ExprId, ExprId) {
        match offset {
            Offset::Constant(constant) => (self.bytes_literal(constant), self.store().fals()),
            Offset::Bytes(bytes) => (bytes, self.store().fals()),
            Offset::Scaled { constant, step, index, integer } => {
                let scaled = self.arith.scale(self.arith.bytes(integer, index), self.bytes_literal(step));
                let bytes = self.arith.advance(scaled, self.bytes_literal(constant));
                (bytes, self.is_wild(integer, index))
            }
        }
    }

    /// Bit-vectors of 64 bits cannot count the bytes of more elements than objects have.
    fn is_wild(&self, integer: Integer, index: ExprId) -> ExprId {
        match self.arith.encoding {
            Encoding::Bv if integer.width > 32 => {
                let max = BigInt::from(MAX_BYTES);
                self.outside((integer, index), &-max.clone(), &max)
            }
            _ => self.store().fals(),
        }
    }

    /// A signed number of bytes.
    pub(super) fn bytes_literal(&self, bytes: i128) -> ExprId {
        self.arith.integer(signed_bytes(), &BigInt::from(bytes))
    }

    /// That an integer is less than `low` or greater than `high`.
    pub(super) fn outside(&self, (integer, term): (Integer, ExprId), low: &BigInt, high: &BigInt) -> ExprId {
        let store = self.store();
        if *low > integer.max() || *high < integer.min() || low > high {
            return store.tru();
        }
        let scalar = Scalar::Int(integer);
        let below = match *low <= integer.min() {
            true => store.fals(),
            false => self.arith.compare(CompareOp::Lt, scalar, term, self.arith.integer(integer, low)),
        };
        let above = match *high >= integer.max() {
            true => store.fals(),
            false => self.arith.compare(CompareOp::Gt, scalar, term, self.arith.integer(integer, high)),
        };
        store.or(below, above)
    }

    /// Notes that the way leaves the array `array` if the index is not one of its elements: what lies behind it in the same object
    /// is not kept where the model would look for it.
    pub(in crate::lower) fn note_stray(
        &self,
        reach: Option<Reach>,
        array: &Place,
        (integer, index): (Integer, ExprId),
    ) -> Option<Reach> {
        let reach = reach?;
        let Type::Array(_, ArrayLength::Constant(length)) = self.program.types.get(array.ty) else {
            return Some(reach);
        };
        let asks_bounds = self.options.property.asks(MemoryRule::Bounds);
        let is_checked = self.is_followed(array) || asks_bounds && is_row(array);
        if !is_checked {
            return Some(reach);
        }
        let leaves = self.outside((integer, index), &BigInt::from(0), &(BigInt::from(*length) - 1));
        Some(Reach { strays: self.store().or(reach.strays, leaves), ..reach })
    }

    /// Whether something else of the same object lies behind an array that belongs to a structure.
    fn is_followed(&self, array: &Place) -> bool {
        match &array.kind {
            PlaceKind::Field(base, number) => {
                let types = &self.program.types;
                let Type::Record(record) = types.get(base.ty) else { return false };
                let end = fields(types, *record)[*number].offset + types.size_of(array.ty).unwrap_or(0);
                let is_struct = types.record(*record).kind == RecordKind::Struct;
                (is_struct && types.size_of(base.ty).is_some_and(|size| end < size)) || self.is_followed(base)
            }
            PlaceKind::Index(base, _) => self.is_followed(base),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.is_followed(inner),
                Some(Direct::Element { array, .. }) => self.is_followed(array),
                None => false,
            },
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Literal(..) | PlaceKind::Temporary(_) => {
                false
            }
        }
    }

    /// The same way, whatever happens to the variables that it was computed from.
    pub(in crate::lower) fn freeze_reach(&mut self, reach: Option<Reach>, span: Span) -> Option<Reach> {
        let reach = reach?;
        let root = match reach.root {
            Root::Pointer { class, pointer } => Root::Pointer { class, pointer: self.freeze(pointer, span) },
            variable @ Root::Variable { .. } => variable,
        };
        let offset = match reach.offset {
            Offset::Scaled { constant, step, index, integer } => {
                Offset::Scaled { constant, step, index: self.freeze(index, span), integer }
            }
            Offset::Bytes(bytes) => Offset::Bytes(self.freeze(bytes, span)),
            constant @ Offset::Constant(_) => constant,
        };
        let (is_wild, strays) = (self.freeze(reach.is_wild, span), self.freeze(reach.strays, span));
        Some(Reach { root, offset, is_wild, strays })
    }

    /// When `length` bytes at a way do not lie in a variable of `size` bytes.
    pub(super) fn leaves_variable(&self, reach: Reach, size: Size, length: Length) -> ExprId {
        let store = self.store();
        let (bytes, is_wild) = self.offset_bytes(reach.offset);
        let outside = match (size, length, reach.offset) {
            (
                Size::Constant(size),
                Length::Constant(length),
                Offset::Scaled { constant, step, index, integer },
            ) if step > 0 => {
                let low = -constant.div_euclid(step);
                let high = (i128::from(size) - i128::from(length) - constant).div_euclid(step);
                return store.or(
                    reach.is_wild,
                    self.outside((integer, index), &BigInt::from(low), &BigInt::from(high)),
                );
            }
            (Size::Constant(size), Length::Constant(length), _) => {
                let last = BigInt::from(size) - BigInt::from(length);
                self.outside((signed_bytes(), bytes), &BigInt::from(0), &last)
            }
            (size, length, _) => {
                let size = match size {
                    Size::Constant(size) => self.bytes_literal(i128::from(size)),
                    Size::Term(size) => size,
                    Size::Unknown => return store.fals(),
                };
                let length = self.length_term(length);
                let end = self.arith.advance(bytes, length);
                let zero = self.bytes_literal(0);
                store.or(
                    self.arith.compare(CompareOp::Lt, Scalar::Int(signed_bytes()), bytes, zero),
                    self.arith.compare(CompareOp::Gt, Scalar::Int(signed_bytes()), end, size),
                )
            }
        };
        store.or_all([reach.is_wild, is_wild, outside])
    }

    pub(super) fn length_term(&self, length: Length) -> ExprId {
        match length {
            Length::Constant(length) => self.bytes_literal(i128::from(length)),
            Length::Term(length) => length,
        }
    }
}

/// Whether an array may be an element of another one.
fn is_row(array: &Place) -> bool {
    matches!(array.kind, PlaceKind::Index(..) | PlaceKind::Deref(_))
}

/// The integers that count bytes in both directions.
pub(super) fn signed_bytes() -> Integer {
    Integer::signed(64)
}
