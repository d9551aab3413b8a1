//! The queries of frames: where a round leads, and which runs after it are bad.

use std::collections::BTreeMap;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, LocId};
use thetis_solver::{Answer, CoreSolver, SolverError, SolverFactory, Valuation};

use crate::bmc::{Start, Unrolling};

/// What the solver says about runs of some kind.
pub(super) enum Way {
    /// There is one, along these edges.
    Found(Vec<EdgeId>),
    /// There is none.
    None,
    /// The solver cannot decide; the reason that it gives.
    Unknown(String),
}

/// Runs in an incremental context.
pub(super) struct Runs<'t> {
    task: &'t Task<Cfa>,
    unrolling: Unrolling<'t>,
    solver: Box<dyn CoreSolver>,
    num_rounds: u32,
    num_queries: u64,
}

impl<'t> Runs<'t> {
    /// No rounds of the graph, whose cuts should include all edges into loop heads.
    pub(super) fn new(
        task: &'t Task<Cfa>,
        graph: Graph,
        start: Start,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Runs<'t>, Stop> {
        let unrolling = Unrolling::new(task, graph, start);
        Ok(Runs { task, unrolling, solver: solvers.start(run)?, num_rounds: 0, num_queries: 0 })
    }

    pub(super) fn num_queries(&self) -> u64 {
        self.num_queries
    }

    /// Adds rounds until runs take up to `num_cuts` cut edges.
    pub(super) fn extend_to(&mut self, num_cuts: u32, run: &Run) -> Result<(), Stop> {
        while self.num_rounds <= num_cuts {
            for constraint in self.unrolling.add_round(run)? {
                self.solver.assert(&self.task.store, constraint)?;
            }
            self.num_rounds += 1;
        }
        Ok(())
    }

    /// A run from a state of `starts` that leaves the last round for `target`, where `formula` holds after it.
    pub(super) fn way_to_state(
        &mut self,
        starts: &BTreeMap<LocId, ExprId>,
        target: LocId,
        formula: ExprId,
        run: &Run,
    ) -> Result<Way, Stop> {
        let store = &self.task.store;
        let arrivals = self.unrolling.arrivals(target, formula);
        let goal = store.or_all(arrivals.iter().copied());
        if goal == store.fals() {
            return Ok(Way::None);
        }
        let mut assumptions = self.unrolling.starts_in(starts);
        assumptions.push(goal);
        self.ask(&assumptions, run, |unrolling, valuation| {
            let mut taken = None;
            for (number, arrival) in arrivals.iter().enumerate() {
                if taken.is_none() && valuation.evaluate(store, *arrival)? == Value::Bool(true) {
                    taken = Some(number);
                }
            }
            let number = taken.expect("a valuation should arrive by one of the edges");
            unrolling.edges_to_arrival(target, number, valuation)
        })
    }

    /// A run from a state at `start` with `formula` to an error location in the last round.
    pub(super) fn way_to_error(&mut self, start: LocId, formula: ExprId, run: &Run) -> Result<Way, Stop> {
        let store = &self.task.store;
        let at_error = self.unrolling.at_error();
        if at_error == store.fals() {
            return Ok(Way::None);
        }
        let mut assumptions = self.unrolling.starts_in(&BTreeMap::from([(start, formula)]));
        assumptions.push(at_error);
        self.ask(&assumptions, run, Unrolling::edges_to_error)
    }

    /// A run with all of `assumptions`, along the edges that `edges` reads from a valuation.
    fn ask(
        &mut self,
        assumptions: &[ExprId],
        run: &Run,
        edges: impl FnOnce(&Unrolling<'t>, &Valuation<'_>) -> Result<Vec<EdgeId>, SolverError>,
    ) -> Result<Way, Stop> {
        self.num_queries += 1;
        Ok(match self.solver.check(&self.task.store, assumptions)? {
            Answer::Unsat => Way::None,
            Answer::Unknown(reason) => {
                run.checkpoint()?;
                Way::Unknown(reason.to_string())
            }
            Answer::Sat(valuation) => Way::Found(edges(&self.unrolling, &valuation)?),
        })
    }
}
