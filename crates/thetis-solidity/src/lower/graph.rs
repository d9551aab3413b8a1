//! The automaton of a function while it grows.
//!
//! Statements are collected with placeholders for what is known only at the end: which variables a loop changes, which
//! globals an unknown call changes, which globals need a snapshot, and which terms instantiate quantified assumptions
//! ([`quantifier`](super::quantifier)). [`Graph::build`] fills them in.

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Span, define_index_type};
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::cfa::{Cfa, CfaBuilder, LocId, Stmt};

use crate::check::Check;

use super::global::Global;
use super::quantifier::{Condition, Instances};
use super::{FxIndexMap, FxIndexSet};

define_index_type! {
    /// A location of the growing automaton.
    pub(crate) struct Node = u32;
}
define_index_type! {
    /// A moment whose state is remembered.
    pub(crate) struct Snapshot = u32;
}
define_index_type! {
    /// A part of the automaton.
    pub(crate) struct Region = u32;
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Assign(VarId, ExprId),
    Havoc(VarId),
    Assume(Condition),
    /// Remember the globals whose value at this moment is needed somewhere.
    Remember(Snapshot),
    /// Everything that changes in a region gets arbitrary values.
    HavocRegion(Region),
    /// All globals of a kind get arbitrary values.
    HavocAll(Extent),
    /// All state gets arbitrary values, except that of the contract at this address, whose balance can only
    /// grow.
    HavocOthers(ExprId),
}

/// Many globals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// All state of all contracts.
    State,
    /// All memory.
    Memory,
    /// The block and the transaction.
    Environment,
}

/// A part of the automaton: the edges with these numbers.
#[derive(Clone, Default, Debug)]
struct GraphPart {
    edges: std::ops::Range<usize>,
    /// Only edges from which control can get here count. What changes on the way out of a loop does not change inside it.
    end: Option<Node>,
}

struct GraphEdge {
    source: Node,
    target: Node,
    steps: Vec<Step>,
    span: Option<Span>,
}

/// The growing automaton.
pub(crate) struct Graph {
    nodes: u32,
    edges: Vec<GraphEdge>,
    checks: FxIndexMap<Node, Check>,
    limits: FxIndexMap<Node, Limit>,
    /// Where translation continues; `None` if control does not get there.
    current: Option<Node>,
    pending: Vec<Step>,
    span: Option<Span>,
    globals: FxIndexMap<Global, VarId>,
    remembered: FxIndexMap<(Snapshot, Global), VarId>,
    snapshots: u32,
    regions: IndexVec<Region, GraphPart>,
    vars: FxIndexSet<VarId>,
    pub(crate) instances: Instances,
    /// Whether the state may be one that the contract does not reach. A check that fails then is not a violation
    /// but a limit.
    coarse: Option<VarId>,
}

/// A finished automaton, what its error locations mean, and its limits. The automaton itself does not have the limits yet: their
/// reasons have to name places in the text.
pub(crate) struct Built {
    pub(crate) cfa: Cfa,
    /// The locations of all nodes.
    pub(crate) nodes: Vec<LocId>,
    pub(crate) checks: BTreeMap<LocId, Check>,
    pub(crate) limits: BTreeMap<LocId, Limit>,
}

/// Something that is not modelled, if control gets there.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    pub(crate) span: Span,
    pub(crate) reason: String,
}

/// How far an automaton had grown.
pub(crate) struct Mark {
    nodes: u32,
    edges: usize,
    current: Option<Node>,
}

/// What may happen from some place until the end of a transaction.
#[derive(Default)]
pub(crate) struct Continuation {
    /// The variables whose values matter.
    pub(crate) reads: FxIndexSet<VarId>,
    /// Whether state changes, or something is checked.
    pub(crate) has_effects: bool,
    /// Whether conditions depend on anything but values that are arbitrary at its start.
    pub(crate) may_block: bool,
}

impl Graph {
    pub(crate) fn new() -> Graph {
        Graph {
            nodes: 1,
            edges: Vec::new(),
            checks: FxIndexMap::default(),
            limits: FxIndexMap::default(),
            current: Some(Node::from_usize(0)),
            pending: Vec::new(),
            span: None,
            globals: FxIndexMap::default(),
            remembered: FxIndexMap::default(),
            snapshots: 0,
            regions: IndexVec::new(),
            vars: FxIndexSet::default(),
            instances: Instances::default(),
            coarse: None,
        }
    }

