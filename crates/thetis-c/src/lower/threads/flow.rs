//! What threads may do from each node on: the facts that the reduction and the product need.
//!
//! All of it is computed once, before the states of threads are combined. *Items* are what steps can depend on: variables that several
//! threads access, variables that are tracked, mutexes, and the ends of threads.
//!
//! A step has two sets of accesses. One is what it depends on when it is the next step of its thread. The other is what
//! other threads must expect of it in the future. They differ where the order is fixed: a thread that waits for another
//! cannot continue before the other ends, so the end does not depend on the waiting, but the waiting depends on the
//! end. Likewise, no other thread can lock a mutex before its holder unlocks it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thetis_base::IndexVec;
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::bits::Bits;
use super::steps::{Node, Step, Steps, accesses};
use super::{Sync, SyncId, Thread, ThreadId};
use crate::lower::origin::Event;

/// The greatest number of tracked variables, to limit the number of states.
const MAX_TRACKED: usize = 256;

/// What steps read and write.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) reads: Bits,
    pub(super) writes: Bits,
}

/// What happens to the program at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The property is violated.
    Error,
    /// The program ends, or the automaton no longer models it.
    Other,
}

/// What the next steps of a thread are like, whichever of them it takes.
#[derive(Clone, Debug)]
pub(super) struct Next {
    pub(super) access: Access,
    /// Whether one of them is always possible.
    pub(super) is_possible: bool,
    /// Whether one of them may end the program.
    pub(super) ends: bool,
    pub(super) sync: Option<SyncId>,
}

pub(super) struct Flow {
    pub(super) next: IndexVec<Node, Next>,
    /// What a thread may do from a node on, with the threads that it may start.
    pub(super) future: IndexVec<Node, Access>,
    /// Where loops of a thread start.
    pub(super) is_head: IndexVec<Node, bool>,
    /// The variables whose values are part of the states of the product.
    pub(super) tracked: BTreeSet<VarId>,
    items: Items,
}

/// The numbers of what steps can depend on.
struct Items {
    vars: FxHashMap<VarId, usize>,
    mutexes: BTreeMap<ExprId, usize>,
    ends: usize,
    frees: usize,
    tries: usize,
    bound: usize,
}

/// What is known about the program.
pub(super) struct Facts<'a> {
    pub(super) store: &'a Store,
    pub(super) steps: &'a Steps,
    pub(super) threads: &'a IndexVec<ThreadId, Thread>,
    pub(super) syncs: &'a IndexVec<SyncId, Sync>,
    /// The nodes of the entry and of the exit of each thread.
    pub(super) ways: &'a IndexVec<ThreadId, [Option<Node>; 2]>,
    pub(super) endings: &'a BTreeMap<Node, Ending>,
    /// The nodes of the limits that primitives lead to.
    pub(super) limits: &'a BTreeMap<LocId, Node>,
    /// Whether a violation ends the search.
    pub(super) errors_suffice: bool,
}

impl Flow {
    pub(super) fn of(facts: &Facts<'_>) -> Flow {
        let constants = Constants::of(facts);
        let tracked = tracked(facts);
        let items = Items::of(facts, &constants, &tracked);
        let futures: IndexVec<Node, Vec<Access>> = facts
            .steps
            .outgoing
            .iter()
            .map(|steps| steps.iter().map(|step| items.future_of(facts, &constants, step)).collect())
            .collect();
        let future = future(facts, &items, &futures);
        let is_head = heads(facts);
        let mut flow = Flow { next: IndexVec::new(), future, is_head, tracked, items };
        for node in facts.steps.outgoing.indices() {
            let next = flow.next_of(facts, &constants, &futures, node);
            flow.next.push(next);
        }
        flow
    }

    /// Whether some thread may read a tracked variable from a node on.
    pub(super) fn reads_later(&self, node: Node, var: VarId) -> bool {
        self.items.vars.get(&var).is_some_and(|item| self.future[node].reads.contains(*item))
    }

    /// What waiting for one thread depends on.
    pub(super) fn access_of_waiting(&self, thread: ThreadId) -> Access {
        let mut access = self.items.nothing();
        access.reads.insert(self.items.ends + thread.index());
        access.writes.insert(self.items.frees + thread.index());
        access
    }

