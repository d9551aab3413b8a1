//! Stages that run side by side, in processes of their own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use thetis_base::{Fact, Run, Share, Statistics, Stop};
use thetis_model::{Model, Reason, Task};

use super::worker::{Report, Worker};
use super::{Crew, Ended, Exhausted, Message, Portfolio, Request, Stage, StageEnd};
use crate::Formalism;

/// What a group does: its stages, asked about a task, with what is known about it.
pub(super) struct GroupWork<'p, M: Model> {
    pub(super) task: &'p Task<M>,
    pub(super) stages: &'p [Stage],
    pub(super) facts: &'p [Fact],
}

impl<M: Model> Clone for GroupWork<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Model> Copy for GroupWork<'_, M> {}

/// The workers of one group.
pub(super) struct Group<'p, M: Model> {
    crew: &'p Crew<M>,
    task: &'p Task<M>,
    stages: &'p [Stage],
    runs: Vec<Run>,
    workers: Vec<Option<Worker>>,
    outcomes: Vec<Option<StageEnd<M>>>,
    statistics: Vec<Option<Statistics>>,
    reports: Receiver<(usize, Report)>,
}

/// How often time limits and cancellation are checked while workers are silent.
const TICK: Duration = Duration::from_millis(10);

/// The share of a stage's time that its worker gets; in the rest it can report what it has found.
const OWN_SHARE: u32 = 90;

impl<'p, M: Formalism> Group<'p, M> {
    /// Runs the stages of `work` side by side until one has an answer, or all have ended.
    pub(super) fn run(
        portfolio: &Portfolio<M>,
        crew: &'p Crew<M>,
        work: GroupWork<'p, M>,
        run: &Run,
    ) -> Result<Vec<Ended<M>>, Stop> {
        let mut group = Group::start(portfolio, crew, work, run)?;
        group.wait(run)?;
        let ended = group.outcomes.into_iter().zip(group.statistics).zip(work.stages);
        let given_up = || StageEnd::Unknown(Reason::Cancelled);
        let ended =
            ended.map(|((end, statistics), stage)| (stage.clone(), end.unwrap_or_else(given_up), statistics));
        Ok(ended.collect())
    }

    fn start(
        portfolio: &Portfolio<M>,
        crew: &'p Crew<M>,
        work: GroupWork<'p, M>,
        run: &Run,
    ) -> Result<Group<'p, M>, Stop> {
        let GroupWork { task, stages, facts } = work;
        let (sender, reports) = channel();
        let runs: Vec<Run> = stages.iter().map(|stage| run.slice(share(stage, stages.len()))).collect();
        let mut workers = Vec::new();
        for (number, stage) in stages.iter().enumerate() {
            let own = runs[number].slice(Share::percent(OWN_SHARE));
            let cooperation = portfolio.cooperation(stage, facts);
            let config =
                portfolio.config.of_worker(stage).map_err(|error| Stop::failed(error.to_string()))?;
            let request = Request {
                config: config.to_toml(),
                facts: cooperation.facts,
                use_of_facts: cooperation.use_of_facts,
                reports_facts: cooperation.reports_facts,
                time: own.time_left().map(|time| time.as_millis() as u64),
                cpu_time: own.cpu_left().map(|time| time.as_millis() as u64 / stages.len() as u64),
                memory: run.memory_for_children().map(|memory| memory / stages.len() as u64),
            };
            workers.push(Some(Worker::start((crew.command)(), &request, number, sender.clone())?));
        }
        let outcomes = stages.iter().map(|_| None).collect();
        let statistics = stages.iter().map(|_| None).collect();
        Ok(Group { crew, task, stages, runs, workers, outcomes, statistics, reports })
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
        self.outcomes.iter().any(|outcome| matches!(outcome, Some(StageEnd::Answer(_))))
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
                match (self.crew.read)(self.task, &certificate) {
                    Ok(verdict) => StageEnd::Answer(verdict),
                    Err(words) => {
                        StageEnd::Crash(format!("the certificate of a worker cannot be read: {words}"))
                    }
                }
            }
            Report::Said(Message::Unknown(words)) => StageEnd::Unknown(Reason::Incomplete(words)),
            Report::Said(Message::Exhausted(Exhausted::Time)) => StageEnd::Timeout,
            Report::Said(Message::Exhausted(Exhausted::Memory)) => StageEnd::Memory,
            Report::Garbled(words) => StageEnd::Crash(format!("a worker sent an invalid message: {words}")),
            Report::Silent => {
                let ended = self.workers[number].as_mut().and_then(Worker::end);
                let status =
                    ended.map_or_else(|| "for unknown reasons".into(), |used| used.status.to_string());
                StageEnd::Crash(format!("a worker ended without an answer ({status})"))
            }
        };
        self.finish(number, outcome);
    }

    fn finish(&mut self, number: usize, outcome: StageEnd<M>) {
        self.outcomes[number] = Some(outcome);
        self.workers[number] = None;
    }

    /// Kills the workers whose time is over.
    fn enforce_limits(&mut self) {
        for number in 0..self.stages.len() {
            let is_over = self.runs[number].time_left().is_some_and(|left| left.is_zero());
            if is_over && self.outcomes[number].is_none() {
                self.finish(number, StageEnd::Timeout);
            }
        }
    }
}

/// The part of the time for a stage in a group of `num_stages`.
fn share(stage: &Stage, num_stages: usize) -> Share {
    let beside = stage.share_beside.filter(|_| num_stages > 1);
    Share::percent(beside.unwrap_or(stage.share).min(100))
}
