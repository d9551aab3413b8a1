//! Places: where the objects are that expressions name, and how they are read and written.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::layout::{FieldKey, LeafPath, fields, leaf_paths};
use super::lowering::Lowering;
use super::origin::Event;
use super::points_to::{ClassId, ObjectKey};
use super::scalar::{Integer, Scalar, address_width};
use super::storage::{Home, Storage, StorageId};
use super::walk::{Direct, direct, site_of_place};
use crate::hir::{
    ArrayLength, BinaryOp, BitField, Expr, ExprKind, Place, PlaceKind, RecordKind, Step, Type, TypeId,
};

/// Structures with more scalars than this are not copied.
const MAX_COPIED: usize = 4096;

/// Where an object or a part of one is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// In variables; the index counts elements of arrays around.
    Part { storage: StorageId, index: Option<ExprId> },
    /// In the only object of a class, as a member.
    Single { class: ClassId, key: Option<FieldKey> },
    /// In memory.
    Memory { class: ClassId, address: ExprId, key: Option<FieldKey> },
    /// Nowhere: the run cannot get here, or nothing is known.
    Nowhere,
}

impl<'h> Lowering<'h> {
    /// Where a variable is.
    pub(super) fn spot_of(&mut self, key: ObjectKey, ty: TypeId) -> Spot {
        match self.home(key, ty) {
            Home::Variables(storage) => Spot::Part { storage, index: None },
            Home::Memory { class, address } => Spot::Memory { class, address, key: None },
        }
    }

