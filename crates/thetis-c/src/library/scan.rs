//! `sscanf`: a text is read piece by piece, as its constant format says.
//!
//! The model follows the text with a pointer and counts what it has assigned. It ends at the first piece that does not fit: with the count, or
//! with -1 if the text is at its end and nothing was assigned. What the standard leaves undefined, and floating-point numbers, are not here.

use super::format::{Conversion, Length, Piece};
use super::formatted::{signed_type, unsigned_type};

/// The body of a model, for arguments from number `next` on, or `None` if the format has something else in it. The number of arguments must fit.
pub(super) fn scan_text(pieces: &[Piece], params: &[&'static str], mut next: usize) -> Option<String> {
    let mut lines = vec!["const char *s = a0;".to_owned(), "int n = 0;".to_owned()];
    for piece in pieces {
        match piece {
            Piece::Character(byte) if byte.is_ascii_whitespace() || *byte == 0x0b => {
                lines.push("s = __thetis_skip_space(s);".to_owned())
            }
            Piece::Character(byte) => {
                if *byte == b'%' {
                    lines.push("s = __thetis_skip_space(s);".to_owned());
                }
                lines.push(END.to_owned());
                lines.push(format!("if ((unsigned char)*s != {byte}) return n;"));
                lines.push("s++;".to_owned());
            }
            Piece::Conversion(conversion) => {
                let target = match conversion.has(b'*') {
                    true => None,
                    false => {
                        params.get(next).filter(|ty| **ty == "void *")?;
                        next += 1;
                        Some(format!("a{}", next - 1))
                    }
                };
                lines.extend(convert(conversion, target.as_deref())?);
            }
        }
    }
    lines.push("return n;".to_owned());
    Some(lines.into_iter().map(|line| format!("  {line}\n")).collect())
}

/// The run ends if the text does.
const END: &str = "if (*s == 0) return n == 0 ? -1 : n;";

fn convert(conversion: &Conversion, target: Option<&str>) -> Option<Vec<String>> {
    if conversion.has(b'm') || conversion.width.is_some() && conversion.constant_width().is_none() {
        return None;
    }
    let width = conversion.constant_width().filter(|width| *width > 0);
    let max = width.map_or_else(|| "(unsigned long)-1".to_owned(), |width| width.to_string());
    let is_plain = conversion.length == Length::Plain;
    Some(match conversion.letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => number(conversion, &max, target)?,
        b's' if is_plain => text(&max, "!__thetis_is_space(s[k])", true, target),
        b'[' if is_plain => text(&max, &members(&conversion.set), false, target),
        b'c' if is_plain => characters(width.unwrap_or(1), target),
        b'n' => {
            let ty = signed_type(conversion.length);
            target.map(|target| format!("*({ty} *){target} = s - (const char *)a0;")).into_iter().collect()
        }
        _ => return None,
    })
}

fn number(conversion: &Conversion, max: &str, target: Option<&str>) -> Option<Vec<String>> {
    let is_signed = matches!(conversion.letter, b'd' | b'i');
    let base = match conversion.letter {
        b'x' | b'X' => 16,
        b'o' => 8,
        b'i' => 0,
        _ => 10,
    };
    let (ty, is_long) = match conversion.length {
        Length::LongDouble => return None,
        length if is_signed => (signed_type(length), length == Length::LongLong),
        length => (unsigned_type(length), length == Length::LongLong),
    };
    let whole = if is_long { "(unsigned long long)-1" } else { "(unsigned long)-1" };
    let most = if is_signed { format!("{whole} / 2") } else { whole.to_owned() };
    let mut lines = vec!["s = __thetis_skip_space(s);".to_owned(), END.to_owned(), "{".to_owned()];
    lines.push(format!("  unsigned long k = __thetis_number_length(s, {max}, {base});"));
    lines.push("  if (k == 0) return n;".to_owned());
    if let Some(target) = target {
        lines.push(format!("  *({ty} *){target} = ({ty})__thetis_number_value(s, k, {base}, {most});"));
        lines.push("  n++;".to_owned());
    }
    lines.extend(["  s += k;".to_owned(), "}".to_owned()]);
    Some(lines)
}

/// Characters `s[k]` as long as a condition holds.
fn text(max: &str, is_member: &str, skips_space: bool, target: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    if skips_space {
        lines.push("s = __thetis_skip_space(s);".to_owned());
    }
    lines.extend([END.to_owned(), "{".to_owned(), "  unsigned long k = 0;".to_owned()]);
    let store = target.map(|target| format!("((char *){target})[k] = s[k];")).unwrap_or_default();
    lines.push(format!("  for (; k < {max} && s[k] != 0 && ({is_member}); k++) {{ {store} }}"));
    lines.push("  if (k == 0) return n;".to_owned());
    if let Some(target) = target {
        lines.push(format!("  ((char *){target})[k] = 0;"));
        lines.push("  n++;".to_owned());
    }
    lines.extend(["  s += k;".to_owned(), "}".to_owned()]);
    lines
}

/// That `s[k]` is one of some characters.
fn members(set: &[u8]) -> String {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in set {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *byte => *last = *byte,
            _ => ranges.push((*byte, *byte)),
        }
    }
    let range =
        |(first, last): &(u8, u8)| format!("(unsigned char)s[k] >= {first} && (unsigned char)s[k] <= {last}");
    match ranges.is_empty() {
        true => "0".to_owned(),
        false => ranges.iter().map(range).collect::<Vec<_>>().join(" || "),
    }
}

fn characters(count: u32, target: Option<&str>) -> Vec<String> {
    let mut lines = vec![END.to_owned()];
    lines.push(format!("for (unsigned long k = 0; k < {count}; k++) {{"));
    lines.push("  if (*s == 0) __thetis_limit(\"a text ends before all characters are read\");".to_owned());
    lines.extend(target.map(|target| format!("  ((char *){target})[k] = *s;")));
    lines.extend(["  s++;".to_owned(), "}".to_owned()]);
    lines.extend(target.map(|_| "n++;".to_owned()));
    lines
}
