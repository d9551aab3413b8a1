//! The engine `intervals`: proofs by the ranges of variables alone.
//!
//! The pass `ranges` removes the edges that the ranges of variables block. If no error location can be reached by the
//! remaining edges, the automaton is safe, and the ranges are its invariants. Otherwise nothing is known, because
//! ranges over-approximate the behaviour. No solver is asked, so the engine takes milliseconds and is worth trying
//! first.

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::cfa::{Cfa, CfaProof, Graph, LocId, Ranges};
use thetis_model::{Pass, Reason, Task, Verdict};

/// The engine. See the [module](self).
#[derive(Default)]
pub struct Intervals {
    watch: Stopwatch,
    removed: u64,
}

impl Intervals {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "intervals",
        summary: "bounds the values of variables, without a solver",
        answers: "safe if the bounds alone exclude an error",
    };

    /// An engine that has done nothing yet.
    pub fn new() -> Intervals {
        Intervals::default()
    }
}

impl Engine<Cfa> for Intervals {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let passed = self.watch.time(|| Ranges.apply(task.clone(), run))?;
        let model = &passed.task.model;
        self.removed = (task.model.edges.len() - model.edges.len()) as u64;
        let graph = Graph::new(model);
        let reached = graph.topological_order();
        if reached.iter().any(|location| model.is_error(*location)) {
            return Ok(Verdict::Unknown(Reason::Incomplete(
                "the ranges of variables do not exclude an error".into(),
            )));
        }
        let mut is_reached: Vec<bool> = vec![false; model.locations.len()];
        reached.iter().for_each(|location| is_reached[location.index()] = true);
        let unreached = model.locations.indices().filter(|location: &LocId| !is_reached[location.index()]);
        let store = &passed.task.store;
        let proof = CfaProof::invariants(unreached.map(|location| (location, store.fals())).collect());
        Ok(Verdict::Safe(passed.lift.proof(task, store, proof)))
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("intervals").time("time", self.watch.total()).count("edges removed", self.removed)
    }
}
