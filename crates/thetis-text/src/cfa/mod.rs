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
//! The language is Theta's, complete except for quantifiers, functions, primes and `return`, which are rejected with
//! their place. The way is the usual one: `lexer`, `parser` to the tree of `ast`, `check` to the automaton and its
//! terms; `print` goes back. Expressions and types are the matter of `syntax`.
//!
//! # Meaning
//! Variables without a value are arbitrary. `int` is unbounded; `/` and `mod` are Euclidean, `rem` has the sign of
//! the divisor, and a division by zero has an arbitrary value (see `division`). Statements of an edge happen one
//! after the other in one step.
//!
//! # Limits
//! Nesting of 10,000 levels, bit-vectors of 65,536 bits, numbers of 20,000 digits, arrays of arrays 64 times. Beyond
//! them the file is rejected with a message.

mod ast;
mod check;
mod parser;
mod print;
mod print_term;

use thetis_base::{Diagnostics, FileId, Reported, Sink, SourceMap};
use thetis_model::Task;
use thetis_model::cfa::Cfa;

use crate::syntax::parser::Parser;
use crate::syntax::token::Dialect;

pub use crate::syntax::code;
pub use print::{Unprintable, print};

/// Reads the model in `file`. Errors and warnings go to `diags`; the model is given only if there are no errors.
///
/// A model without error locations is accepted; whoever checks it should reject it.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<Task<Cfa>, Reported> {
    let text = sources.file(file).text();
    let mut sink = Sink::new(diags);
    let (ast, items) = Parser::new(Dialect::Cfa, text, file, &mut sink).parse();
    if items.lost_declarations {
        sink.check()?;
    }
    check::check(&ast, &items, text, file, &mut sink)
}