    /// Where a place is.
    pub(super) fn place(&mut self, place: &'h Place) -> Spot {
        match &place.kind {
            PlaceKind::Local(local) => self.spot_of(ObjectKey::Local(self.frame, *local), place.ty),
            PlaceKind::Global(global) => self.spot_of(ObjectKey::Global(*global), place.ty),
            PlaceKind::Field(base, number) => {
                let spot = self.place(base);
                self.field(spot, base.ty, *number)
            }
            PlaceKind::Index(base, index) => self.indexed(base, Some(index), place.span),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.place(inner),
                Some(Direct::Element { array, index }) => self.indexed(array, index, place.span),
                None => self.behind(place, pointer),
            },
            PlaceKind::Literal(local, initializer) => {
                let spot = self.spot_of(ObjectKey::Local(self.frame, *local), place.ty);
                self.initialize(spot, place.ty, initializer, place.span);
                spot
            }
            PlaceKind::Temporary(value) => self.record(value),
        }
    }

    fn behind(&mut self, place: &'h Place, pointer: &'h Expr) -> Spot {
        let address = self.value(pointer);
        match self.points.target(self.frame, site_of_place(place)) {
            Some(class) if self.singles.object(class).is_some() => Spot::Single { class, key: None },
            Some(class) => Spot::Memory { class, address, key: None },
            None => Spot::Nowhere,
        }
    }

    fn indexed(&mut self, array: &'h Place, index: Option<&'h Expr>, span: Span) -> Spot {
        let spot = self.place(array);
        let Some(index) = index else {
            return self.constant_element(spot, array.ty, 0);
        };
        if let ExprKind::Int(number) = &index.kind
            && let Ok(number) = u64::try_from(number)
        {
            return self.constant_element(spot, array.ty, number);
        }
        let spot = if self.writes(index) { self.freeze_spot(spot, span) } else { spot };
        let scalar = self.scalar(index.ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        let index = self.value(index);
        self.element(spot, array.ty, scalar, index, span)
    }

    /// The element of an array at a term.
    fn element(&mut self, spot: Spot, array: TypeId, integer: Integer, index: ExprId, span: Span) -> Spot {
        let Type::Array(element, length) = *self.program.types.get(array) else { return spot };
        match spot {
            Spot::Part { storage, index: outer } => match self.storages.parts[storage] {
                Storage::Array(inner) => {
                    let number = self.arith.resize(integer, self.index_integer(), index);
                    let index = self.flat_index(outer, length, number);
                    Spot::Part { storage: inner, index: Some(index) }
                }
                _ => Spot::Nowhere,
            },
            Spot::Memory { class, address, key } => {
                let size = self.size_of(element, span);
                let bytes = self.arith.scale(self.arith.bytes(integer, index), size);
                Spot::Memory { class, address: self.arith.advance(address, bytes), key }
            }
            Spot::Single { .. } | Spot::Nowhere => spot,
        }
    }

    /// The integers that number elements.
    fn index_integer(&self) -> Integer {
        Integer::signed(address_width(self.program.types.model()))
    }

    /// In arrays inside of arrays, all innermost elements are numbered.
    fn flat_index(&mut self, outer: Option<ExprId>, length: ArrayLength, number: ExprId) -> ExprId {
        let Some(outer) = outer else { return number };
        let length = self.length(length);
        let start = self.index_operation(BinaryOp::Mul, outer, length);
        self.index_operation(BinaryOp::Add, start, number)
    }

    /// Indices are meant to be in bounds, so they do not wrap.
    fn index_operation(&self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let store = self.store();
        match (op, self.arith.encoding) {
            (_, super::arith::Encoding::Bv) => {
                let integer = self.index_integer();
                self.arith.binary(op, Scalar::Int(integer), integer, left, right).term
            }
            (BinaryOp::Add, _) => store.add(left, right),
            _ => store.mul(left, right),
        }
    }

    /// The number of elements of an array, as an index.
    fn length(&mut self, length: ArrayLength) -> ExprId {
        match length {
            ArrayLength::Constant(length) => self.arith.integer(self.index_integer(), &BigInt::from(length)),
            ArrayLength::Unknown => self.arith.integer(self.index_integer(), &BigInt::from(0)),
            ArrayLength::Variable(local) => {
                let function = &self.program.functions[self.calls.frames[self.frame].function];
                let ty = function.locals[local].ty;
                let spot = self.spot_of(ObjectKey::Local(self.frame, local), ty);
                let scalar = self.scalar(ty).unwrap_or(Scalar::Int(self.index_integer()));
                let length = self.read(spot, scalar, None, function.locals[local].span);
                let integer = scalar.integer().unwrap_or(self.index_integer());
                self.arith.resize(integer, self.index_integer(), length)
            }
        }
    }

    /// The size of a type as a number of bytes.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> ExprId {
        if let Some(size) = self.program.types.size_of(ty) {
            return self.arith.pointer(size);
        }
        match self.program.types.get(ty).clone() {
            Type::Array(element, length) => {
                let size = self.size_of(element, span);
                let length = self.length(length);
                let length = self.arith.bytes(self.index_integer(), length);
                self.arith.scale(length, size)
            }
            _ => {
                self.limit(span, "the size of an incomplete type is needed");
                self.arith.pointer(1)
            }
        }
    }

    fn constant_element(&mut self, spot: Spot, array: TypeId, number: u64) -> Spot {
        let Type::Array(element, length) = *self.program.types.get(array) else { return spot };
        match spot {
            Spot::Part { storage, index } => match &self.storages.parts[storage] {
                Storage::List(elements) => match elements.get(number as usize) {
                    Some(storage) => Spot::Part { storage: *storage, index },
                    None => Spot::Nowhere,
                },
                Storage::Array(inner) => {
                    let storage = *inner;
                    let number = self.arith.integer(self.index_integer(), &BigInt::from(number));
                    Spot::Part { storage, index: Some(self.flat_index(index, length, number)) }
                }
                _ => spot,
            },
            Spot::Memory { class, address, key } => {
                let span = self.program.functions[self.calls.frames[self.frame].function].span;
                let size = self.size_of(element, span);
                let bytes = self.arith.scale(size, self.arith.pointer(number));
                Spot::Memory { class, address: self.arith.advance(address, bytes), key }
            }
            Spot::Single { .. } | Spot::Nowhere => spot,
        }
    }

    /// A member of a structure or union.
    pub(super) fn field(&mut self, spot: Spot, ty: TypeId, number: usize) -> Spot {
        let types = &self.program.types;
        let Type::Record(record) = types.get(ty) else { return spot };
        let is_struct = types.record(*record).kind == RecordKind::Struct;
        let member = is_struct.then_some((*record, number));
        match spot {
            Spot::Part { storage, index } => match &self.storages.parts[storage] {
                Storage::Record(members) => Spot::Part { storage: members[number], index },
                Storage::Shared(storage) => Spot::Part { storage: *storage, index },
                _ => spot,
            },
            Spot::Single { class, .. } => Spot::Single { class, key: member },
            Spot::Memory { class, address, .. } => {
                let offset = fields(types, *record)[number].offset;
                Spot::Memory { class, address: self.arith.advance_by(address, offset), key: member }
            }
            Spot::Nowhere => spot,
        }
    }

    /// A part of an object, by the way to it.
    pub(super) fn part(&mut self, spot: Spot, ty: TypeId, path: &[Step]) -> (Spot, TypeId) {
        let (mut spot, mut ty) = (spot, ty);
        for step in path {
            let next = super::layout::step_type(&self.program.types, ty, *step);
            spot = match step {
                Step::Field(number) => self.field(spot, ty, *number),
                Step::Index(number) => self.constant_element(spot, ty, *number),
            };
            ty = next;
        }
        (spot, ty)
    }

    /// The same place, whatever happens to the variables that it was computed from.
    pub(super) fn freeze_spot(&mut self, spot: Spot, span: Span) -> Spot {
        match spot {
            Spot::Part { storage, index: Some(index) } => {
                Spot::Part { storage, index: Some(self.freeze(index, span)) }
            }
            Spot::Memory { class, address, key } => {
                Spot::Memory { class, address: self.freeze(address, span), key }
            }
            Spot::Part { .. } | Spot::Single { .. } | Spot::Nowhere => spot,
        }
    }

    /// The variable (with an index) that a place is, if it is in one.
    fn in_variables(&mut self, spot: Spot) -> Option<(StorageId, Option<ExprId>)> {
        match spot {
            Spot::Part { storage, index } => Some((storage, index)),
            Spot::Single { class, key } => {
                let path = self.singles.path(class, key)?.to_vec();
                let object = &self.points.objects[self.singles.object(class)?];
                let (key, ty) = (object.key, object.ty?);
                let root = self.spot_of(key, ty);
                match self.part(root, ty, &path).0 {
                    Spot::Part { storage, index } => Some((storage, index)),
                    _ => None,
                }
            }
            Spot::Memory { .. } | Spot::Nowhere => None,
        }
    }

    /// The scalar at a place.
    pub(super) fn read(&mut self, spot: Spot, scalar: Scalar, bits: Option<BitField>, span: Span) -> ExprId {
        if let Spot::Memory { class, address, key } = spot {
            return match self.shared_bits(class, scalar, bits) {
                Some(bits) => self.read_bits(class, address, key, scalar, bits, span),
                None => self.load(class, address, key, scalar, span),
            };
        }
        let Some((storage, index)) = self.in_variables(spot) else {
            return self.arbitrary(scalar, span);
        };
        let Storage::Scalar { var, scalar: stored, is_array } = self.storages.parts[storage] else {
            return self.arbitrary(scalar, span);
        };
        let store = self.store();
        let mut term = store.var_expr(var);
        if is_array {
            let index = index.unwrap_or_else(|| self.arith.integer(self.index_integer(), &BigInt::from(0)));
            term = store.select(term, index);
            if self.unranged.contains(&var) {
                self.assume_range(term, stored, span);
            }
        }
        let partial = self.arith.convert(stored, scalar, term);
        self.defined(partial, scalar, span)
    }

    /// Writes a scalar to a place.
    pub(super) fn write(
        &mut self,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
        value: ExprId,
        span: Span,
        event: Event,
    ) {
        if let Spot::Memory { class, address, key } = spot {
            match self.shared_bits(class, scalar, bits) {
                Some(bits) => self.write_bits(class, address, key, scalar, bits, value, span, event),
                None => self.save(class, address, key, scalar, value, span, event),
            }
            return;
        }
        let Some((storage, index)) = self.in_variables(spot) else { return };
        let Storage::Scalar { var, scalar: stored, is_array } = self.storages.parts[storage] else { return };
        let store = self.store();
        let narrow = self.arith.convert(scalar, scalar.narrowed(bits), value).term;
        let wide = self.arith.convert(scalar.narrowed(bits), stored, narrow).term;
        let value = if is_array {
            let index = index.unwrap_or_else(|| self.arith.integer(self.index_integer(), &BigInt::from(0)));
            store.store(store.var_expr(var), index, wide)
        } else {
            wide
        };
        self.emit(StmtKind::Assign(var, value), span, event);
    }

    /// The bits of a bit-field in memory; where memory is not made of bytes, one of type `_Bool` is all of a `_Bool`.
    fn shared_bits(&mut self, class: ClassId, scalar: Scalar, bits: Option<BitField>) -> Option<BitField> {
        let has_bytes = self.region(class).has_bytes;
        bits.filter(|_| scalar != Scalar::Bool || has_bytes)
    }

    /// Says that a value that was never written lies in the range of its type.
    pub(super) fn assume_range(&mut self, term: ExprId, scalar: Scalar, span: Span) {
        if let Some(range) = self.arith.in_range(scalar, term) {
            self.emit(StmtKind::Assume(range), span, Event::Silent);
        }
    }

    /// Copies an object of any type.
    pub(super) fn copy(&mut self, to: Spot, from: Spot, ty: TypeId, span: Span, event: &Event) {
        let Some(paths) = leaf_paths(&self.program.types, ty, MAX_COPIED) else {
            self.limit(span, "a very large object is copied");
            return;
        };
        for LeafPath { steps, ty: leaf, bits } in paths {
            let Some(scalar) = self.scalar(leaf) else { continue };
            let source = self.part(from, ty, &steps).0;
            let target = self.part(to, ty, &steps).0;
            let value = self.read(source, scalar, bits, span);
            self.write(target, scalar, bits, value, span, event.clone());
        }
    }

    /// The bits of a member that is a bit-field.
    pub(super) fn bits_of(&self, place: &Place) -> Option<BitField> {
        let PlaceKind::Field(base, number) = &place.kind else { return None };
        let Type::Record(record) = self.program.types.get(base.ty) else { return None };
        fields(&self.program.types, *record)[*number].bits
    }

    /// The address of a place. Variables whose only pointers lead to them have one too, for comparisons.
    pub(super) fn address_of(&mut self, place: &'h Place) -> ExprId {
        match &place.kind {
            PlaceKind::Local(local) => self.variable_address(ObjectKey::Local(self.frame, *local), place.ty),
            PlaceKind::Global(global) => self.variable_address(ObjectKey::Global(*global), place.ty),
            PlaceKind::Field(base, number) => {
                let address = self.address_of(base);
                match self.program.types.get(base.ty) {
                    Type::Record(record) => {
                        let offset = fields(&self.program.types, *record)[*number].offset;
                        self.arith.advance_by(address, offset)
                    }
                    _ => address,
                }
            }
            PlaceKind::Index(base, index) => self.element_address(base, Some(index), place),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.address_of(inner),
                Some(Direct::Element { array, index }) => self.element_address(array, index, place),
                None => self.value(pointer),
            },
            PlaceKind::Literal(local, _) => {
                self.place(place);
                self.variable_address(ObjectKey::Local(self.frame, *local), place.ty)
            }
            PlaceKind::Temporary(value) => match self.record(value) {
                Spot::Memory { address, .. } => address,
                _ => self.arbitrary(Scalar::Pointer, place.span),
            },
        }
    }

    fn element_address(&mut self, array: &'h Place, index: Option<&'h Expr>, place: &'h Place) -> ExprId {
        let mut address = self.address_of(array);
        let Some(index) = index else { return address };
        if self.writes(index) {
            address = self.freeze(address, place.span);
        }
        let integer = self.scalar(index.ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        let index = self.value(index);
        let size = self.size_of(place.ty, place.span);
        self.arith.advance(address, self.arith.scale(self.arith.bytes(integer, index), size))
    }

    /// The address of a variable.
    pub(super) fn variable_address(&mut self, key: ObjectKey, ty: TypeId) -> ExprId {
        if let Home::Memory { address, .. } = self.home(key, ty) {
            return address;
        }
        if let Some(address) = self.addresses.get(&key) {
            return *address;
        }
        let address = self.new_object();
        self.addresses.insert(key, address);
        address
    }
}
