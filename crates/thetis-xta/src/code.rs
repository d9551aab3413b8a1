//! The kinds of messages of this front end.

use thetis_base::Code;

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("syntax");
/// Expressions or statements nest too deeply.
pub const TOO_DEEP: Code = Code("too-deep");
/// Valid, but not supported.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A name is declared twice.
pub const DUPLICATE_NAME: Code = Code("duplicate-name");
/// A name is not declared.
pub const UNKNOWN_NAME: Code = Code("unknown-name");
/// A number is malformed or too large.
pub const NUMBER: Code = Code("number");
/// An expression or name of the wrong kind.
pub const TYPE_MISMATCH: Code = Code("type-mismatch");
/// A value must be known before the model runs.
pub const NOT_CONSTANT: Code = Code("not-constant");
/// A declaration is not allowed as it stands.
pub const DECLARATION: Code = Code("declaration");
