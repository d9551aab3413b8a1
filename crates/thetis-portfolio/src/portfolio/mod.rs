//! The engine `portfolio`: stages of engines that run one after another or side by side, and pass on the
//! facts that they find.
//!
//! The stages are data ([`Stage`]). Those that are [for the task](When) run group after group, and the stages of a group run side
//! by side if several jobs are allowed. The first answer with evidence wins and all other workers are killed. A stage that gives
//! up, runs out of its share, is killed or sends invalid messages does no more harm than one that was never there, except for [what
//! its configuration says should happen then](After). A stage can have inner stages, which may share a pass; they run in the
//! process of the outer one.
//!
//! Facts that a stage emits while it runs are collected at once, so a killed worker loses none. Later stages get them and use them
//! as their configuration says. A fact may be wrong: evidence that rests on it is checked on the model without it.

mod bit_vectors;
mod conflict;
mod features;
mod group;
mod message;
mod stage;
mod worker;

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use thetis_base::{Event, Fact, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Reason, Task, Verdict};
use thetis_solver::SolverError;

use bit_vectors::InBitVectors;
use group::{Group, GroupWork};

pub use bit_vectors::BitVectors;
pub(crate) use conflict::conflict;
pub use features::{Circumstances, Feature, When};
pub(crate) use features::{cfa_has, net_has, sts_has};
pub use message::{Exhausted, Message, Request};
pub use stage::{After, GroupPass, Stage, Then, UseOfFacts};

use crate::catalog::{Built, Maker};
use crate::{Config, Cooperation, EngineName, Formalism, Hope, Parts};

/// How a portfolio starts processes that work on the same input.
pub struct Crew<M: Model> {
    /// The command that starts a worker.
    pub command: Box<dyn Fn() -> Command>,
    /// The verdict that a worker's certificate claims.
    pub read: ReadCertificate<M>,
    /// The input with its numbers as bit-vectors, if they are something else now.
    pub bit_vectors: Option<BitVectors<M>>,
}

/// Reads a certificate.
pub type ReadCertificate<M> = Box<dyn Fn(&Task<M>, &str) -> Result<Verdict<M>, String>>;

/// What a portfolio is asked about.
pub enum Scope<M: Model> {
    /// Tasks as the front end made them; stages may have processes of their own.
    Whole(Option<Crew<M>>),
    /// Tasks that are parts of others, which no other process knows.
    Inner,
}

/// The engine. See the [module](self).
pub struct Portfolio<M: Model> {
    config: Config,
    parts: Parts,
    scope: Scope<M>,
    statistics: Statistics,
}

/// How a stage ended.
enum StageEnd<M: Model> {
    Answer(Verdict<M>),
    Unknown(Reason),
    Timeout,
    Memory,
    Crash(String),
}

impl<M: Model> StageEnd<M> {
    fn then(&self, after: After) -> Then {
        match self {
            StageEnd::Answer(_) => Then::Stop,
            StageEnd::Unknown(_) => after.unknown,
            StageEnd::Timeout => after.timeout,
            StageEnd::Memory => after.memory,
            StageEnd::Crash(_) => after.crash,
        }
    }

    fn reason(&self) -> Reason {
        match self {
            StageEnd::Answer(_) => Reason::Failed("an answer is no reason".into()),
            StageEnd::Unknown(reason) => reason.clone(),
            StageEnd::Timeout => Reason::OutOfTime,
            StageEnd::Memory => Reason::OutOfMemory,
            StageEnd::Crash(words) => Reason::Failed(words.clone()),
        }
    }
}

/// A stage that has ended.
type Ended<M> = (Stage, StageEnd<M>, Option<Statistics>);

impl<M: Formalism> Portfolio<M> {
    /// The portfolio of `config.stage`.
    pub fn new(config: Config, parts: &Parts, scope: Scope<M>) -> Portfolio<M> {
        let statistics = Statistics::new(config.engine.as_str());
        Portfolio { config, parts: parts.clone(), scope, statistics }
    }

    fn crew(&self) -> Option<&Crew<M>> {
        match &self.scope {
            Scope::Whole(crew) => crew.as_ref(),
            Scope::Inner => None,
        }
    }

    fn circumstances(&self) -> Circumstances {
        Circumstances { jobs: self.parts.jobs, has_facts: !self.parts.cooperation.facts.is_empty() }
    }

    fn runs_side_by_side(&self) -> bool {
        self.crew().is_some() && self.parts.jobs > 1
    }

    /// How a stage works together with those before it, which have found `facts`.
    fn cooperation(&self, stage: &Stage, facts: &[Fact]) -> Cooperation {
        let outer = &self.parts.cooperation;
        Cooperation {
            facts: outer.facts.iter().chain(facts).cloned().collect(),
            use_of_facts: stage.facts.unwrap_or(outer.use_of_facts),
            reports_facts: stage.hands_on || outer.reports_facts,
        }
    }

    fn make(&self, stage: &Stage, facts: &[Fact]) -> Built<M> {
        let config = self.config.of_stage(stage)?;
        let parts = Parts { cooperation: self.cooperation(stage, facts), ..self.parts.clone() };
        let maker = Maker { config: &config, parts: &parts };
        let engine = match stage.pass {
            Some(GroupPass::BitVectors) => return self.in_bit_vectors(maker),
            Some(pass) => M::after_pass(pass, maker)?,
            None => maker.inner()?,
        };
        Ok(match self.scope {
            Scope::Whole(_) => M::enclosed(engine),
            Scope::Inner => engine,
        })
    }

