//! Lines of TChecker's format: `keyword:field:field{attribute:value:attribute:value}`.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};

use crate::code;
use crate::text::Text;

/// A line with something in it.
pub(super) struct Line<'t> {
    pub(super) keyword: Field<'t>,
    pub(super) fields: Vec<Field<'t>>,
    /// Attributes with their values, which may be empty.
    pub(super) attributes: Vec<(Field<'t>, Field<'t>)>,
}

/// A part of a line, without blanks around it.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

impl Field<'_> {
    /// The field as a text for the parser of expressions.
    pub(super) fn as_text(&self) -> Text {
        let mut text = Text::empty(self.span);
        text.push(self.text, self.span);
        text
    }
}

/// All lines of `file` except comments and empty ones.
pub(super) fn lines<'t>(
    sources: &'t SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<Vec<Line<'t>>, Reported> {
    let mut list = Vec::new();
    let mut start = 0;
    for line in sources.file(file).text().split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or(line);
        if !content.trim().is_empty() {
            list.push(split(Piece { text: content, start, file }, diags)?);
        }
        start += line.len();
    }
    Ok(list)
}

/// A part of the file.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    start: usize,
    file: FileId,
}

impl<'t> Piece<'t> {
    fn part(self, from: usize, to: usize) -> Piece<'t> {
        Piece { text: &self.text[from..to], start: self.start + from, file: self.file }
    }

    fn field(self) -> Field<'t> {
        let text = self.text.trim();
        let start = self.start + self.text.len() - self.text.trim_start().len();
        let span = Span { file: self.file, start: start as u32, end: (start + text.len()) as u32 };
        Field { text, span }
    }

    /// The parts between colons.
    fn fields(self) -> Vec<Field<'t>> {
        let mut list = Vec::new();
        let mut from = 0;
        for part in self.text.split(':') {
            list.push(self.part(from, from + part.len()).field());
            from += part.len() + 1;
        }
        list
    }
}

fn split<'t>(line: Piece<'t>, diags: &mut Diagnostics) -> Result<Line<'t>, Reported> {
    let (head, attributes) = match line.text.find('{') {
        None => (line, Vec::new()),
        Some(open) => (line.part(0, open), attributes(line.part(open, line.text.len()), diags)?),
    };
    let mut fields = head.fields();
    let keyword = fields.remove(0);
    Ok(Line { keyword, fields, attributes })
}

/// What stands in braces.
fn attributes<'t>(
    piece: Piece<'t>,
    diags: &mut Diagnostics,
) -> Result<Vec<(Field<'t>, Field<'t>)>, Reported> {
    let whole = piece.field();
    if !whole.text.ends_with('}') {
        return Err(diags.error(whole.span, code::SYNTAX, "expected `}` at the end of the line"));
    }
    let from = whole.span.start as usize - piece.start;
    let inner = piece.part(from + 1, from + whole.text.len() - 1);
    let fields = inner.fields();
    if let [only] = fields.as_slice()
        && only.text.is_empty()
    {
        return Ok(Vec::new());
    }
    let pairs = fields.chunks(2).map(|pair| match pair {
        [name, value] => Ok((*name, *value)),
        _ => {
            let message = format!("expected `:` after the attribute `{}`", pair[0].text);
            Err(diags.error(pair[0].span, code::SYNTAX, message))
        }
    });
    pairs.collect()
}
