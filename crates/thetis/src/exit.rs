//! Exit codes: those of CBMC, which existing scripts know.

use std::process::ExitCode;

use thetis_model::{Model, Verdict};

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The property holds, or the command did what it was asked.
    Safe = 0,
    /// Wrong arguments.
    Usage = 1,
    /// The input was rejected.
    Input = 2,
    /// No answer.
    Unknown = 5,
    /// Something failed that should not: a missing solver, a full disk, a bug.
    Internal = 6,
    /// The property is violated.
    Unsafe = 10,
    /// In the convention of solc-verify: no errors were found, but some functions have no verdict.
    SolcVerifyPartial = 249,
    /// In the convention of solc-verify: errors were found.
    SolcVerifyErrors = 250,
    /// In the convention of solc-verify: the input was rejected.
    SolcVerifyInput = 255,
}

impl Exit {
    /// The code of a verdict.
    pub(crate) fn of<M: Model>(verdict: &Verdict<M>) -> Exit {
        match verdict {
            Verdict::Safe(_) => Exit::Safe,
            Verdict::Unsafe(_) => Exit::Unsafe,
            Verdict::Unknown(_) => Exit::Unknown,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
