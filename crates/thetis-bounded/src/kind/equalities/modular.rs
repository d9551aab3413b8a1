//! Affine spaces over the integers modulo a power of two.
//!
//! # Problem and method
//! Arithmetic that wraps around keeps few equations over the rational numbers, but all of them modulo `2^w`: after `y = 2 * x`, `y - 2x`
//! is a multiple of `2^w`. Modulo a power of two one can also say that a variable is even. An affine space is a point and the
//! differences from it, a lattice `L` of integer vectors that contains all multiples of `2^w`.
//!
//! The lattice has a triangular basis, of which row `j` starts with a power of two in column `j` (the Howell form of the differences, filled up with
//! multiples of `2^w`). A new vector goes through the columns. If it is a multiple of the row there, that much of the row is subtracted. Otherwise a
//! unit makes its coordinate a smaller power of two, so it becomes the row, and the remainder of the old row continues in its place.
//!
//! Let `H` be the basis, with a vector in each row. As `L` contains all multiples of `2^w`, the matrix `2^w H⁻¹` is integral, and `x` is
//! in `L` iff the product of `x` with each of its columns is a multiple of `2^w`. These are the equations.
//!
//! The domain is due to Müller-Olm and Seidl (2007); Elder, Lim, Sharma, Andersen and Reps (2014) describe it with the Howell form. A space
//! grows at most `w` times for each coordinate, and usually once.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::space::{Equation, Space};

/// The space. See the [module](self).
pub(super) struct ModularSpace {
    width: u32,
    point: Vec<u64>,
    /// Row `j` is zero before column `j` and has a power of two there, where `2^width` is written as zero.
    rows: Vec<Vec<u64>>,
}

impl ModularSpace {
    /// The space of one point, modulo `2^width`; at most `2^64`.
    pub(super) fn new(width: u32, point: &[BigInt]) -> ModularSpace {
        let rows = point.iter().map(|_| vec![0; point.len()]).collect();
        let mut space = ModularSpace { width, point: Vec::new(), rows };
        space.point = point.iter().map(|value| space.residue(value)).collect();
        space
    }

    fn residue(&self, value: &BigInt) -> u64 {
        let modulus = BigInt::one() << self.width;
        let residue = ((value % &modulus) + &modulus) % &modulus;
        residue.iter_u64_digits().next().unwrap_or(0)
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// How many times two divides `value`, at most `width`.
    fn twos(&self, value: u64) -> u32 {
        value.trailing_zeros().min(self.width)
    }

    /// Adds a multiple of `other` to `vector`.
    fn add(&self, vector: &mut [u64], factor: u64, other: &[u64]) {
        for (coordinate, other) in vector.iter_mut().zip(other) {
            *coordinate = coordinate.wrapping_add(factor.wrapping_mul(*other)) & self.mask();
        }
    }

    /// `value / 2^twos`, where `2^64` is zero.
    fn quotient(value: u64, twos: u32) -> u64 {
        value.checked_shr(twos).unwrap_or(0)
    }

    /// Makes the lattice contain `vector`.
    fn insert(&mut self, mut vector: Vec<u64>) {
        for column in 0..vector.len() {
            let (own, new) = (self.twos(self.rows[column][column]), self.twos(vector[column]));
            if new < own {
                let unit = inverse(vector[column] >> new);
                let smaller: Vec<u64> =
                    vector.iter().map(|value| value.wrapping_mul(unit) & self.mask()).collect();
                vector = std::mem::replace(&mut self.rows[column], smaller);
                let row = self.rows[column].clone();
                self.add(&mut vector, (1u64 << (own - new - 1)).wrapping_mul(2).wrapping_neg(), &row);
            } else {
                let factor = ModularSpace::quotient(vector[column], own).wrapping_neg();
                self.add(&mut vector, factor, &self.rows[column]);
            }
        }
    }

    /// Makes the coordinates above the first one of each row smaller than it.
    fn reduce(&mut self) {
        for column in 1..self.rows.len() {
            let row = self.rows[column].clone();
            for above in 0..column {
                let factor = ModularSpace::quotient(self.rows[above][column], self.twos(row[column]));
                let mut reduced = std::mem::take(&mut self.rows[above]);
                self.add(&mut reduced, factor.wrapping_neg(), &row);
                self.rows[above] = reduced;
            }
        }
    }

    /// Column `number` of `2^width H⁻¹`, from the bottom up.
    fn column_of_inverse(&self, number: usize) -> Vec<BigInt> {
        let mut column: Vec<BigInt> = self.rows.iter().map(|_| BigInt::zero()).collect();
        for row in (0..=number).rev() {
            let right = if row == number { BigInt::one() << self.width } else { BigInt::zero() };
            let known = (row + 1..=number).map(|at| &column[at] * self.rows[row][at]);
            column[row] = (right - known.sum::<BigInt>()) >> self.twos(self.rows[row][row]);
        }
        column
    }

    /// The equation with `factors` modulo `2^width`, in lowest terms; `None` if it always holds.
    fn equation(&self, factors: &[BigInt]) -> Option<Equation> {
        let residues: Vec<u64> = factors.iter().map(|factor| self.residue(factor)).collect();
        let common = residues.iter().map(|residue| self.twos(*residue)).min()?;
        let bits = self.width - common;
        if bits == 0 {
            return None;
        }
        let reduced: Vec<u64> = residues.iter().map(|residue| residue >> common).collect();
        let products = reduced.iter().zip(&self.point).map(|(factor, value)| factor.wrapping_mul(*value));
        let constant = products.fold(0, u64::wrapping_add) & (u64::MAX >> (64 - bits));
        let factors = reduced.into_iter().map(|factor| around_zero(factor, bits)).collect();
        Some(Equation { factors, constant: constant.into(), modulus: Some(bits) })
    }
}

impl Space for ModularSpace {
    fn include(&mut self, point: &[BigInt]) {
        let mut difference: Vec<u64> = point.iter().map(|value| self.residue(value)).collect();
        self.add(&mut difference, u64::MAX, &self.point);
        self.insert(difference);
        self.reduce();
    }

