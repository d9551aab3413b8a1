//! The lengths of arrays of fixed size, which are constant expressions.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use solang_parser::pt;
use thetis_base::Span;

use crate::decls::Decls;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{ContractId, MAX_DEPTH};

/// Numbers with more bits are not calculated.
const MAX_BITS: u64 = 4096;

impl Decls<'_> {
    /// The length that an expression of literals and constants stands for.
    pub(crate) fn constant_length(
        &self,
        contract: Option<ContractId>,
        expr: &pt::Expression,
        place: Span,
    ) -> Res<u64> {
        match self.constant_number(contract, expr, 0) {
            Some(length) if length.is_negative() || length.is_zero() => {
                invalid(place, "the length of an array should be positive")
            }
            Some(length) => match length.to_u64() {
                Some(length) => Ok(length),
                None => unsupported(place, "an array of this length is not supported"),
            },
            None => unsupported(place, "this length of an array is not supported"),
        }
    }

    /// The whole number that an expression stands for, if it is easily found. Constants may refer to others.
    fn constant_number(
        &self,
        contract: Option<ContractId>,
        expr: &pt::Expression,
        depth: usize,
    ) -> Option<BigInt> {
        use pt::Expression as E;
        if depth > MAX_DEPTH {
            return None;
        }
        let number = |inner: &pt::Expression| self.constant_number(contract, inner, depth + 1);
        let result = match expr {
            E::NumberLiteral(_, digits, exponent, None) => literal(digits, exponent)?,
            E::HexNumberLiteral(_, digits, None) => {
                let digits = digits.trim_start_matches("0x").replace('_', "");
                BigInt::parse_bytes(digits.as_bytes(), 16)?
            }
            E::Parenthesis(_, inner) => number(inner)?,
            E::Variable(name) => {
                let slot = &self.slots[self.find_slot(contract, &name.name)?];
                number(slot.initializer.filter(|_| slot.is_constant)?)?
            }
            E::Add(_, left, right) => number(left)? + number(right)?,
            E::Subtract(_, left, right) => number(left)? - number(right)?,
            E::Multiply(_, left, right) => number(left)? * number(right)?,
            E::Divide(_, left, right) => exact_quotient(&number(left)?, &number(right)?)?,
            E::Power(_, base, exponent) => power(&number(base)?, &number(exponent)?)?,
            _ => return None,
        };
        (result.bits() <= MAX_BITS).then_some(result)
    }
}

fn literal(digits: &str, exponent: &str) -> Option<BigInt> {
    let exponent = if exponent.is_empty() { BigInt::zero() } else { exponent.parse().ok()? };
    let digits = digits.replace('_', "");
    let number: BigInt = (digits.len() as u64 <= MAX_BITS).then(|| digits.parse().ok())??;
    Some(number * power(&BigInt::from(10), &exponent)?)
}

fn power(base: &BigInt, exponent: &BigInt) -> Option<BigInt> {
    let exponent = exponent.to_u32()?;
    (base.bits().saturating_mul(u64::from(exponent)) <= MAX_BITS).then(|| base.pow(exponent))
}

/// A quotient that is the same for whole numbers and for fractions.
fn exact_quotient(left: &BigInt, right: &BigInt) -> Option<BigInt> {
    (!right.is_zero() && (left % right).is_zero()).then(|| left / right)
}
