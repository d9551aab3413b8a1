//! Exact refutations: divisibility, multipliers of Farkas, and splits into cases.
//!
//! The shape of the proof is found with floating-point numbers wherever they are good enough; a leaf of the proof is
//! accepted only after its exact check. Where the floating-point solver errs, the exact simplex decides.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use thetis_base::{Run, Stop};

use crate::certificate::halves;
use crate::float::{NO_NODES, Numbers, Opinion, solve};
use crate::simplex::{self, Exact};
use crate::{Certificate, IlpConfig, Problem, farkas};

/// The outcome of an attempt to refute a problem.
pub(crate) enum Refuted {
    /// A verified certificate.
    Yes(Certificate),
    /// On the contrary: a solution, exactly checked.
    No(Vec<u64>),
    /// A limit was reached.
    Open,
}

/// An attempt to refute a problem.
pub(crate) struct Refuter<'c> {
    config: &'c IlpConfig,
    leaves: u32,
    /// How many leaves needed the exact simplex.
    pub(crate) exact_leaves: u64,
}

/// How one case looks without its integrality.
enum Case {
    Refuted(Certificate),
    Solved(Vec<u64>),
    /// The variable has a value strictly between `bound` and `bound + 1`.
    Fractional {
        var: u32,
        bound: i64,
    },
    Open,
}

impl<'c> Refuter<'c> {
    pub(crate) fn new(config: &'c IlpConfig) -> Refuter<'c> {
        Refuter { config, leaves: 0, exact_leaves: 0 }
    }

    /// Refutes `problem`, or finds that it has a solution.
    pub(crate) fn refute(&mut self, problem: &Problem, run: &Run) -> Result<Refuted, Stop> {
        match self.look(problem, run)? {
            Case::Refuted(certificate) => {
                self.leaves += 1;
                Ok(Refuted::Yes(certificate))
            }
            Case::Solved(point) => Ok(Refuted::No(point)),
            Case::Fractional { var, bound } => self.split(problem, var, bound, run),
            Case::Open => Ok(Refuted::Open),
        }
    }

    /// Recursion is as deep as the splits, of which there are at most twice the leaves.
    fn split(&mut self, problem: &Problem, var: u32, bound: i64, run: &Run) -> Result<Refuted, Stop> {
        self.leaves += 1;
        if self.leaves > self.config.max_leaves {
            return Ok(Refuted::Open);
        }
        let (lower, upper) = halves(problem, var, bound);
        let below = match self.refute(&lower, run)? {
            Refuted::Yes(certificate) => Box::new(certificate),
            other => return Ok(other),
        };
        let above = match self.refute(&upper, run)? {
            Refuted::Yes(certificate) => Box::new(certificate),
            other => return Ok(other),
        };
        Ok(Refuted::Yes(Certificate::Split { var, bound, below, above }))
    }

    fn look(&mut self, problem: &Problem, run: &Run) -> Result<Case, Stop> {
        if let Some(row) = problem.rows().position(|row| row.is_refuted_by_divisibility()) {
            return Ok(Case::Refuted(Certificate::Gcd { row }));
        }
        if let Some(certificate) = farkas::find(problem, run)? {
            return Ok(Case::Refuted(certificate));
        }
        if let Opinion::Point(values) = solve(problem, Numbers::Real, NO_NODES, run)? {
            let case = look_at_point(problem, &values);
            if !matches!(case, Case::Open) {
                return Ok(case);
            }
        }
        self.exact_leaves += 1;
        Ok(match simplex::decide(problem, self.config, run)? {
            Exact::Infeasible(certificate) if certificate.verify(problem) => Case::Refuted(certificate),
            Exact::Infeasible(_) | Exact::TooLarge => Case::Open,
            Exact::Vertex { numerators, denominator } => look_at_vertex(problem, &numerators, &denominator),
        })
    }
}

/// Rounds `values`; `None` if one is negative or too large.
pub(crate) fn round(values: &[f64]) -> Option<Vec<u64>> {
    let round = |value: &f64| {
        let rounded = value.round();
        (0.0..9e15).contains(&rounded).then_some(rounded as u64)
    };
    values.iter().map(round).collect()
}

fn look_at_point(problem: &Problem, values: &[f64]) -> Case {
    if let Some(point) = round(values).filter(|point| problem.is_satisfied(point)) {
        return Case::Solved(point);
    }
    let distance = |value: f64| (value - value.round()).abs();
    let widest = (0..values.len()).max_by(|a, b| distance(values[*a]).total_cmp(&distance(values[*b])));
    match widest {
        Some(var) if distance(values[var]) > 1e-6 && values[var] < 9e15 => {
            Case::Fractional { var: var as u32, bound: values[var].floor() as i64 }
        }
        _ => Case::Open,
    }
}

fn look_at_vertex(problem: &Problem, numerators: &[BigInt], denominator: &BigInt) -> Case {
    let fractional = numerators.iter().position(|numerator| !numerator.is_multiple_of(denominator));
    if let Some(var) = fractional {
        return match numerators[var].div_floor(denominator).to_i64() {
            Some(bound) if bound < i64::MAX => Case::Fractional { var: var as u32, bound },
            _ => Case::Open,
        };
    }
    let point: Option<Vec<u64>> =
        numerators.iter().map(|numerator| (numerator / denominator).to_u64()).collect();
    point.filter(|point| problem.is_satisfied(point)).map_or(Case::Open, Case::Solved)
}
