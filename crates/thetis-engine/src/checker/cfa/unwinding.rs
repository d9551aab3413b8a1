//! Complete unwindings of automata whose runs take boundedly many back edges.
//!
//! The automaton is unrolled into a graph without cycles: one copy of each location for each number of back edges
//! taken so far. Each copy has its own version of every variable and a truth value `at`; `at` implies that some edge
//! into the copy was taken, from a copy where control was, and that its statement leads from the values there to the
//! values here. The proof is accepted iff no model of all this is at an error location or can take a back edge out of
//! the last round.

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Run};
use thetis_expr::{ExprId, Sort, Store, Substitution, VarId, Version};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, LocId};
use thetis_solver::{Solver, SolverFactory};

use super::super::{CheckError, is_unsatisfiable};
use super::precondition::Precondition;
use super::{Outcome, Rejection};

pub(super) fn check(task: &Task<Cfa>, bound: u32, solvers: &dyn SolverFactory, run: &Run) -> Outcome {
    if task.model.is_error(task.model.initial) {
        return Ok(Some(Rejection::Initiation));
    }
    let mut solver = solvers.start(run)?;
    let mut unwinding = Unwinding::new(task);
    for round in 0..=bound {
        run.checkpoint()?;
        unwinding.assert_round(round, &mut *solver)?;
    }
    let violated = unwinding.store.or_all(unwinding.violations.iter().copied().chain(unwinding.beyond()));
    if is_unsatisfiable(&mut *solver, unwinding.store, violated, run)? {
        return Ok(None);
    }
    Ok(Some(Rejection::Unwinding))
}

struct Unwinding<'t> {
    store: &'t Store,
    cfa: &'t Cfa,
    graph: Graph,
    relations: IndexVec<EdgeId, Relation>,
    at_name: VarId,
    next_copy: u32,
    /// The copies of the current round, and of the one before.
    current: BTreeMap<LocId, Copy>,
    previous: BTreeMap<LocId, Copy>,
    violations: Vec<ExprId>,
}

/// One copy of a location: where its variables have the version `number`.
#[derive(Clone, Copy)]
struct Copy {
    number: u32,
    at: ExprId,
}

/// What an edge does: a formula over current and primed variables and constants, and when it is not blocked.
struct Relation {
    step: ExprId,
    enabled: ExprId,
    constants: Vec<VarId>,
}

impl<'t> Unwinding<'t> {
    fn new(task: &'t Task<Cfa>) -> Unwinding<'t> {
        let (store, cfa) = (&task.store, &task.model);
        Unwinding {
            store,
            cfa,
            graph: Graph::towards_errors(cfa),
            relations: cfa.edges.indices().map(|edge| relation(store, cfa, edge)).collect(),
            at_name: store.declare_fresh("at", Sort::Bool),
            next_copy: 0,
            current: BTreeMap::new(),
            previous: BTreeMap::new(),
            violations: Vec::new(),
        }
    }

    fn assert_round(&mut self, round: u32, solver: &mut dyn Solver) -> Result<(), CheckError> {
        self.previous = std::mem::take(&mut self.current);
        for location in self.graph.topological_order().to_vec() {
            let copy = self.new_copy();
            let mut ways = self.ways_into(location, copy);
            if round == 0 && location == self.cfa.initial {
                ways.push(self.store.tru());
            }
            solver.assert(self.store, self.store.implies(copy.at, self.store.or_all(ways)))?;
            if self.cfa.is_error(location) {
                self.violations.push(copy.at);
            }
            self.current.insert(location, copy);
        }
        Ok(())
    }

    fn new_copy(&mut self) -> Copy {
        let number = self.next_copy;
        self.next_copy += 1;
        let at = self.store.at_version(self.at_name, Version::Step(number));
        Copy { number, at: self.store.var_expr(at) }
    }

    /// For each edge into `copy` of `location`: control was at its source and its statement leads here.
    fn ways_into(&self, location: LocId, copy: Copy) -> Vec<ExprId> {
        let mut ways = Vec::new();
        for edge in self.graph.incoming(location) {
            let round = if self.graph.is_back(*edge) { &self.previous } else { &self.current };
            if let Some(source) = round.get(&self.cfa.edges[*edge].source) {
                let step = self.instance(*edge, self.relations[*edge].step, *source, copy.number);
                ways.push(self.store.and(source.at, step));
            }
        }
        ways
    }

    /// The ways to leave the last round by a back edge.
    fn beyond(&self) -> Vec<ExprId> {
        let leaving = self.graph.back_edges().filter_map(|edge| {
            let source = self.current.get(&self.cfa.edges[edge].source)?;
            let enabled = self.instance(edge, self.relations[edge].enabled, *source, self.next_copy);
            Some(self.store.and(source.at, enabled))
        });
        leaving.collect()
    }

    /// `formula` of `edge` with current variables at the copy `source` and primed ones at the copy `target`. The
    /// constants of an edge are used once for each copy of its source.
    fn instance(&self, edge: EdgeId, formula: ExprId, source: Copy, target: u32) -> ExprId {
        let mut versions = Substitution::new();
        let mut rename = |var: VarId, copy: u32| {
            let version = self.store.at_version(var, Version::Step(copy));
            versions.insert(self.store, var, self.store.var_expr(version));
        };
        self.relations[edge].constants.iter().for_each(|constant| rename(*constant, source.number));
        self.cfa.vars.iter().for_each(|var| rename(*var, source.number));
        for var in &self.cfa.vars {
            let next = self.store.at_version(*var, Version::Next);
            let version = self.store.at_version(*var, Version::Step(target));
            versions.insert(self.store, next, self.store.var_expr(version));
        }
        versions.apply(self.store, formula)
    }
}

/// An execution of the edge ends in `x'` iff the weakest precondition of "ends elsewhere" does not hold.
fn relation(store: &Store, cfa: &Cfa, edge: EdgeId) -> Relation {
    let stmt = &cfa.edges[edge].stmt;
    let same = cfa.vars.iter().map(|var| {
        let current = store.var_expr(*var);
        store.eq(store.primed(current), current)
    });
    let elsewhere = store.not(store.and_all(same));
    let mut precondition = Precondition::new(store);
    let step = store.not(precondition.of(stmt, elsewhere));
    let enabled = store.not(precondition.of(stmt, store.fals()));
    Relation { step, enabled, constants: precondition.constants().to_vec() }
}
