//! A solver whose queries are counted, timed and, if wanted, logged.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Run, Statistics, Stopwatch};
use thetis_expr::{ExprId, Store};

use crate::{Answer, CoreAnswer, CoreSolver, QueryLimit, QueryLog, Solver, SolverError, SolverFactory};

/// Opens the log of the solver that is started as number 0, 1, ...
pub type OpenLog = Box<dyn Fn(usize) -> Result<QueryLog, SolverError>>;

/// Starts solvers of another factory and records what they do, all in one record.
pub struct RecordedFactory {
    inner: Rc<dyn SolverFactory>,
    record: Rc<RefCell<Record>>,
    open_log: Option<OpenLog>,
}

impl RecordedFactory {
    /// Records the solvers of `inner`.
    pub fn new(inner: Rc<dyn SolverFactory>) -> RecordedFactory {
        RecordedFactory { inner, record: Rc::default(), open_log: None }
    }

    /// With a query log for each solver.
    #[must_use]
    pub fn with_logs(mut self, open_log: OpenLog) -> RecordedFactory {
        self.open_log = Some(open_log);
        self
    }

    /// What all solvers so far have done.
    pub fn statistics(&self) -> Statistics {
        self.record.borrow().statistics(self.inner.name())
    }
}

impl SolverFactory for RecordedFactory {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        let inner = self.inner.start(run)?;
        let number = self.record.borrow().num_solvers as usize;
        self.record.borrow_mut().num_solvers += 1;
        let log = self.open_log.as_ref().map(|open| open(number)).transpose()?;
        Ok(Box::new(Recorded { inner, record: self.record.clone(), log }))
    }
}

/// A solver whose queries are recorded.
pub struct Recorded<S> {
    inner: S,
    record: Rc<RefCell<Record>>,
    log: Option<QueryLog>,
}

impl<S: CoreSolver> Recorded<S> {
    /// Records what `inner` does, in a record of its own.
    pub fn new(inner: S, log: Option<QueryLog>) -> Recorded<S> {
        let record = Record { num_solvers: 1, ..Record::default() };
        Recorded { inner, record: Rc::new(RefCell::new(record)), log }
    }

    /// What this solver, and those that share its record, have done.
    pub fn statistics(&self, name: &str) -> Statistics {
        self.record.borrow().statistics(name)
    }
}

impl<S: CoreSolver> Solver for Recorded<S> {
    fn push(&mut self) -> Result<(), SolverError> {
        self.record.borrow_mut().pushes += 1;
        if let Some(log) = &mut self.log {
            log.push()?;
        }
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.record.borrow_mut().pops += 1;
        if let Some(log) = &mut self.log {
            log.pop()?;
        }
        self.inner.pop()
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.record.borrow_mut().asserts += 1;
        if let Some(log) = &mut self.log {
            log.assert(store, formula)?;
        }
        self.inner.assert(store, formula)
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        if let Some(log) = &mut self.log {
            log.query(store, assumptions)?;
        }
        let mut watch = Stopwatch::default();
        let answer = watch.time(|| self.inner.check(store, assumptions));
        let kind = match &answer {
            Ok(Answer::Sat(_)) => AnswerKind::Sat,
            Ok(Answer::Unsat) => AnswerKind::Unsat,
            Ok(Answer::Unknown(reason)) => AnswerKind::Unknown(reason.to_string()),
            Err(error) => AnswerKind::Failed(error.to_string()),
        };
        finish(&self.record, &mut self.log, &kind, watch.total())?;
        answer
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.inner.set_limit(limit);
    }
}

impl<S: CoreSolver> CoreSolver for Recorded<S> {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        if let Some(log) = &mut self.log {
            log.query(store, assumptions)?;
        }
        let mut watch = Stopwatch::default();
        let answer = watch.time(|| self.inner.check_core(store, assumptions));
        let kind = match &answer {
            Ok(CoreAnswer::Sat(_)) => AnswerKind::Sat,
            Ok(CoreAnswer::Unsat(_)) => AnswerKind::Unsat,
            Ok(CoreAnswer::Unknown(reason)) => AnswerKind::Unknown(reason.to_string()),
            Err(error) => AnswerKind::Failed(error.to_string()),
        };
        finish(&self.record, &mut self.log, &kind, watch.total())?;
        answer
    }
}

/// Which answer a query had, with the words of the last two.
enum AnswerKind {
    Sat,
    Unsat,
    Unknown(String),
    Failed(String),
}

fn finish(
    record: &RefCell<Record>,
    log: &mut Option<QueryLog>,
    kind: &AnswerKind,
    time: Duration,
) -> Result<(), SolverError> {
    record.borrow_mut().count(kind, time);
    let Some(log) = log else { return Ok(()) };
    match kind {
        AnswerKind::Sat => log.answer("sat"),
        AnswerKind::Unsat => log.answer("unsat"),
        AnswerKind::Unknown(words) => log.answer(&format!("unknown ({words})")),
        AnswerKind::Failed(words) => log.answer(&format!("error ({words})")),
    }
}

#[derive(Default)]
struct Record {
    num_solvers: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    failed: u64,
    pushes: u64,
    pops: u64,
    asserts: u64,
    time: Duration,
    longest: Duration,
}

impl Record {
    fn count(&mut self, kind: &AnswerKind, time: Duration) {
        self.time += time;
        self.longest = self.longest.max(time);
        match kind {
            AnswerKind::Sat => self.sat += 1,
            AnswerKind::Unsat => self.unsat += 1,
            AnswerKind::Unknown(_) => self.unknown += 1,
            AnswerKind::Failed(_) => self.failed += 1,
        }
    }

    fn statistics(&self, name: &str) -> Statistics {
        Statistics::new(format!("solver-{name}"))
            .count("solvers", self.num_solvers)
            .count("queries", self.sat + self.unsat + self.unknown + self.failed)
            .count("sat", self.sat)
            .count("unsat", self.unsat)
            .count("unknown", self.unknown)
            .count("failed", self.failed)
            .count("assertions", self.asserts)
            .count("pushes", self.pushes)
            .count("pops", self.pops)
            .time("time", self.time)
            .time("longest-query", self.longest)
    }
}
