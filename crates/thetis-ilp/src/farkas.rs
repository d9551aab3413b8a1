//! Farkas certificates found by the floating-point solver and made exact.
//!
//! A problem without real solutions has multipliers `y` of its rows with `yᵀA ≤ 0` and `yᵀb > 0`. They are found by a
//! second linear program, which minimises `Σ|y|` under `yᵀA ≤ 0` and `yᵀb ≥ 1`, so that few rows take part and the
//! numbers are simple fractions. The fractions are recognised, scaled to integers and checked exactly. With many rows
//! and very different coefficients, the fractions are not simple and the check fails; then the exact simplex method
//! is used.

use microlp::{ComparisonOp, OptimizationDirection, Variable};
use num_bigint::BigInt;
use thetis_base::{Run, Stop};

use crate::float::{NO_NODES, Opinion, solve_model};
use crate::rational::scale_to_integers;
use crate::{Certificate, Problem, Relation};

/// A verified certificate for `problem`, if floating-point numbers lead to one.
pub(crate) fn find(problem: &Problem, run: &Run) -> Result<Option<Certificate>, Stop> {
    let system = System::new(problem);
    let Opinion::Point(point) = solve_model(&system.model, &system.vars, NO_NODES, run)? else {
        return Ok(None);
    };
    let Some(numbers) = scale_to_integers(&system.multipliers(&point)) else { return Ok(None) };
    let certificate = Certificate::Farkas { multipliers: numbers.into_iter().map(BigInt::from).collect() };
    Ok(certificate.verify(problem).then_some(certificate))
}

/// The linear program for the multipliers. Each row of the problem has variables that are not negative: one that
/// counts for the row, one that counts against it, or both.
struct System {
    model: microlp::Problem,
    vars: Vec<Variable>,
    /// The row and the sign of each variable.
    parts: Vec<(usize, f64)>,
    num_rows: usize,
}

impl System {
    fn new(problem: &Problem) -> System {
        let mut model = microlp::Problem::new(OptimizationDirection::Minimize);
        let (mut vars, mut parts) = (Vec::new(), Vec::new());
        let mut columns: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); problem.num_vars()];
        let mut gain = Vec::new();
        for (number, row) in problem.rows().enumerate() {
            for sign in signs(row.relation()) {
                let var = model.add_var(1.0, (0.0, f64::INFINITY));
                vars.push(var);
                parts.push((number, *sign));
                for (column, coefficient) in row.terms() {
                    columns[*column as usize].push((var, sign * *coefficient as f64));
                }
                gain.push((var, sign * row.bound() as f64));
            }
        }
        for column in columns {
            model.add_constraint(column, ComparisonOp::Le, 0.0);
        }
        gain.retain(|(_, bound)| *bound != 0.0);
        model.add_constraint(gain, ComparisonOp::Ge, 1.0);
        System { model, vars, parts, num_rows: problem.num_rows() }
    }

    fn multipliers(&self, point: &[f64]) -> Vec<f64> {
        let mut multipliers = vec![0.0; self.num_rows];
        for ((row, sign), value) in self.parts.iter().zip(point) {
            multipliers[*row] += sign * value;
        }
        multipliers
    }
}

fn signs(relation: Relation) -> &'static [f64] {
    match relation {
        Relation::AtLeast => &[1.0],
        Relation::Equal => &[1.0, -1.0],
        Relation::AtMost => &[-1.0],
    }
}
