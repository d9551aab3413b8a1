//! Why a run ended before it had an answer.

use std::error::Error;
use std::fmt;

/// The end of a run without an answer. The driver reports it as `Unknown` with the reason.
#[derive(Debug)]
pub enum Stop {
    /// A stop was requested.
    Cancelled,
    /// The time of the budget is used up.
    OutOfTime,
    /// The memory of the budget is used up.
    OutOfMemory,
    /// A part of the system failed, for example a solver process died.
    Failed(Box<dyn Error + Send + Sync>),
}

impl Stop {
    /// A failure from any error.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Stop {
        Stop::Failed(error.into())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Cancelled => write!(f, "cancelled"),
            Stop::OutOfTime => write!(f, "out of time"),
            Stop::OutOfMemory => write!(f, "out of memory"),
            Stop::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl Error for Stop {}
