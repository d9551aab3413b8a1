//! Why a problem has no solution, in a form that can be checked without a solver.
//!
//! The checks here use big integers and nothing of the code that finds certificates.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{Problem, Relation, Row};

/// A reason why a problem has no solution in natural numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// The row of this number has no solution in integers, by divisibility.
    Gcd {
        /// The row.
        row: usize,
    },
    /// The rows, multiplied by these numbers and added up, say that a sum that is never positive is positive: a
    /// Farkas certificate.
    Farkas {
        /// One multiplier a row: not negative for `≥`, not positive for `≤`, any for `=`.
        multipliers: Vec<BigInt>,
    },
    /// Neither half has a solution. Their certificates are about the problem with one more row at its end.
    Split {
        /// The variable on whose value the cases are split.
        var: u32,
        /// The greatest value of the variable in the lower half.
        bound: i64,
        /// For `variable ≤ bound`.
        below: Box<Certificate>,
        /// For `variable ≥ bound + 1`.
        above: Box<Certificate>,
    },
    /// A solver says so. There is nothing to check.
    Solver {
        /// The name of the solver.
        name: String,
    },
}

impl Certificate {
    /// Whether the certificate shows that `problem` has no solution. A solver's word is not accepted.
    pub fn verify(&self, problem: &Problem) -> bool {
        match self {
            Certificate::Gcd { row } => problem.rows().nth(*row).is_some_and(Row::is_refuted_by_divisibility),
            Certificate::Farkas { multipliers } => is_farkas(problem, multipliers),
            Certificate::Split { var, bound, below, above } => {
                let (lower, upper) = halves(problem, *var, *bound);
                below.verify(&lower) && above.verify(&upper)
            }
            Certificate::Solver { .. } => false,
        }
    }

    /// Whether [`Certificate::verify`] can accept it: no part rests on the word of a solver.
    pub fn is_checkable(&self) -> bool {
        match self {
            Certificate::Gcd { .. } | Certificate::Farkas { .. } => true,
            Certificate::Split { below, above, .. } => below.is_checkable() && above.is_checkable(),
            Certificate::Solver { .. } => false,
        }
    }
}

/// The two halves of `problem`: `var ≤ bound` and `var ≥ bound + 1`.
pub(crate) fn halves(problem: &Problem, var: u32, bound: i64) -> (Problem, Problem) {
    (problem.with(Row::at_most(var, bound)), problem.with(Row::at_least(var, bound + 1)))
}

/// With `y` the multipliers: the signs fit the relations, `Σ y·row ≤ 0` in every variable, and `Σ y·bound > 0`.
fn is_farkas(problem: &Problem, multipliers: &[BigInt]) -> bool {
    if multipliers.len() != problem.num_rows() {
        return false;
    }
    let mut left = vec![BigInt::zero(); problem.num_vars()];
    let mut right = BigInt::zero();
    for (row, multiplier) in problem.rows().zip(multipliers) {
        let fits = match row.relation() {
            Relation::AtLeast => !multiplier.is_negative(),
            Relation::Equal => true,
            Relation::AtMost => !multiplier.is_positive(),
        };
        if !fits {
            return false;
        }
        if multiplier.is_zero() {
            continue;
        }
        for (var, coefficient) in row.terms() {
            left[*var as usize] += multiplier * coefficient;
        }
        right += multiplier * row.bound();
    }
    right.is_positive() && left.iter().all(|sum| !sum.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn farkas(multipliers: &[i64]) -> Certificate {
        Certificate::Farkas { multipliers: multipliers.iter().map(|m| BigInt::from(*m)).collect() }
    }

    fn problem<const N: usize>(rows: [Row; N]) -> Problem {
        let mut problem = Problem::new(2);
        rows.into_iter().for_each(|row| problem.add(row));
        problem
    }

    #[test]
    fn farkas_multipliers_are_checked() {
        // x + y <= 3 and x >= 4.
        let problem = problem([Row::new([(0, 1), (1, 1)], Relation::AtMost, 3), Row::at_least(0, 4)]);
        assert!(farkas(&[-1, 1]).verify(&problem));
        assert!(!farkas(&[1, 1]).verify(&problem), "the sign of the first row is wrong");
        assert!(!farkas(&[-1, 2]).verify(&problem), "x keeps a positive coefficient");
        assert!(!farkas(&[0, 0]).verify(&problem), "nothing is shown");
        assert!(!farkas(&[-1]).verify(&problem), "a multiplier is missing");
    }

    #[test]
    fn splits_are_checked() {
        // 2x = 3, which a split at 1 refutes as well as divisibility.
        let problem = problem([Row::new([(0, 2)], Relation::Equal, 3)]);
        let split = |bound, below: &[i64], above: &[i64]| Certificate::Split {
            var: 0,
            bound,
            below: Box::new(farkas(below)),
            above: Box::new(farkas(above)),
        };
        assert!(split(1, &[1, -2], &[-1, 2]).verify(&problem));
        assert!(!split(2, &[1, -2], &[-1, 2]).verify(&problem));
        assert!(Certificate::Gcd { row: 0 }.verify(&problem));
        assert!(!Certificate::Gcd { row: 1 }.verify(&problem));
    }

    #[test]
    fn a_solvers_word_is_not_accepted() {
        let problem = problem([Row::at_most(0, -1)]);
        assert!(!Certificate::Solver { name: "any".to_owned() }.verify(&problem));
        assert!(farkas(&[-1]).verify(&problem));
    }
}
