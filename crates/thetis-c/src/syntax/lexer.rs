//! From text to tokens.
//!
//! The text has been preprocessed, or had nothing to preprocess: comments may still be there (they are left out),
//! directives must not, except the ones that preprocessors leave behind. Line markers `# 12 "file.c"` are collected for
//! [`origin`](super::origin). A `#pragma pack` becomes a token, harmless pragmas are left out, all others are rejected
//! ([`pragma`]).
//!
//! Comments that hold an assertion of the ACSL language, `//@ assert e;` and `/*@ assert e; */`, become tokens, so that they
//! can be statements. Other annotations are comments.

use thetis_base::{FileId, Sink, Span, tick};

use super::pragma::{self, Pragma};
use super::token::{Token, TokenKind};
use crate::code;

/// Punctuation, longer ones first.
const PUNCTUATION: [&str; 47] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "{", "}", "(", ")", "[", "]", ";", ",", ":", "?", "=", "+", "-", "*",
    "/", "%", "<", ">", "!", "~", "&", "|", "^", ".",
];

/// Other spellings of punctuation (C11 6.4.6 p3); those of `#` are for preprocessors.
const DIGRAPHS: [(&str, &str); 4] = [("<:", "["), (":>", "]"), ("<%", "{"), ("%>", "}")];

/// The tokens of a text.
pub(super) struct Lexed<'t> {
    /// The tokens; the last one is the end.
    pub(super) tokens: Vec<Token<'t>>,
    /// The line markers in order.
    pub(super) markers: Vec<LineMarker<'t>>,
}

/// `# line "file"`: what follows comes from there.
pub(super) struct LineMarker<'t> {
    /// Where the line after the marker starts in the text.
    pub(super) start: u32,
    /// The number that line has in its file.
    pub(super) line: u32,
    /// The file.
    pub(super) file: &'t str,
    /// Whether a header of the system begins here.
    pub(super) enters_system: bool,
}

/// Cuts `text`, which is that of `file`, into tokens.
pub(super) fn lex<'t>(text: &'t str, file: FileId, sink: &mut Sink<'_>) -> Lexed<'t> {
    let mut lexer = Lexer::new(text, file);
    while let Err(problem) = lexer.run() {
        sink.error(problem.span, problem.code, problem.message);
        if sink.is_full() {
            break;
        }
    }
    lexer.finish()
}

/// The tokens of a line of an original file, as far as they can be told apart.
pub(super) fn lex_line(text: &str, file: FileId) -> Vec<Token<'_>> {
    let mut lexer = Lexer::new(text, file);
    // A single line may end inside a comment or a string; the tokens up to there suffice.
    let _ = lexer.run();
    lexer.lexed.tokens
}

