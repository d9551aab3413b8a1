//! The engine `portfolio`: stages of engines, after and beside each other, that hand on what they find out.
//!
//! The stages are data ([`Stage`]). Those that fit the [features](Features) of the model run in groups: the stages of a group side
//! by side, group after group. The first answer with evidence wins and all other workers are killed. A stage that gives up,
//! runs out of its share, is killed or speaks nonsense is no worse than one that was never there, except for
//! [what it says should happen then](After).
//!
//! Facts that a stage emits while it runs are collected at once, so a killed worker loses none. Later stages get them and use them
//! as their configuration says. A fact may be wrong: evidence that rests on it is checked on the model without it.

mod features;
mod message;
mod stage;
mod worker;

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use thetis_base::{Event, Fact, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Reason, Task, Verdict};

use worker::{Report, Worker};

pub use features::{Features, When, of_cfa};
pub use message::{Exhausted, Message, Request};
pub use stage::{After, Stage, Then, UseOfFacts};

use crate::{Config, ConfigError, Cooperation};

/// What a portfolio needs to know of the program it is part of, for one formalism.
pub struct Crew<M: Model> {
    /// The features of a model.
    pub features: fn(&Task<M>) -> Features,
    /// Makes the engine of a stage that runs in this process.
    pub make: MakeEngine<M>,
    /// The command that starts a worker on the same input.
    pub command: Box<dyn Fn() -> Command>,
    /// The verdict that a worker's certificate claims.
    pub read: ReadCertificate<M>,
}

/// Makes an engine.
pub type MakeEngine<M> = Box<dyn Fn(&Config, Cooperation) -> Result<Box<dyn Engine<M>>, ConfigError>>;

/// Reads a certificate.
pub type ReadCertificate<M> = Box<dyn Fn(&Task<M>, &Value) -> Result<Verdict<M>, String>>;

/// The engine. See the [module](self).
pub struct Portfolio<M: Model> {
    config: Config,
    crew: Crew<M>,
    statistics: Statistics,
}

/// How a stage ended.
enum Outcome<M: Model> {
    Answer(Verdict<M>),
    Unknown(Reason),
    Timeout,
    Memory,
    Crash(String),
}

impl<M: Model> Outcome<M> {
    fn then(&self, after: After) -> Then {
        match self {
            Outcome::Answer(_) => Then::Stop,
            Outcome::Unknown(_) => after.unknown,
            Outcome::Timeout => after.timeout,
            Outcome::Memory => after.memory,
            Outcome::Crash(_) => after.crash,
        }
    }

    fn reason(&self) -> Reason {
        match self {
            Outcome::Answer(_) => Reason::Failed("an answer is no reason".into()),
            Outcome::Unknown(reason) => reason.clone(),
            Outcome::Timeout => Reason::OutOfTime,
            Outcome::Memory => Reason::OutOfMemory,
            Outcome::Crash(words) => Reason::Failed(words.clone()),
        }
    }
}

impl<M: Model> Portfolio<M> {
    /// The portfolio of `config.stage`.
    pub fn new(config: Config, crew: Crew<M>) -> Portfolio<M> {
        Portfolio { config, crew, statistics: Statistics::new("portfolio") }
    }

    /// The configuration of one stage: that of the portfolio with the changes of the stage.
    fn config_of(&self, stage: &Stage) -> Result<Config, Stop> {
        self.config.of_stage(stage).map_err(|error| Stop::failed(error.to_string()))
    }

    fn run_here(
        &self,
        stage: &Stage,
        facts: &[Fact],
        task: &Task<M>,
        run: &Run,
    ) -> Result<(Outcome<M>, Statistics), Stop> {
        let config = self.config_of(stage)?;
        let cooperation =
            Cooperation { facts: facts.to_vec(), use_of_facts: stage.facts, tells: stage.hands_on };
        let mut engine =
            (self.crew.make)(&config, cooperation).map_err(|error| Stop::failed(error.to_string()))?;
        let outcome = match engine.check(task, run) {
            Ok(Verdict::Unknown(reason)) => Outcome::Unknown(reason),
            Ok(Verdict::Safe(Evidence::Missing(words)) | Verdict::Unsafe(Evidence::Missing(words))) => {
                Outcome::Unknown(Reason::Incomplete(words.into()))
            }
            Ok(verdict) => Outcome::Answer(verdict),
            Err(Stop::Cancelled) => return Err(Stop::Cancelled),
            Err(Stop::OutOfTime) => Outcome::Timeout,
            Err(Stop::OutOfMemory) => Outcome::Memory,
            Err(stop @ Stop::Failed(_)) => Outcome::Crash(stop.to_string()),
        };
        Ok((outcome, engine.statistics()))
    }
}

