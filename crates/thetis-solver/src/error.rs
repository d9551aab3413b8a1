//! What can go wrong with a solver itself.

use thetis_base::Stop;
use thiserror::Error;

/// A failure of a solver, not an answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SolverError {
    /// The solver is not installed or is the wrong version; one sentence with the command that helps.
    #[error("{0}")]
    Missing(String),
    /// The solver process ended, or the library reported an internal error.
    #[error("the solver failed: {0}")]
    Died(String),
    /// The solver answered what we cannot read.
    #[error("the solver gave an unexpected answer: {0}")]
    Protocol(String),
    /// The solver cannot treat a sort or operator of the formula.
    #[error("the solver does not support {0}")]
    Unsupported(String),
    /// A checking wrapper found an answer to be wrong.
    #[error("the solver gave a wrong answer: {0}")]
    Wrong(String),
    /// Two solvers disagree; the text says which ones, and where the question is.
    #[error("two solvers disagree: {0}")]
    Disagreement(String),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::failed(error)
    }
}

impl SolverError {
    /// Whether `stop` says that a solver is missing: then there is no point in continuing.
    pub fn is_missing(stop: &Stop) -> bool {
        matches!(stop, Stop::Failed(error) if matches!(error.downcast_ref(), Some(SolverError::Missing(_))))
    }
}
