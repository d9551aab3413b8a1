//! A solver of clauses, and what it cost.

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_expr::Store;
use thetis_solver::{HornAnswer, HornSolver, HornSystem};

/// Solves systems, and counts and times the last one.
pub(crate) struct Solving {
    solver: Box<dyn HornSolver>,
    watch: Stopwatch,
    num_relations: u64,
    num_clauses: u64,
}

impl Solving {
    pub(crate) fn new(solver: Box<dyn HornSolver>) -> Solving {
        Solving { solver, watch: Stopwatch::default(), num_relations: 0, num_clauses: 0 }
    }

    pub(crate) fn solve(
        &mut self,
        store: &Store,
        system: &HornSystem,
        run: &Run,
    ) -> Result<HornAnswer, Stop> {
        self.num_relations = system.num_relations as u64;
        self.num_clauses = system.clauses.len() as u64;
        let solver = &mut self.solver;
        self.watch.time(|| solver.solve(store, system, run))
    }

    pub(crate) fn statistics(&self, name: &str) -> Statistics {
        Statistics::new(name)
            .count("relations", self.num_relations)
            .count("clauses", self.num_clauses)
            .time("time", self.watch.total())
    }
}
