//! XML as a flat tree with positions.
//!
//! Elements stand in document order, each with the index after its last descendant, so that neither reading nor
//! walking needs recursion, whatever the depth. Namespaces are not resolved: only local names count, as is customary
//! for PNML. Comments, processing instructions and document types are skipped; entities other than the predefined ones
//! are errors.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span, tick};

use crate::code;

/// A document.
pub(crate) struct Document<'t> {
    elements: Vec<Element<'t>>,
}

/// An element with its text. Text between child elements is joined.
pub(crate) struct Element<'t> {
    /// The local name.
    pub(crate) name: Cow<'t, str>,
    /// The start tag.
    pub(crate) span: Span,
    attributes: Vec<Attribute<'t>>,
    text: Cow<'t, str>,
    text_span: Span,
    end: usize,
}

struct Attribute<'t> {
    name: Cow<'t, str>,
    value: Cow<'t, str>,
}

/// An element within its document.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d, 't> {
    document: &'d Document<'t>,
    index: usize,
}

/// Reads a document with one root element.
pub(crate) fn parse<'t>(
    sources: &'t SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<Document<'t>, Reported> {
    let text = sources.file(file).text();
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser {
        file,
        reader: Reader::from_str(body),
        offset: text.len() - body.len(),
        start: 0,
        document: Document { elements: Vec::new() },
        open: Vec::new(),
        diags,
    };
    while parser.next()? {}
    Ok(parser.document)
}

impl<'t> Document<'t> {
    /// The root element.
    pub(crate) fn root(&self) -> Node<'_, 't> {
        Node { document: self, index: 0 }
    }
}

impl<'d, 't> Node<'d, 't> {
    pub(crate) fn element(self) -> &'d Element<'t> {
        &self.document.elements[self.index]
    }

    pub(crate) fn name(self) -> &'d str {
        &self.element().name
    }

    pub(crate) fn span(self) -> Span {
        self.element().span
    }

    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        self.element()
            .attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|one| one.value.as_ref())
    }

    /// The text without surrounding blanks.
    pub(crate) fn text(self) -> &'d str {
        self.element().text.trim()
    }

    /// Where the text is; the start tag if there is none.
    pub(crate) fn text_span(self) -> Span {
        self.element().text_span
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Node<'d, 't>> {
        let (document, end) = (self.document, self.element().end);
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let node = (next < end).then_some(Node { document, index: next })?;
            next = node.element().end;
            Some(node)
        })
    }

    /// The first child with that name.
    pub(crate) fn child(self, name: &str) -> Option<Node<'d, 't>> {
        self.children().find(|child| child.name() == name)
    }

    /// The children, and the children of children called `inner`, to any depth, in document order.
    pub(crate) fn children_through(self, inner: &str) -> Vec<Node<'d, 't>> {
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

struct Parser<'t, 'd> {
    file: FileId,
    reader: Reader<&'t [u8]>,
    /// Where the text of the reader starts in the file.
    offset: usize,
    /// Where the current event starts, for the reader.
    start: u64,
    document: Document<'t>,
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
            Ok(Event::Text(text)) => self.add_text(text.xml10_content())?,
            Ok(Event::CData(text)) => self.add_text(text.xml10_content())?,
            Ok(Event::GeneralRef(entity)) => self.add_entity(&entity)?,
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Ok(Event::Eof) => return self.finish(),
            Err(error) => {
                let at = self.offset + self.reader.error_position() as usize;
                let span = Span { file: self.file, start: at as u32, end: at as u32 };
                return Err(self.diags.error(span, code::SYNTAX, format!("malformed XML: {error}")));
            }
        }
        Ok(true)
    }

    fn finish(&mut self) -> Result<bool, Reported> {
        let span = self.span();
        if let Some(open) = self.open.last() {
            let element = &self.document.elements[*open];
            let message = format!("element `{}` is not closed", element.name);
            return Err(self.diags.error(element.span, code::SYNTAX, message));
        }
        if self.document.elements.is_empty() {
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
        if self.open.is_empty() && !self.document.elements.is_empty() {
            return Err(self.diags.error(span, code::SYNTAX, "a second root element"));
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.malformed(span, &error.to_string()))?;
            let value = quick_xml::escape::unescape(&attribute.value)
                .map_err(|error| self.malformed(span, &error.to_string()))?;
            let name = attribute.key.local_name().as_ref().to_owned();
            attributes.push(Attribute { name: name.into(), value: value.into_owned().into() });
        }
        let name = tag.local_name().as_ref().to_owned().into();
        let index = self.document.elements.len();
        let text = Cow::Borrowed("");
        self.document.elements.push(Element {
            name,
            span,
            attributes,
            text,
            text_span: span,
            end: index + 1,
        });
        self.open.push(index);
        Ok(())
    }

    fn malformed(&mut self, span: Span, what: &str) -> Reported {
        self.diags.error(span, code::SYNTAX, format!("malformed XML: {what}"))
    }

    /// The reader has checked that there is an open element.
    fn close_element(&mut self) {
        let end = self.document.elements.len();
        if let Some(index) = self.open.pop() {
            self.document.elements[index].end = end;
        }
    }

    fn add_text(&mut self, text: Cow<'t, str>) -> Result<(), Reported> {
        let span = self.span();
        let Some(index) = self.open.last() else {
            if text.trim().is_empty() {
                return Ok(());
            }
            return Err(self.diags.error(span, code::SYNTAX, "text outside of the root element"));
        };
        let element = &mut self.document.elements[*index];
        if !element.text.trim().is_empty() {
            element.text.to_mut().push_str(&text);
            element.text_span.end = span.end;
        } else if !text.trim().is_empty() {
            element.text_span = trimmed(span, &text);
            element.text = text;
        }
        Ok(())
    }

    fn add_entity(&mut self, entity: &BytesRef<'t>) -> Result<(), Reported> {
        let span = self.span();
        let name = entity.xml10_content();
        let resolved = match entity.resolve_char_ref() {
            Ok(Some(character)) => Some(character.to_string()),
            Ok(None) => resolve_xml_entity(&name).map(str::to_owned),
            Err(_) => None,
        };
        match resolved {
            Some(text) => self.add_text(text.into()),
            None => Err(self.malformed(span, &format!("unknown entity `&{name};`"))),
        }
    }
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
