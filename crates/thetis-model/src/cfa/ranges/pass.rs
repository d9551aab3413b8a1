//! The pass `ranges`: simplifies an automaton by what the ranges of its variables say.
//!
//! # Method
//! Each statement is rewritten with the ranges that hold where it is executed:
//! * a term with only one possible value becomes that value (constant propagation is a special case), so
//!   comparisons and conditions that ranges decide are gone;
//! * `t mod m` becomes `t - k * m` if `t` stays between `k * m` and `(k + 1) * m - 1`. Front ends write the wrap-around of
//!   machine integers as `mod 2^n`; where nothing wraps, plain integer arithmetic is left;
//! * edges and branches that cannot be taken go.
//!
//! # The way back
//! Under the ranges of its source, an edge does the same before and after. So a proof about the new automaton together
//! with the ranges is one about the original automaton: the lift conjoins them to the formula of every location, or gives
//! them as lemmas. The checker shows them anew, so the analysis is not trusted. Only facts that may matter are
//! conjoined: about live variables that some rewriting depends on, directly or through assignments and assumptions.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::simplify::Simplifier;
use thetis_expr::{Args, ExprId, Op, Postorder, Store, Value, VarId};

use super::eval::ranges_of;
use super::fixpoint::Transfer;
use super::state::State;
use super::{Range, RangeMap};
use crate::cfa::evidence::OTHER_RUNS;
use crate::cfa::liveness::Liveness;
use crate::cfa::var_set::VarSet;
use crate::cfa::{Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, Edge, EdgeId, LocId, Stmt, StmtKind};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Default, Debug)]
pub struct Ranges;

impl Pass<Cfa> for Ranges {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "ranges"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let ranges = RangeMap::new(&task, run)?;
        let (model, lift) = Rewriting::new(&task, ranges).apply(run)?;
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

struct Rewriting<'t> {
    task: &'t Task<Cfa>,
    ranges: RangeMap,
    simplifier: Simplifier,
    /// Terms whose ranges were used.
    used: FxHashSet<ExprId>,
}

