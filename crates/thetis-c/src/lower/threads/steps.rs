//! The control flow of threads in single steps.
//!
//! An edge of the translation has several statements. Here it becomes a chain of *steps* with at most one access to a
//! shared object each, so that threads can interleave between any two of them. Nodes are the locations of the
//! translation and the places between steps of one edge.
//!
//! A statement after an access that is an assumption starts a new step, since the access has happened even if the thread does
//! not get past the assumption.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Span, define_index_type};
use thetis_expr::{Store, VarId};
use thetis_model::cfa::{Cfa, EdgeId, LocId, Stmt, StmtKind};

use super::super::graph::Finished;
use super::super::origin::{Decision, Event, FrameId, VarOrigin};
use super::{SyncId, ThreadId};

define_index_type! {
    /// A place of control in a thread.
    pub(super) struct Node = u32;
}

/// A step of a thread.
pub(super) struct Step {
    pub(super) target: Node,
    pub(super) stmts: Vec<Stmt>,
    pub(super) span: Option<Span>,
    pub(super) event: Event,
    pub(super) decision: Option<Decision>,
    pub(super) sync: Option<SyncId>,
    /// The copies of functions that control is in before and after it.
    pub(super) frames: [FrameId; 2],
}

/// The control flow of all threads.
pub(super) struct Steps {
    pub(super) outgoing: IndexVec<Node, Vec<Step>>,
    /// Where the nodes are in the source.
    pub(super) spans: IndexVec<Node, Option<Span>>,
    pub(super) frames: IndexVec<Node, FrameId>,
    /// The variables that several threads access, of which at least one writes them.
    pub(super) shared: BTreeSet<VarId>,
}

/// The node of a location.
pub(super) fn node_of(location: LocId) -> Node {
    Node::new(location.index())
}

/// A place where several shared objects are accessed at once, which the translation should have split.
pub(super) struct Unsplit(pub(super) Option<Span>);

impl Steps {
    pub(super) fn of(
        finished: &Finished,
        store: &Store,
        origins: &BTreeMap<VarId, VarOrigin>,
        entries: &[LocId],
    ) -> Result<Steps, Unsplit> {
        let cfa = &finished.cfa;
        let outgoing = outgoing(cfa);
        let shared = shared(cfa, store, &outgoing, entries);
        let mut steps = Steps {
            outgoing: cfa.locations.iter().map(|_| Vec::new()).collect(),
            spans: cfa.locations.iter().map(|location| location.span).collect(),
            frames: finished.frames.iter().copied().collect(),
            shared,
        };
        let is_internal =
            |var: &VarId| matches!(origins.get(var), Some(VarOrigin::Heap | VarOrigin::Undefined(_)));
        for (id, edge) in cfa.edges.indices().zip(cfa.edges.iter()) {
            let groups = steps.groups(store, &edge.stmt, &is_internal)?;
            steps.chain(finished, id, groups);
        }
        Ok(steps)
    }

    /// The statements of an edge, step by step.
    fn groups(
        &self,
        store: &Store,
        stmt: &Stmt,
        is_internal: &dyn Fn(&VarId) -> bool,
    ) -> Result<Vec<Vec<Stmt>>, Unsplit> {
        let mut flat = Vec::new();
        flatten(stmt, &mut flat);
        let mut groups: Vec<Vec<Stmt>> = vec![Vec::new()];
        let (mut has_access, mut is_bookkeeping) = (false, true);
        for stmt in flat {
            let (reads, writes) = accesses(store, stmt);
            let vars: BTreeSet<VarId> =
                reads.union(&writes).copied().filter(|var| self.shared.contains(var)).collect();
            let is_own = vars.iter().all(is_internal);
            if vars.iter().filter(|var| !is_internal(var)).count() > 1 {
                return Err(Unsplit(stmt.span));
            }
            let is_access = !vars.is_empty();
            let splits = is_access && !(is_own && is_bookkeeping) || matches!(stmt.kind, StmtKind::Assume(_));
            if has_access && splits {
                groups.push(Vec::new());
                (has_access, is_bookkeeping) = (false, true);
            }
            has_access |= is_access;
            is_bookkeeping &= is_own;
            groups.last_mut().expect("there should be a group").push(stmt.clone());
        }
        Ok(groups)
    }

