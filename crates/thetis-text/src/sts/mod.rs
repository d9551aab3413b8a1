//! The `.sts` language of symbolic transition systems, Theta's `.system`.
//!
//! ```text
//! specification Counter {
//!     property safe : {
//!         var x : int
//!         initial x = 0
//!         transition if x < 10 then x' = x + 1 else x' = 0
//!     } models G(x <= 10)
//! }
//! ```
//!
//! The language is Theta's, with all types and operators of the `.cfa` language, without quantifiers and functions.
//! [`parse`] gives one task for each property of the file.
//!
//! # Meaning
//! Clauses of one kind are conjoined. An `invariant` holds in every state of a run: it restricts the runs, it is not to be
//! proved. `x'` is the value of `x` in the next state; a variable whose next value is not restricted is arbitrary. `G(p)`
//! says that `p` holds in all states of all runs. A constant keeps its value, which is arbitrary if none is given.
//!
//! Where we differ from Theta: the value in `var x : int := 3` is the initial value of `x`, while Theta reads and ignores
//! it; `x-1` is a difference; `boolean`, `integer` and `real` are accepted for `bool`, `int` and `rat`.

mod ast;
mod check;
mod parser;

use thetis_base::{Diagnostics, FileId, Reported, Sink, SourceMap};
use thetis_model::Task;
use thetis_model::sts::Sts;

use crate::syntax::parser::Parser;
use crate::syntax::token::Dialect;

/// A property of a file, as a task.
pub struct Named {
    /// The name of the property.
    pub name: String,
    /// The system with the property.
    pub task: Task<Sts>,
}

/// Reads the properties in `file`, in their order. Errors and warnings go to `diags`; properties are given only if
/// there are no errors.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<Vec<Named>, Reported> {
    let text = sources.file(file).text();
    let mut sink = Sink::new(diags);
    let (ast, items) = Parser::new(Dialect::Sts, text, file, &mut sink).specification();
    if items.lost_declarations {
        sink.check()?;
    }
    check::check(&ast, &items, text, &mut sink)
}
