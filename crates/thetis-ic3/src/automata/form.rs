//! Linear forms whose parts are variables, quotients and remainders.
//!
//! A quotient such as `n / 2` is not linear in `n`, but when cubes diverge, mostly the sums around it change. So it is
//! treated like a variable here.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use thetis_expr::{ExprId, Sort, Store, VarId, Version};
use thetis_interpolate::Linear;

/// `Σ coefficient · part + constant` over integers; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) coefficients: BTreeMap<ExprId, BigInt>,
    pub(super) constant: BigInt,
}

impl Form {
    /// The form of an integer term, if it has one.
    pub(super) fn of(store: &Store, term: ExprId) -> Option<Form> {
        let mut quotients: BTreeMap<VarId, ExprId> = BTreeMap::new();
        let linear = Linear::of(store, term, |quotient, _, _| {
            let step = Version::Step(quotient.index() as u32);
            let var = store.at_version(store.declare("quotient!", Sort::Int), step);
            quotients.insert(var, quotient);
            Some(Linear::var(var))
        })?;
        let part = |var: VarId| quotients.get(&var).copied().unwrap_or_else(|| store.var_expr(var));
        let coefficients = linear.coefficients.into_iter();
        let coefficients = coefficients.map(|(var, coefficient)| (part(var), coefficient)).collect();
        Some(Form { coefficients, constant: linear.constant })
    }

    /// Adds `factor · other`.
    pub(super) fn add(&mut self, other: &Form, factor: &BigInt) {
        for (part, coefficient) in &other.coefficients {
            *self.coefficients.entry(*part).or_default() += coefficient * factor;
        }
        self.coefficients.retain(|_, coefficient| !coefficient.is_zero());
        self.constant += &other.constant * factor;
    }

    /// Multiplies by `factor`, which must not be zero.
    pub(super) fn scale(&mut self, factor: &BigInt) {
        self.coefficients.values_mut().for_each(|coefficient| *coefficient *= factor);
        self.constant *= factor;
    }

    /// Divides by the greatest common divisor of the constant and all coefficients.
    pub(super) fn reduce(&mut self) {
        let divisors = self.coefficients.values();
        let divisor = divisors.fold(self.constant.clone(), |divisor, coefficient| divisor.gcd(coefficient));
        if divisor > BigInt::one() {
            self.coefficients.values_mut().for_each(|coefficient| *coefficient /= &divisor);
            self.constant /= &divisor;
        }
    }

    /// The sum without its constant as a term.
    pub(super) fn sum(&self, store: &Store) -> ExprId {
        let products = self
            .coefficients
            .iter()
            .map(|(part, coefficient)| store.mul(store.int(coefficient.clone()), *part));
        products.reduce(|sum, term| store.add(sum, term)).unwrap_or_else(|| store.int(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_parts() {
        let store = Store::new();
        let [x, n] = ["x", "n"].map(|name| store.var(name, Sort::Int));
        let half = store.int_div(n, store.int(2));
        let term =
            store.sub(store.mul(store.int(4), x), store.add(store.mul(store.int(2), half), store.int(6)));
        let mut form = Form::of(&store, term).unwrap();
        assert_eq!(form.constant, BigInt::from(-6));
        form.reduce();
        let expected = [(x, BigInt::from(2)), (half, BigInt::from(-1))];
        assert_eq!(form.coefficients, BTreeMap::from(expected));
        assert_eq!(Form::of(&store, form.sum(&store)).unwrap().coefficients, form.coefficients);
        assert_eq!(Form::of(&store, store.mul(x, half)), None);
    }
}
