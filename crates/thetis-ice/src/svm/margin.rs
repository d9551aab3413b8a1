//! The half-space with the greatest distance from two sets of points, exactly.
//!
//! The greatest margin between two sets is the distance of their convex hulls, which is the length of the shortest
//! vector in the polytope of all differences between a point of one hull and a point of the other. Wolfe's algorithm
//! (*Finding the nearest point in a polytope*, 1976) finds that vector: it keeps a few affinely independent vertices,
//! called the corral, and the point nearest to the origin in their affine hull; a vertex beyond the plane through that
//! point joins the corral, and vertices with negative weights leave it. With rational numbers every step is exact, and
//! no corral occurs twice, so the algorithm ends.
//!
//! The vertices of the polytope of differences are never listed: the one that is extreme in a direction is the difference
//! of the extreme points of the two sets.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use thetis_base::{Run, Stop};
use thetis_expr::Rational;

/// The greatest coefficients to which a normal vector is rounded, one after the other.
const SCALES: [u32; 6] = [1, 2, 3, 4, 6, 10];

/// Points `x` with `normal · x >= bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct HalfSpace {
    /// The normal vector, with coprime entries.
    pub(super) normal: Vec<BigInt>,
    /// The bound.
    pub(super) bound: BigInt,
}

impl HalfSpace {
    /// Whether a point is inside.
    pub(super) fn contains(&self, point: &[i64]) -> bool {
        dot(&self.normal, point) >= self.bound
    }

    /// Whether the coefficients are small.
    pub(super) fn is_simple(&self) -> bool {
        let limit = BigInt::from(SCALES[SCALES.len() - 1]);
        self.normal.iter().all(|entry| entry.abs() <= limit)
    }

    /// The half-space with this normal vector and as much room to `inside` as to `outside`, if it separates them.
    fn between(normal: Vec<BigInt>, inside: &[&[i64]], outside: &[&[i64]]) -> Option<HalfSpace> {
        let least = inside.iter().map(|point| dot(&normal, point)).min()?;
        let greatest = outside.iter().map(|point| dot(&normal, point)).max()?;
        let bound = (&least + &greatest).div_floor(&BigInt::from(2)) + 1;
        (greatest < least).then_some(HalfSpace { normal, bound })
    }
}

/// A half-space that contains all points of `inside` and none of `outside`, if there is one. Its normal vector is that of the
/// greatest margin, rounded to small numbers as long as the half-space still separates the sets.
pub(super) fn separate(inside: &[&[i64]], outside: &[&[i64]], run: &Run) -> Result<Option<HalfSpace>, Stop> {
    let Some(normal) = nearest_difference(inside, outside, run)? else { return Ok(None) };
    let exact = primitive(&normal);
    for scale in SCALES {
        let rounded = round(&exact, scale);
        if let Some(found) = HalfSpace::between(rounded, inside, outside) {
            return Ok(Some(found));
        }
    }
    Ok(HalfSpace::between(exact, inside, outside))
}

/// The shortest vector from the hull of `outside` to that of `inside`; `None` if they meet.
fn nearest_difference(
    inside: &[&[i64]],
    outside: &[&[i64]],
    run: &Run,
) -> Result<Option<Vec<Rational>>, Stop> {
    let mut corral = Corral::new(difference(inside[0], outside[0]));
    loop {
        run.checkpoint()?;
        let nearest = corral.point();
        let length = inner(&nearest, &nearest);
        if length.is_zero() {
            return Ok(None);
        }
        let value = |point: &&&[i64]| project(&nearest, point);
        let (Some(low), Some(high)) = (inside.iter().min_by_key(value), outside.iter().max_by_key(value))
        else {
            return Ok(None);
        };
        let vertex = difference(low, high);
        if inner(&nearest, &vertex) >= length {
            return Ok(Some(nearest));
        }
        corral.add(vertex);
    }
}

/// Affinely independent vertices with positive weights whose sum is one.
struct Corral {
    vertices: Vec<Vec<Rational>>,
    weights: Vec<Rational>,
}

impl Corral {
    fn new(vertex: Vec<Rational>) -> Corral {
        Corral { vertices: vec![vertex], weights: vec![Rational::one()] }
    }

    fn point(&self) -> Vec<Rational> {
        let mut sum = vec![Rational::zero(); self.vertices[0].len()];
        for (vertex, weight) in self.vertices.iter().zip(&self.weights) {
            for (entry, coordinate) in sum.iter_mut().zip(vertex) {
                *entry += weight * coordinate;
            }
        }
        sum
    }

    /// Adds a vertex, and removes others until the nearest point of the affine hull has positive weights only.
    fn add(&mut self, vertex: Vec<Rational>) {
        self.vertices.push(vertex);
        self.weights.push(Rational::zero());
        loop {
            let wanted = self.affine_weights();
            if wanted.iter().all(Signed::is_positive) {
                self.weights = wanted;
                return;
            }
            self.go_towards(&wanted);
        }
    }

    /// Changes the weights towards `wanted` until the first of them becomes zero, and removes the vertices without weight.
    fn go_towards(&mut self, wanted: &[Rational]) {
        let pairs = self.weights.iter().zip(wanted).filter(|(_, wanted)| !wanted.is_positive());
        let step =
            pairs.map(|(weight, wanted)| weight / (weight - wanted + one_if_equal(weight, wanted))).min();
        let step = step.unwrap_or_else(Rational::one).min(Rational::one());
        for (weight, wanted) in self.weights.iter_mut().zip(wanted) {
            *weight = &*weight * (Rational::one() - &step) + wanted * &step;
        }
        let keep: Vec<bool> = self.weights.iter().map(Signed::is_positive).collect();
        let mut kept = keep.iter();
        self.vertices.retain(|_| *kept.next().unwrap_or(&true));
        self.weights.retain(Signed::is_positive);
    }

