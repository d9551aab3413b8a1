//! What one invocation shares: the run with its budget and Ctrl-C, and the solvers.

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use thetis_base::{Budget, Event, EventSink, Fact, Iteration, Run, Share, Statistics, Stop, printable};
use thetis_boxes::BoxesFactory;
use thetis_model::Reason;
use thetis_portfolio::{Cooperation, Hope, Parts};
use thetis_report::Abstractions;
use thetis_smtlib::{HornProcess, SmtlibFactory};
use thetis_solver::{
    CheckedFactory, FallbackFactory, JudgeFactory, QueryLog, RecordedFactory, SolverError, SolverFactory,
};
use thetis_z3::{GLOBAL_GUIDANCE, SPACER_OPTIONS, Z3Eliminator, Z3Factory, Z3Horn};

use crate::args::{BudgetArgs, JudgeArgs, SolverArgs};
use crate::commands::solver;
use crate::failure::Failure;
use crate::input::shown;
use crate::{judges, protect, signals, terminal, watchdog};

/// The part of the time that the engine may use; the rest is for checking its evidence.
const ENGINE_SHARE: u32 = 90;

/// What engines have drawn last, if anything.
pub(crate) type Drawing = Arc<Mutex<Drawn>>;

/// What was drawn last of each kind.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) abstractions: Abstractions,
    /// A solution space, in the language of Graphviz.
    pub(crate) solution_space: Option<String>,
}

pub(crate) struct Session {
    /// The whole run.
    pub(crate) run: Run,
    /// The solver that engines try first on formulas with floats.
    boxes: Rc<dyn SolverFactory>,
    /// The solvers of engines, with their statistics. They handle what boxes do not decide.
    pub(crate) solvers: Rc<RecordedFactory>,
    /// The solvers of the checker.
    pub(crate) judges: Rc<JudgeFactory>,
}

impl Session {
    /// Starts the run and its watchdog; a command does it before it reads anything.
    pub(crate) fn start(
        budget: &BudgetArgs,
        solver: &SolverArgs,
        judge: &JudgeArgs,
    ) -> Result<Session, Failure> {
        Session::of(start_run(budget.into()), solver, judge)
    }

    /// A session for a run that was started.
    pub(crate) fn of(run: Run, solver: &SolverArgs, judge: &JudgeArgs) -> Result<Session, Failure> {
        let solvers = RecordedFactory::new(solver_kind(solver.solver.as_deref())?);
        let boxes: Rc<dyn SolverFactory> = Rc::new(BoxesFactory);
        let (boxes, solvers) = match &solver.smt_log {
            None => (boxes, solvers),
            Some(folder) => {
                let boxes = log_to(RecordedFactory::new(boxes), folder, "boxes")?;
                (Rc::new(boxes) as Rc<dyn SolverFactory>, log_to(solvers, folder, "solver")?)
            }
        };
        let solvers = Rc::new(solvers);
        let judges = Rc::new(judges::judges(boxes.clone(), solvers.clone(), solver, judge)?);
        Ok(Session { run, boxes, solvers, judges })
    }

    /// The same session with its events going to `sink`.
    pub(crate) fn with_events(mut self, sink: EventSink) -> Session {
        self.run = self.run.with_events(sink);
        self
    }

