//! What is asked: natural numbers with a small sum that satisfy linear rows.

use std::sync::Arc;

use num_integer::Integer;

/// How the left side of a row compares to its bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `≥`
    AtLeast,
    /// `=`
    Equal,
    /// `≤`
    AtMost,
}

/// One linear row, `Σ coefficient · variable (≥, =, ≤) bound`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    terms: Vec<(u32, i64)>,
    relation: Relation,
    bound: i64,
}

/// Minimise `Σ x` over natural numbers `x` that satisfy all rows.
///
/// Clones share the rows of the original, so that a problem is refined by cloning it and adding rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    num_vars: usize,
    shared: Arc<Vec<Row>>,
    own: Vec<Row>,
}

impl Relation {
    /// Whether `value relation bound` holds.
    pub fn holds<T: Ord>(self, value: &T, bound: &T) -> bool {
        match self {
            Relation::AtLeast => value >= bound,
            Relation::Equal => value == bound,
            Relation::AtMost => value <= bound,
        }
    }
}

impl Row {
    /// A row. Terms of the same variable are added; variables are numbered from 0.
    ///
    /// # Panics
    /// If the sum of the coefficients of one variable does not fit.
    pub fn new(terms: impl IntoIterator<Item = (u32, i64)>, relation: Relation, bound: i64) -> Row {
        let mut terms: Vec<(u32, i64)> = terms.into_iter().collect();
        terms.sort_unstable_by_key(|(var, _)| *var);
        let mut sums: Vec<(u32, i64)> = Vec::with_capacity(terms.len());
        for (var, coefficient) in terms {
            match sums.last_mut() {
                Some((last, sum)) if *last == var => {
                    *sum = sum
                        .checked_add(coefficient)
                        .expect("the coefficients of a row should fit in 64 bits");
                }
                _ => sums.push((var, coefficient)),
            }
        }
        sums.retain(|(_, coefficient)| *coefficient != 0);
        Row { terms: sums, relation, bound }
    }

    /// `variable ≥ bound`.
    pub fn at_least(var: u32, bound: i64) -> Row {
        Row::new([(var, 1)], Relation::AtLeast, bound)
    }

    /// `variable ≤ bound`.
    pub fn at_most(var: u32, bound: i64) -> Row {
        Row::new([(var, 1)], Relation::AtMost, bound)
    }

    /// `variable = value`.
    pub fn fixed(var: u32, value: i64) -> Row {
        Row::new([(var, 1)], Relation::Equal, value)
    }

    /// The variables with their coefficients, none of them 0, in the order of the variables.
    pub fn terms(&self) -> &[(u32, i64)] {
        &self.terms
    }

    /// The relation.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// The right side.
    pub fn bound(&self) -> i64 {
        self.bound
    }

    /// Whether `point` satisfies the row, computed exactly; `false` if the sum does not fit in 128 bits.
    pub fn is_satisfied(&self, point: &[u64]) -> bool {
        let sum = self.terms.iter().try_fold(0i128, |sum, (var, coefficient)| {
            let product = i128::from(*coefficient).checked_mul(i128::from(point[*var as usize]))?;
            sum.checked_add(product)
        });
        sum.is_some_and(|sum| self.relation.holds(&sum, &i128::from(self.bound)))
    }

    /// Whether the row alone has no solution in integers: an equality whose coefficients have a common divisor that
    /// does not divide the bound, or a row without variables that is false.
    pub fn is_refuted_by_divisibility(&self) -> bool {
        if self.terms.is_empty() {
            return !self.relation.holds(&0, &self.bound);
        }
        let divisor = self.terms.iter().fold(0u64, |divisor, (_, c)| divisor.gcd(&c.unsigned_abs()));
        self.relation == Relation::Equal && !self.bound.unsigned_abs().is_multiple_of(divisor)
    }
}

impl Problem {
    /// A problem without rows over `num_vars` variables.
    pub fn new(num_vars: usize) -> Problem {
        Problem { num_vars, shared: Arc::default(), own: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the row has a variable that the problem does not have.
    pub fn add(&mut self, row: Row) {
        let fits = row.terms.last().is_none_or(|(var, _)| (*var as usize) < self.num_vars);
        assert!(fits, "a row should only have variables of its problem");
        self.own.push(row);
    }

    /// The problem with one more row.
    #[must_use]
    pub fn with(&self, row: Row) -> Problem {
        let mut problem = self.clone();
        problem.add(row);
        problem
    }

    /// Makes later clones share the rows that are there now.
    pub fn share_rows(&mut self) {
        let mut rows = (*self.shared).clone();
        rows.append(&mut self.own);
        self.shared = Arc::new(rows);
    }

    /// The number of variables.
    pub fn num_vars(&self) -> usize {
        self.num_vars
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    /// The rows in the order in which they were added.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.shared.iter().chain(&self.own)
    }

    /// Whether `point` satisfies all rows, computed exactly.
    pub fn is_satisfied(&self, point: &[u64]) -> bool {
        point.len() == self.num_vars && self.rows().all(|row| row.is_satisfied(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_one_variable_are_added() {
        let row = Row::new([(2, 3), (0, 1), (2, -3), (0, 1)], Relation::Equal, 4);
        assert_eq!(row.terms(), [(0, 2)]);
    }

    #[test]
    fn divisibility() {
        let refuted = |terms: &[(u32, i64)], relation, bound| {
            Row::new(terms.iter().copied(), relation, bound).is_refuted_by_divisibility()
        };
        assert!(refuted(&[(0, 2), (1, -4)], Relation::Equal, 3));
        assert!(!refuted(&[(0, 2), (1, -4)], Relation::Equal, 6));
        assert!(!refuted(&[(0, 2), (1, -4)], Relation::AtLeast, 3));
        assert!(refuted(&[], Relation::AtLeast, 1));
        assert!(!refuted(&[], Relation::Equal, 0));
    }

    #[test]
    fn satisfaction_is_exact_for_large_coefficients() {
        let row = Row::new([(0, 1_000_000_007), (1, -1_000_000_009)], Relation::Equal, 1);
        assert!(!row.is_satisfied(&[1_000_000_009, 1_000_000_007]));
        assert!(row.is_satisfied(&[500_000_004, 500_000_003]));
    }

    #[test]
    fn clones_share_rows() {
        let mut problem = Problem::new(2);
        problem.add(Row::at_least(0, 1));
        problem.share_rows();
        let refined = problem.with(Row::at_most(1, 3));
        assert_eq!((problem.num_rows(), refined.num_rows()), (1, 2));
        assert!(Arc::ptr_eq(&problem.shared, &refined.shared));
    }
}
