//! Linear terms that have the same value at all given points: the equations of their affine hull.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use thetis_expr::Rational;

/// A basis of the linear forms that are constant on `points`, with coprime integer entries. Forms of a single variable are left
/// out; so is everything if there are too few points to tell.
pub(super) fn constant_on(points: &[&[i64]]) -> Vec<Vec<BigInt>> {
    let Some((first, rest)) = points.split_first().filter(|(first, rest)| rest.len() > first.len()) else {
        return Vec::new();
    };
    let mut echelon = Echelon { rows: Vec::new() };
    for point in rest {
        let difference =
            point.iter().zip(*first).map(|(left, right)| BigInt::from(*left) - BigInt::from(*right));
        echelon.add(difference.map(Rational::from).collect());
        if echelon.rows.len() == first.len() {
            return Vec::new();
        }
    }
    let forms = echelon.orthogonal(first.len());
    forms.into_iter().filter(|form| form.iter().filter(|entry| !entry.is_zero()).count() > 1).collect()
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
    use super::*;

    #[test]
    fn equations_of_points_are_found() {
        let line: Vec<Vec<i64>> = (0..6).map(|x| vec![x, 2 * x + 1, 7 - x]).collect();
        let line: Vec<&[i64]> = line.iter().map(Vec::as_slice).collect();
        let forms = constant_on(&line);
        assert_eq!(forms.len(), 2);
        for form in forms {
            let value =
                |point: &[i64]| form.iter().zip(point).map(|(left, right)| left * right).sum::<BigInt>();
            assert!(line.iter().all(|point| value(point) == value(line[0])));
        }
        assert!(constant_on(&line[..2]).is_empty(), "two points say too little");
        let square: [&[i64]; 4] = [&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
        assert!(constant_on(&square).is_empty());
    }
}
