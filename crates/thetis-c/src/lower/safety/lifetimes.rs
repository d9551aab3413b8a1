//! The lifetimes of variables.
//!
//! A variable is live while control is in the block that declares it; statements with parts (`if`, loops, `switch`) are
//! blocks too, and so are functions. Control leaves blocks at their ends and by jumps. So lifetimes end where control
//! *arrives*: after a block, at the next iteration of a loop, at a label (where the variables of enclosing blocks are
//! live and all others are not), after a call.
//!
//! Most variables cannot be pointed to when they are dead, because the pointers to them are in variables that die no
//! later. The points-to analysis says where such pointers can be. Only the others have Boolean flags.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{Sort, VarId};
use thetis_model::cfa::StmtKind as Edge;

use super::{Bounds, Lowering};
use crate::hir::{Expr, ExprKind, LocalId, PlaceKind, Stmt, StmtKind, TypeId};
use crate::lower::assumption::AssumptionKind;
use crate::lower::layout::leaf_paths;

use crate::lower::origin::{Event, FrameId, VarOrigin};
use crate::lower::points_to::{ClassId, ObjectId, ObjectKey};
use crate::lower::stmt::{MAX_SCRAMBLED, has_no_value};
use crate::lower::storage::Home;
use crate::lower::walk::{Part, Site, parts_inside, site_of, site_of_stmt};

/// The blocks of a function by numbers; zero is the function itself.
pub(super) struct Lifetimes {
    /// The block around each block.
    around: Vec<usize>,
    /// The numbers of statements and statement expressions that are blocks.
    numbers: FxHashMap<Site, usize>,
    /// The blocks that labels are in.
    labels: FxHashMap<Site, usize>,
    /// The blocks that variables belong to, if not to the function.
    blocks: BTreeMap<LocalId, usize>,
    /// The blocks that are expressions.
    expressions: BTreeSet<usize>,
    /// The variables that are declared, and whether they have no value then.
    declared: BTreeMap<LocalId, bool>,
    in_loops: BTreeSet<LocalId>,
    may_jump: bool,
}

impl Lifetimes {
    fn of(body: &[Stmt]) -> Lifetimes {
        let mut lifetimes = Lifetimes {
            around: vec![0],
            numbers: FxHashMap::default(),
            labels: FxHashMap::default(),
            blocks: BTreeMap::new(),
            expressions: BTreeSet::new(),
            declared: BTreeMap::new(),
            in_loops: BTreeSet::new(),
            may_jump: false,
        };
        let mut pending: Vec<(Part<'_>, usize, bool)> =
            body.iter().map(|stmt| (Part::Stmt(stmt), 0, false)).collect();
        while let Some((part, block, in_loop)) = pending.pop() {
            let block = lifetimes.note(part, block, in_loop);
            let in_loop = in_loop || matches!(part, Part::Stmt(stmt) if is_loop(stmt));
            pending.extend(parts_inside(part).into_iter().map(|part| (part, block, in_loop)));
        }
        lifetimes
    }

    /// Records a part of a block, and returns the block that its own parts are in.
    fn note(&mut self, part: Part<'_>, block: usize, in_loop: bool) -> usize {
        match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Declare(local, initializer) => {
                    self.note_local(*local, block, in_loop);
                    self.declared.insert(*local, has_no_value(*local, initializer.as_ref()));
                }
                StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_) => {
                    self.labels.insert(site_of_stmt(stmt), block);
                }
                StmtKind::Goto(_) => self.may_jump = true,
                StmtKind::Block(_)
                | StmtKind::If { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::Switch { .. } => return self.enter(site_of_stmt(stmt), block),
                _ => {}
            },
            Part::Expr(expr) => {
                if let ExprKind::Block(..) = expr.kind {
                    let inner = self.enter(site_of(expr), block);
                    self.expressions.insert(inner);
                    return inner;
                }
            }
            Part::Place(place) => {
                if let PlaceKind::Literal(local, _) = place.kind {
                    self.note_local(local, block, in_loop);
                }
            }
            Part::Initializer(_) => {}
        }
        block
    }

    fn note_local(&mut self, local: LocalId, block: usize, in_loop: bool) {
        self.blocks.insert(local, block);
        if in_loop {
            self.in_loops.insert(local);
        }
    }

    fn enter(&mut self, site: Site, block: usize) -> usize {
        let number = self.around.len();
        self.around.push(block);
        self.numbers.insert(site, number);
        number
    }

    fn block_of(&self, local: LocalId) -> usize {
        self.blocks.get(&local).copied().unwrap_or(0)
    }

    /// Whether a block is another or lies inside it.
    fn is_inside(&self, mut block: usize, outer: usize) -> bool {
        while block != outer && block != 0 {
            block = self.around[block];
        }
        block == outer
    }

    /// Whether a variable may be declared again while its function runs.
    pub(super) fn may_repeat(&self, local: LocalId) -> bool {
        self.may_jump || self.in_loops.contains(&local)
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. })
}