    /// Adds the steps of an edge. The last step carries its event.
    fn chain(&mut self, finished: &Finished, id: EdgeId, groups: Vec<Vec<Stmt>>) {
        let edge = &finished.cfa.edges[id];
        let frames = [edge.source, edge.target].map(|end| finished.frames[end]);
        let mut at = node_of(edge.source);
        let last = groups.len() - 1;
        for (number, stmts) in groups.into_iter().enumerate() {
            let target = if number == last { node_of(edge.target) } else { self.between(frames[0]) };
            let event = match &finished.events[id] {
                Event::Assume => Event::Assume,
                event if number == last => event.clone(),
                _ => Event::Silent,
            };
            let decision = finished.decisions.get(&id).filter(|_| number == last).cloned();
            let sync = finished.syncs.get(&id).copied();
            self.outgoing[at].push(Step { target, stmts, span: edge.span, event, decision, sync, frames });
            at = target;
        }
    }

    fn between(&mut self, frame: FrameId) -> Node {
        self.spans.push(None);
        self.frames.push(frame);
        self.outgoing.push(Vec::new())
    }
}

fn flatten<'a>(stmt: &'a Stmt, flat: &mut Vec<&'a Stmt>) {
    match &stmt.kind {
        StmtKind::Seq(stmts) => stmts.iter().for_each(|stmt| flatten(stmt, flat)),
        _ => flat.push(stmt),
    }
}

/// The variables that a statement reads and writes.
pub(super) fn accesses(store: &Store, stmt: &Stmt) -> (BTreeSet<VarId>, BTreeSet<VarId>) {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    for stmt in stmt.walk() {
        match &stmt.kind {
            StmtKind::Assign(var, term) => {
                writes.insert(*var);
                reads.extend(store.vars_of([*term]));
            }
            StmtKind::Assume(term) => reads.extend(store.vars_of([*term])),
            StmtKind::Havoc(var) => drop(writes.insert(*var)),
            StmtKind::Seq(_) | StmtKind::Choice(_) => {}
        }
    }
    (reads, writes)
}

fn outgoing(cfa: &Cfa) -> IndexVec<LocId, Vec<EdgeId>> {
    let mut outgoing: IndexVec<LocId, Vec<EdgeId>> = cfa.locations.iter().map(|_| Vec::new()).collect();
    for (id, edge) in cfa.edges.indices().zip(cfa.edges.iter()) {
        outgoing[edge.source].push(id);
    }
    outgoing
}

/// The variables that several threads access, of which at least one writes them.
fn shared(
    cfa: &Cfa,
    store: &Store,
    outgoing: &IndexVec<LocId, Vec<EdgeId>>,
    entries: &[LocId],
) -> BTreeSet<VarId> {
    let mut accessed: BTreeMap<VarId, (BTreeSet<ThreadId>, bool)> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        let thread = ThreadId::new(number);
        let mut seen = BTreeSet::from([*entry]);
        let mut pending = vec![*entry];
        while let Some(location) = pending.pop() {
            for edge in &outgoing[location] {
                let edge = &cfa.edges[*edge];
                let (reads, writes) = accesses(store, &edge.stmt);
                for (var, is_write) in
                    reads.iter().map(|var| (var, false)).chain(writes.iter().map(|var| (var, true)))
                {
                    let (threads, is_written) = accessed.entry(*var).or_default();
                    threads.insert(thread);
                    *is_written |= is_write;
                }
                if seen.insert(edge.target) {
                    pending.push(edge.target);
                }
            }
        }
    }
    let is_shared = |(threads, is_written): &(BTreeSet<ThreadId>, bool)| *is_written && threads.len() > 1;
    accessed.into_iter().filter(|(_, found)| is_shared(found)).map(|(var, _)| var).collect()
}
