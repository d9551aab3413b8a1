//! Which objects a pointer may point to.
//!
//! The analysis is Steensgaard's (Points-to Analysis in Almost Linear Time, 1996): every assignment makes the things that
//! both sides may point to one class, so a class of objects points to one class of objects. It differs from the paper in
//! two ways. Every copy of a function in the call tree has its own variables, so calls are kept apart; and each member of
//! a structure has a pointer of its own as long as the objects of a class are only accessed by members. An access through
//! a pointer to a scalar into an object that is also accessed by members *collapses* the class: all its members then
//! point to one class.
//!
//! The same walk notes how the objects of each class are accessed, from which `regions` decides what their memory is.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, define_index_type};

use super::builtin::{Builtin, builtin};
use super::calls::{CallTree, candidates};
use super::layout::{FieldKey, Kind, leaves};
use super::origin::FrameId;
use super::scalar::{Integer, Scalar};
use super::walk::{Direct, Part, Site, direct, site_of, site_of_place, walk_body};
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, GlobalId, Initializer, LocalId, Place, PlaceKind, Program,
    RecordKind, Step, Stmt, StmtKind, Type, TypeId,
};

define_index_type! {
    /// An object of the program: a variable, or what an allocation at one place makes.
    pub(super) struct ObjectId = u32;
}

define_index_type! {
    /// A class of objects that pointers do not tell apart.
    pub(super) struct ClassId = u32;
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ObjectKey {
    Global(GlobalId),
    Local(FrameId, LocalId),
    /// What a function returns, while the caller takes it over.
    Result(FrameId),
    /// What an allocation makes.
    Heap(FrameId, Site),
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) key: ObjectKey,
    /// Its type; allocated objects have none.
    pub(super) ty: Option<TypeId>,
    pub(super) class: ClassId,
    /// Whether its address is used other than to access it on the spot.
    pub(super) escapes: bool,
    /// Whether it is indexed by something else than a constant.
    pub(super) is_indexed: bool,
    /// What it starts with.
    pub(super) contents: Contents,
}

/// What an object starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    /// Zeros, before what its initial value says.
    Zero,
    /// It is always assigned before it is read.
    Given,
    /// Anything.
    Arbitrary,
}

/// Accesses of one kind and member.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signs {
    pub(super) signed: bool,
    pub(super) unsigned: bool,
}

/// A class of objects.
#[derive(Clone, Debug)]
pub(super) struct Class {
    parent: ClassId,
    /// What scalars that are no members point to; in a collapsed class, what all point to.
    raw: Option<ClassId>,
    /// What members point to.
    members: BTreeMap<FieldKey, ClassId>,
    pub(super) objects: Vec<ObjectId>,
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) accesses: BTreeMap<(Kind, Option<FieldKey>), Signs>,
    /// Whether there are structures among the objects, which get initial values by members.
    has_records: bool,
    /// Whether members of unions are accessed here.
    pub(super) has_union: bool,
    pub(super) is_collapsed: bool,
}

/// The result of the analysis.
pub(super) struct PointsTo {
    pub(super) objects: IndexVec<ObjectId, Object>,
    keys: FxHashMap<ObjectKey, ObjectId>,
    classes: IndexVec<ClassId, Class>,
    /// The class that a pointer expression points to, where it is dereferenced, called or handed to a builtin.
    targets: FxHashMap<(FrameId, Site), ClassId>,
}

impl PointsTo {
    /// Analyses the program of a call tree.
    pub(super) fn new(program: &Program, calls: &CallTree) -> PointsTo {
        let result = PointsTo {
            objects: IndexVec::new(),
            keys: FxHashMap::default(),
            classes: IndexVec::new(),
            targets: FxHashMap::default(),
        };
        let integers_carry = has_pointer_casts(program, calls);
        let mut walk = Walk {
            program,
            calls,
            result,
            frame: FrameId::new(0),
            integers_carry,
            functions: BTreeMap::new(),
        };
        walk.globals();
        for frame in calls.frames.indices() {
            walk.frame(frame);
        }
        let mut result = walk.result;
        result.collapse_mixed();
        result
    }

