//! How deep a text is nested, before anything recursive looks at it.

/// The greatest depth of brackets.
const MAX_DEPTH: usize = 200;
/// The greatest number of tokens of one statement.
const MAX_STATEMENT: usize = 20_000;
/// The greatest number of branches of one chain.
const MAX_BRANCHES: usize = 2_000;

/// The first byte at which `text` is nested too deeply for a verifier to be asked about it.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut words = 0usize;
    let mut branches = 0usize;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '}' => {
                depth = depth.saturating_sub(1);
                words = 0;
                if depth <= 1 {
                    branches = 0;
                }
            }
            ';' => words = 0,
            'e' if text[at..].starts_with("else") => branches += 1,
            '"' | '\'' => skip_text(&mut rest, c),
            '/' if rest.peek().is_some_and(|(_, next)| *next == '/') => {
                while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '/' if rest.peek().is_some_and(|(_, next)| *next == '*') => {
                rest.next();
                let mut star = false;
                for (_, c) in rest.by_ref() {
                    if star && c == '/' {
                        break;
                    }
                    star = c == '*';
                }
            }
            c if !c.is_alphanumeric() && !c.is_whitespace() => words += 1,
            _ => {}
        }
        if depth > MAX_DEPTH || words > MAX_STATEMENT || branches > MAX_BRANCHES {
            return Some(at);
        }
    }
    None
}

fn skip_text(rest: &mut std::iter::Peekable<std::str::CharIndices<'_>>, quote: char) {
    let mut escaped = false;
    while let Some((_, c)) = rest.next_if(|(_, c)| *c != '\n') {
        if c == quote && !escaped {
            break;
        }
        escaped = c == '\\' && !escaped;
    }
}
