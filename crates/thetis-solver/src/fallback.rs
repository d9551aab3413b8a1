//! Two solvers, the second of which gets the queries that the first does not support.

use std::rc::Rc;

use thetis_base::Run;
use thetis_expr::{ExprId, Store};

use crate::{Answer, CoreAnswer, CoreSolver, QueryLimit, Solver, SolverError, SolverFactory};

/// Starts pairs of solvers. A question that the first one answers with [`SolverError::Unsupported`] goes to the second. If the first
/// does not support something that is asserted, it is not asked any more.
pub struct FallbackFactory {
    first: Rc<dyn SolverFactory>,
    second: Rc<dyn SolverFactory>,
}

impl FallbackFactory {
    /// Asks solvers of `first`, then of `second`.
    pub fn new(first: Rc<dyn SolverFactory>, second: Rc<dyn SolverFactory>) -> FallbackFactory {
        FallbackFactory { first, second }
    }
}

impl SolverFactory for FallbackFactory {
    /// That of the second, which has to be able to decide everything.
    fn name(&self) -> &str {
        self.second.name()
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        let (first, second) = (Some(self.first.start(run)?), self.second.start(run)?);
        Ok(Box::new(Fallback { first, second }))
    }
}

struct Fallback {
    /// None if something was asserted that it does not support.
    first: Option<Box<dyn CoreSolver>>,
    second: Box<dyn CoreSolver>,
}

/// What the first solver says, if anything.
fn supported<T>(result: Result<T, SolverError>) -> Result<Option<T>, SolverError> {
    match result {
        Err(SolverError::Unsupported(_)) => Ok(None),
        other => other.map(Some),
    }
}

impl Solver for Fallback {
    fn push(&mut self) -> Result<(), SolverError> {
        self.first.iter_mut().chain([&mut self.second]).try_for_each(Solver::push)
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.first.iter_mut().chain([&mut self.second]).try_for_each(Solver::pop)
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        if let Some(first) = &mut self.first
            && supported(first.assert(store, formula))?.is_none()
        {
            self.first = None;
        }
        self.second.assert(store, formula)
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        if let Some(first) = &mut self.first
            && let Some(answer) = supported(first.check(store, assumptions))?
        {
            return Ok(answer);
        }
        self.second.check(store, assumptions)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.first.iter_mut().chain([&mut self.second]).for_each(|solver| solver.set_limit(limit));
    }
}

impl CoreSolver for Fallback {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        if let Some(first) = &mut self.first
            && let Some(answer) = supported(first.check_core(store, assumptions))?
        {
            return Ok(answer);
        }
        self.second.check_core(store, assumptions)
    }
}
