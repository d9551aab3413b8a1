//! Numbers in the four encodings.
//!
//! `int` calculates with mathematical integers, `bv` with bit-vectors of the width of the type, `mod` with integers that are
//! wrapped around explicitly, and `mod-overflow` as `mod` with a condition that says whether something was wrapped. The
//! formulas of `mod` are those of Hajdu and Jovanović, "solc-verify: A modular verifier for Solidity smart contracts" (2019):
//! sums and differences are corrected by a single addition instead of a remainder.
//!
//! Addresses, contracts, members of enumerations, references and codes of texts are integers in all encodings.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use thetis_base::Span;
use thetis_expr::{ExprId, Integer, Sort, Store, Value, toward_zero};
use thetis_model::{Assumption, Weight};

use crate::types::Ty;

/// How numbers are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arithmetic {
    /// Mathematical integers.
    #[default]
    Int,
    /// Bit-vectors.
    Bv,
    /// Integers with explicit wrap-around.
    Mod,
    /// The same, and overflow is an error.
    ModOverflow,
}

impl Arithmetic {
    /// The encoding with a name of the command line.
    pub fn by_name(name: &str) -> Option<Arithmetic> {
        [Arithmetic::Int, Arithmetic::Bv, Arithmetic::Mod, Arithmetic::ModOverflow]
            .into_iter()
            .find(|mode| mode.name() == name)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Int => "int",
            Arithmetic::Bv => "bv",
            Arithmetic::Mod => "mod",
            Arithmetic::ModOverflow => "mod-overflow",
        }
    }

    /// What verdicts depend on, since machines do not calculate like this.
    pub(crate) fn assumption(self, span: Span) -> Option<Assumption> {
        let text = "integers are mathematical ones, which never wrap around".to_owned();
        let assumption = Assumption { code: "mathematical-integers", text, span, weight: Weight::Named };
        (self == Arithmetic::Int).then_some(assumption)
    }

    pub(crate) fn wraps(self) -> bool {
        matches!(self, Arithmetic::Mod | Arithmetic::ModOverflow)
    }
}

/// An operation on two numbers of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CmpOp {
    Lt,
    Le,
    Gt,
    Ge,
}

/// A result, and the condition under which it is exact; `None` if it always is.
pub(crate) struct Computed {
    pub(crate) value: ExprId,
    pub(crate) exact: Option<ExprId>,
    /// The mathematical result, if it can be expressed. It is the same wherever the result is exact.
    pub(crate) plain: Option<ExprId>,
}

/// Builds terms of numbers.
#[derive(Clone, Copy)]
pub(crate) struct Arith<'s> {
    pub(crate) store: &'s Store,
    pub(crate) mode: Arithmetic,
}

/// The values of a type of numbers.
pub(crate) fn shape(ty: &Ty) -> Integer {
    match ty {
        Ty::Int { signed, bits } => Integer { width: u32::from(*bits), is_signed: *signed },
        Ty::FixedBytes(size) => Integer::unsigned(8 * u32::from(*size)),
        _ => Integer::unsigned(256),
    }
}