    /// Also keeps the last drawing of each kind from now on.
    pub(crate) fn keep_drawing(&mut self) -> Drawing {
        let drawing = Drawing::default();
        let (kept, run) = (drawing.clone(), self.run.clone());
        self.run = self.run.clone().with_events(Arc::new(move |event| {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Drawing(graph) => kept.abstractions.graph = Some(graph.clone()),
                Event::Frames(frames) => kept.abstractions.frames = Some(frames.clone()),
                Event::SolutionSpace(text) => kept.solution_space = Some(text.clone()),
                _ => {}
            }
            drop(kept);
            run.emit(event.clone());
        }));
        drawing
    }

    /// The part of the run for the engine.
    pub(crate) fn engine_run(&self) -> Run {
        self.run.slice(Share::percent(ENGINE_SHARE))
    }

    /// Why the run is undecided; a missing solver ends the program.
    pub(crate) fn give_up(&self, stop: Stop) -> Result<Reason, Failure> {
        if SolverError::is_missing(&stop) { Err(Failure::internal(stop)) } else { Ok(stop.into()) }
    }

    /// What engines are built with, one portfolio stage at a time.
    pub(crate) fn parts(&self, cooperation: Cooperation) -> Parts {
        Parts {
            solvers: Rc::new(FallbackFactory::new(self.boxes.clone(), self.solvers.clone())),
            eliminator: Rc::new(Z3Eliminator),
            horn: Rc::new(|| Box::new(Z3Horn::default())),
            clauses: Rc::new(|| Box::new(horn_process())),
            cooperation,
            jobs: 1,
            hope: Hope::default(),
        }
    }

    /// What the solvers did.
    pub(crate) fn statistics(&self) -> Statistics {
        self.solvers.statistics()
    }
}

/// A run that listens to signals, is watched by the watchdog, and encloses this thread.
pub(crate) fn start_run(budget: Budget) -> Run {
    let run = Run::with_cancel(budget, signals::cancel());
    watchdog::watch(run.clone());
    run.enclose_thread();
    run
}

/// This program as a Horn solver, with global guidance: without it, counting loops are unrolled.
fn horn_process() -> HornProcess {
    // Where the kernel cannot say which program this is, starting it fails, and that is reported.
    let program = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
    let command = std::iter::once(program).chain(solver::arguments()).collect();
    HornProcess::new(command, format!("{SPACER_OPTIONS}{GLOBAL_GUIDANCE}"))
}

fn solver_kind(config: Option<&Path>) -> Result<Rc<dyn SolverFactory>, Failure> {
    let Some(path) = config else { return Ok(checked(Rc::new(Z3Factory::default()))) };
    Ok(checked(Rc::new(SmtlibFactory::new(judges::configured(path)?))))
}

/// Debug builds check every answer of the solver with Z3.
fn checked(solvers: Rc<dyn SolverFactory>) -> Rc<dyn SolverFactory> {
    if cfg!(debug_assertions) {
        return Rc::new(CheckedFactory::new(solvers, Rc::new(Z3Factory::default())));
    }
    solvers
}

/// Each solver writes its own script, which is called `name` and a number.
fn log_to(solvers: RecordedFactory, folder: &Path, name: &'static str) -> Result<RecordedFactory, Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", shown(folder)));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let folder = folder.to_path_buf();
    Ok(solvers.with_logs(Box::new(move |number| {
        let path = folder.join(format!("{name}-{number}.smt2"));
        let file = protect::check_writing(&path)
            .and_then(|()| std::fs::File::create(&path))
            .map_err(|error| SolverError::Died(format!("cannot log to {}: {error}", path.display())))?;
        QueryLog::new(Box::new(std::io::BufWriter::new(file)))
    })))
}

/// Shows an event on standard error.
pub(crate) fn show_event(event: &Event) {
    let text = match event {
        Event::Stage(name) => name.clone(),
        Event::SafeUpTo(bound) => format!("no violation up to bound {bound}"),
        Event::Iteration(Iteration { number, nodes, tracked, queries, .. }) => {
            format!("iteration {number}: {nodes} nodes, {tracked} tracked, {queries} queries")
        }
        Event::Fact(Fact::Invariant { location, formula }) => format!("at {location} always {formula}"),
        Event::Fact(Fact::Predicate { formula, .. }) => format!("worth tracking: {formula}"),
        Event::Fact(Fact::Wanted { location }) => format!("too little is known at {location}"),
        Event::Note(words) => words.clone(),
        Event::Drawing(_) | Event::SolutionSpace(_) | Event::Frames(_) => return,
    };
    // Only notes have several lines.
    let lines: Vec<Cow<'_, str>> = match event {
        Event::Note(_) => text.lines().map(printable).collect(),
        _ => vec![printable(&text)],
    };
    terminal::show(&format!("{}\n", lines.join("\n")));
}
