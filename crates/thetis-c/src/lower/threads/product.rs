//! One automaton of all threads.
//!
//! A location of the product is a state of control: where each thread is, which thread holds which mutex, which is in
//! an atomic section, and the values of the few variables that determine mutexes and joined threads. So the location
//! determines which threads are blocked, and blocked steps do not exist. States are created as they are reached, with
//! the steps of the threads that the [reduction](super::reduction) chooses. Error locations and limits are those of the
//! threads: a run ends there whatever the others do.
//!
//! A thread that has ended and was waited for, or detached, can be started again: its copies of functions are free.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{IndexVec, Span, tick};
use thetis_expr::{ExprId, Op, Sort, Store, Substitution, VarId};
use thetis_model::cfa::{CfaBuilder, EdgeId, LocId, Stmt, StmtKind};

use super::flow::{Ending, Facts, Flow};
use super::steps::{Node, Step, Steps, Unsplit, node_of};
use super::{Sync, ThreadId, Threads};
use crate::lower::MAX_PRODUCT;
use crate::lower::graph::Finished;
use crate::lower::options::LowerOptions;
use crate::lower::origin::{Event, FrameId, Turn, VarOrigin};

/// Variables with more values than this are no longer tracked.
const MAX_VALUES: usize = 32;

/// Why there is no automaton of all threads.
pub(crate) enum TooManyStates {
    /// It would have more edges than allowed.
    Edges,
    /// A statement accesses several shared objects at once.
    Unsplit(Option<Span>),
}

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pc {
    /// It does not run.
    Idle,
    At(Node),
    /// It has ended but is not yet joined.
    Ended,
}

/// A state of control of all threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    pub(super) pcs: IndexVec<ThreadId, Pc>,
    /// The mutexes that are held, with their holders.
    held: BTreeMap<ExprId, ThreadId>,
    /// The detached threads.
    detached: BTreeSet<ThreadId>,
    /// Which thread is in an atomic section, and the nesting depth.
    pub(super) atomic: Option<(ThreadId, u32)>,
    /// The tracked variables whose values are known.
    values: BTreeMap<VarId, ExprId>,
    /// The elements of tracked arrays whose values are known, by their indices.
    cells: BTreeMap<(VarId, ExprId), ExprId>,
}

impl State {
    pub(super) fn holder(&self, mutex: ExprId) -> Option<ThreadId> {
        self.held.get(&mutex).copied()
    }
}

/// The product of threads.
pub(crate) struct Multiplied {
    pub(crate) finished: Finished,
    pub(crate) turns: IndexVec<EdgeId, Turn>,
}

pub(super) struct Product<'a> {
    pub(super) facts: Facts<'a>,
    pub(super) flow: Flow,
    spread: FxHashMap<VarId, FxHashSet<ExprId>>,
}

/// What can happen to a state: statements that are executed, and where that leads.
struct Move {
    stmts: Vec<Stmt>,
    target: Target,
}

enum Target {
    State(State),
    End(Node),
}

/// Makes one automaton of the threads of a translation.
pub(crate) fn multiply(
    finished: Finished,
    threads: &Threads,
    origins: &BTreeMap<VarId, VarOrigin>,
    store: &Store,
    options: &LowerOptions,
) -> Result<Multiplied, TooManyStates> {
    let place = |location: LocId| finished.renumbered[location];
    let ways: IndexVec<ThreadId, [Option<Node>; 2]> = threads
        .list
        .iter()
        .map(|thread| [thread.entry, thread.exit].map(|at| place(at).map(node_of)))
        .collect();
    let entries: Vec<LocId> = threads.list.iter().filter_map(|thread| place(thread.entry)).collect();
    let steps = Steps::of(&finished, store, origins, &entries)
        .map_err(|Unsplit(span)| TooManyStates::Unsplit(span))?;
    let errors = finished.cfa.errors.iter().map(|error| (node_of(*error), Ending::Error));
    let others = finished.cfa.limits.keys().chain(&finished.cfa.finals);
    let endings = errors.chain(others.map(|end| (node_of(*end), Ending::Other))).collect();
    let limits = threads.syncs.iter().filter_map(Sync::limit);
    let limits = limits.filter_map(|limit| Some((limit, node_of(place(limit)?)))).collect();
    let facts = Facts {
        store,
        steps: &steps,
        threads: &threads.list,
        syncs: &threads.syncs,
        ways: &ways,
        endings: &endings,
        limits: &limits,
        errors_suffice: options.assertion.is_none(),
    };
    let flow = Flow::of(&facts);
    let product = Product { facts, flow, spread: FxHashMap::default() };
    product.explore(&finished, options.max_edges.min(MAX_PRODUCT))
}

