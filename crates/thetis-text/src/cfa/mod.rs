//! The `.cfa` language of control-flow automata.
//!
//! ```text
//! main process counter {
//!     var x : int
//!     init loc start
//!     loc loop
//!     error loc bad
//!     start -> loop { x := 0 }
//!     loop -> loop { assume x < 10  x := x + 1 }
//!     loop -> bad  { assume x > 10 }
//! }
//! ```
//!
//! The language is Theta's, complete except for quantifiers, functions, primes, `return` and (still) floating-point
//! numbers, which are refused with their place. The way is the usual one: `lexer`, `parser` (with `parse_expr` and
//! `parse_type`) to the tree of `ast`, `check` (with `check_expr` and `check_type`) to the automaton and its terms.
//! `print` goes back.
//!
//! # Meaning
//! Variables without a value are arbitrary. `int` is unbounded; `/` and `mod` are Euclidean, `rem` has the sign of
//! the divisor, and a division by zero has an arbitrary value (see `division`). Statements of an edge happen one
//! after the other in one step.
//!
//! # Limits
//! Nesting of 10,000 levels, bit-vectors of 65,536 bits, numbers of 20,000 digits, arrays of arrays 64 times. Beyond
//! them the file is refused with a message.

mod ast;
mod check;
mod check_bits;
mod check_expr;
mod check_type;
pub mod code;
mod division;
mod lexer;
mod literal;
mod operator;
mod parse_expr;
mod parse_type;
mod parser;
mod print;
mod print_term;
mod sink;
mod token;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_model::Task;
use thetis_model::cfa::Cfa;

use parser::Parser;
pub use print::{Unprintable, print};
use sink::Sink;

/// Reads the model in `file`. Errors and warnings go to `diags`; the model is given only if there are no errors.
///
/// A model without error locations is accepted; whoever checks it should refuse it.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<Task<Cfa>, Reported> {
    let text = sources.file(file).text();
    let mut sink = Sink::new(diags);
    let parsed = Parser::new(text, file, &mut sink).parse();
    if parsed.lost_declarations {
        sink.check()?;
    }
    check::check(&parsed.ast, text, file, &mut sink)
}
