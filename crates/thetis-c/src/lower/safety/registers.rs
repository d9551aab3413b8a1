//! Device registers at fixed addresses, which a program may access although they belong to no object.
//!
//! Only the user knows where they are. The value of a read is determined by `volatile` (`lower/volatile.rs`) and the
//! class outside, as for all fixed addresses; this module only makes the accesses valid.

use std::ops::RangeInclusive;

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;

use super::{AssumptionKind, Length, Lowering};
use crate::lower::scalar::{Integer, address_width};

/// The addresses of registers, from the first byte of each range to its last.
pub type Registers = Vec<RangeInclusive<u64>>;

/// Reads ranges such as `0x40000000-0x5fffffff, 0xe0000000-0xe00fffff`; a single address is one byte.
pub fn parse_registers(text: &str) -> Result<Registers, String> {
    text.split(',').map(str::trim).filter(|range| !range.is_empty()).map(parse_range).collect()
}

fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = match (parse_address(first.trim()), parse_address(last.trim())) {
        (Some(first), Some(last)) if first <= last => first..=last,
        _ => return Err(format!("`{text}` is not a range of addresses such as 0x40000000-0x5fffffff")),
    };
    Ok(range)
}

fn parse_address(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Ranges as [`parse_registers`] reads them.
pub(crate) fn describe_registers(registers: &Registers) -> String {
    let ranges = registers.iter().map(|range| format!("{:#x}-{:#x}", range.start(), range.end()));
    ranges.collect::<Vec<String>>().join(", ")
}

impl Lowering<'_> {
    /// Whether `length` bytes at `first` are registers.
    pub(super) fn are_registers(&self, first: ExprId, length: Length) -> ExprId {
        let store = self.store();
        if self.options.registers.is_empty() {
            return store.fals();
        }
        let last = match length {
            Length::Constant(length) => self.arith.advance_by(first, length.saturating_sub(1)),
            Length::Term(length) => {
                let one = self.arith.negate_bytes(self.arith.pointer(1));
                self.arith.advance(self.arith.advance(first, length), one)
            }
        };
        let integer = Integer::unsigned(address_width(self.program.types.model()));
        let ends = [first, last].map(|pointer| self.arith.address_number(pointer));
        store.or_all(self.options.registers.iter().map(|range| {
            let [low, high] = [range.start(), range.end()].map(|end| BigInt::from(*end));
            store.and_all(ends.map(|end| store.not(self.outside((integer, end), &low, &high))))
        }))
    }

    /// Names the ranges among the assumptions.
    pub(in crate::lower) fn note_registers(&mut self, span: Span) {
        if !self.options.registers.is_empty() {
            let ranges = describe_registers(&self.options.registers);
            let text = format!("device registers, which the program may access, are at {ranges}");
            self.out.assume_silently(AssumptionKind::Registers, text, span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_written() {
        for (text, expected) in [
            ("", Ok("")),
            ("0x40000000-0x5fffffff", Ok("0x40000000-0x5fffffff")),
            (" 4096 - 8191 ,0XE0", Ok("0x1000-0x1fff, 0xe0-0xe0")),
            ("5-4", Err("`5-4` is not a range of addresses such as 0x40000000-0x5fffffff")),
            ("0x", Err("`0x` is not a range of addresses such as 0x40000000-0x5fffffff")),
            ("1-2-3", Err("`1-2-3` is not a range of addresses such as 0x40000000-0x5fffffff")),
        ] {
            let read = parse_registers(text).map(|registers| describe_registers(&registers));
            assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
        }
    }
}
