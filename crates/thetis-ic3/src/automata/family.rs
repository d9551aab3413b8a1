//! Families: cubes of a location that differ only in their constants.
//!
//! On a counting loop, backward search produces `x = n ∧ y ≠ n`, `x = n - 1 ∧ y ≠ n - 1`, and so on without end: each
//! cube is correct and none is general enough. Two members of such a family show how its constants change together.
//! Eliminating the parameter of the line through them gives what all members on it have in common, here `x ≠ y`, which
//! is tried with the same queries as any larger cube. The idea is that of Krishnan, Chen, Shoham and Gurfinkel (*Global
//! guidance for local generalization in model checking*, 2020), whose rule *subsume* it resembles; here two cubes
//! suffice, and nothing is learned by convex closure.
//!
//! Generalisation drops literals that are not needed at the moment, even if they show how constants change together: of
//! `i ≤ 9 ∧ k ≥ 10` it keeps `k ≥ 10` as long as no run is long enough. So the original obligation has a family of its
//! own.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::LocId;

use super::combine::combinations;
use super::comparison::{Comparison, Relation, comparison, literal};
use super::cube::Cube;
use super::form::Form;
use super::questions::End;
use super::search::LocalFrameSearch;

/// With this many cubes at its location, twice as many and so on, consequences of a cube are tried even if it has no
/// family.
const CROWD: usize = 4;

/// How many members of a family are compared with a new one.
const MAX_COMPARED: usize = 3;

/// How many pairs of bounds with opposite directions are tried for two members of a family.
const MAX_PAIRS: usize = 4;

/// A cube without the constants of its linear comparisons.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Shape {
    comparisons: Vec<Comparison>,
    rest: Vec<ExprId>,
}

/// The constants of all cubes by location and shape.
#[derive(Default)]
pub(super) struct Families {
    members: BTreeMap<(LocId, Shape), Vec<Vec<BigInt>>>,
}

/// A cube that was added to its family.
struct Newcomer {
    shape: Shape,
    constants: Vec<BigInt>,
    /// The members that it is compared with.
    others: Vec<Vec<BigInt>>,
}

impl Families {
    /// Adds a cube to its family, unless it is a member already.
    fn enter(&mut self, store: &Store, location: LocId, cube: &Cube) -> Option<Newcomer> {
        let (shape, constants) = shape_of(store, cube);
        let members = self.members.entry((location, shape.clone())).or_default();
        if members.contains(&constants) {
            return None;
        }
        let mut others: Vec<Vec<BigInt>> = members.iter().rev().take(MAX_COMPARED).cloned().collect();
        members.push(constants.clone());
        // An old family is compared less and less often.
        if members.len() > 8 && !members.len().is_power_of_two() {
            others.clear();
        }
        Some(Newcomer { shape, constants, others })
    }
}

impl Newcomer {
    fn in_common(&self, store: &Store) -> Vec<Vec<ExprId>> {
        let others = self.others.iter();
        others.flat_map(|other| common(store, &self.shape, other, &self.constants)).collect()
    }
}

impl LocalFrameSearch<'_> {
    /// A larger cube that can be excluded too: what `cube`, a part of the literals of `whole`, and earlier cubes of its
    /// family have in common, or a consequence of `whole`; otherwise `cube`. Generalisation prefers literals that
    /// exclude `whole` for the moment, so the family of `whole` may be more informative than that of `cube`.
    pub(super) fn widen(
        &mut self,
        level: usize,
        location: LocId,
        cube: Cube,
        whole: &Cube,
    ) -> Result<Cube, End> {
        let store = &self.task.store;
        let Some(of_cube) = self.families.enter(store, location, &cube) else { return Ok(cube) };
        let of_whole = if cube == *whole { None } else { self.families.enter(store, location, whole) };
        let mut candidates = of_cube.in_common(store);
        candidates.extend(of_whole.iter().flat_map(|family| family.in_common(store)));
        let num_cubes = self.frames.excluded(1, location).count();
        let is_crowded = num_cubes >= CROWD && num_cubes.is_power_of_two();
        if of_cube.others.is_empty() && candidates.is_empty() && !is_crowded {
            return Ok(cube);
        }
        self.questions.stats.divergent += 1;
        candidates.extend(combinations(store, whole).into_iter().map(|literal| vec![literal]));
        for literals in candidates {
            if let Some(larger) =
                self.try_larger(level, location, Cube::new(literals), self.config.ctg_depth)?
            {
                self.questions.stats.widened += 1;
                return Ok(larger);
            }
        }
        Ok(cube)
    }
}

/// The shape of a cube, and its constants.
fn shape_of(store: &Store, cube: &Cube) -> (Shape, Vec<BigInt>) {
    let mut comparisons = Vec::new();
    let mut rest = Vec::new();
    for literal in cube.literals() {
        match comparison(store, *literal) {
            Some(comparison) => comparisons.push(comparison),
            None => rest.push(*literal),
        }
    }
    comparisons.sort();
    let (comparisons, constants) = comparisons.into_iter().unzip();
    (Shape { comparisons, rest }, constants)
}

