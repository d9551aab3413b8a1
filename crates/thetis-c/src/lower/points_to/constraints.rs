//! What assignments, calls and accesses of a program mean for classes of objects.

use std::collections::{BTreeMap, BTreeSet};

use super::{Carriers, ClassId, Contents, Object, ObjectId, ObjectKey, PointsTo, is_integer_constant};
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, Initializer, Place, PlaceKind, Program, RecordKind, Step, Stmt,
    StmtKind, Type, TypeId,
};
use crate::lower::builtin::{Builtin, builtin};
use crate::lower::calls::{CallTree, candidates};
use crate::lower::layout::{FieldKey, fields, is_straddling, leaves, shares_pointers, step_type};
use crate::lower::options::Externals;
use crate::lower::origin::FrameId;
use crate::lower::scalar::{Integer, Scalar};
use crate::lower::walk::{Direct, Part, direct, site_of, site_of_place, walk, walk_body};

/// Walks through all copies of functions.
pub(super) fn collect(
    program: &Program,
    calls: &CallTree,
    externals: Externals,
    carriers: Carriers,
    empty: PointsTo,
) -> PointsTo {
    let mut walk = Walk {
        program,
        calls,
        externals,
        result: empty,
        frame: FrameId::new(0),
        carriers,
        functions: BTreeMap::new(),
        gets_pointers: false,
        compared: Vec::new(),
        thread_results: None,
        arguments: Vec::new(),
    };
    walk.globals();
    walk.arguments_of_main();
    for frame in calls.frames.indices() {
        walk.frame(frame);
    }
    walk.settle_outside();
    walk.result
}

/// What carries pointers: integers do if somewhere a pointer is converted to one.
pub(super) fn carriers(program: &Program, calls: &CallTree) -> Carriers {
    if has_pointer_casts(program, calls) { Carriers::Addresses } else { Carriers::Nothing }
}

fn has_pointer_casts(program: &Program, calls: &CallTree) -> bool {
    let is_cast = |part: Part<'_>| match part {
        Part::Expr(Expr { kind: ExprKind::Convert(inner), ty, .. }) => {
            let is_pointer = |ty| matches!(program.types.get(ty), Type::Pointer(_));
            let is_int = |ty| matches!(program.types.get(ty), Type::Int(_));
            (is_pointer(inner.ty) && is_int(*ty))
                || (is_int(inner.ty) && is_pointer(*ty) && !is_integer_constant(inner))
        }
        _ => false,
    };
    let functions: BTreeSet<FunctionId> = calls.frames.iter().map(|frame| frame.function).collect();
    let bodies = functions.iter().filter_map(|function| program.functions[*function].body.as_deref());
    let initializers =
        calls.globals.iter().filter_map(|global| program.globals[*global].initializer.as_ref());
    bodies.flat_map(walk_body).any(is_cast) || walk(initializers.map(Part::Initializer)).any(is_cast)
}

/// Walks through the copies of functions.
pub(super) struct Walk<'h> {
    pub(super) program: &'h Program,
    pub(super) calls: &'h CallTree,
    pub(super) externals: Externals,
    pub(super) result: PointsTo,
    pub(super) frame: FrameId,
    carriers: Carriers,
    functions: BTreeMap<FunctionId, ClassId>,
    /// Whether pointers come from outside other than through memory.
    pub(super) gets_pointers: bool,
    /// What compared pointers point to.
    pub(super) compared: Vec<(ClassId, ClassId)>,
    /// What the results of threads point to.
    pub(super) thread_results: Option<ClassId>,
    /// The objects that the arguments of the program are in.
    pub(super) arguments: Vec<ObjectId>,
}

/// Where a place is.
#[derive(Clone, Copy)]
pub(super) struct Where {
    pub(super) class: ClassId,
    pub(super) key: Option<FieldKey>,
    /// The variable that the place is part of, if no pointer is in between.
    pub(super) root: Option<ObjectId>,
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

