//! Interpolation-based model checking (McMillan 2003).
//!
//! # Problem and method
//! Bounded model checking shows that runs of some length are not bad. The reason may apply to longer runs too. The method
//! asks, with `R` the initial states at first: can `R` make one step and then exactly `k - 1` further ones to a bad state?
//! If not, an interpolant of "one step from `R`" and "then `k - 1` steps to a bad state" contains all states after the
//! step and none that is bad `k - 1` steps later; and it is a formula over states only, so it describes a set from which
//! further steps can be taken. It is added to `R`, and so on until nothing new is found. Then `R` contains all reachable
//! states, and none of them is `k - 1` steps before a bad one. Since bounded model checking has covered the shorter runs,
//! the system is safe. If a bad state can be reached from `R`, that may be because `R` is too large; then everything
//! starts again with a greater `k`, whose interpolants are closer to the reachable states.
//!
//! # On automata
//! A step is a way from one loop head to the next, and `k` counts arrivals at loop heads: all edges into them are *cut*.
//! `R` is a formula for each loop head, so no formula says where control is. One round of an automaton has many paths,
//! while interpolators explain single paths (chains of guarded assignments). So an interpolant for all paths is composed
//! of interpolants of single paths, as far as they are needed ([`frames`]):
//!
//! * A state at a head to which the states of the last level lead, and that is not covered yet, gives a path into the
//!   head. The formula found for that path is one more *disjunct* at the head.
//! * It starts with `true`. A run from there to an error location with `k - 1` cut edges gives a path after the head.
//!   The interpolant of both paths together is one more *conjunct*, until there is no such run.
//!
//! Both searches are questions to unrollings in incremental contexts ([`questions`]): one round from any head for the
//! first, `k - 1` rounds for the second, to which the next `k` adds one. Bounded model checking from the initial
//! location has a third unrolling.
//!
//! A transition system is an automaton with one loop head ([`ToCfa`](thetis_model::sts::ToCfa)); there this is McMillan's
//! method.
//!
//! # Answers
//! * `Unsafe` and bounded `Safe` by bounded model checking.
//! * `Safe` with `R`: as invariants if `k = 1`, otherwise as lemmas that make the property inductive after `k - 1` cut edges.
//! * `Unknown` at the greatest `k`.
//!
//! # Where we differ
//! * Like Beyer, Lee and Wendler (*Interpolation and SAT-based model checking revisited*, 2022) we look for bad states after
//!   exactly `k - 1` steps and not after at most this many. They transform programs to a single loop; here heads stay apart.
//! * Steps are taken from the last level only: the successors of earlier levels are in `R` already. Whether a level
//!   leads to anything new is decided for its successor states, not for the interpolant, so nothing is interpolated
//!   in vain.
//! * Over numbers, the sequence of interpolants may be infinite. The number of levels is limited; the limit grows
//!   with `k`.
//! * Interpolants of different interpolators lead to different sets. For every `k`, each interpolator gets a turn as the
//!   first one.

mod explain;
mod frames;
mod questions;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Event, Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_interpolate::{InterpolatorKind, Tools};
use thetis_model::cfa::{Cfa, Graph};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::bmc::Rounds;
use frames::{Attempt, Frames};

/// Options of [`Imc`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ImcConfig {
    /// The greatest `k`.
    pub max_k: u32,
    /// How many levels there are at most for each `k`, as a multiple of `k`.
    pub levels: u32,
    /// The interpolators, in the order in which they are tried; for every `k` each of them is first once. `auto` is
    /// clauses if all variables are Boolean, otherwise linear certificates; then weakest preconditions.
    pub interpolators: Vec<InterpolatorKind>,
}

impl Default for ImcConfig {
    fn default() -> Self {
        ImcConfig { max_k: 1_000_000, levels: 16, interpolators: vec![InterpolatorKind::Auto] }
    }
}

impl ImcConfig {
    /// Why the options do not fit together, if they do not.
    pub fn conflict(&self) -> Option<&'static str> {
        self.interpolators.is_empty().then_some("`imc.interpolators` is empty, so there are no interpolants")
    }
}

/// The engine. See the [module](self).
pub struct Imc {
    config: ImcConfig,
    tools: Tools,
    stats: ImcStats,
}

/// Whether it is a proof that no run takes a further cut edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndOfRuns {
    /// It is.
    Proves,
    /// It proves nothing about the original model, so there is no need to find out.
    Ignored,
}

#[derive(Clone, Default)]
struct ImcStats {
    k: u64,
    base_queries: u64,
    queries: u64,
    levels: u64,
    paths: u64,
    interpolators: Option<Statistics>,
}

impl Imc {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "imc",
        summary: "interpolation-based model checking: over-approximates the reachable states step by step",
        answers: "safe and unsafe",
    };

    /// An engine that works with the given tools.
    pub fn new(config: ImcConfig, tools: Tools) -> Imc {
        Imc { config, tools, stats: ImcStats::default() }
    }

    /// Decides about an automaton.
    pub(crate) fn decide(
        &mut self,
        task: &Task<Cfa>,
        end_of_runs: EndOfRuns,
        run: &Run,
    ) -> Result<Verdict<Cfa>, Stop> {
        self.stats = ImcStats::default();
        let mut frames = Frames::new(task, &self.config.interpolators, &self.tools, run)?;
        let verdict = self.search(task, end_of_runs, &mut frames, run);
        self.stats.queries = frames.num_queries();
        self.stats.levels = frames.num_levels();
        self.stats.paths = frames.num_paths();
        self.stats.interpolators = Some(frames.statistics());
        verdict
    }

    fn search(
        &mut self,
        task: &Task<Cfa>,
        end_of_runs: EndOfRuns,
        frames: &mut Frames<'_>,
        run: &Run,
    ) -> Result<Verdict<Cfa>, Stop> {
        let graph = Graph::towards_errors(&task.model).cutting_heads(&task.model);
        let mut base = Rounds::new(task, graph, &*self.tools.solvers, run)?;
        for k in 0..=self.config.max_k {
            self.stats.k = u64::from(k);
            let verdict = match end_of_runs {
                EndOfRuns::Proves => base.next_round(run),
                EndOfRuns::Ignored => base.next_round_of_errors(run),
            };
            self.stats.base_queries = base.stats().queries;
            if let Some(verdict) = verdict? {
                return Ok(verdict);
            }
            run.emit(Event::SafeUpTo(k));
            // Without a step there is nothing to interpolate.
            let Some(num_later) = k.checked_sub(1) else { continue };
            let max_levels = self.config.levels.saturating_mul(k);
            for first in 0..frames.num_interpolators() {
                match frames.attempt(num_later, first, max_levels, run)? {
                    Attempt::Closed(proof) => return Ok(Verdict::Safe(Evidence::Given(proof))),
                    Attempt::Failed(why) => run.emit(Event::Note(format!("imc: k = {k} is no proof: {why}"))),
                }
            }
        }
        Ok(Verdict::Unknown(Reason::Bound(self.config.max_k)))
    }
}

impl Engine<Cfa> for Imc {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        self.decide(task, EndOfRuns::Proves, run)
    }

    fn statistics(&self) -> Statistics {
        self.stats.report()
    }
}

impl ImcStats {
    fn report(&self) -> Statistics {
        let stats = Statistics::new("imc")
            .count("k", self.k)
            .count("levels", self.levels)
            .count("paths", self.paths)
            .count("base-queries", self.base_queries)
            .count("queries", self.queries);
        match &self.interpolators {
            Some(part) => stats.part(part.clone()),
            None => stats,
        }
    }
}