/// What the cubes of `shape` with constants on the line through `one` and `other` have in common; the more general
/// candidates come first.
fn common(store: &Store, shape: &Shape, one: &[BigInt], other: &[BigInt]) -> Vec<Vec<ExprId>> {
    let line = Line {
        shape,
        start: one,
        direction: one.iter().zip(other).map(|(one, other)| other - one).collect(),
    };
    let moving: Vec<usize> = (0..one.len()).filter(|number| !line.direction[*number].is_zero()).collect();
    let relation = |number: &usize| shape.comparisons[*number].1;
    let mut candidates = Vec::new();
    for pivot in moving.iter().copied().filter(|number| relation(number) == Relation::Equal) {
        let others = moving.iter().copied().filter(|number| *number != pivot);
        let combined: Vec<(Comparison, BigInt)> = others.map(|number| line.combined(number, pivot)).collect();
        if combined.is_empty() {
            continue;
        }
        let bound = line.bound(pivot);
        for extra in [None, Some(bound)] {
            let all = combined.iter().cloned().chain(extra);
            candidates.push(line.literals(store, &moving, all));
        }
    }
    let bounds = || moving.iter().copied().filter(|number| relation(number) == Relation::AtMost);
    let ups = || bounds().filter(|number| line.direction[*number].is_positive());
    let downs = || bounds().filter(|number| line.direction[*number].is_negative());
    let pairs: Vec<(usize, usize)> = ups().flat_map(|up| downs().map(move |down| (up, down))).collect();
    for (up, down) in pairs.iter().take(MAX_PAIRS).copied() {
        candidates.push(line.literals(store, &moving, [line.combined(up, down)]));
    }
    if (2..=MAX_PAIRS).contains(&pairs.len()) {
        let combined = pairs.iter().map(|(up, down)| line.combined(*up, *down));
        candidates.push(line.literals(store, &moving, combined));
    }
    candidates
}

/// Constants of a shape along a line.
struct Line<'a> {
    shape: &'a Shape,
    start: &'a [BigInt],
    direction: Vec<BigInt>,
}

impl Line<'_> {
    /// The comparison that follows from those with the numbers `one` and `pivot` wherever the constants are on the line:
    /// the one without the parameter.
    fn combined(&self, one: usize, pivot: usize) -> (Comparison, BigInt) {
        let factor = self.direction[pivot].abs();
        let other = -(self.direction[pivot].signum() * &self.direction[one]);
        let (coefficients, relation) = self.shape.comparisons[one].clone();
        let mut form = Form { coefficients, constant: -self.start[one].clone() };
        form.scale(&factor);
        let (coefficients, _) = self.shape.comparisons[pivot].clone();
        form.add(&Form { coefficients, constant: -self.start[pivot].clone() }, &other);
        form.reduce();
        ((form.coefficients, relation), -form.constant)
    }

    /// In which direction from the start the equation with number `pivot` changes.
    fn bound(&self, pivot: usize) -> (Comparison, BigInt) {
        let (mut coefficients, _) = self.shape.comparisons[pivot].clone();
        let mut constant = self.start[pivot].clone();
        if self.direction[pivot].is_positive() {
            coefficients.values_mut().for_each(|coefficient| *coefficient = -&*coefficient);
            constant = -constant;
        }
        ((coefficients, Relation::AtMost), constant)
    }

    /// The literals that do not change, and `others`.
    fn literals(
        &self,
        store: &Store,
        moving: &[usize],
        others: impl IntoIterator<Item = (Comparison, BigInt)>,
    ) -> Vec<ExprId> {
        let fixed = (0..self.start.len()).filter(|number| !moving.contains(number));
        let fixed = fixed.map(|number| (self.shape.comparisons[number].clone(), self.start[number].clone()));
        let all: Vec<(Comparison, BigInt)> = fixed.chain(others).collect();
        let literals = all.into_iter().map(|(comparison, constant)| literal(store, comparison, constant));
        let literals = literals.flat_map(|literal| store.conjuncts(literal));
        self.shape.rest.iter().copied().chain(literals).collect()
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_expr::simplify::simplify;

    use super::*;

    /// What two cubes have in common, as text.
    fn check(one: &[&str], other: &[&str], expected: &[&str]) {
        let store = Store::new();
        for name in ["x", "y", "n"] {
            store.declare(name, Sort::Int);
        }
        let parse = |text: &&str| {
            let term = thetis_expr::smtlib::parse_term(&store, text, &thetis_expr::smtlib::Declared);
            simplify(&store, term.unwrap())
        };
        let cube = |literals: &[&str]| Cube::new(literals.iter().map(parse));
        let (shape, first) = shape_of(&store, &cube(one));
        let (other_shape, second) = shape_of(&store, &cube(other));
        assert_eq!(shape, other_shape);
        let candidates = common(&store, &shape, &first, &second);
        let candidates: Vec<Cube> = candidates.into_iter().map(Cube::new).collect();
        let expected = cube(expected);
        assert!(candidates.contains(&expected), "{candidates:?} should contain {expected:?}");
    }

    #[test]
    fn the_parameter_of_a_line_is_eliminated() {
        check(
            &["(= (- n x) 1)", "(not (= (- n y) 1))"],
            &["(= (- n x) 2)", "(not (= (- n y) 2))"],
            &["(not (= x y))"],
        );
        check(&["(= x 3)", "(<= y 6)"], &["(= x 5)", "(<= y 10)"], &["(<= y (* 2 x))"]);
        check(&["(<= x 1)", "(<= 1 y)"], &["(<= x 2)", "(<= 2 y)"], &["(<= x y)"]);
        check(
            &["(= x 3)", "(= y 3)", "(<= n 0)"],
            &["(= x 4)", "(= y 4)", "(<= n 0)"],
            &["(= x y)", "(<= n 0)"],
        );
    }

    #[test]
    fn one_moving_bound_has_nothing_to_eliminate() {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let cube = |number: i32| Cube::new([store.eq(x, store.int(number))]);
        let ((shape, one), (_, other)) = (shape_of(&store, &cube(3)), shape_of(&store, &cube(4)));
        assert!(common(&store, &shape, &one, &other).is_empty());
    }
}