    /// What is translated now.
    pub(crate) fn at(&mut self, span: Span) {
        self.span = Some(span);
    }

    pub(crate) fn node(&mut self) -> Node {
        self.nodes += 1;
        Node::from_usize(self.nodes as usize - 1)
    }

    fn push(&mut self, step: Step) {
        if self.current.is_some() {
            self.pending.push(step);
        }
    }

    /// A variable that only the automaton has.
    pub(crate) fn fresh(&mut self, store: &Store, prefix: &str, sort: Sort) -> VarId {
        let var = store.declare_fresh(prefix, sort);
        self.vars.insert(var);
        var
    }

    pub(crate) fn assign(&mut self, var: VarId, value: ExprId) {
        self.push(Step::Assign(var, value));
    }

    pub(crate) fn havoc(&mut self, var: VarId) {
        self.push(Step::Havoc(var));
    }

    pub(crate) fn assume(&mut self, condition: impl Into<Condition>) {
        self.push(Step::Assume(condition.into()));
    }

    /// Control does not get further.
    pub(crate) fn stop(&mut self) {
        self.pending.clear();
        self.current = None;
    }

    /// The place where control is now, after all that was translated.
    pub(crate) fn here(&mut self) -> Option<Node> {
        let current = self.current?;
        if self.pending.is_empty() {
            return Some(current);
        }
        let next = self.node();
        self.edge(current, next);
        self.current = Some(next);
        Some(next)
    }

    fn edge(&mut self, source: Node, target: Node) {
        let steps = std::mem::take(&mut self.pending);
        self.edges.push(GraphEdge { source, target, steps, span: self.span });
    }

    /// Goes to `target`; afterwards there is no current place.
    pub(crate) fn jump(&mut self, target: Node) {
        if let Some(current) = self.current {
            self.edge(current, target);
        }
        self.current = None;
    }

    /// Goes on at `node`.
    pub(crate) fn resume(&mut self, node: Option<Node>) {
        debug_assert!(self.pending.is_empty(), "statements should not get lost");
        self.current = node;
    }

    /// Checks a condition and relies on it from here on.
    pub(crate) fn check(&mut self, store: &Store, condition: impl Into<Condition>, check: Check) {
        let condition = condition.into();
        if condition.is_true(store) {
            return;
        }
        let Some(here) = self.here() else { return };
        if let Some(coarse) = self.coarse {
            let (coarse, end) = (store.var_expr(coarse), self.node());
            self.push(Step::Assume(condition.negated(store)));
            self.assume(coarse);
            self.edge(here, end);
            let kind = check.kind.to_string();
            let reason = format!(
                "{}, but only after calls or balances of others that are not known exactly",
                kind.trim_end_matches('.')
            );
            self.limits.insert(end, Limit { span: check.span, reason });
            self.assume(store.not(coarse));
        }
        let error = self.node();
        self.push(Step::Assume(condition.negated(store)));
        self.edge(here, error);
        self.checks.insert(error, check);
        self.push(Step::Assume(condition));
    }

    /// From now on checks are not trusted where `coarse` holds.
    pub(crate) fn trust_unless(&mut self, coarse: VarId) {
        self.coarse = Some(coarse);
    }