    fn equations(&self) -> Vec<Equation> {
        (0..self.rows.len()).filter_map(|number| self.equation(&self.column_of_inverse(number))).collect()
    }
}

/// The number that is inverse to an odd one modulo `2^64`: each step doubles the number of correct bits, of which there are
/// three at the start.
fn inverse(odd: u64) -> u64 {
    let step = |inverse: u64, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    (0..5).fold(odd, step)
}

/// The number of least absolute value that is equal to `residue` modulo `2^bits`.
fn around_zero(residue: u64, bits: u32) -> BigInt {
    let is_negative = residue >> (bits - 1) == 1 && residue != 1 << (bits - 1);
    let value = BigInt::from(residue);
    if is_negative { value - (BigInt::one() << bits) } else { value }
}

#[cfg(test)]
mod tests {
    use super::super::space::tests::equations_of;
    use super::*;

    #[test]
    fn equations_are_those_of_the_smallest_space() {
        for (width, points, expected) in [
            (8, vec![[1, 2, 3]], "x mod 256 = 1 and y mod 256 = 2 and z mod 256 = 3"),
            (8, vec![[0, 0, 0], [4, 0, 0], [0, 6, 0], [0, 0, 1]], "x mod 4 = 0 and y mod 2 = 0"),
            (32, vec![[0, 0, 0], [1, 2, 0], [0, 0, 1]], "(y + x * -2) mod 4294967296 = 0"),
            (64, vec![[0, 0, 0], [1, 1, 0], [1 << 32, 0, 0], [0, 0, 3]], "(y + x * -1) mod 4294967296 = 0"),
            (16, vec![[3, 1, 0], [5, 1, 0], [7, 1, 8]], "x mod 2 = 1 and y mod 65536 = 1 and z mod 8 = 0"),
            (3, vec![[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "true"),
        ] {
            let found = equations_of(&points, |point| Box::new(ModularSpace::new(width, point)));
            assert_eq!(found, expected, "{points:?}");
        }
    }

    /// All points of small spaces, by adding differences until nothing changes.
    fn closure(modulus: i64, points: &[[i64; 3]]) -> std::collections::BTreeSet<[i64; 3]> {
        let mut closed = std::collections::BTreeSet::from([points[0]]);
        let mut pending = vec![points[0]];
        while let Some(from) = pending.pop() {
            for point in points {
                let next =
                    std::array::from_fn(|at| (from[at] + point[at] - points[0][at]).rem_euclid(modulus));
                if closed.insert(next) {
                    pending.push(next);
                }
            }
        }
        closed
    }

    #[test]
    fn equations_have_the_points_of_the_space_and_no_others() {
        let modulus = 8;
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as i64 % modulus
        };
        for num_points in (1..5).cycle().take(80) {
            let points: Vec<[i64; 3]> = (0..num_points).map(|_| std::array::from_fn(|_| random())).collect();
            let big = |point: &[i64; 3]| point.map(BigInt::from);
            let mut space = ModularSpace::new(3, &big(&points[0]));
            points.iter().for_each(|point| space.include(&big(point)));
            let equations = space.equations();
            let expected = closure(modulus, &points);
            for number in 0..modulus.pow(3) {
                let point = [number % 8, number / 8 % 8, number / 64];
                let holds = equations.iter().all(|equation| equation.holds(&big(&point)));
                assert_eq!(holds, expected.contains(&point), "{point:?} of {points:?}");
            }
        }
    }
}
