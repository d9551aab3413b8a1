//! Quotations of the source for messages.

use thetis_base::{SourceMap, Span};

/// How many letters of the source a step quotes.
const MAX_QUOTED: usize = 72;

/// The text at a place on one line, cut to a few words. The name of a macro is quoted with its arguments: the position
/// of its expansion covers only the name.
pub(super) fn quote(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let rest = &sources.file(span.file).text()[span.end as usize..];
    let arguments = if is_name(text) { arguments(rest) } else { "" };
    let words: Vec<&str> = text.split_whitespace().chain(arguments.split_whitespace()).collect();
    let line = if arguments.is_empty() { words.join(" ") } else { words.join(" ").replacen(" (", "(", 1) };
    let line = without_rest(line.trim_end_matches(';'));
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Whether a place is that of a macro with arguments, so that what is there may be any part of its expansion.
pub(super) fn is_call_of_macro(sources: &SourceMap, span: Span) -> bool {
    let rest = &sources.file(span.file).text()[span.end as usize..];
    is_name(sources.text(span)) && !arguments(rest).is_empty()
}

/// The text of a declaration without an initial value, whose place ends before the lengths of arrays.
pub(super) fn quote_declaration(sources: &SourceMap, span: Span) -> String {
    let mut rest = &sources.file(span.file).text()[span.end as usize..];
    let mut text = quote(sources, span);
    while let Some(end) = rest.find(']').filter(|_| rest.starts_with('[')) {
        text.push_str(&rest[..=end]);
        rest = &rest[end + 1..];
    }
    text
}

/// Whether a text is one identifier.
pub(super) fn is_name(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && text.starts_with(|letter: char| !letter.is_numeric())
}

/// The parenthesised group that a text begins with; empty if it begins with something else.
fn arguments(text: &str) -> &str {
    if !text.starts_with('(') {
        return "";
    }
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..=at];
        }
    }
    ""
}

/// A text without closing brackets at its end that it does not open: the end of a macro is known only roughly.
fn without_rest(text: &str) -> &str {
    let surplus = |text: &str| {
        let count = |bracket: char| text.matches(bracket).count();
        (text.ends_with(')') && count(')') > count('(')) || (text.ends_with(']') && count(']') > count('['))
    };
    let mut text = text;
    while surplus(text) {
        text = text[..text.len() - 1].trim_end();
    }
    text
}

/// What a quoted assignment assigns to: `p->n` of `p->n += 2`.
pub(super) fn assigned(quoted: &str) -> Option<&str> {
    if let Some(target) = quoted.strip_suffix("++").or_else(|| quoted.strip_suffix("--")) {
        return Some(target.trim());
    }
    if let Some(target) = quoted.strip_prefix("++").or_else(|| quoted.strip_prefix("--")) {
        return Some(target.trim());
    }
    let mut depth = 0;
    for (at, letter) in quoted.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '=' if depth == 0 => {
                let target = &quoted[..at];
                let is_comparison =
                    quoted[at + 1..].starts_with('=') || target.ends_with(['!', '<', '>', '=']);
                let is_shift = target.ends_with("<<") || target.ends_with(">>");
                return (!is_comparison || is_shift).then(|| {
                    target.trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']).trim()
                });
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_come_with_their_arguments() {
        let mut sources = SourceMap::new();
        let text = "assert(f(x) > 0);  if (n) y = 2 *\n   z; return";
        let file = sources.add("a.c", text);
        let quoted = |words: &str| {
            let start = text.find(words).unwrap() as u32;
            quote(&sources, Span { file, start, end: start + words.len() as u32 })
        };
        assert_eq!(quoted("assert"), "assert(f(x) > 0)");
        assert_eq!(quoted("y = 2 *\n   z;"), "y = 2 * z");
        assert_eq!(quoted("return"), "return");
    }

    #[test]
    fn declarations_come_with_lengths() {
        let mut sources = SourceMap::new();
        let text = "char a[2][N], b; int *c = 0;";
        let file = sources.add("a.c", text);
        let quoted = |start: u32, end: u32| quote_declaration(&sources, Span { file, start, end });
        assert_eq!(quoted(0, 6), "char a[2][N]");
        assert_eq!(quoted(14, 15), "b");
        assert_eq!(quoted(17, 23), "int *c");
    }

    #[test]
    fn brackets_that_are_not_opened_are_left_out() {
        for (text, expected) in [("p != NULL)", "p != NULL"), ("f(x)", "f(x)"), ("a[i]))", "a[i]"), (")", "")]
        {
            assert_eq!(without_rest(text), expected);
        }
    }

    #[test]
    fn assignments_have_targets() {
        for (text, expected) in [
            ("p->n = 4", Some("p->n")),
            ("p->items[p->n] <<= 1", Some("p->items[p->n]")),
            ("a[i == 2] = 0", Some("a[i == 2]")),
            ("p->n++", Some("p->n")),
            ("++*p", Some("*p")),
            ("x == 3", None),
            ("x <= 3", None),
            ("f(x = 1)", None),
        ] {
            assert_eq!(assigned(text), expected, "{text}");
        }
    }
}