impl<'t> Rewriting<'t> {
    fn new(task: &'t Task<Cfa>, ranges: RangeMap) -> Rewriting<'t> {
        Rewriting { task, ranges, simplifier: Simplifier::new(), used: FxHashSet::default() }
    }

    fn apply(mut self, run: &Run) -> Result<(Cfa, RangesLift), Stop> {
        let cfa = &self.task.model;
        let (mut edges, mut old_edges, mut removed) = (IndexVec::new(), IndexVec::new(), BTreeSet::new());
        for (id, edge) in cfa.edges.iter_enumerated() {
            run.checkpoint()?;
            match self.rewrite_edge(edge) {
                Some(stmt) => {
                    edges.push(Edge { stmt, ..edge.clone() });
                    old_edges.push(id);
                }
                None => {
                    removed.insert(id);
                }
            }
        }
        let model = Cfa { edges, ..cfa.clone() };
        let facts = self.facts(&removed, run)?;
        Ok((model, RangesLift { old_edges, removed, ranges: self.ranges, facts }))
    }

    /// The new statement of an edge; `None` if it cannot be taken.
    fn rewrite_edge(&mut self, edge: &Edge) -> Option<Stmt> {
        let mut state = Some(self.ranges.states[edge.source].clone()?);
        let stmt = self.rewrite(&edge.stmt, &mut state);
        state.map(|_| stmt)
    }

    /// The new statement; `state` becomes what holds after it, `None` if it cannot be executed.
    fn rewrite(&mut self, stmt: &Stmt, state: &mut Option<State>) -> Stmt {
        let Some(before) = state.as_ref() else { return stmt.clone() };
        let kind = match &stmt.kind {
            StmtKind::Assign(var, expr) => StmtKind::Assign(*var, self.rewrite_term(before, *expr)),
            StmtKind::Assume(formula) => StmtKind::Assume(self.rewrite_term(before, *formula)),
            StmtKind::Havoc(var) => StmtKind::Havoc(*var),
            StmtKind::Seq(stmts) => {
                StmtKind::Seq(stmts.iter().map(|stmt| self.rewrite(stmt, state)).collect())
            }
            StmtKind::Choice(stmts) => {
                let before = before.clone();
                let mut ends: Option<State> = None;
                let mut branches = Vec::new();
                for stmt in stmts {
                    let mut end = Some(before.clone());
                    let branch = self.rewrite(stmt, &mut end);
                    branches.push(if end.is_some() { branch } else { Stmt::assume(self.task.store.fals()) });
                    ends = match (ends, end) {
                        (Some(ends), Some(end)) => Some(ends.join(&end)),
                        (ends, end) => ends.or(end),
                    };
                }
                *state = ends;
                StmtKind::Choice(branches)
            }
        };
        if matches!(kind, StmtKind::Assign(..) | StmtKind::Assume(_) | StmtKind::Havoc(_)) {
            self.execute(stmt, state);
        }
        Stmt { kind, span: stmt.span }
    }

    /// Executes an atomic statement. That an assumption fails is something to be shown.
    fn execute(&mut self, stmt: &Stmt, state: &mut Option<State>) {
        let transfer = Transfer { store: &self.task.store, positions: &self.ranges.positions };
        *state = state.take().and_then(|state| transfer.execute(state, stmt));
        if let (None, StmtKind::Assume(formula)) = (&state, &stmt.kind) {
            self.used.insert(*formula);
        }
    }

    fn rewrite_term(&mut self, state: &State, root: ExprId) -> ExprId {
        let store = &self.task.store;
        let ranges = ranges_of(store, &self.ranges.positions, state, root);
        let mut new_terms: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut is_changed = false;
        for expr in Postorder::new(store, [root]) {
            let new = match replacement(store, expr, &ranges, &new_terms) {
                Some((new, used)) => {
                    is_changed = true;
                    self.used.insert(used);
                    new
                }
                None => {
                    let args: Args = store.args(expr).iter().map(|arg| new_terms[arg]).collect();
                    store.rebuild(expr, &args)
                }
            };
            new_terms.insert(expr, new);
        }
        let new = new_terms[&root];
        if is_changed { self.simplifier.simplify(store, new) } else { new }
    }

    /// What has to be conjoined, if anything was rewritten.
    fn facts(&self, removed: &BTreeSet<EdgeId>, run: &Run) -> Result<Option<Facts>, Stop> {
        if self.used.is_empty() && removed.is_empty() {
            return Ok(None);
        }
        let (store, cfa) = (&self.task.store, &self.task.model);
        let used = Postorder::new(store, self.used_in_order()).filter_map(|expr| store.as_var(expr));
        let relevant = influencing(store, cfa, used.collect());
        let liveness = Liveness::new(store, cfa, run)?;
        let mut positions = VarSet::none(cfa.vars.len());
        relevant.iter().for_each(|var| positions.insert(liveness.position(*var)));
        let live = cfa.locations.indices().map(|location| liveness.at(location).clone()).collect();
        Ok(Some(Facts { relevant: positions, live }))
    }

    fn used_in_order(&self) -> Vec<ExprId> {
        let mut used: Vec<ExprId> = self.used.iter().copied().collect();
        used.sort_unstable();
        used
    }
}

/// What a term is replaced by because of the ranges of its parts, and the term whose range says so.
fn replacement(
    store: &Store,
    expr: ExprId,
    ranges: &FxHashMap<ExprId, Range>,
    new_terms: &FxHashMap<ExprId, ExprId>,
) -> Option<(ExprId, ExprId)> {
    if store.is_literal(expr) {
        return None;
    }
    if let Some(value) = ranges[&expr].single() {
        return Some((store.literal(value), expr));
    }
    if store.op(expr) != Op::Mod {
        return None;
    }
    let (dividend, divisor) = (store.arg(expr, 0), store.arg(expr, 1));
    let (Range::Int(range), Some(Value::Int(size))) = (&ranges[&dividend], store.value(divisor)) else {
        return None;
    };
    let block = (size > 0.into()).then(|| range.block(&size)).flatten()?;
    Some((store.sub(new_terms[&dividend], store.int(block * size)), dividend))
}

/// The variables on which the ranges of `vars` depend, through assignments to them and assumptions about them.
fn influencing(store: &Store, cfa: &Cfa, mut vars: FxHashSet<VarId>) -> FxHashSet<VarId> {
    let mut assigned: FxHashMap<VarId, Vec<ExprId>> = FxHashMap::default();
    let mut assumed: FxHashMap<VarId, Vec<ExprId>> = FxHashMap::default();
    for stmt in cfa.edges.iter().flat_map(|edge| edge.stmt.walk()) {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => assigned.entry(*var).or_default().push(*expr),
            StmtKind::Assume(formula) => {
                for var in store.vars_of([*formula]) {
                    assumed.entry(var).or_default().push(*formula);
                }
            }
            _ => {}
        }
    }
    let mut done: FxHashSet<ExprId> = FxHashSet::default();
    let mut pending: Vec<VarId> = vars.iter().copied().collect();
    while let Some(var) = pending.pop() {
        let terms = [&assigned, &assumed].into_iter().filter_map(|terms| terms.get(&var)).flatten();
        for influence in store.vars_of(terms.copied().filter(|term| done.insert(*term))) {
            if vars.insert(influence) {
                pending.push(influence);
            }
        }
    }
    vars
}

