//! Tokens.

use thetis_base::Span;

use super::pragma::Pack;

/// A word of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// How it is written.
    pub(crate) text: &'t str,
    /// Where it is: in the original file if it could be traced back there.
    pub(crate) span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// An identifier or keyword.
    Name,
    /// A number as the preprocessor understands it, of any base and with any suffix.
    Number,
    /// A character constant with its prefix and quotes.
    Char,
    /// A string literal with its prefix and quotes.
    Text,
    /// An operator or other punctuation.
    Punctuation,
    /// The word `assert` of an ACSL comment. The tokens of the formula follow, then a semicolon.
    AcslAssert,
    /// A claim of a witness, by its number. The tokens of the formula follow, then a semicolon.
    Claim(u32),
    /// An ACSL assertion that uses more than expressions of C.
    AcslUnknown,
    /// A `#pragma pack`, by what it asks for. The parser takes these out before it begins.
    Pack(Pack),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// Whether it is this keyword or punctuation.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Name | TokenKind::Punctuation) && self.text == text
    }
}