    fn next_of(
        &self,
        facts: &Facts<'_>,
        constants: &Constants,
        futures: &IndexVec<Node, Vec<Access>>,
        node: Node,
    ) -> Next {
        let steps = &facts.steps.outgoing[node];
        let mut access = self.items.nothing();
        let (mut ends, mut is_possible) = (false, never_blocks(facts.store, steps));
        for step in steps {
            let own = self.items.next_access(facts, constants, step);
            access.reads.add(&own.reads);
            access.writes.add(&own.writes);
            ends |= facts.ends(step.target);
        }
        let sync = steps.iter().find_map(|step| step.sync);
        if let (Some(Sync::EnterAtomic), [step]) = (sync.map(|sync| &facts.syncs[sync]), &steps[..]) {
            let section = self.section(facts, futures, step.target);
            access.reads.add(&section.access.reads);
            access.writes.add(&section.access.writes);
            ends |= section.ends;
            is_possible &= section.is_possible;
        }
        Next { access, is_possible, ends, sync }
    }

    /// What happens from a node inside an atomic section until its end.
    fn section(&self, facts: &Facts<'_>, futures: &IndexVec<Node, Vec<Access>>, start: Node) -> Next {
        let mut section = Next { access: self.items.nothing(), is_possible: true, ends: false, sync: None };
        let mut seen = BTreeSet::from([(start, 1_u32)]);
        let mut pending = vec![(start, 1_u32)];
        while let Some((node, depth)) = pending.pop() {
            let steps = &facts.steps.outgoing[node];
            section.is_possible &= !self.is_head[node] && never_blocks(facts.store, steps);
            for (step, access) in steps.iter().zip(&futures[node]) {
                section.access.reads.add(&access.reads);
                section.access.writes.add(&access.writes);
                section.ends |= facts.ends(step.target);
                let depth = match step.sync.map(|sync| &facts.syncs[sync]) {
                    Some(Sync::EnterAtomic) => depth + 1,
                    Some(Sync::LeaveAtomic) => depth - 1,
                    Some(Sync::Lock { .. } | Sync::Await { .. }) => {
                        section.is_possible = false;
                        depth
                    }
                    _ => depth,
                };
                // Nested sections need not be followed deeply: their ends are found from the outermost section.
                if depth > 0 && depth < 16 && seen.insert((step.target, depth)) {
                    pending.push((step.target, depth));
                }
                section.ends |= depth >= 16;
            }
        }
        section
    }
}

impl Facts<'_> {
    /// Whether a step to a node must not be preferred over steps of other threads, because it ends the program.
    fn ends(&self, target: Node) -> bool {
        match self.endings.get(&target) {
            Some(Ending::Error) => !self.errors_suffice,
            Some(Ending::Other) => true,
            None => false,
        }
    }
}

/// Whether a thread gets past a node whatever the values of variables are. Assumptions that do not come from the
/// program only restrict arbitrary values, and block no thread.
fn never_blocks(store: &Store, steps: &[Step]) -> bool {
    let guard = |step: &Step| match step.stmts.first().map(|stmt| &stmt.kind) {
        Some(StmtKind::Assume(condition)) => Some(*condition),
        _ => None,
    };
    match steps {
        [only] => only.event != Event::Assume,
        [left, right] => {
            let (Some(left), Some(right)) = (guard(left), guard(right)) else { return false };
            store.not(left) == right || store.not(right) == left
        }
        _ => false,
    }
}

impl Items {
    fn of(facts: &Facts<'_>, constants: &Constants, tracked: &BTreeSet<VarId>) -> Items {
        let vars: BTreeSet<VarId> = facts.steps.shared.union(tracked).copied().collect();
        let known: BTreeSet<ExprId> =
            facts.syncs.iter().filter_map(|sync| constants.value(facts.store, sync.mutex()?)).collect();
        let num_threads = facts.threads.len();
        let first_mutex = vars.len();
        // The first mutex stands for all unknown mutexes.
        let ends = first_mutex + 1 + known.len();
        let frees = ends + num_threads;
        let tries = frees + num_threads;
        let numbered = vars.into_iter().enumerate().map(|(number, var)| (var, number)).collect();
        let mutexes =
            known.into_iter().enumerate().map(|(number, mutex)| (mutex, first_mutex + 1 + number)).collect();
        Items { vars: numbered, mutexes, ends, frees, tries, bound: tries + ends - first_mutex }
    }

    fn nothing(&self) -> Access {
        Access { reads: Bits::new(self.bound), writes: Bits::new(self.bound) }
    }

    /// The items of a mutex, counted from the first: all if it is not known which one it is, and otherwise its own and the one of unknown
    /// mutexes.
    fn mutex(&self, store: &Store, constants: &Constants, mutex: ExprId) -> Vec<usize> {
        let first = self.ends - 1 - self.mutexes.len();
        match constants.value(store, mutex).and_then(|known| self.mutexes.get(&known)) {
            Some(item) => vec![*item - first],
            None => (0..=self.mutexes.len()).collect(),
        }
    }

