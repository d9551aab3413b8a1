//! The engine `horn` against explicit exploration, and on loops that need an invariant.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Run, Statistics, Stop};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_horn::Horn;
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa};
use thetis_z3::{Z3Factory, Z3Horn};

fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// In place of the engine that finds traces: says that it was asked.
struct AskedForTraces;

const ASKED: &str = "asked for a trace";

impl Engine<Cfa> for AskedForTraces {
    fn check(&mut self, _: &Task<Cfa>, _: &Run) -> Result<Verdict<Cfa>, Stop> {
        Ok(Verdict::Unknown(Reason::Incomplete(ASKED.into())))
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("traces")
    }
}

fn is_refuted(verdict: &Verdict<Cfa>) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Incomplete(reason)) if reason == ASKED)
}

fn certified(task: &Task<Cfa>) -> Verdict<Cfa> {
    let run = Run::unlimited();
    let mut engine = Horn::new(Box::new(Z3Horn::new(Duration::from_secs(600))), Box::new(AskedForTraces));
    let verdict = engine.check(task, &run).unwrap();
    certify(task, verdict, &*solvers(), &run).unwrap().verdict
}

#[test]
fn random_automata_are_answered_as_by_exploration() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..150 {
        let task = random_cfa(seed, Shape::default());
        let is_safe = explore(&task).least_bound.is_none();
        match certified(&task) {
            Verdict::Safe(Evidence::Given(_)) if is_safe => num_safe += 1,
            refuted if is_refuted(&refuted) => {
                assert!(!is_safe, "seed {seed}");
                num_unsafe += 1;
            }
            // Arrays and remainders can be too much.
            Verdict::Unknown(_) => {}
            other => panic!("seed {seed}: {other:?}, safe: {is_safe}"),
        }
    }
    assert!(num_safe > 30 && num_unsafe > 30, "{num_safe} safe, {num_unsafe} unsafe");
}

/// Two counters go up together; at the end they differ by `offset`.
fn counters(offset: i32) -> Task<Cfa> {
    process(&format!(
        "var x : int var y : int var n : int
         init loc A loc L loc M error loc E
         A -> L {{ x := 0 y := {offset} }}
         L -> L {{ assume x < n x := x + 1 y := y + 1 }}
         L -> M {{ assume x >= n }}
         M -> E {{ assume x /= y }}"
    ))
}

#[test]
fn relations_between_counters_are_found() {
    assert!(matches!(certified(&counters(0)), Verdict::Safe(Evidence::Given(_))));
    assert!(is_refuted(&certified(&counters(1))));
}

#[test]
fn automata_without_a_way_to_an_error_are_safe_and_errors_at_the_start_are_not() {
    let none = process("init loc A loc B error loc E A -> B { } E -> A { }");
    assert!(matches!(certified(&none), Verdict::Safe(Evidence::Given(_))));
    let mut at_once = process("init loc A error loc E A -> E { }");
    at_once.model.initial = at_once.model.location("E").unwrap();
    assert!(is_refuted(&certified(&at_once)));
}
