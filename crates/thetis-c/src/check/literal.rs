//! Literals: numbers, characters and strings with their types and values.

use num_bigint::{BigInt, BigUint};
use num_traits::{Num, One, Pow, ToPrimitive, Zero};
use thetis_base::Span;
use thetis_expr::{Float, FloatSign, Rational};

use super::float::{bits_of, from_rational, sort_of};
use super::{Checked, Checker};
use crate::code;
use crate::encoding::byte_of;
use crate::hir::{Expr, ExprKind, FloatKind, IntKind, LongDouble, Machine};
use crate::syntax::ast::Spanned;

/// Decimal exponents beyond this are infinite or zero in every format.
const LARGEST_EXPONENT: i64 = 10_000;

/// The elements of a string literal.
pub(super) struct Text {
    /// The type of the elements.
    pub(super) kind: IntKind,
    /// Their values, without the zero at the end.
    pub(super) units: Vec<BigInt>,
}

/// What stands in front of a quote.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    Utf8,
    Wide,
    Utf16,
    Utf32,
}

impl Checker<'_, '_> {
    /// An integer or floating constant.
    pub(super) fn number(&mut self, text: &str, span: Span) -> Checked<Expr> {
        let lower = text.to_ascii_lowercase();
        let is_hexadecimal = lower.starts_with("0x");
        let is_float = if is_hexadecimal { lower.contains(['.', 'p']) } else { lower.contains(['.', 'e']) };
        let is_binary = lower.starts_with("0b");
        if is_float && !is_binary {
            self.float_number(&lower, span)
        } else {
            self.integer_number(&lower, span)
        }
    }

    fn integer_number(&mut self, text: &str, span: Span) -> Checked<Expr> {
        let (radix, digits) = match text {
            _ if text.starts_with("0x") => (16, &text[2..]),
            _ if text.starts_with("0b") => (2, &text[2..]),
            _ if text.starts_with('0') && text.len() > 1 => (8, &text[1..]),
            _ => (10, text),
        };
        let end = digits.find(|digit: char| !digit.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        // After the octal prefix `0` of `0u`, only the suffix remains.
        let digits = if radix == 8 && digits.is_empty() { "0" } else { digits };
        let Ok(value) = BigUint::from_str_radix(digits, radix) else {
            return Err(self.bad_number(text, span));
        };
        let Some(candidates) = candidates(suffix, radix) else {
            if matches!(suffix, "i" | "j") {
                let part = self.float_type(FloatKind::Double);
                let ty = self.complex_type(part);
                return Ok(unsupported("an imaginary constant", ty, span));
            }
            return Err(self.bad_number(text, span));
        };
        let value = BigInt::from(value);
        let Some(kind) = candidates.into_iter().find(|kind| self.holds(*kind, &value)) else {
            return Err(self.sink.error(
                span,
                code::CONSTANT,
                format!("no type can hold the number `{text}`"),
            ));
        };
        let ty = self.int_type(kind);
        Ok(Expr { kind: ExprKind::Int(value), ty, span })
    }

    fn bad_number(&mut self, text: &str, span: Span) -> thetis_base::Reported {
        self.sink.error(span, code::CONSTANT, format!("`{text}` is not a number"))
    }

    fn float_number(&mut self, text: &str, span: Span) -> Checked<Expr> {
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => parse_float(digits, 16, 'p'),
            None => parse_float(text, 10, 'e'),
        };
        let Some(parsed) = parsed else { return Err(self.bad_number(text, span)) };
        let kind = match parsed.suffix {
            "" | "f64" | "f32x" | "d" => FloatKind::Double,
            "f" | "f32" => FloatKind::Float,
            "l" => FloatKind::LongDouble,
            "f64x" | "w" if self.types.machine().long_double() == LongDouble::Extended => {
                FloatKind::LongDouble
            }
            "i" | "j" | "fi" | "fj" | "if" | "jf" | "li" | "il" => {
                let part = self.float_type(FloatKind::Double);
                let ty = self.complex_type(part);
                return Ok(unsupported("an imaginary constant", ty, span));
            }
            "q" | "f128" | "f64x" | "w" => return Ok(self.wide_constant(span)),
            _ => return Err(self.bad_number(text, span)),
        };
        Ok(match self.format_of(kind) {
            Some(kind) => self.float_expr(kind, &parsed.value(kind), span),
            None => self.wide_constant(span),
        })
    }

    /// A constant of a type that is not modelled.
    pub(super) fn wide_constant(&mut self, span: Span) -> Expr {
        let ty = self.opaque_type("a number of 128 bits", 16, 16);
        unsupported("a constant of 128 bits", ty, span)
    }

    /// The type with the values that a floating type has on the machine; none if they are not modelled.
    pub(super) fn format_of(&self, kind: FloatKind) -> Option<FloatKind> {
        match (kind, self.types.machine().long_double()) {
            (FloatKind::LongDouble, LongDouble::Double) => Some(FloatKind::Double),
            (FloatKind::LongDouble, LongDouble::Quad) => None,
            (kind, _) => Some(kind),
        }
    }

