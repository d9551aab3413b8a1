//! Where the front end reports: the caller's diagnostics, with a limit on the number of errors of one file.

use thetis_base::{Code, Diagnostic, Diagnostics, Reported, Span};

use super::code;

/// How many errors of one file are shown.
pub(crate) const MAX_ERRORS: usize = 50;

/// Reports messages about one file, at most [`MAX_ERRORS`] errors and then a last one that says so.
pub(crate) struct Sink<'d> {
    diags: &'d mut Diagnostics,
    num_errors: usize,
    last: Option<Reported>,
}

impl<'d> Sink<'d> {
    pub(crate) fn new(diags: &'d mut Diagnostics) -> Sink<'d> {
        Sink { diags, num_errors: 0, last: None }
    }

    pub(crate) fn error(&mut self, span: Span, code: Code, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, code, message))
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if let (true, Some(last)) = (self.is_full(), self.last) {
            return last;
        }
        self.num_errors += 1;
        let span = diagnostic.span;
        let mut reported = self.diags.report(diagnostic);
        if self.is_full() {
            let message = format!("too many errors: only the first {MAX_ERRORS} are shown");
            reported = self.diags.error(span, code::TOO_MANY_ERRORS, message);
        }
        self.last = Some(reported);
        reported
    }

    pub(crate) fn warning(&mut self, span: Span, code: Code, message: impl Into<String>) {
        self.diags.warning(span, code, message);
    }

    /// Whether further errors would not be shown, so that looking for them is in vain.
    pub(crate) fn is_full(&self) -> bool {
        self.num_errors >= MAX_ERRORS
    }

    /// `Err` if this file has errors.
    pub(crate) fn check(&self) -> Result<(), Reported> {
        self.last.map_or(Ok(()), Err)
    }
}