impl<'h> Lowering<'h> {
    pub(super) fn lifetimes(&mut self, frame: FrameId) -> Rc<Lifetimes> {
        let function = self.calls.frames[frame].function;
        if let Some(known) = self.safety.lifetimes.get(&function) {
            return Rc::clone(known);
        }
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        let lifetimes = Rc::new(Lifetimes::of(body));
        self.safety.lifetimes.insert(function, Rc::clone(&lifetimes));
        lifetimes
    }

    /// The Boolean that says whether a variable is live.
    pub(super) fn life(&mut self, key: ObjectKey) -> VarId {
        if let Some(known) = self.safety.lives.get(&key) {
            return *known;
        }
        let name = format!("{}.lives", self.objects.name_of(key).unwrap_or_default());
        let name = match key {
            ObjectKey::Local(frame, _) => format!("{}.{name}", self.calls.frames[frame].path),
            _ => name,
        };
        let store = self.store();
        let var = self.objects.storages.declare(store, &name, Sort::Bool, VarOrigin::Heap);
        self.safety.lives.insert(key, var);
        self.safety.initially_false.push(var);
        var
    }

    /// Whether a pointer to a variable may exist after its lifetime.
    pub(in crate::lower) fn may_dangle(&mut self, key: ObjectKey) -> bool {
        let ObjectKey::Local(frame, local) = key else { return false };
        let lifetimes = self.lifetimes(frame);
        let block = lifetimes.block_of(local);
        let is_whole_run = frame == FrameId::new(0) && block == 0;
        let Some(object) = self.points.object(key).filter(|_| !is_whole_run) else { return false };
        if lifetimes.expressions.iter().any(|expression| lifetimes.is_inside(block, *expression)) {
            return true;
        }
        let class = self.points.class_of(object);
        let holders = self.holders();
        let outlives = |holder: &ObjectId| match self.points.objects[*holder].key {
            ObjectKey::Global(_) | ObjectKey::Heap(..) => true,
            ObjectKey::Result(other) => other == frame || !self.is_called_from(other, frame),
            ObjectKey::Local(other, _) if other != frame => !self.is_called_from(other, frame),
            ObjectKey::Local(_, other) => !lifetimes.is_inside(lifetimes.block_of(other), block),
        };
        holders.get(&class).is_some_and(|holders| holders.iter().any(outlives))
    }

    /// Whether a variable gets a new address whenever it is declared: pointers to its previous object may still exist,
    /// or it is so large that its values cannot be made arbitrary one by one.
    pub(super) fn is_renewed(&mut self, key: ObjectKey, ty: TypeId) -> bool {
        let ObjectKey::Local(frame, local) = key else { return false };
        let is_pointed_to = self.points.object(key).is_some_and(|object| self.points.objects[object].escapes);
        if is_pointed_to && self.checks_accesses() && self.moves(key, ty) {
            return true;
        }
        leaf_paths(&self.program.types, ty, MAX_SCRAMBLED).is_none()
            && self.may_live_again(key)
            && self.lifetimes(frame).declared.get(&local) == Some(&true)
            && matches!(self.objects.home(key, ty), Home::Memory { .. })
    }

    /// Gives addresses to the variables of a function that get new ones when they are declared. Control may jump over a declaration, or
    /// to a label before it, where the lifetime ends.
    pub(in crate::lower) fn place_variables(&mut self, frame: FrameId, span: Span) {
        let lifetimes = self.lifetimes(frame);
        if lifetimes.labels.is_empty() {
            return;
        }
        let locals = &self.program.functions[self.calls.frames[frame].function].locals;
        for local in lifetimes.declared.keys() {
            self.renew(ObjectKey::Local(frame, *local), locals[*local].ty, span);
        }
    }

    /// Whether a variable may become live again, as the same object.
    pub(super) fn may_live_again(&mut self, key: ObjectKey) -> bool {
        let ObjectKey::Local(frame, local) = key else { return false };
        self.calls.repeats[frame] || self.lifetimes(frame).may_repeat(local)
    }

    /// Whether a copy of a function is called (by others, perhaps) from another one.
    fn is_called_from(&self, mut callee: FrameId, caller: FrameId) -> bool {
        while let Some((next, _)) = self.calls.frames[callee].caller {
            if next == caller {
                return true;
            }
            callee = next;
        }
        false
    }

