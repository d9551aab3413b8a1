//! An exact simplex method for the question whether rows have a real solution that is not negative.
//!
//! # Method
//! Phase one of the textbook method: each row becomes an equation with a right side that is not negative, by a slack
//! variable and, where the slack cannot be basic at the start, an artificial variable; the sum of the artificial
//! variables is minimised. If it becomes 0, the basic solution satisfies the rows; otherwise the reduced costs of the
//! slacks are multipliers of Farkas.
//!
//! The table holds integers over one common denominator, the pivot of the step before (Edmonds' integer pivoting):
//! every division is exact, and no greatest common divisors are computed. Columns are chosen by the greatest
//! reduced cost for [`DANTZIG_PIVOTS`] steps and then by Bland's rule, which cannot cycle.
//!
//! It is slow compared with a floating-point solver and is used only where rounding fails, with limits on pivots and
//! size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use thetis_base::{Run, Stop};

use crate::{Certificate, IlpConfig, Problem, Relation};

const DANTZIG_PIVOTS: u32 = 200;

/// The exact answer about real solutions.
#[derive(Debug)]
pub enum Exact {
    /// A solution: numerators over one positive denominator.
    Vertex {
        /// One for each variable.
        numerators: Vec<BigInt>,
        /// Positive.
        denominator: BigInt,
    },
    /// There is none, with Farkas multipliers.
    Infeasible(Certificate),
    /// A limit was reached.
    TooLarge,
}

/// Decides whether `problem` has a solution in real numbers that are not negative.
pub fn decide(problem: &Problem, config: &IlpConfig, run: &Run) -> Result<Exact, Stop> {
    let size = problem.num_rows() as u64 * (problem.num_vars() + problem.num_rows()) as u64;
    if size > config.max_table {
        return Ok(Exact::TooLarge);
    }
    let mut table = Table::new(problem);
    for pivots in 0..config.max_pivots {
        run.checkpoint()?;
        if table.costs[table.width].is_zero() {
            return Ok(table.vertex(problem.num_vars()));
        }
        let Some(column) = table.entering(pivots >= DANTZIG_PIVOTS) else {
            return Ok(Exact::Infeasible(table.multipliers(problem)));
        };
        let row = table.leaving(column).expect("the sum of artificial variables should be bounded below");
        table.pivot(row, column);
    }
    Ok(Exact::TooLarge)
}

/// The simplex table. All numbers are over `denominator`.
struct Table {
    /// The columns of variables: those of the problem, then one a row (its slack, or the artificial variable of an
    /// equation). The last entry of each row is its right side.
    rows: Vec<Vec<BigInt>>,
    /// The reduced costs, and as last entry the sum of the artificial variables.
    costs: Vec<BigInt>,
    /// The basic variable of each row; `None` is the artificial variable of an inequality.
    basis: Vec<Option<usize>>,
    /// Whether a column may enter the basis: artificial variables may not.
    may_enter: Vec<bool>,
    /// Which rows were negated to make their right sides positive.
    negated: Vec<bool>,
    denominator: BigInt,
    width: usize,
}

impl Table {
    fn new(problem: &Problem) -> Table {
        let num_rows = problem.num_rows();
        let width = problem.num_vars() + num_rows;
        let mut table = Table {
            rows: vec![vec![BigInt::zero(); width + 1]; num_rows],
            costs: vec![BigInt::zero(); width + 1],
            basis: vec![None; num_rows],
            may_enter: vec![true; width],
            negated: vec![false; num_rows],
            denominator: BigInt::one(),
            width,
        };
        for (number, row) in problem.rows().enumerate() {
            let sign = if row.bound() < 0 { -1 } else { 1 };
            table.negated[number] = sign < 0;
            for (var, coefficient) in row.terms() {
                table.rows[number][*var as usize] = BigInt::from(*coefficient) * sign;
            }
            table.rows[number][width] = BigInt::from(row.bound()) * sign;
            table.add_slack(number, problem.num_vars() + number, row.relation(), sign);
        }
        table.price_out();
        table
    }

    fn add_slack(&mut self, row: usize, column: usize, relation: Relation, sign: i32) {
        let slack = match relation {
            Relation::AtLeast => -sign,
            Relation::AtMost => sign,
            Relation::Equal => {
                self.may_enter[column] = false;
                1
            }
        };
        self.rows[row][column] = BigInt::from(slack);
        if slack > 0 {
            self.basis[row] = Some(column);
        }
    }

    /// The reduced costs of the start: minus the sum of the rows whose basic variable is artificial, which costs 1.
    fn price_out(&mut self) {
        for row in 0..self.rows.len() {
            if !self.is_artificial(self.basis[row]) {
                continue;
            }
            for (cost, entry) in self.costs.iter_mut().zip(&self.rows[row]) {
                *cost -= entry;
            }
        }
        for column in 0..self.width {
            if !self.may_enter[column] {
                self.costs[column] += 1;
            }
        }
    }

    fn is_artificial(&self, variable: Option<usize>) -> bool {
        variable.is_none_or(|column| !self.may_enter[column])
    }

    fn entering(&self, first: bool) -> Option<usize> {
        let mut candidates =
            (0..self.width).filter(|column| self.may_enter[*column] && self.costs[*column].is_negative());
        if first { candidates.next() } else { candidates.min_by_key(|column| &self.costs[*column]) }
    }

