//! What the engine counts.

use thetis_base::Statistics;

/// Counters of the search.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counters {
    pub(super) cases: u64,
    pub(super) traps: u64,
    pub(super) vectors: u64,
    pub(super) partials: u64,
    pub(super) skipped: u64,
    pub(super) better: u64,
    pub(super) distant: u64,
    pub(super) jumps: u64,
    pub(super) steps: u64,
}

impl Counters {
    pub(super) fn report(&self) -> Statistics {
        Statistics::new("state-equation")
            .count("cases", self.cases)
            .count("traps", self.traps)
            .count("solution-vectors", self.vectors)
            .count("partial-solutions", self.partials)
            .count("skipped", self.skipped)
            .count("better-intermediate", self.better)
            .count("distant-invariants", self.distant)
            .count("jumps", self.jumps)
            .count("tree-steps", self.steps)
    }
}
