//! Explicit-state search of Petri nets.
//!
//! # Problem and method
//! The engine visits the reachable markings one by one until one satisfies the target or none is left. Three techniques
//! make this scale:
//!
//! * **Compact markings**: each place has a field of 1, 2, 4, … or 64 bits, and a marking is a few machine words. Fields start
//!   small; when a count does not fit, its field is widened and everything is repacked, which happens a few times early on.
//! * **A compact visited set**: markings are stored consecutively in blocks, a hash table holds their numbers, and
//!   each marking remembers only the number of its predecessor; the transitions of a trace are reconstructed at the
//!   end.
//! * **Stubborn sets**: in each marking only those transitions are fired that suffice to reach the target; see [`stubborn`].
//!
//! # Answers
//! * `Unsafe` with the firing sequence; with breadth-first search and without reduction it is a shortest one.
//! * `Safe` when all markings (or, with stubborn sets, enough of them) have been visited. The checker verifies it
//!   by repeating the exploration.
//! * `Unknown` if a count leaves 64 bits, or if the visited set was `compact`: it keeps only fingerprints, needs the
//!   least memory, and may confuse two markings, so it can find a target but not refute it.
//!
//! An unbounded net is explored until the budget is used up.

mod compact;
mod hash;
mod layout;
mod search;
mod stubborn;
mod visited;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::petri::{Net, PetriProof, PetriTrace, Question};
use thetis_model::{Evidence, Reason, Task, Verdict};

use search::MarkingSearch;

/// Options of [`Explicit`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ExplicitConfig {
    /// Which marking is expanded next.
    pub search: SearchOrder,
    /// Which transitions are fired.
    pub reduction: Reduction,
    /// What is kept of visited markings.
    pub visited: VisitedSet,
}

/// Which marking is expanded next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// The oldest.
    #[default]
    Bfs,
    /// The newest.
    Dfs,
}

/// Which transitions are fired.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// All that are enabled.
    None,
    /// Those of a stubborn set, if there is a target.
    #[default]
    Stubborn,
}

/// What is kept of visited markings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VisitedSet {
    /// The markings.
    #[default]
    Full,
    /// Fingerprints of 64 bits. The search is depth-first and cannot prove anything.
    Compact,
}

/// The engine. See the [module](self).
#[derive(Default)]
pub struct Explicit {
    config: ExplicitConfig,
    stats: ExplicitStats,
}

/// What the search has counted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ExplicitStats {
    /// The markings seen.
    pub markings: u64,
    /// The firings, those into known markings included.
    pub firings: u64,
    /// The memory of the visited set.
    pub bytes: u64,
    /// The most tokens in one place; only if all markings were expanded without reduction.
    pub max_tokens_in_place: u64,
    /// The most tokens in one marking; likewise.
    pub max_tokens: u128,
    /// Whether a stubborn set has left out an enabled transition.
    pub is_reduced: bool,
}

/// How a search ended.
enum SearchEnd {
    /// With a firing sequence to the target.
    Found(PetriTrace),
    /// Without the target.
    Exhausted,
    /// Because a count would leave 64 bits.
    Overflow,
}

impl Explicit {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "explicit",
        summary: "visits the reachable markings, along stubborn sets",
        answers: "everything about nets whose markings fit into memory",
    };

    /// An engine with these options.
    pub fn new(config: ExplicitConfig) -> Explicit {
        Explicit { config, stats: ExplicitStats::default() }
    }

    /// The counters of the last check.
    pub fn stats(&self) -> &ExplicitStats {
        &self.stats
    }

    fn uses_stubborn_sets(&self, task: &Task<Net>) -> bool {
        let has_target = !matches!(task.property.question(), Question::StateSpace | Question::Explore);
        has_target && self.config.reduction == Reduction::Stubborn
    }
}

impl Engine<Net> for Explicit {
    fn check(&mut self, task: &Task<Net>, run: &Run) -> Result<Verdict<Net>, Stop> {
        self.stats = ExplicitStats::default();
        let reduces = self.uses_stubborn_sets(task);
        let outcome = match self.config.visited {
            VisitedSet::Full => {
                let mut search = MarkingSearch::new(task, self.config.search, reduces);
                let outcome = search.run(run);
                self.stats = search.stats();
                outcome?
            }
            VisitedSet::Compact => compact::search(task, reduces, &mut self.stats, run)?,
        };
        Ok(match outcome {
            SearchEnd::Found(trace) => Verdict::Unsafe(Evidence::Given(trace)),
            SearchEnd::Overflow => Verdict::Unknown(Reason::Incomplete(
                "a place can hold more tokens than 64 bits can count".into(),
            )),
            SearchEnd::Exhausted if self.config.visited == VisitedSet::Compact => {
                let words = format!(
                    "nothing found in {} markings, but fingerprints can collide",
                    self.stats.markings
                );
                Verdict::Unknown(Reason::Incomplete(words))
            }
            SearchEnd::Exhausted if self.stats.is_reduced => {
                Verdict::Safe(Evidence::Given(PetriProof::ReducedStateSpace))
            }
            SearchEnd::Exhausted => {
                let num_markings = self.stats.markings;
                Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings }))
            }
        })
    }

    fn statistics(&self) -> Statistics {
        let stats = Statistics::new("explicit")
            .count("markings", self.stats.markings)
            .count("firings", self.stats.firings)
            .count("bytes-per-marking", self.stats.bytes / self.stats.markings.max(1));
        if self.stats.is_reduced {
            return stats;
        }
        let max_tokens = u64::try_from(self.stats.max_tokens).unwrap_or(u64::MAX);
        stats.count("max-tokens-in-place", self.stats.max_tokens_in_place).count("max-tokens", max_tokens)
    }
}