    /// The row with the smallest ratio; among equals an artificial variable leaves first, then the smallest one.
    fn leaving(&self, column: usize) -> Option<usize> {
        let order =
            |row: usize| self.basis[row].filter(|basic| self.may_enter[*basic]).map_or(0, |basic| basic + 1);
        let mut best: Option<usize> = None;
        for row in 0..self.rows.len() {
            if !self.rows[row][column].is_positive() {
                continue;
            }
            let is_better = best.is_none_or(|other| {
                let mine = &self.rows[row][self.width] * &self.rows[other][column];
                let theirs = &self.rows[other][self.width] * &self.rows[row][column];
                mine.cmp(&theirs).then_with(|| order(row).cmp(&order(other))).is_lt()
            });
            if is_better {
                best = Some(row);
            }
        }
        best
    }

    fn pivot(&mut self, pivot_row: usize, column: usize) {
        let row = std::mem::take(&mut self.rows[pivot_row]);
        let pivot = row[column].clone();
        for number in 0..self.rows.len() {
            if number != pivot_row {
                eliminate(&mut self.rows[number], &row, column, &pivot, &self.denominator);
            }
        }
        eliminate(&mut self.costs, &row, column, &pivot, &self.denominator);
        self.rows[pivot_row] = row;
        self.basis[pivot_row] = Some(column);
        self.denominator = pivot;
    }

    fn vertex(&self, num_vars: usize) -> Exact {
        let mut numerators = vec![BigInt::zero(); num_vars];
        for (row, basic) in self.rows.iter().zip(&self.basis) {
            if let Some(column) = basic.filter(|column| *column < num_vars) {
                numerators[column] = row[self.width].clone();
            }
        }
        Exact::Vertex { numerators, denominator: self.denominator.clone() }
    }

    /// The multipliers from the reduced costs of the slacks: `cost = own cost − multiplier · entry at the start`.
    fn multipliers(&self, problem: &Problem) -> Certificate {
        let multiplier = |(number, relation): (usize, Relation)| {
            let cost = &self.costs[problem.num_vars() + number];
            match relation {
                Relation::AtLeast => cost.clone(),
                Relation::AtMost => -cost,
                Relation::Equal if self.negated[number] => cost - &self.denominator,
                Relation::Equal => &self.denominator - cost,
            }
        };
        let relations = problem.rows().map(|row| row.relation()).enumerate();
        Certificate::Farkas { multipliers: reduce(relations.map(multiplier).collect()) }
    }
}

/// `entries := (entries · pivot − factor · row) / denominator`, exactly.
fn eliminate(entries: &mut [BigInt], row: &[BigInt], column: usize, pivot: &BigInt, denominator: &BigInt) {
    let factor = entries[column].clone();
    if factor.is_zero() && pivot == denominator {
        return;
    }
    for (entry, above) in entries.iter_mut().zip(row) {
        if factor.is_zero() || above.is_zero() {
            if !entry.is_zero() {
                *entry *= pivot;
                *entry /= denominator;
            }
        } else {
            *entry = (&*entry * pivot - &factor * above) / denominator;
        }
    }
}

/// Divides by the greatest common divisor.
fn reduce(mut numbers: Vec<BigInt>) -> Vec<BigInt> {
    let divisor = numbers.iter().fold(BigInt::zero(), |divisor, number| divisor.gcd(number));
    if !divisor.is_zero() {
        numbers.iter_mut().for_each(|number| *number /= &divisor);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::Row;

    fn check(problem: &Problem, feasible: bool) {
        match decide(problem, &IlpConfig::default(), &Run::unlimited()).unwrap() {
            Exact::Vertex { numerators, denominator } => {
                assert!(feasible);
                for row in problem.rows() {
                    let sum: BigInt = row.terms().iter().map(|(var, c)| &numerators[*var as usize] * c).sum();
                    assert!(row.relation().holds(&sum, &(&denominator * row.bound())));
                }
            }
            Exact::Infeasible(certificate) => {
                assert!(!feasible);
                assert!(certificate.verify(problem), "{certificate:?}");
            }
            Exact::TooLarge => panic!("the limit should not be reached"),
        }
    }

    #[test]
    fn signs_of_all_relations() {
        for bound in [-3, 0, 3] {
            for relation in [Relation::AtLeast, Relation::Equal, Relation::AtMost] {
                let mut problem = Problem::new(1);
                problem.add(Row::new([(0, 1)], relation, bound));
                check(&problem, relation == Relation::AtLeast || bound >= 0);
                let mut problem = Problem::new(1);
                problem.add(Row::new([(0, -1)], relation, bound));
                check(&problem, relation == Relation::AtMost || bound <= 0);
            }
        }
    }

    #[test]
    fn large_coefficients() {
        // 1e9·x − (1e9−1)·y = 0 and y ≥ 1 and 1e9·x ≤ (1e9−1)·y − 1: infeasible by 1.
        let big = 1_000_000_000;
        let mut problem = Problem::new(2);
        problem.add(Row::new([(0, big), (1, 1 - big)], Relation::Equal, 0));
        problem.add(Row::at_least(1, 1));
        check(&problem, true);
        problem.add(Row::new([(0, big), (1, 1 - big)], Relation::AtMost, -1));
        check(&problem, false);
    }

    #[test]
    fn random_problems() {
        let mut random = Rng::with_seed(7);
        for _ in 0..500 {
            let vars = 1 + random.usize(..5);
            let mut problem = Problem::new(vars);
            for _ in 0..1 + random.usize(..6) {
                let relation = [Relation::AtLeast, Relation::Equal, Relation::AtMost][random.usize(..3)];
                let terms: Vec<_> = (0..vars as u32).map(|var| (var, random.usize(..7) as i64 - 3)).collect();
                problem.add(Row::new(terms, relation, random.usize(..11) as i64 - 5));
            }
            let feasible = matches!(
                decide(&problem, &IlpConfig::default(), &Run::unlimited()).unwrap(),
                Exact::Vertex { .. }
            );
            check(&problem, feasible);
        }
    }
}