    /// The objects in which pointers to the objects of each class are kept.
    pub(super) fn holders(&mut self) -> Rc<FxHashMap<ClassId, Vec<ObjectId>>> {
        if let Some(known) = &self.safety.holders {
            return Rc::clone(known);
        }
        let mut holders: FxHashMap<ClassId, Vec<ObjectId>> = FxHashMap::default();
        for object in self.points.objects.indices() {
            for target in self.points.pointees(self.points.class_of(object)) {
                holders.entry(target).or_default().push(object);
            }
        }
        let holders = Rc::new(holders);
        self.safety.holders = Some(Rc::clone(&holders));
        holders
    }

    /// Whether it matters when lifetimes end.
    fn tracks_lifetimes(&mut self) -> bool {
        self.checks_memory() || self.checks_values() || self.compares_pointers()
    }

    /// The lifetime of a variable of the current function copy begins.
    pub(in crate::lower) fn begin_lifetime(&mut self, key: ObjectKey, span: Span) {
        self.set_lifetime(key, true, span);
    }

    fn set_lifetime(&mut self, key: ObjectKey, lives: bool, span: Span) {
        self.note_life(key, lives, span);
        let object = self.points.object(key).filter(|object| self.points.objects[*object].escapes);
        let Some(object) = object.filter(|_| self.checks_memory()) else { return };
        let Some(ty) = self.points.objects[object].ty else { return };
        match *self.bounds(self.points.class_of(object)) {
            Bounds::Tracked => {
                let size = match lives {
                    true => Some(self.size_of(ty, span)),
                    false => None,
                };
                let address = self.variable_address(key, ty);
                self.set_extent(address, size, span);
            }
            Bounds::Listed(_) if self.checks_accesses() && self.may_dangle(key) => {
                let store = self.store();
                let life = self.life(key);
                let truth = if lives { store.tru() } else { store.fals() };
                if lives && self.may_live_again(key) {
                    self.assume_no_revival(span);
                }
                self.out.emit(Edge::Assign(life, truth), span, Event::Silent);
            }
            Bounds::Listed(_) => {}
        }
    }

    fn assume_no_revival(&mut self, span: Span) {
        self.out.assume_silently(
            AssumptionKind::RevivedVariables,
            "no pointer to a dead variable is used when the variable is live again",
            span,
        );
    }

    /// Ends the lifetimes of the variables of a statement.
    pub(in crate::lower) fn end_lifetimes(&mut self, stmt: &Stmt) {
        self.end_block(site_of_stmt(stmt), stmt.span);
    }

    /// Ends the lifetimes of the variables of a statement expression.
    pub(in crate::lower) fn end_lifetimes_in(&mut self, expr: &Expr) {
        self.end_block(site_of(expr), expr.span);
    }

    fn end_block(&mut self, site: Site, span: Span) {
        if !self.tracks_lifetimes() {
            return;
        }
        let lifetimes = self.lifetimes(self.out.frame);
        let Some(block) = lifetimes.numbers.get(&site).copied() else { return };
        for (local, declared) in &lifetimes.blocks {
            if lifetimes.is_inside(*declared, block) {
                self.end_value(*local, span);
                self.set_lifetime(ObjectKey::Local(self.out.frame, *local), false, span);
            }
        }
    }

    /// Control arrives at a label from anywhere in the function.
    pub(in crate::lower) fn arrive_at_label(&mut self, label: &Stmt) {
        if !self.tracks_lifetimes() {
            return;
        }
        let lifetimes = self.lifetimes(self.out.frame);
        let Some(at) = lifetimes.labels.get(&site_of_stmt(label)).copied() else { return };
        let is_label = matches!(label.kind, StmtKind::Label(..));
        for (local, declared) in &lifetimes.blocks {
            let key = ObjectKey::Local(self.out.frame, *local);
            if !lifetimes.is_inside(at, *declared) {
                // Cases are only jumped to from outside of the blocks in their `switch`.
                if is_label {
                    self.end_value(*local, label.span);
                    self.set_lifetime(key, false, label.span);
                }
            } else if self.has_constant_size(key) {
                if self.checks_accesses() && self.objects.moving.contains_key(&key) {
                    // A jump over the declaration leaves the object where it was.
                    self.assume_no_revival(label.span);
                }
                self.set_lifetime(key, true, label.span);
            }
        }
    }

    /// Jumps cannot lead to where an array of variable length lives if they come from elsewhere.
    fn has_constant_size(&self, key: ObjectKey) -> bool {
        let ty = self.points.object(key).and_then(|object| self.points.objects[object].ty);
        ty.is_some_and(|ty| self.program.types.size_of(ty).is_some())
    }

    /// Ends the lifetimes of all variables of a copy of a function, after its call.
    pub(in crate::lower) fn end_frame(&mut self, frame: FrameId, span: Span) {
        if !self.tracks_lifetimes() {
            return;
        }
        let locals = &self.program.functions[self.calls.frames[frame].function].locals;
        for local in locals.indices() {
            self.set_lifetime(ObjectKey::Local(frame, local), false, span);
        }
    }
}