    /// A floating constant.
    pub(super) fn float_expr(&mut self, kind: FloatKind, value: &Float, span: Span) -> Expr {
        let ty = self.float_type(kind);
        Expr { kind: ExprKind::Float(bits_of(kind, value)), ty, span }
    }

    /// A character constant: an `int`, or a wide character.
    pub(super) fn character(&mut self, token: &str, span: Span) -> Checked<Expr> {
        let (prefix, body) = split_prefix(token);
        let units = self.units(prefix, body, span)?;
        let kind = match prefix {
            Prefix::None => IntKind::Int,
            prefix => element_kind(prefix, self.types.machine()),
        };
        let value = match (prefix, units.as_slice()) {
            (_, []) => return Err(self.sink.error(span, code::CONSTANT, "an empty character constant")),
            (Prefix::None, [unit]) => unit.clone(),
            // Several characters are the digits of a number, as gcc reads them.
            (Prefix::None, units) => {
                let joined =
                    units.iter().fold(BigInt::zero(), |sum, unit| sum * 256 + (unit & BigInt::from(255)));
                super::convert::wrapped(IntKind::Int, joined, self.model())
            }
            (_, units) => units[units.len() - 1].clone(),
        };
        let ty = self.int_type(kind);
        Ok(Expr { kind: ExprKind::Int(value), ty, span })
    }

    /// Adjacent string literals as one.
    pub(super) fn text(&mut self, pieces: &[Spanned<Box<str>>]) -> Checked<Text> {
        let prefixes = pieces.iter().map(|piece| split_prefix(&piece.node).0);
        let prefix = prefixes.rev().find(|prefix| *prefix != Prefix::None).unwrap_or(Prefix::None);
        let mut units = Vec::new();
        for piece in pieces {
            let (_, body) = split_prefix(&piece.node);
            units.extend(self.units(prefix, body, piece.span)?);
        }
        Ok(Text { kind: element_kind(prefix, self.types.machine()), units })
    }

    /// The elements that a literal without its quotes stands for.
    fn units(&mut self, prefix: Prefix, body: &str, span: Span) -> Checked<Vec<BigInt>> {
        let is_narrow = matches!(prefix, Prefix::None | Prefix::Utf8);
        if !is_narrow && body.chars().any(|character| byte_of(character).is_some()) {
            let message = "the literal has a character that is not UTF-8, so its value is not known";
            return Err(self.sink.error(span, code::CONSTANT, message));
        }
        let (mut units, kind) = (Vec::new(), element_kind(prefix, self.types.machine()));
        let mut rest = body;
        while let Some(first) = rest.chars().next() {
            if first != '\\' {
                push_character(&mut units, prefix, kind, first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let Some((escape, length)) = escape(&rest[1..]) else {
                return Err(self.sink.error(span, code::CONSTANT, "an escape sequence that means nothing"));
            };
            match escape {
                Escape::Nothing => {}
                Escape::Unit(value) => {
                    units.push(super::convert::wrapped(kind, value, self.model()));
                }
                Escape::Character(character) => push_character(&mut units, prefix, kind, character),
            }
            rest = &rest[1 + length..];
        }
        Ok(units)
    }
}

/// An expression that is not supported.
pub(super) fn unsupported(reason: impl Into<String>, ty: crate::hir::TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Unsupported(reason.into()), ty, span }
}

/// The types an integer constant can have, smallest first.
fn candidates(suffix: &str, radix: u32) -> Option<Vec<IntKind>> {
    use IntKind::{Int, Int128, Long, LongLong, UnsignedInt, UnsignedInt128, UnsignedLong, UnsignedLongLong};
    let is_unsigned = suffix.contains('u');
    let least = match suffix.replacen('u', "", 1).as_str() {
        "" => Int,
        "l" | "z" => Long,
        "ll" => LongLong,
        _ => return None,
    };
    let all = [Int, UnsignedInt, Long, UnsignedLong, LongLong, UnsignedLongLong, Int128, UnsignedInt128];
    let fits = |kind: &IntKind| {
        let sign_fits = if is_unsigned { !kind.is_signed() } else { radix != 10 || kind.is_signed() };
        sign_fits && *kind >= least
    };
    Some(all.into_iter().filter(fits).collect())
}

/// A floating constant, taken apart: the value is `digits * base ^ exponent`.
struct ParsedFloat<'t> {
    digits: BigUint,
    base: u32,
    exponent: i64,
    suffix: &'t str,
}

impl ParsedFloat<'_> {
    fn value(&self, kind: FloatKind) -> Float {
        let sort = sort_of(kind);
        let num_digits = self.digits.bits() as i64;
        if self.digits.is_zero() || self.exponent + num_digits < -8 * LARGEST_EXPONENT {
            return Float::zero(sort, FloatSign::Positive);
        }
        if self.exponent > 8 * LARGEST_EXPONENT {
            return Float::infinity(sort, FloatSign::Positive);
        }
        let digits = BigInt::from(self.digits.clone());
        let power = BigInt::from(self.base).pow(self.exponent.unsigned_abs());
        let number = if self.exponent < 0 {
            Rational::new(digits, power)
        } else {
            Rational::new(digits * power, BigInt::one())
        };
        from_rational(kind, number)
    }
}