    /// How far the automaton has grown.
    pub(crate) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes, edges: self.edges.len(), current: self.current }
    }

    /// Removes what was added since `mark`.
    pub(crate) fn rewind(&mut self, mark: &Mark) {
        let is_old = |node: &Node| node.index() < mark.nodes as usize;
        self.edges.truncate(mark.edges);
        self.checks.retain(|node, _| is_old(node));
        self.limits.retain(|node, _| is_old(node));
        self.pending.clear();
        self.current = mark.current;
    }

    /// Adds an edge between places that exist.
    pub(crate) fn connect(&mut self, source: Node, target: Node, steps: Vec<Step>, span: Span) {
        self.edges.push(GraphEdge { source, target, steps, span: Some(span) });
    }

    /// What may happen from `start` until `end`. The values of `free` are arbitrary at the start.
    pub(crate) fn continuation(
        &self,
        store: &Store,
        start: Node,
        end: Node,
        free: impl IntoIterator<Item = VarId>,
    ) -> Continuation {
        let edges = leaving(&self.edges, start, end);
        let (mut found, mut free) = (Continuation::default(), free.into_iter().collect::<FxIndexSet<_>>());
        let is_state: FxIndexSet<VarId> = self.all(Extent::State).collect();
        let mut conditions = Vec::new();
        for edge in &edges {
            let stops = self.checks.contains_key(&edge.target) || self.limits.contains_key(&edge.target);
            found.has_effects |= stops;
            for step in &edge.steps {
                match step {
                    Step::Assign(var, value) => {
                        let values = store.vars_of([*value]);
                        if values.iter().all(|value| free.contains(value)) {
                            free.insert(*var);
                        }
                        found.reads.extend(values);
                        found.has_effects |= is_state.contains(var);
                    }
                    Step::Havoc(var) => {
                        free.insert(*var);
                        found.has_effects |= is_state.contains(var);
                    }
                    Step::Assume(Condition::Ground(condition)) => conditions.push(*condition),
                    _ => found.has_effects = true,
                }
            }
        }
        let conditions = store.vars_of(conditions);
        found.may_block = conditions.iter().any(|var| !free.contains(var));
        found.reads.extend(conditions);
        found
    }

    /// Relies on a condition: beyond this place the automaton models only runs in which it holds.
    pub(crate) fn limit(&mut self, store: &Store, condition: ExprId, limit: Limit) {
        if condition == store.tru() {
            return;
        }
        let Some(here) = self.here() else { return };
        let end = self.node();
        self.push(Step::Assume(store.not(condition).into()));
        self.edge(here, end);
        self.limits.insert(end, limit);
        self.assume(condition);
    }

    /// Marks this place: something is wrong if it cannot be reached.
    pub(crate) fn probe(&mut self, check: Check) {
        let Some(here) = self.here() else { return };
        let mark = self.node();
        self.edge(here, mark);
        self.checks.insert(mark, check);
    }

    /// The variable of a global.
    pub(crate) fn global(
        &mut self,
        store: &Store,
        global: &Global,
        sort: Sort,
        name: impl FnOnce() -> String,
    ) -> VarId {
        if let Some(var) = self.globals.get(global) {
            return *var;
        }
        let var = self.fresh(store, &name(), sort);
        self.globals.insert(global.clone(), var);
        var
    }

    /// The variable that has the value of a global at a moment.
    pub(crate) fn remembered(
        &mut self,
        store: &Store,
        moment: Snapshot,
        global: &Global,
        sort: Sort,
        name: impl Fn() -> String,
    ) -> VarId {
        self.global(store, global, sort, &name);
        if let Some(var) = self.remembered.get(&(moment, global.clone())) {
            return *var;
        }
        let var = self.fresh(store, &format!("{}@{}", name(), moment.index()), sort);
        self.remembered.insert((moment, global.clone()), var);
        var
    }

    /// Remembers this moment.
    pub(crate) fn remember(&mut self) -> Snapshot {
        self.snapshots += 1;
        let moment = Snapshot::from_usize(self.snapshots as usize - 1);
        self.push(Step::Remember(moment));
        moment
    }

    /// Remembers this moment instead of an earlier one.
    pub(crate) fn remember_again(&mut self, moment: Snapshot) {
        self.push(Step::Remember(moment));
    }

    /// Starts a region.
    pub(crate) fn open_region(&mut self) -> Region {
        self.here();
        self.regions.push(GraphPart { edges: self.edges.len()..self.edges.len(), end: None })
    }

    /// Ends a region; control stays in it only on the way to `end`.
    pub(crate) fn close_region(&mut self, region: Region, end: Option<Node>) {
        self.here();
        let part = &mut self.regions[region];
        *part = GraphPart { edges: part.edges.start..self.edges.len(), end };
    }

    pub(crate) fn havoc_region(&mut self, region: Region) {
        self.push(Step::HavocRegion(region));
    }

    /// All globals of a kind change.
    pub(crate) fn havoc_all(&mut self, extent: Extent) {
        self.push(Step::HavocAll(extent));
    }

    /// All state that does not belong to the contract at `this` changes.
    pub(crate) fn havoc_others(&mut self, this: ExprId) {
        self.push(Step::HavocOthers(this));
    }

    /// All globals that were mentioned, with their variables.
    pub(crate) fn globals(&self) -> impl Iterator<Item = (&Global, VarId)> {
        self.globals.iter().map(|(global, var)| (global, *var))
    }

    /// The globals that change in a region.
    pub(crate) fn globals_changed(&self, region: Region) -> (Vec<Global>, Vec<Extent>) {
        let (vars, extents) = self.changes(&self.edges, region);
        let changed = self.globals.iter().filter(|(_, var)| vars.contains(*var));
        (changed.map(|(global, _)| global.clone()).collect(), extents)
    }

    /// The variables that change in a region, and what else does.
    fn changes(&self, edges: &[GraphEdge], region: Region) -> (FxIndexSet<VarId>, Vec<Extent>) {
        let part = &self.regions[region];
        let inside = &edges[part.edges.clone()];
        let staying = part.end.map(|end| reaching(inside, end));
        let (mut vars, mut extents) = (FxIndexSet::default(), Vec::new());
        let counts = |edge: &&GraphEdge| staying.as_ref().is_none_or(|nodes| nodes.contains(&edge.target));
        for step in inside.iter().filter(counts).flat_map(|edge| &edge.steps) {
            match step {
                Step::Assign(var, _) | Step::Havoc(var) => {
                    vars.insert(*var);
                }
                Step::Remember(moment) => {
                    vars.extend(
                        self.remembered.iter().filter(|((at, _), _)| at == moment).map(|(_, var)| *var),
                    );
                }
                Step::HavocRegion(inner) if *inner != region => {
                    let (more, others) = self.changes(edges, *inner);
                    vars.extend(more);
                    extents.extend(others);
                }
                Step::HavocAll(extent) => extents.push(*extent),
                Step::HavocOthers(_) => extents.push(Extent::State),
                Step::Assume(_) | Step::HavocRegion(_) => {}
            }
        }
        (vars, extents)
    }

    /// The automaton, with everything filled in.
    pub(crate) fn build(mut self, store: &Store, name: &str) -> Built {
        if let Some(here) = self.here() {
            debug_assert!(here.index() < self.nodes as usize);
        }
        let edges = std::mem::take(&mut self.edges);
        let steps: Vec<&Step> = edges.iter().flat_map(|edge| &edge.steps).collect();
        let conditions: Vec<&Condition> = steps.iter().filter_map(|step| assumed(step)).collect();
        let expanded = self.instances.expand(store, &conditions, &mut self.vars);
        let spares = self.spares(store, &edges);
        let mut builder = CfaBuilder::new(name);
        let nodes: Vec<LocId> =
            (0..self.nodes).map(|node| builder.location(format!("n{node}"), None)).collect();
        builder.initial(nodes[0]);
        let mut conditions = expanded.into_iter();
        for edge in &edges {
            let stmts = edge
                .steps
                .iter()
                .flat_map(|step| match step {
                    Step::HavocOthers(this) => self.expand_others(store, &spares, *this),
                    step => self.expand(store, &edges, step, &mut conditions),
                })
                .collect();
            builder.edge(nodes[edge.source.index()], nodes[edge.target.index()], Stmt::seq(stmts), edge.span);
        }
        for node in self.checks.keys() {
            builder.error(nodes[node.index()]);
        }
        for var in &self.vars {
            builder.var(*var);
        }
        let checks = self.checks.iter().map(|(node, check)| (nodes[node.index()], check.clone())).collect();
        let limits = self.limits.iter().map(|(node, limit)| (nodes[node.index()], limit.clone())).collect();
        Built {
            cfa: builder.build(store).expect("the automaton of a function should be well-formed"),
            nodes,
            checks,
            limits,
        }
    }

    fn expand(
        &self,
        store: &Store,
        edges: &[GraphEdge],
        step: &Step,
        conditions: &mut impl Iterator<Item = ExprId>,
    ) -> Vec<Stmt> {
        match step {
            Step::Assign(var, value) => vec![Stmt::assign(*var, *value)],
            Step::Havoc(var) => vec![Stmt::havoc(*var)],
            Step::Assume(_) => conditions.next().map(Stmt::assume).into_iter().collect(),
            Step::Remember(moment) => self
                .remembered
                .iter()
                .filter(|((at, _), _)| at == moment)
                .map(|((_, global), var)| Stmt::assign(*var, store.var_expr(self.globals[global])))
                .collect(),
            Step::HavocAll(extent) => self.all(*extent).map(Stmt::havoc).collect(),
            Step::HavocOthers(_) => self.all(Extent::State).map(Stmt::havoc).collect(),
            Step::HavocRegion(region) => {
                let (vars, extents) = self.changes(edges, *region);
                let all: FxIndexSet<VarId> = extents.iter().flat_map(|extent| self.all(*extent)).collect();
                vars.union(&all).map(|var| Stmt::havoc(*var)).collect()
            }
        }
    }

    /// Variables that keep the state for [`Step::HavocOthers`], if there is such a step.
    fn spares(&mut self, store: &Store, edges: &[GraphEdge]) -> FxIndexMap<VarId, VarId> {
        let mut steps = edges.iter().flat_map(|edge| &edge.steps);
        if !steps.any(|step| matches!(step, Step::HavocOthers(_))) {
            return FxIndexMap::default();
        }
        let state: Vec<VarId> = self.all(Extent::State).collect();
        state
            .into_iter()
            .map(|var| (var, self.fresh(store, "kept", store.sort(store.var_expr(var)))))
            .collect()
    }

    fn expand_others(&self, store: &Store, spares: &FxIndexMap<VarId, VarId>, this: ExprId) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for (global, var) in self.globals().filter(|(global, _)| global.is_state()) {
            let [new, kept] = [var, spares[&var]].map(|var| store.var_expr(var));
            stmts.push(Stmt::assign(spares[&var], new));
            stmts.push(Stmt::havoc(var));
            match global {
                Global::State(..) | Global::Sum(..) => {
                    stmts.push(Stmt::assign(var, store.store(new, this, store.select(kept, this))));
                }
                Global::Balance => {
                    let [before, after] = [kept, new].map(|balances| store.select(balances, this));
                    let grows = match store.sort(before) {
                        Sort::Int => store.le(before, after),
                        _ => store.bv_ule(before, after),
                    };
                    stmts.push(Stmt::assume(grows));
                }
                _ => {}
            }
        }
        stmts
    }

    pub(crate) fn all(&self, extent: Extent) -> impl Iterator<Item = VarId> {
        let belongs = move |global: &Global| match extent {
            Extent::State => global.is_state(),
            Extent::Memory => global.is_memory(),
            Extent::Environment => matches!(global, Global::Environment(_)),
        };
        self.globals.iter().filter(move |(global, _)| belongs(global)).map(|(_, var)| *var)
    }
}

/// The nodes from which `end` can be reached along `edges`.
fn reaching(edges: &[GraphEdge], end: Node) -> FxIndexSet<Node> {
    let mut nodes = FxIndexSet::from_iter([end]);
    let mut next = 0;
    while let Some(node) = nodes.get_index(next).copied() {
        next += 1;
        nodes.extend(edges.iter().filter(|edge| edge.target == node).map(|edge| edge.source));
    }
    nodes
}

/// The edges that can be taken from `start` before `end` is reached.
fn leaving(edges: &[GraphEdge], start: Node, end: Node) -> Vec<&GraphEdge> {
    let mut nodes = FxIndexSet::from_iter([start]);
    let (mut found, mut next) = (Vec::new(), 0);
    while let Some(node) = nodes.get_index(next).copied() {
        next += 1;
        for edge in edges.iter().filter(|edge| edge.source == node && node != end) {
            found.push(edge);
            nodes.insert(edge.target);
        }
    }
    found
}

fn assumed(step: &Step) -> Option<&Condition> {
    match step {
        Step::Assume(condition) => Some(condition),
        _ => None,
    }
}
