//! Linear terms that have the same value at all given points: the equations of their affine hull.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use thetis_expr::Rational;

/// The affine hull of some points.
pub(super) struct Hull {
    /// The differences between the points.
    echelon: Echelon,
    width: usize,
}

impl Hull {
    /// The hull, if there are enough points to tell.
    pub(super) fn of(points: &[Vec<i128>]) -> Option<Hull> {
        let (first, rest) = points.split_first().filter(|(first, rest)| rest.len() > first.len())?;
        let mut echelon = Echelon { rows: Vec::new() };
        for point in rest {
            let difference =
                point.iter().zip(first).map(|(left, right)| BigInt::from(*left) - BigInt::from(*right));
            echelon.add(difference.map(Rational::from).collect());
            if echelon.rows.len() == first.len() {
                break;
            }
        }
        Some(Hull { echelon, width: first.len() })
    }

    /// A basis of the linear forms that are constant on the hull, with coprime integer entries.
    pub(super) fn forms(&self) -> Vec<Vec<BigInt>> {
        self.echelon.orthogonal(self.width)
    }

    /// Axes whose coordinates determine all others.
    pub(super) fn independent(&self) -> Vec<usize> {
        let mut axes: Vec<usize> = self.echelon.rows.iter().map(|(lead, _)| *lead).collect();
        axes.sort_unstable();
        axes
    }
}

/// Rows in reduced echelon form, each with the column of its leading one.
struct Echelon {
    rows: Vec<(usize, Vec<Rational>)>,
}

impl Echelon {
    fn add(&mut self, mut row: Vec<Rational>) {
        for (lead, known) in &self.rows {
            let factor = row[*lead].clone();
            subtract(&mut row, &factor, known);
        }
        let Some(lead) = row.iter().position(|entry| !entry.is_zero()) else { return };
        let inverse = row[lead].recip();
        row.iter_mut().for_each(|entry| *entry *= &inverse);
        for (_, known) in &mut self.rows {
            let factor = known[lead].clone();
            subtract(known, &factor, &row);
        }
        self.rows.push((lead, row));
    }

    /// A basis of the vectors that are orthogonal to all rows.
    fn orthogonal(&self, width: usize) -> Vec<Vec<BigInt>> {
        let is_lead = |column: usize| self.rows.iter().any(|(lead, _)| *lead == column);
        let free = (0..width).filter(|column| !is_lead(*column));
        let vector = |column: usize| {
            let mut vector = vec![Rational::zero(); width];
            vector[column] = Rational::one();
            for (lead, row) in &self.rows {
                vector[*lead] = -row[column].clone();
            }
            coprime(&vector)
        };
        free.map(vector).collect()
    }
}

fn subtract(row: &mut [Rational], factor: &Rational, other: &[Rational]) {
    if !factor.is_zero() {
        row.iter_mut().zip(other).for_each(|(entry, other)| *entry -= factor * other);
    }
}

fn coprime(vector: &[Rational]) -> Vec<BigInt> {
    let scale = vector.iter().fold(BigInt::one(), |scale, entry| scale.lcm(entry.denom()));
    let integers: Vec<BigInt> = vector.iter().map(|entry| entry.numer() * (&scale / entry.denom())).collect();
    let divisor = integers.iter().fold(BigInt::zero(), |divisor, entry| divisor.gcd(entry)).abs();
    integers.into_iter().map(|entry| entry / &divisor).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn equations_of_points_are_found() {
        let line: Vec<Vec<i128>> = (0..6).map(|x| vec![x, 2 * x + 1, 7 - x]).collect();
        let hull = Hull::of(&line).unwrap();
        assert_eq!(hull.independent(), [0]);
        assert_eq!(hull.forms().len(), 2);
        for form in hull.forms() {
            let value =
                |point: &[i128]| form.iter().zip(point).map(|(left, right)| left * right).sum::<BigInt>();
            assert!(line.iter().all(|point| value(point) == value(&line[0])));
        }
        assert!(Hull::of(&line[..2]).is_none(), "two points say too little");
        let square = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
        assert!(Hull::of(&square).unwrap().forms().is_empty());
    }
}
