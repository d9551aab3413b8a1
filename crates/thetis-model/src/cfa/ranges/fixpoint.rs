//! The analysis: ranges at all locations.
//!
//! States flow along edges until nothing changes, one strongly connected component after the other, inner loops before
//! what follows them ([`WeakOrder`]). At the heads of loops a state that still grows along back edges after a few visits is widened: a
//! bound that moved jumps to the next number that stands beside its variable in some statement, later to infinity. What grows because
//! an inner loop is entered anew is not widened there: the outer loop sees to it, and a descent could not take it back.
//! When a component is stable, a few rounds of descent take back what was widened too far: recomputing all states from
//! their predecessors can only shrink them, and each round by itself is a sound result (Cousot and Cousot 1977). Only
//! then is the component left, because what flows into the next loop does not shrink any more.

use std::collections::BTreeSet;
use std::ops::Range;

use num_bigint::BigInt;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Postorder, Store, Value};

use super::eval::{Positions, range_of};
use super::refine::assume;
use super::state::{Joins, State, Widenings};
use crate::Task;
use crate::cfa::{Cfa, EdgeId, Graph, LocId, Stmt, StmtKind, WeakOrder};

/// How often the state of a location may grow freely, and how often up to the next threshold.
const FREE_VISITS: u32 = 2;
const THRESHOLD_VISITS: u32 = 12;
/// How many numbers of one statement are thresholds.
const MAX_NUMBERS: usize = 60;
/// How often all states of a component are recomputed at the end.
const DESCENTS: usize = 2;

/// Executes statements on states.
pub(super) struct Transfer<'t> {
    pub(super) store: &'t Store,
    pub(super) positions: &'t Positions,
}

impl Transfer<'_> {
    /// The state after `stmt`; `None` if it cannot be executed.
    pub(super) fn execute(&self, state: State, stmt: &Stmt) -> Option<State> {
        match &stmt.kind {
            StmtKind::Seq(stmts) => stmts.iter().try_fold(state, |state, stmt| self.execute(state, stmt)),
            StmtKind::Choice(stmts) => {
                let ends = stmts.iter().filter_map(|stmt| self.execute(state.clone(), stmt));
                ends.reduce(|left, right| left.join(&right))
            }
            StmtKind::Assume(formula) => assume(self.store, self.positions, state, *formula, true),
            StmtKind::Assign(var, expr) => {
                let mut state = state;
                let range = range_of(self.store, self.positions, &state, *expr);
                state.set(self.positions[var], known(range, self.store, *expr));
                Some(state)
            }
            StmtKind::Havoc(var) => {
                let mut state = state;
                state.set(self.positions[var], None);
                Some(state)
            }
        }
    }
}

/// A range that says nothing is not kept.
fn known(range: super::Range, store: &Store, expr: ExprId) -> Option<super::Range> {
    (range != super::Range::all(store.sort(expr))).then_some(range)
}

/// The states of all locations; `None` where no run arrives.
pub(super) fn states(
    task: &Task<Cfa>,
    positions: &Positions,
    run: &Run,
) -> Result<IndexVec<LocId, Option<State>>, Stop> {
    let mut fixpoint = Fixpoint::new(task, positions);
    for component in fixpoint.weak.components.clone() {
        fixpoint.ascend(&component, run)?;
        if fixpoint.weak.is_head(fixpoint.weak.order[component.start]) {
            for _ in 0..DESCENTS {
                fixpoint.descend(&component, run)?;
            }
        }
        fixpoint.leave(&component);
    }
    Ok(fixpoint.states)
}

struct Fixpoint<'t> {
    cfa: &'t Cfa,
    graph: Graph,
    transfer: Transfer<'t>,
    joins: Joins,
    /// Up to the numbers that stand beside a variable, and for good.
    to_thresholds: Widenings,
    to_infinity: Widenings,
    weak: WeakOrder,
    /// The place of each location in the order.
    ranks: IndexVec<LocId, usize>,
    visits: IndexVec<LocId, u32>,
    states: IndexVec<LocId, Option<State>>,
}

