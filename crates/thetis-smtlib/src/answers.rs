//! Cutting the output of a solver into answers.

/// Finds the end of the first complete answer in a growing text: an atom with the white space after it, or a list.
///
/// It remembers where it was, so that reading a long answer in many pieces costs linear time.
#[derive(Default)]
pub(crate) struct Cutter {
    position: usize,
    /// Where the answer starts, once it has.
    start: Option<usize>,
    depth: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Default)]
enum State {
    #[default]
    Plain,
    Atom,
    String,
    Quoted,
    Comment,
}

impl Cutter {
    /// The range of the answer, if it is complete. `text` is what was passed before, with more after it.
    pub(crate) fn advance(&mut self, text: &[u8]) -> Option<std::ops::Range<usize>> {
        while let Some(&byte) = text.get(self.position) {
            let position = self.position;
            self.position += 1;
            if let Some(end) = self.step(byte, position) {
                return Some(self.start.unwrap_or(end)..end);
            }
        }
        None
    }

    /// Takes one byte; the end of the answer, if it ends here.
    fn step(&mut self, byte: u8, position: usize) -> Option<usize> {
        match self.state {
            State::Comment => {
                if byte == b'\n' {
                    self.state = State::Plain;
                }
                None
            }
            State::String => self.leave_at(byte == b'"', position + 1),
            State::Quoted => self.leave_at(byte == b'|', position + 1),
            State::Atom if is_delimiter(byte) => {
                self.state = State::Plain;
                if self.depth == 0 { Some(position) } else { self.plain(byte, position) }
            }
            State::Atom => None,
            State::Plain => self.plain(byte, position),
        }
    }

    fn plain(&mut self, byte: u8, position: usize) -> Option<usize> {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return None,
            b';' => {
                self.state = State::Comment;
                return None;
            }
            _ => {}
        }
        self.start.get_or_insert(position);
        match byte {
            b'(' => self.depth += 1,
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return (self.depth == 0).then_some(position + 1);
            }
            b'"' => self.state = State::String,
            b'|' => self.state = State::Quoted,
            _ => self.state = State::Atom,
        }
        None
    }

    fn leave_at(&mut self, is_end: bool, end: usize) -> Option<usize> {
        if !is_end {
            return None;
        }
        self.state = State::Plain;
        (self.depth == 0).then_some(end)
    }
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b'|' | b';')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of a text that arrives byte by byte.
    fn cut(text: &str) -> Vec<String> {
        let (mut answers, mut rest) = (Vec::new(), Vec::new());
        let mut cutter = Cutter::default();
        for byte in text.bytes() {
            rest.push(byte);
            if let Some(range) = cutter.advance(&rest) {
                answers.push(String::from_utf8(rest[range.clone()].to_vec()).unwrap());
                rest.drain(..range.end);
                cutter = Cutter::default();
            }
        }
        answers
    }

    #[test]
    fn answers_end_where_they_should() {
        assert_eq!(cut("sat\nunsat\n"), ["sat", "unsat"]);
        assert_eq!(
            cut("; hello (\n((x |a)b|)\n (y \"c)\"\"d\"))\nsat "),
            ["((x |a)b|)\n (y \"c)\"\"d\"))", "sat"]
        );
        assert_eq!(cut("(error \"no (\")\n()\n"), ["(error \"no (\")", "()"]);
        assert!(cut("(open (list)\n").is_empty());
    }
}
