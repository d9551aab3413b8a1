//! Bounds whose coefficients move.
//!
//! Where a variable is added to another one, as in `x := x + y`, backward search produces `x ≤ 0`, `x + y ≤ 0`, `x + 2·y ≤ 0`, and so on. These are no
//! family, because not only their constants differ. But if the difference of two neighbours, here `y`, is never negative, each bound follows from the next
//! one, so that the cube with the first bound covers all others. So `y < 0` is tried as a cube of its own. It does not contain the
//! obligation that it comes from, and like a counterexample to generalisation it is excluded in addition.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::One;
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::LocId;

use super::comparison::{Comparison, Relation, comparison, literal};
use super::cube::Cube;
use super::form::Form;
use super::questions::End;
use super::search::LocalFrameSearch;

/// How many of the last bounds of a location are compared with new ones.
const MAX_COMPARED: usize = 8;

/// How often the same difference is tried, each time at a higher level than before.
const MAX_ATTEMPTS: u32 = 3;

/// How many differences are tried at a location. A loop that multiplies makes ever new ones, of which none helps.
const MAX_DIFFERENCES: usize = 32;

/// The last bounds of each location, and the differences that were tried there.
#[derive(Default)]
pub(super) struct Drifts {
    /// Forms that are at most zero.
    bounds: BTreeMap<LocId, Vec<Form>>,
    /// How often a literal was tried, and at which level the last time.
    tried: BTreeMap<LocId, BTreeMap<ExprId, (u32, usize)>>,
}

impl Drifts {
    /// Adds the bounds of `cube`; says that the differences to earlier ones are negative, as literals.
    fn enter(&mut self, store: &Store, location: LocId, cube: &Cube) -> Vec<ExprId> {
        let known = self.bounds.entry(location).or_default();
        let mut literals = Vec::new();
        for bound in cube.literals().iter().filter_map(|literal| bound(store, *literal)) {
            if known.contains(&bound) {
                continue;
            }
            literals
                .extend(known.iter().rev().flat_map(|earlier| negative_differences(store, &bound, earlier)));
            known.push(bound);
            if known.len() > MAX_COMPARED {
                known.remove(0);
            }
        }
        literals
    }

    /// Whether `literal` is to be tried at `level`.
    fn admits(&mut self, location: LocId, literal: ExprId, level: usize) -> bool {
        let tried = self.tried.entry(location).or_default();
        if tried.len() == MAX_DIFFERENCES && !tried.contains_key(&literal) {
            return false;
        }
        let (attempts, last) = tried.entry(literal).or_default();
        if *attempts == MAX_ATTEMPTS || *last >= level {
            return false;
        }
        (*attempts, *last) = (*attempts + 1, level);
        true
    }
}

impl LocalFrameSearch<'_> {
    /// Excludes what keeps the bounds of `whole` and those of earlier obligations apart, as far as it cannot be reached.
    pub(super) fn exclude_drifts(&mut self, level: usize, location: LocId, whole: &Cube) -> Result<(), End> {
        for literal in self.drifts.enter(&self.task.store, location, whole) {
            if !self.drifts.admits(location, literal, level) {
                continue;
            }
            let cube = Cube::new([literal]);
            if let Some(cube) = self.try_larger(level, location, cube, self.config.ctg_depth)? {
                self.questions.stats.drifts += 1;
                self.exclude(level, location, cube)?;
            }
        }
        Ok(())
    }
}

/// What is at most zero according to a literal.
fn bound(store: &Store, literal: ExprId) -> Option<Form> {
    match comparison(store, literal)? {
        ((coefficients, Relation::AtMost), constant) => Some(Form { coefficients, constant: -constant }),
        _ => None,
    }
}

/// That `bound - earlier` is negative, with its constant and without, if the two have something in common that the difference does not have.
fn negative_differences(store: &Store, bound: &Form, earlier: &Form) -> Vec<ExprId> {
    let mut difference = bound.clone();
    difference.add(earlier, &-BigInt::one());
    let num_parts = difference.coefficients.len();
    let is_drift = num_parts > 0
        && num_parts < bound.coefficients.len().max(earlier.coefficients.len())
        && bound.coefficients.keys().any(|part| earlier.coefficients.contains_key(part));
    if !is_drift {
        return Vec::new();
    }
    let form: Comparison = (difference.coefficients, Relation::AtMost);
    let constants = [-BigInt::one() - difference.constant, -BigInt::one()];
    let mut literals: Vec<ExprId> =
        constants.into_iter().map(|constant| literal(store, form.clone(), constant)).collect();
    literals.dedup();
    literals
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_expr::simplify::simplify;

    use super::*;

    #[test]
    fn differences_of_bounds_with_other_coefficients_are_found() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let cube =
            |term: ExprId, greatest: i32| Cube::new([simplify(&store, store.le(term, store.int(greatest)))]);
        let at_most = |term: ExprId, greatest: i32| simplify(&store, store.le(term, store.int(greatest)));
        let location = LocId::new(0);
        let mut drifts = Drifts::default();
        assert_eq!(drifts.enter(&store, location, &cube(x, 0)), []);
        assert_eq!(
            drifts.enter(&store, location, &cube(store.add(x, y), 3)),
            [at_most(y, 2), at_most(y, -1)]
        );
        assert_eq!(drifts.enter(&store, location, &cube(store.add(x, y), 3)), []);
        // Another constant is no other coefficient, and other variables have nothing in common.
        let mut drifts = Drifts::default();
        assert_eq!(drifts.enter(&store, location, &cube(x, 0)), []);
        assert_eq!(drifts.enter(&store, location, &cube(x, 5)), []);
        assert_eq!(drifts.enter(&store, location, &cube(y, 0)), []);
    }

    #[test]
    fn a_difference_is_tried_again_at_higher_levels_only() {
        let store = Store::new();
        let (location, literal) = (LocId::new(0), store.tru());
        let mut drifts = Drifts::default();
        let tried = [1, 1, 2, 1, 5, 9].map(|level| drifts.admits(location, literal, level));
        assert_eq!(tried, [true, false, true, false, true, false]);
        let literals: Vec<ExprId> = (0..40).map(|number| store.int(number)).collect();
        let num_tried = literals.iter().filter(|literal| drifts.admits(location, **literal, 1)).count();
        assert_eq!(num_tried, MAX_DIFFERENCES - 1);
    }
}
