//! Edges as guarded simultaneous assignments.

use rustc_hash::FxHashSet;
use thetis_base::IndexVec;
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Executed, Inventor, LocId, SymbolicState};

/// One edge: if `condition` holds, each variable gets its term in `next`, all at once. Both are over variables of the
/// automaton and inputs of the edge.
pub(super) struct Transition {
    pub(super) source: LocId,
    pub(super) target: LocId,
    pub(super) condition: ExprId,
    next: SymbolicState,
    /// The record of inputs, from which a concrete step can be read.
    pub(super) executed: Executed,
    /// The variables that the edge assigns.
    pub(super) assigned: FxHashSet<VarId>,
}

/// The transitions of all edges of `task`.
pub(super) fn transitions(task: &Task<Cfa>) -> IndexVec<EdgeId, Transition> {
    let store = &task.store;
    let mut inventor = Inventor::default();
    let start = SymbolicState::new(&task.model.vars, |var| store.var_expr(var));
    let transition = |edge: &thetis_model::cfa::Edge| {
        let mut next = start.clone();
        let executed = next.execute(store, &edge.stmt, &mut inventor);
        let assigned = next.changes(&task.model.vars, &start).into_iter().map(|(var, _)| var).collect();
        let (source, target, condition) = (edge.source, edge.target, executed.condition);
        Transition { source, target, condition, next, executed, assigned }
    };
    task.model.edges.iter().map(transition).collect()
}

impl Transition {
    /// What has to hold before the edge, its condition aside, for `formula` to hold after it.
    pub(super) fn before(&self, store: &Store, formula: ExprId) -> ExprId {
        self.next.substitute(store, formula)
    }

    /// The term of `var` after the edge.
    pub(super) fn value_of(&self, var: VarId) -> ExprId {
        self.next.get(var)
    }

    /// Whether the edge leaves all of `vars` unchanged.
    pub(super) fn keeps(&self, vars: &[VarId]) -> bool {
        vars.iter().all(|var| !self.assigned.contains(var))
    }
}
