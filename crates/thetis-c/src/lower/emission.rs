//! The output of a translation: the automaton up to the cursor, and the origins of its parts.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::{LocId, StmtKind};

use super::assumption::AssumptionKind;
use super::graph::Graph;
use super::origin::{
    Asked, Choice, Claim, Decision, Event, FrameId, Point, PointKind, Violation, ViolationKind,
};

/// The automaton that is being written for one copy of a function after the other.
pub(super) struct Emission<'h> {
    store: &'h Store,
    pub(super) graph: Graph,
    /// The copy of a function that new locations belong to.
    pub(super) frame: FrameId,
    /// Where runs start.
    pub(super) initial: LocId,
    /// Where the program ends.
    pub(super) end: LocId,
    pub(super) noted: Vec<Point>,
    pub(super) claims: Vec<Claim>,
    pub(super) limits: Vec<(LocId, Span, String)>,
    pub(super) violations: Vec<Violation>,
    pub(super) assumptions: BTreeMap<(AssumptionKind, String), Span>,
    /// The places that the property is about, also those that certainly satisfy it.
    pub(super) asked: Asked,
}

impl<'h> Emission<'h> {
    /// An automaton with an initial location, an end and the entry of the function at `span`, where the cursor is.
    pub(super) fn new(store: &'h Store, frame: FrameId, span: Span) -> (Emission<'h>, LocId) {
        let mut graph = Graph::new(frame);
        let initial = graph.here(frame);
        let end = graph.location(frame, Some(span));
        let entry = graph.location(frame, Some(span));
        graph.expect(entry);
        graph.continue_at(entry);
        let emission = Emission {
            store,
            graph,
            frame,
            initial,
            end,
            noted: Vec::new(),
            claims: Vec::new(),
            limits: Vec::new(),
            violations: Vec::new(),
            assumptions: BTreeMap::new(),
            asked: Asked::default(),
        };
        (emission, entry)
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

    /// Records that control is at a source position.
    pub(super) fn note(&mut self, span: Span, kind: PointKind) {
        let frame = self.frame;
        self.noted.extend(self.graph.settled().map(|location| Point { location, frame, span, kind }));
    }

    /// Records which of two locations a statement chooses on the edges added since edge `first`.
    pub(super) fn note_choice(&mut self, first: usize, span: Span, [then, otherwise]: [LocId; 2]) {
        for (target, is_true) in [(then, true), (otherwise, false)] {
            let choice = Choice::Condition(is_true);
            self.graph.decide(first, target, &Decision { span, choice });
        }
    }

    /// The model of the program ends here: a limit.
    pub(super) fn limit(&mut self, span: Span, reason: impl Into<String>) {
        let location = self.location(span);
        if self.graph.is_live() {
            self.limits.push((location, span, reason.into()));
        }
        self.go(location);
    }

    /// The property is violated here.
    pub(super) fn violate(&mut self, span: Span, kind: ViolationKind) {
        self.asked.add(span, kind);
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
        self.asked.add(span, kind);
        if condition == self.store.fals() {
            return;
        }
        let source = self.here();
        let (error, next) = (self.violation(span, kind), self.location(span));
        self.graph.guard(source, error, condition, span, Event::Check { is_violated: true });
        self.graph.guard(source, next, self.store.not(condition), span, Event::Check { is_violated: false });
        self.graph.continue_at(next);
    }

    /// Records an assumption, which the verdict names.
    pub(super) fn assume_silently(&mut self, kind: AssumptionKind, text: impl Into<String>, span: Span) {
        if self.graph.is_live() {
            self.assumptions.entry((kind, text.into())).or_insert(span);
        }
    }
}
