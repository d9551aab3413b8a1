//! The kinds of messages about circuits.

use thetis_base::Code;

/// The file is not of the format.
pub const SYNTAX: Code = Code("syntax");
/// The file uses a part of the format that is not supported.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A literal is defined twice, not at all, or by itself.
pub const DEFINITION: Code = Code("definition");
/// More errors than are worth showing.
pub const TOO_MANY_ERRORS: Code = Code("too-many-errors");
