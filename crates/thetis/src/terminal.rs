//! The standard streams: the only place that prints.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the command line owns the standard streams")]

use std::io::{IsTerminal, Write, stderr, stdout};

use thetis_report::Style;

use crate::failure::Failure;

/// Colours only on a terminal, and not if the user forbids them.
pub(crate) fn style() -> Style {
    let is_forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stderr().is_terminal() && !is_forbidden { Style::Colored } else { Style::Plain }
}

/// Writes to standard error. A closed stream is nobody's concern.
pub(crate) fn show(text: &str) {
    let _ = stderr().write_all(text.as_bytes());
}

/// Writes a result to standard output.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::internal(format!("cannot write to standard output: {error}")))
}
