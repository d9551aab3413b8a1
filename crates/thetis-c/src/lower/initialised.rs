//! Reads of uninitialised objects: the property `valid-init`.
//!
//! A variable with automatic storage is uninitialised before it is written (C11 6.2.4 p6), and reading it then is
//! undefined. Only for this property does the automaton track what was written: each scalar that may be uninitialised
//! has a *shadow*, a Boolean that says whether it has a value. Variables of array sort and the arrays of memory have
//! shadow arrays with the same indices, so the shadow of a scalar is found by the same address or bytes.
//!
//! * A declaration without an initial value, or with one in which the variable itself occurs, clears the shadows of its object, a write sets them, a read needs them.
//! * Copies of structures copy shadows: copying a structure with uninitialised members is not an error.
//! * Variables that get a value where they are declared need no shadow, unless a jump may lead past their declaration.
//!   Nor do parameters and static objects. Structures are exceptions, because members of other structures are copied to
//!   them. Copying uninitialised members to an object without shadows, such as an allocated block, is a limit.
//! * Blocks of `malloc` count as written, and so does all memory that a function without a body can access once it was
//!   called. Proofs list both as assumptions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::cfa::StmtKind as Edge;

use super::assumption::AssumptionKind;
use super::layout::leaf_paths;
use super::lowering::Lowering;
use super::options::Property;
use super::origin::{Event, FrameId, Owner, VarOrigin, ViolationKind};
use super::points_to::{ClassId, ObjectKey};
use super::regions::Group;
use super::scalar::Scalar;
use super::spot::Spot;
use super::storage::{Home, Storage, StorageId};
use super::walk::{Direct, Part, direct, mentions, walk_body};
use crate::hir::{
    BitField, Function, FunctionId, GlobalId, LocalId, Place, PlaceKind, Program, Stmt, StmtKind, Type,
    TypeId,
};
use crate::library::is_model;

/// Objects with more scalars than this lose their values in a loop.
const MAX_FORGOTTEN: usize = 1024;

/// What is known about shadows.
#[derive(Default)]
pub(super) struct Shadows {
    /// The variables of each function that may be uninitialised; empty for other properties.
    open: FxHashMap<FunctionId, BTreeSet<LocalId>>,
    /// The variables with static storage that may get members without a value.
    globals: BTreeSet<GlobalId>,
    /// The functions in which a jump may lead past a declaration.
    jumping: BTreeSet<FunctionId>,
    /// The shadows of variables and of the arrays of memory.
    vars: FxHashMap<VarId, VarId>,
    /// Those of memory, where everything has a value at first.
    memory: Vec<VarId>,
    /// Whether objects of a class may lack a value.
    classes: FxHashMap<ClassId, bool>,
}

impl Shadows {
    /// The analysis that a property needs.
    pub(super) fn of(program: &Program, property: &Property) -> Shadows {
        let mut shadows = Shadows::default();
        if *property != Property::ValidInit {
            return shadows;
        }
        let globals = program.globals.iter_enumerated();
        let may_get = globals.filter(|(_, global)| !global.is_const && has_records(program, global.ty));
        shadows.globals = may_get.map(|(id, _)| id).collect();
        for (id, function) in program.functions.iter_enumerated() {
            let Some(body) = function.body.as_deref().filter(|_| !is_model(&function.name)) else { continue };
            let jumps = may_jump_past(body);
            if jumps {
                shadows.jumping.insert(id);
            }
            shadows.open.insert(id, open_locals(program, function, body, jumps));
        }
        shadows
    }
}

/// The variables of a function that may be read without a value.
fn open_locals(program: &Program, function: &Function, body: &[Stmt], jumps: bool) -> BTreeSet<LocalId> {
    let has_records = |local: LocalId| has_records(program, function.locals[local].ty);
    let params = function.params.iter().copied();
    let mut open: BTreeSet<LocalId> = params.filter(|param| has_records(*param)).collect();
    for part in walk_body(body) {
        let Part::Stmt(Stmt { kind: StmtKind::Declare(local, initializer), .. }) = part else { continue };
        let is_made_by_us = function.locals[*local].name.contains('#');
        let lacks_value = initializer.as_ref().is_none_or(|initializer| mentions(initializer, *local));
        if !is_made_by_us && (jumps || lacks_value || has_records(*local)) {
            open.insert(*local);
        }
    }
    open
}

/// Whether an object has structures in it, which may get the members of others, of which some have no value.
fn has_records(program: &Program, ty: TypeId) -> bool {
    let mut ty = ty;
    while let Type::Array(element, _) = program.types.get(ty) {
        ty = *element;
    }
    matches!(program.types.get(ty), Type::Record(_))
}

