//! Division by zero.
//!
//! In this language a division by zero is no error; it has *some* value. Terms, however, are total: `x div 0 = 0`,
//! `x mod 0 = x`, `x / 0 = 0` (see [`Op`]). To take these values for granted would hide runs. So a division whose
//! divisor may be zero becomes
//!
//! ```text
//! a / b   ~>   havoc d; … if b = 0 then d else a / b …
//! ```
//!
//! with an auxiliary variable `d` called `div0!1`, `div0!2`, …, names that nobody can write. Every occurrence has its
//! own. In SMT-LIB, hence in Theta, division by zero is an unknown *function*: `x / 0 = x / 0` always holds there and
//! need not here. We have more runs, never fewer: `Safe` stays sound, and a run that needs two different values of
//! one such division is the only thing that can make a difference.
//!
//! The conversion of a float to a bit-vector that it does not fit into is treated in the same way (see `check_float`),
//! with variables called `fptobv!3`.
//!
//! A division that the model itself guards, `if b = 0 then e else a / b`, needs no such variable, and
//! `if b = 0 then 0 else a / b` is just the total division of terms. The printer relies on both.

use thetis_base::Span;
use thetis_expr::{ExprId, Op, Rational, Sort, Store, Value};

use num_traits::Zero;

use super::check_expr::Lowering;

impl Lowering<'_, '_, '_> {
    /// The division `op` (`IntDiv`, `Mod` or `RealDiv`) with an arbitrary value where the divisor is zero.
    pub(crate) fn divide(&mut self, op: Op, dividend: ExprId, divisor: ExprId, span: Span) -> ExprId {
        let store = self.store;
        let quotient = store.app(op, None, &[dividend, divisor]).expect("checked operands should divide");
        let zero = zero(store, store.sort(divisor));
        if store.is_literal(divisor) && divisor != zero {
            return quotient;
        }
        let arbitrary = self.arbitrary("div0", store.sort(quotient), span);
        store.ite(store.eq(divisor, zero), arbitrary, quotient)
    }

    /// A variable that gets an arbitrary value just before the statement.
    pub(crate) fn arbitrary(&mut self, prefix: &str, sort: Sort, span: Span) -> ExprId {
        *self.num_divisions += 1;
        let arbitrary = self.store.declare(&format!("{prefix}!{}", self.num_divisions), sort);
        self.divisions.push((arbitrary, span));
        self.store.var_expr(arbitrary)
    }

    /// `rem`: `mod` with the sign of the divisor.
    pub(crate) fn remainder(&mut self, dividend: ExprId, divisor: ExprId, span: Span) -> ExprId {
        let modulo = self.divide(Op::Mod, dividend, divisor, span);
        let is_negative = self.store.lt(divisor, self.store.int(0));
        self.store.ite(is_negative, self.store.neg(modulo), modulo)
    }

    /// `if condition then … else …`, without an arbitrary value that the condition makes needless.
    pub(crate) fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let store = self.store;
        if store.op(condition) == Op::Not {
            return self.conditional(store.arg(condition, 0), otherwise, then);
        }
        let mut parts = [then, otherwise];
        for (position, other) in [(0, 1), (1, 0)] {
            if let Some(plain) = self.needless_guard(condition, parts[position], position) {
                parts[position] = plain;
                if total_value(store, plain) == Some(parts[other]) {
                    return plain;
                }
            }
        }
        store.ite(condition, parts[0], parts[1])
    }

    /// The plain operation in `guarded`, if that stands at the same position of an `if` with the same condition, and
    /// an arbitrary variable at the other one; that variable is forgotten.
    fn needless_guard(&mut self, condition: ExprId, guarded: ExprId, position: usize) -> Option<ExprId> {
        let store = self.store;
        if store.op(guarded) != Op::Ite || store.arg(guarded, 0) != condition {
            return None;
        }
        let arbitrary = store.as_var(store.arg(guarded, 2 - position))?;
        let place = self.divisions.iter().rposition(|(var, _)| *var == arbitrary)?;
        self.divisions.remove(place);
        Some(store.arg(guarded, 1 + position))
    }
}

/// The value that terms give to an operation where the language gives it none: a division where its divisor is zero,
/// a conversion of a float that does not fit.
pub(crate) fn total_value(store: &Store, operation: ExprId) -> Option<ExprId> {
    match store.op(operation) {
        Op::IntDiv | Op::RealDiv => Some(zero(store, store.sort(operation))),
        Op::Mod => Some(store.arg(operation, 0)),
        Op::FpToSigned(_) | Op::FpToUnsigned(_) => Some(store.bits(store.sort(operation).width()?, 0u32)),
        _ => None,
    }
}

/// The zero of integers or rationals.
pub(crate) fn zero(store: &Store, sort: Sort) -> ExprId {
    match sort {
        Sort::Int => store.int(0),
        _ => store.literal(Value::Real(Rational::zero())),
    }
}
