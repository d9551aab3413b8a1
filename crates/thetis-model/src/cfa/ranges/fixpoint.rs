//! The analysis: ranges at all locations.
//!
//! States flow along edges until nothing changes, locations in the order in which runs meet them first. Where a cycle
//! closes (the targets of back edges), a state that still grows after a few visits is widened: bounds that moved jump to
//! the next number that occurs in the automaton, later to infinity. Then a few rounds of descent take back what was
//! widened too far: recomputing all states from their predecessors can only shrink them, and each
//! round by itself is a sound result (Cousot and Cousot 1977).

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Postorder, Store, Value};

use super::eval::{Positions, range_of};
use super::refine::assume;
use super::state::State;
use crate::Task;
use crate::cfa::{Cfa, EdgeId, Graph, LocId, Stmt, StmtKind};

/// How often the state of a location may grow freely, and how often up to the next threshold.
const FREE_VISITS: u32 = 2;
const THRESHOLD_VISITS: u32 = 12;
/// How often all states are recomputed at the end.
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
                ends.reduce(|left, right| left.join(&right).0)
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
    fixpoint.ascend(run)?;
    for _ in 0..DESCENTS {
        fixpoint.descend(run)?;
    }
    Ok(fixpoint.states)
}

struct Fixpoint<'t> {
    cfa: &'t Cfa,
    graph: Graph,
    transfer: Transfer<'t>,
    thresholds: BTreeSet<BigInt>,
    /// The place of each location in the order.
    ranks: IndexVec<LocId, usize>,
    is_head: IndexVec<LocId, bool>,
    visits: IndexVec<LocId, u32>,
    states: IndexVec<LocId, Option<State>>,
}

impl<'t> Fixpoint<'t> {
    fn new(task: &'t Task<Cfa>, positions: &'t Positions) -> Fixpoint<'t> {
        let cfa = &task.model;
        let graph = Graph::new(cfa);
        let mut ranks: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| 0).collect();
        for (rank, location) in graph.topological_order().iter().enumerate() {
            ranks[*location] = rank;
        }
        let mut is_head: IndexVec<LocId, bool> = cfa.locations.iter().map(|_| false).collect();
        graph.back_edges().for_each(|edge| is_head[cfa.edges[edge].target] = true);
        let mut states: IndexVec<LocId, Option<State>> = cfa.locations.iter().map(|_| None).collect();
        states[cfa.initial] = Some(State::all(cfa.vars.len()));
        Fixpoint {
            cfa,
            graph,
            transfer: Transfer { store: &task.store, positions },
            thresholds: thresholds(&task.store, cfa),
            ranks,
            is_head,
            visits: cfa.locations.iter().map(|_| 0).collect(),
            states,
        }
    }

    fn ascend(&mut self, run: &Run) -> Result<(), Stop> {
        let order = self.graph.topological_order().to_vec();
        let mut pending: BTreeSet<usize> = BTreeSet::from([self.ranks[self.cfa.initial]]);
        while let Some(rank) = pending.pop_first() {
            run.checkpoint()?;
            for edge in self.graph.outgoing(order[rank]).to_vec() {
                if self.follow(edge) {
                    pending.insert(self.ranks[self.cfa.edges[edge].target]);
                }
            }
        }
        Ok(())
    }

    /// Carries the state of the source over `edge`; whether that changed the state of the target.
    fn follow(&mut self, edge: EdgeId) -> bool {
        let edge = &self.cfa.edges[edge];
        let Some(state) = self.states[edge.source].clone() else { return false };
        let Some(arriving) = self.transfer.execute(state, &edge.stmt) else { return false };
        let Some(old) = &self.states[edge.target] else {
            self.states[edge.target] = Some(arriving);
            return true;
        };
        let (joined, has_grown) = old.join(&arriving);
        if !has_grown {
            return false;
        }
        let new = if self.is_head[edge.target] { self.widened(edge.target, old, joined) } else { joined };
        self.visits[edge.target] += 1;
        self.states[edge.target] = Some(new);
        true
    }

    fn widened(&self, location: LocId, old: &State, joined: State) -> State {
        match self.visits[location] {
            0..FREE_VISITS => joined,
            FREE_VISITS..THRESHOLD_VISITS => old.widen(&joined, &self.thresholds),
            _ => old.widen(&joined, &BTreeSet::new()),
        }
    }

    fn descend(&mut self, run: &Run) -> Result<(), Stop> {
        for location in self.graph.topological_order().to_vec() {
            run.checkpoint()?;
            let is_initial = location == self.cfa.initial;
            let mut state = is_initial.then(|| State::all(self.cfa.vars.len()));
            for edge in self.graph.incoming(location) {
                let edge = &self.cfa.edges[*edge];
                let source = self.states[edge.source].clone();
                let arriving = source.and_then(|source| self.transfer.execute(source, &edge.stmt));
                state = match (state, arriving) {
                    (Some(state), Some(arriving)) => Some(state.join(&arriving).0),
                    (state, arriving) => state.or(arriving),
                };
            }
            self.states[location] = state;
        }
        Ok(())
    }
}

/// The numbers of the automaton and their neighbours: bounds of loops are among them.
fn thresholds(store: &Store, cfa: &Cfa) -> BTreeSet<BigInt> {
    let stmts = cfa.edges.iter().flat_map(|edge| edge.stmt.walk());
    let roots = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(_, expr) | StmtKind::Assume(expr) => Some(*expr),
        _ => None,
    });
    let mut thresholds = BTreeSet::new();
    for value in Postorder::new(store, roots.collect::<Vec<_>>()).filter_map(|expr| store.value(expr)) {
        let numbers = match value {
            Value::Int(number) => vec![number],
            Value::BitVec(bits) => vec![bits.unsigned().clone().into(), bits.signed()],
            _ => Vec::new(),
        };
        for number in numbers {
            thresholds.extend([&number - 1, number.clone(), number + 1]);
        }
    }
    thresholds
}
