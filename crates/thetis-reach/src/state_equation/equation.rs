//! The state equation of one case of the target as an integer program.
//!
//! A marking constraint `a·m ≥ b` becomes the row `(a·C)·x ≥ b − a·m0` on firing counts (section 1.2.1 of the source),
//! so predicates cost nothing extra. One such row for each place that could become negative says that it does not.
//! Traps with a token at the start and siphons without one add rows that every reachable marking satisfies.

use std::collections::BTreeMap;

use thetis_ilp::{Problem, Relation, Row};
use thetis_model::petri::{self, Case, Constraint, ConstraintKind, Net, PlaceId};

use super::constraints::Vector;

/// A number of the equation does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLarge;

/// Facts about all reachable markings.
#[derive(Clone, Default)]
pub(super) struct Facts {
    /// Traps with a token at the start.
    pub(super) traps: Vec<Vec<PlaceId>>,
    /// Siphons without one.
    pub(super) siphons: Vec<Vec<PlaceId>>,
}

/// The state equation with a target.
#[derive(Clone)]
pub(super) struct Equation {
    /// The integer program.
    pub(super) problem: Problem,
    /// What each row of the program is.
    pub(super) names: Vec<petri::Row>,
}

impl Equation {
    /// The equation for the constraints of `case`.
    pub(super) fn new(net: &Net, case: &Case, facts: &Facts) -> Result<Equation, TooLarge> {
        let mut equation = Equation { problem: Problem::new(net.transitions().len()), names: Vec::new() };
        for (index, constraint) in case.constraints().iter().enumerate() {
            equation.add(petri::Row::Target(index), row(net, constraint)?);
        }
        let mut is_bounded = vec![false; net.places().len()];
        case.constraints()
            .iter()
            .filter_map(bounded_place)
            .for_each(|place| is_bounded[place.index()] = true);
        for place in net.place_ids() {
            let can_fall = net.changers(place).iter().any(|changer| changer.delta < 0);
            if can_fall && !is_bounded[place.index()] {
                equation.add(petri::Row::Place(place), row(net, &at_least(&[place], 1, 0))?);
            }
        }
        for (index, trap) in facts.traps.iter().enumerate() {
            equation.add(petri::Row::Trap(index), row(net, &at_least(trap, 1, 1))?);
        }
        for (index, siphon) in facts.siphons.iter().enumerate() {
            equation.add(petri::Row::Siphon(index), row(net, &at_least(siphon, -1, 0))?);
        }
        equation.problem.share_rows();
        Ok(equation)
    }

    /// Whether these firing counts lead to a marking that satisfies the constraints of the case.
    pub(super) fn is_satisfied(&self, counts: &Vector) -> bool {
        self.problem.is_satisfied(counts)
    }

    fn add(&mut self, name: petri::Row, row: Row) {
        self.names.push(name);
        self.problem.add(row);
    }
}

/// The place whose tokens `constraint` bounds from below by a number that is not negative.
fn bounded_place(constraint: &Constraint) -> Option<PlaceId> {
    match constraint.terms.as_slice() {
        [(place, 1)] if constraint.bound >= 0 => Some(*place),
        _ => None,
    }
}

fn at_least(places: &[PlaceId], factor: i64, bound: i128) -> Constraint {
    let terms = places.iter().map(|place| (*place, factor)).collect();
    Constraint { terms, kind: ConstraintKind::AtLeast, bound }
}

/// `a·m ≥ b` as `(a·C)·x ≥ b − a·m0`.
fn row(net: &Net, constraint: &Constraint) -> Result<Row, TooLarge> {
    let mut sums: BTreeMap<u32, i128> = BTreeMap::new();
    let mut bound = constraint.bound;
    for (place, factor) in &constraint.terms {
        let factor = i128::from(*factor);
        bound = bound.saturating_sub(factor * i128::from(net.places()[*place].initial));
        for changer in net.changers(*place) {
            let sum = sums.entry(changer.transition.index() as u32).or_insert(0);
            *sum = sum.saturating_add(factor * i128::from(changer.delta));
        }
    }
    let fit = |number: i128| i64::try_from(number).map_err(|_| TooLarge);
    let terms = sums.into_iter().map(|(t, sum)| Ok((t, fit(sum)?))).collect::<Result<Vec<_>, TooLarge>>()?;
    let relation = match constraint.kind {
        ConstraintKind::AtLeast => Relation::AtLeast,
        ConstraintKind::Equal => Relation::Equal,
    };
    Ok(Row::new(terms, relation, fit(bound)?))
}
