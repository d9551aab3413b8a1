//! Ends a command without a verdict, whatever the cause: a limit while the input is read, a signal, or a computation
//! that does not check its limits.
//!
//! A command registers at its start, and again when it knows more, [how to report this](report_with). The report is the
//! single answer of the command on standard output.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thetis_base::printable;
use thetis_model::Reason;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Turns the reason into the text for standard output and the exit code; further messages go to standard error.
type Reporter = Box<dyn Fn(&Reason) -> (String, Exit) + Send>;

static REPORTER: Mutex<Option<Reporter>> = Mutex::new(None);

/// What a command writes if it ends without a verdict.
type Legacy = Box<dyn Fn() + Send>;

static LEGACY: Mutex<Option<Legacy>> = Mutex::new(None);

/// Sets how to report from now on that there is no verdict.
pub(crate) fn report_with(reporter: impl Fn(&Reason) -> String + Send + 'static) {
    conclude_with(move |reason| (reporter(reason), Exit::Unknown));
}

/// Sets how to report from now on what is known if the command has to end, with the exit code.
pub(crate) fn conclude_with(reporter: impl Fn(&Reason) -> (String, Exit) + Send + 'static) {
    *REPORTER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(reporter));
}

/// Sets what to write from now on, after the report, if the command has to end at once.
pub(crate) fn leave(legacy: impl Fn() + Send + 'static) {
    *LEGACY.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(legacy));
}

/// The verdict line of a command without an answer.
pub(crate) fn line(reason: &Reason) -> String {
    format!("unknown ({})\n", printable(&reason.to_string()))
}

/// Ends the command without an answer.
pub(crate) fn without_answer(reason: &Reason) -> Result<Exit, Failure> {
    let (text, exit) = report(reason);
    terminal::conclude(&text, exit)
}

/// The same from another thread: prints the report unless an answer was printed, and returns the exit code.
pub(crate) fn without_answer_for_good(reason: &Reason, patience: Duration) -> Exit {
    let exit = terminal::conclude_for_good(|| report(reason), patience);
    if let (Exit::Unknown | Exit::Unsafe, Ok(legacy)) = (exit, LEGACY.try_lock())
        && let Some(write) = legacy.as_ref()
    {
        write();
    }
    exit
}

fn report(reason: &Reason) -> (String, Exit) {
    let reporter = REPORTER.lock().unwrap_or_else(PoisonError::into_inner);
    reporter.as_ref().map_or_else(|| (line(reason), Exit::Unknown), |report| report(reason))
}
