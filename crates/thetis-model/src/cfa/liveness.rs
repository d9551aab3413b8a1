//! Live variables: which values can still influence where a run goes.
//!
//! A variable is live at a location if an assumption further on may read its value, or an assignment to a variable that
//! is live after it. Assignments to other variables do not count as reading, so a counter that only counts itself is
//! never live.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, VarId};

use super::var_set::VarSet;
use super::{Cfa, Graph, LocId, Stmt, StmtKind};
use crate::Task;

/// The variables whose initial values can influence where a run goes.
pub fn live_at_start(task: &Task<Cfa>, run: &Run) -> Result<Vec<VarId>, Stop> {
    let liveness = Liveness::new(&task.store, &task.model, run)?;
    let live = liveness.at(task.model.initial);
    let vars = task.model.vars.iter().enumerate();
    Ok(vars.filter(|(position, _)| live.contains(*position)).map(|(_, var)| *var).collect())
}

/// The live variables at each location.
pub(super) struct Liveness<'t> {
    store: &'t Store,
    positions: FxHashMap<VarId, usize>,
    read_by: FxHashMap<ExprId, Rc<[usize]>>,
    live: IndexVec<LocId, VarSet>,
}

impl<'t> Liveness<'t> {
    pub(super) fn new(store: &'t Store, cfa: &Cfa, run: &Run) -> Result<Liveness<'t>, Stop> {
        let positions = cfa.vars.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        let none = VarSet::none(cfa.vars.len());
        let live = cfa.locations.iter().map(|_| none.clone()).collect();
        let mut liveness = Liveness { store, positions, read_by: FxHashMap::default(), live };
        liveness.find_all(cfa, run)?;
        Ok(liveness)
    }

    /// Goes from targets to sources until nothing changes, last locations first: what follows a location is done before it, but
    /// for loops.
    fn find_all(&mut self, cfa: &Cfa, run: &Run) -> Result<(), Stop> {
        let graph = Graph::new(cfa);
        // Locations that no run visits come last.
        let mut ranks: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| 0).collect();
        for (rank, location) in graph.topological_order().iter().enumerate() {
            ranks[*location] = rank + 1;
        }
        let mut pending: BTreeSet<(usize, LocId)> =
            ranks.iter_enumerated().map(|(location, rank)| (*rank, location)).collect();
        while let Some((_, location)) = pending.pop_last() {
            run.checkpoint()?;
            for edge in graph.incoming(location).iter().map(|edge| &cfa.edges[*edge]) {
                let before = self.before(&edge.stmt, self.live[location].clone());
                if self.live[edge.source].add_all(&before) {
                    pending.insert((ranks[edge.source], edge.source));
                }
            }
        }
        Ok(())
    }

    /// The live variables at `location`.
    pub(super) fn at(&self, location: LocId) -> &VarSet {
        &self.live[location]
    }

    /// The position of `var` in the automaton.
    pub(super) fn position(&self, var: VarId) -> usize {
        self.positions[&var]
    }

    /// The variables that are live before `stmt` if `after` are live after it.
    pub(super) fn before(&mut self, stmt: &Stmt, mut after: VarSet) -> VarSet {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => {
                let position = self.positions[var];
                if after.contains(position) {
                    after.remove(position);
                    self.read(*expr).iter().for_each(|read| after.insert(*read));
                }
                after
            }
            StmtKind::Assume(formula) => {
                self.read(*formula).iter().for_each(|read| after.insert(*read));
                after
            }
            StmtKind::Havoc(var) => {
                after.remove(self.positions[var]);
                after
            }
            StmtKind::Seq(stmts) => stmts.iter().rev().fold(after, |after, stmt| self.before(stmt, after)),
            StmtKind::Choice(stmts) => {
                let mut before = VarSet::none(self.positions.len());
                for stmt in stmts {
                    before.add_all(&self.before(stmt, after.clone()));
                }
                before
            }
        }
    }

    fn read(&mut self, expr: ExprId) -> Rc<[usize]> {
        let positions = &self.positions;
        let store = self.store;
        let read = || store.vars_of([expr]).iter().map(|var| positions[var]).collect();
        self.read_by.entry(expr).or_insert_with(read).clone()
    }
}
