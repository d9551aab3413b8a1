//! Constraints that steer the integer program to other solution vectors: jumps and increments.
//!
//! A *jump* `|t| < n` leads to an incomparable solution, an *increment* `Σ c·|t| ≥ n` to a greater one. Jumps would
//! contradict later increments; therefore they are replaced by the lower bounds `|t| ≥ z(t)` of the solution `z` that
//! they led to (algorithm 1.3, "transform jumps"). Lower bounds are increments, but are kept apart because there is
//! one for each transition and a later one includes all earlier ones.

use std::collections::BTreeMap;

use thetis_ilp::{Problem, Relation, Row};
use thetis_model::petri::{Net, PlaceId, TransitionId};

/// Firing counts of all transitions, in their order.
pub(super) type Vector = Vec<u64>;

/// The constraints that were added to the state equation.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Constraints {
    /// The greatest count that the jumps allow.
    jumps: BTreeMap<TransitionId, u64>,
    /// In ascending order, so that equal sets are equal.
    increments: Vec<Increment>,
    /// Lower bounds of all counts; empty for none.
    floor: Vector,
}

/// `Σ coefficient · |transition| ≥ bound`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Increment {
    /// The transitions with their coefficients.
    pub terms: Vec<(TransitionId, i64)>,
    /// The right side.
    pub bound: i64,
}

impl Constraints {
    /// With the jump `|transition| < count`.
    pub(super) fn with_jump(&self, transition: TransitionId, count: u64) -> Constraints {
        let mut constraints = self.clone();
        let limit = constraints.jumps.entry(transition).or_insert(u64::MAX);
        *limit = (*limit).min(count - 1);
        constraints
    }

    /// Algorithm 1.3: without jumps, but above `solution`, to which they led.
    pub(super) fn transform_jumps(&self, solution: &Vector) -> Constraints {
        Constraints { jumps: BTreeMap::new(), increments: self.increments.clone(), floor: solution.clone() }
    }

    /// Adds an increment constraint.
    pub(super) fn add(&mut self, increment: Increment) {
        if let Err(at) = self.increments.binary_search(&increment) {
            self.increments.insert(at, increment);
        }
    }

    /// The increment constraints.
    pub(super) fn increments(&self) -> &[Increment] {
        &self.increments
    }

    /// `equation` with these constraints.
    pub(super) fn apply(&self, equation: &Problem) -> Problem {
        let mut problem = equation.clone();
        for (transition, limit) in &self.jumps {
            problem.add(Row::at_most(transition.index() as u32, clamp(*limit)));
        }
        for (index, count) in self.floor.iter().enumerate().filter(|(_, count)| **count > 0) {
            problem.add(Row::at_least(index as u32, clamp(*count)));
        }
        for increment in &self.increments {
            let terms =
                increment.terms.iter().map(|(transition, factor)| (transition.index() as u32, *factor));
            problem.add(Row::new(terms, Relation::AtLeast, increment.bound));
        }
        problem
    }
}

/// How many more tokens are wanted on places, or how many fewer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    More(i64),
    Fewer(i64),
}

impl Wanted {
    pub(super) fn number(self) -> i64 {
        let (Wanted::More(number) | Wanted::Fewer(number)) = self;
        number
    }
}

/// Step 3 of algorithms 1.4 and 1.8: transitions that may take part must bring `wanted` tokens onto (off) `places`, in addition
/// to what they brought in `fired`. `None` if no transition can.
pub(super) fn token_constraint(
    net: &Net,
    places: &[PlaceId],
    wanted: Wanted,
    fired: &Vector,
    may_help: impl Fn(TransitionId) -> bool,
) -> Option<Increment> {
    let mut gains: BTreeMap<TransitionId, i64> = BTreeMap::new();
    for changer in places.iter().flat_map(|place| net.changers(*place)) {
        let gain = if matches!(wanted, Wanted::More(_)) { changer.delta } else { -changer.delta };
        let sum = gains.entry(changer.transition).or_insert(0);
        *sum = sum.saturating_add(gain);
    }
    let terms: Vec<(TransitionId, i64)> =
        gains.into_iter().filter(|(transition, gain)| *gain > 0 && may_help(*transition)).collect();
    let brought = terms.iter().try_fold(wanted.number(), |sum, (transition, gain)| {
        sum.checked_add(gain.checked_mul(i64::try_from(fired[transition.index()]).ok()?)?)
    });
    match brought {
        Some(bound) if !terms.is_empty() => Some(Increment { terms, bound }),
        _ => None,
    }
}

fn clamp(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
