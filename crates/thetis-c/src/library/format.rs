//! The formats of `printf` and `scanf`.

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// A character that stands for itself.
    Character(u8),
    Conversion(Conversion),
}

/// `%-08.3ld`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Conversion {
    /// Some of `-+ #0'`; for `scanf`, `*` and `m`.
    pub(crate) flags: Vec<u8>,
    pub(crate) width: Option<Amount>,
    pub(crate) precision: Option<Amount>,
    pub(crate) length: Length,
    pub(crate) letter: u8,
    /// The characters between brackets, for `scanf`.
    pub(crate) set: Vec<u8>,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Amount {
    Constant(u32),
    /// `*`: an argument.
    Argument,
}

/// The size of the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Char,
    Short,
    Plain,
    Long,
    LongLong,
    /// `L`.
    LongDouble,
}

impl Conversion {
    /// The width, if it is a number.
    pub(crate) fn constant_width(&self) -> Option<u32> {
        match self.width {
            Some(Amount::Constant(width)) => Some(width),
            _ => None,
        }
    }

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags.contains(&flag)
    }
}

/// The pieces of a format of `printf`, or `None` if it is not valid or has positions (`%2$d`).
pub(crate) fn printf_format(format: &[u8]) -> Option<Vec<Piece>> {
    pieces(format, b"-+ #0'", b"diouxXcspnfFeEgGaA")
}

/// The pieces of a format of `scanf`.
pub(crate) fn scanf_format(format: &[u8]) -> Option<Vec<Piece>> {
    pieces(format, b"*m", b"diouxXcspnfFeEgGaA[")
}

fn pieces(format: &[u8], flags: &[u8], letters: &[u8]) -> Option<Vec<Piece>> {
    let mut reader = Reader { rest: format };
    let mut pieces = Vec::new();
    while let Some(byte) = reader.next() {
        if byte != b'%' || reader.skip(b"%") {
            pieces.push(Piece::Character(byte));
            continue;
        }
        let mut conversion = reader.conversion(flags)?;
        if !letters.contains(&conversion.letter) {
            return None;
        }
        if conversion.letter == b'[' {
            conversion.set = reader.set()?;
        }
        pieces.push(Piece::Conversion(conversion));
    }
    Some(pieces)
}

struct Reader<'f> {
    rest: &'f [u8],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn skip(&mut self, prefix: &[u8]) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn conversion(&mut self, known_flags: &[u8]) -> Option<Conversion> {
        let mut flags = Vec::new();
        while let Some(flag) = self.rest.first().filter(|flag| known_flags.contains(flag)) {
            flags.push(*flag);
            self.next();
        }
        let width = self.amount();
        let precision = self.skip(b".").then(|| self.amount().unwrap_or(Amount::Constant(0)));
        let length = self.length();
        Some(Conversion { flags, width, precision, length, letter: self.next()?, set: Vec::new() })
    }

    fn amount(&mut self) -> Option<Amount> {
        if self.skip(b"*") {
            return Some(Amount::Argument);
        }
        let mut number = None;
        while let Some(digit) = self.rest.first().filter(|byte| byte.is_ascii_digit()) {
            number = Some(number.unwrap_or(0_u32).saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            self.next();
        }
        number.map(Amount::Constant)
    }

    fn length(&mut self) -> Length {
        let lengths: [(&[u8], Length); 9] = [
            (b"hh", Length::Char),
            (b"h", Length::Short),
            (b"ll", Length::LongLong),
            (b"l", Length::Long),
            (b"q", Length::LongLong),
            (b"j", Length::LongLong),
            (b"z", Length::Long),
            (b"t", Length::Long),
            (b"L", Length::LongDouble),
        ];
        let found = lengths.into_iter().find(|(letters, _)| self.skip(letters));
        found.map_or(Length::Plain, |(_, length)| length)
    }

    /// The characters of the rest of `[^]a-z]`.
    fn set(&mut self) -> Option<Vec<u8>> {
        let is_negated = self.skip(b"^");
        let mut members: Vec<u8> = Vec::new();
        if self.skip(b"]") {
            members.push(b']');
        }
        loop {
            match (self.next()?, members.last(), self.rest.first()) {
                (b']', _, _) => break,
                (b'-', Some(first), Some(last)) if *last != b']' => {
                    members.extend(*first..=*last);
                    self.next();
                }
                (byte, _, _) => members.push(byte),
            }
        }
        Some((1..=255).filter(|byte| members.contains(byte) != is_negated).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A format in short: letters with what stands before them.
    fn show(pieces: Option<Vec<Piece>>) -> String {
        let Some(pieces) = pieces else { return "invalid".to_owned() };
        let show = |piece: &Piece| match piece {
            Piece::Character(byte) => char::from(*byte).to_string(),
            Piece::Conversion(conversion) => {
                let flags = String::from_utf8_lossy(&conversion.flags).into_owned();
                let amount = |amount: Option<Amount>| match amount {
                    Some(Amount::Constant(number)) => number.to_string(),
                    Some(Amount::Argument) => "*".to_owned(),
                    None => "_".to_owned(),
                };
                let (width, precision) = (amount(conversion.width), amount(conversion.precision));
                let letter = char::from(conversion.letter);
                format!("<{flags}|{width}|{precision}|{:?}|{letter}>", conversion.length)
            }
        };
        pieces.iter().map(show).collect()
    }

    #[test]
    fn formats_are_taken_apart() {
        let printf = |format: &str, expected: &str| {
            assert_eq!(show(printf_format(format.as_bytes())), expected, "{format}");
        };
        printf("", "");
        printf("a%%b", "a%b");
        printf("%d", "<|_|_|Plain|d>");
        printf("x=%5ld\n", "x=<|5|_|Long|d>\n");
        printf("%-08.3hhx", "<-0|8|3|Char|x>");
        printf("%*.*s", "<|*|*|Plain|s>");
        printf("%.s", "<|_|0|Plain|s>");
        printf("%zu%lld%Lf", "<|_|_|Long|u><|_|_|LongLong|d><|_|_|LongDouble|f>");
        printf("%", "invalid");
        printf("%y", "invalid");
        printf("%2$d", "invalid");
        let scanf = |format: &str, expected: &str| {
            assert_eq!(show(scanf_format(format.as_bytes())), expected, "{format}");
        };
        scanf("%d %9s", "<|_|_|Plain|d> <|9|_|Plain|s>");
        scanf("%*d%c", "<*|_|_|Plain|d><|_|_|Plain|c>");
        scanf("%3[^]a]x", "<|3|_|Plain|[>x");
        scanf("%[abc", "invalid");
        let set = |format: &str| match scanf_format(format.as_bytes()).as_deref() {
            Some([Piece::Conversion(conversion)]) => conversion.set.clone(),
            _ => Vec::new(),
        };
        assert_eq!(set("%[a-c_]"), b"_abc");
        assert_eq!(set("%[]x-]"), b"-]x");
        assert_eq!(set("%[^b-y]").len(), 255 - 24);
    }
}
