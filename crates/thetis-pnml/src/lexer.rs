//! Tokens of property expressions and of the `.net` language.

use thetis_base::{Diagnostics, FileId, Reported, Span, tick};

use crate::code;

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier or a word of the language.
    Word(String),
    /// A name in double quotes, without them.
    Quoted(String),
    /// Digits.
    Number(String),
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl TokenKind {
    /// How messages call it.
    pub(crate) fn describe(&self) -> String {
        match self {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Quoted(name) => format!("`\"{name}\"`"),
            TokenKind::Number(digits) => format!("`{digits}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end".into(),
        }
    }
}

/// Longer signs before their prefixes.
const SIGNS: [&str; 15] = ["<=", ">=", "!=", "==", "<", ">", "=", "+", "-", "*", "(", ")", ",", ";", ":"];

/// All tokens, the last of which is the end. `#` and `//` start comments that last to the end of the line.
pub(crate) fn tokens(text: &str, file: FileId, diags: &mut Diagnostics) -> Result<Vec<Token>, Reported> {
    let mut lexer = Lexer { text, file, at: 0 };
    let mut list = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let kind = lexer.next().map_err(|message| diags.error(lexer.span(start), code::SYNTAX, message))?;
        let is_end = kind == TokenKind::End;
        list.push(Token { kind, span: lexer.span(start) });
        if is_end {
            return Ok(list);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = if rest.starts_with('#') || rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                0
            };
            if blank + comment == 0 {
                return;
            }
            self.at += blank.max(comment);
        }
    }

    fn next(&mut self) -> Result<TokenKind, String> {
        tick();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        if first == '"' {
            return self.quoted();
        }
        if first.is_ascii_digit() {
            return Ok(TokenKind::Number(self.take_while(|c| c.is_ascii_digit())));
        }
        if first.is_alphabetic() || first == '_' {
            return Ok(TokenKind::Word(self.take_while(|c| c.is_alphanumeric() || c == '_')));
        }
        match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(TokenKind::Sign(sign))
            }
            None => {
                self.at += first.len_utf8();
                Err(format!("unexpected character `{first}`"))
            }
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        rest[..length].to_owned()
    }

    fn quoted(&mut self) -> Result<TokenKind, String> {
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(TokenKind::Quoted(name));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, c @ ('\\' | '"'))) => name.push(c),
                    _ => {
                        self.at += at + 1;
                        return Err("expected `\\`, `\"` or `n` after `\\`".into());
                    }
                },
                '\n' => break,
                _ => name.push(c),
            }
        }
        self.at += 1;
        Err("the name in double quotes does not end on its line".into())
    }
}
