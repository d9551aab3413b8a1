//! Places: where the objects are that expressions name, and how they are read and written.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::layout::{FieldKey, LeafPath, fields, leaf_paths};
use super::lowering::Lowering;
use super::memory::Slot;
use super::options::MemoryRule;
use super::origin::{Event, ViolationKind};
use super::points_to::{ClassId, ObjectKey};
use super::safety::{Length, Reach};
use super::scalar::{Integer, Scalar, address_width};
use super::storage::{Home, Storage, StorageId};
use super::walk::{Direct, direct, site_of_place};
use crate::hir::{
    ArrayLength, BinaryOp, BitField, Expr, ExprKind, FloatKind, Place, PlaceKind, RecordKind, Step, Type,
    TypeId,
};

/// Structures with more scalars than this are not copied.
const MAX_COPIED: usize = 4096;

/// The place of an object or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// In variables; the index counts elements of arrays around.
    Part { storage: StorageId, index: Option<ExprId>, reach: Option<Reach> },
    /// In the only object of a class, as a member.
    Single { class: ClassId, key: Option<FieldKey>, reach: Option<Reach> },
    /// In memory.
    Memory { class: ClassId, address: ExprId, key: Option<FieldKey>, reach: Option<Reach> },
    /// Nowhere: the run cannot reach this point, or nothing is known.
    Nowhere,
}

/// How a scalar is kept: its type, and which bits of its storage unit it has if it is a bit-field.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) scalar: Scalar,
    pub(super) bits: Option<BitField>,
}

impl From<Scalar> for Form {
    fn from(scalar: Scalar) -> Form {
        Form { scalar, bits: None }
    }
}

impl From<(Scalar, Option<BitField>)> for Form {
    fn from((scalar, bits): (Scalar, Option<BitField>)) -> Form {
        Form { scalar, bits }
    }
}

impl Spot {
    /// What must be checked before an access, for rules about memory.
    pub(super) fn reach(self) -> Option<Reach> {
        match self {
            Spot::Part { reach, .. } | Spot::Single { reach, .. } | Spot::Memory { reach, .. } => reach,
            Spot::Nowhere => None,
        }
    }

    fn with_reach(self, reach: Option<Reach>) -> Spot {
        match self {
            Spot::Part { storage, index, .. } => Spot::Part { storage, index, reach },
            Spot::Single { class, key, .. } => Spot::Single { class, key, reach },
            Spot::Memory { class, address, key, .. } => Spot::Memory { class, address, key, reach },
            Spot::Nowhere => Spot::Nowhere,
        }
    }
}

impl<'h> Lowering<'h> {
    /// Where a variable is.
    pub(super) fn spot_of(&mut self, key: ObjectKey, ty: TypeId) -> Spot {
        let reach = self.reach_of(Some(key), ty);
        match self.objects.home(key, ty) {
            Home::Variables(storage) => Spot::Part { storage, index: None, reach },
            Home::Memory { class, address } => Spot::Memory { class, address, key: None, reach },
        }
    }

