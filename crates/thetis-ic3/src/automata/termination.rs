//! When the search may end: frames that are equal, or stable iterations.
//!
//! If all `Δ(i, ·)` are empty, the frames of levels `i` and `i + 1` are equal, so they contain all reachable states.
//! The further criteria of Mertens 2016 end the search after more stable iterations (those without a new obligation)
//! than the elementary cycles of the automaton have edges. Their proof is only sketched there. Here they say when to
//! search for a level whose frame is inductive; only such a frame ends the search.

use super::cycles::{ParallelEdges, cycle_sum};
use super::questions::{End, Purpose};
use super::search::{Entry, LocalFrameSearch};
use crate::config::Termination;

impl LocalFrameSearch<'_> {
    /// Computes the sum that the criterion needs.
    pub(super) fn count_cycles(&mut self) {
        let parallel = match self.config.termination {
            Termination::Original => return,
            Termination::New => ParallelEdges::Count,
            Termination::Greedy => ParallelEdges::CountOnce,
        };
        self.questions.stats.cycle_sum = cycle_sum(&self.task.model, &self.graph, parallel);
    }

    /// A level up to `last` whose frame is an invariant, if one is known.
    pub(super) fn invariant_level(&mut self, last: usize) -> Result<Option<usize>, End> {
        if let Some(level) = (1..=last).find(|level| self.frames.is_fixed(*level)) {
            return Ok(Some(level));
        }
        let is_stable = self.questions.stats.cycle_sum.is_some_and(|sum| self.num_stable > sum);
        if !is_stable {
            return Ok(None);
        }
        self.questions.stats.criterion_checks += 1;
        self.questions.purpose = Purpose::Termination;
        for level in (1..=last).rev() {
            if self.is_inductive(level)? {
                self.questions.stats.criterion_stops += 1;
                return Ok(Some(level));
            }
        }
        // Searching again in every iteration would cost more than it saves.
        self.num_stable = 0;
        Ok(None)
    }

    /// Whether no edge leads out of the frame of `level`.
    fn is_inductive(&mut self, level: usize) -> Result<bool, End> {
        for location in self.task.model.locations.indices() {
            for cube in self.frames.delta(level, location).to_vec() {
                if !matches!(self.entry_above(level + 1, location, &cube)?, Entry::Unreached(_)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
