//! S-expressions: the reader under the SMT-LIB parser, also used for the replies of solver processes.
//!
//! All expressions of a text are kept in one vector in the order of their first characters; a node knows where the
//! next node outside it is. So reading, walking and dropping are loops, and a reply that is nested a million
//! levels deep is no problem.

use thetis_base::tick;

use super::ParseError;

/// What an expression is. The kinds other than [`SexprKind::List`] are those of SMT-LIB's lexicon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SexprKind {
    /// `( … )`.
    List,
    /// `x`.
    Symbol,
    /// `|x y|`; the same symbol as one without bars.
    Quoted,
    /// `:named`.
    Keyword,
    /// `12`.
    Numeral,
    /// `1.5`.
    Decimal,
    /// `#xff`.
    Hexadecimal,
    /// `#b01`.
    Binary,
    /// `"text"`.
    String,
}

/// The s-expressions of a text.
pub struct Sexprs<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    kind: SexprKind,
    start: u32,
    end: u32,
    /// The index of the first node that starts after this one has ended.
    next: u32,
}

/// One expression of a [`Sexprs`].
#[derive(Clone, Copy)]
pub struct Sexpr<'s> {
    all: &'s Sexprs<'s>,
    index: u32,
}

impl<'t> Sexprs<'t> {
    /// Reads all expressions of `text`.
    pub fn read(text: &'t str) -> Result<Sexprs<'t>, ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(ParseError::new(0, "the text is larger than 4 GiB"));
        }
        Reader { bytes: text.as_bytes(), position: 0, nodes: Vec::new(), open: Vec::new() }
            .read()
            .map(|nodes| Sexprs { text, nodes })
    }

    /// The expressions that are not part of another one.
    pub fn roots(&self) -> Children<'_> {
        Children { all: self, index: 0, end: self.nodes.len() as u32 }
    }

    /// The only expression of the text.
    pub fn only(&self) -> Result<Sexpr<'_>, ParseError> {
        let mut roots = self.roots();
        let first = roots.next().ok_or_else(|| ParseError::new(0, "expected an expression"))?;
        match roots.next() {
            Some(extra) => Err(extra.error("expected the end of the text")),
            None => Ok(first),
        }
    }
}

impl<'s> Sexpr<'s> {
    /// What this expression is.
    pub fn kind(self) -> SexprKind {
        self.node().kind
    }

    /// Where this expression starts in the text, in bytes.
    pub fn offset(self) -> usize {
        self.node().start as usize
    }

    /// The text of this expression.
    pub fn text(self) -> &'s str {
        &self.all.text[self.node().start as usize..self.node().end as usize]
    }

    /// The name, if this is a symbol; quoted symbols without their bars.
    pub fn symbol(self) -> Option<&'s str> {
        match self.kind() {
            SexprKind::Symbol => Some(self.text()),
            SexprKind::Quoted => Some(&self.text()[1..self.text().len() - 1]),
            _ => None,
        }
    }

    /// Whether this is the unquoted symbol `word`.
    pub fn is_word(self, word: &str) -> bool {
        self.kind() == SexprKind::Symbol && self.text() == word
    }

    /// The content, if this is a string literal.
    pub fn string(self) -> Option<String> {
        let text = self.text();
        (self.kind() == SexprKind::String).then(|| text[1..text.len() - 1].replace("\"\"", "\""))
    }

    /// The elements, if this is a list; none for an atom.
    pub fn children(self) -> Children<'s> {
        Children { all: self.all, index: self.index + 1, end: self.node().next }
    }

    /// An error at this expression.
    pub fn error(self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.offset(), message)
    }

    fn node(self) -> Node {
        self.all.nodes[self.index as usize]
    }
}

/// The elements of a list.
#[derive(Clone)]
pub struct Children<'s> {
    all: &'s Sexprs<'s>,
    index: u32,
    end: u32,
}

impl<'s> Iterator for Children<'s> {
    type Item = Sexpr<'s>;