    /// Where a place is.
    pub(super) fn place(&mut self, place: &'h Place) -> Spot {
        match &place.kind {
            PlaceKind::Local(local) => self.spot_of(ObjectKey::Local(self.out.frame, *local), place.ty),
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
                let key = ObjectKey::Local(self.out.frame, *local);
                let spot = self.spot_of(key, place.ty);
                self.initialize(spot, place.ty, initializer, place.span);
                self.begin_lifetime(key, place.span);
                spot
            }
            PlaceKind::Temporary(value) => self.record(value),
        }
    }

    fn behind(&mut self, place: &'h Place, pointer: &'h Expr) -> Spot {
        let target = self.points.target(self.out.frame, site_of_place(place));
        let (address, reach) = self.pointed(pointer, target);
        match target {
            Some(class) if self.singles.object(class).is_some() => Spot::Single { class, key: None, reach },
            Some(class) => Spot::Memory { class, address, key: None, reach },
            None => Spot::Nowhere,
        }
    }

    /// Where a pointer expression points to. An index in it is part of the access.
    fn pointed(&mut self, pointer: &'h Expr, class: Option<ClassId>) -> (ExprId, Option<Reach>) {
        if let ExprKind::Offset { pointer: start, index, is_negated: false } = &pointer.kind
            && let Type::Pointer(element) = *self.program.types.get(start.ty)
            && self.checks_accesses()
        {
            let (start_term, index_term) = self.operands(start, index);
            let integer = self.scalar(index.ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
            let reach = self.reach_behind(class, start_term);
            let reach = self.reach_element(reach, element, (integer, index_term), pointer.span);
            let (_, bytes) = self.moved_bytes(start.ty, (index.ty, index_term), false, pointer.span);
            return (self.arith.advance(start_term, bytes), reach);
        }
        let address = self.value(pointer);
        (address, self.reach_behind(class, address))
    }

    fn indexed(&mut self, array: &'h Place, index: Option<&'h Expr>, span: Span) -> Spot {
        let spot = self.place(array);
        let Some(index) = index else {
            return self.constant_element(spot, array.ty, 0);
        };
        let scalar = self.scalar(index.ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        if let ExprKind::Int(number) = &index.kind
            && let Ok(constant) = u64::try_from(number)
        {
            let index = self.arith.integer(scalar, number);
            let spot = spot.with_reach(self.note_stray(spot.reach(), array, (scalar, index)));
            return self.checked_element(spot, array.ty, constant, span);
        }
        if self.conflict_with_place(array, index) != super::order::Conflict::None {
            self.limit_order(span);
        }
        let spot = if self.writes(index) { self.freeze_spot(spot, span) } else { spot };
        let index = self.value(index);
        let spot = spot.with_reach(self.note_stray(spot.reach(), array, (scalar, index)));
        self.element(spot, array.ty, scalar, index, span)
    }

    /// The element with a constant number. Short arrays have no place for elements that they do not have.
    fn checked_element(&mut self, spot: Spot, array: TypeId, number: u64, span: Span) -> Spot {
        let element = self.constant_element(spot, array, number);
        if let (Spot::Nowhere, Type::Array(ty, _)) = (element, self.program.types.get(array)) {
            self.check_missing(spot.reach(), *ty, number, span);
        }
        element
    }

    /// An access to an element without a place: outside the object, or elsewhere in it.
    fn check_missing(&mut self, reach: Option<Reach>, element: TypeId, number: u64, span: Span) {
        let Some(size) = self.program.types.size_of(element).filter(|_| reach.is_some()) else { return };
        let reach = self.reach_further(reach, number.saturating_mul(size));
        self.check_access(reach, Length::Constant(size), span);
        match self.options.property.asks(MemoryRule::Bounds) {
            true => self.out.violate(self.span_in_program(span), ViolationKind::Memory(MemoryRule::Bounds)),
            false => self.out.limit(span, "an index leaves an array into other members of the same object"),
        }
    }

    /// The element of an array at a term.
    fn element(&mut self, spot: Spot, array: TypeId, integer: Integer, index: ExprId, span: Span) -> Spot {
        let Type::Array(element, length) = *self.program.types.get(array) else { return spot };
        let reach = self.reach_element(spot.reach(), element, (integer, index), span);
        match spot {
            Spot::Part { storage, index: outer, .. } => match self.objects.storages.parts[storage] {
                Storage::Array(inner) => {
                    let number = self.arith.resize(integer, self.index_integer(), index);
                    let index = self.flat_index(outer, length, number);
                    Spot::Part { storage: inner, index: Some(index), reach }
                }
                _ => {
                    if let (Some(size), true) = (self.program.types.size_of(element), reach.is_some()) {
                        self.check_access(reach, Length::Constant(size), span);
                        self.out.limit(span, "an access to an element without a place of its own");
                    }
                    Spot::Nowhere
                }
            },
            Spot::Memory { class, address, key, .. } => {
                let size = self.size_of(element, span);
                let bytes = self.arith.scale(self.arith.bytes(integer, index), size);
                Spot::Memory { class, address: self.arith.advance(address, bytes), key, reach }
            }
            Spot::Single { .. } | Spot::Nowhere => spot.with_reach(reach),
        }
    }

    /// The integers that number elements.
    fn index_integer(&self) -> Integer {
        Integer::signed(address_width(self.program.types.model()))
    }

    /// The number of the first element.
    pub(super) fn first_index(&self) -> ExprId {
        self.arith.integer(self.index_integer(), &BigInt::from(0))
    }

    /// In arrays inside of arrays, all innermost elements are numbered.
    fn flat_index(&mut self, outer: Option<ExprId>, length: ArrayLength, number: ExprId) -> ExprId {
        let Some(outer) = outer else { return number };
        let length = self.length(length);
        let start = self.index_operation(BinaryOp::Mul, outer, length);
        self.index_operation(BinaryOp::Add, start, number)
    }

    /// Indices are assumed to be in bounds, so they do not wrap.
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
                let function = &self.program.functions[self.calls.frames[self.out.frame].function];
                let ty = function.locals[local].ty;
                let spot = self.spot_of(ObjectKey::Local(self.out.frame, local), ty);
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
                self.out.limit(span, "the size of an incomplete type is needed");
                self.arith.pointer(1)
            }
        }
    }

    fn constant_element(&mut self, spot: Spot, array: TypeId, number: u64) -> Spot {
        let Type::Array(element, length) = *self.program.types.get(array) else { return spot };
        let reach = self.reach_constant(spot.reach(), element, number);
        match spot {
            Spot::Part { storage, index, .. } => match &self.objects.storages.parts[storage] {
                Storage::List(elements) => match elements.get(number as usize) {
                    Some(storage) => Spot::Part { storage: *storage, index, reach },
                    None => Spot::Nowhere,
                },
                Storage::Array(inner) => {
                    let storage = *inner;
                    let number = self.arith.integer(self.index_integer(), &BigInt::from(number));
                    Spot::Part { storage, index: Some(self.flat_index(index, length, number)), reach }
                }
                _ => spot,
            },
            Spot::Memory { class, address, key, .. } => {
                let span = self.program.functions[self.calls.frames[self.out.frame].function].span;
                let size = self.size_of(element, span);
                let bytes = self.arith.scale(size, self.arith.pointer(number));
                Spot::Memory { class, address: self.arith.advance(address, bytes), key, reach }
            }
            Spot::Single { .. } | Spot::Nowhere => spot.with_reach(reach),
        }
    }

    /// A member of a structure or union.
    pub(super) fn field(&mut self, spot: Spot, ty: TypeId, number: usize) -> Spot {
        let types = &self.program.types;
        let Type::Record(record) = types.get(ty) else { return spot };
        let is_struct = types.record(*record).kind == RecordKind::Struct;
        let member = is_struct.then_some((*record, number));
        let offset = fields(types, *record)[number].offset;
        let reach = self.reach_further(spot.reach(), offset);
        match spot {
            Spot::Part { storage, index, .. } => match &self.objects.storages.parts[storage] {
                Storage::Record(members) => Spot::Part { storage: members[number], index, reach },
                Storage::Shared(storage) => Spot::Part { storage: *storage, index, reach },
                _ => spot,
            },
            Spot::Single { class, .. } => Spot::Single { class, key: member, reach },
            Spot::Memory { class, address, .. } => {
                Spot::Memory { class, address: self.arith.advance_by(address, offset), key: member, reach }
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

    /// The same place, independent of later changes to the variables that it was computed from.
    pub(super) fn freeze_spot(&mut self, spot: Spot, span: Span) -> Spot {
        let reach = self.freeze_reach(spot.reach(), span);
        match spot {
            Spot::Part { storage, index: Some(index), .. } => {
                Spot::Part { storage, index: Some(self.freeze(index, span)), reach }
            }
            Spot::Memory { class, address, key, .. } => {
                Spot::Memory { class, address: self.freeze(address, span), key, reach }
            }
            Spot::Part { .. } | Spot::Single { .. } | Spot::Nowhere => spot.with_reach(reach),
        }
    }

    /// The variable (with an index) that a place is, if it is in one.
    pub(super) fn in_variables(&mut self, spot: Spot) -> Option<(StorageId, Option<ExprId>)> {
        match spot {
            Spot::Part { storage, index, .. } => Some((storage, index)),
            Spot::Single { class, key, .. } => {
                let path = self.singles.path(class, key)?.to_vec();
                let object = &self.points.objects[self.singles.object(class)?];
                let (key, ty) = (object.key, object.ty?);
                let root = self.spot_of(key, ty);
                match self.part(root, ty, &path).0 {
                    Spot::Part { storage, index, .. } => Some((storage, index)),
                    _ => None,
                }
            }
            Spot::Memory { .. } | Spot::Nowhere => None,
        }
    }

    /// The scalar at a place.
    pub(super) fn read(&mut self, spot: Spot, scalar: Scalar, bits: Option<BitField>, span: Span) -> ExprId {
        if let Spot::Memory { class, address, key, .. } = spot {
            let slot = Slot { class, address, key, scalar };
            return match self.shared_bits(class, scalar, bits) {
                Some(bits) => self.read_bits(slot, bits, span),
                None => self.load(slot, span),
            };
        }
        let Some((storage, index)) = self.in_variables(spot) else {
            return self.arbitrary(scalar, span);
        };
        let Storage::Scalar { var, scalar: stored, is_array } = self.objects.storages.parts[storage] else {
            return self.arbitrary(scalar, span);
        };
        let store = self.store();
        let mut term = store.var_expr(var);
        if is_array {
            let index = index.unwrap_or_else(|| self.first_index());
            term = store.select(term, index);
        }
        term = self.observed(var, term, span);
        if is_array && self.objects.unranged.contains(&var) {
            self.assume_range(term, stored, span);
        }
        let partial = self.arith.convert(stored, scalar, term);
        self.defined(partial, scalar, span)
    }

    /// Writes a scalar to a place, which is then initialised.
    pub(super) fn write(
        &mut self,
        spot: Spot,
        form: impl Into<Form>,
        value: ExprId,
        span: Span,
        event: Event,
    ) {
        let form = form.into();
        let Form { scalar, bits } = form;
        self.write_value(spot, form, value, span, event);
        self.set_states(spot, scalar, bits, &[], span);
        self.mark_written(spot, scalar, value, span);
    }

    pub(super) fn write_value(&mut self, spot: Spot, form: Form, value: ExprId, span: Span, event: Event) {
        let Form { scalar, bits } = form;
        if let Spot::Memory { class, address, key, .. } = spot {
            let slot = Slot { class, address, key, scalar };
            match self.shared_bits(class, scalar, bits) {
                Some(bits) => self.write_bits(slot, bits, value, span, event),
                None => self.save(slot, value, span, event),
            }
            return;
        }
        let Some((storage, index)) = self.in_variables(spot) else { return };
        let Storage::Scalar { var, scalar: stored, is_array } = self.objects.storages.parts[storage] else {
            return;
        };
        let store = self.store();
        let narrow = self.arith.convert(scalar, scalar.narrowed(bits), value).term;
        let wide = self.arith.convert(scalar.narrowed(bits), stored, narrow).term;
        let value = if is_array {
            let index = index.unwrap_or_else(|| self.first_index());
            store.store(store.var_expr(var), index, wide)
        } else {
            wide
        };
        self.out.emit(StmtKind::Assign(var, value), span, event);
    }

    /// The bits of a bit-field in memory; where memory is not made of bytes, one of type `_Bool` is all of a `_Bool`.
    fn shared_bits(&mut self, class: ClassId, scalar: Scalar, bits: Option<BitField>) -> Option<BitField> {
        let has_bytes = self.region(class).has_bytes;
        bits.filter(|_| scalar != Scalar::Bool || has_bytes)
    }

    /// Assumes that a value that was never written lies in the range of its type.
    pub(super) fn assume_range(&mut self, term: ExprId, scalar: Scalar, span: Span) {
        if let Some(range) = self.arith.in_range(scalar, term) {
            self.out.emit(StmtKind::Assume(range), span, Event::Silent);
        }
    }

    /// Copies an object of any type.
    pub(super) fn copy(&mut self, to: Spot, from: Spot, ty: TypeId, span: Span, event: &Event) {
        let Some(paths) = leaf_paths(&self.program.types, ty, MAX_COPIED) else {
            self.out.limit(span, "a very large object is copied");
            return;
        };
        // The copied object may be one that the places depend on: `x = *x.next`.
        let (to, from) = match paths.len() {
            0 | 1 => (to, from),
            _ => (self.freeze_spot(to, span), self.freeze_spot(from, span)),
        };
        // In variables, the members of a union that are not used have no place of their own.
        let is_split = [to, from].iter().any(|spot| matches!(spot, Spot::Part { .. } | Spot::Single { .. }));
        for LeafPath { steps, ty: leaf, bits } in paths {
            let has_value = !is_split || self.is_used(ty, &steps);
            let Some(scalar) = self.scalar(leaf).filter(|_| has_value) else { continue };
            let source = self.part(from, ty, &steps).0;
            let target = self.part(to, ty, &steps).0;
            let scalar = self.copied_as(scalar, source, target);
            let value = self.read(source, scalar, bits, span);
            let states = self.states(source, scalar, bits, span);
            let marks = self.marks_at(source, scalar, span);
            self.write_value(target, Form { scalar, bits }, value, span, event.clone());
            self.set_states(target, scalar, bits, &states, span);
            match marks.is_empty() {
                true => self.mark_written(target, scalar, value, span),
                false => self.set_marks(target, scalar, &marks, span),
            }
        }
        self.forget_padding(to, ty, span);
    }

    /// What a scalar is copied as: from bytes to bytes, a float is copied as an integer, because the value of a NaN
    /// does not determine its bits.
    fn copied_as(&mut self, scalar: Scalar, from: Spot, to: Spot) -> Scalar {
        let mut is_in_bytes = |spot: Spot| match spot {
            Spot::Memory { class, .. } => self.region(class).has_bytes,
            Spot::Part { .. } | Spot::Single { .. } | Spot::Nowhere => false,
        };
        match scalar {
            Scalar::Float(FloatKind::Float | FloatKind::Double) if is_in_bytes(from) && is_in_bytes(to) => {
                Scalar::Int(self.bytes_of(scalar).0)
            }
            _ => scalar,
        }
    }

    /// Whether a scalar is in no member of a union that is never used: in variables such a member has no value, and what is written to it
    /// would be written over the members that are used.
    fn is_used(&self, ty: TypeId, steps: &[Step]) -> bool {
        let types = &self.program.types;
        let mut ty = ty;
        steps.iter().all(|step| {
            let owner = ty;
            ty = super::layout::step_type(types, owner, *step);
            match (types.get(owner), step) {
                (Type::Record(record), Step::Field(number)) => self.unions.is_used(types, *record, *number),
                _ => true,
            }
        })
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
            PlaceKind::Local(local) => {
                self.variable_address(ObjectKey::Local(self.out.frame, *local), place.ty)
            }
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
                self.variable_address(ObjectKey::Local(self.out.frame, *local), place.ty)
            }
            PlaceKind::Temporary(value) => {
                let spot = self.record(value);
                if self.checks_memory() {
                    self.out.limit(place.span, "the address of an intermediate value is used");
                }
                match spot {
                    Spot::Memory { address, .. } => address,
                    _ => self.arbitrary(Scalar::Pointer, place.span),
                }
            }
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
        self.check_move((integer, index), size, place.span);
        self.arith.advance(address, self.arith.scale(self.arith.bytes(integer, index), size))
    }

    /// The address of a variable.
    pub(super) fn variable_address(&mut self, key: ObjectKey, ty: TypeId) -> ExprId {
        if let Home::Memory { address, .. } = self.objects.home(key, ty) {
            return address;
        }
        if let Some(address) = self.objects.addresses.get(&key) {
            return *address;
        }
        let address = self.objects.new_object();
        self.objects.addresses.insert(key, address);
        address
    }
}
