//! Runs and proofs of nets.
//!
//! # Proofs by the state equation
//! Every reachable marking is `m = m0 + C·x` for some vector `x` of firing counts: natural numbers. So it suffices to show that no
//! such `x` gives a marking that satisfies the target. A [`StateEquationProof`] is a tree:
//!
//! * [`Refutation::Cases`] splits the target at one of its open choices ([`Case::split`](super::Case::split)), one refutation for each
//!   alternative;
//! * [`Refutation::Branch`] splits the numbers: `x(t) <= k` on one side, `x(t) >= k + 1` on the other;
//! * [`Refutation::Cuts`] ends a path by linear arithmetic over *rows* `c·x >= d` with integers `c` and `d`. Each [`Step`] adds up
//!   rows with multipliers, which are non-negative except for equations, and may then divide by a positive integer and round every
//!   number *up*, which is sound because `x` is a vector of natural numbers. The last step must arrive at `c <= 0` and `d > 0`,
//!   which no `x` satisfies.
//!
//! One step without rounding is a certificate in the sense of Farkas. The gcd test is two steps: an equation `g·c·x = d` where `g` does
//! not divide `d` becomes `c·x >= ceil(d / g)`, and `g` times that minus the equation is `0 >= 1` or worse. Any
//! cutting plane of Chvátal and Gomory is a step. Constraints on markings become rows by the state equation: `a·m >= b` is
//! `(a·C)·x >= b - a·m0`.
//!
//! # Proofs by induction
//! An inductive predicate is the most direct proof: [`PetriProof::Invariant`]. It may be any Boolean combination of linear
//! comparisons of token counts, so that it can contain both place invariants (`p + q = 1`) and clauses.

use super::{PlaceId, Predicate, TransitionId};
use crate::sts::Paths;

/// A firing sequence from the initial marking to one that satisfies the target. A transition that fires a billion times in
/// succession takes no more space than one that fires once.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PetriTrace {
    /// What fires, in order.
    pub rounds: Vec<Round>,
}

/// Consecutive firings of one transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The transition.
    pub transition: TransitionId,
    /// How often it fires.
    pub count: u64,
}

impl PetriTrace {
    /// The sequence of these firings.
    pub fn of(firings: impl IntoIterator<Item = TransitionId>) -> PetriTrace {
        firings.into_iter().map(|transition| Round { transition, count: 1 }).collect()
    }

    /// How many firings there are.
    pub fn num_firings(&self) -> u128 {
        self.rounds.iter().map(|round| u128::from(round.count)).sum()
    }

    /// The firings one by one; there may be too many to be collected.
    pub fn firings(&self) -> impl Iterator<Item = TransitionId> {
        self.rounds.iter().flat_map(|round| (0..round.count).map(|_| round.transition))
    }
}

/// Rounds of the same transition that follow each other are joined.
impl FromIterator<Round> for PetriTrace {
    fn from_iter<I: IntoIterator<Item = Round>>(given: I) -> PetriTrace {
        let mut rounds: Vec<Round> = Vec::new();
        for round in given {
            match rounds.last_mut() {
                Some(last) if last.transition == round.transition => {
                    match last.count.checked_add(round.count) {
                        Some(count) => last.count = count,
                        None => rounds.push(round),
                    }
                }
                _ => rounds.push(round),
            }
        }
        PetriTrace { rounds }
    }
}

/// A certificate that no reachable marking satisfies the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PetriProof {
    /// Not even the state equation has a solution that satisfies the target.
    StateEquation(StateEquationProof),
    /// Exploring all markings finds exactly this number, none of which satisfies the target. It is checked by exploring
    /// again.
    StateSpace {
        /// How many markings are reachable.
        num_markings: u64,
    },
    /// Exploring the markings along stubborn sets does not find the target. It is checked by exploring again, along sets
    /// that the checker chooses.
    ReducedStateSpace,
    /// A predicate that the initial marking satisfies, that every firing preserves, and that contradicts the target.
    Invariant(Predicate),
    /// No run of at most `k` markings ends in the target, and if the first `k` of `k + 1` consecutive markings do not
    /// satisfy the target, the last one does not either.
    KInductive {
        /// The number of markings.
        k: u32,
        /// A predicate that the initial marking satisfies and that every firing preserves; it may be assumed of all
        /// markings above.
        lemma: Predicate,
        /// Which sequences of `k + 1` markings have to be considered.
        paths: Paths,
    },
}

/// The state equation and a few facts about the net contradict the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateEquationProof {
    /// Traps with a token at the start: each transition that takes from one also puts into it, so a token always stays. Each
    /// is the constraint `sum >= 1`.
    pub traps: Vec<Vec<PlaceId>>,
    /// Siphons without a token at the start: each transition that puts into one also takes from it, so it stays empty. Each
    /// is the constraint `-sum >= 0`.
    pub siphons: Vec<Vec<PlaceId>>,
    /// Why the target cannot hold; for [`Case::new`](super::Case::new) of the target.
    pub refutation: Refutation,
}

/// Why a case has no solution: see [`StateEquationProof`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// None of the alternatives of an open choice has one.
    Cases {
        /// Which of the open choices.
        choice: usize,
        /// A refutation for each alternative, in order.
        alternatives: Vec<Refutation>,
    },
    /// There is none with few firings of a transition, and none with many.
    Branch {
        /// The transition.
        transition: TransitionId,
        /// The greatest number that counts as few.
        at: u64,
        /// With `x(transition) <= at`.
        few: Box<Refutation>,
        /// With `x(transition) >= at + 1`.
        many: Box<Refutation>,
    },
    /// The rows contradict each other; the last step says how.
    Cuts(Vec<Step>),
}

/// A row from earlier ones: their sum with multipliers, divided and rounded up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Rows with their multipliers; negative ones only for equations.
    pub sum: Vec<(Row, i128)>,
    /// The divisor; positive, and one if nothing is to be divided.
    pub divisor: i128,
}

/// A row that a [`Step`] may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Row {
    /// A constraint of the case, by its index.
    Target(usize),
    /// The tokens of a place are not negative.
    Place(PlaceId),
    /// A trap of the proof, by its index.
    Trap(usize),
    /// A siphon of the proof, by its index.
    Siphon(usize),
    /// A decision on the way from the root, by its index: `-x(t) >= -at` or `x(t) >= at + 1`.
    Branch(usize),
    /// An earlier step, by its index.
    Step(usize),
}

impl Step {
    /// The sum of `rows` without division.
    pub fn sum(rows: Vec<(Row, i128)>) -> Step {
        Step { sum: rows, divisor: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_one_transition_are_joined() {
        let [t, u] = [0, 1].map(TransitionId::from);
        let trace = PetriTrace::of([t, t, u, t]);
        let counts: Vec<u64> = trace.rounds.iter().map(|round| round.count).collect();
        assert_eq!(counts, [2, 1, 1]);
        assert_eq!(trace.firings().collect::<Vec<_>>(), [t, t, u, t]);
        let most = Round { transition: t, count: u64::MAX };
        let long: PetriTrace = [most, most].into_iter().collect();
        assert_eq!((long.rounds.len(), long.num_firings()), (2, 2 * u128::from(u64::MAX)));
    }
}
