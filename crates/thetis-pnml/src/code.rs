//! The kinds of messages of these front ends.

use thetis_base::Code;

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("syntax");
/// Parentheses or elements nest too deeply.
pub const TOO_DEEP: Code = Code("too-deep");
/// Valid, but not supported.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A name or id occurs twice.
pub const DUPLICATE_NAME: Code = Code("duplicate-name");
/// A name or id is not declared.
pub const UNKNOWN_NAME: Code = Code("unknown-name");
/// A number is negative, malformed or too large.
pub const NUMBER: Code = Code("number");
/// A condition where a number is needed, or vice versa.
pub const TYPE_MISMATCH: Code = Code("type-mismatch");
/// A product of token counts.
pub const NOT_LINEAR: Code = Code("not-linear");
/// An element or attribute is missing.
pub const MISSING: Code = Code("missing");
