//! A place in the bytes of a file, and what is wrong there.

use thetis_base::{Code, Diagnostics, FileId, Reported, Span, tick};

use super::code;

/// What is wrong, and from which byte to which.
#[derive(Debug)]
pub(super) struct ReadError {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) code: Code,
    pub(super) message: String,
}

pub(super) type Read<T> = Result<T, ReadError>;

/// Turns bytes into places of the source text.
#[derive(Clone, Copy)]
pub(super) struct Places<'b> {
    file: FileId,
    /// The part of the bytes that is text.
    text: &'b str,
}

impl Places<'_> {
    /// Reports an error at its place, or with the number of its byte where there is no text.
    pub(super) fn report(self, error: &ReadError, diags: &mut Diagnostics) -> Reported {
        let span = |start: usize, end: usize| {
            // Messages are about bytes, spans about whole characters.
            let (start, end) = (self.text.floor_char_boundary(start), self.text.ceil_char_boundary(end));
            Span { file: self.file, start: start as u32, end: end as u32 }
        };
        if error.end <= self.text.len() {
            return diags.error(span(error.start, error.end), error.code, error.message.clone());
        }
        let header = span(0, self.text.len().min(3));
        diags.error(header, error.code, format!("byte {}: {}", error.start, error.message))
    }
}

pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    places: Places<'b>,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8], file: FileId, text: &'b str) -> Reader<'b> {
        Reader { bytes, at: 0, places: Places { file, text } }
    }

    pub(super) fn places(&self) -> Places<'b> {
        self.places
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// An error about the bytes from `start` to here, or about the byte here.
    pub(super) fn error(&self, start: usize, code: Code, message: impl Into<String>) -> ReadError {
        let end = self.at.max(start + 1).min(self.bytes.len()).max(start);
        ReadError { start, end, code, message: message.into() }
    }

    /// An error: something else was expected here.
    pub(super) fn expected(&self, what: &str) -> ReadError {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(byte) if byte.is_ascii_graphic() => format!("`{}`", byte as char),
            Some(b' ') => "a blank".to_owned(),
            Some(byte) => format!("byte 0x{byte:02x}"),
        };
        self.error(self.at, code::SYNTAX, format!("expected {what}, found {found}"))
    }

    pub(super) fn accept(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn accept_word(&mut self, word: &[u8]) -> bool {
        let is_there = self.bytes[self.at..].starts_with(word);
        self.at += if is_there { word.len() } else { 0 };
        is_there
    }

    /// One blank between numbers of a line.
    pub(super) fn blank(&mut self) -> Read<()> {
        if self.accept(b' ') { Ok(()) } else { Err(self.expected("a blank")) }
    }

    /// The end of a line; a carriage return before it and blanks are passed over.
    pub(super) fn end_of_line(&mut self) -> Read<()> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        if self.accept(b'\n') || self.peek().is_none() {
            return Ok(());
        }
        Err(self.expected("the end of the line"))
    }

    pub(super) fn is_at_number(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_digit())
    }

    pub(super) fn number(&mut self, what: &str) -> Read<u32> {
        tick();
        let start = self.at;
        let mut number: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = (number * 10 + u64::from(digit - b'0')).min(u64::from(u32::MAX) + 1);
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected(what));
        }
        u32::try_from(number).map_err(|_| self.error(start, code::SYNTAX, "this number is too large"))
    }

    /// A number in the binary form: seven bits a byte, the lowest first; all but the last byte have the eighth bit.
    pub(super) fn delta(&mut self) -> Read<u32> {
        let start = self.at;
        let mut number: u64 = 0;
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.peek() else { return Err(self.expected("the rest of a gate")) };
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(number)
                    .map_err(|_| self.error(start, code::SYNTAX, "this difference is too large"));
            }
        }
        Err(self.error(start, code::SYNTAX, "this difference is too long"))
    }

    /// The bytes up to the end of the line.
    pub(super) fn line(&mut self) -> &'b [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }
}
