//! The lexer: from characters to tokens, one at a time.
//!
//! It keeps nothing but its place, so looking ahead is lexing with a copy, and a file of any size needs no list of
//! tokens. It never fails: what is not of the language becomes a token [`Tok::Unknown`], which the parser reports.
//!
//! Where we differ from Theta: its lexer takes `u`, `s` and upper-case words in brackets for parts of floating-point
//! operators wherever they stand, so that `a[N]` is an error. Here they are ordinary names; the parser knows where
//! a rounding mode can stand.

use thetis_base::tick;

use super::token::{Dialect, Tok};

/// A token and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A place in a text. Copying it is how to look ahead.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'s> {
    text: &'s str,
    at: usize,
    dialect: Dialect,
}

impl<'s> Lexer<'s> {
    /// The start of a text; a byte order mark is passed over.
    pub(crate) fn new(text: &'s str, dialect: Dialect) -> Lexer<'s> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, at, dialect }
    }

    /// The next token; after the last one [`Tok::End`] again and again.
    pub(crate) fn next(&mut self) -> Token {
        tick();
        if let Some(open) = self.skip_blanks() {
            return self.token(Tok::OpenComment, open);
        }
        let start = self.at;
        let tok = match self.byte(0) {
            None => Tok::End,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.word(),
            Some(b'0'..=b'9') => self.number(),
            Some(b'"') if self.dialect == Dialect::Cfa => self.quoted(),
            Some(byte) => match symbol(byte, self.byte(1)) {
                Some((tok, length)) => {
                    self.at += length;
                    tok
                }
                None => self.unknown(),
            },
        };
        self.token(tok, start)
    }

    /// Goes to the end of the text.
    pub(crate) fn stop(&mut self) {
        self.at = self.text.len();
    }

    fn token(&self, tok: Tok, start: usize) -> Token {
        Token { tok, start: start as u32, end: self.at as u32 }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len());
    }

    /// Passes over white space and comments; gives the start of a comment that does not end.
    fn skip_blanks(&mut self) -> Option<usize> {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace());
            let start = self.at;
            match (self.byte(0), self.byte(1)) {
                (Some(b'/'), Some(b'/')) => self.skip_while(|byte| byte != b'\n'),
                (Some(b'/'), Some(b'*')) => match self.text[start + 2..].find("*/") {
                    Some(length) => self.at = start + 2 + length + 2,
                    None => {
                        self.stop();
                        return Some(start);
                    }
                },
                _ => return None,
            }
        }
    }

    fn word(&mut self) -> Tok {
        let start = self.at;
        self.skip_while(is_name_byte);
        Tok::keyword(&self.text[start..self.at], self.dialect).unwrap_or(Tok::Ident)
    }

    /// A number, or the bit-vector literal that it is the width of: `8'd-3`.
    fn number(&mut self) -> Tok {
        self.skip_while(|byte| byte.is_ascii_digit());
        let (Some(b'\''), Some(base @ (b'b' | b'd' | b'x'))) = (self.byte(0), self.byte(1)) else {
            return Tok::Nat;
        };
        self.at += 2;
        if base == b'd' && matches!(self.byte(0), Some(b'+' | b'-')) {
            self.at += 1;
        }
        self.skip_while(is_name_byte);
        Tok::Bits
    }

    /// A text in quotes, all in one line, in which a backslash takes away the meaning of what follows.
    fn quoted(&mut self) -> Tok {
        let mut is_escaped = false;
        for (offset, byte) in self.text.as_bytes()[self.at + 1..].iter().enumerate() {
            match byte {
                b'\n' => break,
                b'"' if !is_escaped => {
                    self.at += offset + 2;
                    return Tok::Text;
                }
                byte => is_escaped = !is_escaped && *byte == b'\\',
            }
        }
        self.unknown()
    }

    /// All characters up to the next one that could start a token, at least one.
    fn unknown(&mut self) -> Tok {
        loop {
            self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
            match self.byte(0) {
                None => break,
                Some(byte) if byte.is_ascii_whitespace() || is_name_byte(byte) => break,
                Some(byte) if symbol(byte, self.byte(1)).is_some() => break,
                Some(_) => {}
            }
        }
        Tok::Unknown
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The symbol that starts with `first`, and its length.
fn symbol(first: u8, second: Option<u8>) -> Option<(Tok, usize)> {
    let two = |tok| Some((tok, 2));
    match (first, second) {
        (b':', Some(b'=')) => return two(Tok::Becomes),
        (b'-', Some(b'>')) => return two(Tok::Arrow),
        (b'<', Some(b'-')) => return two(Tok::LeftArrow),
        (b'<', Some(b'=')) => return two(Tok::Le),
        (b'>', Some(b'=')) => return two(Tok::Ge),
        (b'/', Some(b'=')) => return two(Tok::Ne),
        (b'+', Some(b'+')) => return two(Tok::Concat),
        _ => {}
    }
    let tok = match first {
        b'(' => Tok::LeftParen,
        b')' => Tok::RightParen,
        b'[' => Tok::LeftBracket,
        b']' => Tok::RightBracket,
        b'{' => Tok::LeftBrace,
        b'}' => Tok::RightBrace,
        b',' => Tok::Comma,
        b':' => Tok::Colon,
        b'=' => Tok::Eq,
        b'<' => Tok::Lt,
        b'>' => Tok::Gt,
        b'+' => Tok::Plus,
        b'-' => Tok::Minus,
        b'*' => Tok::Star,
        b'/' => Tok::Slash,
        b'%' => Tok::Percent,
        b'.' => Tok::Dot,
        b'\'' => Tok::Prime,
        _ => return None,
    };
    Some((tok, 1))
}

#[cfg(test)]
mod tests {
    use super::super::token::{KEYWORDS, SYMBOLS};
    use super::*;

    fn texts(text: &str) -> Vec<(Tok, &str)> {
        let mut lexer = Lexer::new(text, Dialect::Cfa);
        let next = || Some(lexer.next()).filter(|token| token.tok != Tok::End);
        std::iter::from_fn(next)
            .map(|token| (token.tok, &text[token.start as usize..token.end as usize]))
            .collect()
    }

    fn check(text: &str, expected: &[(Tok, &str)]) {
        assert_eq!(texts(text), expected, "tokens of {text:?}");
    }

    #[test]
    fn every_word_and_symbol_is_one_token() {
        for text in KEYWORDS.iter().chain(SYMBOLS) {
            let tokens = texts(text);
            assert_eq!(tokens.len(), 1, "{text}");
            assert_eq!(tokens[0].0.describe(), format!("`{text}`"));
        }
    }

    #[test]
    fn numbers_and_bit_vectors() {
        check("12", &[(Tok::Nat, "12")]);
        check("1%2", &[(Tok::Nat, "1"), (Tok::Percent, "%"), (Tok::Nat, "2")]);
        check("8'd-3 4'b0101", &[(Tok::Bits, "8'd-3"), (Tok::Bits, "4'b0101")]);
        check("8'xfF", &[(Tok::Bits, "8'xfF")]);
        check("2'b1.3'b0", &[(Tok::Bits, "2'b1"), (Tok::Dot, "."), (Tok::Bits, "3'b0")]);
        check("32'u", &[(Tok::Nat, "32"), (Tok::Prime, "'"), (Tok::Ident, "u")]);
        check("x'", &[(Tok::Ident, "x"), (Tok::Prime, "'")]);
    }

    #[test]
    fn texts_end_in_their_line() {
        check(r#"a "b c" d"#, &[(Tok::Ident, "a"), (Tok::Text, r#""b c""#), (Tok::Ident, "d")]);
        check(r#""a\"b\\" "#, &[(Tok::Text, r#""a\"b\\""#)]);
        check("\"\" ä", &[(Tok::Text, "\"\""), (Tok::Unknown, "ä")]);
        check("\"a\n\"", &[(Tok::Unknown, "\""), (Tok::Ident, "a"), (Tok::Unknown, "\"")]);
    }

    #[test]
    fn longest_symbols_win() {
        check("a<-1", &[(Tok::Ident, "a"), (Tok::LeftArrow, "<-"), (Tok::Nat, "1")]);
        check("a< -1", &[(Tok::Ident, "a"), (Tok::Lt, "<"), (Tok::Minus, "-"), (Tok::Nat, "1")]);
        check("+++", &[(Tok::Concat, "++"), (Tok::Plus, "+")]);
    }

    #[test]
    fn comments_are_blanks() {
        check("a // b\n/* c * / */ d", &[(Tok::Ident, "a"), (Tok::Ident, "d")]);
        check("a /* b", &[(Tok::Ident, "a"), (Tok::OpenComment, "/* b")]);
        check("/**/", &[]);
        check("/*/", &[(Tok::OpenComment, "/*/")]);
    }

    #[test]
    fn strange_characters_come_together() {
        check("a §§$; b", &[(Tok::Ident, "a"), (Tok::Unknown, "§§$;"), (Tok::Ident, "b")]);
        check("\0\u{1}x", &[(Tok::Unknown, "\0\u{1}"), (Tok::Ident, "x")]);
        check("\u{feff}x", &[(Tok::Ident, "x")]);
    }

    #[test]
    fn words_that_are_keywords_in_theta_only() {
        check("u s RNE", &[(Tok::Ident, "u"), (Tok::Ident, "s"), (Tok::Ident, "RNE")]);
    }
}
