//! What a run of the loop knows, even if it was stopped: for other engines, and for a later run.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::LocId;

/// What is tracked at a place, in plain terms.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tracked {
    /// The variables that are tracked by value.
    pub variables: BTreeSet<VarId>,
    /// The predicates.
    pub predicates: BTreeSet<ExprId>,
}

/// A precision in plain terms.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TrackedAt {
    /// What is tracked everywhere.
    pub everywhere: Tracked,
    /// What is also tracked at single locations.
    pub at: BTreeMap<LocId, Tracked>,
}

/// What is known of an automaton besides the verdict.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// What the last abstraction tracked.
    pub tracked: TrackedAt,
    /// For each location a formula that holds whenever a run is there; only if the abstraction was complete. They must
    /// be checked before a `Safe` verdict relies on them.
    pub invariants: Option<BTreeMap<LocId, ExprId>>,
}

/// What was tracked in the rounds of a run, the last one last. Of long runs only some rounds are kept, evenly spread.
#[derive(Clone, Default, Debug)]
pub(crate) struct History {
    rounds: Vec<TrackedAt>,
    /// How many rounds were not kept since the last one that was.
    skipped: usize,
    /// One of this many rounds is kept.
    stride: usize,
    last: TrackedAt,
}

/// The number of rounds that are kept.
const MAX_ROUNDS: usize = 32;

impl History {
    /// Adds a round.
    pub(crate) fn push(&mut self, tracked: TrackedAt) {
        if tracked == self.last {
            return;
        }
        self.last = tracked;
        self.skipped += 1;
        if self.skipped >= self.stride {
            self.skipped = 0;
            self.rounds.push(self.last.clone());
        }
        if self.rounds.len() > MAX_ROUNDS {
            let mut is_kept = false;
            self.rounds.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.stride = (self.stride * 2).max(2);
        }
    }

    /// What was tracked at the end.
    pub(crate) fn last(&self) -> TrackedAt {
        self.last.clone()
    }

    /// What was tracked at the end, after half of the rounds, after a quarter, and so on down to the first.
    pub(crate) fn newest_first(&self) -> Vec<TrackedAt> {
        let mut precisions = vec![self.last.clone()];
        let mut number = self.rounds.len();
        while number > 0 {
            number /= 2;
            precisions
                .extend(self.rounds.get(number).filter(|round| Some(*round) != precisions.last()).cloned());
        }
        precisions
    }
}

impl Tracked {
    /// How many variables and predicates there are.
    pub fn len(&self) -> usize {
        self.variables.len() + self.predicates.len()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl TrackedAt {
    /// How many variables and predicates there are at all places together.
    pub fn len(&self) -> usize {
        self.everywhere.len() + self.at.values().map(Tracked::len).sum::<usize>()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};

    use super::*;

    #[test]
    fn a_history_is_short_and_goes_back_to_its_beginning() {
        let store = Store::new();
        let mut history = History::default();
        let mut tracked = TrackedAt::default();
        let mut lengths = |num_rounds: usize| {
            for _ in 0..num_rounds {
                let var = store.declare(&format!("x{}", tracked.len()), Sort::Int);
                tracked.everywhere.variables.insert(var);
                history.push(tracked.clone());
            }
            history.newest_first().iter().map(TrackedAt::len).collect::<Vec<usize>>()
        };
        assert_eq!(lengths(0), [0]);
        assert_eq!(lengths(1), [1]);
        assert_eq!(lengths(4), [5, 3, 2, 1]);
        let long = lengths(1000);
        assert!(long.len() <= 7 && long.is_sorted_by(|newer, older| newer > older), "{long:?}");
        assert_eq!((long[0], long[long.len() - 1]), (1005, 1));
    }
}
