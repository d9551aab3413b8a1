//! Maps positions in preprocessed text back to positions in the original files.
//!
//! Line markers say from which line of which file a line of preprocessed text comes. They say nothing about columns,
//! and macros have changed the tokens of the line. So the tokens of both lines are compared: as many as possible from
//! the front and from the back are matched and get their original positions; the tokens between them came from macros
//! and get the position of the first token that they replaced, usually the name of the macro. Preprocessors break a
//! line at the macros of system headers and indent each part to the column of its first word, or of the macro that it
//! came from; such a part is compared with the line from that column on, or, if no token begins there, with the rest of
//! the line after the previous parts. Lines of files whose text is not known (headers of the system) keep their places
//! in the preprocessed text.

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
            let begin = match last {
                Some((known, num_found)) if known == (file, number) => {
                    let column = words[0].span.start - text.lines(line, line).start as u32;
                    Begin::At { column, num_found }
                }
                _ => Begin::OfLine,
            };
            last = Some(((file, number), align(sources.file(file), (file, number), begin, words)));
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

/// The number of the word from which a part of a line came that is indented to a place. Preprocessors leave out one blank where
/// there is none before the word. The word is the first of the part, or the name of a macro.
fn word_at(written: &[Token<'_>], place: u32, first: &str) -> Option<usize> {
    let found = [place + 1, place].map(|place| written.iter().position(|token| token.span.start == place));
    let find = |is_it: &dyn Fn(&str) -> bool| {
        found.into_iter().flatten().find(|number| is_it(written[*number].text))
    };
    let is_name = |text: &str| text.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    find(&|text| text == first).or_else(|| find(&is_name))
}

/// Where in a line of the original some words begin.
enum Begin {
    OfLine,
    /// At the word to which they are indented. If there is none, after the words that were found already.
    At {
        column: u32,
        num_found: usize,
    },
}

/// Gives `words` the places they have in a line of the original. Gives the number of words of the line that are found then.
fn align(
    original: &SourceFile,
    (file, number): (FileId, u32),
    begin: Begin,
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
    let num_found = match begin {
        Begin::OfLine => 0,
        Begin::At { column, num_found } => {
            word_at(&written, start + column, words[0].text).unwrap_or(num_found.min(written.len()))
        }
    };
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
