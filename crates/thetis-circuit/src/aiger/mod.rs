//! AIGER: and-inverter graphs with latches (Biere, Heljanko, Wieringa: AIGER 1.9 and Beyond, 2011).
//!
//! Both forms are read, ASCII (`aag`) and binary (`aig`), with the header of version 1.9: bad states, invariant
//! constraints, and latches that start at 0, at 1 or anywhere. If a file has no bad states, its outputs take their
//! place, as before 1.9. Justice and fairness are rejected, because transition systems support only safety
//! properties.
//!
//! # Places
//! Errors point to the token. A binary file is text only up to its gates; an error after that is reported at the
//! header, with the offset of the byte. [`text_of`] gives the text that the source map should hold.
//!
//! # Names
//! Inputs and latches have the names of the symbol table, with everything but letters, digits and `_.[]:$/-` replaced
//! by `_`, or else `i` and `l` with their number. A name that is taken gets a number after it.

mod certificate;
pub mod code;
mod lower;
mod names;
mod parse;
mod raw;
mod reader;
mod witness;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::sts::Sts;

use reader::Reader;

pub use certificate::{CertificateError, witness_circuit};
pub use witness::{WitnessError, witness};

/// A circuit as a transition system.
pub struct Circuit {
    /// The system; its bad steps are those of all properties together.
    pub task: Task<Sts>,
    /// What must not happen, each with its name: `b0`, `b1`, … or, without bad states, `o0`, `o1`, …
    pub properties: Vec<(String, ExprId)>,
}

impl Circuit {
    /// The task to decide the property called `name`.
    pub fn select(&self, name: &str) -> Option<Task<Sts>> {
        let (_, bad) = self.properties.iter().find(|(other, _)| other == name)?;
        let mut task = self.task.clone();
        task.model.bad = *bad;
        Some(task)
    }
}

/// The part of a file that is text: all of an ASCII file, and a binary one at least up to its gates.
pub fn text_of(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Reads the circuit in `bytes`, which were added to the sources as [`text_of`] them.
pub fn parse(
    bytes: &[u8],
    sources: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<Circuit, Reported> {
    let reader = Reader::new(bytes, file, sources.file(file).text());
    let places = reader.places();
    match parse::parse(reader) {
        Ok(raw) => lower::lower(&raw, &places, diags),
        Err(error) => Err(places.report(&error, diags)),
    }
}
