//! Tokens.

use thetis_base::{Diagnostics, Reported, Span, tick};

use crate::code;
use crate::text::Text;

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword.
    Word(String),
    /// Digits.
    Number(i32),
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
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end".into(),
        }
    }
}

/// Longer signs before their prefixes.
const SIGNS: [&str; 50] = [
    "-u->", "<<=", ">>=", "->", ":=", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "|=", "&=", "^=", "<<", ">>", "<?", ">?", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "[",
    "]", "{", "}", ",", ";", ":", "?", "!", "~", "&", "|", "^", ".", "'",
];

/// All tokens, the last of which is the end.
pub(crate) fn tokens(text: &Text, diags: &mut Diagnostics) -> Result<Vec<Token>, Reported> {
    let mut lexer = Lexer { text, at: 0 };
    let mut list = Vec::new();
    loop {
        lexer.skip_blanks(diags)?;
        let start = lexer.at;
        let kind = match lexer.next() {
            Ok(kind) => kind,
            Err((code, message)) => {
                lexer.at += lexer.rest().chars().next().map_or(0, char::len_utf8);
                return Err(diags.error(lexer.span(start), code, message));
            }
        };
        let is_end = kind == TokenKind::End;
        list.push(Token { kind, span: lexer.span(start) });
        if is_end {
            return Ok(list);
        }
    }
}

struct Lexer<'t> {
    text: &'t Text,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text.as_str()[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        self.text.span(start, self.at)
    }

    fn skip_blanks(&mut self, diags: &mut Diagnostics) -> Result<(), Reported> {
        loop {
            let rest = self.rest();
            let skipped = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => end + 2,
                    None => {
                        let start = self.at;
                        self.at += 2;
                        return Err(diags.error(self.span(start), code::SYNTAX, "this comment has no end"));
                    }
                }
            } else {
                rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\').len()
            };
            if skipped == 0 {
                return Ok(());
            }
            self.at += skipped;
        }
    }

    fn next(&mut self) -> Result<TokenKind, (thetis_base::Code, String)> {
        tick();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(TokenKind::End) };
        if first.is_ascii_alphabetic() || first == '_' {
            let word = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '#');
            return Ok(TokenKind::Word(word.to_owned()));
        }
        if first.is_ascii_digit() {
            let digits = self.take(|c| c.is_ascii_digit());
            if self.rest().starts_with(|c: char| c == '.' || c.is_ascii_alphabetic()) {
                return Err((code::UNSUPPORTED, "only whole numbers are supported".into()));
            }
            let message = || (code::NUMBER, format!("`{digits}` does not fit into 32 bits"));
            return digits.parse().map(TokenKind::Number).map_err(|_| message());
        }
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        let sign =
            sign.ok_or_else(|| (code::SYNTAX, format!("unexpected character `{}`", first.escape_debug())))?;
        self.at += sign.len();
        Ok(TokenKind::Sign(sign))
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}
