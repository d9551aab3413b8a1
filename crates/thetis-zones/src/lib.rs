//! Reachability of timed automata with zones.
//!
//! # Problem and method
//! A network of timed automata has infinitely many states, because clocks are real numbers. States with the same discrete part
//! are collected in zones: sets of clock values given by bounds on differences of clocks ([`dbm`]). Starting from the
//! initial zone, the engine computes the zones after each move and all delays ([`graph`]), and stores those that no stored one
//! includes ([`search`]). Zones are made coarser by the constants that clocks are still compared with ([`bounds`]), so that
//! there are finitely many of them; this neither adds nor loses reachable discrete states and target states.
//!
//! # Answers
//! * `Unsafe` with a run: the moves that were found, with times for them ([`timing`]).
//! * `Safe` with the stored symbolic states, which no move and no delay leaves.
//! * `Unknown` if a run-time error of the model is reachable, or if the values of clocks grow too large. Models that compare
//!   differences of clocks are explored with exact zones, which may not end.

mod bounds;
mod dbm;
mod graph;
mod search;
mod timing;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::xta::{Difference, Formula, Network, XtaTrace};
use thetis_model::{Evidence, Reason, Task, Verdict};

use bounds::{BoundTable, Distinction};
use dbm::{Dbm, UNBOUNDED};
use graph::{Abstraction, Graph, Outcome};
use search::{Found, Search};

/// Options of [`Zones`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ZonesConfig {
    /// Which symbolic state is expanded next.
    pub search: SearchOrder,
    /// How zones are made coarser.
    pub extrapolation: ExtrapolationKind,
}

/// Which symbolic state is expanded next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// One that has just replaced expanded ones, else the oldest.
    #[default]
    Priority,
    /// The oldest.
    Bfs,
    /// The newest.
    Dfs,
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
}

impl Zones {
    /// What users are told.
    pub const INFO: EngineInfo = EngineInfo {
        name: "zones",
        summary: "collects states of timed automata in zones of clock values",
        answers: "reachability and deadlocks of timed automata whose zones fit into memory",
    };

    /// An engine with these options.
    pub fn new(config: ZonesConfig) -> Zones {
        Zones { config, stats: ZonesStats::default() }
    }

    /// The counters of the last check.
    pub fn stats(&self) -> &ZonesStats {
        &self.stats
    }

    fn abstraction(&self, network: &Network, target: &Formula) -> Abstraction {
        let (distinction, rules) = match self.config.extrapolation {
            ExtrapolationKind::None => return Abstraction::Exact,
            _ if bounds::has_differences(network, target) => return Abstraction::Exact,
            ExtrapolationKind::M => (Distinction::Maximum, graph::Extrapolation::Plain),
            ExtrapolationKind::Lu => (Distinction::LowerUpper, graph::Extrapolation::Plain),
            ExtrapolationKind::LuPlus => (Distinction::LowerUpper, graph::Extrapolation::Plus),
        };
        // Whether a state is a deadlock also depends on where guards are false.
        let distinction = if target.mentions_deadlock() { Distinction::Maximum } else { distinction };
        Abstraction::Bounds(BoundTable::new(network, target, distinction), rules)
    }
}

impl Engine<Network> for Zones {
    fn check(&mut self, task: &Task<Network>, run: &Run) -> Result<Verdict<Network>, Stop> {
        self.stats = ZonesStats::default();
        let (network, target) = (&task.model, task.property.target());
        let mut graph = Graph::new(network, &target, self.abstraction(network, &target));
        let mut search = Search::new(&mut graph, self.config.search);
        let found = search.run(run);
        self.stats = search.stats();
        Ok(match found? {
            Found::Nothing => Verdict::Safe(Evidence::Given(search.into_proof())),
            Found::Target(path) => match concrete_run(network, &target, &path) {
                Some(trace) => Verdict::Unsafe(Evidence::Given(trace)),
                None => Verdict::Unsafe(Evidence::Missing("no times were found for the moves")),
            },
            Found::Error(error) => Verdict::Unknown(Reason::Incomplete(format!(
                "a run-time error of the model is reachable: {error}"
            ))),
            Found::TooLarge => {
                Verdict::Unknown(Reason::Incomplete("the values of clocks grow too large".into()))
            }
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("zones")
            .count("stored", self.stats.stored)
            .count("visited", self.stats.visited)
            .count("steps", self.stats.steps)
            .count("states", self.stats.discrete)
            .count("bytes", self.stats.bytes)
    }
}

/// A run along `path` to the target. The zones along it are computed once more, exactly, to see which part of the last one
/// satisfies the target.
fn concrete_run(network: &Network, target: &Formula, path: &[u32]) -> Option<XtaTrace> {
    let mut graph = Graph::new(network, target, Abstraction::Exact);
    let (mut group, mut zone) = graph.initial().ok()??;
    for number in path {
        let steps = graph.steps(group);
        let step = steps.iter().find(|step| step.number == *number)?;
        let Outcome::Group(target, _) = &step.outcome else { return None };
        (group, zone) = (*target, graph.successor(&zone, step)?);
    }
    let part = graph.bad_parts(group, &zone).into_iter().next()?;
    let last = differences(&graph.groups[group as usize].clocks, &part);
    timing::schedule(network, path, &last).ok()?
}

fn differences(clocks: &[thetis_model::xta::ClockId], zone: &Dbm) -> Vec<Difference> {
    let clock = |row: usize| row.checked_sub(1).map(|row| clocks[row]);
    let mut list = Vec::new();
    for row in 0..zone.dim() {
        for column in (0..zone.dim()).filter(|column| *column != row) {
            let entry = zone.get(row, column);
            if entry != UNBOUNDED {
                let (left, right) = (clock(row), clock(column));
                list.push(Difference { left, right, limit: entry >> 1, is_strict: entry & 1 == 0 });
            }
        }
    }
    list
}
