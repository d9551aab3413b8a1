//! Bit operations on mathematical integers.
//!
//! In two's complement without end, `x & (2^k - 1)` is `x mod 2^k`, a shift right is a division that rounds down, and
//! `x | y = x + y - (x & y)`, `x ^ y = x + y - 2 (x & y)`. So a bit operation with a constant is arithmetic: a constant
//! is a few runs of ones, and `x` masked by the run of `k` ones from bit `l` on is `((x div 2^l) mod 2^k) * 2^l`. The
//! remaining operations, on two unknown numbers, are computed with bit-vectors; [`Arithmetic::Auto`] avoids it.
//!
//! [`Arithmetic::Auto`]: crate::lower::Arithmetic::Auto

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use thetis_expr::ExprId;

use super::{Arith, Encoding, Operation, Partial};
use crate::hir::{BinaryOp, CompareOp};
use crate::lower::scalar::{Integer, Scalar};

/// The runs of ones of a number in two's complement.
pub(crate) struct Runs {
    /// First bit and length of each run below `endless`.
    pub(crate) finite: Vec<(u32, u32)>,
    /// The first bit from which on all are ones, for a negative number.
    pub(crate) endless: Option<u32>,
}

impl Runs {
    /// The runs of a number, of which the bits from `width` on are like its sign.
    pub(crate) fn of(number: &BigInt, width: u32) -> Runs {
        let is_one = |bit: u32| ((number >> bit) & BigInt::from(1)) == BigInt::from(1);
        let (mut finite, mut bit) = (Vec::new(), 0);
        while bit < width {
            let start = bit;
            while bit < width && is_one(bit) {
                bit += 1;
            }
            if bit > start {
                finite.push((start, bit - start));
            }
            bit += 1;
        }
        let mut endless = None;
        if number.is_negative() {
            let last = finite.pop().map_or(width, |(start, _)| start);
            endless = Some(last);
        }
        Runs { finite, endless }
    }
}

/// Whether masking with a constant is one division and one remainder at most.
pub(crate) fn is_plain_mask(number: &BigInt, width: u32) -> bool {
    let runs = Runs::of(number, width);
    runs.finite.len() + usize::from(runs.endless.is_some()) <= 1
}

