//! The engine `simulate`.
//!
//! Runs the automaton on inputs that matter and observes where it gets. A state in which an input is needed is expanded once,
//! with every value that the program compares its inputs with, and some others. States after which an edge was taken for the
//! first time come first. This finds violations after many rounds of loops, where the formulas of other engines become too
//! large: deep states of reactive programs, the ends of long loops, arithmetic on floats.
//!
//! Finally, recursive programs are run with a stack, because calls may be nested deeper than the copies of
//! functions in the automaton.
//!
//! Not all inputs are tried, so the engine never proves anything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::deep;
use crate::inputs::Inputs;
use crate::machine::Program;
use crate::search::RunSearch;

/// Options of the engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SimulateConfig {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The greatest number of waiting states.
    pub max_states: usize,
    /// The greatest number of choices in the tree of runs.
    pub max_nodes: usize,
    /// The greatest number of edges of a run.
    pub max_length: u64,
    /// The greatest number of edges that are taken in all runs together.
    pub max_steps: u64,
    /// The greatest number of edges and calls in all runs with a stack together, for recursive programs.
    pub deep_steps: u64,
}

impl Default for SimulateConfig {
    fn default() -> Self {
        SimulateConfig {
            seed: 1,
            max_states: 100_000,
            max_nodes: 4_000_000,
            max_length: 3_000_000,
            max_steps: 1_000_000_000,
            deep_steps: 3_000_000,
        }
    }
}

/// The engine. See the [module](self).
pub struct Simulate {
    config: SimulateConfig,
    num_states: u64,
    num_steps: u64,
    num_covered: u64,
    num_leaps: u64,
}

impl Simulate {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "simulate",
        summary: "runs the automaton on promising inputs, without a solver",
        answers: "unsafe",
    };

    /// An engine that has run nothing yet.
    pub fn new(config: SimulateConfig) -> Simulate {
        Simulate { config, num_states: 0, num_steps: 0, num_covered: 0, num_leaps: 0 }
    }
}

impl Engine<Cfa> for Simulate {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let program = Program::new(task);
        let inputs = Inputs::new(task);
        let mut search = RunSearch::new(task, &program, &inputs, &self.config);
        let found = search.run(task, run);
        self.num_states = search.num_states() as u64;
        self.num_steps = search.num_steps;
        self.num_covered = search.num_covered() as u64;
        self.num_leaps = search.num_leaps;
        let found = match found? {
            Some(trace) => Some(trace),
            None => deep::violation(task, self.config.deep_steps, run)?,
        };
        Ok(match found {
            Some(trace) => Verdict::Unsafe(Evidence::Given(trace)),
            None => Verdict::Unknown(Reason::Incomplete(
                "no run on the inputs that were tried is a violation".into(),
            )),
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("simulate")
            .count("states", self.num_states)
            .count("steps", self.num_steps)
            .count("covered edges", self.num_covered)
            .count("leaps", self.num_leaps)
    }
}