    /// The engine for the other translation, whose facts nobody else can use.
    fn in_bit_vectors(&self, maker: Maker<'_>) -> Built<M> {
        let parts =
            Parts { cooperation: Cooperation::default(), hope: Hope::default(), ..maker.parts.clone() };
        let engine = M::enclosed(M::after_pass(GroupPass::BitVectors, Maker { parts: &parts, ..maker })?);
        let bit_vectors = self.crew().and_then(|crew| crew.bit_vectors.clone());
        Ok(Box::new(InBitVectors { bit_vectors, engine }))
    }

    /// Runs `stage` in this process.
    fn run_here(&self, stage: &Stage, facts: &[Fact], task: &Task<M>, run: &Run) -> Result<Ended<M>, Stop> {
        if stage.stages.is_empty() && stage.engine != EngineName::AUTO {
            run.emit(Event::Stage(stage.label().to_owned()));
        }
        let mut engine = self.make(stage, facts).map_err(|error| Stop::failed(error.to_string()))?;
        let end = match run.enclose(|| engine.check(task, run)).flatten() {
            Ok(Verdict::Unknown(reason)) => StageEnd::Unknown(reason),
            Ok(Verdict::Safe(Evidence::Missing(words)) | Verdict::Unsafe(Evidence::Missing(words))) => {
                StageEnd::Unknown(Reason::Incomplete(words.into()))
            }
            Ok(verdict) => StageEnd::Answer(verdict),
            Err(Stop::Cancelled) => return Err(Stop::Cancelled),
            Err(stop) if SolverError::is_missing(&stop) => return Err(stop),
            Err(Stop::OutOfTime) => StageEnd::Timeout,
            Err(Stop::OutOfMemory) => StageEnd::Memory,
            Err(stop @ Stop::Failed(_)) => StageEnd::Crash(stop.to_string()),
        };
        Ok((stage.clone(), end, Some(engine.statistics())))
    }

    /// Runs the stages of a group one after the other until one has an answer.
    fn run_in_turn(
        &self,
        stages: &[Stage],
        facts: &[Fact],
        task: &Task<M>,
        run: &Run,
    ) -> Result<Vec<Ended<M>>, Stop> {
        let mut all = Vec::new();
        for stage in stages {
            let part = run.slice(Share::percent(stage.share.min(100)));
            let is_apart = stage.worker.unwrap_or(true) && self.crew().is_some();
            let ended = match self.crew().filter(|_| is_apart) {
                Some(crew) => {
                    run.emit(Event::Stage(stage.label().to_owned()));
                    let stages = std::slice::from_ref(stage);
                    Group::run(self, crew, GroupWork { task, stages, facts }, run)?
                }
                None => vec![self.run_here(stage, facts, task, &part)?],
            };
            let is_over = ended.iter().any(|(_, end, _)| matches!(end, StageEnd::Answer(_)));
            all.extend(ended);
            run.checkpoint()?;
            if is_over {
                break;
            }
        }
        Ok(all)
    }

    fn run_group(
        &self,
        stages: &[Stage],
        facts: &[Fact],
        task: &Task<M>,
        run: &Run,
    ) -> Result<Vec<Ended<M>>, Stop> {
        match self.crew() {
            Some(crew) if stages.len() > 1 && self.runs_side_by_side() => {
                let names: Vec<&str> = stages.iter().map(Stage::label).collect();
                run.emit(Event::Stage(names.join(" | ")));
                Group::run(self, crew, GroupWork { task, stages, facts }, run)
            }
            _ => self.run_in_turn(stages, facts, task, run),
        }
    }

    fn note(&mut self, stage: &Stage, end: &StageEnd<M>, statistics: Option<Statistics>) {
        let words = match end {
            StageEnd::Answer(_) => "answer".to_owned(),
            other => other.reason().to_string(),
        };
        let mut part = statistics.unwrap_or_else(|| Statistics::new(stage.engine.as_str()));
        if !stage.stages.is_empty() {
            part.name = stage.label().to_owned();
        }
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

impl<M: Formalism> Engine<M> for Portfolio<M> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        self.statistics = Statistics::new(self.config.engine.as_str());
        let facts: Arc<Mutex<BTreeSet<Fact>>> = Arc::default();
        let mut last = Reason::Failed("no stage of the portfolio is for the model".into());
        let groups = stage::groups(&self.config.stage, task, self.circumstances());
        let groups = if self.runs_side_by_side() { groups } else { stage::in_turn(groups) };
        for group in groups {
            let known: Vec<Fact> = known(&facts).into_iter().collect();
            let listening = collecting(run, &facts, group.iter().any(|stage| stage.hands_on));
            let mut goes_on = true;
            for (stage, end, statistics) in self.run_group(&group, &known, task, &listening)? {
                self.note(&stage, &end, statistics);
                if let StageEnd::Answer(verdict) = end {
                    return Ok(verdict);
                }
                goes_on &= end.then(stage.after) == Then::Next;
                last = end.reason();
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
