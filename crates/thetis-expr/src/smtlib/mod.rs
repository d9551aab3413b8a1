//! Terms as SMT-LIB text: what solver processes, certificates and query logs read and write.
//!
//! # Printing
//! A term is printed as one line. Sub-terms that occur more than once are bound by `let`, so the text is as large
//! as the graph and not as the tree. Two [`Dialect`]s differ where our operators are total and SMT-LIB's are not:
//! [`Dialect::Thetis`] writes `(div x y)` and means our operator, [`Dialect::Standard`] guards it, so that every
//! SMT-LIB solver understands exactly what we mean.
//!
//! # Parsing
//! [`parse_term`] reads both dialects, with the operators of `Core`, `Ints`, `Reals`, `Reals_Ints`,
//! `FixedSizeBitVectors` (and its common extensions), `FloatingPoint` and `ArraysEx`, `let` and `(! t :named n)`. Partial operators
//! are read as our total ones. Integers are converted to reals where both meet, as Z3 does. Quantifiers, function
//! definitions and algebraic numbers are rejected. No input causes a panic or recursion over its depth.
//!
//! # Names
//! A symbol determines a variable and its version: see [`names`](self::print_name).

mod floats;
mod functions;
mod lets;
mod names;
mod parse;
mod print;
pub mod sexpr;
mod sorts;

use thiserror::Error;

pub use names::{is_reserved, print_name, read_name};
pub use parse::{Declared, Scope, parse_sort, parse_term, parse_value, term_of, value_of};
pub use print::{Dialect, print_declarations, print_term, print_value};
pub use sorts::{print_sort, sort_in, sort_of};

/// Why a text is not what it should be, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("at byte {offset}: {message}")]
pub struct ParseError {
    /// The position in the text, in bytes from its start.
    pub offset: usize,
    /// What is wrong: lower case, names in backticks.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> ParseError {
        ParseError { offset, message: message.into() }
    }
}
