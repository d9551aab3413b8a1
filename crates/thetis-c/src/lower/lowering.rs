//! The state of a translation, and the small steps that everything else is made of.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::approximation::Approximations;
use super::arith::Arith;
use super::assumption::AssumptionKind;
use super::calls::CallTree;
use super::graph::Graph;
use super::initialised::Shadows;
use super::layout::UnionUse;
use super::options::{LowerOptions, Property};
use super::order::Effects;
use super::origin::{
    Choice, Claim, Decision, Event, FrameId, Object, Owner, Point, PointKind, VarOrigin, Violation,
    ViolationKind,
};
use super::points_to::{ClassId, Contents, ObjectKey, PointsTo};
use super::procedures::Procedures;
use super::regions::Region;
use super::safety::{End, Safety};
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::storage::{Home, Making, Singles, StorageId, Storages};
use super::threads::Threads;
use super::walk::Site;
use crate::hir::{FunctionId, LabelId, Program, TypeId};

/// A translation under way.
pub(super) struct Lowering<'h> {
    pub(super) program: &'h Program,
    pub(super) options: &'h LowerOptions,
    pub(super) arith: Arith<'h>,
    pub(super) calls: &'h CallTree,
    pub(super) points: &'h PointsTo,
    pub(super) unions: &'h UnionUse,
    pub(super) singles: &'h Singles,
    pub(super) storages: Storages,
    pub(super) homes: FxHashMap<ObjectKey, Home>,
    /// The addresses of variables that are not in memory.
    pub(super) addresses: FxHashMap<ObjectKey, ExprId>,
    pub(super) regions: BTreeMap<ClassId, Region>,
    pub(super) graph: Graph,
    pub(super) frame: FrameId,
    pub(super) scope: Scope,
    /// Where runs start.
    pub(super) initial: LocId,
    /// Where the program ends.
    pub(super) end: LocId,
    /// Numbers of objects that have been given away; zero is the null pointer's.
    pub(super) num_objects: u64,
    pub(super) function_addresses: BTreeMap<FunctionId, ExprId>,
    /// The address of the next block, if there are blocks.
    pub(super) heap: Option<VarId>,
    /// Arrays that hold numbers outside of the range of their type where nothing was written.
    pub(super) unranged: FxHashSet<VarId>,
    pub(super) noted: Vec<Point>,
    pub(super) claims: Vec<Claim>,
    pub(super) limits: Vec<(LocId, Span, String)>,
    pub(super) violations: Vec<Violation>,
    pub(super) assumptions: BTreeMap<(AssumptionKind, String), Span>,
    pub(super) approximations: Approximations,
    pub(super) purity: FxHashMap<Site, bool>,
    /// The conditions under which the program evaluates the operand that is being translated.
    pub(super) guards: Vec<ExprId>,
    /// What copies of functions read and write.
    pub(super) summaries: FxHashMap<FrameId, Rc<Effects>>,
    /// How many choices of an order of evaluation are around.
    pub(super) num_open_orders: u32,
    pub(super) safety: Safety,
    pub(super) shadows: Shadows,
    pub(super) procedures: Procedures,
    pub(super) threads: Threads,
}

/// What is known inside a copy of a function.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) labels: BTreeMap<LabelId, LocId>,
    /// Where `return` leads.
    pub(super) return_to: Option<LocId>,
    pub(super) breaks: Vec<LocId>,
    pub(super) continues: Vec<LocId>,
    /// Where the cases of the `switch` statements around lead.
    pub(super) cases: FxHashMap<Site, LocId>,
    /// Whether control may come back to what it passed, by `goto`.
    pub(super) may_jump_back: bool,
    /// The blocks that end with the function.
    pub(super) blocks: Vec<ExprId>,
    /// Where blocks are allocated that end with the function and are not all known.
    pub(super) has_many_blocks: Option<Span>,
    /// How many statement expressions are around.
    pub(super) num_expressions: u32,
}

