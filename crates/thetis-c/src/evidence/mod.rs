//! Evidence in the words of the program: what an automaton's run or proof says about the C source.
//!
//! * [`story`]: a run as a list of source lines with values.
//! * [`goals`]: what tests should reach.
//! * [`harness`]: a run as a C file that makes the compiled program take it.
//! * [`witness`]: a run or a proof in the witness format of the competitions.
//! * [`value`]: values of the model as C writes them.
//!
//! Everything here reads [`Origin`](crate::lower::Origin); nothing changes a verdict.

mod arguments;
pub mod goals;
pub mod harness;
mod inputs;
pub mod labels;
mod memory;
mod quote;
mod relevance;
mod simulate;
mod stdin;
pub mod story;
mod value;
pub mod witness;

use thetis_base::SourceMap;

use crate::hir::Program;
use crate::lower::Lowered;

/// A program with its translation and its texts.
#[derive(Clone, Copy)]
pub struct Translated<'a> {
    /// The program.
    pub program: &'a Program,
    /// The automaton, with the way back.
    pub lowered: &'a Lowered,
    /// The texts that spans point into.
    pub sources: &'a SourceMap,
}
