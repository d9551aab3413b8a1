//! `throw`, which version 0.5 of Solidity dropped and the parser does not know.
//!
//! It is replaced by a name of the same length before the text is parsed, so that positions do not change. A statement that
//! consists of this name ends the transaction.

use std::borrow::Cow;

/// What stands for `throw` in a parsed text.
pub(crate) const THROW: &str = "$hrow";

const KEYWORD: &str = "throw";

/// `text` with [`THROW`] instead of every `throw` outside of comments and texts in quotes.
pub(crate) fn replaced(text: &str) -> Cow<'_, str> {
    if !text.contains(KEYWORD) || text.contains(THROW) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (part, is_code) = split(rest);
        result.push_str(if is_code && part == KEYWORD { THROW } else { part });
        rest = &rest[part.len()..];
    }
    Cow::Owned(result)
}

/// The first comment, quoted text, word or other character of `text`, and whether it is code.
fn split(text: &str) -> (&str, bool) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("//") {
        (&text[..text.find('\n').unwrap_or(text.len())], false)
    } else if let Some(comment) = text.strip_prefix("/*") {
        (&text[..comment.find("*/").map_or(text.len(), |end| end + 4)], false)
    } else if first == '"' || first == '\'' {
        (&text[..quoted_length(text, first)], false)
    } else if is_word(first) {
        (&text[..text.find(|c| !is_word(c)).unwrap_or(text.len())], true)
    } else {
        (&text[..first.len_utf8()], true)
    }
}

/// How long a text is that starts with `quote`; it ends at the end of the line at the latest.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_the_keyword_is_replaced() {
        for (text, expected) in [
            ("if (a) throw;", "if (a) $hrow;"),
            ("throws; rethrow; _throw;", "throws; rethrow; _throw;"),
            ("// throw\nthrow; /* throw */ throw", "// throw\n$hrow; /* throw */ $hrow"),
            (r#"s = "throw \" throw"; throw;"#, r#"s = "throw \" throw"; $hrow;"#),
            ("\"open throw\nthrow", "\"open throw\n$hrow"),
            ("$hrow; throw;", "$hrow; throw;"),
            ("/* throw", "/* throw"),
        ] {
            assert_eq!(replaced(text), expected);
            assert_eq!(replaced(text).len(), text.len());
        }
    }
}