    fn vars_of(&self, facts: &Facts<'_>, step: &Step) -> Access {
        let mut access = self.nothing();
        for stmt in &step.stmts {
            let (reads, writes) = accesses(facts.store, stmt);
            self.add_vars(&mut access.reads, reads);
            self.add_vars(&mut access.writes, writes);
        }
        if let Some(sync) = step.sync {
            let terms = facts.syncs[sync].terms();
            self.add_vars(&mut access.reads, facts.store.vars_of(terms));
        }
        access
    }

    fn add_vars(&self, bits: &mut Bits, vars: impl IntoIterator<Item = VarId>) {
        vars.into_iter().filter_map(|var| self.vars.get(&var)).for_each(|item| bits.insert(*item));
    }

    /// What other threads must expect of a step.
    fn future_of(&self, facts: &Facts<'_>, constants: &Constants, step: &Step) -> Access {
        let mut access = self.vars_of(facts, step);
        let first = self.ends - 1 - self.mutexes.len();
        for (thread, [_, exit]) in facts.ways.indices().zip(facts.ways.iter()) {
            if *exit == Some(step.target) {
                access.writes.insert(self.ends + thread.index());
            }
        }
        let Some(sync) = step.sync.map(|sync| &facts.syncs[sync]) else { return access };
        match sync {
            Sync::Lock { mutex, .. } | Sync::Unlock { mutex, .. } => {
                self.mutex(facts.store, constants, *mutex)
                    .into_iter()
                    .for_each(|item| access.writes.insert(first + item));
            }
            Sync::TryLock { mutex, .. } => {
                for item in self.mutex(facts.store, constants, *mutex) {
                    access.writes.insert(first + item);
                    access.reads.insert(self.tries + item);
                }
            }
            Sync::Fork { starts, .. } => {
                starts.iter().for_each(|start| access.reads.insert(self.frees + start.thread.index()));
            }
            Sync::Await { .. } | Sync::Detach { .. } => {
                facts.threads.indices().for_each(|thread| access.writes.insert(self.frees + thread.index()));
            }
            Sync::EnterAtomic | Sync::LeaveAtomic => {}
        }
        access
    }

    /// What a step depends on.
    fn next_access(&self, facts: &Facts<'_>, constants: &Constants, step: &Step) -> Access {
        let mut access = self.vars_of(facts, step);
        let first = self.ends - 1 - self.mutexes.len();
        let Some(sync) = step.sync.map(|sync| &facts.syncs[sync]) else { return access };
        match sync {
            Sync::Lock { mutex, .. } | Sync::TryLock { mutex, .. } => {
                self.mutex(facts.store, constants, *mutex)
                    .into_iter()
                    .for_each(|item| access.writes.insert(first + item));
            }
            Sync::Unlock { mutex, .. } => {
                self.mutex(facts.store, constants, *mutex)
                    .into_iter()
                    .for_each(|item| access.writes.insert(self.tries + item));
            }
            Sync::Fork { starts, .. } => {
                starts.iter().for_each(|start| access.reads.insert(self.frees + start.thread.index()));
            }
            Sync::Await { .. } | Sync::Detach { .. } => {
                for thread in facts.threads.indices() {
                    access.reads.insert(self.ends + thread.index());
                    access.writes.insert(self.frees + thread.index());
                }
            }
            Sync::EnterAtomic | Sync::LeaveAtomic => {}
        }
        access
    }
}

impl Sync {
    fn mutex(&self) -> Option<ExprId> {
        match self {
            Sync::Lock { mutex, .. } | Sync::Unlock { mutex, .. } | Sync::TryLock { mutex, .. } => {
                Some(*mutex)
            }
            _ => None,
        }
    }

    /// The terms that decide what happens, and those that are passed on.
    fn terms(&self) -> Vec<ExprId> {
        match self {
            Sync::Fork { starts, .. } => {
                starts.iter().flat_map(|start| start.assignments.iter().map(|(_, term)| *term)).collect()
            }
            Sync::Await { handle, .. } | Sync::Detach { handle, .. } => vec![*handle],
            Sync::EnterAtomic | Sync::LeaveAtomic => Vec::new(),
            Sync::Lock { mutex, .. } | Sync::Unlock { mutex, .. } | Sync::TryLock { mutex, .. } => {
                vec![*mutex]
            }
        }
    }
}