/// A stage that has ended.
type Ended<M> = (Stage, Outcome<M>, Option<Statistics>);

impl<M: Model> Portfolio<M> {
    /// Runs `stages` side by side in processes of their own.
    fn run_workers(
        &self,
        stages: &[Stage],
        facts: &[Fact],
        task: &Task<M>,
        run: &Run,
    ) -> Result<Vec<Ended<M>>, Stop> {
        let mut group = Group::start(self, task, stages, facts, run)?;
        group.wait(run)?;
        let ended = group.outcomes.into_iter().zip(group.statistics).zip(stages);
        let given_up = || Outcome::Unknown(Reason::Cancelled);
        let ended = ended.map(|((outcome, statistics), stage)| {
            (stage.clone(), outcome.unwrap_or_else(given_up), statistics)
        });
        Ok(ended.collect())
    }

    fn note(&mut self, stage: &Stage, outcome: &Outcome<M>, statistics: Option<Statistics>) {
        let words = match outcome {
            Outcome::Answer(_) => "answer".to_owned(),
            other => other.reason().to_string(),
        };
        let part = statistics.unwrap_or_else(|| Statistics::new(stage.engine.name()));
        self.statistics.parts.push(part.text("outcome", words));
    }
}

/// The facts so far, in a fixed order.
fn known(facts: &Mutex<BTreeSet<Fact>>) -> BTreeSet<Fact> {
    facts.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// `run` with its facts collected, if they are wanted.
fn collecting(run: &Run, facts: &Arc<Mutex<BTreeSet<Fact>>>, is_wanted: bool) -> Run {
    if !is_wanted {
        return run.clone();
    }
    let (outer, facts) = (run.clone(), facts.clone());
    run.clone().with_events(Arc::new(move |event| {
        if let Event::Fact(fact) = event {
            facts.lock().unwrap_or_else(PoisonError::into_inner).insert(fact.clone());
        }
        outer.emit(event.clone());
    }))
}

/// The workers of one group.
struct Group<'p, M: Model> {
    portfolio: &'p Portfolio<M>,
    task: &'p Task<M>,
    stages: &'p [Stage],
    runs: Vec<Run>,
    workers: Vec<Option<Worker>>,
    outcomes: Vec<Option<Outcome<M>>>,
    statistics: Vec<Option<Statistics>>,
    reports: Receiver<(usize, Report)>,
}

/// How often time limits and cancellation are looked at while workers are silent.
const TICK: Duration = Duration::from_millis(10);

/// The part of a stage's time that its worker knows of; in the rest it can say what it has found.
const OWN_SHARE: u32 = 90;