    fn next(&mut self) -> Option<Sexpr<'s>> {
        if self.index >= self.end {
            return None;
        }
        let child = Sexpr { all: self.all, index: self.index };
        self.index = child.node().next;
        Some(child)
    }
}

struct Reader<'t> {
    bytes: &'t [u8],
    position: usize,
    nodes: Vec<Node>,
    open: Vec<usize>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Vec<Node>, ParseError> {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.position += 1,
                b';' => self.skip(|byte| byte != b'\n'),
                b'(' => self.enter(),
                b')' => self.leave()?,
                _ => self.atom(byte)?,
            }
        }
        match self.open.last() {
            Some(&index) => Err(ParseError::new(self.nodes[index].start as usize, "`(` is not closed")),
            None => Ok(self.nodes),
        }
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().position(|byte| !wanted(*byte)).unwrap_or(rest.len());
    }

    fn enter(&mut self) {
        self.open.push(self.nodes.len());
        let start = self.position as u32;
        self.nodes.push(Node { kind: SexprKind::List, start, end: start, next: 0 });
        self.position += 1;
    }

    fn leave(&mut self) -> Result<(), ParseError> {
        let Some(index) = self.open.pop() else {
            return Err(ParseError::new(self.position, "unexpected `)`"));
        };
        self.position += 1;
        self.nodes[index].end = self.position as u32;
        self.nodes[index].next = self.nodes.len() as u32;
        Ok(())
    }

    fn atom(&mut self, first: u8) -> Result<(), ParseError> {
        tick();
        let start = self.position;
        let kind = match first {
            b'|' => self.quoted()?,
            b'"' => self.string()?,
            b'0'..=b'9' => self.number(),
            b'#' => self.bits()?,
            b':' => self.word(SexprKind::Keyword),
            _ if is_symbol_byte(first) => self.word(SexprKind::Symbol),
            _ => return Err(ParseError::new(start, "unexpected character")),
        };
        if self.bytes.get(self.position).is_some_and(|byte| is_symbol_byte(*byte)) {
            return Err(ParseError::new(start, "malformed atom"));
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: self.position as u32, next });
        Ok(())
    }

    fn word(&mut self, kind: SexprKind) -> SexprKind {
        self.position += 1;
        self.skip(is_symbol_byte);
        kind
    }

    fn number(&mut self) -> SexprKind {
        self.skip(|byte| byte.is_ascii_digit());
        let fraction = self.bytes.get(self.position + 1).is_some_and(u8::is_ascii_digit);
        if self.bytes.get(self.position) != Some(&b'.') || !fraction {
            return SexprKind::Numeral;
        }
        self.position += 1;
        self.skip(|byte| byte.is_ascii_digit());
        SexprKind::Decimal
    }

    fn bits(&mut self) -> Result<SexprKind, ParseError> {
        let start = self.position;
        self.position += 2;
        let kind = match self.bytes.get(start + 1) {
            Some(b'b') => SexprKind::Binary,
            Some(b'x') => SexprKind::Hexadecimal,
            _ => return Err(ParseError::new(start, "expected `#b` or `#x`")),
        };
        match kind {
            SexprKind::Binary => self.skip(|byte| matches!(byte, b'0' | b'1')),
            _ => self.skip(|byte| byte.is_ascii_hexdigit()),
        }
        if self.position == start + 2 {
            return Err(ParseError::new(start, "expected digits"));
        }
        Ok(kind)
    }

    fn quoted(&mut self) -> Result<SexprKind, ParseError> {
        let start = self.position;
        self.position += 1;
        self.skip(|byte| byte != b'|' && byte != b'\\');
        match self.bytes.get(self.position) {
            Some(b'|') => self.position += 1,
            Some(_) => return Err(ParseError::new(self.position, "unexpected `\\` in a symbol")),
            None => return Err(ParseError::new(start, "`|` is not closed")),
        }
        Ok(SexprKind::Quoted)
    }

    fn string(&mut self) -> Result<SexprKind, ParseError> {
        let start = self.position;
        loop {
            self.position += 1;
            self.skip(|byte| byte != b'"');
            if self.position >= self.bytes.len() {
                return Err(ParseError::new(start, "`\"` is not closed"));
            }
            self.position += 1;
            if self.bytes.get(self.position) != Some(&b'"') {
                return Ok(SexprKind::String);
            }
        }
    }
}