/// The accesses from each node on.
fn future(facts: &Facts<'_>, items: &Items, steps: &IndexVec<Node, Vec<Access>>) -> IndexVec<Node, Access> {
    let mut future: IndexVec<Node, Access> = steps.iter().map(|_| items.nothing()).collect();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for number in (0..steps.len()).rev() {
            let node = Node::new(number);
            for (step, own) in facts.steps.outgoing[node].iter().zip(&steps[node]) {
                let mut sources = vec![own.clone(), future[step.target].clone()];
                if let Some(Sync::Fork { starts, .. }) = step.sync.map(|sync| &facts.syncs[sync]) {
                    let entries = starts.iter().filter_map(|start| facts.ways[start.thread][0]);
                    sources.extend(entries.map(|entry| future[entry].clone()));
                }
                for source in sources {
                    has_changed |= future[node].reads.add(&source.reads);
                    has_changed |= future[node].writes.add(&source.writes);
                }
            }
        }
    }
    future
}

/// The nodes that a step of the same thread leads back to.
fn heads(facts: &Facts<'_>) -> IndexVec<Node, bool> {
    let outgoing = &facts.steps.outgoing;
    let mut is_head: IndexVec<Node, bool> = outgoing.iter().map(|_| false).collect();
    // For each node whether it has been entered and left.
    let mut seen: IndexVec<Node, [bool; 2]> = outgoing.iter().map(|_| [false; 2]).collect();
    for entry in facts.ways.iter().filter_map(|[entry, _]| *entry) {
        let mut stack = vec![(entry, 0)];
        seen[entry][0] = true;
        while let Some((node, number)) = stack.pop() {
            let Some(step) = outgoing[node].get(number) else {
                seen[node][1] = true;
                continue;
            };
            stack.push((node, number + 1));
            match seen[step.target] {
                [false, _] => {
                    seen[step.target][0] = true;
                    stack.push((step.target, 0));
                }
                [true, false] => is_head[step.target] = true,
                [true, true] => {}
            }
        }
    }
    is_head
}

/// The variables that decide which mutex is locked and which thread is waited for, with those that their values come from.
fn tracked(facts: &Facts<'_>) -> BTreeSet<VarId> {
    let mut sources: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
    for step in facts.steps.outgoing.iter().flatten() {
        for stmt in step.stmts.iter().flat_map(|stmt| stmt.walk()) {
            if let StmtKind::Assign(var, term) = &stmt.kind {
                sources.entry(*var).or_default().extend(facts.store.vars_of([*term]));
            }
        }
    }
    for start in facts.syncs.iter().flat_map(Sync::starts) {
        for (var, term) in &start.assignments {
            sources.entry(*var).or_default().extend(facts.store.vars_of([*term]));
        }
    }
    let deciding = facts.syncs.iter().filter(|sync| !matches!(sync, Sync::Fork { .. }));
    let mut pending: Vec<VarId> = deciding.flat_map(|sync| facts.store.vars_of(sync.terms())).collect();
    let mut tracked = BTreeSet::new();
    while let Some(var) = pending.pop() {
        if tracked.len() >= MAX_TRACKED || !tracked.insert(var) {
            continue;
        }
        pending.extend(sources.get(&var).into_iter().flatten().copied());
    }
    tracked
}

impl Sync {
    pub(super) fn starts(&self) -> &[super::Start] {
        match self {
            Sync::Fork { starts, .. } => starts,
            _ => &[],
        }
    }
}

/// The variables whose relevant value is always the same.
struct Constants(FxHashMap<VarId, Option<ExprId>>);

impl Constants {
    /// Variables that are assigned once.
    fn of(facts: &Facts<'_>) -> Constants {
        let mut values: FxHashMap<VarId, Option<ExprId>> = FxHashMap::default();
        let mut note = |var: VarId, value: Option<ExprId>| {
            let known = values.entry(var).or_insert(value);
            if *known != value {
                *known = None;
            }
        };
        for stmt in
            facts.steps.outgoing.iter().flatten().flat_map(|step| &step.stmts).flat_map(|stmt| stmt.walk())
        {
            match &stmt.kind {
                StmtKind::Assign(var, term) => note(*var, Some(*term)),
                StmtKind::Havoc(var) => note(*var, None),
                StmtKind::Assume(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => {}
            }
        }
        for (var, term) in facts.syncs.iter().flat_map(Sync::starts).flat_map(|start| &start.assignments) {
            note(*var, Some(*term));
        }
        for sync in facts.syncs.iter() {
            match sync {
                Sync::Fork { handle, .. } => note(*handle, None),
                Sync::Await { result, .. } => note(*result, None),
                Sync::TryLock { is_taken, .. } => note(*is_taken, None),
                _ => {}
            }
        }
        Constants(values)
    }

    /// The literal that a term is wherever it is used, through a chain of variables.
    fn value(&self, store: &Store, mut term: ExprId) -> Option<ExprId> {
        for _ in 0..64 {
            if store.is_literal(term) {
                return Some(term);
            }
            term = (*self.0.get(&store.as_var(term)?)?)?;
        }
        None
    }
}
