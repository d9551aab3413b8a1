//! Front end for C: GNU C11 as it occurs in practice, from source text to control-flow automata and back.
//!
//! ```text
//! text ──syntax──> tree ──check──> hir ──lower──> Task<Cfa> and the way back to the source
//! ```
//!
//! [`hir`] is the interface between the two halves: all names are resolved and all conversions are explicit, so later
//! stages need no rules about promotions, scopes or declarators.

pub mod arguments;
mod check;
pub mod code;
pub mod encoding;
pub mod entry;
pub mod evidence;
pub mod hir;
mod library;
pub mod lower;
pub mod property;
mod syntax;

use thetis_base::{Diagnostics, FileId, Reported, Sink, SourceMap};

use hir::{Machine, Program};
pub use library::{Closeness, check_units, check_with_library, model_texts, modelled_functions};
pub use syntax::{ClaimAt, ClaimPlace, LineMarkers};

/// How a source text is to be read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SourceOptions {
    /// The machine that the program is compiled for.
    pub machine: Machine,
    /// What line markers in the text mean for positions.
    pub line_markers: LineMarkers,
}

/// A translation unit: a text that is preprocessed or needs no preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitText {
    /// The text.
    pub file: FileId,
    /// What line markers in the text mean for positions.
    pub line_markers: LineMarkers,
}

/// Reads the program in `file`, which is preprocessed or needs no preprocessor. Errors and warnings go to `diagnostics`; the
/// program is given only if there are no errors.
pub fn check(
    sources: &SourceMap,
    file: FileId,
    options: &SourceOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Program, Reported> {
    check_with_claims(sources, file, options, &[], diagnostics).map(|(program, _)| program)
}

/// Reads a program as [`check`] does, with claims of a witness at their places. Also returns the numbers of the claims
/// that match no position: no statement begins there, or no loop.
pub fn check_with_claims(
    sources: &SourceMap,
    file: FileId,
    options: &SourceOptions,
    claims: &[ClaimAt],
    diagnostics: &mut Diagnostics,
) -> Result<(Program, Vec<u32>), Reported> {
    let text = UnitText { file, line_markers: options.line_markers.clone() };
    let (unit, unplaced) = parse(sources, &text, claims, diagnostics)?;
    Ok((check::check(&[&unit], options.machine, diagnostics)?, unplaced))
}

/// Parses a translation unit. Also gives the numbers of the claims that have no place in it.
fn parse(
    sources: &SourceMap,
    text: &UnitText,
    claims: &[ClaimAt],
    diagnostics: &mut Diagnostics,
) -> Result<(syntax::ast::Unit, Vec<u32>), Reported> {
    syntax::parse(sources, text.file, &text.line_markers, claims, &mut Sink::new(diagnostics))
}