struct Problem {
    span: Span,
    code: thetis_base::Code,
    message: String,
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    /// Whether the text is a formula of ACSL.
    is_formula: bool,
    lexed: Lexed<'t>,
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str, file: FileId) -> Lexer<'t> {
        Lexer {
            text,
            file,
            at: 0,
            is_formula: false,
            lexed: Lexed { tokens: Vec::new(), markers: Vec::new() },
        }
    }

    fn finish(mut self) -> Lexed<'t> {
        self.push(TokenKind::End, self.text.len(), self.text.len());
        self.lexed
    }

    /// Reads to the end or to the first error, after which it can continue.
    fn run(&mut self) -> Result<(), Problem> {
        while let Some(first) = self.rest().chars().next() {
            self.token(first)?;
        }
        Ok(())
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let span = self.span(start, end);
        self.lexed.tokens.push(Token { kind, text: &self.text[start..end], span });
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn problem(
        &self,
        start: usize,
        end: usize,
        code: thetis_base::Code,
        message: impl Into<String>,
    ) -> Problem {
        Problem { span: self.span(start, end), code, message: message.into() }
    }

    fn token(&mut self, first: char) -> Result<(), Problem> {
        tick();
        let rest = self.rest();
        match first {
            ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' | '\u{feff}' => self.at += first.len_utf8(),
            '\\' if rest[1..].starts_with(['\n', '\r']) => self.at += 2,
            '\\' if self.is_formula && rest.starts_with("\\true") => self.truth("\\true", "1"),
            '\\' if self.is_formula && rest.starts_with("\\false") => self.truth("\\false", "0"),
            '/' if rest.starts_with("//") => self.line_comment(),
            '/' if rest.starts_with("/*") => return self.block_comment(),
            '#' if self.is_at_line_start() => return self.directive(),
            '0'..='9' => self.number(),
            '.' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => self.number(),
            '\'' | '"' => return self.quoted(0),
            first if starts_name(first) => return self.name(),
            _ => return self.punctuation(first),
        }
        Ok(())
    }

    fn is_at_line_start(&self) -> bool {
        let line = self.text[..self.at].rsplit('\n').next().unwrap_or_default();
        line.chars().all(char::is_whitespace)
    }

    fn number(&mut self) {
        let start = self.at;
        let mut previous = ' ';
        let length = self.rest().find(|next: char| {
            let is_sign = matches!(next, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
            let goes_on = is_sign || next == '.' || continues_name(next);
            previous = next;
            !goes_on
        });
        self.at = length.map_or(self.text.len(), |length| start + length);
        self.push(TokenKind::Number, start, self.at);
    }

    fn name(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let rest = self.rest();
        let length = rest.find(|next: char| !continues_name(next)).unwrap_or(rest.len());
        let is_prefix =
            matches!(&rest[..length], "L" | "u" | "U" | "u8") && rest[length..].starts_with(['\'', '"']);
        if is_prefix {
            return self.quoted(length);
        }
        self.at += length;
        self.push(TokenKind::Name, start, self.at);
        Ok(())
    }

    /// A character constant or string literal with a prefix of this length.
    fn quoted(&mut self, prefix: usize) -> Result<(), Problem> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let quote = bytes[start + prefix];
        let mut at = start + prefix + 1;
        loop {
            match bytes.get(at) {
                Some(b'\\') if bytes.get(at + 1) == Some(&b'\r') => at += 3,
                Some(b'\\') => at += 2,
                None | Some(b'\n') => break,
                Some(byte) if *byte == quote => {
                    self.at = at + 1;
                    let kind = if quote == b'"' { TokenKind::Text } else { TokenKind::Char };
                    self.push(kind, start, self.at);
                    return Ok(());
                }
                Some(_) => at += 1,
            }
        }
        self.at = at.min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        Err(self.problem(start, start + prefix + 1, code::SYNTAX, "the quote is not closed"))
    }

    fn punctuation(&mut self, first: char) -> Result<(), Problem> {
        let start = self.at;
        let rest = self.rest();
        if let Some((spelling, text)) = DIGRAPHS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
            self.at += spelling.len();
            let span = self.span(start, self.at);
            self.lexed.tokens.push(Token { kind: TokenKind::Punctuation, text, span });
            return Ok(());
        }
        if let Some(found) = PUNCTUATION.iter().find(|text| rest.starts_with(**text)) {
            self.at += found.len();
            self.push(TokenKind::Punctuation, start, self.at);
            return Ok(());
        }
        self.at += first.len_utf8();
        let message = format!("unexpected character `{}`", first.escape_default());
        Err(self.problem(start, self.at, code::SYNTAX, message))
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while end < bytes.len() && (bytes[end] != b'\n' || is_spliced(&bytes[start..end])) {
            end += 1;
        }
        self.at = end;
        self.annotation(start + 2, end);
    }

    fn block_comment(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let Some(length) = self.text[start + 2..].find("*/") else {
            self.at = self.text.len();
            return Err(self.problem(start, start + 2, code::SYNTAX, "the comment is not closed"));
        };
        self.at = start + 2 + length + 2;
        self.annotation(start + 2, self.at - 2);
        Ok(())
    }

    /// Tokens for the comment between two places if it is an assertion at the place of a statement.
    fn annotation(&mut self, start: usize, end: usize) {
        let comment = &self.text[start..end];
        let Some(annotation) = comment.strip_prefix('@') else { return };
        let Some(formula) = annotation.trim_start().strip_prefix("assert") else { return };
        if formula.starts_with(continues_name) || !self.is_between_statements() {
            return;
        }
        let formula_start = end - formula.len();
        let formula = formula.split(';').next().unwrap_or_default();
        let formula_end = formula_start + formula.len();
        let word = formula_start - "assert".len();
        let plain = formula.replace("\\true", "").replace("\\false", "");
        let needs_logic = ["\\", "==>", "^^", "@"].iter().any(|word| plain.contains(word));
        let kind = if needs_logic { TokenKind::AcslUnknown } else { TokenKind::AcslAssert };
        self.push(kind, word, formula_start);
        if !needs_logic {
            self.formula(formula_start, formula_end);
        }
    }

    fn formula(&mut self, start: usize, end: usize) {
        let mut inner = Lexer::new(&self.text[..end], self.file);
        inner.at = start;
        inner.is_formula = true;
        // A formula that does not consist of tokens cannot become an expression either; the parser reports it.
        let _ = inner.run();
        self.lexed.tokens.append(&mut inner.lexed.tokens);
        let span = self.span(end, end);
        self.lexed.tokens.push(Token { kind: TokenKind::Punctuation, text: ";", span });
    }

    /// A truth value of ACSL, as the number that C has for it.
    fn truth(&mut self, word: &str, text: &'static str) {
        let span = self.span(self.at, self.at + word.len());
        self.at += word.len();
        self.lexed.tokens.push(Token { kind: TokenKind::Number, text, span });
    }

    fn is_between_statements(&self) -> bool {
        let ends = ["{", "}", ";", ")", ":", "else", "do"];
        self.lexed.tokens.last().is_some_and(|last| ends.iter().any(|end| last.is(end)))
    }

    fn directive(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        let words = line[1..].trim();
        let marker = words.strip_prefix("line").map_or(words, str::trim_start);
        if words.is_empty() || self.marker(marker) {
            return Ok(());
        }
        if let Some(pragma) = words.strip_prefix("pragma") {
            return self.pragma(start, pragma.trim());
        }
        if words.starts_with("ident") {
            return Ok(());
        }
        let message = "a directive is left over: the text has not been preprocessed";
        Err(self.problem(start, start + line.trim_end().len(), code::DIRECTIVE, message))
    }

    fn pragma(&mut self, start: usize, words: &str) -> Result<(), Problem> {
        match pragma::classify(words) {
            Pragma::Harmless => Ok(()),
            Pragma::Pack(pack) => {
                self.push(TokenKind::Pack(pack), start, self.at);
                Ok(())
            }
            Pragma::Unknown => {
                let message = format!("`#pragma {words}` is not supported");
                Err(self.problem(start, self.at, code::UNSUPPORTED, message))
            }
        }
    }

    /// Whether the words are those of a line marker, which is remembered.
    fn marker(&mut self, words: &'t str) -> bool {
        let (number, rest) = words.split_once(' ').unwrap_or((words, ""));
        let Ok(line) = number.parse() else { return false };
        let quoted = rest.trim_start().strip_prefix('"').unwrap_or_default();
        let (file, flags) = quoted.split_once('"').unwrap_or((quoted, ""));
        let has = |flag: &str| flags.split_whitespace().any(|other| other == flag);
        let enters_system = has(START_OF_FILE) && has(SYSTEM_HEADER);
        self.lexed.markers.push(LineMarker { start: self.at as u32 + 1, line, file, enters_system });
        true
    }
}

/// The flag of a line marker at the start of a file.
const START_OF_FILE: &str = "1";
/// The flag of a line marker that says that what follows is from a header of the system: all of it, or what a macro stands for.
const SYSTEM_HEADER: &str = "3";

/// Whether a line that ends here continues in the next one.
fn is_spliced(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

/// `$` is a letter in GNU C.
fn starts_name(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_' || letter == '$'
}

fn continues_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}