/// Whether control may get into a block without passing its declarations: by `goto`, or by the label of a `switch`.
fn may_jump_past(body: &[Stmt]) -> bool {
    let declares = |stmt: &Stmt| {
        walk_body(std::slice::from_ref(stmt))
            .any(|part| matches!(part, Part::Stmt(Stmt { kind: StmtKind::Declare(..), .. })))
    };
    walk_body(body).any(|part| match part {
        Part::Stmt(Stmt { kind: StmtKind::Goto(_), .. }) => true,
        Part::Stmt(Stmt { kind: StmtKind::Switch { body, .. }, .. }) => declares(body),
        _ => false,
    })
}

impl<'h> Lowering<'h> {
    /// Whether reads of objects without a value are violations.
    pub(super) fn checks_values(&self) -> bool {
        self.options.property == Property::ValidInit
    }

    /// Whether a variable of a copy of a function may lack a value.
    fn may_lack_value(&self, frame: FrameId, local: LocalId) -> bool {
        let function = self.calls.frames[frame].function;
        self.shadows.open.get(&function).is_some_and(|open| open.contains(&local))
    }

    /// Whether reading a place needs a check.
    pub(super) fn is_value_checked(&self, place: &Place) -> bool {
        let mut place = place;
        loop {
            place = match &place.kind {
                PlaceKind::Local(local) => return self.may_lack_value(self.out.frame, *local),
                PlaceKind::Global(global) => return self.shadows.globals.contains(global),
                PlaceKind::Literal(..) => return false,
                PlaceKind::Temporary(_) => return true,
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => base,
                PlaceKind::Deref(pointer) => match direct(pointer) {
                    Some(Direct::Place(inner)) => inner,
                    Some(Direct::Element { array, .. }) => array,
                    None => return true,
                },
            };
        }
    }

    /// Continues only if what is read is initialised.
    pub(super) fn check_value(&mut self, spot: Spot, scalar: Scalar, bits: Option<BitField>, span: Span) {
        let states = self.states(spot, scalar, bits, span);
        if states.is_empty() {
            return;
        }
        let store = self.store();
        let lacks = store.not(store.and_all(states));
        let span = self.span_in_program(span);
        match lacks == store.tru() {
            true => self.out.violate(span, ViolationKind::Uninitialised),
            false => self.out.forbid(lacks, span, ViolationKind::Uninitialised),
        }
    }

    /// Whether a scalar at a place is initialised: one formula, or one for each of its bytes; none if it certainly is.
    pub(super) fn states(
        &mut self,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
        span: Span,
    ) -> Vec<ExprId> {
        if !self.checks_values() {
            return Vec::new();
        }
        if let Spot::Memory { .. } = spot {
            let cells = self.shadow_cells(spot, scalar, bits, span);
            let Some((shadow, addresses)) = cells else { return Vec::new() };
            return addresses.into_iter().map(|address| self.element_state(shadow, address)).collect();
        }
        let Some((shadow, index)) = self.shadow_at(spot) else { return Vec::new() };
        vec![match index {
            Some(index) => self.element_state(shadow, index),
            None => self.store().var_expr(shadow),
        }]
    }

    /// Sets whether a scalar at a place is initialised from now on; no formulas mean that it is.
    pub(super) fn set_states(
        &mut self,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
        states: &[ExprId],
        span: Span,
    ) {
        if !self.checks_values() {
            return;
        }
        let store = self.store();
        let all = store.and_all(states.iter().copied());
        if let Spot::Memory { .. } = spot {
            let cells = self.shadow_cells(spot, scalar, bits, span);
            let Some((shadow, addresses)) = cells else { return self.need_value(all, span) };
            let is_bytewise = states.len() == addresses.len();
            let mut array = store.var_expr(shadow);
            for (number, address) in addresses.into_iter().enumerate() {
                let state = if is_bytewise { states[number] } else { all };
                array = store.store(array, address, self.arith.truth_value(Scalar::Bool, state));
            }
            return self.out.emit(Edge::Assign(shadow, array), span, Event::Silent);
        }
        let Some((shadow, index)) = self.shadow_at(spot) else { return self.need_value(all, span) };
        let value = match index {
            Some(index) => {
                let state = self.arith.truth_value(Scalar::Bool, all);
                store.store(store.var_expr(shadow), index, state)
            }
            None => all,
        };
        self.out.emit(Edge::Assign(shadow, value), span, Event::Silent);
    }

