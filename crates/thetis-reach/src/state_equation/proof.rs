//! From certificates of integer programs to refutations of the state equation.

use num_traits::ToPrimitive;
use thetis_ilp::{Certificate, Problem, Relation};
use thetis_model::petri::{Refutation, Row, Step, TransitionId};

/// The refutation that `certificate` gives for `problem`, whose rows have the given names. `None` if it rests on a
/// solver's bare answer or its numbers are too large.
pub(super) fn refutation(certificate: &Certificate, problem: &Problem, names: &[Row]) -> Option<Refutation> {
    let relations: Vec<Relation> = problem.rows().map(|row| row.relation()).collect();
    translate(certificate, problem, &mut names.to_vec(), &mut relations.clone(), 0)
}

fn translate(
    certificate: &Certificate,
    problem: &Problem,
    names: &mut Vec<Row>,
    relations: &mut Vec<Relation>,
    depth: usize,
) -> Option<Refutation> {
    match certificate {
        Certificate::Gcd { row } => divisibility(problem, names, *row),
        Certificate::Farkas { multipliers } => {
            let mut sum = Vec::new();
            for ((name, relation), multiplier) in names.iter().zip(&*relations).zip(multipliers) {
                let multiplier = multiplier.to_i128()?;
                // Rows of the proof are all `≥` or `=`.
                let multiplier = if *relation == Relation::AtMost { -multiplier } else { multiplier };
                if multiplier != 0 {
                    sum.push((*name, multiplier));
                }
            }
            Some(Refutation::Cuts(vec![Step::sum(sum)]))
        }
        Certificate::Split { var, bound, below, above } => {
            names.push(Row::Branch(depth));
            relations.push(Relation::AtMost);
            let few = translate(below, problem, names, relations, depth + 1);
            *relations.last_mut()? = Relation::AtLeast;
            let many = translate(above, problem, names, relations, depth + 1);
            names.pop();
            relations.pop();
            Some(Refutation::Branch {
                transition: TransitionId::from(*var as usize),
                at: u64::try_from(*bound).ok()?,
                few: Box::new(few?),
                many: Box::new(many?),
            })
        }
        Certificate::Solver { .. } => None,
    }
}

/// A row that no integers satisfy: the equation is divided by the common divisor, rounded up, multiplied again and compared.
fn divisibility(problem: &Problem, names: &[Row], number: usize) -> Option<Refutation> {
    let row = problem.rows().nth(number)?;
    let name = *names.get(number)?;
    if row.terms().is_empty() {
        let sign = if row.bound() > 0 { 1 } else { -1 };
        return Some(Refutation::Cuts(vec![Step::sum(vec![(name, sign)])]));
    }
    let divisor = row.terms().iter().fold(0u64, |divisor, (_, factor)| gcd(divisor, factor.unsigned_abs()));
    let divisor = i128::from(divisor);
    let divided = Step { sum: vec![(name, 1)], divisor };
    let compared = Step::sum(vec![(Row::Step(0), divisor), (name, -1)]);
    Some(Refutation::Cuts(vec![divided, compared]))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
