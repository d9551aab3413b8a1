//! Checks how deeply a text is nested, before any recursive code processes it.

/// The greatest depth of brackets.
const MAX_DEPTH: usize = 200;
/// The greatest number of tokens of one statement.
const MAX_STATEMENT: usize = 20_000;
/// The greatest number of branches in one chain, and of statements nested without braces.
const MAX_BRANCHES: usize = 2_000;

/// The first byte at which `text` is nested too deeply to be verified.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let mut nesting = Nesting::default();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
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
            c => nesting.advance(c, &text[at..]),
        }
        if nesting.is_too_deep() {
            return Some(at);
        }
    }
    None
}

/// How deep a place is nested.
#[derive(Default)]
struct Nesting {
    /// Open brackets.
    depth: usize,
    /// Open parentheses.
    round: usize,
    /// Signs of this statement.
    words: usize,
    /// `else` in this function.
    branches: usize,
    /// The number of nested statements whose bodies have no braces.
    heads: usize,
}

impl Nesting {
    /// Goes on by `c`, with which `rest` begins.
    fn advance(&mut self, c: char, rest: &str) {
        match c {
            '(' => {
                self.depth += 1;
                self.round += 1;
            }
            '[' => self.depth += 1,
            '{' => {
                self.depth += 1;
                self.heads = 0;
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.round = self.round.saturating_sub(1);
                self.heads += usize::from(is_before_body(&rest[1..]));
            }
            ']' => self.depth = self.depth.saturating_sub(1),
            '}' => {
                self.depth = self.depth.saturating_sub(1);
                (self.words, self.heads) = (0, 0);
                if self.depth <= 1 {
                    (self.branches, self.round) = (0, 0);
                }
            }
            // Those of `for` do not end the statement.
            ';' if self.round > 0 => {}
            ';' => (self.words, self.heads) = (0, 0),
            'e' if rest.starts_with("else") => self.branches += 1,
            'd' if rest.starts_with("do ") => self.heads += 1,
            c if !c.is_alphanumeric() && !c.is_whitespace() => self.words += 1,
            _ => {}
        }
    }

    fn is_too_deep(&self) -> bool {
        self.depth > MAX_DEPTH || self.words > MAX_STATEMENT || self.branches.max(self.heads) > MAX_BRANCHES
    }
}

/// Whether a name follows, as after the condition of `if (a) b;`.
fn is_before_body(rest: &str) -> bool {
    rest.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '_')
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
