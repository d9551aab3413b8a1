//! Linear forms over the integers.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value, VarId};

/// `Σ coefficient · variable + constant`. No coefficient is zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Linear {
    /// The factor of each variable.
    pub coefficients: BTreeMap<VarId, BigInt>,
    /// What is added to the sum.
    pub constant: BigInt,
}

impl Linear {
    /// One variable.
    pub fn var(var: VarId) -> Linear {
        Linear { coefficients: BTreeMap::from([(var, BigInt::one())]), constant: BigInt::zero() }
    }

    /// A number.
    pub fn number(constant: BigInt) -> Linear {
        Linear { coefficients: BTreeMap::new(), constant }
    }

    /// The form of an integer term; `None` if it has none. `division` gives the form of a division or remainder by a
    /// number, from that term, the form that is divided and the number.
    pub fn of(
        store: &Store,
        term: ExprId,
        mut division: impl FnMut(ExprId, &Linear, &BigInt) -> Option<Linear>,
    ) -> Option<Linear> {
        let mut forms: FxHashMap<ExprId, Option<Linear>> = FxHashMap::default();
        for part in Postorder::new(store, [term]) {
            let args = store.args(part);
            let of_args: Option<Vec<&Linear>> = args.iter().map(|arg| forms.get(arg)?.as_ref()).collect();
            let form = match (store.value(part), of_args) {
                _ if store.sort(part) != Sort::Int => None,
                (Some(Value::Int(number)), _) => Some(Linear::number(number)),
                (_, Some(of_args)) => combine(store.op(part), part, &of_args, &mut division),
                _ => None,
            };
            forms.insert(part, form);
        }
        forms.remove(&term).flatten()
    }

    /// Adds `factor · other`.
    pub fn add(&mut self, other: &Linear, factor: &BigInt) {
        for (var, coefficient) in &other.coefficients {
            *self.coefficients.entry(*var).or_default() += coefficient * factor;
        }
        self.coefficients.retain(|_, coefficient| !coefficient.is_zero());
        self.constant += &other.constant * factor;
    }

    /// Multiplies by `factor`.
    pub fn scale(&mut self, factor: &BigInt) {
        self.coefficients.values_mut().for_each(|coefficient| *coefficient *= factor);
        self.coefficients.retain(|_, coefficient| !coefficient.is_zero());
        self.constant *= factor;
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn divisor(&self) -> BigInt {
        self.coefficients.values().fold(BigInt::zero(), |divisor, coefficient| divisor.gcd(coefficient))
    }

    /// `self ≤ 0` with the coefficients divided by their divisor and the constant rounded: the same for integers.
    pub fn tightened(mut self) -> Linear {
        let divisor = self.divisor();
        if divisor > BigInt::one() {
            self.coefficients.values_mut().for_each(|coefficient| *coefficient /= &divisor);
            self.constant = Integer::div_ceil(&self.constant, &divisor);
        }
        self
    }

    /// The form as a term.
    pub fn term(&self, store: &Store) -> ExprId {
        let products = self
            .coefficients
            .iter()
            .map(|(var, coefficient)| store.mul(store.int(coefficient.clone()), store.var_expr(*var)));
        let constant = (!self.constant.is_zero()).then(|| store.int(self.constant.clone()));
        let sum = products.chain(constant).reduce(|sum, term| store.add(sum, term));
        sum.unwrap_or_else(|| store.int(0))
    }

    /// The formula `self ≤ 0`, with positive coefficients on both sides.
    pub fn at_most_zero(&self, store: &Store) -> ExprId {
        let side = |sign: i32| {
            let mut terms = Vec::new();
            for (var, coefficient) in &self.coefficients {
                let coefficient = coefficient * sign;
                if coefficient.is_positive() {
                    terms.push(store.mul(store.int(coefficient), store.var_expr(*var)));
                }
            }
            let constant = &self.constant * sign;
            if constant.is_positive() {
                terms.push(store.int(constant));
            }
            terms.into_iter().reduce(|sum, term| store.add(sum, term)).unwrap_or_else(|| store.int(0))
        };
        store.le(side(1), side(-1))
    }
}

/// The form of an operator on forms.
fn combine(
    op: Op,
    term: ExprId,
    args: &[&Linear],
    division: &mut impl FnMut(ExprId, &Linear, &BigInt) -> Option<Linear>,
) -> Option<Linear> {
    if let Op::Var(var) = op {
        return Some(Linear::var(var));
    }
    let (first, rest) = args.split_first()?;
    let mut result = Linear::clone(first);
    match op {
        Op::Add => rest.iter().for_each(|form| result.add(form, &BigInt::one())),
        Op::Sub => rest.iter().for_each(|form| result.add(form, &-BigInt::one())),
        Op::Neg => result.scale(&-BigInt::one()),
        Op::Mul => {
            for form in rest {
                if form.coefficients.is_empty() {
                    result.scale(&form.constant);
                } else if result.coefficients.is_empty() {
                    let factor = std::mem::replace(&mut result, Linear::clone(form)).constant;
                    result.scale(&factor);
                } else {
                    return None;
                }
            }
        }
        Op::IntDiv | Op::Mod => {
            let divisor = rest.first().filter(|form| form.coefficients.is_empty())?;
            return division(term, first, &divisor.constant);
        }
        _ => return None,
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_become_forms_and_formulas_again() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let twice = store.mul(store.int(2), store.sub(x, store.add(y, store.int(3))));
        let form = Linear::of(&store, twice, |_, _, _| None).unwrap();
        assert_eq!(form.divisor(), BigInt::from(2));
        let mut form = form;
        form.constant += 1;
        // 2x - 2y - 5 <= 0 is x - y - 2 <= 0 for integers.
        assert_eq!(form.tightened().at_most_zero(&store), store.le(x, store.add(y, store.int(2))));
        assert_eq!(Linear::of(&store, store.mul(x, y), |_, _, _| None), None);
    }
}
