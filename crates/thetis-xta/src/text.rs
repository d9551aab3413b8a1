//! Texts that may differ from the bytes of their file.
//!
//! In XML, entities are replaced and a text may have several parts. A [`Text`] knows where each of its parts comes from, so
//! that messages point into the file.

use thetis_base::{FileId, SourceMap, Span};
use thetis_xml::Node;

/// A text with the place of each of its parts.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    content: String,
    file: FileId,
    /// Where the text would be if it were empty.
    place: u32,
    parts: Vec<TextPiece>,
}

/// A part of a text. If it is as long as its origin, the two are equal.
#[derive(Clone, Copy, Debug)]
struct TextPiece {
    start: usize,
    origin: u32,
    origin_end: u32,
}

impl Text {
    /// A whole file.
    pub(crate) fn of_file(sources: &SourceMap, file: FileId) -> Text {
        let text = sources.file(file).text();
        let mut whole = Text::empty(Span { file, start: 0, end: 0 });
        whole.push(text, Span { file, start: 0, end: text.len() as u32 });
        whole
    }

    /// The text of an XML element.
    pub(crate) fn of(node: Node<'_, '_>) -> Text {
        let (content, pieces) = node.whole_text();
        let mut text = Text::empty(node.span());
        let ends = pieces.iter().skip(1).map(|piece| piece.start).chain([content.len()]);
        pieces.iter().zip(ends).for_each(|(piece, end)| text.push(&content[piece.start..end], piece.origin));
        text
    }

    /// An empty text that belongs at the end of `place`.
    pub(crate) fn empty(place: Span) -> Text {
        Text { content: String::new(), file: place.file, place: place.end, parts: Vec::new() }
    }

    /// Appends `part`, which stands for what is at `origin`.
    pub(crate) fn push(&mut self, part: &str, origin: Span) {
        if part.is_empty() {
            return;
        }
        self.parts.push(TextPiece {
            start: self.content.len(),
            origin: origin.start,
            origin_end: origin.end,
        });
        self.content.push_str(part);
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.content
    }

    /// Where the bytes from `start` to `end` come from.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.before(start);
        Span { file: self.file, start: first, end: if end > start { self.after(end - 1) } else { first } }
    }

    /// Where the byte at `at` starts.
    fn before(&self, at: usize) -> u32 {
        match self.part(at) {
            Some((part, length)) if at < part.start + length => {
                if part.is_verbatim(length) {
                    part.origin + (at - part.start) as u32
                } else {
                    part.origin
                }
            }
            Some((part, _)) => part.origin_end,
            None => self.place,
        }
    }

    /// Where the byte at `at` ends.
    fn after(&self, at: usize) -> u32 {
        match self.part(at) {
            Some((part, length)) if part.is_verbatim(length) => part.origin + (at + 1 - part.start) as u32,
            Some((part, _)) => part.origin_end,
            None => self.place,
        }
    }

    /// The part with the byte at `at`, or the last one, and its length.
    fn part(&self, at: usize) -> Option<(TextPiece, usize)> {
        let next = self.parts.partition_point(|part| part.start <= at);
        let part = *self.parts.get(next.checked_sub(1)?)?;
        let end = self.parts.get(next).map_or(self.content.len(), |next| next.start);
        Some((part, end - part.start))
    }
}

impl TextPiece {
    fn is_verbatim(self, length: usize) -> bool {
        (self.origin_end - self.origin) as usize == length
    }
}
