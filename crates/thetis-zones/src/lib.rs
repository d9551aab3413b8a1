//! Timed automata with zones: reachability, liveness and extreme values.
//!
//! # Problem and method
//! A network of timed automata has infinitely many states, because clocks are real numbers. States with the same discrete part are collected in zones: sets of clock
//! values given by bounds on differences of clocks ([`dbm`]). Starting from the initial zone, the engine computes the zones after each move and all delays
//! ([`graph`]), and stores those that are not included in a stored one ([`search`], [`passed`]). Zones are made coarser by the constants that clocks are still
//! compared with ([`bounds`]), so that there are finitely many of them; this neither adds nor loses reachable discrete states and target states. Questions about
//! liveness are answered by a search for cycles and ends ([`descent`], [`endless`]), and those for extreme values by looking at all stored zones ([`extrema`]).
//! Reachability can also be decided with covers that are refined on demand ([`lazy`]), and with values of variables that are tracked on demand ([`data`]). Values that
//! are not read any more are forgotten ([`live`]). Equal processes are permuted ([`symmetry`]).
//!
//! # Answers
//! * `Unsafe` with a run: the moves that were found, with times for them ([`witness`], [`timing`]).
//! * `Safe` with the stored symbolic states, which are closed under moves and delays, and with ranks or values if the question needs
//!   them.
//! * `Unknown` if a run-time error of the model is reachable, or if the values of clocks grow too large. Models that compare
//!   differences of clocks are explored with exact zones, which may not terminate.

mod agenda;
mod bounds;
mod data;
mod dbm;
mod descent;
mod endless;
mod extrema;
mod graph;
mod lazy;
mod live;
mod liveness;
mod passed;
mod search;
mod symmetry;
mod timing;
mod witness;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::xta::{Formula, Network, RuntimeError, XtaQuestion};
use thetis_model::{Reason, Task, Verdict};

use bounds::{BoundTable, Distinction};
use graph::Abstraction;

/// Options of [`Zones`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ZonesConfig {
    /// Which symbolic state is expanded next.
    pub search: SearchOrder,
    /// When zones are made coarser.
    pub abstraction: AbstractionKind,
    /// How zones are made coarser by the eager search.
    pub extrapolation: ExtrapolationKind,
    /// How stored zones are kept.
    pub passed: PassedKind,
    /// Which variables are part of discrete states.
    pub data: DataKind,
    /// Whether one state stands for all permutations of equal processes.
    pub symmetry: SymmetryKind,
}

/// Whether one state stands for all permutations of equal processes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SymmetryKind {
    /// If the network does not distinguish them; for reachability with eager abstraction and all variables.
    #[default]
    Processes,
    /// Never.
    Off,
}

/// How stored zones are kept.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PassedKind {
    /// As matrices.
    #[default]
    Full,
    /// As the bounds from which all others follow.
    Minimal,
}

/// Which variables are part of discrete states.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DataKind {
    /// Those that may still be read; all of them for liveness and values.
    #[default]
    Live,
    /// All of them.
    All,
    /// Only those needed to exclude the target and errors; for reachability without deadlocks.
    Lazy,
}

/// When zones are made coarser.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AbstractionKind {
    /// At once, by all constants that clocks are compared with.
    #[default]
    Eager,
    /// As far as the property allows, refined by constants that a refutation needs; for reachability without deadlocks.
    LazyLu,
    /// The same, refined by zone interpolants.
    LazyItp,
}

/// Which symbolic state is expanded next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// One that has just replaced expanded ones, otherwise the oldest.
    #[default]
    Priority,
    /// The oldest.
    Bfs,
    /// The newest.
    Dfs,
    /// Any, by a fixed sequence of pseudo-random numbers.
    Random,
}

