//! The abilities of solvers.

use std::time::Duration;

use thetis_base::Run;
use thetis_expr::{ExprId, Store, VarId};

use crate::{Answer, BareAnswer, CoreAnswer, SolverError};

/// Limits of each single query, in addition to the budget of the run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct QueryLimit {
    /// Wall time.
    pub time: Option<Duration>,
    /// Steps in the solver's own deterministic unit, where it has one.
    pub resources: Option<u64>,
}

/// An incremental satisfiability solver.
///
/// All formulas of one solver come from one store, or from clones of it that have not diverged. Assuming a literal, a
/// Boolean variable or its negation, is cheap and keeps what the solver has learned; other formulas are passed to the
/// solver again for each query that assumes them. A query that exceeds its limit, or whose run must stop, answers
/// `Unknown(Interrupted)` soon after; the solver stays usable.
pub trait Solver {
    /// Opens a scope for assertions.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Closes the innermost scope and forgets its assertions.
    ///
    /// # Panics
    /// If no scope is open.
    fn pop(&mut self) -> Result<(), SolverError>;

    /// Asserts a formula until the current scope is closed.
    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError>;

    /// Whether the assertions and the assumptions, which are any formulas, have a model.
    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError>;

    /// Sets the limit of each following query.
    fn set_limit(&mut self, limit: QueryLimit);

    /// Asks without waiting for the answer: a solver in another process works on it meanwhile. The limit of queries does not apply. Other solvers
    /// return none, and have to be asked by [`check`](Solver::check).
    fn ask_ahead(
        &mut self,
        _store: &Store,
        _assumptions: &[ExprId],
    ) -> Result<Option<Box<dyn Pending>>, SolverError> {
        Ok(None)
    }
}

/// A question that was [asked ahead](Solver::ask_ahead). It outlives its solver, and what is asserted or asked afterwards does not change it. If it is
/// dropped, only the work on it is lost.
pub trait Pending {
    /// The answer, waiting for at most `time`.
    fn wait(&mut self, time: Option<Duration>) -> Result<BareAnswer, SolverError>;

    /// The question for any SMT-LIB solver.
    fn script(&self) -> String;
}

/// A solver that can report which assumptions it needed.
pub trait CoreSolver: Solver {
    /// As [`Solver::check`], with a core if there is no model.
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError>;
}

/// Starts solvers of one kind.
pub trait SolverFactory {
    /// The name of the kind, as in configurations and statistics.
    fn name(&self) -> &str;

    /// A new solver without assertions, whose queries end when `run` must stop.
    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError>;

    /// Lets what takes long about the start of the first solver begin now, in another process.
    fn prepare(&self, _run: &Run) -> Result<(), SolverError> {
        Ok(())
    }

    /// Whether solvers may answer `unsat` before all who are asked have agreed: until [`settle`](SolverFactory::settle) returns, nobody may build on such answers.
    /// Ending this forgets what was put off. It is for a [`Deferral`], which sees to that.
    fn set_deferring(&self, _may_defer: bool) {}

    /// Waits for all that was put off; the error is what would have been answered.
    fn settle(&self) -> Result<(), SolverError> {
        Ok(())
    }
}

/// A time in which solvers may [put off](SolverFactory::set_deferring) opinions that only confirm what they answer.
pub struct Deferral<'f>(&'f dyn SolverFactory);

impl<'f> Deferral<'f> {
    /// Starts it. Without [`settle`](Deferral::settle), no answer from here on counts.
    pub fn begin(solvers: &'f dyn SolverFactory) -> Deferral<'f> {
        solvers.set_deferring(true);
        Deferral(solvers)
    }

    /// Waits for what was put off.
    pub fn settle(self) -> Result<(), SolverError> {
        self.0.settle()
    }
}

impl Drop for Deferral<'_> {
    fn drop(&mut self) {
        self.0.set_deferring(false);
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn push(&mut self) -> Result<(), SolverError> {
        (**self).push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        (**self).pop()
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        (**self).assert(store, formula)
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        (**self).check(store, assumptions)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        (**self).set_limit(limit);
    }

    fn ask_ahead(
        &mut self,
        store: &Store,
        assumptions: &[ExprId],
    ) -> Result<Option<Box<dyn Pending>>, SolverError> {
        (**self).ask_ahead(store, assumptions)
    }
}

impl<S: CoreSolver + ?Sized> CoreSolver for Box<S> {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        (**self).check_core(store, assumptions)
    }
}

/// Removes variables from formulas.
pub trait Eliminator {
    /// A formula without `vars` that holds iff `formula` holds for some values of them; `None` if none was found. The
    /// caller verifies what it builds on the result.
    fn exists(
        &self,
        store: &Store,
        vars: &[VarId],
        formula: ExprId,
        run: &Run,
    ) -> Result<Option<ExprId>, SolverError>;
}
