//! XML as a flat tree with positions.
//!
//! Elements stand in document order, each with the index after its last descendant, so that neither reading nor walking needs
//! recursion, whatever the depth. Namespaces are not resolved: only local names count. Comments, processing instructions and document
//! types are skipped; entities other than the predefined ones are errors.
//!
//! The text of an element is what stands directly in it, without elements inside. It is made of pieces, because entities are
//! replaced; each piece knows where it comes from, so that messages about the text can point into the file.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use thetis_base::{Code, Diagnostics, FileId, Reported, SourceMap, Span, tick};

/// The text does not follow the grammar.
const SYNTAX: Code = Code("syntax");

/// A document with at least one element; the first is the root.
pub struct Document<'t> {
    elements: Vec<Element<'t>>,
}

struct Element<'t> {
    name: String,
    /// The start tag.
    span: Span,
    attributes: Vec<(String, String)>,
    text: Cow<'t, str>,
    pieces: Vec<Piece>,
    end: usize,
}

/// A piece of the text of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it starts in the text.
    pub start: usize,
    /// Where it comes from. Where it is as long as that, it is the same.
    pub origin: Span,
}

/// An element within its document.
#[derive(Clone, Copy)]
pub struct Node<'d, 't> {
    document: &'d Document<'t>,
    index: usize,
}

impl<'t> Document<'t> {
    /// The root element.
    pub fn root(&self) -> Node<'_, 't> {
        Node { document: self, index: 0 }
    }
}

impl<'d, 't> Node<'d, 't> {
    fn element(self) -> &'d Element<'t> {
        &self.document.elements[self.index]
    }

    /// The local name.
    pub fn name(self) -> &'d str {
        &self.element().name
    }

    /// The start tag.
    pub fn span(self) -> Span {
        self.element().span
    }

    /// The value of an attribute.
    pub fn attribute(self, name: &str) -> Option<&'d str> {
        let mut attributes = self.element().attributes.iter();
        attributes.find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The text without surrounding blanks.
    pub fn text(self) -> &'d str {
        self.element().text.trim()
    }

    /// The text from its first piece on that is not blank, and its pieces.
    pub fn whole_text(self) -> (&'d str, &'d [Piece]) {
        (&self.element().text, &self.element().pieces)
    }

    /// Where the text is; the start tag if there is none.
    pub fn text_span(self) -> Span {
        let element = self.element();
        match element.pieces.as_slice() {
            [] => element.span,
            [one] => trimmed(one.origin, &element.text),
            [first, second, ..] => {
                let start = trimmed(first.origin, &element.text[..second.start]).start;
                let end = element.pieces.last().map_or(start, |last| last.origin.end);
                Span { start, end, ..first.origin }
            }
        }
    }

    /// The elements directly inside.
    pub fn children(self) -> impl Iterator<Item = Node<'d, 't>> {
        let (document, end) = (self.document, self.element().end);
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let node = (next < end).then_some(Node { document, index: next })?;
            next = node.element().end;
            Some(node)
        })
    }

    /// The first child with that name.
    pub fn child(self, name: &str) -> Option<Node<'d, 't>> {
        self.children().find(|child| child.name() == name)
    }

    /// The children, and the children of children called `inner`, to any depth, in document order.
    pub fn children_through(self, inner: &str) -> Vec<Node<'d, 't>> {
        let (document, end) = (self.document, self.element().end);
        let mut found = Vec::new();
        let mut next = self.index + 1;
        while next < end {
            let node = Node { document, index: next };
            next = if node.name() == inner { next + 1 } else { node.element().end };
            found.push(node);
        }
        found
    }
}

/// Reads a document with one root element.
pub fn parse<'t>(
    sources: &'t SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<Document<'t>, Reported> {
    let text = sources.file(file).text();
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let offset = text.len() - body.len();
    // The reader would skip a second mark without counting it.
    if body.starts_with('\u{feff}') {
        let span = Span { file, start: offset as u32, end: offset as u32 + 3 };
        return Err(diags.error(span, SYNTAX, "malformed XML: a second byte order mark"));
    }
    let mut parser = Parser {
        text,
        file,
        reader: Reader::from_str(body),
        offset,
        start: 0,
        elements: Vec::new(),
        open: Vec::new(),
        diags,
    };
    while parser.next()? {}
    Ok(Document { elements: parser.elements })
}

struct Parser<'t, 'd> {
    text: &'t str,
    file: FileId,
    reader: Reader<&'t [u8]>,
    /// Where the text of the reader starts in the file.
    offset: usize,
    /// Where the current event starts, for the reader.
    start: u64,
    elements: Vec<Element<'t>>,
    open: Vec<usize>,
    diags: &'d mut Diagnostics,
}

