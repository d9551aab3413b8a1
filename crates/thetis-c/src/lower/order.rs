//! Where the order of evaluation is open and matters.
//!
//! C leaves open in which order the operands of most operators and the arguments of calls are evaluated. The translation takes the order
//! of the text. That is right if no order gives anything else: if what one operand writes is neither read nor written by
//! another. To know that, the *effects* of expressions are collected, with those of the functions that they call: the
//! variables and the classes of objects that are read and written. Where two operands are in *conflict*, that is, one of them writes
//! what the other one uses, there are two cases:
//!
//! * both use the same variable themselves, not in calls: the behaviour is undefined, which is a limit;
//! * otherwise, where calls happen one after the other or it is not known whether it is the same object, both orders are
//!   explored.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Span;

use super::builtin::Builtin;
use super::layout::FieldKey;
use super::lowering::Lowering;
use super::options::Externals;
use super::origin::FrameId;
use super::points_to::{ClassId, ObjectId, ObjectKey};
use super::scalar::Scalar;
use super::walk::{Direct, Part, direct, has_effects, parts_inside, site_of, site_of_place, walk};
use crate::hir::{Callee, Expr, ExprKind, Place, PlaceKind, RecordId, RecordKind, Stmt, Type};

/// More choices of an order inside one another are not explored.
const MAX_OPEN_ORDERS: u32 = 4;

/// What an effect is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    /// A variable by its name.
    Variable(ObjectId),
    /// A member or an element of a variable.
    Part(ObjectId, Option<FieldKey>),
    /// Whatever a pointer points to, or a member of it.
    Class(ClassId, Option<FieldKey>),
}

impl Target {
    fn key(self) -> Option<FieldKey> {
        match self {
            Target::Variable(_) => None,
            Target::Part(_, key) | Target::Class(_, key) => key,
        }
    }

    fn object(self) -> Option<ObjectId> {
        match self {
            Target::Variable(object) | Target::Part(object, _) => Some(object),
            Target::Class(..) => None,
        }
    }
}

/// What an expression reads and writes, itself and in calls.
#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    own: Uses,
    called: Uses,
}

#[derive(Clone, Default, Debug)]
struct Uses {
    reads: BTreeSet<Target>,
    writes: BTreeSet<Target>,
}

impl Uses {
    fn len(&self) -> usize {
        self.reads.len() + self.writes.len()
    }
}

impl Effects {
    fn all(&self) -> Uses {
        let reads = self.own.reads.union(&self.called.reads).copied().collect();
        Uses { reads, writes: self.own.writes.union(&self.called.writes).copied().collect() }
    }
}

/// Whether one side writes what the other one uses, by a test of sets of targets.
fn clash(left: &Uses, right: &Uses, test: impl Fn(&BTreeSet<Target>, &BTreeSet<Target>) -> bool) -> bool {
    test(&left.writes, &right.writes) || test(&left.writes, &right.reads) || test(&left.reads, &right.writes)
}

/// Whether an assignment to a variable has a right side that changes the variable as well, with nothing in between.
pub(super) fn rewrites(place: &Place, value: &Expr) -> bool {
    let is_same = |other: &Place| match (&place.kind, &other.kind) {
        (PlaceKind::Local(left), PlaceKind::Local(right)) => left == right,
        (PlaceKind::Global(left), PlaceKind::Global(right)) => left == right,
        _ => false,
    };
    let parts = || walk([Part::Expr(value)]);
    let orders = |part: Part<'_>| {
        let Part::Expr(expr) = part else { return false };
        matches!(
            expr.kind,
            ExprKind::Comma(..)
                | ExprKind::Block(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Conditional(..)
        )
    };
    let changes = |part: Part<'_>| match part {
        Part::Expr(Expr { kind: ExprKind::Step { place, .. } | ExprKind::Update { place, .. }, .. }) => {
            is_same(place)
        }
        _ => false,
    };
    parts().any(changes) && !parts().any(orders)
}

/// How two expressions that may be evaluated in any order depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    /// Not at all.
    None,
    /// By calls: either order is possible.
    Ordered,
    /// By effects that are not even ordered.
    Undefined,
}

