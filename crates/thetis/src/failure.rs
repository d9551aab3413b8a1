//! Errors that end the program.

use std::fmt;
use std::io;

use thetis_base::Stop;
use thetis_model::Reason;

use crate::exit::Exit;

/// A message for the user and the code to exit with.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// Empty if everything was reported already.
    pub(crate) message: String,
    /// Why the command ends without a verdict, if nothing else failed. It is reported in the requested format.
    pub(crate) unknown: Option<Reason>,
}

impl Failure {
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string(), unknown: None }
    }

    pub(crate) fn input(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Input, message: message.to_string(), unknown: None }
    }

    pub(crate) fn internal(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Internal, message: message.to_string(), unknown: None }
    }

    /// The input was rejected and its diagnostics were shown.
    pub(crate) fn reported() -> Failure {
        Failure { exit: Exit::Input, message: String::new(), unknown: None }
    }

    /// The run had to stop before there was anything to decide.
    pub(crate) fn stopped(stop: Stop) -> Failure {
        Failure { exit: Exit::Unknown, message: String::new(), unknown: Some(stop.into()) }
    }
}

/// The system's error message about a file, without error numbers and names of temporary files.
pub(crate) fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
