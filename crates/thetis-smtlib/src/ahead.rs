//! Questions that were sent ahead, and the process that answers them one after the other.
//!
//! A process reads its commands from a pipe, so it can be sent questions while it still works on earlier ones. Its answers come in the order of the
//! questions. If it fails, or is killed because an answer takes too long, the later questions are *lost* together with it. That does no
//! harm: each question keeps all commands that it depends on, and a lost one is asked again, alone, when its answer is needed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::Run;
use thetis_solver::{BareAnswer, Pending, Reason, SolverError};

use crate::SmtlibConfig;
use crate::process::{NoAnswer, Process};

/// How long sending a question may take, because the process is still busy with earlier ones and its pipe is full.
const PATIENCE: Duration = Duration::from_secs(2);

/// A process and the questions that it has not answered yet.
pub(crate) struct Line {
    process: Option<Process>,
    open: VecDeque<Rc<Sent>>,
    past: Past,
    /// A question that was asked to warm up. Held here, it counts as one that somebody waits for.
    warm_up: Option<Rc<Sent>>,
}

/// What a process has been sent so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Past {
    Nothing,
    /// Its [prologue](SmtlibConfig::prologue).
    Prologue,
    /// The commands of a solver.
    Solver,
}

/// Whoever talks to the process of a line: a solver, and questions that it has sent ahead.
pub(crate) type SharedLine = Rc<RefCell<Line>>;

impl Line {
    pub(crate) fn start(config: &SmtlibConfig) -> Result<SharedLine, SolverError> {
        let process = Some(Process::start(&config.command)?);
        Ok(Rc::new(RefCell::new(Line { process, open: VecDeque::new(), past: Past::Nothing, warm_up: None })))
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.process.is_some()
    }

    /// Whether the process owes an answer that nobody wants any more. It may take for ever.
    pub(crate) fn is_busy_for_nobody(&self) -> bool {
        self.open.iter().any(|sent| Rc::strong_count(sent) == 1)
    }

    /// What a new solver sends before its commands.
    pub(crate) fn introduction(&self, config: &SmtlibConfig) -> String {
        match self.past {
            Past::Nothing => config.prologue(),
            Past::Prologue => String::new(),
            Past::Solver => "(reset)\n".to_owned() + &config.prologue(),
        }
    }

    /// Sends the prologue and a question without assertions, because solvers set themselves up when they are first asked.
    fn warm_up(&mut self, config: &SmtlibConfig, run: &Run) {
        if self.send(&(config.prologue() + "(check-sat)\n"), run).is_ok() {
            let question = Rc::new(Sent { commands: Vec::new(), state: RefCell::new(State::Open) });
            self.open.push_back(question.clone());
            self.warm_up = Some(question);
            self.past = Past::Prologue;
        }
    }

    /// Sends commands and reads an answer that is not an acknowledgement. The answers to open questions come first.
    pub(crate) fn ask(&mut self, commands: &str, run: &Run) -> Result<String, NoAnswer> {
        self.send(commands, run)?;
        while !self.open.is_empty() {
            self.receive_open(run)?;
        }
        self.receive(run)
    }

    fn send(&mut self, commands: &str, run: &Run) -> Result<(), NoAnswer> {
        self.past = Past::Solver;
        let Some(process) = &mut self.process else { return Err(gone()) };
        let sent = process.tell(commands, run);
        sent.inspect_err(|_| self.lose())
    }

    /// The next answer.
    fn receive(&mut self, run: &Run) -> Result<String, NoAnswer> {
        let Some(process) = &mut self.process else { return Err(gone()) };
        let answer = process.ask("", run).and_then(|mut answer| {
            while ["unsupported", "success"].contains(&answer.as_str()) {
                answer = process.ask("", run)?;
            }
            if answer.starts_with("(error") {
                return Err(NoAnswer::Failed(SolverError::Protocol(answer)));
            }
            Ok(answer)
        });
        answer.inspect_err(|_| self.lose())
    }

    /// Receives the answer to the earliest open question.
    fn receive_open(&mut self, run: &Run) -> Result<(), NoAnswer> {
        let answer = self.receive(run)?;
        if let Some(sent) = self.open.pop_front() {
            sent.state.replace(State::Answered(answer));
        }
        Ok(())
    }

    /// Ends the process.
    fn lose(&mut self) {
        self.process = None;
        for sent in self.open.drain(..) {
            sent.state.replace(State::Lost);
        }
    }
}

fn gone() -> NoAnswer {
    NoAnswer::Failed(SolverError::Died("the process has ended".into()))
}

/// The processes of a configuration that wait for their next solver.
pub(crate) struct Pool {
    pub(crate) config: SmtlibConfig,
    idle: RefCell<Vec<SharedLine>>,
}

