//! The end of a command without an answer, wherever it comes from: a limit while the input is read, a signal, or a computation that
//! does not look at its limits.
//!
//! A command says at its start, and again when it knows more, [how it reports that](report_with). The report is the one answer of
//! the command on standard output.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thetis_base::printable;
use thetis_model::Reason;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

/// Turns the reason into the text for standard output and the code to exit with; what people should know besides goes to standard
/// error.
type Reporter = Box<dyn Fn(&Reason) -> (String, Exit) + Send>;

static REPORTER: Mutex<Option<Reporter>> = Mutex::new(None);

/// What is written when a command ends without an answer.
type Legacy = Box<dyn Fn() + Send>;

static LEGACY: Mutex<Option<Legacy>> = Mutex::new(None);

/// How to report from now on that there is no answer.
pub(crate) fn report_with(reporter: impl Fn(&Reason) -> String + Send + 'static) {
    conclude_with(move |reason| (reporter(reason), Exit::Unknown));
}

/// How to report from now on what is known if the command has to end, with the code that this means.
pub(crate) fn conclude_with(reporter: impl Fn(&Reason) -> (String, Exit) + Send + 'static) {
    *REPORTER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(reporter));
}

/// What to write from now on, after the report, if the command has to end at once.
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

/// The same from another thread: gives the answer unless it was given, and says with which code to end.
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