    /// Copying an uninitialised value to an object without a shadow ends the run at a limit.
    fn need_value(&mut self, state: ExprId, span: Span) {
        let lacks = self.store().not(state);
        self.limit_if(lacks, span, "a structure with members without a value is kept for later");
    }

    fn element_state(&self, shadow: VarId, index: ExprId) -> ExprId {
        let store = self.store();
        self.arith.is_true(Scalar::Bool, store.select(store.var_expr(shadow), index))
    }

    /// The shadow of a scalar in variables, with the index of its element.
    fn shadow_at(&mut self, spot: Spot) -> Option<(VarId, Option<ExprId>)> {
        let (storage, index) = self.in_variables(spot)?;
        let Storage::Scalar { var, is_array, .. } = self.objects.storages.parts[storage] else { return None };
        let shadow = self.shadow_of(var, is_array)?;
        let index = is_array.then(|| index.unwrap_or_else(|| self.first_index()));
        Some((shadow, index))
    }

    /// The shadows of a scalar in memory: their array, and the address of each. Bit-fields in memory have a value where they are declared.
    fn shadow_cells(
        &mut self,
        spot: Spot,
        scalar: Scalar,
        bits: Option<BitField>,
        span: Span,
    ) -> Option<(VarId, Vec<ExprId>)> {
        let Spot::Memory { class, address, key, .. } = spot else { return None };
        if bits.is_some() {
            return None;
        }
        let (var, cells) = self.cells(class, scalar, key, span)?;
        let shadow = self.shadow_of_memory(class, var)?;
        let num_cells = match cells.group {
            Group::Bytes => self.bytes_of(scalar).1 / 8,
            Group::Scalars(..) => 1,
        };
        let addresses = (0..num_cells).map(|number| self.arith.advance_by(address, u64::from(number)));
        Some((shadow, addresses.collect()))
    }

    /// The shadow of a variable that may lack a value.
    fn shadow_of(&mut self, var: VarId, is_array: bool) -> Option<VarId> {
        if let Some(known) = self.shadows.vars.get(&var) {
            return Some(*known);
        }
        let is_open = match self.objects.storages.origins.get(&var)? {
            VarOrigin::Scalar(variable) | VarOrigin::Elements(variable) => match variable.owner {
                Owner::Local(frame, local) => self.may_lack_value(frame, local),
                Owner::Global(global) => self.shadows.globals.contains(&global),
            },
            VarOrigin::Result(_) | VarOrigin::Temporary => true,
            _ => false,
        };
        let sort = match is_array {
            true => {
                let (index, element) = (self.arith.index_sort(), self.arith.sort(Scalar::Bool));
                self.store().array_sort(index, element)
            }
            false => Sort::Bool,
        };
        is_open.then(|| self.new_shadow(var, sort))
    }

    /// The shadow of an array of the memory of a class, if its objects may lack values.
    pub(super) fn shadow_of_memory(&mut self, class: ClassId, var: VarId) -> Option<VarId> {
        if !self.checks_values() || !self.class_may_lack_values(class) {
            return None;
        }
        if let Some(known) = self.shadows.vars.get(&var) {
            return Some(*known);
        }
        let (index, element) = (self.arith.sort(Scalar::Pointer), self.arith.sort(Scalar::Bool));
        let sort = self.store().array_sort(index, element);
        let shadow = self.new_shadow(var, sort);
        self.shadows.memory.push(shadow);
        Some(shadow)
    }

    fn new_shadow(&mut self, var: VarId, sort: Sort) -> VarId {
        let store = self.store();
        let name = format!("{}.written", store.var_name(var));
        let shadow = self.objects.storages.declare(store, &name, sort, VarOrigin::Temporary);
        self.shadows.vars.insert(var, shadow);
        shadow
    }

    fn class_may_lack_values(&mut self, class: ClassId) -> bool {
        if let Some(known) = self.shadows.classes.get(&class) {
            return *known;
        }
        let mut objects = self.points.class(class).objects.iter();
        let may_lack = objects.any(|object| match self.points.objects[*object].key {
            ObjectKey::Local(frame, local) => self.may_lack_value(frame, local),
            ObjectKey::Global(global) => self.shadows.globals.contains(&global),
            ObjectKey::Result(_) | ObjectKey::Heap(..) => false,
        });
        self.shadows.classes.insert(class, may_lack);
        may_lack
    }

