//! Literals as comparisons of linear forms over integers with constants.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use thetis_expr::simplify::simplify;
use thetis_expr::{ExprId, Op, Sort, Store};

use super::form::Form;

/// How a linear form is compared with a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    Equal,
    AtMost,
    Unequal,
}

/// `Σ coefficient · part` in relation to a constant.
pub(super) type Comparison = (BTreeMap<ExprId, BigInt>, Relation);

/// A literal as a comparison of a linear form over integers with a constant.
pub(super) fn comparison(store: &Store, literal: ExprId) -> Option<(Comparison, BigInt)> {
    let (atom, is_negated) = match store.op(literal) {
        Op::Not => (store.arg(literal, 0), true),
        _ => (literal, false),
    };
    let relation = match (store.op(atom), is_negated) {
        (Op::Eq, false) => Relation::Equal,
        (Op::Eq, true) => Relation::Unequal,
        (Op::Le | Op::Lt, false) => Relation::AtMost,
        _ => return None,
    };
    let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
    if store.sort(left) != Sort::Int {
        return None;
    }
    let mut form = Form::of(store, left)?;
    form.add(&Form::of(store, right)?, &-BigInt::one());
    if store.op(atom) == Op::Lt {
        form.constant += 1;
    }
    let is_negative = form.coefficients.values().next().is_some_and(Signed::is_negative);
    if relation != Relation::AtMost && is_negative {
        form.scale(&-BigInt::one());
    }
    let constant = -std::mem::take(&mut form.constant);
    Some(((form.coefficients, relation), constant))
}

/// Whether a conjunction only fixes the values of integers.
pub(super) fn fixes_values(store: &Store, literals: &[ExprId]) -> bool {
    let fixes = |literal: &ExprId| match comparison(store, *literal) {
        Some(((form, Relation::Equal), _)) => form.len() == 1,
        _ => false,
    };
    !literals.is_empty() && literals.iter().all(fixes)
}

/// The literal that compares a linear form with `constant`.
pub(super) fn literal(store: &Store, (coefficients, relation): Comparison, constant: BigInt) -> ExprId {
    let form = Form { coefficients, constant: BigInt::zero() }.sum(store);
    let constant = store.int(constant);
    simplify(
        store,
        match relation {
            Relation::Equal => store.eq(form, constant),
            Relation::AtMost => store.le(form, constant),
            Relation::Unequal => store.ne(form, constant),
        },
    )
}

/// The same conjunction with the tightest of the bounds on each linear form, and with an equation where two bounds meet.
pub(super) fn tidied(store: &Store, literals: &[ExprId]) -> Vec<ExprId> {
    let mut bounds: BTreeMap<BTreeMap<ExprId, BigInt>, (BigInt, ExprId)> = BTreeMap::new();
    let mut others = Vec::new();
    for literal in literals {
        match comparison(store, *literal) {
            Some(((form, Relation::AtMost), constant)) => {
                let bound = bounds.entry(form).or_insert_with(|| (constant.clone(), *literal));
                if constant < bound.0 {
                    *bound = (constant, *literal);
                }
            }
            _ => others.push(*literal),
        }
    }
    for (form, (constant, bound)) in &bounds {
        let opposite = form.iter().map(|(part, coefficient)| (*part, -coefficient)).collect();
        match bounds.get(&opposite) {
            Some((other, _)) if *other == -constant => {
                if *form < opposite {
                    others.push(literal(store, (form.clone(), Relation::Equal), constant.clone()));
                }
            }
            _ => others.push(*bound),
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_meet_are_equations() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let number = |number: i32| store.int(number);
        let tidied = |literals: &[ExprId]| {
            let mut all = super::tidied(&store, literals);
            all.sort();
            all
        };
        let meeting = [store.le(x, number(3)), store.le(number(3), x)];
        assert_eq!(tidied(&meeting), [store.eq(x, number(3))]);
        let apart = [store.le(x, number(3)), store.le(number(2), x)];
        assert_eq!(tidied(&apart).len(), 2);
        let twice = [store.le(x, number(3)), store.le(x, number(5)), store.ne(x, y)];
        let mut expected = vec![store.le(x, number(3)), store.ne(x, y)];
        expected.sort();
        assert_eq!(tidied(&twice), expected);
    }
}
