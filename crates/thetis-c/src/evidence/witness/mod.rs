//! Verification witnesses of the competition on software verification, format 2.0.
//!
//! A *violation witness* is a sequence of waypoints that the run passes: values of inputs, branches taken, the
//! violation. A *correctness witness* is a set of invariants, as C expressions at places of the source.
//!
//! * [`format`]: the YAML files.
//! * [`violation`]: from a run to waypoints.
//! * [`correctness`]: from a proof to invariants; [`express`] writes terms as C, [`scope`] resolves names.
//! * [`plan`]: what a witness claims; [`restrict`] and [`invariants`]: the tasks that decide whether it is correct.

pub mod correctness;
mod express;
pub mod format;
pub mod invariants;
pub mod plan;
pub mod restrict;
mod scope;
pub mod violation;

use thetis_base::{SourceMap, Span};
use thetis_model::cfa::ValidationError;
use thiserror::Error;

use format::Location;

/// Why a witness cannot be read, written or decided.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum WitnessError {
    /// The text is malformed; the message of the reader.
    #[error("is not a witness: {0}")]
    Syntax(String),
    /// It is empty.
    #[error("has no entry")]
    Empty,
    /// It contains something that the format does not allow; a message.
    #[error("{0}")]
    IllFormed(&'static str),
    /// It contains something that is not supported; a message.
    #[error("{0}")]
    Unsupported(String),
    /// The entries cannot be written; the message of the writer.
    #[error("cannot be written: {0}")]
    Unwritable(String),
    /// An assumption is no formula.
    #[error("the value of an assumption is not determined by the state")]
    Undetermined,
    /// There are too many edges.
    #[error("the product with the witness has more than {0} edges")]
    TooLarge(usize),
    /// The resulting automaton is not valid.
    #[error("{0}")]
    Invalid(#[from] ValidationError),
}

/// A position in the form of witnesses.
fn location(sources: &SourceMap, span: Span, function: &str) -> Location {
    let start = sources.start(span);
    Location {
        file_name: sources.file(span.file).name().to_owned(),
        line: start.line,
        column: Some(start.column),
        function: Some(function.to_owned()),
    }
}
