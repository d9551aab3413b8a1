//! Source files and positions in them.

use std::borrow::Cow;
use std::ops::Range;

use crate::{IndexVec, define_index_type, printable};

define_index_type! {
    /// A file of a [`SourceMap`].
    pub struct FileId = u32;
}

/// A range of bytes of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both. If `other` is in another file, as parts of a macro may be, the result is
    /// `self`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place as people count: from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// The texts that spans point into.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
}

/// One source text with its name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file.
    ///
    /// # Panics
    /// If the text has 4 GiB or more; whoever reads files rejects such sizes.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "a source text should be smaller than 4 GiB");
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts })
    }

    /// A file by its id.
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.file].text[span.start as usize..span.end as usize]
    }

    /// Where a span starts.
    pub fn start(&self, span: Span) -> LineColumn {
        self.files[span.file].position(span.start)
    }
}

impl SourceFile {
    /// The name under which the user knows the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The [name](Self::name) as it may be printed for people.
    pub fn printable_name(&self) -> Cow<'_, str> {
        printable(&self.name)
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are; the one after a last line break counts.
    pub fn num_lines(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// Line and column of a byte.
    pub fn position(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.text[start..offset as usize].chars().count();
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The bytes of the lines from `first` to `last`, counted from 1, without the end of the last.
    pub fn lines(&self, first: u32, last: u32) -> Range<usize> {
        let start = self.line_starts[first as usize - 1] as usize;
        let last_start = self.line_starts[last as usize - 1] as usize;
        start..last_start + self.line(last).len()
    }

    /// The text of a line, counted from 1, without its end.
    pub fn line(&self, line: u32) -> &str {
        let start = self.line_starts[line as usize - 1] as usize;
        let rest = &self.text[start..];
        rest.split_once('\n').map_or(rest, |(line, _)| line).trim_end_matches('\r')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut map = SourceMap::new();
        let file = map.add("a.cfa", "var x\nä := 1\n");
        let at = |offset| {
            let place = map.file(file).position(offset);
            (place.line, place.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(4), (1, 5));
        assert_eq!(at(6), (2, 1));
        assert_eq!(at(8), (2, 2));
        assert_eq!(at(14), (3, 1));
        assert_eq!(map.file(file).line(2), "ä := 1");
        assert_eq!(map.text(Span { file, start: 0, end: 3 }), "var");
    }

    #[test]
    fn spans_stay_in_their_file() {
        let mut map = SourceMap::new();
        let [file, other] = ["a.c", "b.c"].map(|name| map.add(name, "int x;"));
        let first = Span { file, start: 0, end: 3 };
        assert_eq!(first.to(Span { file, start: 4, end: 5 }), Span { file, start: 0, end: 5 });
        assert_eq!(first.to(Span { file: other, start: 4, end: 5 }), first);
    }
}