/// The automaton as far as it is made.
struct Growing {
    builder: CfaBuilder,
    frames: IndexVec<LocId, FrameId>,
    known: FxHashMap<State, LocId>,
    ends: BTreeMap<Node, LocId>,
    pending: Vec<(State, LocId)>,
    vars: BTreeSet<VarId>,
    events: IndexVec<EdgeId, Event>,
    decisions: BTreeMap<EdgeId, crate::lower::origin::Decision>,
    turns: IndexVec<EdgeId, Turn>,
}

impl Growing {
    fn location(&mut self, span: Option<Span>, frame: FrameId) -> LocId {
        let location = self.builder.location(format!("L{}", self.frames.len()), span);
        self.frames.push(frame);
        location
    }
}

impl Product<'_> {
    fn explore(mut self, finished: &Finished, max_edges: usize) -> Result<Multiplied, TooManyStates> {
        let mut growing = Growing {
            builder: CfaBuilder::new(finished.cfa.name.clone()),
            frames: IndexVec::new(),
            known: FxHashMap::default(),
            ends: BTreeMap::new(),
            pending: Vec::new(),
            vars: BTreeSet::new(),
            events: IndexVec::new(),
            decisions: BTreeMap::new(),
            turns: IndexVec::new(),
        };
        let initial = self.initial(finished);
        let first = self.locate(&mut growing, Target::State(initial), node_of(finished.cfa.initial));
        growing.builder.initial(first);
        while let Some((state, location)) = growing.pending.pop() {
            tick();
            if growing.events.len() > max_edges {
                return Err(TooManyStates::Edges);
            }
            for thread in self.considered(&state) {
                self.follow(&mut growing, &state, location, thread);
            }
        }
        Ok(finish(growing, finished, self.facts.store))
    }

    fn initial(&self, finished: &Finished) -> State {
        let mut pcs: IndexVec<ThreadId, Pc> = self.facts.threads.iter().map(|_| Pc::Idle).collect();
        pcs[ThreadId::new(0)] = Pc::At(node_of(finished.cfa.initial));
        let (held, detached) = (BTreeMap::new(), BTreeSet::new());
        let (values, cells) = (BTreeMap::new(), BTreeMap::new());
        State { pcs, held, detached, atomic: None, values, cells }
    }

    /// Adds the steps of a thread from a state.
    fn follow(&mut self, growing: &mut Growing, state: &State, location: LocId, thread: ThreadId) {
        let Pc::At(node) = state.pcs[thread] else { return };
        let steps = self.facts.steps;
        for step in &steps.outgoing[node] {
            for Move { stmts, target } in self.moves(state, thread, step) {
                let target = self.locate(growing, target, step.target);
                for stmt in &stmts {
                    let (reads, writes) = super::steps::accesses(self.facts.store, stmt);
                    growing.vars.extend(reads.into_iter().chain(writes));
                }
                let stmt = Stmt { kind: StmtKind::Seq(stmts), span: step.span };
                let edge = growing.builder.edge(location, target, stmt, step.span);
                growing.events.push(step.event.clone());
                growing.decisions.extend(step.decision.clone().map(|decision| (edge, decision)));
                growing.turns.push(Turn { thread: thread.index(), frames: step.frames });
            }
        }
    }

    /// The location of a state that is reached by a step to a node.
    fn locate(&mut self, growing: &mut Growing, target: Target, node: Node) -> LocId {
        let (span, frame) = (self.facts.steps.spans[node], self.facts.steps.frames[node]);
        match target {
            Target::End(end) => match growing.ends.get(&end) {
                Some(known) => *known,
                None => {
                    let (span, frame) = (self.facts.steps.spans[end], self.facts.steps.frames[end]);
                    let location = growing.location(span, frame);
                    growing.ends.insert(end, location);
                    location
                }
            },
            Target::State(state) => {
                let state = self.forget(state);
                if let Some(known) = growing.known.get(&state) {
                    return *known;
                }
                let location = growing.location(span, frame);
                growing.known.insert(state.clone(), location);
                growing.pending.push((state, location));
                location
            }
        }
    }

    /// The state without values that no thread will read.
    fn forget(&self, mut state: State) -> State {
        let nodes: Vec<Node> = state
            .pcs
            .iter()
            .filter_map(|pc| match pc {
                Pc::At(node) => Some(*node),
                Pc::Idle | Pc::Ended => None,
            })
            .collect();
        let is_read = |var: VarId| nodes.iter().any(|node| self.flow.reads_later(*node, var));
        state.values.retain(|var, _| is_read(*var));
        state.cells.retain(|(array, _), _| is_read(*array));
        state
    }

    /// The value of a term in a state, if that is known.
    pub(super) fn value(&self, state: &State, term: ExprId) -> Option<ExprId> {
        let store = self.facts.store;
        if store.is_literal(term) {
            return Some(term);
        }
        if let (Op::Select, [array, index]) = (store.op(term), &store.args(term)[..])
            && let Some(array) = store.as_var(*array)
        {
            let index = self.value(state, *index)?;
            return state.cells.get(&(array, index)).copied();
        }
        let mut substitution = Substitution::new();
        for var in store.vars_of([term]) {
            substitution.insert(store, var, *state.values.get(&var)?);
        }
        let value = substitution.apply(store, term);
        store.is_literal(value).then_some(value)
    }

    /// The thread that a handle stands for, if that is known.
    pub(super) fn thread_of(&self, state: &State, handle: ExprId) -> Option<ThreadId> {
        let value = self.value(state, handle)?;
        self.facts.threads.indices().find(|thread| self.handle(*thread, handle) == value)
    }

    /// The handle of a thread, of the sort of a term.
    fn handle(&self, thread: ThreadId, like: ExprId) -> ExprId {
        self.number(thread.index() + 1, self.facts.store.sort(like))
    }

    fn number(&self, number: usize, sort: Sort) -> ExprId {
        match sort {
            Sort::BitVec(width) => self.facts.store.bits(width.get(), number),
            _ => self.facts.store.int(number),
        }
    }

    /// The state after a step.
    fn moves(&mut self, state: &State, thread: ThreadId, step: &Step) -> Vec<Move> {
        let mut next = state.clone();
        next.pcs[thread] = Pc::At(step.target);
        if !self.execute(&mut next, &step.stmts) {
            return Vec::new();
        }
        if self.facts.endings.contains_key(&step.target) {
            return vec![Move { stmts: step.stmts.clone(), target: Target::End(step.target) }];
        }
        if self.facts.ways[thread][1] == Some(step.target) {
            next.end(thread);
        }
        match step.sync {
            Some(sync) => self.synchronise(next, thread, sync),
            None => vec![Move { stmts: step.stmts.clone(), target: Target::State(next) }],
        }
    }

    /// Follows statements as far as tracked variables are concerned; whether they may all be executed.
    fn execute(&mut self, state: &mut State, stmts: &[Stmt]) -> bool {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign(var, term) if matches!(self.facts.store.var_sort(*var), Sort::Array(_)) => {
                    self.set_cell(state, *var, *term);
                }
                StmtKind::Assign(var, term) => {
                    let value = self.value(state, *term);
                    self.set(state, *var, value);
                }
                StmtKind::Assume(condition)
                    if self.value(state, *condition) == Some(self.facts.store.fals()) =>
                {
                    return false;
                }
                StmtKind::Assume(_) => {}
                StmtKind::Havoc(var) => {
                    state.values.remove(var);
                    state.cells.retain(|(array, _), _| array != var);
                }
                StmtKind::Seq(_) | StmtKind::Choice(_) => {
                    let (_, writes) = super::steps::accesses(self.facts.store, stmt);
                    state.values.retain(|var, _| !writes.contains(var));
                    state.cells.retain(|(array, _), _| !writes.contains(array));
                }
            }
        }
        true
    }

    fn set(&mut self, state: &mut State, var: VarId, value: Option<ExprId>) {
        state.values.remove(&var);
        let Some(value) = value.filter(|_| self.flow.tracked.contains(&var)) else { return };
        let spread = self.spread.entry(var).or_default();
        if spread.len() < MAX_VALUES || spread.contains(&value) {
            spread.insert(value);
            state.values.insert(var, value);
        }
    }

    /// An array is assigned: one of its elements changes, or its contents become unknown.
    fn set_cell(&self, state: &mut State, array: VarId, term: ExprId) {
        let store = self.facts.store;
        if let (Op::Store, [old, index, element]) = (store.op(term), &store.args(term)[..])
            && store.as_var(*old) == Some(array)
            && self.flow.tracked.contains(&array)
            && let Some(index) = self.value(state, *index)
        {
            match self.value(state, *element).filter(|_| state.cells.len() < MAX_VALUES) {
                Some(element) => state.cells.insert((array, index), element),
                None => state.cells.remove(&(array, index)),
            };
        } else {
            state.cells.retain(|(other, _), _| *other != array);
        }
    }

    fn synchronise(&mut self, mut next: State, thread: ThreadId, sync: super::SyncId) -> Vec<Move> {
        let syncs = self.facts.syncs;
        match &syncs[sync] {
            Sync::Fork { starts, handle, limit } => {
                let free = starts.iter().find(|start| next.pcs[start.thread] == Pc::Idle);
                let entry = free.and_then(|start| Some((start, self.facts.ways[start.thread][0]?)));
                let Some((start, entry)) = entry else { return self.limit(*limit, Vec::new()) };
                let store = self.facts.store;
                let id = self.handle(start.thread, store.var_expr(*handle));
                let assignments = start.assignments.iter().copied().chain([(*handle, id)]);
                let stmts: Vec<Stmt> = assignments.map(|(var, term)| Stmt::assign(var, term)).collect();
                self.execute(&mut next, &stmts);
                next.pcs[start.thread] = Pc::At(entry);
                vec![Move { stmts, target: Target::State(next) }]
            }
            Sync::Await { handle, result, limit } => self.wait(&next, thread, *handle, *result, *limit),
            Sync::Detach { handle, limit } => match self.thread_of(&next, *handle) {
                Some(other) if next.pcs[other] != Pc::Idle => {
                    next.detached.insert(other);
                    if next.pcs[other] == Pc::Ended {
                        next.free(other);
                    }
                    vec![Move { stmts: Vec::new(), target: Target::State(next) }]
                }
                _ => self.limit(*limit, Vec::new()),
            },
            Sync::Lock { mutex, limit } => match self.value(&next, *mutex) {
                Some(mutex) if next.holder(mutex).is_none() => {
                    next.held.insert(mutex, thread);
                    vec![Move { stmts: Vec::new(), target: Target::State(next) }]
                }
                Some(mutex) if next.holder(mutex) != Some(thread) => Vec::new(),
                _ => self.limit(*limit, Vec::new()),
            },
            Sync::Unlock { mutex, limit } => match self.value(&next, *mutex) {
                Some(mutex) if next.holder(mutex) == Some(thread) => {
                    next.held.remove(&mutex);
                    vec![Move { stmts: Vec::new(), target: Target::State(next) }]
                }
                _ => self.limit(*limit, Vec::new()),
            },
            Sync::TryLock { mutex, is_taken, limit } => match self.value(&next, *mutex) {
                Some(mutex) => {
                    let is_free = next.holder(mutex).is_none();
                    if is_free {
                        next.held.insert(mutex, thread);
                    }
                    let taken = self.truth(is_free, *is_taken);
                    self.execute(&mut next, std::slice::from_ref(&taken));
                    vec![Move { stmts: vec![taken], target: Target::State(next) }]
                }
                None => self.limit(*limit, Vec::new()),
            },
            Sync::EnterAtomic => {
                let depth = next.atomic.map_or(0, |(_, depth)| depth);
                next.atomic = Some((thread, depth + 1));
                vec![Move { stmts: Vec::new(), target: Target::State(next) }]
            }
            Sync::LeaveAtomic => {
                next.atomic =
                    next.atomic.filter(|(_, depth)| *depth > 1).map(|(holder, depth)| (holder, depth - 1));
                vec![Move { stmts: Vec::new(), target: Target::State(next) }]
            }
        }
    }

    fn truth(&self, truth: bool, var: VarId) -> Stmt {
        Stmt::assign(var, self.number(usize::from(truth), self.facts.store.var_sort(var)))
    }

    /// A thread is joined. If it is not known which one, it may be any of those that have ended.
    fn wait(
        &mut self,
        next: &State,
        thread: ThreadId,
        handle: ExprId,
        result: VarId,
        limit: LocId,
    ) -> Vec<Move> {
        let store = self.facts.store;
        let known = self.thread_of(next, handle);
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        for other in self.facts.threads.indices() {
            let is_it = store.eq(handle, self.handle(other, handle));
            let is_waited_for =
                next.pcs[other] != Pc::Idle && other != thread && !next.detached.contains(&other);
            if !is_waited_for || known.is_some_and(|known| known != other) {
                continue;
            }
            others.push(store.not(is_it));
            if next.pcs[other] == Pc::Ended {
                let mut after = next.clone();
                after.free(other);
                let given = Stmt::assign(result, store.var_expr(self.facts.threads[other].result));
                let stmts = vec![Stmt::assume(is_it), given];
                if self.execute(&mut after, &stmts) {
                    moves.push(Move { stmts, target: Target::State(after) });
                }
            }
        }
        if known.is_none() || others.is_empty() {
            moves.extend(self.limit(limit, vec![Stmt::assume(store.and_all(others))]));
        }
        moves
    }

    fn limit(&self, limit: LocId, stmts: Vec<Stmt>) -> Vec<Move> {
        let node = self.facts.limits.get(&limit).copied();
        node.map(|node| Move { stmts, target: Target::End(node) }).into_iter().collect()
    }
}

