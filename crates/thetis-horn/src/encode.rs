//! Automata as Horn clauses.
//!
//! Every location from which an error location can be reached has a relation: the states in which a run can arrive there.
//! Runs start in the initial location with any values; an edge takes the states of its source to its target; an edge into
//! an error location must not be taken at all. So the solutions of the clauses are the maps of location invariants that
//! exclude all errors, and clauses without solution mean that an error is reachable.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{HornClause, HornSystem, Neighbour, Step};

/// Clauses about the locations of an automaton.
pub struct Encoding {
    /// The clauses.
    pub system: HornSystem,
    /// The location of each relation.
    pub locations: Vec<LocId>,
}

/// What the clause of an edge says about it.
pub(crate) struct EdgeClause {
    /// The step from the state before the edge.
    pub(crate) step: Step,
    /// Other states about which something is known before the edge.
    pub(crate) neighbours: Vec<Neighbour>,
}

impl Encoding {
    /// The clauses of the edges between locations that lead to errors; `clause` says what happens on an edge.
    pub(crate) fn new(cfa: &Cfa, mut clause: impl FnMut(EdgeId) -> EdgeClause) -> Encoding {
        let graph = Graph::towards_errors(cfa);
        let is_inner = |location: &LocId| !cfa.is_error(*location);
        let locations: Vec<LocId> = graph.topological_order().iter().copied().filter(is_inner).collect();
        let relations: BTreeMap<LocId, usize> =
            locations.iter().enumerate().map(|(number, location)| (*location, number)).collect();
        let mut clauses = Vec::new();
        // Without relation, the initial location is an error location, or no error can be reached from it.
        if relations.contains_key(&cfa.initial) || cfa.is_error(cfa.initial) {
            let head = relations.get(&cfa.initial).copied();
            clauses.push(HornClause { body: None, neighbours: Vec::new(), step: Rc::default(), head });
        }
        for (location, relation) in &relations {
            for edge in graph.outgoing(*location) {
                let head = relations.get(&cfa.edges[*edge].target).copied();
                let EdgeClause { step, neighbours } = clause(*edge);
                clauses.push(HornClause { body: Some(*relation), neighbours, step: Rc::new(step), head });
            }
        }
        Encoding { system: HornSystem { num_relations: locations.len(), clauses }, locations }
    }

    /// The invariants of a solution; locations without a relation cannot lead to an error.
    pub fn invariants(&self, solution: Vec<ExprId>) -> BTreeMap<LocId, ExprId> {
        self.locations.iter().copied().zip(solution).collect()
    }
}

/// The clauses whose solutions show that `task` is safe.
pub fn encode(task: &Task<Cfa>) -> Encoding {
    let vars: FxHashSet<VarId> = task.model.vars.iter().copied().collect();
    let mut inventor = Inventor::default();
    Encoding::new(&task.model, |edge| {
        let Effect { condition, next } = Effect::of(task, edge, &mut inventor);
        let mut inputs = task.store.vars_of(next.iter().map(|(_, term)| *term).chain([condition]));
        inputs.retain(|var| !vars.contains(var));
        let step = Step { conjuncts: task.store.conjuncts(condition), next, inputs };
        EdgeClause { step, neighbours: Vec::new() }
    })
}

/// What happens on an edge: a guarded simultaneous assignment.
pub(crate) struct Effect {
    /// When it can be taken.
    pub(crate) condition: ExprId,
    /// The variables that change, with their new values.
    pub(crate) next: Vec<(VarId, ExprId)>,
}

impl Effect {
    /// Of `edge`.
    pub(crate) fn of(task: &Task<Cfa>, edge: EdgeId, inventor: &mut Inventor) -> Effect {
        let store = &task.store;
        let before = SymbolicState::new(&task.model.vars, |var| store.var_expr(var));
        let mut after = before.clone();
        let condition = after.execute(store, &task.model.edges[edge].stmt, inventor).condition;
        Effect { condition, next: after.changes(&task.model.vars, &before) }
    }
}