    /// The weights of the point of the affine hull that is nearest to the origin.
    fn affine_weights(&self) -> Vec<Rational> {
        let size = self.vertices.len();
        let mut rows = vec![vec![Rational::zero(); size + 2]; size + 1];
        for column in 0..size {
            rows[0][column + 1] = Rational::one();
            rows[column + 1][0] = Rational::one();
        }
        rows[0][size + 1] = Rational::one();
        for left in 0..size {
            for right in 0..size {
                rows[left + 1][right + 1] = inner(&self.vertices[left], &self.vertices[right]);
            }
        }
        solve(rows).into_iter().skip(1).collect()
    }
}

/// Keeps a quotient defined when a weight and its wanted value are both zero.
fn one_if_equal(weight: &Rational, wanted: &Rational) -> Rational {
    if weight == wanted { Rational::one() } else { Rational::zero() }
}

/// The solution of a regular system of linear equations, whose last column is the right side.
fn solve(mut rows: Vec<Vec<Rational>>) -> Vec<Rational> {
    let size = rows.len();
    for column in 0..size {
        let Some(pivot) = (column..size).find(|row| !rows[*row][column].is_zero()) else { continue };
        rows.swap(column, pivot);
        let inverse = rows[column][column].recip();
        rows[column].iter_mut().for_each(|entry| *entry *= &inverse);
        let pivot_row = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column && !row[column].is_zero() {
                let factor = row[column].clone();
                row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= &factor * pivot);
            }
        }
    }
    rows.into_iter().map(|mut row| row.pop().unwrap_or_default()).collect()
}

fn difference(left: &[i64], right: &[i64]) -> Vec<Rational> {
    left.iter()
        .zip(right)
        .map(|(left, right)| Rational::from(BigInt::from(*left) - BigInt::from(*right)))
        .collect()
}

fn inner(left: &[Rational], right: &[Rational]) -> Rational {
    left.iter().zip(right).fold(Rational::zero(), |sum, (left, right)| sum + left * right)
}

fn project(direction: &[Rational], point: &[i64]) -> Rational {
    direction.iter().zip(point).fold(Rational::zero(), |sum, (entry, coordinate)| {
        sum + entry * Rational::from(BigInt::from(*coordinate))
    })
}

fn dot(normal: &[BigInt], point: &[i64]) -> BigInt {
    normal
        .iter()
        .zip(point)
        .fold(BigInt::zero(), |sum, (entry, coordinate)| sum + entry * BigInt::from(*coordinate))
}

/// The shortest integer vector in the direction of `vector`.
fn primitive(vector: &[Rational]) -> Vec<BigInt> {
    let scale = vector.iter().fold(BigInt::one(), |scale, entry| scale.lcm(entry.denom()));
    let integers: Vec<BigInt> = vector.iter().map(|entry| entry.numer() * (&scale / entry.denom())).collect();
    let divisor = integers.iter().fold(BigInt::zero(), |divisor, entry| divisor.gcd(entry));
    integers.into_iter().map(|entry| if divisor.is_zero() { entry } else { entry / &divisor }).collect()
}

/// The vector scaled so that its greatest entry is `scale`, and rounded.
fn round(vector: &[BigInt], scale: u32) -> Vec<BigInt> {
    let greatest = vector.iter().map(Signed::abs).max().unwrap_or_else(BigInt::one);
    let twice = &greatest * BigInt::from(2);
    let round = |entry: &BigInt| (entry * BigInt::from(2 * scale) + &greatest).div_floor(&twice);
    let rounded: Vec<BigInt> = vector.iter().map(round).collect();
    primitive(&rounded.into_iter().map(Rational::from).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: &[&[i64]], outside: &[&[i64]], expected: Option<(&[i64], i64)>) {
        let found = separate(inside, outside, &Run::unlimited()).unwrap();
        let expected = expected.map(|(normal, bound)| HalfSpace {
            normal: normal.iter().map(|entry| BigInt::from(*entry)).collect(),
            bound: bound.into(),
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_margin_is_the_greatest() {
        check(&[&[4]], &[&[0]], Some((&[1], 3)));
        check(&[&[0, 1], &[5, 6]], &[&[0, 0], &[7, 7]], Some((&[-1, 1], 1)));
        check(&[&[2, 0], &[0, 2], &[2, 2]], &[&[0, 0], &[-3, 1]], Some((&[1, 1], 2)));
        check(&[&[0], &[4]], &[&[2]], None);
        check(&[&[0, 0], &[2, 2]], &[&[0, 2], &[2, 0]], None);
        check(&[&[0, 0]], &[&[0, 0]], None);
    }

    #[test]
    fn random_sets_are_separated_iff_a_plane_separates_them() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let plane: Vec<i64> = (0..3).map(|_| random.i64(-5..=5)).collect();
            let points: Vec<Vec<i64>> =
                (0..20).map(|_| (0..3).map(|_| random.i64(-9..=9)).collect()).collect();
            let side =
                |point: &&[i64]| plane.iter().zip(*point).map(|(left, right)| left * right).sum::<i64>() > 3;
            let (inside, outside): (Vec<&[i64]>, Vec<&[i64]>) =
                points.iter().map(Vec::as_slice).partition(side);
            if inside.is_empty() || outside.is_empty() {
                continue;
            }
            let found = separate(&inside, &outside, &Run::unlimited()).unwrap().unwrap();
            assert!(inside.iter().all(|point| found.contains(point)));
            assert!(!outside.iter().any(|point| found.contains(point)));
        }
    }
}