fn parse_float(text: &str, radix: u32, exponent_mark: char) -> Option<ParsedFloat<'_>> {
    let (mantissa, rest) = match text.split_once(exponent_mark) {
        Some((mantissa, rest)) => (mantissa, Some(rest)),
        None => (text, None),
    };
    let is_digit = |letter: char| letter.is_digit(radix) || letter == '.';
    let mantissa_end = mantissa.find(|letter| !is_digit(letter)).unwrap_or(mantissa.len());
    let (mantissa, mantissa_suffix) = mantissa.split_at(mantissa_end);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if fraction.contains('.') || whole.len() + fraction.len() == 0 {
        return None;
    }
    let digits = BigUint::from_str_radix(&format!("{whole}{fraction}"), radix).ok()?;
    let (written_exponent, suffix) = match rest {
        Some(_) if !mantissa_suffix.is_empty() => return None,
        Some(rest) => {
            let end = rest.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '+' | '-'));
            let (number, suffix) = rest.split_at(end.unwrap_or(rest.len()));
            let number: BigInt = number.strip_prefix('+').unwrap_or(number).parse().ok()?;
            let limit = BigInt::from(100 * LARGEST_EXPONENT);
            (number.clamp(-limit.clone(), limit).to_i64()?, suffix)
        }
        // A hexadecimal constant with a point needs its exponent.
        None if radix == 16 => return None,
        None => (0, mantissa_suffix),
    };
    let num_fraction = fraction.len() as i64;
    let (base, exponent) = if radix == 16 {
        (2, written_exponent - 4 * num_fraction)
    } else {
        (10, written_exponent - num_fraction)
    };
    Some(ParsedFloat { digits, base, exponent, suffix })
}

fn split_prefix(token: &str) -> (Prefix, &str) {
    let start = token.find(['\'', '"']).unwrap_or(0);
    let prefix = match &token[..start] {
        "L" => Prefix::Wide,
        "u8" => Prefix::Utf8,
        "u" => Prefix::Utf16,
        "U" => Prefix::Utf32,
        _ => Prefix::None,
    };
    (prefix, &token[start + 1..token.len() - 1])
}

/// The type of the elements of a string.
fn element_kind(prefix: Prefix, machine: Machine) -> IntKind {
    match prefix {
        Prefix::None | Prefix::Utf8 => machine.char_kind(),
        Prefix::Wide => machine.wide_kind(),
        Prefix::Utf16 => IntKind::UnsignedShort,
        Prefix::Utf32 => IntKind::UnsignedInt,
    }
}

fn push_character(units: &mut Vec<BigInt>, prefix: Prefix, kind: IntKind, character: char) {
    match prefix {
        Prefix::None | Prefix::Utf8 => {
            let mut buffer = [0; 4];
            let unit =
                |byte: u8| if kind.is_signed() { BigInt::from(byte as i8) } else { BigInt::from(byte) };
            match byte_of(character) {
                Some(byte) => units.push(unit(byte)),
                None => units.extend(character.encode_utf8(&mut buffer).bytes().map(unit)),
            }
        }
        Prefix::Utf16 => {
            let mut buffer = [0; 2];
            units.extend(character.encode_utf16(&mut buffer).iter().map(|unit| BigInt::from(*unit)));
        }
        Prefix::Wide | Prefix::Utf32 => units.push(BigInt::from(u32::from(character))),
    }
}

enum Escape {
    /// A continued line.
    Nothing,
    Unit(BigInt),
    Character(char),
}

/// What the text after a backslash means, and how long it is.
fn escape(text: &str) -> Option<(Escape, usize)> {
    let first = text.chars().next()?;
    let simple = |value: u8| Some((Escape::Unit(BigInt::from(value)), 1));
    match first {
        'n' => simple(10),
        't' => simple(9),
        'r' => simple(13),
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'v' => simple(11),
        'e' | 'E' => simple(27),
        '\\' | '\'' | '"' | '?' => simple(first as u8),
        '\n' => Some((Escape::Nothing, 1)),
        '\r' => Some((Escape::Nothing, 2.min(text.len()))),
        'x' => {
            let digits = &text[1..];
            let length = digits.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(digits.len());
            let value = BigUint::from_str_radix(&digits[..length], 16).ok()?;
            Some((Escape::Unit(value.into()), 1 + length))
        }
        'u' | 'U' => {
            let length = if first == 'u' { 4 } else { 8 };
            let code = u32::from_str_radix(text.get(1..1 + length)?, 16).ok()?;
            Some((Escape::Character(char::from_u32(code)?), 1 + length))
        }
        '0'..='7' => {
            let length = text.chars().take(3).take_while(|digit| digit.is_digit(8)).count();
            let value = u32::from_str_radix(&text[..length], 8).ok()?;
            Some((Escape::Unit(value.into()), length))
        }
        // A compiler warns and drops the backslash.
        other => Some((Escape::Character(other), other.len_utf8())),
    }
}