fn power_of_two(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

/// The least and the greatest number of a type.
pub(crate) fn limits(ty: &Ty) -> (BigInt, BigInt) {
    (shape(ty).min(), shape(ty).max())
}

impl Arith<'_> {
    pub(crate) fn sort(self, ty: &Ty) -> Sort {
        match ty {
            Ty::Int { .. } | Ty::FixedBytes(_) if self.mode == Arithmetic::Bv => {
                Sort::bitvec(shape(ty).width)
            }
            Ty::Bool => Sort::Bool,
            _ => Sort::Int,
        }
    }

    pub(crate) fn literal(self, ty: &Ty, number: &BigInt) -> ExprId {
        match self.sort(ty) {
            Sort::BitVec(_) => {
                let bits = shape(ty).width;
                self.store.bits(bits, Integer::unsigned(bits).wrap(number).magnitude().clone())
            }
            _ => self.store.int(number.clone()),
        }
    }

    /// The number that a term always has.
    pub(crate) fn constant(self, ty: &Ty, term: ExprId) -> Option<BigInt> {
        match self.store.value(term)? {
            Value::Int(number) => Some(number),
            Value::BitVec(bits) if shape(ty).is_signed => Some(bits.signed()),
            Value::BitVec(bits) => Some(BigInt::from(bits.unsigned().clone())),
            _ => None,
        }
    }

    /// The condition that a number belongs to its type; true if the encoding ensures that.
    pub(crate) fn in_range(self, ty: &Ty, term: ExprId) -> ExprId {
        if self.mode == Arithmetic::Bv {
            return self.store.tru();
        }
        shape(ty).holds(self.store, term)
    }

    pub(crate) fn compare(self, op: CmpOp, ty: &Ty, left: ExprId, right: ExprId) -> ExprId {
        let store = self.store;
        let (left, right, strict) = match op {
            CmpOp::Lt => (left, right, true),
            CmpOp::Le => (left, right, false),
            CmpOp::Gt => (right, left, true),
            CmpOp::Ge => (right, left, false),
        };
        match (store.sort(left), shape(ty).is_signed, strict) {
            (Sort::BitVec(_), true, true) => store.bv_slt(left, right),
            (Sort::BitVec(_), true, false) => store.bv_sle(left, right),
            (Sort::BitVec(_), false, true) => store.bv_ult(left, right),
            (Sort::BitVec(_), false, false) => store.bv_ule(left, right),
            (_, _, true) => store.lt(left, right),
            (_, _, false) => store.le(left, right),
        }
    }

    /// The result of an operation; `None` if the encoding has no such operation.
    pub(crate) fn binary(self, op: NumOp, ty: &Ty, left: ExprId, right: ExprId) -> Option<Computed> {
        if matches!(op, NumOp::Pow) {
            return self.power(ty, left, right);
        }
        if let (Some(left), Some(right)) = (self.constant(ty, left), self.constant(ty, right))
            && matches!(op, NumOp::And | NumOp::Or | NumOp::Xor)
        {
            return Some(self.folded_bits(op, ty, &left, &right));
        }
        if self.mode == Arithmetic::Bv {
            return self.bit_vectors(op, ty, left, right);
        }
        let exact = match op {
            NumOp::Add => self.store.add(left, right),
            NumOp::Sub => self.store.sub(left, right),
            NumOp::Mul => self.store.mul(left, right),
            NumOp::Div => self.quotient(ty, left, right),
            NumOp::Rem => self.remainder(ty, left, right),
            NumOp::Shl | NumOp::Shr => match (self.shift_factor(ty, right), op) {
                (Some(factor), NumOp::Shl) => self.store.mul(left, factor),
                (Some(factor), _) => self.store.int_div(left, factor),
                (None, _) => return self.by_bits(op, ty, left, right),
            },
            NumOp::And | NumOp::Or | NumOp::Xor => {
                return self.masked(op, ty, left, right).or_else(|| self.by_bits(op, ty, left, right));
            }
            NumOp::Pow => return None,
        };
        Some(match op {
            NumOp::Rem | NumOp::Shr => Computed { value: exact, exact: None, plain: None },
            _ => self.fitted(op, ty, exact),
        })
    }

    fn folded_bits(self, op: NumOp, ty: &Ty, left: &BigInt, right: &BigInt) -> Computed {
        let number = match op {
            NumOp::And => left & right,
            NumOp::Or => left | right,
            _ => left ^ right,
        };
        Computed { value: self.literal(ty, &shape(ty).wrap(&number)), exact: None, plain: None }
    }

    /// `x & (2^k - 1)` is the rest of a division.
    fn masked(self, op: NumOp, ty: &Ty, left: ExprId, right: ExprId) -> Option<Computed> {
        let (mask, other) = match (self.constant(ty, left), self.constant(ty, right)) {
            (Some(mask), _) => (mask, right),
            (_, Some(mask)) => (mask, left),
            _ => return None,
        };
        let modulus: BigInt = mask + 1;
        let is_power = modulus.is_positive() && modulus.trailing_zeros() == Some(modulus.bits() - 1);
        (op == NumOp::And && is_power).then(|| Computed {
            value: self.store.modulo(other, self.store.int(modulus)),
            exact: None,
            plain: None,
        })
    }

    /// An operation on the bits of numbers that have ranges.
    fn by_bits(self, op: NumOp, ty: &Ty, left: ExprId, right: ExprId) -> Option<Computed> {
        let (store, bits) = (self.store, shape(ty).width);
        let count = if matches!(op, NumOp::Shl | NumOp::Shr) { shape(&Ty::UINT).width } else { bits };
        let [left, right] = [(left, bits), (right, count)].map(|(term, bits)| store.int_to_bv(term, bits));
        let outcome = self.mode.wraps().then(|| self.bit_vectors(op, ty, left, right))??;
        Some(Computed { value: self.to_integer(ty, outcome.value), ..outcome })
    }

    fn shift_factor(self, ty: &Ty, count: ExprId) -> Option<ExprId> {
        let count = self.constant(&Ty::UINT, count)?.to_u32()?;
        // Everything is shifted out; a factor of this size does the same.
        Some(self.store.int(power_of_two(count.min(shape(ty).width + 1))))
    }

    /// Wraps the exact result of an operation around, if the encoding does.
    fn fitted(self, op: NumOp, ty: &Ty, exact: ExprId) -> Computed {
        let fits = self.in_range(ty, exact);
        let value = match op {
            _ if !self.mode.wraps() => exact,
            NumOp::Mul | NumOp::Shl | NumOp::Pow => self.wrap(ty, exact),
            _ => self.wrap_once(ty, exact),
        };
        Computed { value, exact: Some(fits), plain: Some(exact) }
    }

    /// Wraps a number that is less than one modulus away from its type.
    pub(crate) fn wrap_once(self, ty: &Ty, exact: ExprId) -> ExprId {
        let store = self.store;
        let (low, high) = limits(ty);
        let modulus = store.int(power_of_two(shape(ty).width));
        let above = store.gt(exact, store.int(high));
        let below = store.lt(exact, store.int(low));
        let raised = store.ite(below, store.add(exact, modulus), exact);
        store.ite(above, store.sub(exact, modulus), raised)
    }

    /// Wraps any number.
    pub(crate) fn wrap(self, ty: &Ty, exact: ExprId) -> ExprId {
        let store = self.store;
        let Integer { width: bits, is_signed: signed } = shape(ty);
        let modulus = store.int(power_of_two(bits));
        let rest = store.modulo(exact, modulus);
        let rest = match signed {
            true => store.ite(store.gt(rest, store.int(limits(ty).1)), store.sub(rest, modulus), rest),
            false => rest,
        };
        store.ite(self.in_range(ty, exact), exact, rest)
    }

    /// Solidity rounds towards zero.
    fn quotient(self, ty: &Ty, left: ExprId, right: ExprId) -> ExprId {
        self.rounded(ty, left, |dividend| self.store.int_div(dividend, right))
    }

    fn remainder(self, ty: &Ty, left: ExprId, right: ExprId) -> ExprId {
        self.rounded(ty, left, |dividend| self.store.modulo(dividend, right))
    }

    fn rounded(self, ty: &Ty, dividend: ExprId, operation: impl Fn(ExprId) -> ExprId) -> ExprId {
        if shape(ty).is_signed { toward_zero(self.store, dividend, operation) } else { operation(dividend) }
    }

    fn power(self, ty: &Ty, base: ExprId, exponent: ExprId) -> Option<Computed> {
        let Some(count) = self.constant(&Ty::UINT, exponent) else {
            return (self.mode != Arithmetic::Int).then(|| self.powers(ty, base, exponent))?;
        };
        let count = count.to_u32()?;
        if let Some(number) = self.constant(ty, base) {
            let exact = (count <= 4096).then(|| number.pow(count))?;
            let fits = shape(ty).wrap(&exact) == exact;
            let number = if self.mode == Arithmetic::Int { exact } else { shape(ty).wrap(&exact) };
            let (value, exact) = (self.literal(ty, &number), Some(self.store.boolean(fits)));
            return Some(Computed { value, exact, plain: None });
        }
        let mut power = Computed { value: self.literal(ty, &BigInt::one()), exact: None, plain: None };
        for _ in 0..(count <= 8).then_some(count)? {
            let next = self.binary(NumOp::Mul, ty, power.value, base)?;
            let exact = [power.exact, next.exact].into_iter().flatten();
            power = Computed { value: next.value, exact: Some(self.store.and_all(exact)), plain: None };
        }
        Some(power)
    }

    /// The powers of an even constant, one for each exponent: from some exponent on, all bits are zero. Without wrapping, the value is right only where
    /// it is exact.
    pub(crate) fn powers(self, ty: &Ty, base: ExprId, exponent: ExprId) -> Option<Computed> {
        let store = self.store;
        let base = self.constant(ty, base).filter(|base| base.is_positive() && !base.bit(0))?;
        let (bits, high) = (shape(ty).width, limits(ty).1);
        let width = store.sort(exponent).width();
        let number = |at: u32| width.map_or_else(|| store.int(at), |width| store.bits(width, at));
        // Exponents have at least eight bits.
        let end = if width == Some(8) { bits.min(255) } else { bits };
        let mut value = self.literal(ty, &BigInt::zero());
        for at in 0..=end {
            let power = shape(ty).wrap(&base.pow(at));
            value = store.ite(store.eq(exponent, number(at)), self.literal(ty, &power), value);
        }
        let last = (0..bits).take_while(|at| base.pow(*at) <= high).last()?;
        let exact = match width {
            Some(_) => store.bv_ule(exponent, number(last)),
            None => store.le(exponent, number(last)),
        };
        Some(Computed { value, exact: Some(exact), plain: None })
    }

    fn bit_vectors(self, op: NumOp, ty: &Ty, left: ExprId, right: ExprId) -> Option<Computed> {
        let store = self.store;
        let Integer { width: bits, is_signed: signed } = shape(ty);
        let value = match (op, signed) {
            (NumOp::Add, _) => store.bv_add(left, right),
            (NumOp::Sub, _) => store.bv_sub(left, right),
            (NumOp::Mul, _) => store.bv_mul(left, right),
            (NumOp::Div, true) => store.bv_sdiv(left, right),
            (NumOp::Div, false) => store.bv_udiv(left, right),
            (NumOp::Rem, true) => store.bv_srem(left, right),
            (NumOp::Rem, false) => store.bv_urem(left, right),
            (NumOp::And, _) => store.bv_and(left, right),
            (NumOp::Or, _) => store.bv_or(left, right),
            (NumOp::Xor, _) => store.bv_xor(left, right),
            (NumOp::Shl | NumOp::Shr, _) => return self.shifted(op, signed, bits, left, right),
            (NumOp::Pow, _) => return None,
        };
        let exact = matches!(op, NumOp::Add | NumOp::Sub | NumOp::Mul | NumOp::Div)
            .then(|| self.bits_exact(op, ty, left, right, value));
        Some(Computed { value, exact, plain: None })
    }

    /// The condition that the operation gives the same result in twice as many bits.
    fn bits_exact(self, op: NumOp, ty: &Ty, left: ExprId, right: ExprId, value: ExprId) -> ExprId {
        let store = self.store;
        let Integer { width: bits, is_signed: signed } = shape(ty);
        let wide = if op == NumOp::Mul { 2 * bits } else { bits + 1 };
        let extend =
            |term| if signed { store.sign_extend(term, wide) } else { store.zero_extend(term, wide) };
        let (left, right) = (extend(left), extend(right));
        let exact = match op {
            NumOp::Add => store.bv_add(left, right),
            NumOp::Sub => store.bv_sub(left, right),
            NumOp::Mul => store.bv_mul(left, right),
            _ if signed => store.bv_sdiv(left, right),
            _ => return store.tru(),
        };
        store.eq(exact, extend(value))
    }

    /// A shift by any number of bits: if it is as wide as the type or wider, everything is shifted out.
    fn shifted(self, op: NumOp, signed: bool, bits: u32, left: ExprId, count: ExprId) -> Option<Computed> {
        let store = self.store;
        let width = store.sort(count).width()?;
        let fits = if width > bits { store.bv_ult(count, store.bits(width, bits)) } else { store.tru() };
        let count = match width.cmp(&bits) {
            std::cmp::Ordering::Greater => {
                store.ite(fits, store.extract(count, 0, bits), store.bits(bits, bits))
            }
            std::cmp::Ordering::Less => store.zero_extend(count, bits),
            std::cmp::Ordering::Equal => count,
        };
        let value = match (op, signed) {
            (NumOp::Shl, _) => store.bv_shl(left, count),
            (_, true) => store.bv_ashr(left, count),
            (_, false) => store.bv_lshr(left, count),
        };
        Some(Computed { value, exact: None, plain: None })
    }

    pub(crate) fn negate(self, ty: &Ty, term: ExprId) -> Computed {
        if self.mode == Arithmetic::Bv {
            let (low, _) = limits(ty);
            let exact = self.store.ne(term, self.literal(ty, &low));
            return Computed { value: self.store.bv_neg(term), exact: Some(exact), plain: None };
        }
        self.fitted(NumOp::Sub, ty, self.store.neg(term))
    }

    pub(crate) fn complement(self, ty: &Ty, term: ExprId) -> Option<ExprId> {
        if self.mode == Arithmetic::Bv {
            return Some(self.store.bv_not(term));
        }
        let (low, high) = limits(ty);
        // All bits are inverted: `-1 - x`, or `max - x` without a sign.
        let all = if low.is_negative() { BigInt::from(-1) } else { high };
        Some(self.store.sub(self.store.int(all), term))
    }

    /// A number converted to another type, as by an explicit conversion.
    pub(crate) fn convert(self, from: &Ty, to: &Ty, term: ExprId) -> ExprId {
        let store = self.store;
        let Integer { width: old, is_signed: signed } = shape(from);
        let new = shape(to).width;
        match (store.sort(term), self.sort(to)) {
            (Sort::BitVec(_), Sort::BitVec(_)) if new < old => store.extract(term, 0, new),
            (Sort::BitVec(_), Sort::BitVec(_)) if new > old && signed => store.sign_extend(term, new),
            (Sort::BitVec(_), Sort::BitVec(_)) if new > old => store.zero_extend(term, new),
            (Sort::BitVec(_), Sort::Int) => self.to_integer(from, term),
            (Sort::Int, Sort::BitVec(_)) => store.int_to_bv(term, new),
            (Sort::Int, Sort::Int) if self.mode.wraps() && to.is_integer() && !includes(to, from) => {
                self.wrap(to, term)
            }
            _ => term,
        }
    }

    /// A number as a mathematical integer.
    pub(crate) fn to_integer(self, ty: &Ty, term: ExprId) -> ExprId {
        let store = self.store;
        match store.sort(term) {
            Sort::BitVec(_) => {
                let number = store.bv_to_int(term);
                let Integer { width: bits, is_signed: signed } = shape(ty);
                let over = store.gt(number, store.int(limits(ty).1));
                if signed {
                    store.ite(over, store.sub(number, store.int(power_of_two(bits))), number)
                } else {
                    number
                }
            }
            _ => term,
        }
    }
}

/// Whether all numbers of one type are numbers of the other.
pub(crate) fn includes(larger: &Ty, smaller: &Ty) -> bool {
    shape(larger).contains(shape(smaller))
}
