//! Initial values.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, Float, FloatSign, Sort, Store, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::layout::{LeafPath, covers, leaf_paths, step_type};
use super::lowering::Lowering;
use super::origin::Event;
use super::points_to::ObjectKey;
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::storage::{Home, Storage, StorageId};
use super::walk::{Part, walk};
use crate::hir::{
    GlobalId, Initializer, IntKind, Part as Value, Place, PlaceKind, RecordKind, Step, Type, TypeId, Types,
};

/// Objects with more scalars than this are zeroed in a loop.
const MAX_ZEROED: usize = 1024;

impl<'h> Lowering<'h> {
    /// Gives an automatic object its initial value.
    pub(super) fn initialize(&mut self, spot: Spot, ty: TypeId, initializer: &'h Initializer, span: Span) {
        match initializer {
            Initializer::Parts(parts) if matches!(spot, Spot::Memory { .. }) => {
                self.zero_except(spot, ty, parts, span);
                self.forget_union_bytes(spot, ty, parts, span);
                self.initialize_parts(spot, ty, parts, span);
            }
            _ => self.initialize_static(spot, ty, initializer, span),
        }
    }

    /// Bytes of unions that the members given do not have are anything. (Those of static objects are zero.)
    fn forget_union_bytes(&mut self, spot: Spot, ty: TypeId, parts: &[Value], span: Span) {
        let mut known = BTreeSet::new();
        for part in parts {
            for (length, number) in partial_unions(&self.program.types, ty, &part.path) {
                let path = &part.path[..length];
                if !known.insert(path.iter().map(|step| format!("{step:?}")).collect::<Vec<_>>()) {
                    continue;
                }
                let (union, union_ty) = self.part(spot, ty, path);
                self.scramble(union, union_ty, span);
                let member = [path, &[Step::Field(number)]].concat();
                let (place, member_ty) = self.part(spot, ty, &member);
                self.zero(place, member_ty, span);
            }
        }
    }

    /// Gives a static object its initial value.
    fn initialize_static(&mut self, spot: Spot, ty: TypeId, initializer: &'h Initializer, span: Span) {
        match initializer {
            Initializer::Value(value) => match self.scalar(ty) {
                Some(scalar) => {
                    let term = self.value(value);
                    self.write(spot, scalar, term, span, Event::Assign);
                }
                None => {
                    let source = self.record(value);
                    self.copy(spot, source, ty, span, &Event::Assign);
                }
            },
            Initializer::Parts(parts) => {
                self.zero_except(spot, ty, parts, span);
                self.initialize_parts(spot, ty, parts, span);
            }
        }
    }

    fn initialize_parts(&mut self, spot: Spot, ty: TypeId, parts: &'h [Value], span: Span) {
        let writers = parts.iter().filter(|part| self.writes(&part.value)).count();
        if writers > 0 && !self.conflicts(parts.iter().map(|part| &part.value)).is_empty() {
            self.limit_order(span);
        }
        for part in parts {
            let (place, part_ty) = self.part(spot, ty, &part.path);
            let bits = self.bits_at(ty, &part.path);
            match self.scalar(part_ty) {
                Some(scalar) => {
                    let term = self.value(&part.value);
                    self.write(place, (scalar, bits), term, span, Event::Assign);
                }
                None => {
                    let source = self.record(&part.value);
                    self.copy(place, source, part_ty, span, &Event::Assign);
                }
            }
        }
    }

    fn bits_at(&self, ty: TypeId, path: &[Step]) -> Option<crate::hir::BitField> {
        let (last, before) = path.split_last()?;
        let types = &self.program.types;
        let owner = before.iter().fold(ty, |ty, step| step_type(types, ty, *step));
        match (types.get(owner), last) {
            (crate::hir::Type::Record(record), Step::Field(number)) => {
                super::layout::fields(types, *record)[*number].bits
            }
            _ => None,
        }
    }

    /// Makes an object zero.
    pub(super) fn zero(&mut self, spot: Spot, ty: TypeId, span: Span) {
        self.zero_except(spot, ty, &[], span);
    }

    /// Makes all scalars of an object zero but those that get values anyway.
    fn zero_except(&mut self, spot: Spot, ty: TypeId, parts: &[Value], span: Span) {
        match spot {
            Spot::Part { storage, index: None, .. } => self.zero_storage(storage, ty, parts, span),
            _ => match leaf_paths(&self.program.types, ty, MAX_ZEROED) {
                Some(paths) => self.zero_paths(spot, ty, paths, parts, span),
                None => self.zero_large(spot, ty, span),
            },
        }
    }

