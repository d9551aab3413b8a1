//! Ranges against explicit exploration, and proofs by ranges.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_absint::{Intervals, RangeMap};
use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_expr::{Value, evaluate};
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa, reachable_states, shrink};
use thetis_z3::Z3Factory;

/// A reachable state that the ranges exclude, if there is one.
fn excluded_state(task: &Task<Cfa>) -> Option<String> {
    let ranges = RangeMap::new(task, &Run::unlimited()).unwrap();
    reachable_states(task).into_iter().find_map(|state| {
        let facts = ranges.facts(&task.store, state.location);
        let wrong =
            facts.into_iter().find(|fact| evaluate(&task.store, *fact, &state) != Ok(Value::Bool(true)));
        wrong.map(|fact| format!("{state:?} against {}", thetis_expr::infix::print(&task.store, fact)))
    })
}

#[test]
fn ranges_hold_in_all_reachable_states() {
    for seed in 0..1500 {
        let task = random_cfa(seed, Shape { max_depth: 3, ..Shape::default() });
        if let Some(problem) = excluded_state(&task) {
            let small = shrink(&task, |task| excluded_state(task).is_some());
            panic!("seed {seed}: {problem}\n{}", thetis_text::cfa::print(&small).unwrap());
        }
    }
}

fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

fn certified(task: &Task<Cfa>) -> Verdict<Cfa> {
    let run = Run::unlimited();
    let verdict = Intervals::new().check(task, &run).unwrap();
    certify(task, verdict, &*solvers(), &run).unwrap().verdict
}

#[test]
fn some_random_automata_are_proved_and_none_wrongly() {
    let (mut num_safe, mut num_proved) = (0, 0);
    for seed in 0..600 {
        let task = random_cfa(seed, Shape::default());
        let is_safe = explore(&task).least_bound.is_none();
        num_safe += u32::from(is_safe);
        match certified(&task) {
            Verdict::Safe(Evidence::Given(_)) if is_safe => num_proved += 1,
            Verdict::Unknown(Reason::Incomplete(_)) => {}
            other => panic!("seed {seed}: {other:?}, safe: {is_safe}"),
        }
    }
    assert!(3 * num_proved > num_safe, "{num_proved} of {num_safe} are proved");
}

fn is_proved(body: &str) -> bool {
    match certified(&process(body)) {
        Verdict::Safe(Evidence::Given(_)) => true,
        Verdict::Unknown(Reason::Incomplete(_)) => false,
        other => panic!("{body}: {other:?}"),
    }
}

const LOOP: &str = "init loc a loc h loc b loc e error loc bad";

#[test]
fn loops_are_bounded_by_their_guards() {
    assert!(is_proved(&format!(
        "var i : int {LOOP} a -> h {{ i := 0 }} h -> b {{ assume i < 1000 }} b -> h {{ i := i + 1 }}
         h -> e {{ assume not (i < 1000) }} e -> bad {{ assume i /= 1000 }}"
    )));
    assert!(is_proved(&format!(
        "var i : bv[8] {LOOP} a -> h {{ i := 8'd0 }} h -> b {{ assume i bvult 8'd100 }} b -> h {{ i := i bvadd 8'd1 }}
         h -> e {{ assume not (i bvult 8'd100) }} e -> bad {{ assume i bvugt 8'd100 }}"
    )));
    assert!(!is_proved(&format!(
        "var i : int {LOOP} a -> h {{ i := 0 }} h -> b {{ assume i < 1000 }} b -> h {{ i := i + 2 }}
         h -> e {{ assume not (i < 1000) }} e -> bad {{ assume i /= 1000 }}"
    )));
}

/// The outer counter does not change in the inner loops, so these must not widen it: what they lose comes round again for ever.
#[test]
fn counters_of_outer_loops_keep_their_bounds_in_inner_ones() {
    assert!(is_proved(
        "var a : int var b : int var c : int var d : int
         init loc start loc la loc la1 loc lb loc lb1 loc lc loc lc1 loc ld loc ld1 loc rc loc rb loc ra loc exit error loc bad
         start -> la { a := 0 b := 0 c := 0 d := 0 } la -> la1 { assume a < 6 } la -> exit { assume not (a < 6) }
         la1 -> lb { b := 0 } lb -> lb1 { assume b < 6 } lb -> ra { assume not (b < 6) }
         lb1 -> lc { c := 0 } lc -> lc1 { assume c < 6 } lc -> rb { assume not (c < 6) }
         lc1 -> ld { d := 0 } ld -> ld1 { assume d < 6 } ld -> rc { assume not (d < 6) }
         ld1 -> ld { d := ((d + 1) + 128) mod 256 - 128 } rc -> lc { c := ((c + 1) + 128) mod 256 - 128 }
         rb -> lb { b := ((b + 1) + 128) mod 256 - 128 } ra -> la { a := ((a + 1) + 128) mod 256 - 128 }
         exit -> bad { assume a /= 6 }"
    ));
}

#[test]
fn wrap_around_that_does_not_happen_is_seen_through() {
    let wrapped = |limit: u64| {
        format!(
            "var i : int {LOOP} a -> h {{ i := 0 }} h -> b {{ assume i < {limit} }}
             b -> h {{ i := (i + 1 + 2147483648) mod 4294967296 - 2147483648 }}
             h -> e {{ assume not (i < {limit}) }} e -> bad {{ assume i /= {limit} }}"
        )
    };
    assert!(is_proved(&wrapped(1000)));
    assert!(is_proved(&wrapped(2_147_483_647)));
    // Now `i` wraps, so it never arrives; but it is negative then.
    let never = wrapped(2_147_483_648);
    assert!(is_proved(&never));
    assert!(!is_proved(&never.replace("e -> bad { assume i /= 2147483648 }", "h -> bad { assume i < 0 }")));
}

#[test]
fn constants_of_all_sorts_are_followed() {
    assert!(is_proved(
        "var r : rat var s : rat init loc a loc b error loc bad
        a -> b { r := 1 % 2 s := r } b -> bad { assume s /= 1 % 2 }"
    ));
    assert!(is_proved("var p : bool var x : int init loc a loc b error loc bad
        a -> b { p := true x := if p then 3 else 4 } b -> b { havoc x assume x = 3 } b -> bad { assume x = 4 }"));
    assert!(is_proved(
        "var x : int var y : int init loc a loc b error loc bad
        a -> b { assume 2 * x + 3 = 11 y := x } b -> bad { assume y /= 4 }"
    ));
}
