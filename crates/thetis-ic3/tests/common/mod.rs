//! What the tests on automata share: a checked solver, verdicts, and the sample program of Mertens 2016.

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thetis_base::{Budget, Event, Run, Statistic, Statistics};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_ic3::{CfaIc3, Ic3Config};
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_z3::Z3Factory;

/// Z3 with every answer checked.
pub(crate) fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// The certified answer of `engine`, found within `time`.
pub(crate) fn certified(engine: &mut dyn Engine<Cfa>, task: &Task<Cfa>, time: Duration) -> Verdict<Cfa> {
    let run = Run::new(Budget { wall: Some(time), ..Budget::default() });
    let verdict = engine.check(task, &run).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
    certify(task, verdict, &*solvers(), &Run::unlimited()).unwrap().verdict
}

/// What is wrong with an answer, if anything.
pub(crate) fn problem(verdict: &Verdict<Cfa>, is_unsafe: bool) -> Option<String> {
    let is_wrong = match verdict {
        Verdict::Safe(Evidence::Given(_)) => is_unsafe,
        Verdict::Unsafe(Evidence::Given(_)) => !is_unsafe,
        Verdict::Unknown(Reason::OutOfTime | Reason::Solver(_)) => false,
        _ => true,
    };
    is_wrong.then(|| format!("answered {verdict:?}; unsafe: {is_unsafe}"))
}

/// The events of a run.
pub(crate) struct Observed {
    pub(crate) verdict: Verdict<Cfa>,
    pub(crate) statistics: Statistics,
    /// For each iteration a line about obligations and the table of the frames.
    pub(crate) iterations: Vec<Vec<String>>,
}

/// The certified answer with statistics and what was reported on the way.
pub(crate) fn observed(task: &Task<Cfa>, config: &Ic3Config) -> Observed {
    let notes: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
    let sink = notes.clone();
    let run = Run::unlimited().with_events(Arc::new(move |event: &Event| {
        if let Event::Note(note) = event {
            sink.lock().unwrap().push(note.lines().map(String::from).collect());
        }
    }));
    let mut engine = CfaIc3::new(config.clone(), solvers());
    let verdict = engine.check(task, &run).expect("an unlimited run should not stop");
    let verdict = certify(task, verdict, &*solvers(), &run).unwrap().verdict;
    let iterations = notes.lock().unwrap().clone();
    Observed { verdict, statistics: engine.statistics(), iterations }
}

/// A figure of the statistics, wherever it stands.
pub(crate) fn figure(statistics: &Statistics, name: &str) -> u64 {
    let mut pending = vec![statistics];
    while let Some(part) = pending.pop() {
        for (entry, statistic) in &part.entries {
            if let (true, Statistic::Count(count)) = (entry == name, statistic) {
                return *count;
            }
        }
        pending.extend(&part.parts);
    }
    panic!("there is no figure `{name}`");
}
