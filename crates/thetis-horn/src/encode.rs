//! Automata as Horn clauses.
//!
//! Every location from which an error location can be reached has a relation: the states in which a run can be there. Runs
//! start in the initial location with any values; an edge takes the states of its source to its target; an edge into an
//! error location must not be taken at all. So the solutions of the clauses are the maps of location invariants that
//! exclude all errors, and clauses without solution mean that an error is reachable.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{HornClause, HornSystem, Step};

/// Clauses about the locations of an automaton.
pub struct Encoding {
    /// The clauses.
    pub system: HornSystem,
    /// The location of each relation.
    pub locations: Vec<LocId>,
}

impl Encoding {
    /// The invariants that a solution says; locations without relation cannot lead to an error.
    pub fn invariants(&self, solution: Vec<ExprId>) -> BTreeMap<LocId, ExprId> {
        self.locations.iter().copied().zip(solution).collect()
    }
}

/// The clauses whose solutions show that `task` is safe.
pub fn encode(task: &Task<Cfa>) -> Encoding {
    let cfa = &task.model;
    let graph = Graph::towards_errors(cfa);
    let is_inner = |location: &LocId| !cfa.is_error(*location);
    let locations: Vec<LocId> = graph.topological_order().iter().copied().filter(is_inner).collect();
    let relations: BTreeMap<LocId, usize> =
        locations.iter().enumerate().map(|(number, location)| (*location, number)).collect();
    let mut clauses = Vec::new();
    // Without relation, the initial location is an error location, or no error can be reached from it.
    if relations.contains_key(&cfa.initial) || cfa.is_error(cfa.initial) {
        let head = relations.get(&cfa.initial).copied();
        clauses.push(HornClause { body: None, step: Rc::default(), head });
    }
    let vars: FxHashSet<VarId> = cfa.vars.iter().copied().collect();
    let mut inventor = Inventor::default();
    for (location, relation) in &relations {
        for edge in graph.outgoing(*location) {
            let head = relations.get(&cfa.edges[*edge].target).copied();
            let step = Rc::new(step(task, *edge, &vars, &mut inventor));
            clauses.push(HornClause { body: Some(*relation), step, head });
        }
    }
    Encoding { system: HornSystem { num_relations: locations.len(), clauses }, locations }
}

/// What happens on an edge, as a guarded simultaneous assignment.
fn step(task: &Task<Cfa>, edge: EdgeId, vars: &FxHashSet<VarId>, inventor: &mut Inventor) -> Step {
    let store = &task.store;
    let before = SymbolicState::new(&task.model.vars, |var| store.var_expr(var));
    let mut behind = before.clone();
    let condition = behind.execute(store, &task.model.edges[edge].stmt, inventor).condition;
    let next = behind.changes(&task.model.vars, &before);
    let mut inputs = store.vars_of(next.iter().map(|(_, term)| *term).chain([condition]));
    inputs.retain(|var| !vars.contains(var));
    Step { conjuncts: store.conjuncts(condition), next, inputs }
}
