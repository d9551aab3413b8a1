//! The automaton under construction: locations and edges.
//!
//! Everything is appended at one place, the *cursor*. Consecutive statements without a branch that belong to one event
//! become one edge. If control continues at an existing location and nothing is pending, no edge is added: the cursor's
//! location becomes an alias of that location.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Span, tick};
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::cfa::{Cfa, CfaBuilder, EdgeId, LocId, Stmt, StmtKind, ValidationError};

use super::origin::{Decision, Event, FrameId};
use super::threads::SyncId;

/// The automaton under construction.
pub(super) struct Graph {
    locations: IndexVec<LocId, Place>,
    edges: Vec<Draft>,
    cursor: LocId,
    pending: Vec<Stmt>,
    event: Event,
    span: Option<Span>,
}

#[derive(Clone, Debug)]
struct Place {
    frame: FrameId,
    span: Option<Span>,
    /// The location that this one is an alias of.
    same_as: Option<LocId>,
    /// Whether something may lead here.
    is_live: bool,
}

#[derive(Clone, Debug)]
struct Draft {
    source: LocId,
    target: LocId,
    stmt: Stmt,
    span: Option<Span>,
    event: Event,
    decision: Option<Decision>,
    sync: Option<SyncId>,
}

/// The finished automaton.
pub(super) struct Finished {
    pub(super) cfa: Cfa,
    pub(super) frames: IndexVec<LocId, FrameId>,
    pub(super) events: IndexVec<EdgeId, Event>,
    pub(super) decisions: BTreeMap<EdgeId, Decision>,
    /// Where threads synchronise.
    pub(super) syncs: BTreeMap<EdgeId, SyncId>,
    /// The new number of each location that can be reached.
    pub(super) renumbered: IndexVec<LocId, Option<LocId>>,
}

impl Graph {
    /// An automaton with a cursor at a first location.
    pub(super) fn new(frame: FrameId) -> Graph {
        let mut locations = IndexVec::new();
        let cursor = locations.push(Place { frame, span: None, same_as: None, is_live: true });
        let (edges, pending) = (Vec::new(), Vec::new());
        Graph { locations, edges, cursor, pending, event: Event::Silent, span: None }
    }

    /// How many edges there are.
    pub(super) fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// The location of the cursor, after flushing pending statements.
    pub(super) fn here(&mut self, frame: FrameId) -> LocId {
        self.flush(frame);
        self.cursor
    }

    /// The location of the cursor, if nothing is pending.
    pub(super) fn settled(&self) -> Option<LocId> {
        self.pending.is_empty().then_some(self.cursor)
    }

    /// Records what the edges to `target` added since edge `first` decide.
    pub(super) fn decide(&mut self, first: usize, target: LocId, decision: &Decision) {
        for edge in self.edges[first..].iter_mut().filter(|edge| edge.target == target) {
            edge.decision = Some(decision.clone());
        }
    }

    /// Whether what is appended can happen at all.
    pub(super) fn is_live(&self) -> bool {
        self.locations[self.cursor].is_live
    }

    /// A new location that nothing leads to yet.
    pub(super) fn location(&mut self, frame: FrameId, span: Option<Span>) -> LocId {
        self.locations.push(Place { frame, span, same_as: None, is_live: false })
    }

    /// The copy of a function that a location belongs to.
    pub(super) fn frame_of(&self, location: LocId) -> FrameId {
        self.locations[location].frame
    }

    /// Marks a location as reachable.
    pub(super) fn expect(&mut self, location: LocId) {
        self.locations[location].is_live = true;
    }

    /// Appends a statement.
    pub(super) fn push(&mut self, frame: FrameId, kind: StmtKind, span: Span, event: Event) {
        tick();
        let is_same = self.event == event || self.event == Event::Silent || event == Event::Silent;
        if !self.pending.is_empty() && !is_same {
            self.flush(frame);
        }
        if event != Event::Silent || self.pending.is_empty() {
            self.event = event;
        }
        self.span = Some(
            self.span.map_or(span, |known| if known.file == span.file { known.to(span) } else { known }),
        );
        self.pending.push(Stmt::at(kind, span));
    }

    /// Turns the pending statements into an edge.
    pub(super) fn flush(&mut self, frame: FrameId) {
        if !self.pending.is_empty() {
            let target = self.location(frame, None);
            self.flush_to(target);
            self.cursor = target;
        }
    }

    fn flush_to(&mut self, target: LocId) {
        let mut pending = std::mem::take(&mut self.pending);
        let span = self.span.take();
        let stmt = match pending.len() {
            1 => pending.remove(0),
            _ => Stmt { kind: StmtKind::Seq(pending), span },
        };
        let event = std::mem::replace(&mut self.event, Event::Silent);
        self.edge(self.cursor, target, stmt, span, event);
    }

    fn edge(&mut self, source: LocId, target: LocId, stmt: Stmt, span: Option<Span>, event: Event) {
        self.locations[target].is_live |= self.locations[source].is_live;
        self.edges.push(Draft { source, target, stmt, span, event, decision: None, sync: None });
    }

    /// Appends an edge without statements, for its event.
    pub(super) fn tell(&mut self, frame: FrameId, span: Span, event: Event) {
        self.flush(frame);
        let target = self.location(frame, Some(span));
        self.edge(self.cursor, target, Stmt::at(StmtKind::Seq(Vec::new()), span), Some(span), event);
        self.cursor = target;
    }

    /// Appends an edge on which threads synchronise.
    pub(super) fn synchronise(&mut self, frame: FrameId, span: Span, sync: SyncId) {
        self.tell(frame, span, Event::Silent);
        self.edges.last_mut().expect("an edge should have been added").sync = Some(sync);
    }

