//! An automaton as domains see it: edges as guarded simultaneous assignments.

use std::collections::VecDeque;

use thetis_base::IndexVec;
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Executed, Graph, Inventor, LocId, SymbolicState};

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
    /// The conjuncts of the condition.
    pub conjuncts: Vec<ExprId>,
    /// The terms of the variables afterwards.
    pub next: SymbolicState,
    /// The variables that stand for inputs.
    pub inputs: Vec<VarId>,
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
}

impl Program {
    /// The edges of the automaton of `task`.
    pub fn new(task: &Task<Cfa>) -> Program {
        let mut inventor = Inventor::default();
        let start = SymbolicState::new(&task.model.vars, |var| task.store.var_expr(var));
        let actions =
            task.model.edges.indices().map(|edge| action(task, edge, &start, &mut inventor)).collect();
        let graph = Graph::new(&task.model);
        let distances = distances(&task.model, &graph);
        Program { actions, graph, distances }
    }
}

fn action(task: &Task<Cfa>, id: EdgeId, start: &SymbolicState, inventor: &mut Inventor) -> Action {
    let (store, edge) = (&task.store, &task.model.edges[id]);
    let mut next = start.clone();
    let executed = next.execute(store, &edge.stmt, inventor);
    let condition = executed.condition;
    let terms = next.terms().iter().copied().chain([condition]);
    let inputs = inputs_of(store, &task.model, terms);
    let (source, target) = (edge.source, edge.target);
    Action {
        edge: id,
        source,
        target,
        condition,
        conjuncts: store.conjuncts(condition),
        next,
        inputs,
        executed,
    }
}

/// Inputs are the versions that symbolic execution invented; variables of the model are current ones.
fn inputs_of(store: &Store, cfa: &Cfa, terms: impl Iterator<Item = ExprId>) -> Vec<VarId> {
    let vars = store.vars_of(terms);
    vars.into_iter().filter(|var| !cfa.vars.contains(var)).collect()
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
