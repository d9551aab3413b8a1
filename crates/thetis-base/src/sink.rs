//! Where front ends report: the caller's diagnostics, with a limit on the number of messages about one text.

use crate::{Code, Diagnostic, Diagnostics, Reported, Span};

/// How many errors of one text are shown.
const MAX_ERRORS: usize = 50;

/// How many warnings of one text are shown. Old programs would otherwise drown their errors.
const MAX_WARNINGS: usize = 100;

/// The code of the last error, if there are more than are shown.
const TOO_MANY_ERRORS: Code = Code("too-many-errors");

/// Reports messages about one text: at most 50 errors and then a last one that says so, and at most 100 warnings.
pub struct Sink<'d> {
    diags: &'d mut Diagnostics,
    num_errors: usize,
    num_warnings: usize,
    last: Option<Reported>,
}

impl<'d> Sink<'d> {
    /// A sink that hands on to `diags`.
    pub fn new(diags: &'d mut Diagnostics) -> Sink<'d> {
        Sink { diags, num_errors: 0, num_warnings: 0, last: None }
    }

    /// Reports an error.
    pub fn error(&mut self, span: Span, code: Code, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, code, message))
    }

    /// Reports a message that is an error.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if let (true, Some(last)) = (self.is_full(), self.last) {
            return last;
        }
        self.num_errors += 1;
        let span = diagnostic.span;
        let mut reported = self.diags.report(diagnostic);
        if self.is_full() {
            let message = format!("too many errors: only the first {MAX_ERRORS} are shown");
            reported = self.diags.error(span, TOO_MANY_ERRORS, message);
        }
        self.last = Some(reported);
        reported
    }

    /// Reports a warning.
    pub fn warning(&mut self, span: Span, code: Code, message: impl Into<String>) {
        self.num_warnings += 1;
        if self.num_warnings <= MAX_WARNINGS {
            self.diags.warning(span, code, message);
        }
    }

    /// Whether further errors would not be shown, so that there is no point in looking for them.
    pub fn is_full(&self) -> bool {
        self.num_errors >= MAX_ERRORS
    }

    /// `Err` if the text has errors.
    pub fn check(&self) -> Result<(), Reported> {
        self.last.map_or(Ok(()), Err)
    }
}
