//! Why something cannot be translated.

use solang_parser::pt::Loc;
use thetis_base::{FileId, Span};

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// The text is not legal Solidity, or an annotation makes no sense.
    Invalid,
    /// It is legal but not modelled: the function is skipped.
    Unsupported,
}

/// A place that cannot be translated, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// A result, or why something cannot be translated, and where.
pub(crate) type Res<T> = Result<T, Fault>;

/// The text at `span` is wrong.
pub(crate) fn invalid<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Fault { kind: FaultKind::Invalid, span, message: message.into() })
}

/// The text at `span` is not modelled.
pub(crate) fn unsupported<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Fault { kind: FaultKind::Unsupported, span, message: message.into() })
}

/// The span of a location of the parser.
pub(crate) fn span(loc: &Loc) -> Span {
    match loc {
        Loc::File(file, start, end) => {
            Span { file: FileId::from_usize(*file), start: *start as u32, end: *end as u32 }
        }
        _ => Span { file: FileId::from_usize(0), start: 0, end: 0 },
    }
}