    /// Adds an edge with a condition from a location, without moving the cursor.
    pub(super) fn guard(
        &mut self,
        source: LocId,
        target: LocId,
        condition: ExprId,
        span: Span,
        event: Event,
    ) {
        let stmt = Stmt::at(StmtKind::Assume(condition), span);
        self.edge(source, target, stmt, Some(span), event);
    }

    /// Makes control continue at a location. The cursor is dead afterwards.
    pub(super) fn go(&mut self, frame: FrameId, target: LocId) {
        if !self.pending.is_empty() {
            self.flush_to(target);
        } else {
            let (from, to) = (self.root(self.cursor), self.root(target));
            if from == to {
                self.edge(from, to, Stmt::skip(), None, Event::Silent);
            } else if self.locations[self.cursor].is_live {
                self.locations[to].is_live = true;
                self.locations[target].is_live = true;
                self.locations[from].same_as = Some(to);
            }
        }
        self.die(frame);
    }

    /// Moves the cursor to where nothing leads.
    pub(super) fn die(&mut self, frame: FrameId) {
        self.pending.clear();
        self.span = None;
        self.event = Event::Silent;
        self.cursor = self.location(frame, None);
    }

    /// Moves the cursor to a location; what was pending must have been flushed.
    pub(super) fn continue_at(&mut self, location: LocId) {
        assert!(self.pending.is_empty(), "nothing should be pending when the cursor jumps");
        self.cursor = location;
    }

    fn root(&self, mut location: LocId) -> LocId {
        while let Some(next) = self.locations[location].same_as {
            location = next;
        }
        location
    }

    /// The automaton of what can be reached from the initial location and from other starts.
    pub(super) fn finish(
        self,
        store: &Store,
        name: &str,
        vars: Vec<VarId>,
        marks: Marks<'_>,
    ) -> Result<Finished, ValidationError> {
        let initial = self.root(marks.initial);
        let limits: BTreeSet<LocId> = marks.limits.iter().map(|(limit, _)| self.root(*limit)).collect();
        let mut outgoing = self.outgoing();
        // A location merged with a limit is a limit: nothing is known from there on.
        limits.iter().for_each(|limit| outgoing[*limit].clear());
        let mut renumbered: IndexVec<LocId, Option<LocId>> = self.locations.iter().map(|_| None).collect();
        let mut builder = CfaBuilder::new(name);
        vars.into_iter().for_each(|var| builder.var(var));
        let mut frames = IndexVec::new();
        let mut order = Vec::new();
        let mut pending: Vec<LocId> = marks.starts.iter().rev().map(|start| self.root(*start)).collect();
        pending.push(initial);
        while let Some(location) = pending.pop() {
            if renumbered[location].is_some() {
                continue;
            }
            let place = &self.locations[location];
            renumbered[location] = Some(builder.location(format!("L{}", frames.len()), place.span));
            frames.push(place.frame);
            order.push(location);
            pending.extend(outgoing[location].iter().rev().map(|edge| self.root(self.edges[*edge].target)));
        }
        let (mut events, mut decisions, mut syncs) = (IndexVec::new(), BTreeMap::new(), BTreeMap::new());
        for location in order {
            for edge in &outgoing[location] {
                let edge = &self.edges[*edge];
                let [source, target] = [edge.source, edge.target].map(|end| renumbered[self.root(end)]);
                let (Some(source), Some(target)) = (source, target) else { continue };
                builder.edge(source, target, edge.stmt.clone(), edge.span);
                let id = events.push(edge.event.clone());
                decisions.extend(edge.decision.clone().map(|decision| (id, decision)));
                syncs.extend(edge.sync.map(|sync| (id, sync)));
            }
        }
        for location in self.locations.indices() {
            renumbered[location] = renumbered[self.root(location)];
        }
        builder.initial(renumbered[initial].expect("the initial location should be reached"));
        let errors = marks.errors.iter().filter(|error| !limits.contains(&self.root(**error)));
        errors.filter_map(|error| renumbered[*error]).for_each(|error| builder.error(error));
        for (limit, reason) in marks.limits {
            renumbered[*limit].into_iter().for_each(|limit| builder.limit(limit, reason));
        }
        marks.finals.iter().filter_map(|end| renumbered[*end]).for_each(|end| builder.final_location(end));
        Ok(Finished { cfa: builder.build(store)?, frames, events, decisions, syncs, renumbered })
    }

    fn outgoing(&self) -> IndexVec<LocId, Vec<usize>> {
        let mut outgoing: IndexVec<LocId, Vec<usize>> = self.locations.iter().map(|_| Vec::new()).collect();
        for (number, edge) in self.edges.iter().enumerate() {
            outgoing[self.root(edge.source)].push(number);
        }
        outgoing
    }

    /// The variables that edges mention.
    pub(super) fn mentioned_vars(&self, store: &Store) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        for edge in &self.edges {
            for stmt in edge.stmt.walk() {
                match &stmt.kind {
                    StmtKind::Assign(var, term) => {
                        found.insert(*var);
                        found.extend(store.vars_of([*term]));
                    }
                    StmtKind::Assume(term) => found.extend(store.vars_of([*term])),
                    StmtKind::Havoc(var) => drop(found.insert(*var)),
                    StmtKind::Seq(_) | StmtKind::Choice(_) => {}
                }
            }
        }
        found
    }
}

/// The special locations of an automaton.
pub(super) struct Marks<'a> {
    pub(super) initial: LocId,
    /// Where control may be although no edge leads there.
    pub(super) starts: &'a [LocId],
    pub(super) errors: &'a [LocId],
    pub(super) limits: &'a [(LocId, String)],
    pub(super) finals: &'a [LocId],
}