    /// The object that something is, if it occurs.
    pub(super) fn object(&self, key: ObjectKey) -> Option<ObjectId> {
        self.keys.get(&key).copied()
    }

    /// The class of an object.
    pub(super) fn class_of(&self, object: ObjectId) -> ClassId {
        self.root(self.objects[object].class)
    }

    /// The class that is pointed to at a place.
    pub(super) fn target(&self, frame: FrameId, site: Site) -> Option<ClassId> {
        self.targets.get(&(frame, site)).map(|class| self.root(*class))
    }

    /// A class by its representative.
    pub(super) fn class(&self, class: ClassId) -> &Class {
        &self.classes[self.root(class)]
    }

    /// The representatives.
    pub(super) fn roots(&self) -> impl Iterator<Item = ClassId> {
        self.classes.indices().filter(|class| self.classes[*class].parent == *class)
    }

    fn root(&self, mut class: ClassId) -> ClassId {
        while self.classes[class].parent != class {
            class = self.classes[class].parent;
        }
        class
    }

    fn find(&mut self, class: ClassId) -> ClassId {
        let root = self.root(class);
        let mut at = class;
        while self.classes[at].parent != root {
            at = std::mem::replace(&mut self.classes[at].parent, root);
        }
        root
    }

    fn fresh(&mut self) -> ClassId {
        let parent = ClassId::new(self.classes.len());
        self.classes.push(Class {
            parent,
            raw: None,
            members: BTreeMap::new(),
            objects: Vec::new(),
            functions: BTreeSet::new(),
            accesses: BTreeMap::new(),
            has_records: false,
            has_union: false,
            is_collapsed: false,
        })
    }

    fn pointee(&mut self, class: ClassId, key: Option<FieldKey>) -> ClassId {
        let class = self.find(class);
        let key = if self.classes[class].is_collapsed { None } else { key };
        let known = match key {
            None => self.classes[class].raw,
            Some(key) => self.classes[class].members.get(&key).copied(),
        };
        if let Some(known) = known {
            return self.find(known);
        }
        let fresh = self.fresh();
        match key {
            None => self.classes[class].raw = Some(fresh),
            Some(key) => drop(self.classes[class].members.insert(key, fresh)),
        }
        fresh
    }

    fn join(&mut self, left: ClassId, right: ClassId) {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let empty = self.classes[right].emptied(left);
            let gone = std::mem::replace(&mut self.classes[right], empty);
            let kept = &mut self.classes[left];
            kept.objects.extend(gone.objects);
            kept.functions.extend(gone.functions);
            kept.has_records |= gone.has_records;
            kept.has_union |= gone.has_union;
            kept.is_collapsed |= gone.is_collapsed;
            for (access, signs) in gone.accesses {
                kept.accesses.entry(access).or_default().add(signs);
            }
            match (kept.raw, gone.raw) {
                (Some(kept), Some(gone)) => pending.push((kept, gone)),
                (None, gone) => kept.raw = gone,
                (Some(_), None) => {}
            }
            for (key, target) in gone.members {
                match kept.members.get(&key) {
                    Some(known) => pending.push((*known, target)),
                    None => drop(kept.members.insert(key, target)),
                }
            }
            if kept.is_collapsed {
                pending.extend(kept.collapse());
            }
        }
    }

    /// Collapses the classes whose objects are accessed by members and otherwise, until there are no more.
    fn collapse_mixed(&mut self) {
        loop {
            let mixed: Vec<ClassId> = self.roots().filter(|class| self.classes[*class].is_mixed()).collect();
            if mixed.is_empty() {
                return;
            }
            for class in mixed {
                let class = self.find(class);
                self.classes[class].is_collapsed = true;
                for (left, right) in self.classes[class].collapse() {
                    self.join(left, right);
                }
            }
        }
    }
}

impl Signs {
    fn add(&mut self, other: Signs) {
        self.signed |= other.signed;
        self.unsigned |= other.unsigned;
    }
}

