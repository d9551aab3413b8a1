//! An engine that runs after a pass.

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_model::{Evidence, Model, Pass, Task, Verdict};

use crate::Engine;

/// Applies a pass, asks an engine about the changed task, and lifts its answer to the original task.
pub struct Through<P, E> {
    pass: P,
    engine: E,
    watch: Stopwatch,
}

impl<P, E> Through<P, E> {
    /// `engine` after `pass`.
    pub fn new(pass: P, engine: E) -> Through<P, E> {
        Through { pass, engine, watch: Stopwatch::default() }
    }
}

impl<M: Model, P: Pass<M>, E: Engine<P::Target>> Engine<M> for Through<P, E> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        let passed = self.watch.time(|| self.pass.apply(task.clone(), run))?;
        Ok(match self.engine.check(&passed.task, run)? {
            Verdict::Safe(Evidence::Given(proof)) => {
                Verdict::Safe(passed.lift.proof(task, &passed.task.store, proof))
            }
            Verdict::Unsafe(Evidence::Given(trace)) => {
                Verdict::Unsafe(Evidence::Given(passed.lift.trace(trace)))
            }
            Verdict::Safe(Evidence::Missing(reason)) => Verdict::Safe(Evidence::Missing(reason)),
            Verdict::Unsafe(Evidence::Missing(reason)) => Verdict::Unsafe(Evidence::Missing(reason)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        })
    }

    fn statistics(&self) -> Statistics {
        let pass = Statistics::new(self.pass.name()).time("time", self.watch.total());
        self.engine.statistics().part(pass)
    }
}
