//! Names from outside, such as those of files, as one line of harmless text.

use std::borrow::Cow;

/// `name` with everything escaped that could start a new line or be taken for a command by a terminal: control characters,
/// separators of lines, and characters that change the direction of text. Names of that kind are legal on most file systems,
/// so whatever prints a name into text for people calls this.
pub fn printable(name: &str) -> Cow<'_, str> {
    if !name.contains(is_dangerous) {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len() + 8);
    for letter in name.chars() {
        if is_dangerous(letter) {
            text.extend(letter.escape_default());
        } else {
            text.push(letter);
        }
    }
    Cow::Owned(text)
}

fn is_dangerous(letter: char) -> bool {
    let changes_direction =
        matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || changes_direction || matches!(letter, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_dangerous_is_escaped() {
        for (name, expected) in [
            ("a b/ä.c", "a b/ä.c"),
            ("a\nunsafe", "a\\nunsafe"),
            ("\u{1b}[2Jx", "\\u{1b}[2Jx"),
            ("x\u{9b}31m", "x\\u{9b}31m"),
            ("c\u{202e}cba", "c\\u{202e}cba"),
            ("a\u{2028}b", "a\\u{2028}b"),
        ] {
            assert_eq!(printable(name), expected);
        }
    }
}
