//! Errors that end the program.

use std::fmt;

use crate::exit::Exit;

/// A message for the user and the code to exit with.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// Empty if everything was said already.
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string() }
    }

    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Input, message: message.to_string() }
    }

    pub(crate) fn internal(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Internal, message: message.to_string() }
    }

    /// The input was refused and its diagnostics were shown.
    pub(crate) fn reported() -> Failure {
        Failure { exit: Exit::Input, message: String::new() }
    }
}