impl Lowering<'_> {
    /// How two expressions depend on each other.
    pub(super) fn conflict(&mut self, left: &Expr, right: &Expr) -> Conflict {
        if !self.writes(left) && !self.writes(right) {
            return Conflict::None;
        }
        let (left, right) = (self.effects_of(left), self.effects_of(right));
        self.conflict_of(&left, &right)
    }

    /// How the calculation of a place and an expression depend on each other; the place itself is not read.
    pub(super) fn conflict_with_place(&mut self, place: &Place, value: &Expr) -> Conflict {
        if !self.writes(value) && !has_effects(Part::Place(place)) {
            return Conflict::None;
        }
        let value = self.effects_of(value);
        let mut effects = Effects::default();
        self.gather_address(place, self.out.frame, &mut effects);
        self.conflict_of(&effects, &value)
    }

    /// How an object that is changed and the expression that it is changed by depend on each other.
    pub(super) fn conflict_with_object(&mut self, place: &Place, value: &Expr) -> Conflict {
        if !self.writes(value) && !has_effects(Part::Place(place)) {
            return Conflict::None;
        }
        let value = self.effects_of(value);
        let mut effects = Effects::default();
        self.gather_address(place, self.out.frame, &mut effects);
        effects.own.reads.extend(self.target_of(place, self.out.frame));
        self.conflict_of(&effects, &value)
    }

    /// Whether the functions that an expression calls write anything that is not their own.
    pub(super) fn has_effects_when_called(&mut self, expr: &Expr) -> bool {
        !self.effects_of(expr).called.writes.is_empty()
    }

    /// The pairs of expressions that depend on one another.
    pub(super) fn conflicts<'e>(
        &mut self,
        exprs: impl Iterator<Item = &'e Expr> + Clone,
    ) -> Vec<(usize, usize, Conflict)> {
        if !exprs.clone().any(|expr| self.writes(expr)) {
            return Vec::new();
        }
        let effects: Vec<Effects> = exprs.map(|expr| self.effects_of(expr)).collect();
        let mut found = Vec::new();
        for right in 0..effects.len() {
            for left in 0..right {
                let conflict = self.conflict_of(&effects[left], &effects[right]);
                if conflict != Conflict::None {
                    found.push((left, right, conflict));
                }
            }
        }
        found
    }

    fn conflict_of(&self, left: &Effects, right: &Effects) -> Conflict {
        let is_same = |left: &BTreeSet<Target>, right: &BTreeSet<Target>| {
            let is_variable = |target: &&Target| matches!(target, Target::Variable(_));
            left.intersection(right).any(|target| is_variable(&target))
        };
        let overlap = |left: &BTreeSet<Target>, right: &BTreeSet<Target>| {
            left.iter().any(|left| right.iter().any(|right| self.may_overlap(*left, *right)))
        };
        let [left_all, right_all] = [left, right].map(Effects::all);
        if clash(&left.own, &right.own, is_same) {
            Conflict::Undefined
        } else if clash(&left_all, &right_all, overlap) {
            Conflict::Ordered
        } else {
            Conflict::None
        }
    }

    /// Whether two effects may be about the same object. Different members of one structure are different objects.
    fn may_overlap(&self, left: Target, right: Target) -> bool {
        let are_apart = match (left.key(), right.key()) {
            (Some(left), Some(right)) => left.0 == right.0 && left.1 != right.1,
            _ => false,
        };
        let is_in = |object: ObjectId, class: ClassId| {
            self.points.objects[object].escapes && self.points.class_of(object) == class
        };
        let share = match (left.object(), right.object()) {
            (Some(left), Some(right)) => left == right,
            (Some(object), None) => matches!(right, Target::Class(class, _) if is_in(object, class)),
            (None, Some(object)) => matches!(left, Target::Class(class, _) if is_in(object, class)),
            (None, None) => {
                matches!((left, right), (Target::Class(left, _), Target::Class(right, _)) if left == right)
            }
        };
        share && !are_apart
    }

    /// Does one of two things that differ in the order of evaluation only.
    pub(super) fn in_either_order(
        &mut self,
        span: Span,
        as_written: impl FnOnce(&mut Self),
        reversed: impl FnOnce(&mut Self),
    ) {
        if self.num_open_orders >= MAX_OPEN_ORDERS {
            self.out.limit(span, "very many orders of evaluation are possible here");
        }
        self.num_open_orders += 1;
        let choice = self.arbitrary(Scalar::Bool, span);
        let is_reversed = self.arith.is_true(Scalar::Bool, choice);
        let (first, second, join) =
            (self.out.location(span), self.out.location(span), self.out.location(span));
        self.select(is_reversed, second, first, span);
        self.out.graph.continue_at(first);
        as_written(self);
        self.out.go(join);
        self.out.graph.continue_at(second);
        reversed(self);
        self.out.go(join);
        self.out.graph.continue_at(join);
        self.num_open_orders -= 1;
    }

    /// The behaviour is undefined because of an order that is not.
    pub(super) fn limit_order(&mut self, span: Span) {
        self.out.limit(span, "the order of evaluation is unspecified here and matters");
    }

    /// What an expression reads and writes. Nothing is of interest unless it may write.
    fn effects_of(&mut self, expr: &Expr) -> Effects {
        let mut effects = Effects::default();
        self.gather(Part::Expr(expr), self.out.frame, &mut effects);
        effects
    }

    /// Adds the effects of a part of a copy of a function.
    fn gather(&mut self, part: Part<'_>, frame: FrameId, effects: &mut Effects) {
        match part {
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Load(place) => {
                    self.gather_address(place, frame, effects);
                    effects.own.reads.extend(self.target_of(place, frame));
                    return;
                }
                ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                    return self.gather_address(place, frame, effects);
                }
                ExprKind::Assign(place, value) => {
                    self.gather_address(place, frame, effects);
                    effects.own.writes.extend(self.target_of(place, frame));
                    return self.gather(Part::Expr(value), frame, effects);
                }
                ExprKind::Update { place, value, .. } | ExprKind::Advance { place, index: value, .. } => {
                    self.change(place, frame, effects);
                    return self.gather(Part::Expr(value), frame, effects);
                }
                ExprKind::Step { place, .. } => return self.change(place, frame, effects),
                ExprKind::Call(callee, _) => self.call_effects(expr, callee, frame, effects),
                _ => {}
            },
            Part::Place(place) => return self.gather_address(place, frame, effects),
            Part::Stmt(_) | Part::Initializer(_) => {}
        }
        for inside in parts_inside(part) {
            stacker::maybe_grow(64 << 10, 1 << 20, || self.gather(inside, frame, effects));
        }
    }

    fn change(&mut self, place: &Place, frame: FrameId, effects: &mut Effects) {
        self.gather_address(place, frame, effects);
        let target = self.target_of(place, frame);
        effects.own.reads.extend(target);
        effects.own.writes.extend(target);
    }

    /// Adds the effects of finding out where a place is.
    fn gather_address(&mut self, place: &Place, frame: FrameId, effects: &mut Effects) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.gather(Part::Expr(pointer), frame, effects),
            PlaceKind::Field(base, _) => self.gather_address(base, frame, effects),
            PlaceKind::Index(base, index) => {
                self.gather_address(base, frame, effects);
                self.gather(Part::Expr(index), frame, effects);
            }
            PlaceKind::Literal(_, initializer) => {
                self.gather(Part::Initializer(initializer), frame, effects);
            }
            PlaceKind::Temporary(value) => self.gather(Part::Expr(value), frame, effects),
        }
    }

    /// What is read or written at a place.
    fn target_of(&self, place: &Place, frame: FrameId) -> Option<Target> {
        let variable = |key| self.points.object(key).map(Target::Variable);
        match &place.kind {
            PlaceKind::Local(local) => variable(ObjectKey::Local(frame, *local)),
            PlaceKind::Global(global) => variable(ObjectKey::Global(*global)),
            PlaceKind::Field(base, number) => {
                let key = match self.program.types.get(base.ty) {
                    Type::Record(record) if self.is_struct(*record) => Some((*record, *number)),
                    _ => None,
                };
                Some(match self.target_of(base, frame)? {
                    Target::Variable(object) | Target::Part(object, _) => Target::Part(object, key),
                    Target::Class(class, _) => Target::Class(class, key),
                })
            }
            PlaceKind::Index(base, _) => self.element_of(base, frame),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.target_of(inner, frame),
                Some(Direct::Element { array, .. }) => self.element_of(array, frame),
                None => {
                    let class = self.points.target(frame, site_of_place(place))?;
                    Some(Target::Class(class, None))
                }
            },
            PlaceKind::Literal(..) | PlaceKind::Temporary(_) => None,
        }
    }

    fn element_of(&self, array: &Place, frame: FrameId) -> Option<Target> {
        Some(match self.target_of(array, frame)? {
            Target::Variable(object) => Target::Part(object, None),
            other => other,
        })
    }

    fn is_struct(&self, record: RecordId) -> bool {
        self.program.types.record(record).kind == RecordKind::Struct
    }

    /// Adds what a called function does, as effects of a call.
    fn call_effects(&mut self, call: &Expr, callee: &Callee, frame: FrameId, effects: &mut Effects) {
        let functions: Vec<_> = match callee {
            Callee::Function(function) => vec![self.calls.resolve(*function)],
            Callee::Pointer(_) => self.calls.address_taken.iter().copied().collect(),
        };
        for function in functions {
            if let Some(callee) = self.calls.callees.get(&(frame, site_of(call), function)).copied() {
                let summary = self.summary(callee);
                effects.called.reads.extend(summary.called.reads.iter().copied());
                effects.called.writes.extend(summary.called.writes.iter().copied());
            }
        }
        self.builtin_effects(call, callee, frame, effects);
    }

    /// Functions without a body write what their arguments point to; unknown ones also what the world outside can get at.
    fn builtin_effects(&self, call: &Expr, callee: &Callee, frame: FrameId, effects: &mut Effects) {
        let ExprKind::Call(_, args) = &call.kind else { return };
        let Callee::Function(function) = callee else { return };
        if self.program.functions[self.calls.resolve(*function)].body.is_some() {
            return;
        }
        let builtin = self.builtin_of(callee);
        let only_looks = matches!(
            builtin,
            Some(Builtin::Require | Builtin::Separate | Builtin::OpenCalls | Builtin::IsStream)
        );
        if only_looks {
            return;
        }
        let is_known = builtin.is_some();
        if !is_known && self.options.externals == Externals::Svcomp {
            return;
        }
        let mut targets: Vec<Target> = Vec::new();
        let pointed = args.iter().filter_map(|arg| self.points.target(frame, site_of(arg)));
        targets.extend(pointed.map(|class| Target::Class(class, None)));
        if !is_known {
            targets.extend(self.points.outside().map(|class| Target::Class(class, None)));
            let named = self.points.named().iter().map(|global| ObjectKey::Global(*global));
            targets.extend(named.filter_map(|key| self.points.object(key)).map(Target::Variable));
        }
        effects.called.reads.extend(targets.iter().copied());
        effects.called.writes.extend(targets);
    }

    /// Finds out what procedures do, which depends on each other.
    pub(super) fn summarize_procedures(&mut self) {
        let procedures: Vec<FrameId> = self.calls.procedures.values().copied().collect();
        let mut known: FxHashMap<FrameId, Rc<Effects>> =
            procedures.iter().map(|frame| (*frame, Rc::default())).collect();
        loop {
            let mut is_stable = true;
            for frame in &procedures {
                // What is known of other copies may depend on what was known of procedures before.
                self.summaries = known.clone();
                let summary = self.gather_summary(*frame);
                is_stable &= summary.called.len() == known[frame].called.len();
                known.insert(*frame, summary);
            }
            if is_stable {
                self.summaries = known;
                return;
            }
        }
    }

    /// All that a copy of a function does to what is not its own.
    fn summary(&mut self, frame: FrameId) -> Rc<Effects> {
        if let Some(known) = self.summaries.get(&frame) {
            return known.clone();
        }
        // A function that is pending does nothing more by itself than is found elsewhere.
        self.summaries.insert(frame, Rc::default());
        let summary = self.gather_summary(frame);
        self.summaries.insert(frame, summary.clone());
        summary
    }

    fn gather_summary(&mut self, frame: FrameId) -> Rc<Effects> {
        let mut effects = Effects::default();
        let program = self.program;
        let body: &[Stmt] =
            program.functions[self.calls.frames[frame].function].body.as_deref().unwrap_or_default();
        for stmt in body {
            self.gather(Part::Stmt(stmt), frame, &mut effects);
        }
        let is_outside = |target: &Target| match target.object() {
            Some(object) => {
                !matches!(self.points.objects[object].key, ObjectKey::Local(owner, _) if owner == frame)
            }
            None => true,
        };
        let Effects { own, mut called } = effects;
        called.reads.extend(own.reads.into_iter().filter(is_outside));
        called.writes.extend(own.writes.into_iter().filter(is_outside));
        Rc::new(Effects { own: Uses::default(), called })
    }
}
