//! What follows from two literals of a cube together.
//!
//! Backward search through `x := x + 1` with the guard `x < n` yields `x ≥ 9 ∧ x < n`, `x ≥ 8 ∧ x + 1 < n`, and so on.
//! The first bound excludes each of them for a while, so cores prefer it, but their sum `n > 9` never changes. A
//! combination of two linear comparisons without one of their variables (Fourier and Motzkin's step) follows from the
//! cube, so excluding it excludes the cube.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use thetis_expr::{ExprId, Store};

use super::comparison::{Comparison, Relation, comparison, literal};
use super::cube::Cube;
use super::form::Form;

/// How many combinations are computed for one cube.
const MAX_COMBINATIONS: usize = 8;

/// Literals that follow from two literals of `cube`, each without a variable that both have.
pub(super) fn combinations(store: &Store, cube: &Cube) -> Vec<ExprId> {
    let comparisons: Vec<(Comparison, BigInt)> =
        cube.literals().iter().filter_map(|literal| comparison(store, *literal)).collect();
    let mut found = Vec::new();
    for (number, one) in comparisons.iter().enumerate() {
        for other in &comparisons[number + 1..] {
            let shared = one.0.0.keys().filter(|part| other.0.0.contains_key(part));
            for part in shared.copied() {
                let combined = combine(one, other, part).or_else(|| combine(other, one, part));
                let Some((comparison, constant)) = combined else { continue };
                if comparison.0.is_empty() {
                    continue;
                }
                let literal = literal(store, comparison, constant);
                if !cube.literals().contains(&literal) && !found.contains(&literal) {
                    found.push(literal);
                }
            }
        }
    }
    found.truncate(MAX_COMBINATIONS);
    found
}

/// `one` times a positive number plus `other` times another number, without `part`; `None` if that does not follow.
fn combine(
    one: &(Comparison, BigInt),
    other: &(Comparison, BigInt),
    part: ExprId,
) -> Option<(Comparison, BigInt)> {
    let ((one_form, one_relation), one_constant) = one;
    let ((other_form, other_relation), other_constant) = other;
    let (here, there) = (&one_form[&part], &other_form[&part]);
    let factor = there.abs();
    let other_factor = -(here * there.signum());
    let is_sound = match (one_relation, other_relation) {
        (_, Relation::Equal) => true,
        (Relation::AtMost, Relation::AtMost) => other_factor.is_positive(),
        _ => false,
    };
    if !is_sound {
        return None;
    }
    let mut form = Form { coefficients: one_form.clone(), constant: -one_constant };
    form.scale(&factor);
    form.add(&Form { coefficients: other_form.clone(), constant: -other_constant }, &other_factor);
    let constant = -std::mem::replace(&mut form.constant, BigInt::zero());
    Some(((form.coefficients, *one_relation), constant))
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_expr::simplify::simplify;

    use super::*;

    #[test]
    fn sums_and_substitutions_follow() {
        let store = Store::new();
        let [x, y, n] = ["x", "y", "n"].map(|name| store.var(name, Sort::Int));
        let number = |number: i32| store.int(number);
        let check = |literals: &[ExprId], expected: ExprId| {
            let cube = Cube::new(literals.iter().map(|literal| simplify(&store, *literal)));
            let found = combinations(&store, &cube);
            assert!(found.contains(&simplify(&store, expected)), "{found:?}");
        };
        check(&[store.le(number(9), x), store.lt(x, n)], store.le(number(10), n));
        check(&[store.le(store.add(x, y), number(0)), store.le(number(1), x)], store.le(y, number(-1)));
        check(&[store.eq(x, number(3)), store.ne(x, y)], store.ne(y, number(3)));
        let apart =
            Cube::new([store.le(x, number(3)), store.le(x, n)].map(|literal| simplify(&store, literal)));
        assert_eq!(combinations(&store, &apart), []);
    }
}