/// Which facts are conjoined.
struct Facts {
    relevant: VarSet,
    live: IndexVec<LocId, VarSet>,
}

impl Facts {
    /// The positions of the variables whose ranges may matter at `location`.
    fn at(&self, location: LocId) -> impl Iterator<Item = usize> + '_ {
        self.live[location].both(&self.relevant)
    }
}

struct RangesLift {
    old_edges: IndexVec<EdgeId, EdgeId>,
    removed: BTreeSet<EdgeId>,
    ranges: RangeMap,
    facts: Option<Facts>,
}

impl Lift<Cfa, Cfa> for RangesLift {
    fn trace(&self, mut trace: CfaTrace) -> CfaTrace {
        for step in &mut trace.steps {
            step.edge = self.old_edges[step.edge];
        }
        trace
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        let old_edges = |edges: BTreeSet<EdgeId>| edges.into_iter().map(|edge| self.old_edges[edge]);
        let lift = |invariants: CfaInvariants| CfaInvariants {
            cells: invariants.cells_in(&task.store, inner),
            formulas: self.with_facts(task, inner, invariants.formulas),
            derived: invariants.derived,
            blocked: old_edges(invariants.blocked).chain(self.removed.iter().copied()).collect(),
        };
        Evidence::Given(match proof {
            CfaProof::Invariants(invariants) => CfaProof::Invariants(lift(invariants)),
            CfaProof::Unwinding(unwinding) => CfaProof::Unwinding(CfaUnwinding {
                cuts: old_edges(unwinding.cuts).collect(),
                lemmas: lift(unwinding.lemmas),
                ..unwinding
            }),
            CfaProof::Exhaustion { .. } => return Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => CfaProof::Contracts(proof.at_home(&task.store, inner)),
        })
    }
}

impl RangesLift {
    fn with_facts(
        &self,
        task: &Task<Cfa>,
        inner: &Store,
        formulas: BTreeMap<LocId, ExprId>,
    ) -> BTreeMap<LocId, ExprId> {
        let store = &task.store;
        let mut all: BTreeMap<LocId, ExprId> =
            formulas.into_iter().map(|(at, formula)| (at, store.import(inner, formula))).collect();
        let Some(facts) = &self.facts else { return all };
        for location in task.model.locations.indices() {
            let known = store.and_all(self.ranges.facts_at(store, location, facts.at(location)));
            if known != store.tru() {
                let formula = all.entry(location).or_insert(store.tru());
                *formula = store.and(*formula, known);
            }
        }
        all
    }
}
