//! Statements.

use thetis_base::Span;
use thetis_expr::ExprId;

use super::layout::leaf_paths;
use super::lowering::Lowering;
use super::options::Property;
use super::origin::{Choice, Claim, Decision, Event, PointKind, ViolationKind};
use super::points_to::ObjectKey;
use super::safety::End;
use super::scalar::{Integer, Scalar, address_width};
use super::spot::Spot;
use super::storage::{Home, Storage, StorageId};
use super::walk::{Site, mentions, site_of_stmt};
use crate::hir::{CompareOp, Expr, Initializer, LabelId, LocalId, Stmt, StmtKind, TypeId};
use thetis_model::cfa::{LocId, StmtKind as Edge};

/// Objects in memory with more scalars than this are new objects whenever they are declared again.
pub(super) const MAX_SCRAMBLED: usize = 16;

/// Whether a declared variable is uninitialised at first, so that its own initialiser may read it.
pub(super) fn has_no_value(local: LocalId, initializer: Option<&Initializer>) -> bool {
    initializer.is_none_or(|initializer| mentions(initializer, local))
}

impl<'h> Lowering<'h> {
    /// Appends a statement.
    pub(super) fn stmt(&mut self, stmt: &'h Stmt) {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.stmt_inside(stmt));
    }

    fn stmt_inside(&mut self, stmt: &'h Stmt) {
        if !matches!(stmt.kind, StmtKind::Claim(..)) {
            self.out.note(stmt.span, PointKind::Start);
        }
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                self.effect(expr);
                self.out.flush();
            }
            StmtKind::Declare(local, initializer) => {
                self.declare(*local, initializer.as_ref(), stmt.span);
                self.out.flush();
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If { condition, then, otherwise } => self.choose(
                condition,
                |lowering| lowering.stmt(then),
                |lowering| {
                    if let Some(otherwise) = otherwise {
                        lowering.stmt(otherwise);
                    }
                },
                stmt.span,
            ),
            StmtKind::While { condition, body } => self.repeat(Some(condition), None, body, stmt.span),
            StmtKind::For { init, condition, step, body } => {
                init.iter().for_each(|stmt| self.stmt(stmt));
                self.repeat(condition.as_ref(), step.as_ref(), body, stmt.span);
            }
            StmtKind::DoWhile { body, condition } => self.repeat_after(body, condition, stmt.span),
            StmtKind::Switch { value, body } => self.switch(value, body, stmt.span),
            StmtKind::Case { body, .. } | StmtKind::Default(body) => {
                if let Some(location) = self.scope.cases.get(&site_of_stmt(stmt)).copied() {
                    self.out.go(location);
                    self.out.graph.continue_at(location);
                }
                self.arrive_at_label(stmt);
                self.stmt(body);
            }
            StmtKind::Label(label, body) => {
                self.label(*label, stmt.span);
                self.arrive_at_label(stmt);
                self.stmt(body);
            }
            StmtKind::Goto(label) => {
                let location = self.label_location(*label, stmt.span);
                self.out.go(location);
            }
            StmtKind::Break => self.jump(self.scope.breaks.last().copied(), stmt.span),
            StmtKind::Continue => self.jump(self.scope.continues.last().copied(), stmt.span),
            StmtKind::Return(value) => self.return_value(value.as_ref(), stmt.span),
            StmtKind::AcslAssert(condition) => self.acsl_assert(condition, stmt.span),
            StmtKind::Claim(number, formula) => self.claim(*number, formula, stmt.span),
            StmtKind::Unsupported(reason) => self.out.limit(stmt.span, reason.as_str()),
        }
        self.end_lifetimes(stmt);
    }

    fn jump(&mut self, target: Option<LocId>, span: Span) {
        match target {
            Some(target) => self.out.go(target),
            None => self.out.limit(span, "a jump has no target"),
        }
    }

    fn label(&mut self, label: LabelId, span: Span) {
        let location = self.label_location(label, span);
        self.out.go(location);
        self.out.graph.continue_at(location);
        let function = &self.program.functions[self.calls.frames[self.out.frame].function];
        if matches!(&self.options.property, Property::Label(name) if *name == function.labels[label]) {
            self.out.violate(span, ViolationKind::Label);
        }
    }

    fn label_location(&mut self, label: LabelId, span: Span) -> LocId {
        if let Some(location) = self.scope.labels.get(&label) {
            return *location;
        }
        let location = self.out.location(span);
        self.out.graph.expect(location);
        self.scope.labels.insert(label, location);
        location
    }

    fn acsl_assert(&mut self, condition: &'h Expr, span: Span) {
        if self.options.property == Property::AcslAssert {
            let condition = self.condition(condition);
            self.out.forbid(self.store().not(condition), span, ViolationKind::Assertion);
        }
    }

    /// Notes a claim of a witness. One whose evaluation has effects (a division that may be undefined, a call) has no
    /// formula.
    fn claim(&mut self, number: u32, formula: &'h Expr, span: Span) {
        self.out.flush();
        let location = self.out.here();
        let num_edges = self.out.graph.num_edges();
        let is_pure = self.is_pure(formula);
        let formula = self.condition(formula);
        let is_plain =
            is_pure && self.out.graph.settled() == Some(location) && self.out.graph.num_edges() == num_edges;
        if self.out.graph.is_live() {
            let formula = is_plain.then_some(formula);
            self.out.claims.push(Claim { number, location, frame: self.out.frame, formula });
        }
        // A new location follows, because the loop head is distinct from the location before the loop.
        self.out.graph.tell(self.out.frame, span, Event::Silent);
    }

    /// `while` and `for`.
    fn repeat(&mut self, condition: Option<&'h Expr>, step: Option<&'h Expr>, body: &'h Stmt, span: Span) {
        let (head, inside, next, after) = (
            self.out.location(span),
            self.out.location(body.span),
            self.out.location(span),
            self.out.location(span),
        );
        self.out.go(head);
        self.out.graph.expect(head);
        self.out.graph.continue_at(head);
        self.out.note(span, PointKind::LoopHead);
        self.check_round(span);
        let num_edges = self.out.graph.num_edges();
        match condition {
            Some(condition) => self.branch(condition, inside, after),
            None => self.out.go(inside),
        }
        self.out.note_choice(num_edges, span, [inside, after]);
        self.out.graph.continue_at(inside);
        self.loop_body(body, after, next);
        self.out.go(next);
        self.out.graph.continue_at(next);
        self.end_lifetimes(body);
        if let Some(step) = step {
            self.effect(step);
            self.out.flush();
        }
        self.out.go(head);
        self.out.graph.continue_at(after);
    }

    fn repeat_after(&mut self, body: &'h Stmt, condition: &'h Expr, span: Span) {
        let (head, next, after) =
            (self.out.location(span), self.out.location(condition.span), self.out.location(span));
        self.out.go(head);
        self.out.graph.expect(head);
        self.out.graph.continue_at(head);
        self.loop_body(body, after, next);
        self.out.go(next);
        self.out.graph.continue_at(next);
        self.out.note(span, PointKind::LoopHead);
        self.end_lifetimes(body);
        self.check_round(span);
        let num_edges = self.out.graph.num_edges();
        self.branch(condition, head, after);
        self.out.note_choice(num_edges, span, [head, after]);
        self.out.graph.continue_at(after);
    }

    fn loop_body(&mut self, body: &'h Stmt, after: LocId, next: LocId) {
        self.scope.breaks.push(after);
        self.scope.continues.push(next);
        self.stmt(body);
        self.scope.breaks.pop();
        self.scope.continues.pop();
    }

    fn switch(&mut self, value: &'h Expr, body: &'h Stmt, span: Span) {
        let store = self.store();
        let scalar = self.scalar(value.ty).unwrap_or(Scalar::Pointer);
        let integer = scalar.integer();
        let term = self.value(value);
        self.check_number_alone(value, scalar, term, span);
        let source = self.out.here();
        let after = self.out.location(span);
        let (mut remaining, mut default) = (store.tru(), after);
        for case in cases(body) {
            let location = self.out.location(case.span);
            self.scope.cases.insert(case.site, location);
            let (Some((case_low, case_high)), Some(integer)) = (case.range, integer) else {
                default = location;
                continue;
            };
            let [low, high] = [case_low, case_high].map(|bound| self.arith.integer(integer, bound));
            let matches = match low == high {
                true => self.arith.compare(CompareOp::Eq, scalar, term, low),
                false => store.and(
                    self.arith.compare(CompareOp::Le, scalar, low, term),
                    self.arith.compare(CompareOp::Le, scalar, term, high),
                ),
            };
            let num_edges = self.out.graph.num_edges();
            self.out.graph.guard(source, location, matches, case.span, Event::Switch);
            let choice = Choice::Case(case_low.clone(), case_high.clone());
            self.out.graph.decide(num_edges, location, &Decision { span, choice });
            remaining = store.and_all([remaining, store.not(matches)]);
        }
        let num_edges = self.out.graph.num_edges();
        self.out.graph.guard(source, default, remaining, span, Event::Switch);
        self.out.graph.decide(num_edges, default, &Decision { span, choice: Choice::Default });
        self.out.graph.die(self.out.frame);
        self.scope.breaks.push(after);
        self.stmt(body);
        self.scope.breaks.pop();
        self.out.go(after);
        self.out.graph.continue_at(after);
    }

    fn return_value(&mut self, value: Option<&'h Expr>, span: Span) {
        let result = ObjectKey::Result(self.out.frame);
        if let Some(value) = value {
            match self.scalar(value.ty) {
                Some(scalar) => {
                    let term = self.value(value);
                    let spot = self.spot_of(result, value.ty);
                    self.write(spot, scalar, term, span, Event::Assign);
                }
                None if self.size_is_known(value.ty) => {
                    let source = self.record(value);
                    let spot = self.spot_of(result, value.ty);
                    self.copy(spot, source, value.ty, span, &Event::Assign);
                }
                None => self.effect(value),
            }
        }
        self.leave(span);
    }

    fn size_is_known(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), crate::hir::Type::Record(_))
    }

    /// Leaves the function.
    pub(super) fn leave(&mut self, span: Span) {
        match self.scope.return_to {
            Some(location) => {
                let frame = self.out.frame;
                self.out.graph.tell(self.out.frame, span, Event::Return(frame));
                self.out.go(location);
            }
            None => self.finish_program(End::Return, span),
        }
    }

    fn declare(&mut self, local: LocalId, initializer: Option<&'h Initializer>, span: Span) {
        let ty = self.program.functions[self.calls.frames[self.out.frame].function].locals[local].ty;
        let key = ObjectKey::Local(self.out.frame, local);
        self.renew(key, ty, span);
        if has_no_value(local, initializer) {
            self.take_value(key, ty, span);
        }
        if let Some(initializer) = initializer {
            let spot = self.spot_of(key, ty);
            self.initialize(spot, ty, initializer, span);
        }
        self.begin_lifetime(key, span);
    }

    /// A declared variable is uninitialised at first.
    fn take_value(&mut self, key: ObjectKey, ty: TypeId, span: Span) {
        match self.objects.home(key, ty) {
            Home::Variables(storage) => self.scramble_storage(storage, span),
            Home::Memory { .. } => {
                // A larger object has a new address.
                if leaf_paths(&self.program.types, ty, MAX_SCRAMBLED).is_some() {
                    let spot = self.spot_of(key, ty);
                    self.scramble(spot, ty, span);
                }
            }
        }
        self.forget_value(key, ty, span);
    }

    /// Whether control may come here again before the function returns.
    pub(super) fn may_repeat_in_function(&self) -> bool {
        !self.scope.continues.is_empty() || self.scope.may_jump_back
    }

    /// Makes all scalars of an object arbitrary.
    pub(super) fn scramble(&mut self, spot: Spot, ty: TypeId, span: Span) {
        if let Spot::Part { storage, index: None, .. } = spot {
            self.scramble_storage(storage, span);
            return self.set_all(storage, true, span);
        }
        let Some(paths) = leaf_paths(&self.program.types, ty, MAX_SCRAMBLED) else {
            return self.out.limit(span, "a large object becomes arbitrary");
        };
        for path in paths {
            let Some(scalar) = self.scalar(path.ty) else { continue };
            let part = self.part(spot, ty, &path.steps).0;
            let value = self.arbitrary_bytes(scalar, span);
            self.write(part, (scalar, path.bits), value, span, Event::Assign);
        }
    }

    /// Arbitrary bytes as a scalar: a pointer is then any address.
    fn arbitrary_bytes(&mut self, scalar: Scalar, span: Span) -> ExprId {
        if scalar != Scalar::Pointer {
            return self.arbitrary(scalar, span);
        }
        let address = Scalar::Int(Integer::unsigned(address_width(self.program.types.model())));
        let number = self.arbitrary(address, span);
        self.arith.convert(address, Scalar::Pointer, number).term
    }

    fn scramble_storage(&mut self, storage: StorageId, span: Span) {
        let mut pending = vec![storage];
        while let Some(storage) = pending.pop() {
            match self.objects.storages.parts[storage].clone() {
                Storage::Scalar { var, is_array: true, .. } => {
                    self.out.emit(Edge::Havoc(var), span, Event::Assign);
                }
                Storage::Scalar { var, scalar, .. } => self.havoc(var, scalar, span, Event::Assign),
                Storage::Record(parts) | Storage::List(parts) => pending.extend(parts.into_iter().rev()),
                Storage::Shared(part) | Storage::Array(part) => pending.push(part),
                Storage::Nothing => {}
            }
        }
    }

    /// Lets control continue only if a formula holds.
    pub(super) fn assume(&mut self, condition: ExprId, span: Span) {
        self.out.flush();
        self.out.emit(Edge::Assume(condition), span, Event::Assume);
        self.out.flush();
    }
}

/// A label of a `switch`.
struct Case<'h> {
    site: Site,
    span: Span,
    /// The values, unless it is `default`.
    range: Option<(&'h num_bigint::BigInt, &'h num_bigint::BigInt)>,
}

/// The labels of a `switch`, without those of others inside.
fn cases(body: &Stmt) -> Vec<Case<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![body];
    while let Some(stmt) = pending.pop() {
        let (site, span) = (site_of_stmt(stmt), stmt.span);
        match &stmt.kind {
            StmtKind::Case { low, high, body } => {
                found.push(Case { site, span, range: Some((low, high)) });
                pending.push(body);
            }
            StmtKind::Default(body) => {
                found.push(Case { site, span, range: None });
                pending.push(body);
            }
            StmtKind::Block(stmts) => pending.extend(stmts.iter().rev()),
            StmtKind::If { then, otherwise, .. } => {
                pending.extend(otherwise.iter().map(|otherwise| &**otherwise));
                pending.push(then);
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Label(_, body) => pending.push(body),
            StmtKind::Expr(_)
            | StmtKind::Declare(..)
            | StmtKind::Switch { .. }
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::AcslAssert(_)
            | StmtKind::Claim(..)
            | StmtKind::Unsupported(_) => {}
        }
    }
    found
}
