//! XML with the place of every character.
//!
//! Elements stand in document order, each with the index after its last descendant, so nothing here recurses, whatever the
//! depth. Comments, processing instructions and document types are skipped; entities other than the predefined ones are errors.

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span, tick};

use crate::code;
use crate::text::Text;

/// A document with at least one element; the first is the root.
pub(super) struct Document {
    elements: Vec<Element>,
}

struct Element {
    name: String,
    span: Span,
    attributes: Vec<(String, String)>,
    text: Text,
    end: usize,
}

/// An element within its document.
#[derive(Clone, Copy)]
pub(super) struct Node<'d> {
    document: &'d Document,
    index: usize,
}

impl Document {
    pub(super) fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }
}

impl<'d> Node<'d> {
    fn element(self) -> &'d Element {
        &self.document.elements[self.index]
    }

    pub(super) fn name(self) -> &'d str {
        &self.element().name
    }

    /// The start tag.
    pub(super) fn span(self) -> Span {
        self.element().span
    }

    /// The text without that of elements inside.
    pub(super) fn text(self) -> &'d Text {
        &self.element().text
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let mut attributes = self.element().attributes.iter();
        attributes.find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn children(self) -> impl Iterator<Item = Node<'d>> {
        let (document, end) = (self.document, self.element().end);
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let node = (next < end).then_some(Node { document, index: next })?;
            next = node.element().end;
            Some(node)
        })
    }
}

/// Reads the document in `file`.
pub(super) fn parse(
    sources: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<Document, Reported> {
    let text = sources.file(file).text();
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = XmlParser {
        text,
        file,
        reader: Reader::from_str(body),
        offset: text.len() - body.len(),
        start: 0,
        elements: Vec::new(),
        open: Vec::new(),
        diags,
    };
    while parser.next()? {}
    Ok(Document { elements: parser.elements })
}

struct XmlParser<'t, 'd> {
    text: &'t str,
    file: FileId,
    reader: Reader<&'t [u8]>,
    /// Where the text of the reader starts in the file.
    offset: usize,
    /// Where the current event starts, for the reader.
    start: u64,
    elements: Vec<Element>,
    open: Vec<usize>,
    diags: &'d mut Diagnostics,
}

impl XmlParser<'_, '_> {
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
            Ok(Event::Text(_)) => self.add_text(self.span())?,
            Ok(Event::CData(_)) => self.add_text(inside_cdata(self.span()))?,
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
            return Err(self.diags.error(element.span, code::SYNTAX, message));
        }
        if self.elements.is_empty() {
            return Err(self.diags.error(span, code::SYNTAX, "no XML element found"));
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
            return Err(self.diags.error(span, code::SYNTAX, "a second root element"));
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.malformed(span, &error.to_string()))?;
            let value = quick_xml::escape::unescape(&attribute.value)
                .map_err(|error| self.malformed(span, &error.to_string()))?;
            attributes.push((attribute.key.local_name().as_ref().to_owned(), value.into_owned()));
        }
        let name = tag.local_name().as_ref().to_owned();
        let index = self.elements.len();
        self.elements.push(Element { name, span, attributes, text: Text::empty(span), end: index + 1 });
        self.open.push(index);
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
    fn add_text(&mut self, span: Span) -> Result<(), Reported> {
        let text = &self.text[span.start as usize..span.end as usize];
        match self.open.last() {
            Some(index) => self.elements[*index].text.push(text, span),
            None if text.trim().is_empty() => {}
            None => return Err(self.diags.error(span, code::SYNTAX, "text outside of the root element")),
        }
        Ok(())
    }

    fn add_entity(&mut self, entity: &BytesRef<'_>) -> Result<(), Reported> {
        let span = self.span();
        let name = entity.xml10_content();
        let resolved = match entity.resolve_char_ref() {
            Ok(Some(character)) => Some(character.to_string()),
            Ok(None) => resolve_xml_entity(&name).map(str::to_owned),
            Err(_) => None,
        };
        match (resolved, self.open.last()) {
            (Some(text), Some(index)) => self.elements[*index].text.push(&text, span),
            (Some(_), None) => {
                return Err(self.diags.error(span, code::SYNTAX, "text outside of the root element"));
            }
            (None, _) => return Err(self.malformed(span, &format!("unknown entity `&{name};`"))),
        }
        Ok(())
    }

    fn malformed(&mut self, span: Span, what: &str) -> Reported {
        self.diags.error(span, code::SYNTAX, format!("malformed XML: {what}"))
    }
}

/// What stands between `<![CDATA[` and `]]>`.
fn inside_cdata(span: Span) -> Span {
    Span { start: span.start + 9, end: span.end - 3, ..span }
}