/// How zones are made coarser.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExtrapolationKind {
    /// Not at all; the search may not end.
    None,
    /// By the largest constant of each clock.
    M,
    /// By the largest constants of lower and of upper bounds.
    Lu,
    /// The same, and clocks beyond their constants are forgotten.
    #[default]
    LuPlus,
    /// Not at all, but a zone covers all that its states simulate; `lu-plus` for deadlocks, liveness and values.
    Alu,
}

/// The engine. See the [crate](self).
#[derive(Default)]
pub struct Zones {
    config: ZonesConfig,
    stats: ZonesStats,
}

/// What the search has counted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ZonesStats {
    /// The symbolic states that are stored at the end.
    pub stored: u64,
    /// Those that were expanded.
    pub visited: u64,
    /// The moves between symbolic states.
    pub steps: u64,
    /// The discrete states.
    pub discrete: u64,
    /// The memory of the stored zones.
    pub bytes: u64,
    /// How often a cover was made smaller by the lazy search, or the search repeated with more variables.
    pub refinements: u64,
}

impl Zones {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "zones",
        summary: "collects states of timed automata in zones of clock values",
        answers: "reachability, deadlocks, liveness and extreme values of timed automata whose zones fit into memory",
    };

    /// An engine with these options.
    pub fn new(config: ZonesConfig) -> Zones {
        Zones { config, stats: ZonesStats::default() }
    }

    /// The counters of the last check.
    pub fn stats(&self) -> &ZonesStats {
        &self.stats
    }

    /// How zones are made coarser for a question that contains `formula`.
    pub(crate) fn abstraction(&self, network: &Network, formula: &Formula) -> Abstraction {
        // Whether a state is a deadlock also depends on where guards are false.
        let distinction = match self.config.extrapolation {
            _ if formula.mentions_deadlock() => Distinction::Maximum,
            ExtrapolationKind::M => Distinction::Maximum,
            _ => Distinction::LowerUpper,
        };
        self.abstraction_by(network, formula, distinction)
    }

    pub(crate) fn abstraction_by(
        &self,
        network: &Network,
        formula: &Formula,
        distinction: Distinction,
    ) -> Abstraction {
        let rules = match self.config.extrapolation {
            ExtrapolationKind::None => return Abstraction::Exact,
            _ if bounds::has_differences(network, formula) => return Abstraction::Exact,
            ExtrapolationKind::M | ExtrapolationKind::Lu => graph::Extrapolation::Plain,
            ExtrapolationKind::LuPlus | ExtrapolationKind::Alu => graph::Extrapolation::Plus,
        };
        Abstraction::Bounds(BoundTable::new(network, formula, distinction), rules)
    }
}

fn runtime_error(error: &RuntimeError) -> Verdict<Network> {
    Verdict::Unknown(Reason::Incomplete(format!("a run-time error of the model is reachable: {error}")))
}

fn too_large() -> Verdict<Network> {
    Verdict::Unknown(Reason::Incomplete("the values of clocks grow too large".into()))
}

impl Engine<Network> for Zones {
    fn check(&mut self, task: &Task<Network>, run: &Run) -> Result<Verdict<Network>, Stop> {
        self.stats = ZonesStats::default();
        match (task.property.endless(), task.property.question()) {
            (Some(endless), _) => self.live(&task.model, &endless, run),
            (None, XtaQuestion::Extrema(extrema)) => self.measure(&task.model, extrema, run),
            (None, XtaQuestion::DiscreteStates) => {
                let config = ZonesConfig {
                    data: DataKind::All,
                    extrapolation: ExtrapolationKind::LuPlus,
                    symmetry: SymmetryKind::Off,
                    ..self.config
                };
                let mut counting = Zones::new(config);
                let verdict = counting.reach(task, run);
                self.stats = counting.stats;
                verdict
            }
            (None, _) => self.reach(task, run),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("zones")
            .count("stored", self.stats.stored)
            .count("visited", self.stats.visited)
            .count("steps", self.stats.steps)
            .count("states", self.stats.discrete)
            .count("bytes", self.stats.bytes)
            .count("refinements", self.stats.refinements)
    }
}