impl<'t> Fixpoint<'t> {
    fn new(task: &'t Task<Cfa>, positions: &'t Positions) -> Fixpoint<'t> {
        let cfa = &task.model;
        let graph = Graph::new(cfa);
        let mut ranks: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| 0).collect();
        let weak = WeakOrder::new(cfa, &graph);
        for (rank, location) in weak.order.iter().enumerate() {
            ranks[*location] = rank;
        }
        let mut states: IndexVec<LocId, Option<State>> = cfa.locations.iter().map(|_| None).collect();
        states[cfa.initial] = Some(State::unknown(cfa.vars.len()));
        Fixpoint {
            cfa,
            graph,
            transfer: Transfer { store: &task.store, positions },
            joins: Joins::default(),
            to_thresholds: Widenings::new(thresholds(&task.store, cfa, positions)),
            to_infinity: Widenings::new(Vec::new()),
            weak,
            ranks,
            visits: cfa.locations.iter().map(|_| 0).collect(),
            states,
        }
    }

    /// Makes a component stable.
    fn ascend(&mut self, component: &Range<usize>, run: &Run) -> Result<(), Stop> {
        let mut pending: BTreeSet<usize> = component.clone().collect();
        while let Some(rank) = pending.pop_first() {
            run.checkpoint()?;
            for edge in self.graph.outgoing(self.weak.order[rank]).to_vec() {
                let target = self.cfa.edges[edge].target;
                if component.contains(&self.ranks[target]) && self.follow(edge, Inside::Yes) {
                    pending.insert(self.ranks[target]);
                }
            }
        }
        Ok(())
    }

    /// Carries the states of a component over the edges that leave it.
    fn leave(&mut self, component: &Range<usize>) {
        for rank in component.clone() {
            let location = self.weak.order[rank];
            for edge in self.graph.outgoing(location).to_vec() {
                if !component.contains(&self.ranks[self.cfa.edges[edge].target]) {
                    self.follow(edge, Inside::No);
                }
            }
        }
    }

    /// Carries the state of the source over `edge`; whether that changed the state of the target.
    fn follow(&mut self, edge: EdgeId, inside: Inside) -> bool {
        let edge = &self.cfa.edges[edge];
        let Some(state) = self.states[edge.source].clone() else { return false };
        let Some(arriving) = self.transfer.execute(state, &edge.stmt) else { return false };
        let Some(old) = self.states[edge.target].clone() else {
            self.states[edge.target] = Some(arriving);
            return true;
        };
        let joined = self.joins.join(&old, &arriving);
        if old.is_same(&joined) {
            return false;
        }
        let is_back = self.ranks[edge.source] >= self.ranks[edge.target];
        let may_widen = inside == Inside::Yes && is_back && self.weak.is_head(edge.target);
        let new = if may_widen { self.widened(edge.target, &old, joined) } else { joined };
        self.visits[edge.target] += u32::from(may_widen);
        self.states[edge.target] = Some(new);
        true
    }

    fn widened(&mut self, location: LocId, old: &State, joined: State) -> State {
        match self.visits[location] {
            0..FREE_VISITS => joined,
            FREE_VISITS..THRESHOLD_VISITS => self.to_thresholds.widen(old, &joined),
            _ => self.to_infinity.widen(old, &joined),
        }
    }

    fn descend(&mut self, component: &Range<usize>, run: &Run) -> Result<(), Stop> {
        for rank in component.clone() {
            let location = self.weak.order[rank];
            run.checkpoint()?;
            let is_initial = location == self.cfa.initial;
            let mut state = is_initial.then(|| State::unknown(self.cfa.vars.len()));
            for edge in self.graph.incoming(location) {
                let edge = &self.cfa.edges[*edge];
                let source = self.states[edge.source].clone();
                let arriving = source.and_then(|source| self.transfer.execute(source, &edge.stmt));
                state = match (state, arriving) {
                    (Some(state), Some(arriving)) => Some(self.joins.join(&state, &arriving)),
                    (state, arriving) => state.or(arriving),
                };
            }
            self.states[location] = state;
        }
        Ok(())
    }
}

/// Whether an edge stays in the component that is being made stable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Yes,
    No,
}

/// For each variable the numbers, and their neighbours, of the statements that mention it: bounds of loops are among
/// them.
fn thresholds(store: &Store, cfa: &Cfa, positions: &Positions) -> Vec<BTreeSet<BigInt>> {
    let mut thresholds = vec![BTreeSet::new(); cfa.vars.len()];
    for stmt in cfa.edges.iter().flat_map(|edge| edge.stmt.walk()) {
        let (target, expr) = match &stmt.kind {
            StmtKind::Assign(var, expr) => (Some(*var), *expr),
            StmtKind::Assume(formula) => (None, *formula),
            _ => continue,
        };
        let numbers: Vec<BigInt> = Postorder::new(store, [expr])
            .filter_map(|expr| store.value(expr))
            .flat_map(|value| numbers_of(&value))
            .take(MAX_NUMBERS)
            .collect();
        for var in store.vars_of([expr]).into_iter().chain(target) {
            thresholds[positions[&var]].extend(numbers.iter().cloned());
        }
    }
    thresholds
}

fn numbers_of(value: &Value) -> Vec<BigInt> {
    let numbers = match value {
        Value::Int(number) => vec![number.clone()],
        Value::BitVec(bits) => vec![bits.unsigned().clone().into(), bits.signed()],
        _ => Vec::new(),
    };
    numbers.into_iter().flat_map(|number| [&number - 1, number.clone(), number + 1]).collect()
}