impl Class {
    fn emptied(&self, parent: ClassId) -> Class {
        Class {
            parent,
            raw: None,
            members: BTreeMap::new(),
            objects: Vec::new(),
            functions: BTreeSet::new(),
            accesses: BTreeMap::new(),
            has_records: self.has_records,
            has_union: self.has_union,
            is_collapsed: self.is_collapsed,
        }
    }

    /// The pairs that have to become one when all members point to the same.
    fn collapse(&mut self) -> Vec<(ClassId, ClassId)> {
        let mut targets = std::mem::take(&mut self.members).into_values();
        let Some(first) = self.raw.or_else(|| targets.next()) else { return Vec::new() };
        self.raw = Some(first);
        targets.map(|target| (first, target)).collect()
    }

    fn is_mixed(&self) -> bool {
        let has_raw = self.raw.is_some() || self.accesses.keys().any(|(_, key)| key.is_none());
        let has_members = !self.members.is_empty() || self.accesses.keys().any(|(_, key)| key.is_some());
        !self.is_collapsed && (self.has_union || (has_raw && (has_members || self.has_records)))
    }
}

/// Whether integers may carry pointers: somewhere a pointer is converted to one, other than to be compared.
fn has_pointer_casts(program: &Program, calls: &CallTree) -> bool {
    let functions: BTreeSet<FunctionId> = calls.frames.iter().map(|frame| frame.function).collect();
    functions.into_iter().any(|function| {
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        walk_body(body).any(|part| match part {
            Part::Expr(Expr { kind: ExprKind::Convert(inner), ty, .. }) => {
                let is_pointer = matches!(program.types.get(inner.ty), Type::Pointer(_));
                is_pointer && matches!(program.types.get(*ty), Type::Int(_))
            }
            _ => false,
        })
    })
}

/// Walks through the copies of functions.
struct Walk<'h> {
    program: &'h Program,
    calls: &'h CallTree,
    result: PointsTo,
    frame: FrameId,
    integers_carry: bool,
    functions: BTreeMap<FunctionId, ClassId>,
}

/// Where a place is.
#[derive(Clone, Copy)]
struct Where {
    class: ClassId,
    key: Option<FieldKey>,
    /// The variable that the place is part of, if no pointer is in between.
    root: Option<ObjectId>,
}

impl<'h> Walk<'h> {
    fn globals(&mut self) {
        for global in &self.calls.globals {
            let at = self.variable(ObjectKey::Global(*global));
            if let Some(initializer) = &self.program.globals[*global].initializer {
                self.initialize(at, self.program.globals[*global].ty, initializer);
            }
        }
    }

    fn frame(&mut self, frame: FrameId) {
        self.frame = frame;
        let function = &self.program.functions[self.calls.frames[frame].function];
        for stmt in function.body.iter().flatten() {
            self.stmt(stmt);
        }
    }

    fn ty_of(&self, key: ObjectKey) -> Option<TypeId> {
        let function = |frame: FrameId| &self.program.functions[self.calls.frames[frame].function];
        match key {
            ObjectKey::Global(global) => Some(self.program.globals[global].ty),
            ObjectKey::Local(frame, local) => Some(function(frame).locals[local].ty),
            ObjectKey::Result(frame) => Some(function(frame).ty.result),
            ObjectKey::Heap(..) => None,
        }
    }

    fn object(&mut self, key: ObjectKey) -> ObjectId {
        if let Some(object) = self.result.object(key) {
            return object;
        }
        let class = self.result.fresh();
        let contents = match key {
            ObjectKey::Global(global) if self.program.globals[global].is_defined => Contents::Zero,
            ObjectKey::Global(_) | ObjectKey::Heap(..) => Contents::Arbitrary,
            ObjectKey::Local(..) | ObjectKey::Result(_) => Contents::Given,
        };
        let ty = self.ty_of(key);
        let object = Object { key, ty, class, escapes: false, is_indexed: false, contents };
        let object = self.result.objects.push(object);
        self.result.classes[class].objects.push(object);
        self.result.classes[class].has_records =
            ty.is_some_and(|ty| leaves(&self.program.types, ty).iter().any(|leaf| leaf.key.is_some()));
        self.result.keys.insert(key, object);
        object
    }