    /// All of an array of shadows.
    fn all(&self, shadow: VarId, has_value: bool) -> ExprId {
        let store = self.store();
        let truth = if has_value { store.tru() } else { store.fals() };
        match store.var_sort(shadow) {
            Sort::Array(array) => {
                let (index, _) = store.array_parts(array);
                store.const_array(index, self.arith.truth_value(Scalar::Bool, truth))
            }
            _ => truth,
        }
    }

    /// All scalars of an object in variables have values from now on, or all lack them.
    pub(super) fn set_all(&mut self, storage: StorageId, has_value: bool, span: Span) {
        if !self.checks_values() {
            return;
        }
        let mut pending = vec![storage];
        while let Some(storage) = pending.pop() {
            match self.objects.storages.parts[storage].clone() {
                Storage::Scalar { var, is_array, .. } => {
                    if let Some(shadow) = self.shadow_of(var, is_array) {
                        let value = self.all(shadow, has_value);
                        self.out.emit(Edge::Assign(shadow, value), span, Event::Silent);
                    }
                }
                Storage::Record(parts) | Storage::List(parts) => pending.extend(parts.into_iter().rev()),
                Storage::Shared(part) | Storage::Array(part) => pending.push(part),
                Storage::Nothing => {}
            }
        }
    }

    /// A variable has no value from now on.
    pub(super) fn forget_value(&mut self, key: ObjectKey, ty: TypeId, span: Span) {
        let ObjectKey::Local(frame, local) = key else { return };
        if !self.checks_values() || !self.may_lack_value(frame, local) {
            return;
        }
        match self.objects.home(key, ty) {
            Home::Variables(storage) => self.set_all(storage, false, span),
            Home::Memory { class, address } => {
                let paths = leaf_paths(&self.program.types, ty, MAX_FORGOTTEN);
                if paths.as_ref().is_some_and(|paths| paths.iter().any(|path| path.bits.is_some())) {
                    return self.out.limit(span, "bit-fields that are pointed to have no initial value");
                }
                let Some(paths) = paths else {
                    let size = self.size_of(ty, span);
                    return self.forget_block(class, address, size, span);
                };
                let (spot, lacking) = (self.spot_of(key, ty), [self.store().fals()]);
                for path in paths {
                    let Some(scalar) = self.scalar(path.ty) else { continue };
                    let part = self.part(spot, ty, &path.steps).0;
                    self.set_states(part, scalar, None, &lacking, span);
                }
            }
        }
    }

    /// The values of variables before their declarations, where a jump may lead past those.
    pub(super) fn forget_values_of_frame(&mut self, span: Span) {
        let function = self.calls.frames[self.out.frame].function;
        if !self.shadows.jumping.contains(&function) {
            return;
        }
        let open = self.shadows.open.get(&function).cloned().unwrap_or_default();
        let info = &self.program.functions[function];
        for local in open.into_iter().filter(|local| !info.params.contains(local)) {
            if self.program.types.size_of(info.locals[local].ty).is_some() {
                self.forget_value(ObjectKey::Local(self.out.frame, local), info.locals[local].ty, span);
            }
        }
    }

    /// The lifetime of a variable ends. If a jump leads back into its block, it is a new, uninitialised variable.
    pub(super) fn end_value(&mut self, local: LocalId, span: Span) {
        let function = self.calls.frames[self.out.frame].function;
        if self.shadows.jumping.contains(&function) {
            let ty = self.program.functions[function].locals[local].ty;
            if self.program.types.size_of(ty).is_some() {
                self.forget_value(ObjectKey::Local(self.out.frame, local), ty, span);
            }
        }
    }

    /// Everything in memory has a value before the program starts.
    pub(super) fn start_shadows(&mut self, span: Span) {
        for shadow in std::mem::take(&mut self.shadows.memory) {
            let values = self.all(shadow, true);
            self.out.emit(Edge::Assign(shadow, values), span, Event::Start);
        }
    }

    /// An unknown function may have written to an array of memory.
    pub(super) fn trust_written(&mut self, class: ClassId, var: VarId, span: Span) {
        let Some(shadow) = self.shadow_of_memory(class, var) else { return };
        self.out.assume_silently(
            AssumptionKind::ExternalWrites,
            "functions without a body initialise the memory that they can access before it is read",
            span,
        );
        let values = self.all(shadow, true);
        self.out.emit(Edge::Assign(shadow, values), span, Event::Silent);
    }

    /// Blocks count as written.
    pub(super) fn trust_block(&mut self, span: Span) {
        if self.checks_values() {
            let text = "what `malloc` and `alloca` allocate counts as initialised";
            self.out.assume_silently(AssumptionKind::AllocatedValues, text, span);
        }
    }
}