    fn zero_paths(&mut self, spot: Spot, ty: TypeId, paths: Vec<LeafPath>, parts: &[Value], span: Span) {
        let is_given = |path: &LeafPath| parts.iter().any(|part| path.steps.starts_with(&part.path));
        for path in paths {
            let Some(scalar) = self.scalar(path.ty).filter(|_| !is_given(&path)) else { continue };
            let place = self.part(spot, ty, &path.steps).0;
            self.write(place, (scalar, path.bits), self.arith.zero(scalar), span, Event::Assign);
        }
    }

    fn zero_large(&mut self, spot: Spot, ty: TypeId, span: Span) {
        let Spot::Memory { class, address, .. } = spot else {
            return self.out.limit(span, "a very large object is initialised");
        };
        let size = self.size_of(ty, span);
        self.zero_block(class, address, size, span);
    }

    /// Variables of array sort are zero at once; others unless they get values anyway.
    fn zero_storage(&mut self, storage: StorageId, ty: TypeId, parts: &[Value], span: Span) {
        let store = self.store();
        self.set_all(storage, true, span);
        let mut pending = vec![(storage, ty, Vec::new())];
        while let Some((storage, ty, path)) = pending.pop() {
            match self.objects.storages.parts[storage].clone() {
                Storage::Scalar { var, scalar, is_array: true } => {
                    let zero = self.arith.zero(scalar);
                    let zeros = store.const_array(self.arith.index_sort(), zero);
                    self.out.emit(StmtKind::Assign(var, zeros), span, Event::Assign);
                }
                Storage::Scalar { var, scalar, .. } => {
                    if !parts.iter().any(|part| path.starts_with(&part.path)) {
                        let zero = self.arith.zero(scalar);
                        self.out.emit(StmtKind::Assign(var, zero), span, Event::Assign);
                    }
                }
                Storage::Record(members) => self.push_parts(&mut pending, members, ty, &path, Step::Field),
                Storage::List(elements) => {
                    self.push_parts(&mut pending, elements, ty, &path, |number| Step::Index(number as u64));
                }
                Storage::Shared(part) => pending.push((part, ty, path)),
                Storage::Array(element) => {
                    pending.push((element, step_type(&self.program.types, ty, Step::Index(0)), path));
                }
                Storage::Nothing => {}
            }
        }
    }

    fn push_parts(
        &self,
        pending: &mut Vec<(StorageId, TypeId, Vec<Step>)>,
        parts: Vec<StorageId>,
        ty: TypeId,
        path: &[Step],
        step: impl Fn(usize) -> Step,
    ) {
        for (number, part) in parts.into_iter().enumerate().rev() {
            let step = step(number);
            let path = path.iter().copied().chain([step]).collect();
            pending.push((part, step_type(&self.program.types, ty, step), path));
        }
    }

    /// What happens before `main`: from the initial location to where it starts. All that `main` needs is known by then.
    pub(super) fn start(&mut self, entry: LocId, span: Span) {
        let middle = self.out.location(span);
        self.out.graph.expect(middle);
        self.out.graph.continue_at(middle);
        let mut done = BTreeSet::new();
        while let Some(global) = self.next_global(&done) {
            self.start_with_sources(global, &mut done);
        }
        self.start_variables_of_library(span);
        self.out.go(entry);
        self.out.graph.continue_at(self.out.initial);
        self.zero_regions(span);
        self.start_safety(span);
        self.start_shadows(span);
        self.start_marks(span);
        self.start_reuse(span);
        self.start_approximations(span);
        if let Some(heap) = self.objects.heap {
            let first = self.arith.object_address(self.objects.num_objects + 1);
            self.out.emit(StmtKind::Assign(heap, first), span, Event::Start);
        }
        self.out.go(middle);
    }

