//! The kinds of messages about a model.

use thetis_base::Code;

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("syntax");
/// Expressions or types are nested too deeply.
pub const TOO_DEEP: Code = Code("too-deep");
/// A construct of the language that Thetis does not support.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A name is declared twice.
pub const DUPLICATE_NAME: Code = Code("duplicate-name");
/// A name is not declared.
pub const UNKNOWN_NAME: Code = Code("unknown-name");
/// Types do not fit together.
pub const TYPE_MISMATCH: Code = Code("type-mismatch");
/// A width of bit-vectors is zero, too large, or does not fit its operand.
pub const WIDTH: Code = Code("width");
/// A literal does not denote a value.
pub const LITERAL: Code = Code("literal");
/// There is no initial location, or more than one.
pub const INITIAL_LOCATION: Code = Code("initial-location");
/// An edge leaves a limit, where runs end.
pub const LIMIT: Code = Code("limit");
/// There is no main process, or more than one.
pub const MAIN_PROCESS: Code = Code("main-process");
/// Something has no influence (a warning).
pub const IGNORED: Code = Code("ignored");
