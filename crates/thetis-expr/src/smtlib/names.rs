//! Symbols of variables.
//!
//! The symbol of a variable is its name, with `'` or `⟨3⟩` after it for a version, in bars where SMT-LIB wants them:
//! `x`, `|x'|`, `|x⟨3⟩|`, `|main::x|`. To keep the map from variables to symbols injective and its values legal,
//! characters of the *name* that would be misread are written as `%` and two hexadecimal digits per byte: `%` itself,
//! `|`, `\`, `'`, `⟨`, `⟩` and control characters anywhere, and the first character of a name that SMT-LIB has
//! reserved (`and`, `@x`) or that looks like one of our own `let` variables (`?1`).

use std::fmt::Write;

use super::sexpr::is_symbol_byte;
use crate::{Store, VarId, Version};

/// The symbol of `var`, in bars if it needs them.
pub fn print_name(store: &Store, var: VarId) -> String {
    let mut symbol = String::new();
    write_name(store, var, &mut symbol);
    symbol
}

/// Whether `symbol` means something in SMT-LIB, so that no variable or function may have this name.
pub fn is_reserved(symbol: &str) -> bool {
    RESERVED.binary_search(&symbol).is_ok()
}

/// The name and version that a symbol of [`print_name`] stands for; `symbol` comes without its bars.
///
/// Any text is accepted: what `print_name` would not have written is taken literally.
pub fn read_name(symbol: &str) -> (String, Version) {
    let (name, version) = split_version(symbol);
    (unescape(name).unwrap_or_else(|| name.to_owned()), version)
}

pub(super) fn write_name(store: &Store, var: VarId, out: &mut String) {
    let known = store.symbol(var);
    let start = out.len();
    escape(&known.name, out);
    match known.version {
        Version::Current => {}
        Version::Next => out.push('\''),
        Version::Step(step) => write!(out, "⟨{step}⟩").expect("writing to a string should succeed"),
    }
    let written = &out[start..];
    if needs_bars(written) {
        out.insert(start, '|');
        out.push('|');
    }
}

fn needs_bars(symbol: &str) -> bool {
    symbol.is_empty() || symbol.as_bytes()[0].is_ascii_digit() || !symbol.bytes().all(is_symbol_byte)
}

fn escape(name: &str, out: &mut String) {
    let misleading = name.starts_with(['@', '.', '?']) || is_reserved(name);
    for (index, character) in name.char_indices() {
        let special = matches!(character, '%' | '|' | '\\' | '\'' | '⟨' | '⟩') || character.is_control();
        if special || (index == 0 && misleading) {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                write!(out, "%{byte:02x}").expect("writing to a string should succeed");
            }
        } else {
            out.push(character);
        }
    }
}

fn unescape(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}

fn split_version(symbol: &str) -> (&str, Version) {
    if let Some(name) = symbol.strip_suffix('\'') {
        return (name, Version::Next);
    }
    let step = symbol.strip_suffix('⟩').and_then(|rest| rest.rsplit_once('⟨'));
    match step.map(|(name, step)| (name, step, step.parse())) {
        Some((name, digits, Ok(step))) if is_canonical(digits) => (name, Version::Step(step)),
        _ => (symbol, Version::Current),
    }
}

fn is_canonical(digits: &str) -> bool {
    digits == "0" || (digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0'))
}

/// Names that mean something in SMT-LIB, in the order of `str`.
const RESERVED: &[&str] = &[
    "!",
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    "=>",
    ">",
    ">=",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "STRING",
    "_",
    "abs",
    "and",
    "as",
    "assert",
    "bv2int",
    "bv2nat",
    "bvadd",
    "bvand",
    "bvashr",
    "bvcomp",
    "bvlshr",
    "bvmul",
    "bvnand",
    "bvneg",
    "bvnor",
    "bvnot",
    "bvor",
    "bvsdiv",
    "bvsge",
    "bvsgt",
    "bvshl",
    "bvsle",
    "bvslt",
    "bvsmod",
    "bvsrem",
    "bvsub",
    "bvudiv",
    "bvuge",
    "bvugt",
    "bvule",
    "bvult",
    "bvurem",
    "bvxnor",
    "bvxor",
    "concat",
    "const",
    "distinct",
    "div",
    "divisible",
    "exists",
    "extract",
    "false",
    "forall",
    "fp",
    "if",
    "implies",
    "int2bv",
    "int_to_bv",
    "is_int",
    "ite",
    "lambda",
    "let",
    "match",
    "mod",
    "not",
    "or",
    "par",
    "rem",
    "repeat",
    "rotate_left",
    "rotate_right",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "sbv_to_int",
    "select",
    "sign_extend",
    "store",
    "to_fp",
    "to_fp_unsigned",
    "to_int",
    "to_real",
    "true",
    "ubv_to_int",
    "xor",
    "zero_extend",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn the_reserved_names_are_in_order() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn symbols_are_injective_and_read_back() {
        let store = Store::new();
        let names = [
            "x",
            "x'",
            "x⟨3⟩",
            "x|",
            "x\\",
            "",
            "and",
            "%61nd",
            "?1",
            "@a",
            ".b",
            "a b",
            "main::x",
            "1",
            "x%",
            "x%27",
            "⟨",
            "é",
            "a\u{7}b",
            "x⟨03⟩",
            "let",
            "true",
        ];
        let mut symbols = std::collections::BTreeSet::new();
        for name in names {
            let var = store.declare(name, Sort::Int);
            for version in [Version::Current, Version::Next, Version::Step(0), Version::Step(3)] {
                let symbol = print_name(&store, store.at_version(var, version));
                let bare =
                    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(&symbol);
                assert!(!bare.contains(['|', '\\']), "{symbol}");
                assert_eq!(read_name(bare), (name.to_owned(), version), "{symbol}");
                assert!(symbols.insert(symbol));
            }
        }
    }

    #[test]
    fn ordinary_names_stay_readable() {
        let store = Store::new();
        for (name, symbol) in
            [("x", "x"), ("main::x", "|main::x|"), ("aux!1", "aux!1"), ("and", "%61nd"), ("8", "|8|")]
        {
            assert_eq!(print_name(&store, store.declare(name, Sort::Int)), symbol);
        }
        let third = store.at_version(store.declare("x", Sort::Int), Version::Step(3));
        assert_eq!(print_name(&store, third), "|x⟨3⟩|");
    }

    #[test]
    fn foreign_symbols_are_taken_literally() {
        for symbol in ["x%", "x%zz", "x%+1", "x⟨⟩", "x⟨99999999999⟩", "%ff"] {
            assert_eq!(read_name(symbol), (symbol.to_owned(), Version::Current));
        }
    }
}
