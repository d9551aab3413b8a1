//! Pieces of the source for people.

use thetis_base::{SourceMap, Span};

/// How many letters of the source a step quotes.
const MAX_QUOTED: usize = 72;

/// The text at a place on one line, cut to a few words. The name of a macro comes with its arguments: what the macro stands for has
/// the place of the name only.
pub(super) fn quote(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let rest = &sources.file(span.file).text()[span.end as usize..];
    let arguments = if is_name(text) { arguments(rest) } else { "" };
    let words: Vec<&str> = text.split_whitespace().chain(arguments.split_whitespace()).collect();
    let line = if arguments.is_empty() { words.join(" ") } else { words.join(" ").replacen(" (", "(", 1) };
    let line = line.trim_end_matches(';');
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && text.starts_with(|letter: char| !letter.is_numeric())
}

/// What stands in the parentheses that a text begins with, together with them; nothing if it begins with something else.
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

/// Whether a quoted text names a variable.
pub(super) fn mentions(quoted: &str, name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    quoted.split(|letter: char| !is_letter(letter)).any(|word| word == name)
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
    fn names_are_words() {
        assert!(mentions("assert(level <= 3)", "level"));
        assert!(!mentions("assert(levels <= 3)", "level"));
    }
}