    /// The streams that programs start with are not null, differ from each other, and are not objects of the program. Options are read from the
    /// first argument on. A function that is checked on its own may run after they have changed.
    fn start_variables_of_library(&mut self, span: Span) {
        if self.program.entry.as_ref().is_some_and(|entry| entry.is_called) {
            return;
        }
        for global in self.calls.globals.clone() {
            let info = &self.program.globals[global];
            let is_declared = !info.is_defined
                && matches!(self.program.types.get(info.ty), Type::Pointer(_))
                && self.objects.homes.contains_key(&ObjectKey::Global(global));
            if let Some(stream) = self.standard_stream(&info.name).filter(|_| is_declared) {
                let spot = self.spot_of(ObjectKey::Global(global), info.ty);
                self.write(spot, Scalar::Pointer, stream, span, Event::Start);
            }
            let info = &self.program.globals[global];
            let is_int = *self.program.types.get(info.ty) == Type::Int(IntKind::Int);
            let is_placed = self.objects.homes.contains_key(&ObjectKey::Global(global));
            if !info.is_defined && is_int && is_placed && ["optind", "opterr"].contains(&info.name.as_str()) {
                let int = Scalar::Int(Integer::signed(32));
                let one = self.arith.integer(Integer::signed(32), &BigInt::from(1u8));
                let spot = self.spot_of(ObjectKey::Global(global), info.ty);
                self.write(spot, int, one, span, Event::Start);
            }
        }
    }

    /// Memory that starts zero.
    fn zero_regions(&mut self, span: Span) {
        let store = self.store();
        let zeroed = self.objects.regions.values().filter(|region| region.starts_zero);
        let arrays: Vec<VarId> = zeroed.flat_map(|region| region.arrays.values().copied()).collect();
        for var in arrays {
            let Sort::Array(array) = store.var_sort(var) else { continue };
            let (index, element) = store.array_parts(array);
            let zeros = store.const_array(index, zero_of(store, element));
            self.out.emit(StmtKind::Assign(var, zeros), span, Event::Start);
        }
    }

    fn next_global(&self, done: &BTreeSet<GlobalId>) -> Option<GlobalId> {
        let is_pending = |global: &&GlobalId| {
            !done.contains(global) && self.objects.homes.contains_key(&ObjectKey::Global(**global))
        };
        self.calls.globals.iter().find(is_pending).copied()
    }

    /// Initialises a variable after those that its initial value reads.
    fn start_with_sources(&mut self, global: GlobalId, done: &mut BTreeSet<GlobalId>) {
        let mut pending = vec![(global, true)];
        while let Some((global, is_new)) = pending.pop() {
            if !is_new {
                self.start_global(global);
            } else if done.insert(global) {
                pending.push((global, false));
                let initializer = self.program.globals[global].initializer.iter();
                pending.extend(read_globals(initializer.map(Part::Initializer)).map(|source| (source, true)));
            }
        }
    }

    fn start_global(&mut self, global: GlobalId) {
        let info = &self.program.globals[global];
        let key = ObjectKey::Global(global);
        let spot = self.spot_of(key, info.ty);
        let starts_zero = match self.objects.home(key, info.ty) {
            Home::Memory { class, .. } => self.region(class).starts_zero,
            Home::Variables(_) => false,
        };
        match &info.initializer {
            _ if !info.starts_known() => {
                if let Home::Variables(_) = self.objects.home(key, info.ty) {
                    self.scramble(spot, info.ty, info.span);
                }
            }
            Some(Initializer::Parts(parts)) if starts_zero => {
                self.initialize_parts(spot, info.ty, parts, info.span);
            }
            Some(initializer) => self.initialize_static(spot, info.ty, initializer, info.span),
            None if !starts_zero => self.zero(spot, info.ty, info.span),
            None => {}
        }
        self.begin_lifetime(key, info.span);
        self.out.flush();
    }
}

/// The unions on the way to a part whose member on that way is smaller than they are: how far they are, and the member.
fn partial_unions(types: &Types, ty: TypeId, path: &[Step]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut ty = ty;
    for (length, step) in path.iter().enumerate() {
        if let (Type::Record(record), Step::Field(number)) = (types.get(ty), step)
            && types.record(*record).kind == RecordKind::Union
            && !covers(types, *record, *number)
        {
            found.push((length, *number));
        }
        ty = step_type(types, ty, *step);
    }
    found
}

/// The variables whose values an initial value is made of.
fn read_globals<'h>(parts: impl Iterator<Item = Part<'h>>) -> impl Iterator<Item = GlobalId> {
    walk(parts.collect::<Vec<_>>()).filter_map(|part| match part {
        Part::Place(Place { kind: PlaceKind::Global(global), .. }) => Some(*global),
        _ => None,
    })
}

/// The zero of a sort of scalars.
fn zero_of(store: &Store, sort: Sort) -> ExprId {
    match sort {
        Sort::BitVec(width) => store.bits(width.get(), 0u32),
        Sort::Float(format) => store.float(Float::zero(format, FloatSign::Positive)),
        _ => store.int(0),
    }
}
