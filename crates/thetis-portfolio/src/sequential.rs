//! One engine after the other, until one knows the answer.

use thetis_base::{Event, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_solver::SolverError;

/// The name in statistics. A sequence in a sequence is no stage of its own.
const NAME: &str = "auto";

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
            let name = engine.statistics().name;
            if name != NAME {
                run.emit(Event::Stage(name.to_string()));
            }
            let part = run.slice(*share);
            let answer = part.enclose(|| engine.check(task, &part)).flatten();
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
            run.emit(Event::Note(format!("{name} is undecided")));
        }
        last.ok_or(failure)
    }

    fn statistics(&self) -> Statistics {
        let started = self.stages.iter().take(self.num_started);
        started.fold(Statistics::new(NAME), |all, (_, engine)| all.part(engine.statistics()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use thetis_expr::Store;
    use thetis_model::Reason;
    use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty};

    use super::*;

    struct Clueless(&'static str);

    impl Engine<Cfa> for Clueless {
        fn check(&mut self, _: &Task<Cfa>, _: &Run) -> Result<Verdict<Cfa>, Stop> {
            Ok(Verdict::Unknown(Reason::Incomplete(self.0.into())))
        }

        fn statistics(&self) -> Statistics {
            Statistics::new(self.0)
        }
    }

    fn sequence(engines: Vec<Box<dyn Engine<Cfa>>>) -> Sequential<Cfa> {
        Sequential::new(engines.into_iter().map(|engine| (Share::percent(100), engine)).collect())
    }

    #[test]
    fn stages_are_told_and_the_last_reason_is_kept() {
        let store = Store::new();
        let mut builder = CfaBuilder::new("empty");
        let start = builder.location("start", None);
        builder.initial(start);
        let model = builder.build(&store).unwrap();
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        let stages: Arc<Mutex<Vec<String>>> = Arc::default();
        let names = stages.clone();
        let run = Run::unlimited().with_events(Arc::new(move |event| {
            if let Event::Stage(name) = event {
                names.lock().unwrap().push(name.clone());
            }
        }));
        let inner = sequence(vec![Box::new(Clueless("second")), Box::new(Clueless("third"))]);
        let verdict =
            sequence(vec![Box::new(Clueless("first")), Box::new(inner)]).check(&task, &run).unwrap();
        assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(words)) if words == "third"));
        assert_eq!(*stages.lock().unwrap(), ["first", "second", "third"]);
    }
}