    fn variable(&mut self, key: ObjectKey) -> Where {
        let object = self.object(key);
        Where { class: self.result.objects[object].class, key: None, root: Some(object) }
    }

    fn stmt(&mut self, stmt: &'h Stmt) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.stmt_inside(stmt));
    }

    fn stmt_inside(&mut self, stmt: &'h Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) | StmtKind::AcslAssert(expr) => drop(self.value(expr)),
            StmtKind::Declare(local, initializer) => {
                let key = ObjectKey::Local(self.frame, *local);
                let at = self.variable(key);
                match (initializer, self.ty_of(key), at.root) {
                    (Some(initializer), Some(ty), _) => self.initialize(at, ty, initializer),
                    (_, _, Some(object)) => self.result.objects[object].contents = Contents::Arbitrary,
                    _ => {}
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If { condition, then, otherwise } => {
                self.value(condition);
                self.stmt(then);
                otherwise.iter().for_each(|otherwise| self.stmt(otherwise));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.value(condition);
                self.stmt(body);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                for expr in condition.iter().chain(step) {
                    self.value(expr);
                }
                self.stmt(body);
            }
            StmtKind::Switch { value, body } => {
                self.value(value);
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body);
            }
            StmtKind::Return(Some(value)) => {
                let result = self.variable(ObjectKey::Result(self.frame));
                self.assign(result, value);
            }
            StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn initialize(&mut self, at: Where, ty: TypeId, initializer: &'h Initializer) {
        match initializer {
            Initializer::Value(value) => self.assign(at, value),
            Initializer::Parts(parts) => {
                for part in parts {
                    let (mut at, mut ty) = (at, ty);
                    for step in &part.path {
                        (at, ty) = self.step(at, ty, *step);
                    }
                    self.assign(at, &part.value);
                }
            }
        }
    }

    fn step(&mut self, at: Where, ty: TypeId, step: Step) -> (Where, TypeId) {
        match (self.program.types.get(ty), step) {
            (Type::Record(_), Step::Field(number)) => {
                let field = super::layout::step_type(&self.program.types, ty, step);
                (self.field(at, ty, number), field)
            }
            _ => (at, super::layout::step_type(&self.program.types, ty, step)),
        }
    }

    fn field(&mut self, at: Where, ty: TypeId, number: usize) -> Where {
        let Type::Record(record) = self.program.types.get(ty) else { return at };
        if self.program.types.record(*record).kind == RecordKind::Struct {
            return Where { key: Some((*record, number)), ..at };
        }
        let class = self.result.find(at.class);
        self.result.classes[class].has_union = true;
        Where { key: None, ..at }
    }

    /// `at = value`; initial values are no accesses, because nobody reads them.
    fn assign(&mut self, at: Where, value: &'h Expr) {
        if self.is_record(value.ty) {
            let from = self.record(value);
            self.copy(at, from, value.ty);
        } else if let Some(target) = self.value(value)
            && self.carries(value.ty)
        {
            let pointee = self.result.pointee(at.class, at.key);
            self.result.join(pointee, target);
        }
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(_))
    }

    fn carries(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Pointer(_) => true,
            Type::Int(kind) => self.integers_carry && kind.size(self.program.types.model()) >= 4,
            _ => false,
        }
    }

    /// Notes an access; what has no type is accessed as bytes.
    fn access(&mut self, at: Where, ty: TypeId) {
        let class = self.result.find(at.class);
        if let Type::Void = self.program.types.get(ty) {
            self.result.note_access(class, Scalar::Int(Integer::unsigned(8)), at.key);
        } else if let Some(scalar) = Scalar::of(&self.program.types, ty) {
            self.result.note_access(class, scalar, at.key);
        } else {
            for leaf in leaves(&self.program.types, ty) {
                self.result.note_access(class, leaf.scalar, leaf.key.or(at.key));
            }
        }
    }

