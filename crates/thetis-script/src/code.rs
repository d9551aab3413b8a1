//! The kinds of messages about a script.

use thetis_base::Code;

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("syntax");
/// A command or construct of SMT-LIB that Thetis does not support.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A name is declared twice, or is reserved.
pub const DUPLICATE_NAME: Code = Code("duplicate-name");
/// A term is malformed, has the wrong sort, or uses something unknown.
pub const TERM: Code = Code("term");
/// An assertion is not a Horn clause.
pub const NOT_HORN: Code = Code("not-horn");
/// Something has no influence (a warning).
pub const IGNORED: Code = Code("ignored");