impl Arith<'_> {
    /// `~x`.
    pub(super) fn complement(self, integer: Integer, term: ExprId) -> ExprId {
        let store = self.store;
        let all_ones = if integer.is_signed { BigInt::from(-1) } else { integer.max() };
        store.sub(store.int(all_ones), term)
    }

    pub(super) fn bitwise(self, op: BinaryOp, integer: Integer, left: ExprId, right: ExprId) -> ExprId {
        let store = self.store;
        let constant = |term| store.value(term).as_ref().and_then(|value| value.as_int()).cloned();
        let common = match (constant(left), constant(right)) {
            (_, Some(mask)) => self.masked(integer, left, &mask),
            (Some(mask), None) => self.masked(integer, right, &mask),
            (None, None) => match self.as_bits(left).zip(self.as_bits(right)) {
                Some((left, right)) => return self.on_truth_values(op, left, right),
                None => return self.by_vectors(op, integer, left, right),
            },
        };
        let sum = store.add(left, right);
        match op {
            BinaryOp::BitAnd => common,
            BinaryOp::BitOr => store.sub(sum, common),
            _ => store.sub(sum, store.mul(store.int(2), common)),
        }
    }

    fn masked(self, integer: Integer, term: ExprId, mask: &BigInt) -> ExprId {
        let store = self.store;
        let power = |bit: u32| store.int(BigInt::from(1) << bit);
        let runs = Runs::of(mask, integer.width);
        let mut sum = store.int(0);
        for (start, length) in runs.finite {
            let aligned = store.modulo(store.int_div(term, power(start)), power(length));
            sum = store.add(sum, store.mul(aligned, power(start)));
        }
        if let Some(start) = runs.endless {
            sum = store.add(sum, store.sub(term, store.modulo(term, power(start))));
        }
        sum
    }

    /// The condition of `if c then 1 else 0`.
    fn as_bits(self, term: ExprId) -> Option<ExprId> {
        let store = self.store;
        let is = |position, number| store.arg(term, position) == store.int(number);
        let is_truth_value = store.op(term) == thetis_expr::Op::Ite && is(1, 1) && is(2, 0);
        is_truth_value.then(|| store.arg(term, 0))
    }

    fn on_truth_values(self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let store = self.store;
        let condition = match op {
            BinaryOp::BitAnd => store.and(left, right),
            BinaryOp::BitOr => store.or(left, right),
            _ => store.xor(left, right),
        };
        store.ite(condition, store.int(1), store.int(0))
    }

    fn by_vectors(self, op: BinaryOp, integer: Integer, left: ExprId, right: ExprId) -> ExprId {
        let store = self.store;
        let [left, right] = [left, right].map(|term| store.int_to_bv(term, integer.width));
        self.read_vector(
            integer,
            match op {
                BinaryOp::BitAnd => store.bv_and(left, right),
                BinaryOp::BitOr => store.bv_or(left, right),
                _ => store.bv_xor(left, right),
            },
        )
    }

    /// The number that a bit-vector of the width of the type is.
    pub(super) fn read_vector(self, integer: Integer, bits: ExprId) -> ExprId {
        let store = self.store;
        let number = store.bv_to_int(bits);
        if !integer.is_signed {
            return number;
        }
        let half = store.int(BigInt::from(1) << (integer.width - 1));
        let modulus = store.int(BigInt::from(1) << integer.width);
        store.ite(store.lt(number, half), number, store.sub(number, modulus))
    }

    /// Shifts by at least the width or by a negative amount are undefined, but shifting zero gives zero on every
    /// machine.
    pub(super) fn shift(self, operation: Operation) -> Partial {
        let Operation { op, integer, amount, left, right } = operation;
        let store = self.store;
        let power = self.power_of_two(integer.width, right);
        let term = match op {
            BinaryOp::Shl => self.wrap(integer, store.mul(left, power)),
            _ => store.int_div(left, power),
        };
        let is_amount = self.is_shift_amount(integer.width, amount, right);
        Partial {
            term,
            is_defined: store.or(is_amount, store.eq(left, store.int(0))),
            convention: Some(self.shifted_out(op, integer, left)),
        }
    }

    /// The result of shifting out all bits of a number.
    pub(super) fn shifted_out(self, op: BinaryOp, integer: Integer, left: ExprId) -> ExprId {
        let zero = self.integer(integer, &BigInt::zero());
        if op == BinaryOp::Shl || !integer.is_signed {
            return zero;
        }
        let minus_one = self.integer(integer, &BigInt::from(-1));
        let is_negative = self.compare(CompareOp::Lt, Scalar::Int(integer), left, zero);
        self.store.ite(is_negative, minus_one, zero)
    }

    /// Whether a shift of `width` bits by an amount of type `integer` has a value.
    pub(super) fn is_shift_amount(self, width: u32, integer: Integer, amount: ExprId) -> ExprId {
        let store = self.store;
        let width_fits = integer.max() >= BigInt::from(width);
        let bound = self.integer(integer, &BigInt::from(width));
        match self.encoding {
            Encoding::Bv if width_fits => store.bv_ult(amount, bound),
            Encoding::Bv => store.tru(),
            Encoding::Int | Encoding::Mod => {
                let least =
                    if integer.is_signed { store.le(store.int(BigInt::zero()), amount) } else { store.tru() };
                store.and(least, store.lt(amount, store.int(width)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_few_runs_of_ones() {
        let runs = |number: i64| {
            let runs = Runs::of(&BigInt::from(number), 32);
            (runs.finite, runs.endless)
        };
        assert_eq!(runs(0), (vec![], None));
        assert_eq!(runs(1), (vec![(0, 1)], None));
        assert_eq!(runs(0b101_1000), (vec![(3, 2), (6, 1)], None));
        assert_eq!(runs(-1), (vec![], Some(0)));
        assert_eq!(runs(-4), (vec![], Some(2)));
        assert_eq!(runs(-3), (vec![(0, 1)], Some(2)));
        assert_eq!(runs(0xffff_fffc), (vec![(2, 30)], None));
    }
}