    /// Copies a structure.
    fn copy(&mut self, to: Where, from: Where, ty: TypeId) {
        self.access(to, ty);
        self.access(from, ty);
        for leaf in leaves(&self.program.types, ty) {
            let is_pointer =
                leaf.scalar == Scalar::Pointer || (self.integers_carry && leaf.scalar.integer().is_some());
            if is_pointer {
                let left = self.result.pointee(to.class, leaf.key.or(to.key));
                let right = self.result.pointee(from.class, leaf.key.or(from.key));
                self.result.join(left, right);
            }
        }
    }

    /// Where the value of an expression of record type is.
    fn record(&mut self, expr: &'h Expr) -> Where {
        match &expr.kind {
            ExprKind::Load(place) => self.place(place),
            ExprKind::Assign(place, value) => {
                let from = self.record(value);
                let to = self.place(place);
                self.copy(to, from, expr.ty);
                to
            }
            ExprKind::Comma(left, right) => {
                self.value(left);
                self.record(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(condition);
                let temporary = Where { class: self.result.fresh(), key: None, root: None };
                for branch in [then, otherwise] {
                    let from = self.record(branch);
                    self.copy(temporary, from, expr.ty);
                }
                temporary
            }
            ExprKind::Block(stmts, Some(value)) => {
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                self.record(value)
            }
            ExprKind::Call(callee, args) => {
                let callees = self.call(expr, callee, args);
                match callees[..] {
                    [only] => self.variable(ObjectKey::Result(only)),
                    _ => {
                        let temporary = Where { class: self.result.fresh(), key: None, root: None };
                        for callee in callees {
                            let from = self.variable(ObjectKey::Result(callee));
                            self.copy(temporary, from, expr.ty);
                        }
                        temporary
                    }
                }
            }
            _ => {
                self.value(expr);
                Where { class: self.result.fresh(), key: None, root: None }
            }
        }
    }

    fn place(&mut self, place: &'h Place) -> Where {
        match &place.kind {
            PlaceKind::Local(local) => self.variable(ObjectKey::Local(self.frame, *local)),
            PlaceKind::Global(global) => self.variable(ObjectKey::Global(*global)),
            PlaceKind::Field(base, number) => {
                let at = self.place(base);
                self.field(at, base.ty, *number)
            }
            PlaceKind::Index(base, index) => self.element(base, Some(index)),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.place(inner),
                Some(Direct::Element { array, index }) => self.element(array, index),
                None => {
                    let class = self.value(pointer).unwrap_or_else(|| self.result.fresh());
                    self.result.targets.insert((self.frame, site_of_place(place)), class);
                    Where { class, key: None, root: None }
                }
            },
            PlaceKind::Literal(local, initializer) => {
                let at = self.variable(ObjectKey::Local(self.frame, *local));
                self.initialize(at, place.ty, initializer);
                at
            }
            PlaceKind::Temporary(value) => self.record(value),
        }
    }

    fn element(&mut self, array: &'h Place, index: Option<&'h Expr>) -> Where {
        let at = self.place(array);
        if let Some(index) = index {
            self.value(index);
            let is_constant = is_integer_constant(index);
            if let (Some(object), false) = (at.root, is_constant) {
                self.result.objects[object].is_indexed = true;
            }
        }
        at
    }

    /// The class that the value points to.
    fn value(&mut self, expr: &'h Expr) -> Option<ClassId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.value_inside(expr))
    }

