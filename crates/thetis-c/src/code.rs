//! The kinds of messages about a C program.

use thetis_base::Code;

/// The text does not follow the grammar.
pub const SYNTAX: Code = Code("syntax");
/// A directive that the preprocessor should have treated.
pub const DIRECTIVE: Code = Code("directive");
/// The program is nested too deeply.
pub const TOO_DEEP: Code = Code("too-deep");
/// Something unsupported that cannot become a limit where it is used.
pub const UNSUPPORTED: Code = Code("unsupported");
/// A name has incompatible declarations.
pub const DUPLICATE_NAME: Code = Code("duplicate-name");
/// A name is not declared.
pub const UNKNOWN_NAME: Code = Code("unknown-name");
/// Operands, arguments or values have incompatible types.
pub const TYPE_MISMATCH: Code = Code("type-mismatch");
/// Something needs a complete type.
pub const INCOMPLETE_TYPE: Code = Code("incomplete-type");
/// A declaration has no sensible type.
pub const DECLARATION: Code = Code("declaration");
/// A constant has no value or does not fit.
pub const CONSTANT: Code = Code("constant");
/// An initialiser does not fit what it initialises.
pub const INITIALIZER: Code = Code("initializer");
/// A label, `case`, `break` or `continue` has no place.
pub const JUMP: Code = Code("jump");
/// A static assertion is false.
pub const STATIC_ASSERT: Code = Code("static-assert");
/// A type is implied where none is written (a warning).
pub const IMPLICIT: Code = Code("implicit");
/// There is no function `main`.
pub const NO_MAIN: Code = Code("no-main");
/// The program is too large.
pub const TOO_LARGE: Code = Code("too-large");
/// The property has fewer places than the requested number.
pub const NO_ASSERTION: Code = Code("no-assertion");