impl<'h> Lowering<'h> {
    pub(super) fn store(&self) -> &'h Store {
        self.arith.store
    }

    /// Appends a statement.
    pub(super) fn emit(&mut self, kind: StmtKind, span: Span, event: Event) {
        self.graph.push(self.frame, kind, span, event);
    }

    pub(super) fn flush(&mut self) {
        self.graph.flush(self.frame);
    }

    pub(super) fn here(&mut self) -> LocId {
        self.graph.here(self.frame)
    }

    pub(super) fn location(&mut self, span: Span) -> LocId {
        self.graph.location(self.frame, Some(span))
    }

    pub(super) fn go(&mut self, target: LocId) {
        self.graph.go(self.frame, target);
    }

    /// Notes that control is at a place of the source.
    pub(super) fn note(&mut self, span: Span, kind: PointKind) {
        let frame = self.frame;
        self.noted.extend(self.graph.settled().map(|location| Point { location, frame, span, kind }));
    }

    /// Says which of two locations a statement chooses on the edges that were made since there were `first` of them.
    pub(super) fn note_choice(&mut self, first: usize, span: Span, [then, otherwise]: [LocId; 2]) {
        for (target, is_true) in [(then, true), (otherwise, false)] {
            let choice = Choice::Condition(is_true);
            self.graph.decide(first, target, &Decision { span, choice });
        }
    }

    /// The program cannot be followed any further from here.
    pub(super) fn limit(&mut self, span: Span, reason: impl Into<String>) {
        let location = self.location(span);
        if self.graph.is_live() {
            self.limits.push((location, span, reason.into()));
        }
        self.go(location);
    }

    /// The property is violated here.
    pub(super) fn violate(&mut self, span: Span, kind: ViolationKind) {
        let location = self.violation(span, kind);
        self.graph.tell(self.frame, span, Event::Check { is_violated: true });
        self.go(location);
    }

    /// A new error location.
    pub(super) fn violation(&mut self, span: Span, kind: ViolationKind) -> LocId {
        let location = self.location(span);
        self.violations.push(Violation { location, span, kind, access: None });
        location
    }

    /// A violation if a condition holds; the run goes on if not.
    pub(super) fn forbid(&mut self, condition: ExprId, span: Span, kind: ViolationKind) {
        let store = self.store();
        if condition == store.fals() {
            return;
        }
        let source = self.here();
        let (error, next) = (self.violation(span, kind), self.location(span));
        self.graph.guard(source, error, condition, span, Event::Check { is_violated: true });
        self.graph.guard(source, next, store.not(condition), span, Event::Check { is_violated: false });
        self.graph.continue_at(next);
    }

    /// The program ends here.
    pub(super) fn finish_program(&mut self, end: End, span: Span) {
        self.check_end(end, span);
        self.graph.tell(self.frame, span, Event::End);
        let end = self.end;
        self.go(end);
    }

    /// Something that is taken for granted.
    pub(super) fn assume_silently(&mut self, kind: AssumptionKind, text: impl Into<String>, span: Span) {
        if self.graph.is_live() {
            self.assumptions.entry((kind, text.into())).or_insert(span);
        }
    }

    /// A new variable of no program variable.
    pub(super) fn auxiliary(&mut self, name: &str, sort: Sort, origin: VarOrigin) -> VarId {
        let name = format!("{}.{name}", self.calls.frames[self.frame].path);
        let store = self.store();
        let var = self.storages.declare(store, &name, sort, origin);
        if self.calls.is_private(self.frame) {
            self.procedures.locals.insert(var);
        }
        var
    }

    /// The value that a term has now, whatever happens later.
    pub(super) fn freeze(&mut self, term: ExprId, span: Span) -> ExprId {
        let store = self.store();
        if store.is_literal(term) {
            return term;
        }
        let var = self.auxiliary("tmp", store.sort(term), VarOrigin::Temporary);
        self.emit(StmtKind::Assign(var, term), span, Event::Silent);
        store.var_expr(var)
    }

    /// An arbitrary value of a scalar type.
    pub(super) fn arbitrary(&mut self, scalar: Scalar, span: Span) -> ExprId {
        let sort = self.arith.sort(scalar);
        let var = self.auxiliary("any", sort, VarOrigin::Input(scalar));
        self.havoc(var, scalar, span, Event::Silent);
        self.store().var_expr(var)
    }

    /// Gives a variable an arbitrary value of its type.
    pub(super) fn havoc(&mut self, var: VarId, scalar: Scalar, span: Span, event: Event) {
        self.emit(StmtKind::Havoc(var), span, event);
        if let Some(range) = self.arith.in_range(scalar, self.store().var_expr(var)) {
            self.emit(StmtKind::Assume(range), span, Event::Silent);
        }
    }

    /// The scalar that a type is.
    pub(super) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(&self.program.types, ty)
    }

    /// The number of a new object, as the address of its first byte.
    pub(super) fn new_object(&mut self) -> ExprId {
        self.num_objects += 1;
        self.arith.object_address(self.num_objects)
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, function: FunctionId) -> ExprId {
        if let Some(address) = self.function_addresses.get(&function) {
            return *address;
        }
        let address = self.new_object();
        self.function_addresses.insert(function, address);
        address
    }

    /// Where an object lives.
    pub(super) fn home(&mut self, key: ObjectKey, ty: TypeId) -> Home {
        if let Some(home) = self.homes.get(&key) {
            return *home;
        }
        let home = match self.points.object(key).filter(|object| {
            let info = &self.points.objects[*object];
            let is_single = self.singles.object(self.points.class_of(*object)) == Some(*object);
            !is_single && (info.escapes || !self.unions.is_splittable(&self.program.types, ty))
        }) {
            Some(object) => {
                let address = self.new_object();
                Home::Memory { class: self.points.class_of(object), address }
            }
            None => Home::Variables(self.variables(key, ty)),
        };
        self.homes.insert(key, home);
        home
    }

    fn variables(&mut self, key: ObjectKey, ty: TypeId) -> StorageId {
        let object = self.points.object(key);
        let (owner, otherwise, prefix, name) = match key {
            ObjectKey::Global(global) => {
                let global_info = &self.program.globals[global];
                let prefix = match global_info.function {
                    Some(function) => format!("{}.", self.program.functions[function].name),
                    None => String::new(),
                };
                (Some(Owner::Global(global)), VarOrigin::Temporary, prefix, global_info.name.clone())
            }
            ObjectKey::Local(frame, local) => {
                let function = &self.program.functions[self.calls.frames[frame].function];
                let prefix = format!("{}.", self.calls.frames[frame].path);
                (
                    Some(Owner::Local(frame, local)),
                    VarOrigin::Temporary,
                    prefix,
                    function.locals[local].name.clone(),
                )
            }
            ObjectKey::Result(frame) => {
                let prefix = format!("{}.", self.calls.frames[frame].path);
                (None, VarOrigin::Result(frame), prefix, "result".to_string())
            }
            ObjectKey::Heap(..) => unreachable!("allocated objects should be in memory"),
        };
        let is_indexed = object.is_some_and(|object| self.points.objects[object].is_indexed);
        let making = Making {
            types: &self.program.types,
            unions: self.unions,
            arith: self.arith,
            owner,
            otherwise: &otherwise,
            is_indexed,
        };
        let first = self.storages.parts.len();
        let storage = self.storages.make(making, ty, &prefix, &name);
        match key {
            ObjectKey::Result(frame) if self.calls.is_procedure(frame) => {}
            ObjectKey::Local(frame, _) | ObjectKey::Result(frame) => self.note_locals(frame, first),
            ObjectKey::Global(_) | ObjectKey::Heap(..) => {}
        }
        let is_named = matches!(key, ObjectKey::Global(global) if self.points.named().contains(&global));
        if is_named
            || object.is_some_and(|object| self.points.objects[object].contents == Contents::Arbitrary)
        {
            self.note_unranged(first);
        }
        storage
    }

    /// Arrays made since there were `first` parts start with anything.
    fn note_unranged(&mut self, first: usize) {
        for part in self.storages.parts.iter().skip(first) {
            if let super::storage::Storage::Scalar { var, is_array: true, .. } = part {
                self.unranged.insert(*var);
            }
        }
    }

    /// Variables for an intermediate value of any type that can be split.
    fn temporary(&mut self, ty: TypeId) -> Option<StorageId> {
        if !self.unions.is_splittable(&self.program.types, ty) {
            return None;
        }
        let making = Making {
            types: &self.program.types,
            unions: self.unions,
            arith: self.arith,
            owner: None,
            otherwise: &VarOrigin::Temporary,
            is_indexed: false,
        };
        let prefix = format!("{}.", self.calls.frames[self.frame].path);
        let first = self.storages.parts.len();
        let storage = self.storages.make(making, ty, &prefix, "tmp");
        self.note_locals(self.frame, first);
        Some(storage)
    }

    /// A place for an intermediate value of any type that can be split.
    pub(super) fn temporary_spot(&mut self, ty: TypeId) -> Option<Spot> {
        let storage = self.temporary(ty)?;
        Some(Spot::Part { storage, index: None, reach: self.reach_of(None, ty) })
    }

    /// The objects whose addresses are constants, with the names they have in the program.
    pub(super) fn named_objects(&self) -> BTreeMap<u64, Object> {
        let in_memory = self.homes.iter().filter_map(|(key, home)| match home {
            Home::Memory { address, .. } => Some((*key, *address)),
            Home::Variables(_) => None,
        });
        let elsewhere = self.addresses.iter().map(|(key, address)| (*key, *address));
        let objects = in_memory.chain(elsewhere).filter_map(|(key, address)| {
            let ty = match key {
                ObjectKey::Global(global) => self.program.globals[global].ty,
                ObjectKey::Local(frame, local) => {
                    self.program.functions[self.calls.frames[frame].function].locals[local].ty
                }
                ObjectKey::Result(_) | ObjectKey::Heap(..) => return None,
            };
            Some((self.arith.object_number(address)?, Object { name: self.name_of(key)?, ty: Some(ty) }))
        });
        let functions = self.function_addresses.iter().filter_map(|(function, address)| {
            let name = self.program.functions[*function].name.clone();
            Some((self.arith.object_number(*address)?, Object { name, ty: None }))
        });
        objects.chain(functions).collect()
    }

    /// The name that a variable has in the program.
    pub(super) fn name_of(&self, key: ObjectKey) -> Option<String> {
        match key {
            ObjectKey::Global(global) => Some(self.program.globals[global].name.clone()),
            ObjectKey::Local(frame, local) => {
                let function = &self.program.functions[self.calls.frames[frame].function];
                Some(function.locals[local].name.clone())
            }
            ObjectKey::Result(_) | ObjectKey::Heap(..) => None,
        }
    }

    /// Whether the property is about overflow of such integers.
    pub(super) fn checks_overflow(&self, integer: Integer) -> bool {
        match self.options.property {
            Property::NoOverflow => integer.is_signed,
            Property::NoUnsignedOverflow => !integer.is_signed,
            _ => false,
        }
    }
}