/// Whether `byte` can occur in an unquoted symbol.
pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Finds the end of the first expression in a stream, for callers who read the replies of a process.
#[derive(Clone, Default, Debug)]
pub struct Framing {
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Inside {
    #[default]
    Space,
    Atom,
    Quoted,
    String,
    Comment,
}

impl Framing {
    /// Takes the next bytes of the stream. Gives how many of them belong to the first expression, once it is
    /// complete; an atom is complete with the white space after it.
    pub fn feed(&mut self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|byte| self.ends_with(*byte)).map(|last| last + 1)
    }

    fn ends_with(&mut self, byte: u8) -> bool {
        let before = self.inside;
        self.inside = match (before, byte) {
            (Inside::Comment, b'\n') => Inside::Space,
            (Inside::Quoted, b'|') | (Inside::String, b'"') => Inside::Atom,
            (Inside::Comment | Inside::Quoted | Inside::String, _) => return false,
            (_, b'|') => Inside::Quoted,
            (_, b'"') => Inside::String,
            (_, b';') => Inside::Comment,
            (_, b'(' | b')') | (_, b' ' | b'\t' | b'\r' | b'\n') => Inside::Space,
            _ => Inside::Atom,
        };
        match byte {
            b'(' if self.inside == Inside::Space => self.depth += 1,
            b')' if self.inside == Inside::Space => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        self.depth == 0 && before == Inside::Atom && self.inside == Inside::Space
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match Sexprs::read(text) {
            Ok(all) => all.roots().map(show).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "for {text:?}");
    }

    fn show(expr: Sexpr<'_>) -> String {
        match expr.kind() {
            SexprKind::List => format!("[{}]", expr.children().map(show).collect::<Vec<_>>().join(" ")),
            kind => format!("{kind:?}:{}", expr.symbol().unwrap_or(expr.text())),
        }
    }

    #[test]
    fn atoms_and_lists_are_read() {
        check("", "");
        check("sat", "Symbol:sat");
        check("(a ; (\n|b c| ())", "[Symbol:a Quoted:b c []]");
        check("(:k 1 1.5 #xaF #b01 \"a\"\"b\")", {
            "[Keyword::k Numeral:1 Decimal:1.5 Hexadecimal:#xaF Binary:#b01 String:\"a\"\"b\"]"
        });
        check("|⟨|", "Quoted:⟨");
    }

    #[test]
    fn errors_have_a_position() {
        check("(a (b)", "at byte 0: `(` is not closed");
        check("a )", "at byte 2: unexpected `)`");
        check("(1x)", "at byte 1: malformed atom");
        check("#q", "at byte 0: expected `#b` or `#x`");
        check("#b2", "at byte 0: expected digits");
        check(" |a", "at byte 1: `|` is not closed");
        check("\"a\"\"", "at byte 0: `\"` is not closed");
        check("{", "at byte 0: unexpected character");
        check("1.", "at byte 0: malformed atom");
    }

    #[test]
    fn framing_finds_the_first_expression() {
        for (text, expected) in [
            ("sat\nrest", Some(4)),
            ("((x |)|) \")\" ; )\n ) y", Some(19)),
            ("(a", None),
            (" \n|a b| ", Some(8)),
            ("", None),
        ] {
            assert_eq!(Framing::default().feed(text.as_bytes()), expected, "for {text:?}");
            let mut slow = Framing::default();
            let end = text.bytes().position(|byte| slow.feed(&[byte]).is_some());
            assert_eq!(end.map(|last| last + 1), expected, "for {text:?}, byte by byte");
        }
    }
}
