//! The search for a run to an error location, round by round, in one incremental solver.

use std::collections::BTreeMap;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::{Cfa, Graph, LocId};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use super::BmcStats;
use super::loops::{Bounds, LoopNest, LoopUnrolling};
use super::unrolling::{Start, Unrolling};

/// A search that has looked at some rounds.
pub(crate) struct Rounds<'t> {
    solver: Box<dyn CoreSolver>,
    unrolling: Unrolling<'t>,
    stats: BmcStats,
}

impl<'t> Rounds<'t> {
    /// A search that has not looked at any round yet and counts the back edges of `graph`, which should be a graph
    /// towards errors.
    pub(crate) fn new(
        task: &'t Task<Cfa>,
        graph: Graph,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Rounds<'t>, Stop> {
        let unrolling = Unrolling::new(task, graph, Start::Initially);
        Ok(Rounds { solver: solvers.start(run)?, unrolling, stats: BmcStats::default() })
    }

    /// With formulas that hold at locations. They are asserted too and become part of a proof.
    pub(crate) fn with_lemmas(mut self, lemmas: BTreeMap<LocId, ExprId>) -> Rounds<'t> {
        self.unrolling = self.unrolling.with_lemmas(lemmas);
        self
    }

    pub(crate) fn stats(&self) -> BmcStats {
        self.stats
    }

    /// Asks for a run to an error location with one more back edge (the first call: with none), then for one that
    /// continues. `None`: no run so far, and there are longer ones.
    pub(crate) fn next_round(&mut self, run: &Run) -> Result<Option<Verdict<Cfa>>, Stop> {
        let verdict = self.next_round_of_errors(run)?;
        if verdict.is_some() {
            return Ok(verdict);
        }
        let bound = u32::try_from(self.stats.rounds - 1).unwrap_or(u32::MAX);
        let ends = self.ends_here(self.unrolling.goes_on(), run)?;
        Ok(ends.then_some(Verdict::Safe(Evidence::Given(self.unrolling.proof(bound)))))
    }

    /// As [`Rounds::next_round`], but without asking whether a run continues.
    pub(crate) fn next_round_of_errors(&mut self, run: &Run) -> Result<Option<Verdict<Cfa>>, Stop> {
        let constraints = self.unrolling.add_round(run)?;
        assert_all(&mut *self.solver, self.unrolling.store(), constraints, run)?;
        self.stats.rounds += 1;
        self.stats.copies = self.unrolling.num_copies();
        self.find_error(run)
    }

    /// Asks for a run to an error location in the last round.
    fn find_error(&mut self, run: &Run) -> Result<Option<Verdict<Cfa>>, Stop> {
        let store = self.unrolling.store();
        let at_error = self.unrolling.at_error();
        if at_error == store.fals() {
            return Ok(None);
        }
        self.stats.queries += 1;
        match self.solver.check(store, &[at_error])? {
            Answer::Sat(valuation) => {
                return Ok(Some(Verdict::Unsafe(Evidence::Given(self.unrolling.trace(&valuation)?))));
            }
            Answer::Unsat => {}
            Answer::Unknown(reason) => {
                run.checkpoint()?;
                return Ok(Some(Verdict::Unknown(Reason::Solver(reason.to_string()))));
            }
        }
        self.solver.assert(store, store.not(at_error))?;
        Ok(None)
    }

    /// Whether it is certain that no run takes a further back edge. If the solver cannot decide, the search
    /// goes on.
    fn ends_here(&mut self, goes_on: ExprId, run: &Run) -> Result<bool, Stop> {
        let store = self.unrolling.store();
        if goes_on == store.fals() || goes_on == store.tru() {
            return Ok(goes_on == store.fals());
        }
        self.stats.queries += 1;
        let is_unsat = matches!(self.solver.check(store, &[goes_on])?, Answer::Unsat);
        run.checkpoint()?;
        Ok(is_unsat)
    }
}

/// Asks for a run to an error location that stays within `bounds`, and then for one that goes on. `None`: there is none of the first
/// kind, and there may be one of the second.
pub(super) fn search_loops<'t>(
    task: &'t Task<Cfa>,
    nest: &'t LoopNest<'t>,
    bounds: Bounds,
    solvers: &dyn SolverFactory,
    stats: &mut BmcStats,
    run: &Run,
) -> Result<Option<Verdict<Cfa>>, Stop> {
    let store = &task.store;
    let mut unrolling = LoopUnrolling::new(task, nest, bounds, run)?;
    (stats.rounds, stats.copies) = (bounds.rounds.into(), unrolling.num_copies());
    let (at_error, goes_on) = (unrolling.at_error(), unrolling.goes_on());
    let mut solver = solvers.start(run)?;
    assert_all(&mut *solver, store, unrolling.take_constraints(), run)?;
    stats.queries += u64::from(at_error != store.fals());
    match solver.check(store, &[at_error])? {
        Answer::Sat(valuation) => {
            return Ok(Some(Verdict::Unsafe(Evidence::Given(unrolling.trace(&valuation)?))));
        }
        Answer::Unsat => {}
        Answer::Unknown(reason) => {
            run.checkpoint()?;
            return Ok(Some(Verdict::Unknown(Reason::Solver(reason.to_string()))));
        }
    }
    if unrolling.is_full() {
        let reason = format!("there are more than {} copies of locations", bounds.copies);
        return Ok(Some(Verdict::Unknown(Reason::Incomplete(reason))));
    }
    stats.queries += u64::from(goes_on != store.fals());
    let ends = matches!(solver.check(store, &[goes_on])?, Answer::Unsat);
    run.checkpoint()?;
    Ok(ends.then(|| unrolling.end()))
}

/// Asserts formulas within the limits of `run`: solvers rewrite what is asserted, which takes long for large terms.
pub(crate) fn assert_all(
    solver: &mut dyn CoreSolver,
    store: &Store,
    formulas: Vec<ExprId>,
    run: &Run,
) -> Result<(), Stop> {
    for formula in formulas {
        run.checkpoint()?;
        solver.assert(store, formula)?;
    }
    Ok(())
}