impl Pool {
    pub(crate) fn new(config: SmtlibConfig) -> Pool {
        Pool { config, idle: RefCell::default() }
    }

    /// Starts a process for the next solver, so that it is ready by the time it is asked. Only processes that can be
    /// [used again](SmtlibConfig::reusable) can wait.
    pub(crate) fn prepare(&self, run: &Run) -> Result<(), SolverError> {
        if self.config.reusable {
            let line = Line::start(&self.config)?;
            line.borrow_mut().warm_up(&self.config, run);
            self.idle.borrow_mut().push(line);
        }
        Ok(())
    }

    /// A process for a solver that knows nothing yet.
    pub(crate) fn take(&self) -> Result<SharedLine, SolverError> {
        let waiting = self.idle.borrow_mut().pop();
        waiting.map_or_else(|| Line::start(&self.config), Ok)
    }

    /// Keeps the process of a solver that is gone for another one, if it can serve another one.
    pub(crate) fn give_back(&self, line: SharedLine) {
        let is_useful =
            self.config.reusable && line.borrow().is_alive() && !line.borrow().is_busy_for_nobody();
        if is_useful {
            self.idle.borrow_mut().push(line);
        }
    }
}

/// A question that was sent ahead.
pub(crate) struct Sent {
    /// Declarations and assertions, so that the question can be asked alone.
    commands: Vec<Rc<str>>,
    state: RefCell<State>,
}

enum State {
    Open,
    Answered(String),
    /// The process has ended before it answered.
    Lost,
}

/// A question whose answer is wanted later.
pub(crate) struct Ahead {
    sent: Rc<Sent>,
    line: SharedLine,
    pool: Rc<Pool>,
    run: Run,
}

impl Ahead {
    /// Sends `text`, a question. It depends on `commands`: declarations and assertions.
    pub(crate) fn send(
        line: &SharedLine,
        pool: &Rc<Pool>,
        text: &str,
        commands: Vec<Rc<str>>,
        run: &Run,
    ) -> Result<Ahead, SolverError> {
        let sent = Rc::new(Sent { commands, state: RefCell::new(State::Open) });
        let outcome = line.borrow_mut().send(text, &run.at_most(PATIENCE));
        match outcome {
            Ok(()) => line.borrow_mut().open.push_back(sent.clone()),
            Err(NoAnswer::Killed) => *sent.state.borrow_mut() = State::Lost,
            Err(NoAnswer::Failed(error)) => return Err(error),
        }
        Ok(Ahead { sent, line: line.clone(), pool: pool.clone(), run: run.clone() })
    }

    /// Asks a process that knows nothing else.
    fn ask_alone(&self, run: &Run) -> Result<String, NoAnswer> {
        let line = self.pool.take().map_err(NoAnswer::Failed)?;
        let commands = line.borrow().introduction(&self.pool.config);
        let answer = line.borrow_mut().ask(&(commands + &self.text()), run);
        self.pool.give_back(line);
        answer
    }

    fn text(&self) -> String {
        self.sent.commands.concat() + "(check-sat)\n"
    }

    fn answer(&self, run: &Run) -> Result<String, NoAnswer> {
        loop {
            let is_first = match &*self.sent.state.borrow() {
                State::Answered(answer) => return Ok(answer.clone()),
                State::Lost => return self.ask_alone(run),
                State::Open => {
                    self.line.borrow().open.front().is_some_and(|sent| Rc::ptr_eq(sent, &self.sent))
                }
            };
            let received = self.line.borrow_mut().receive_open(run);
            match received {
                // Another question is to blame; this one is lost now.
                Err(_) if !is_first && run.checkpoint().is_ok() => {}
                received => received?,
            }
        }
    }
}

impl Pending for Ahead {
    fn wait(&mut self, time: Option<Duration>) -> Result<BareAnswer, SolverError> {
        let run = time.map_or_else(|| self.run.clone(), |time| self.run.at_most(time));
        if run.checkpoint().is_err() {
            return Ok(BareAnswer::Unknown(Reason::Interrupted));
        }
        match self.answer(&run) {
            Ok(answer) => bare_answer(answer),
            Err(NoAnswer::Killed) => Ok(BareAnswer::Unknown(Reason::Interrupted)),
            Err(NoAnswer::Failed(error)) => Err(error),
        }
    }

    fn script(&self) -> String {
        format!("(set-logic {})\n{}", self.pool.config.logic, self.text())
    }
}

fn bare_answer(answer: String) -> Result<BareAnswer, SolverError> {
    match answer.as_str() {
        "sat" => Ok(BareAnswer::Sat),
        "unsat" => Ok(BareAnswer::Unsat),
        "unknown" => Ok(BareAnswer::Unknown(Reason::Incomplete(answer))),
        _ => Err(SolverError::Protocol(answer)),
    }
}
