//! Affine spaces over the rational numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use thetis_expr::Rational;

use super::space::{Equation, Space};

/// The points that are `point` and any multiples of `directions` away from it. The directions are in reduced echelon form: each has
/// a first coordinate, which is one, and where all others are zero.
pub(super) struct RationalSpace {
    point: Vec<Rational>,
    directions: Vec<Vec<Rational>>,
}

impl RationalSpace {
    /// The space of one point.
    pub(super) fn new(point: &[BigInt]) -> RationalSpace {
        RationalSpace { point: rationals(point), directions: Vec::new() }
    }

    /// The equation for coordinate `free`, which is first in no direction: the vector with one there, and the negated
    /// coordinate `free` of each direction where that is first, is orthogonal to all directions.
    fn equation(&self, free: usize) -> Equation {
        let mut normal: Vec<Rational> = self.point.iter().map(|_| Rational::zero()).collect();
        normal[free] = Rational::one();
        for direction in &self.directions {
            normal[first(direction)] = -direction[free].clone();
        }
        let scale = normal.iter().fold(BigInt::one(), |scale, coordinate| scale.lcm(coordinate.denom()));
        let integer = |value: Rational| (value * &scale).to_integer();
        let constant = normal.iter().zip(&self.point).map(|(factor, value)| factor * value).sum();
        let factors = normal.into_iter().map(integer).collect();
        Equation { factors, constant: integer(constant), modulus: None }
    }
}

impl Space for RationalSpace {
    fn include(&mut self, point: &[BigInt]) {
        let mut direction = rationals(point);
        subtract(&mut direction, &self.point, &Rational::one());
        for other in &self.directions {
            let factor = direction[first(other)].clone();
            subtract(&mut direction, other, &factor);
        }
        let Some(pivot) = direction.iter().position(|coordinate| !coordinate.is_zero()) else { return };
        let scale = direction[pivot].clone();
        direction.iter_mut().for_each(|coordinate| *coordinate /= &scale);
        for other in &mut self.directions {
            let factor = other[pivot].clone();
            subtract(other, &direction, &factor);
        }
        self.directions.push(direction);
    }

    fn equations(&self) -> Vec<Equation> {
        let is_first = |number: usize| self.directions.iter().any(|direction| first(direction) == number);
        let free = (0..self.point.len()).filter(|number| !is_first(*number));
        free.map(|number| self.equation(number)).collect()
    }
}

fn rationals(point: &[BigInt]) -> Vec<Rational> {
    point.iter().cloned().map(Rational::from_integer).collect()
}

/// The first coordinate of a direction.
fn first(direction: &[Rational]) -> usize {
    direction.iter().position(|coordinate| !coordinate.is_zero()).expect("a direction should not be zero")
}

fn subtract(vector: &mut [Rational], other: &[Rational], factor: &Rational) {
    if !factor.is_zero() {
        vector.iter_mut().zip(other).for_each(|(coordinate, other)| *coordinate -= factor * other);
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::equations_of;
    use super::*;

    #[test]
    fn spaces_are_the_smallest() {
        for (points, expected) in [
            (vec![[0, 3, 5]], "x = 0 and y = 3 and z = 5"),
            (vec![[0, 0, 1], [1, 2, 1], [5, 10, 1]], "y + x * -2 = 0 and z = 1"),
            (vec![[0, 0, 0], [2, 3, 0], [0, 0, 7]], "x * -3 + y * 2 = 0"),
            (vec![[0, 0, 0], [1, 0, 1], [0, 1, 1]], "z + (x * -1 + y * -1) = 0"),
            (vec![[0, 0, 0], [1, 0, 0], [0, 1, 0], [3, 3, 3]], "true"),
        ] {
            let found = equations_of(&points, |point| Box::new(RationalSpace::new(point)));
            assert_eq!(found, expected, "{points:?}");
        }
    }
}
