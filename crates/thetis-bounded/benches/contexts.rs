//! What one incremental context saves: the same engine with solvers that keep their context, and with solvers that answer
//! every query in a new one.
//!
//! The models hold, and nothing short of the greatest `k` proves them, so k-induction asks base and step of every `k`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool that prints a table")]

use std::cell::Cell;
use std::rc::Rc;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_bounded::{Kind, KindConfig};
use thetis_engine::Engine;
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::Cfa;
use thetis_model::sts::Sts;
use thetis_model::{Model, Reason, Task, Verdict};
use thetis_solver::{Answer, CoreAnswer, CoreSolver, QueryLimit, Solver, SolverError, SolverFactory};
use thetis_z3::Z3Factory;

/// The greatest `k`.
const STEPS: u32 = 50;

/// What a factory has counted.
#[derive(Default)]
struct Counts {
    queries: Cell<u64>,
    assertions: Cell<u64>,
}

/// Whether contexts are kept from query to query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contexts {
    Kept,
    Fresh,
}

struct Counting {
    contexts: Contexts,
    counts: Rc<Counts>,
}

impl SolverFactory for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        let inner = Z3Factory::default().start(run)?;
        let assertions = Vec::new();
        Ok(Box::new(Counted { contexts: self.contexts, counts: self.counts.clone(), inner, assertions }))
    }
}

/// A solver that counts, and that starts anew for every query if contexts are fresh.
struct Counted {
    contexts: Contexts,
    counts: Rc<Counts>,
    inner: Box<dyn CoreSolver>,
    assertions: Vec<ExprId>,
}

impl Counted {
    fn tell(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.counts.assertions.set(self.counts.assertions.get() + 1);
        self.inner.assert(store, formula)
    }

    fn prepare(&mut self, store: &Store) -> Result<(), SolverError> {
        self.counts.queries.set(self.counts.queries.get() + 1);
        if self.contexts == Contexts::Fresh {
            self.inner = Z3Factory::default().start(&Run::unlimited())?;
            for formula in self.assertions.clone() {
                self.tell(store, formula)?;
            }
        }
        Ok(())
    }
}

impl Solver for Counted {
    fn push(&mut self) -> Result<(), SolverError> {
        panic!("the engine should open no scopes")
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        panic!("the engine should open no scopes")
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        match self.contexts {
            Contexts::Kept => self.tell(store, formula),
            Contexts::Fresh => {
                self.assertions.push(formula);
                Ok(())
            }
        }
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        self.prepare(store)?;
        self.inner.check(store, assumptions)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.inner.set_limit(limit);
    }
}

impl CoreSolver for Counted {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        self.prepare(store)?;
        self.inner.check_core(store, assumptions)
    }
}

/// The CPU time of this thread, which other programs on the machine do not change. Only on Linux.
fn cpu_seconds() -> f64 {
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds: f64 = figures.split(' ').next().unwrap().parse().unwrap();
    nanoseconds / 1e9
}

/// Queries, assertions and seconds of k-induction up to [`STEPS`].
fn measure<M: Model>(task: &Task<M>, contexts: Contexts) -> (u64, u64, f64)
where
    Kind: Engine<M>,
{
    let counts = Rc::new(Counts::default());
    let config = KindConfig {
        max_k: STEPS,
        ranges: false,
        guesses: false,
        equalities: false,
        ..KindConfig::default()
    };
    let mut kind = Kind::new(config, Rc::new(Counting { contexts, counts: counts.clone() }));
    let start = cpu_seconds();
    let verdict = kind.check(task, &Run::unlimited()).unwrap();
    let seconds = cpu_seconds() - start;
    assert!(
        matches!(verdict, Verdict::Unknown(Reason::Bound(STEPS))),
        "no k up to {STEPS} should be a proof"
    );
    (counts.queries.get(), counts.assertions.get(), seconds)
}

fn print<M: Model>(name: &str, task: &Task<M>)
where
    Kind: Engine<M>,
{
    for (contexts, word) in [(Contexts::Kept, "one, incremental"), (Contexts::Fresh, "one a query")] {
        let (queries, assertions, seconds) = measure(task, contexts);
        println!("| {name} | {word} | {queries} | {assertions} | {seconds:.2} s |");
    }
}

fn automaton(body: &str) -> Task<Cfa> {
    let mut sources = SourceMap::new();
    let file = sources.add("bench.cfa", format!("main process p {{ {body} }}"));
    thetis_text::cfa::parse(&sources, file, &mut Diagnostics::new()).unwrap()
}

fn system(body: &str, property: &str) -> Task<Sts> {
    let mut sources = SourceMap::new();
    let text = format!("specification S {{ property p : {{ {body} }} models G({property}) }}");
    let file = sources.add("bench.sts", text);
    thetis_text::sts::parse(&sources, file, &mut Diagnostics::new()).unwrap().remove(0).task
}

fn main() {
    println!("| model | context | queries | assertions | CPU time |");
    println!("| --- | --- | ---: | ---: | ---: |");
    // From states with a large sum and a negative summand, the sum takes as long as one likes to become negative.
    let rounds = "var x : int var sum : int init loc start loc head loc middle error loc bad
        start -> head { x := 0 sum := 0 } head -> middle { x := x + 1 } head -> middle { x := x + 2 sum := sum + 1 }
        middle -> head { sum := sum + x } head -> bad { assume sum < 0 }";
    print("automaton", &automaton(rounds));
    let steps = "var x : int var sum : int var branch : bool initial x = 0 and sum = 0
        transition if branch then (x' = x + 1 and sum' = sum + x) else (x' = x + 2 and sum' = sum + x + 1)";
    print("transition system", &system(steps, "sum >= 0"));
}
