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

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{FileId, Reported, Sink, SourceMap, Span};

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

/// What comes from headers of the system: parts of the text, and of the files to which positions are traced back.
fn system_parts(
    markers: &[lexer::LineMarker<'_>],
    (file, length): (FileId, u32),
    line_markers: &LineMarkers,
) -> Vec<Span> {
    let ends = markers.iter().skip(1).map(|next| next.start).chain([length]);
    let headers: BTreeSet<&str> =
        markers.iter().filter(|marker| marker.enters_system).map(|marker| marker.file).collect();
    let parts = markers.iter().zip(ends).filter(|(marker, _)| headers.contains(marker.file));
    parts
        .flat_map(|(marker, end)| {
            let original = match line_markers {
                LineMarkers::Follow(originals) => originals.get(marker.file).copied(),
                LineMarkers::Ignore => None,
            };
            let whole = original.map(|file| Span { file, start: 0, end: u32::MAX });
            [Some(Span { file, start: marker.start, end }), whole]
        })
        .flatten()
        .collect()
}

/// Parses the text of a file, with claims at their places. Also returns the numbers of claims that match no position.
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
    let mut unit = parser::parse(tokens, sink);
    sink.check()?;
    unit.system = system_parts(&lexed.markers, (file, source.text().len() as u32), line_markers);
    Ok((unit, unplaced))
}

#[cfg(test)]
mod tests {
    use thetis_base::Diagnostics;

    use super::*;

    #[test]
    fn parts_from_headers_of_the_system_are_known() {
        let text = "int a;\n# 1 \"/usr/include/x.h\" 1 3 4\nint b;\n# 2 \"y.h\" 1\nint c;\n# 3 \"x.c\" 3 4\nint d;\n\
                    # 9 \"/usr/include/x.h\" 2 3\nint e;\n";
        let mut sources = SourceMap::new();
        let file = sources.add("x.c", text);
        let mut diagnostics = Diagnostics::new();
        let lexed = lexer::lex(text, file, &mut Sink::new(&mut diagnostics));
        let length = text.len() as u32;
        let parts = system_parts(&lexed.markers, (file, length), &LineMarkers::Ignore);
        let words: Vec<&str> = parts
            .iter()
            .map(|part| text[part.start as usize..part.end as usize].lines().next().unwrap_or(""))
            .collect();
        assert_eq!(words, ["int b;", "int e;"], "what macros of the system stand for is written in `x.c`");
        let header = sources.add("/usr/include/x.h", "int b;\n");
        let follow = LineMarkers::Follow([("/usr/include/x.h".to_owned(), header)].into());
        let parts = system_parts(&lexed.markers, (file, length), &follow);
        assert!(parts.iter().any(|part| part.file == header));
    }
}