impl<'p, M: Model> Group<'p, M> {
    fn start(
        portfolio: &'p Portfolio<M>,
        task: &'p Task<M>,
        stages: &'p [Stage],
        facts: &[Fact],
        run: &Run,
    ) -> Result<Group<'p, M>, Stop> {
        let (sender, reports) = channel();
        let runs: Vec<Run> =
            stages.iter().map(|stage| run.slice(Share::percent(stage.share.min(100)))).collect();
        let mut workers = Vec::new();
        for (number, stage) in stages.iter().enumerate() {
            let own = runs[number].slice(Share::percent(OWN_SHARE));
            let request = Request {
                config: portfolio.config_of(stage)?.to_toml(),
                facts: facts.to_vec(),
                use_of_facts: stage.facts,
                tells: stage.hands_on,
                time: own.time_left().map(|time| time.as_millis() as u64),
                cpu_time: own.cpu_left().map(|time| time.as_millis() as u64 / stages.len() as u64),
                memory: run.memory_for_children().map(|memory| memory / stages.len() as u64),
            };
            let command = (portfolio.crew.command)();
            workers.push(Some(Worker::start(command, &request, number, sender.clone())?));
        }
        let outcomes = stages.iter().map(|_| None).collect();
        let statistics = stages.iter().map(|_| None).collect();
        Ok(Group { portfolio, task, stages, runs, workers, outcomes, statistics, reports })
    }

    /// Waits until a stage has an answer, or all have ended.
    fn wait(&mut self, run: &Run) -> Result<(), Stop> {
        while self.outcomes.iter().any(Option::is_none) && !self.has_answer() {
            match self.reports.recv_timeout(TICK) {
                Ok((number, report)) => self.hear(number, report, run),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.enforce_limits();
            if run.cancel().is_requested() {
                return Err(Stop::Cancelled);
            }
        }
        Ok(())
    }

    fn has_answer(&self) -> bool {
        self.outcomes.iter().any(|outcome| matches!(outcome, Some(Outcome::Answer(_))))
    }

    fn hear(&mut self, number: usize, report: Report, run: &Run) {
        if self.outcomes[number].is_some() {
            return;
        }
        let outcome = match report {
            Report::Said(Message::Event(event)) => return run.emit(event),
            Report::Said(Message::Statistics(statistics)) => {
                self.statistics[number] = Some(statistics);
                return;
            }
            Report::Said(Message::Certificate(certificate)) => {
                match (self.portfolio.crew.read)(self.task, &certificate) {
                    Ok(verdict) => Outcome::Answer(verdict),
                    Err(words) => {
                        Outcome::Crash(format!("the certificate of a worker cannot be read: {words}"))
                    }
                }
            }
            Report::Said(Message::Unknown(words)) => Outcome::Unknown(Reason::Incomplete(words)),
            Report::Said(Message::Exhausted(Exhausted::Time)) => Outcome::Timeout,
            Report::Said(Message::Exhausted(Exhausted::Memory)) => Outcome::Memory,
            Report::Garbled(words) => Outcome::Crash(format!("a worker speaks nonsense: {words}")),
            Report::Silent => {
                let ended = self.workers[number].as_mut().and_then(Worker::end);
                let status =
                    ended.map_or_else(|| "for unknown reasons".into(), |used| used.status.to_string());
                Outcome::Crash(format!("a worker ended without an answer ({status})"))
            }
        };
        self.finish(number, outcome);
    }

    fn finish(&mut self, number: usize, outcome: Outcome<M>) {
        self.outcomes[number] = Some(outcome);
        self.workers[number] = None;
    }

    /// Kills the workers whose time is over.
    fn enforce_limits(&mut self) {
        for number in 0..self.stages.len() {
            let is_over = self.runs[number].time_left().is_some_and(|left| left.is_zero());
            if is_over && self.outcomes[number].is_none() {
                self.finish(number, Outcome::Timeout);
            }
        }
    }
}

impl<M: Model> Engine<M> for Portfolio<M> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        self.statistics = Statistics::new("portfolio");
        let facts: Arc<Mutex<BTreeSet<Fact>>> = Arc::default();
        let mut last = Reason::Failed("no stage of the portfolio fits the model".into());
        for group in stage::groups(&self.config.stage, &(self.crew.features)(task)) {
            let known: Vec<Fact> = known(&facts).into_iter().collect();
            let listening = collecting(run, &facts, group.iter().any(|stage| stage.hands_on));
            let names: Vec<&str> = group.iter().map(|stage| stage.engine.name()).collect();
            run.emit(Event::Stage(names.join(" | ")));
            let ended = match &group[..] {
                [stage] if !stage.worker => {
                    let part = listening.slice(Share::percent(stage.share.min(100)));
                    let (outcome, statistics) = self.run_here(stage, &known, task, &part)?;
                    vec![(stage.clone(), outcome, Some(statistics))]
                }
                stages => self.run_workers(stages, &known, task, &listening)?,
            };
            let mut goes_on = true;
            for (stage, outcome, statistics) in ended {
                self.note(&stage, &outcome, statistics);
                if let Outcome::Answer(verdict) = outcome {
                    return Ok(verdict);
                }
                goes_on &= outcome.then(stage.after) == Then::Next;
                last = outcome.reason();
            }
            run.checkpoint()?;
            if !goes_on {
                break;
            }
        }
        Ok(Verdict::Unknown(last))
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}
