//! One engine after the other, until one knows the answer.

use thetis_base::{Event, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_solver::SolverError;

/// Engines with the share of the remaining time that each may use.
///
/// The first verdict with evidence is the answer. An engine that gives up, runs out of its share or fails hands over to
/// the next; only cancellation, the end of the whole budget and a missing solver end the sequence. If all fail, so does the sequence.
pub struct Sequential<M: Model> {
    stages: Vec<(Share, Box<dyn Engine<M>>)>,
    num_started: usize,
}

impl<M: Model> Sequential<M> {
    /// The engines in order.
    pub fn new(stages: Vec<(Share, Box<dyn Engine<M>>)>) -> Sequential<M> {
        Sequential { stages, num_started: 0 }
    }
}

impl<M: Model> Engine<M> for Sequential<M> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        self.num_started = 0;
        let mut last = None;
        let mut failure = Stop::failed("there are no engines to ask");
        for (share, engine) in &mut self.stages {
            self.num_started += 1;
            let answer = engine.check(task, &run.slice(*share));
            let name = engine.statistics().name;
            match answer {
                Ok(verdict @ (Verdict::Safe(Evidence::Given(_)) | Verdict::Unsafe(Evidence::Given(_)))) => {
                    return Ok(verdict);
                }
                Ok(other) => last = Some(other),
                Err(stop) if SolverError::is_missing(&stop) => return Err(stop),
                Err(stop @ Stop::Failed(_)) => failure = stop,
                Err(stop) => {
                    run.checkpoint()?;
                    last = Some(Verdict::Unknown(stop.into()));
                }
            }
            run.emit(Event::Note(format!("{name} has no answer")));
        }
        last.ok_or(failure)
    }

    fn statistics(&self) -> Statistics {
        let started = self.stages.iter().take(self.num_started);
        started.fold(Statistics::new("auto"), |all, (_, engine)| all.part(engine.statistics()))
    }
}
