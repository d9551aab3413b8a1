//! An automaton as domains see it: edges as guarded simultaneous assignments.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use thetis_base::IndexVec;
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Executed, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{Chain, Step};

/// One edge: if `condition` holds, each variable gets the value of its term in `next`, all at once. Both are over current
/// variables and the inputs of the edge.
pub struct Action {
    /// The edge.
    pub edge: EdgeId,
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// Under which condition it can be taken.
    pub condition: ExprId,
    /// The terms of the variables afterwards.
    pub next: SymbolicState,
    /// The same as conjuncts, changed variables and inputs.
    pub step: Rc<Step>,
    /// The record of inputs, from which a concrete step can be read.
    pub executed: Executed,
}

/// All edges of an automaton.
pub struct Program {
    /// The edges.
    pub actions: IndexVec<EdgeId, Action>,
    /// Which edges leave a location.
    pub graph: Graph,
    /// The least number of edges from each location to an error location; `u32::MAX` if there is no way.
    pub distances: IndexVec<LocId, u32>,
    /// Whether a back edge leads to a location.
    pub is_head: IndexVec<LocId, bool>,
}

impl Program {
    /// The edges of the automaton of `task`.
    pub fn new(task: &Task<Cfa>) -> Program {
        let mut inventor = Inventor::default();
        let start = SymbolicState::new(&task.model.vars, |var| task.store.var_expr(var));
        let vars: FxHashSet<VarId> = task.model.vars.iter().copied().collect();
        let edges = task.model.edges.indices();
        let actions = edges.map(|edge| action(task, edge, &start, &vars, &mut inventor)).collect();
        let graph = Graph::new(&task.model);
        let distances = distances(&task.model, &graph);
        let mut is_head: IndexVec<LocId, bool> = task.model.locations.iter().map(|_| false).collect();
        graph.back_edges().for_each(|edge| is_head[task.model.edges[edge].target] = true);
        Program { actions, graph, distances, is_head }
    }

    /// The path of `edges` as a chain that should be infeasible.
    pub fn chain(&self, store: &Store, edges: &[EdgeId]) -> Chain {
        let steps = edges.iter().map(|edge| self.actions[*edge].step.clone()).collect();
        let is_head = |(_, edge): &(usize, &EdgeId)| self.is_head[self.actions[**edge].source];
        let heads = edges.iter().enumerate().filter(is_head).map(|(point, _)| point).collect();
        Chain { heads, ..Chain::infeasible(store, steps) }
    }
}

fn action(
    task: &Task<Cfa>,
    id: EdgeId,
    start: &SymbolicState,
    vars: &FxHashSet<VarId>,
    inventor: &mut Inventor,
) -> Action {
    let (store, edge) = (&task.store, &task.model.edges[id]);
    let mut next = start.clone();
    let executed = next.execute(store, &edge.stmt, inventor);
    let condition = executed.condition;
    let changed = next.changes(&task.model.vars, start);
    // Inputs are the versions that symbolic execution invented; variables of the model are current ones.
    let mut inputs = store.vars_of(changed.iter().map(|(_, term)| *term).chain([condition]));
    inputs.retain(|var| !vars.contains(var));
    let step = Rc::new(Step { conjuncts: store.conjuncts(condition), next: changed, inputs });
    let (source, target) = (edge.source, edge.target);
    Action { edge: id, source, target, condition, next, step, executed }
}

fn distances(cfa: &Cfa, graph: &Graph) -> IndexVec<LocId, u32> {
    let mut distances: IndexVec<LocId, u32> = cfa.locations.iter().map(|_| u32::MAX).collect();
    let mut queue: VecDeque<(LocId, u32)> = cfa.errors.iter().map(|error| (*error, 0)).collect();
    while let Some((location, distance)) = queue.pop_front() {
        if distances[location] == u32::MAX {
            distances[location] = distance;
            queue.extend(graph.incoming(location).iter().map(|edge| (cfa.edges[*edge].source, distance + 1)));
        }
    }
    distances
}