impl State {
    /// A thread ends.
    fn end(&mut self, thread: ThreadId) {
        self.pcs[thread] = Pc::Ended;
        self.atomic = self.atomic.filter(|(holder, _)| *holder != thread);
        if self.detached.contains(&thread) {
            self.free(thread);
        }
    }

    /// A thread that has ended can be started again.
    fn free(&mut self, thread: ThreadId) {
        self.pcs[thread] = Pc::Idle;
        self.detached.remove(&thread);
    }
}

/// The finished automaton, with the error locations, limits and final locations of the threads.
fn finish(growing: Growing, threads: &Finished, store: &Store) -> Multiplied {
    let Growing { mut builder, frames, ends, vars, events, decisions, turns, .. } = growing;
    let place = |location: LocId| ends.get(&node_of(location)).copied();
    vars.into_iter().for_each(|var| builder.var(var));
    threads.cfa.errors.iter().filter_map(|error| place(*error)).for_each(|error| builder.error(error));
    for (limit, reason) in &threads.cfa.limits {
        place(*limit).into_iter().for_each(|limit| builder.limit(limit, reason));
    }
    threads.cfa.finals.iter().filter_map(|end| place(*end)).for_each(|end| builder.final_location(end));
    let cfa = builder
        .build(store)
        .unwrap_or_else(|error| panic!("the automaton of all threads should be well-formed: {error}"));
    let renumbered = threads.renumbered.iter().map(|old| old.and_then(place)).collect();
    let finished = Finished { cfa, frames, events, decisions, syncs: BTreeMap::new(), renumbered };
    Multiplied { finished, turns }
}