    fn value_inside(&mut self, expr: &'h Expr) -> Option<ClassId> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unsupported(_) => None,
            ExprKind::Load(place) => {
                let at = self.place(place);
                self.read(at, expr.ty)
            }
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                let at = self.place(place);
                if let Some(object) = at.root {
                    self.result.objects[object].escapes = true;
                }
                Some(at.class)
            }
            ExprKind::FunctionAddress(function) => Some(self.function(*function)),
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => {
                if self.is_record(operand.ty) {
                    self.record(operand);
                    return None;
                }
                self.value(operand).filter(|_| self.carries(expr.ty))
            }
            ExprKind::Not(operand) => {
                self.value(operand);
                None
            }
            ExprKind::Binary(_, left, right) => self.either(left, right).filter(|_| self.carries(expr.ty)),
            ExprKind::Compare(_, left, right)
            | ExprKind::Difference(left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.value(index);
                self.value(pointer)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(condition);
                self.either(then, otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.value(left);
                self.value(right)
            }
            ExprKind::Assign(place, value) => self.assignment(place, value),
            ExprKind::Update { place, value, .. } | ExprKind::Advance { place, index: value, .. } => {
                let source = self.value(value);
                let at = self.place(place);
                let target = self.read(at, place.ty);
                if let (Some(source), Some(target)) = (source, target) {
                    self.result.join(source, target);
                }
                target
            }
            ExprKind::Step { place, .. } => {
                let at = self.place(place);
                self.read(at, place.ty)
            }
            ExprKind::Call(callee, args) => self.call_value(expr, callee, args),
            ExprKind::Block(stmts, value) => {
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                value.as_ref().and_then(|value| self.value(value))
            }
        }
    }

    fn read(&mut self, at: Where, ty: TypeId) -> Option<ClassId> {
        self.access(at, ty);
        self.carries(ty).then(|| self.result.pointee(at.class, at.key))
    }

    fn either(&mut self, left: &'h Expr, right: &'h Expr) -> Option<ClassId> {
        match (self.value(left), self.value(right)) {
            (Some(left), Some(right)) => {
                self.result.join(left, right);
                Some(left)
            }
            (left, right) => left.or(right),
        }
    }

    fn assignment(&mut self, place: &'h Place, value: &'h Expr) -> Option<ClassId> {
        let at = self.place(place);
        self.assign(at, value);
        if self.is_record(value.ty) {
            return None;
        }
        self.read(at, place.ty)
    }

    fn function(&mut self, function: FunctionId) -> ClassId {
        if let Some(class) = self.functions.get(&function) {
            return *class;
        }
        let class = self.result.fresh();
        self.result.classes[class].functions.insert(function);
        self.functions.insert(function, class);
        class
    }

    fn call_value(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Option<ClassId> {
        if let Callee::Function(function) = callee
            && let Some(builtin) = self.builtin(*function)
        {
            return self.builtin_value(call, builtin, args);
        }
        let callees = self.call(call, callee, args);
        if !self.carries(call.ty) {
            return None;
        }
        let value = self.result.fresh();
        for callee in callees {
            let result = self.variable(ObjectKey::Result(callee));
            let target = self.result.pointee(result.class, None);
            self.result.join(value, target);
        }
        Some(value)
    }

    fn builtin(&self, function: FunctionId) -> Option<Builtin> {
        let function = &self.program.functions[function];
        function.body.is_none().then(|| builtin(&function.name)).flatten()
    }

    /// Hands arguments over to the copies that a call may enter.
    fn call(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Vec<FrameId> {
        let functions = match callee {
            Callee::Function(function) => vec![*function],
            Callee::Pointer(pointer) => {
                let class = self.value(pointer).unwrap_or_else(|| self.result.fresh());
                self.result.targets.insert((self.frame, site_of(call)), class);
                candidates(self.program, &self.calls.address_taken, args, call.ty)
            }
        };
        let key = |function: &FunctionId| (self.frame, site_of(call), *function);
        let callees: Vec<FrameId> =
            functions.iter().filter_map(|function| self.calls.callees.get(&key(function)).copied()).collect();
        for (position, arg) in args.iter().enumerate() {
            self.argument(&callees, position, arg);
        }
        callees
    }

    fn argument(&mut self, callees: &[FrameId], position: usize, arg: &'h Expr) {
        let from = if self.is_record(arg.ty) { Some(self.record(arg)) } else { None };
        let target = if from.is_none() { self.value(arg) } else { None };
        for callee in callees {
            let function = &self.program.functions[self.calls.frames[*callee].function];
            let Some(param) = function.params.get(position) else { continue };
            let at = self.variable(ObjectKey::Local(*callee, *param));
            if let Some(from) = from {
                self.copy(at, from, arg.ty);
            } else if let (Some(target), true) = (target, self.carries(arg.ty)) {
                let pointee = self.result.pointee(at.class, None);
                self.result.join(pointee, target);
            }
        }
    }

    fn builtin_value(&mut self, call: &'h Expr, builtin: Builtin, args: &'h [Expr]) -> Option<ClassId> {
        let values: Vec<Option<ClassId>> = args.iter().map(|arg| self.value(arg)).collect();
        for (arg, value) in args.iter().zip(&values) {
            if let Some(class) = value {
                self.result.targets.insert((self.frame, site_of(arg)), *class);
            }
        }
        let first = values.first().copied().flatten();
        match builtin {
            Builtin::Malloc | Builtin::Alloca | Builtin::Calloc => {
                let object = self.object(ObjectKey::Heap(self.frame, site_of(call)));
                if builtin == Builtin::Calloc {
                    self.result.objects[object].contents = Contents::Zero;
                }
                self.result.objects[object].escapes = true;
                Some(self.result.objects[object].class)
            }
            Builtin::Realloc => {
                let object = self.object(ObjectKey::Heap(self.frame, site_of(call)));
                self.result.objects[object].escapes = true;
                let class = self.result.objects[object].class;
                if let Some(old) = first {
                    self.result.join(old, class);
                }
                Some(class)
            }
            Builtin::Copy => {
                if let (Some(to), Some(from)) = (first, values.get(1).copied().flatten()) {
                    self.copy_bytes(to, from, args);
                }
                first
            }
            Builtin::Fill | Builtin::Scramble => {
                if let (Some(class), Some(arg)) = (first, args.first()) {
                    let ty = pointed_type(self.program, arg);
                    self.access(Where { class, key: None, root: None }, ty);
                }
                first
            }
            Builtin::Identity => first,
            _ => self.carries(call.ty).then(|| self.result.fresh()),
        }
    }

    /// Bytes of structures are copied member by member; what has no type is one class from then on.
    fn copy_bytes(&mut self, to: ClassId, from: ClassId, args: &'h [Expr]) {
        let ty = copied_type(self.program, args);
        let [to, from] = [to, from].map(|class| Where { class, key: None, root: None });
        match self.program.types.get(ty) {
            Type::Void | Type::Int(_) => {
                self.result.join(to.class, from.class);
                self.access(to, ty);
            }
            _ => self.copy(to, from, ty),
        }
    }
}

impl PointsTo {
    fn note_access(&mut self, class: ClassId, scalar: Scalar, key: Option<FieldKey>) {
        let signs = self.classes[class].accesses.entry((Kind::of(scalar), key)).or_default();
        match scalar {
            Scalar::Int(integer) if integer.is_signed => signs.signed = true,
            _ => signs.unsigned = true,
        }
    }
}

/// The type that a pointer had before it became `void *`.
pub(super) fn pointed_type(program: &Program, pointer: &Expr) -> TypeId {
    let mut pointer = pointer;
    while let ExprKind::Convert(inner) = &pointer.kind
        && let Type::Pointer(_) = program.types.get(inner.ty)
    {
        pointer = inner;
    }
    match program.types.get(pointer.ty) {
        Type::Pointer(target) => *target,
        _ => pointer.ty,
    }
}

/// The type of what `memcpy` copies: that of either argument which says more than bytes.
pub(super) fn copied_type(program: &Program, args: &[Expr]) -> TypeId {
    let says_more = |ty: &TypeId| match program.types.get(*ty) {
        Type::Void => false,
        Type::Int(kind) => kind.size(program.types.model()) > 1,
        _ => true,
    };
    let types: Vec<TypeId> = args.iter().take(2).map(|arg| pointed_type(program, arg)).collect();
    types.iter().copied().find(says_more).unwrap_or(types[0])
}

/// Whether an index is a constant.
pub(super) fn is_integer_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert(inner) => is_integer_constant(inner),
        _ => false,
    }
}
