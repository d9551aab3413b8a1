//! Verification witnesses of the competition on software verification, format 2.0.
//!
//! A *violation witness* is a sequence of waypoints that the run passes: values of inputs, ways of branches, the violation.
//! A *correctness witness* is a set of invariants, as C expressions at places of the source.
//!
//! * [`format`]: the YAML files.
//! * [`violation`]: from a run to waypoints.
//! * [`correctness`]: from a proof to invariants; [`express`] writes terms as C, [`scope`] says which names mean what.
//! * [`plan`]: what a witness claims; [`restrict`] and [`invariants`]: the questions that decide whether it is right.

pub mod correctness;
mod express;
pub mod format;
pub mod invariants;
pub mod plan;
pub mod restrict;
mod scope;
pub mod violation;

use thetis_base::{SourceMap, Span};

use format::Location;

/// A place as witnesses say it.
fn location(sources: &SourceMap, span: Span, function: &str) -> Location {
    let start = sources.start(span);
    Location {
        file_name: sources.file(span.file).name().to_owned(),
        line: start.line,
        column: Some(start.column),
        function: Some(function.to_owned()),
    }
}
