//! What a run of the loop knows, also when it was stopped: for other engines, and for a later run.

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
    /// What is tracked at single locations besides.
    pub at: BTreeMap<LocId, Tracked>,
}

/// What is known of an automaton besides the verdict.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// What the last abstraction tracked.
    pub tracked: TrackedAt,
    /// For each location a formula that holds whenever a run is there; only where the abstraction was complete. Nobody
    /// should rely on them for a `Safe` without checking them.
    pub invariants: Option<BTreeMap<LocId, ExprId>>,
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
