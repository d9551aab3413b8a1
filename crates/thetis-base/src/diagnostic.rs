//! Messages about the input, with their places.

use std::fmt;

use crate::Span;

/// Proof that an error was reported. The only way to obtain one is to report an error, so no message gets
/// lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reported(());

/// The stable name of a kind of message, for users who filter and for tests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but perhaps not what was meant.
    Warning,
}

/// A message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind it is.
    pub code: Code,
    /// The message: lower case, no full stop, names in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Further places that explain it.
    pub labels: Vec<Label>,
    /// Advice.
    pub help: Option<String>,
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// A collection of messages. All independent errors of a file are reported, not only the first.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    num_errors: usize,
}

impl Diagnostics {
    /// No messages.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Reports an error.
    pub fn error(&mut self, span: Span, code: Code, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::new(Severity::Error, span, code, message))
    }

    /// Reports a warning.
    pub fn warning(&mut self, span: Span, code: Code, message: impl Into<String>) {
        self.list.push(Diagnostic::new(Severity::Warning, span, code, message));
    }

    /// Reports an error with labels or help.
    ///
    /// # Panics
    /// If it is not an error: a warning is no reason to reject the input.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        assert_eq!(diagnostic.severity, Severity::Error, "only errors should reject the input");
        self.num_errors += 1;
        self.list.push(diagnostic);
        Reported(())
    }

    /// The messages in the order of reporting.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// How many errors there are.
    pub fn num_errors(&self) -> usize {
        self.num_errors
    }

    /// `Err` if there are errors.
    pub fn check(&self) -> Result<(), Reported> {
        if self.num_errors == 0 { Ok(()) } else { Err(Reported(())) }
    }
}

impl Diagnostic {
    /// An error without labels and help.
    pub fn error(span: Span, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, code, message)
    }

    fn new(severity: Severity, span: Span, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity, code, message: message.into(), span, labels: Vec::new(), help: None }
    }

    /// With one more place that explains it.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// With advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
