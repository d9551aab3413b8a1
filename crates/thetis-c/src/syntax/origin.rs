//! From places in preprocessed text back to places in the files that people wrote.
//!
//! Line markers say from which line of which file a line of preprocessed text comes. They say nothing about columns, and
//! macros have changed the words of the line. So the words of both lines are compared: as many as possible from the front
//! and from the back are the same and get the places they have in the original; what is between them came out of macros
//! and gets the place of the first word that it replaced, usually the name of the macro. Preprocessors break a line at the macros of
//! system headers; the parts of such a line are compared with what the parts before them left of it. Lines of files whose text is
//! not known (headers of the system) keep their places in the preprocessed text.

use std::collections::BTreeMap;

use thetis_base::{FileId, SourceFile, SourceMap, Span};

use super::lexer::{LineMarker, lex_line};
use super::token::Token;

/// Moves the spans of `tokens`, which point into `text`, to the `originals`, as the markers tell.
pub(super) fn trace_back(
    sources: &SourceMap,
    text: &SourceFile,
    markers: &[LineMarker<'_>],
    originals: &BTreeMap<String, FileId>,
    tokens: &mut [Token<'_>],
) {
    let mut rest = tokens;
    let mut last = None;
    while let Some(first) = rest.first() {
        let line = text.position(first.span.start).line;
        let line_end = text.lines(line, line).end as u32;
        let length = rest.iter().take_while(|token| token.span.start <= line_end).count().max(1);
        let (words, behind) = rest.split_at_mut(length);
        if let Some((file, number)) = original_line(text, markers, originals, words[0].span.start) {
            let num_found = match last {
                Some((known, found)) if known == (file, number) => found,
                _ => 0,
            };
            last = Some(((file, number), align(sources.file(file), (file, number), num_found, words)));
        }
        rest = behind;
    }
}

/// The file and line from which the line with this byte comes, if the text of the file is known.
fn original_line(
    text: &SourceFile,
    markers: &[LineMarker<'_>],
    originals: &BTreeMap<String, FileId>,
    offset: u32,
) -> Option<(FileId, u32)> {
    let index = markers.partition_point(|marker| marker.start <= offset).checked_sub(1)?;
    let marker = &markers[index];
    let file = *originals.get(marker.file)?;
    let distance = text.position(offset).line - text.position(marker.start).line;
    Some((file, marker.line.checked_add(distance)?))
}

/// Gives `words` the places they have in a line of the original after its first `num_found` words. Gives the number of words from
/// the front that are found then.
fn align(
    original: &SourceFile,
    (file, number): (FileId, u32),
    num_found: usize,
    words: &mut [Token<'_>],
) -> usize {
    if number == 0 || number > original.num_lines() {
        return 0;
    }
    let start = original.lines(number, number).start as u32;
    let line = original.line(number);
    let mut written = lex_line(line, file);
    for token in &mut written {
        token.span.start += start;
        token.span.end += start;
    }
    let num_found = num_found.min(written.len());
    written.drain(..num_found);
    let shorter = words.len().min(written.len());
    let same = |(ours, theirs): (&Token<'_>, &Token<'_>)| ours.text == theirs.text;
    let front = words.iter().zip(&written).take_while(|pair| same(*pair)).count();
    let back = words
        .iter()
        .rev()
        .zip(written.iter().rev())
        .take(shorter - front)
        .take_while(|pair| same(*pair))
        .count();
    let blank = Span { file, start, end: start + line.len() as u32 };
    let replaced = written.get(front).or(written.last()).map_or(blank, |token| token.span);
    let (num_words, num_written) = (words.len(), written.len());
    for (index, word) in words.iter_mut().enumerate() {
        word.span = if index < front {
            written[index].span
        } else if num_words - index <= back {
            written[num_written - (num_words - index)].span
        } else {
            replaced
        };
    }
    num_found + front
}
