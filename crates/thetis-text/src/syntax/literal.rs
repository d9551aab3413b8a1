//! What literals and widths mean.
//!
//! Limits: numbers have at most [`MAX_DIGITS`] digits (reading decimal digits takes quadratic time) and bit-vectors
//! at most [`MAX_WIDTH`] bits. Both are far beyond what models use, and keep a typing error or an attack from
//! exhausting time and memory.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use thetis_expr::{BitVec, Rational};

/// The greatest width of a bit-vector.
pub(crate) const MAX_WIDTH: u32 = 1 << 16;

/// The greatest number of digits of a literal.
pub(crate) const MAX_DIGITS: usize = 20_000;

/// Why a literal denotes nothing, as a message.
pub(crate) type Meaning<T> = Result<T, String>;

/// A natural number in decimal digits.
pub(crate) fn natural(digits: &str) -> Meaning<BigUint> {
    number(digits, 10)
}

/// A fraction of two natural numbers.
pub(crate) fn rational(numerator: &str, denominator: &str) -> Meaning<Rational> {
    let (numerator, denominator) = (natural(numerator)?, natural(denominator)?);
    if denominator.is_zero() {
        return Err("the denominator of a rational literal must not be zero".to_owned());
    }
    Ok(Rational::new(numerator.into(), denominator.into()))
}

/// A number of bits.
pub(crate) fn width(digits: &str) -> Meaning<u32> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Err("a bit-vector needs at least one bit".to_owned());
    }
    let width = digits.parse::<u32>().ok().filter(|width| *width <= MAX_WIDTH);
    width.ok_or_else(|| format!("bit-vectors of more than {MAX_WIDTH} bits are not supported"))
}

/// A bit position, which may be any small number.
pub(crate) fn position(digits: &str) -> Meaning<u32> {
    let position = digits.parse::<u32>().ok().filter(|position| *position <= MAX_WIDTH);
    position.ok_or_else(|| format!("bit positions above {MAX_WIDTH} are not supported"))
}

/// A bit-vector literal: width, quote, base and digits.
pub(crate) fn bits(text: &str) -> Meaning<BitVec> {
    let Some((bits, rest)) = text.split_once('\'') else {
        return Err("a bit-vector literal needs a width".to_owned());
    };
    let width = width(bits)?;
    let (base, digits) = rest.split_at(rest.len().min(1));
    match base {
        "b" => binary(width, digits),
        "d" => decimal(width, digits),
        _ => unsigned(width, number(digits, 16)?, digits),
    }
}

fn binary(width: u32, digits: &str) -> Meaning<BitVec> {
    if digits.len() > width as usize {
        return Err(format!("a bit-vector of {width} bits cannot have {} digits", digits.len()));
    }
    unsigned(width, number(digits, 2)?, digits)
}

fn decimal(width: u32, digits: &str) -> Meaning<BitVec> {
    let Some(magnitude) = digits.strip_prefix('-') else {
        let digits = digits.strip_prefix('+').unwrap_or(digits);
        return unsigned(width, number(digits, 10)?, digits);
    };
    let magnitude = number(magnitude, 10)?;
    if magnitude > (BigUint::one() << (width - 1)) {
        return Err(format!("`{}` does not fit into {width} bits", shorten(digits)));
    }
    Ok(BitVec::from_int(width, &-BigInt::from(magnitude)))
}

fn unsigned(width: u32, number: BigUint, digits: &str) -> Meaning<BitVec> {
    if number.bits() > u64::from(width) {
        return Err(format!("`{}` does not fit into {width} bits", shorten(digits)));
    }
    Ok(BitVec::new(width, number))
}

fn number(digits: &str, radix: u32) -> Meaning<BigUint> {
    // Binary digits are cheap to read and number as many as a vector has bits.
    let limit = if radix == 2 { MAX_WIDTH as usize } else { MAX_DIGITS };
    if digits.is_empty() {
        return Err("the literal has no digits".to_owned());
    }
    if digits.len() > limit {
        return Err(format!("literals of more than {limit} digits are not supported"));
    }
    if let Some(wrong) = digits.chars().find(|digit| !digit.is_digit(radix)) {
        return Err(format!("`{wrong}` is not a digit of base {radix}"));
    }
    BigUint::parse_bytes(digits.as_bytes(), radix).ok_or_else(|| "the literal is not a number".to_owned())
}

fn shorten(digits: &str) -> String {
    match digits.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &digits[..end]),
        None => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = bits(text).map_or_else(|message| message, |value| value.to_string());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn bit_vectors() {
        check("4'b0101", "4'd5");
        check("4'b1", "4'd1");
        check("8'd-3", "8'd253");
        check("8'd+3", "8'd3");
        check("8'd-128", "8'd128");
        check("8'xfF", "8'd255");
        check("5'x1f", "5'd31");
        check("1'd1", "1'd1");
    }

    #[test]
    fn wrong_bit_vectors() {
        check("4'd99", "`99` does not fit into 4 bits");
        check("8'd-129", "`-129` does not fit into 8 bits");
        check("4'b00001", "a bit-vector of 4 bits cannot have 5 digits");
        check("4'x1f", "`1f` does not fit into 4 bits");
        check("4'b12", "`2` is not a digit of base 2");
        check("4'xg", "`g` is not a digit of base 16");
        check("4'b", "the literal has no digits");
        check("4'd-", "the literal has no digits");
        check("4'd--1", "`-` is not a digit of base 10");
        check("0'd0", "a bit-vector needs at least one bit");
        check("65537'd0", "bit-vectors of more than 65536 bits are not supported");
        check(&format!("8'd{}", "9".repeat(30_000)), "literals of more than 20000 digits are not supported");
    }

    #[test]
    fn rationals() {
        assert_eq!(rational("2", "4").unwrap().to_string(), "1/2");
        assert!(rational("2", "0").is_err());
        assert!(natural(&"9".repeat(MAX_DIGITS + 1)).is_err());
    }
}