    /// The arguments of the program come from outside.
    fn arguments_of_main(&mut self) {
        let main = FrameId::new(0);
        let function = &self.program.functions[self.calls.frames[main].function];
        for param in &function.params {
            let at = self.variable(ObjectKey::Local(main, *param));
            self.open(at, function.locals[*param].ty);
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

    pub(super) fn object(&mut self, key: ObjectKey) -> ObjectId {
        if let Some(object) = self.result.object(key) {
            return object;
        }
        let class = self.result.fresh();
        let contents = match key {
            ObjectKey::Global(global) if self.program.globals[global].starts_known() => Contents::Zero,
            ObjectKey::Global(_) | ObjectKey::Heap(..) => Contents::Arbitrary,
            ObjectKey::Local(..) | ObjectKey::Result(_) => Contents::Given,
        };
        let ty = self.ty_of(key);
        let object = Object { key, ty, class, escapes: false, is_indexed: false, contents };
        let object = self.result.objects.push(object);
        self.result.classes[class].objects.push(object);
        self.result.keys.insert(key, object);
        object
    }

    pub(super) fn variable(&mut self, key: ObjectKey) -> Where {
        let object = self.object(key);
        Where { class: self.result.objects[object].class, key: None, root: Some(object) }
    }

    pub(super) fn stmt(&mut self, stmt: &'h Stmt) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.stmt_inside(stmt));
    }

    fn stmt_inside(&mut self, stmt: &'h Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) | StmtKind::AcslAssert(expr) | StmtKind::Claim(_, expr) => {
                self.value(expr);
            }
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
                self.operand(value);
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
                let field = step_type(&self.program.types, ty, step);
                (self.field(at, ty, number), field)
            }
            _ => (at, step_type(&self.program.types, ty, step)),
        }
    }

    fn field(&mut self, at: Where, ty: TypeId, number: usize) -> Where {
        let Type::Record(record) = self.program.types.get(ty) else { return at };
        if is_straddling(&self.program.types, &fields(&self.program.types, *record)[number]) {
            self.result.note_bytes(at.class);
        }
        if self.program.types.record(*record).kind == RecordKind::Struct {
            return Where { key: Some((*record, number)), ..at };
        }
        let class = self.result.find(at.class);
        self.result.classes[class].has_union = true;
        Where { key: None, ..at }
    }

    /// `at = value`; initial values are no accesses, because nobody reads them.
    pub(super) fn assign(&mut self, at: Where, value: &'h Expr) {
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

    pub(super) fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(_))
    }

    pub(super) fn carries(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Pointer(_) => true,
            Type::Int(kind) => match self.carriers {
                Carriers::Nothing => false,
                Carriers::Addresses => kind.size(self.program.types.model()) >= 4,
                Carriers::Bytes => true,
            },
            _ => false,
        }
    }

    /// Notes an access as bytes.
    pub(super) fn access_bytes(&mut self, at: Where) {
        let class = self.result.find(at.class);
        self.result.note_access(class, Scalar::Int(Integer::unsigned(8)), at.key);
    }

    /// Notes an access; what has no type is accessed as bytes.
    pub(super) fn access(&mut self, at: Where, ty: TypeId) {
        let class = self.result.find(at.class);
        if let Type::Void = self.program.types.get(ty) {
            self.access_bytes(at);
        } else if let Some(scalar) = Scalar::of(&self.program.types, ty) {
            self.result.note_access(class, scalar, at.key);
        } else {
            for leaf in leaves(&self.program.types, ty) {
                self.result.note_access(class, leaf.scalar, leaf.key.or(at.key));
            }
        }
    }

    /// Copies a structure.
    pub(super) fn copy(&mut self, to: Where, from: Where, ty: TypeId) {
        self.access(to, ty);
        self.access(from, ty);
        if shares_pointers(&self.program.types, ty) {
            for at in [to, from] {
                let class = self.result.find(at.class);
                self.result.classes[class].has_union = true;
            }
        }
        for leaf in leaves(&self.program.types, ty) {
            let integers_carry = self.carriers != Carriers::Nothing;
            if leaf.scalar == Scalar::Pointer || (integers_carry && leaf.scalar.integer().is_some()) {
                let left = self.result.pointee(to.class, leaf.key.or(to.key));
                let right = self.result.pointee(from.class, leaf.key.or(from.key));
                self.result.join(left, right);
            }
        }
    }

    /// Where the value of an expression of record type is.
    pub(super) fn record(&mut self, expr: &'h Expr) -> Where {
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
            ExprKind::Call(Callee::Function(function), args)
                if self.builtin(*function) == Some(Builtin::VaValue) =>
            {
                for arg in args {
                    self.value(arg);
                }
                let temporary = Where { class: self.result.fresh(), key: None, root: None };
                for extra in self.calls.extra_arguments(self.program, self.frame) {
                    if self.is_record(extra.ty) {
                        let from = self.variable(ObjectKey::Local(extra.frame, extra.param));
                        self.copy(temporary, from, extra.ty);
                    }
                }
                temporary
            }
            ExprKind::Call(callee, args) => {
                let callees = self.call(expr, callee, args);
                match callees[..] {
                    [] => {
                        let unknown = Where { class: self.result.fresh(), key: None, root: None };
                        self.open(unknown, expr.ty);
                        unknown
                    }
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

    pub(super) fn place(&mut self, place: &'h Place) -> Where {
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

    pub(super) fn element(&mut self, array: &'h Place, index: Option<&'h Expr>) -> Where {
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

    pub(super) fn assignment(&mut self, place: &'h Place, value: &'h Expr) -> Option<ClassId> {
        let at = self.place(place);
        self.assign(at, value);
        if self.is_record(value.ty) {
            return None;
        }
        self.read(at, place.ty)
    }

    pub(super) fn function(&mut self, function: FunctionId) -> ClassId {
        if let Some(class) = self.functions.get(&function) {
            return *class;
        }
        let class = self.result.fresh();
        self.result.classes[class].functions.insert(function);
        self.functions.insert(function, class);
        class
    }

    pub(super) fn call_value(
        &mut self,
        call: &'h Expr,
        callee: &'h Callee,
        args: &'h [Expr],
    ) -> Option<ClassId> {
        if let Callee::Function(function) = callee
            && let Some(builtin) = self.builtin(*function)
        {
            return self.builtin_value(call, builtin, args);
        }
        let callees = self.call(call, callee, args);
        if !self.carries(call.ty) {
            return None;
        }
        if callees.is_empty() {
            return Some(self.pointer_from_outside());
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
        let function = &self.program.functions[self.calls.resolve(function)];
        function.body.is_none().then(|| builtin(&self.program.types, function)).flatten()
    }

    /// Hands arguments over to the copies that a call may enter.
    fn call(&mut self, call: &'h Expr, callee: &'h Callee, args: &'h [Expr]) -> Vec<FrameId> {
        let functions = match callee {
            Callee::Function(function) => vec![self.calls.resolve(*function)],
            Callee::Pointer(pointer) => {
                let class = self.value(pointer).unwrap_or_else(|| self.result.fresh());
                self.result.called.insert((self.frame, site_of(call)), class);
                candidates(self.program, &self.calls.address_taken, args, call.ty)
            }
        };
        let key = |function: &FunctionId| (self.frame, site_of(call), *function);
        let callees: Vec<FrameId> =
            functions.iter().filter_map(|function| self.calls.callees.get(&key(function)).copied()).collect();
        if let [function] = functions[..]
            && self.externals != Externals::Svcomp
            && self.calls.is_external(function)
        {
            self.hand_out_arguments(args);
            self.open_callbacks(call);
            return Vec::new();
        }
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
}
