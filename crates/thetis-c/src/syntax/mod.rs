//! From text to syntax tree.
//!
//! [`lexer`] cuts the text into tokens, [`origin`] gives tokens of preprocessed text the places they have in the original
//! files, [`parser`] builds the tree of [`ast`]. The parser knows which names are types, since the grammar of C depends on it,
//! and nothing else about names.

pub(crate) mod ast;
mod claims;
mod lexer;
mod origin;
mod parser;
mod pragma;
mod token;

use std::collections::BTreeMap;

use thetis_base::{FileId, Reported, Sink, SourceMap};

use ast::Unit;
pub use claims::{ClaimAt, ClaimPlace};

/// What line markers (`# 12 "file.c"`) in the text mean for positions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum LineMarkers {
    /// Nothing: positions are those of the text. This is right for files that the user gave in preprocessed form.
    #[default]
    Ignore,
    /// Positions are those in the named files, as far as their texts are in the source map: the keys are the names that
    /// stand in the markers.
    Follow(BTreeMap<String, FileId>),
}

/// Parses the text of a file, with claims at their places. Also gives the numbers of claims that have no place there.
pub(crate) fn parse(
    sources: &SourceMap,
    file: FileId,
    line_markers: &LineMarkers,
    claims: &[ClaimAt],
    sink: &mut Sink<'_>,
) -> Result<(Unit, Vec<u32>), Reported> {
    let source = sources.file(file);
    let mut lexed = lexer::lex(source.text(), file, sink);
    if let LineMarkers::Follow(originals) = line_markers {
        origin::trace_back(sources, source, &lexed.markers, originals, &mut lexed.tokens);
    }
    let (tokens, unplaced) = match claims.is_empty() {
        true => (lexed.tokens, Vec::new()),
        false => claims::inject(sources, lexed.tokens, claims, sink),
    };
    let unit = parser::parse(tokens, sink);
    sink.check()?;
    Ok((unit, unplaced))
}