impl<'t> Parser<'t, '_> {
    /// Reads one event; `false` at the end.
    fn next(&mut self) -> Result<bool, Reported> {
        tick();
        self.start = self.reader.buffer_position();
        match self.reader.read_event() {
            Ok(Event::Start(tag)) => self.open_element(&tag)?,
            Ok(Event::Empty(tag)) => {
                self.open_element(&tag)?;
                self.close_element();
            }
            Ok(Event::End(_)) => self.close_element(),
            Ok(Event::Text(_)) => self.add_verbatim(self.span())?,
            Ok(Event::CData(_)) => self.add_verbatim(inside_cdata(self.span()))?,
            Ok(Event::GeneralRef(entity)) => self.add_entity(&entity)?,
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Ok(Event::Eof) => return self.finish(),
            Err(error) => {
                let at = (self.offset + self.reader.error_position() as usize) as u32;
                let span = Span { file: self.file, start: at, end: at };
                return Err(self.malformed(span, &error.to_string()));
            }
        }
        Ok(true)
    }

    fn finish(&mut self) -> Result<bool, Reported> {
        let span = self.span();
        if let Some(open) = self.open.last() {
            let element = &self.elements[*open];
            let message = format!("element `{}` is not closed", element.name);
            return Err(self.diags.error(element.span, SYNTAX, message));
        }
        if self.elements.is_empty() {
            return Err(self.diags.error(span, SYNTAX, "no XML element found"));
        }
        Ok(false)
    }

    /// The bytes of the current event.
    fn span(&self) -> Span {
        let at = |position: u64| (self.offset + position as usize) as u32;
        Span { file: self.file, start: at(self.start), end: at(self.reader.buffer_position()) }
    }

    fn open_element(&mut self, tag: &BytesStart<'_>) -> Result<(), Reported> {
        let span = self.span();
        if self.open.is_empty() && !self.elements.is_empty() {
            return Err(self.diags.error(span, SYNTAX, "a second root element"));
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.malformed(span, &error.to_string()))?;
            let value = quick_xml::escape::unescape(&attribute.value)
                .map_err(|error| self.malformed(span, &error.to_string()))?;
            attributes.push((attribute.key.local_name().as_ref().to_owned(), value.into_owned()));
        }
        let name = tag.local_name().as_ref().to_owned();
        let (text, pieces, end) = (Cow::Borrowed(""), Vec::new(), self.elements.len() + 1);
        self.open.push(self.elements.len());
        self.elements.push(Element { name, span, attributes, text, pieces, end });
        Ok(())
    }

    /// The reader has checked that there is an open element.
    fn close_element(&mut self) {
        let end = self.elements.len();
        if let Some(index) = self.open.pop() {
            self.elements[index].end = end;
        }
    }

    /// Adds the text at `span` as it stands there.
    fn add_verbatim(&mut self, span: Span) -> Result<(), Reported> {
        self.add(Cow::Borrowed(&self.text[span.start as usize..span.end as usize]), span)
    }

    fn add_entity(&mut self, entity: &BytesRef<'_>) -> Result<(), Reported> {
        let span = self.span();
        let name = entity.xml10_content();
        let resolved = match entity.resolve_char_ref() {
            Ok(Some(character)) => Some(character.to_string()),
            Ok(None) => resolve_xml_entity(&name).map(str::to_owned),
            Err(_) => None,
        };
        match resolved {
            Some(text) => self.add(Cow::Owned(text), span),
            None => Err(self.malformed(span, &format!("unknown entity `&{name};`"))),
        }
    }

    /// Adds a piece to the text of the open element. Blanks before all others are left out.
    fn add(&mut self, piece: Cow<'t, str>, origin: Span) -> Result<(), Reported> {
        let is_blank = piece.trim().is_empty();
        let Some(index) = self.open.last() else {
            if is_blank {
                return Ok(());
            }
            return Err(self.diags.error(origin, SYNTAX, "text outside of the root element"));
        };
        let element = &mut self.elements[*index];
        if is_blank && element.pieces.is_empty() {
            return Ok(());
        }
        element.pieces.push(Piece { start: element.text.len(), origin });
        if element.text.is_empty() {
            element.text = piece;
        } else {
            element.text.to_mut().push_str(&piece);
        }
        Ok(())
    }

    fn malformed(&mut self, span: Span, what: &str) -> Reported {
        self.diags.error(span, SYNTAX, format!("malformed XML: {what}"))
    }
}

/// What stands between `<![CDATA[` and `]]>`.
fn inside_cdata(span: Span) -> Span {
    Span { start: span.start + 9, end: span.end - 3, ..span }
}

/// The part of `span`, which covers `text`, without surrounding blanks.
fn trimmed(span: Span, text: &str) -> Span {
    let front = text.len() - text.trim_start().len();
    let back = text.len() - text.trim_end().len();
    if (span.end - span.start) as usize != text.len() {
        return span;
    }
    Span { start: span.start + front as u32, end: span.end - back as u32, ..span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_know_where_they_come_from() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.xml", "<a>\n<b/> x &lt; <!-- no --><![CDATA[y]]> </a>");
        let document = parse(&sources, file, &mut Diagnostics::new()).ok();
        let root = document.as_ref().map(Document::root);
        let (text, pieces) = root.map(Node::whole_text).unwrap_or_default();
        assert_eq!(text, " x < y ");
        let origins: Vec<&str> = pieces.iter().map(|piece| sources.text(piece.origin)).collect();
        assert_eq!(origins, [" x ", "&lt;", " ", "y", " "]);
        assert_eq!(root.map(|root| sources.text(root.text_span())), Some("x &lt; <!-- no --><![CDATA[y]]> "));
    }

    #[test]
    fn one_byte_order_mark_is_skipped_and_counted() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.xml", "\u{feff}<a>x</a>");
        let document = parse(&sources, file, &mut Diagnostics::new()).ok();
        assert_eq!(document.map(|document| sources.text(document.root().text_span())), Some("x"));
        for text in ["\u{feff}\u{feff}<a>x</a>", "\u{feff}\u{feff}`<"] {
            let file = sources.add("b.xml", text);
            let mut diags = Diagnostics::new();
            assert!(parse(&sources, file, &mut diags).is_err(), "{text:?}");
        }
    }
}
