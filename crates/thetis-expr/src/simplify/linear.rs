//! Linear sums: shared by the rules for sums, equations and inequalities.

use num_traits::{One, Signed, Zero};

use crate::store::Args;
use crate::{ExprId, Op, Rational, Sort, Store, Value};

/// Largest number of summands that the rules consider.
const MAX_SUMMANDS: usize = 16;

/// A sum of terms with coefficients, and a constant.
pub(super) struct Linear {
    sort: Sort,
    terms: Vec<(ExprId, Rational)>,
    constant: Rational,
    /// How many summands the sum was written with.
    num_summands: usize,
    /// Whether the sum was written with a negation.
    has_negation: bool,
}

impl Linear {
    /// The sum that `expr` is. None if it has too many summands.
    pub(super) fn of(store: &Store, expr: ExprId) -> Option<Linear> {
        let mut sum = Linear {
            sort: store.sort(expr),
            terms: Vec::new(),
            constant: Rational::zero(),
            num_summands: 0,
            has_negation: false,
        };
        sum.add(store, expr, Rational::one())?;
        Some(sum)
    }

    /// The sum that `left - right` is. None if it has too many summands, or each side is a single one.
    pub(super) fn of_difference(store: &Store, left: ExprId, right: ExprId) -> Option<Linear> {
        let is_compound = |side| matches!(store.op(side), Op::Add | Op::Sub | Op::Neg);
        if !is_compound(left) && !is_compound(right) {
            return None;
        }
        let mut sum = Linear::of(store, left)?;
        sum.add(store, right, -Rational::one())?;
        Some(sum)
    }

    fn add(&mut self, store: &Store, expr: ExprId, factor: Rational) -> Option<()> {
        let mut pending = vec![(expr, factor)];
        while let Some((expr, factor)) = pending.pop() {
            match store.op(expr) {
                Op::Add => pending.extend(store.args(expr).iter().rev().map(|arg| (*arg, factor.clone()))),
                Op::Sub => {
                    pending.push((store.arg(expr, 1), -factor.clone()));
                    pending.push((store.arg(expr, 0), factor));
                }
                Op::Neg => {
                    self.has_negation = true;
                    pending.push((store.arg(expr, 0), -factor));
                }
                _ => self.add_summand(store, expr, factor),
            }
            if self.num_summands + pending.len() > MAX_SUMMANDS {
                return None;
            }
        }
        Some(())
    }

    fn add_summand(&mut self, store: &Store, expr: ExprId, factor: Rational) {
        self.num_summands += 1;
        if let Some(number) = number(store, expr) {
            self.constant += factor * number;
            return;
        }
        let (base, coefficient) = split_product(store, expr).unwrap_or((expr, Rational::one()));
        let coefficient = coefficient * factor;
        match self.terms.iter_mut().find(|(known, _)| *known == base) {
            Some((_, known)) => *known += coefficient,
            None => self.terms.push((base, coefficient)),
        }
    }

    /// Whether the sum can be written with fewer summands or negations than it was.
    pub(super) fn is_improved(&self) -> bool {
        let terms = self.terms.iter().filter(|(_, coefficient)| !coefficient.is_zero()).count();
        self.has_negation || terms + usize::from(!self.constant.is_zero()) < self.num_summands
    }

    /// The sum as one term.
    pub(super) fn term(&self, store: &Store) -> ExprId {
        let constant = literal(store, self.sort, self.constant.clone());
        match (self.part(store, true), self.part(store, false)) {
            (None, None) => constant,
            (Some(plus), None) => store.add(plus, constant),
            (None, Some(minus)) => store.sub(constant, minus),
            (Some(plus), Some(minus)) => store.add(store.sub(plus, minus), constant),
        }
    }

    /// Two terms with positive coefficients only, the first minus the second being the sum. The constant is in the
    /// second one, unless the first would be nothing without it.
    pub(super) fn sides(&self, store: &Store) -> (ExprId, ExprId) {
        let constant = |number| literal(store, self.sort, number);
        let zero = constant(Rational::zero());
        match (self.part(store, true), self.part(store, false)) {
            (None, minus) => (constant(self.constant.clone()), minus.unwrap_or(zero)),
            (Some(plus), minus) => (plus, store.add(minus.unwrap_or(zero), constant(-self.constant.clone()))),
        }
    }

    /// The sum of the terms with positive, or of those with negative coefficients, as a positive one.
    fn part(&self, store: &Store, positive: bool) -> Option<ExprId> {
        let chosen = |coefficient: &Rational| !coefficient.is_zero() && coefficient.is_positive() == positive;
        let product = |(base, coefficient): &(ExprId, Rational)| scaled(store, *base, coefficient.abs());
        let parts: Args =
            self.terms.iter().filter(|(_, coefficient)| chosen(coefficient)).map(product).collect();
        match parts[..] {
            [] => None,
            [only] => Some(only),
            _ => store.app(Op::Add, None, &parts).ok(),
        }
    }
}

/// The number that a literal of sort `Int` or `Real` is.
pub(super) fn number(store: &Store, expr: ExprId) -> Option<Rational> {
    match store.value(expr) {
        Some(Value::Int(number)) => Some(Rational::from_integer(number)),
        Some(Value::Real(number)) => Some(number),
        _ => None,
    }
}

/// The literal of a number; an integer one if the sort is `Int`.
pub(super) fn literal(store: &Store, sort: Sort, number: Rational) -> ExprId {
    match sort {
        Sort::Int => store.int(number.to_integer()),
        _ => store.real(number),
    }
}

/// `(x * y, 3)` for `x * y * 3`.
pub(super) fn split_product(store: &Store, expr: ExprId) -> Option<(ExprId, Rational)> {
    if store.op(expr) != Op::Mul {
        return None;
    }
    let mut factors = store.args(expr);
    let coefficient = number(store, factors.pop()?)?;
    let base = match factors[..] {
        [only] => only,
        _ => store.app(Op::Mul, None, &factors).ok()?,
    };
    Some((base, coefficient))
}

/// `base` times a number, without nesting products.
pub(super) fn scaled(store: &Store, base: ExprId, coefficient: Rational) -> ExprId {
    let number = literal(store, store.sort(base), coefficient);
    let mut factors = if store.op(base) == Op::Mul { store.args(base) } else { Args::from_slice(&[base]) };
    factors.push(number);
    store.app(Op::Mul, None, &factors).expect("a number times a number should be well-sorted")
}
