//! Simulation against explicit exploration, and where it is strong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::cfa::{Cfa, CfaTrace};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_simulate::{Simulate, SimulateConfig};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa};
use thetis_z3::Z3Factory;

/// The run that is found, replayed by the checker.
fn violation(task: &Task<Cfa>, max_steps: u64) -> Option<CfaTrace> {
    let config = SimulateConfig { max_steps, ..SimulateConfig::default() };
    let verdict = Simulate::new(config).check(task, &Run::unlimited()).unwrap();
    match certify(task, verdict, &Z3Factory::default(), &Run::unlimited()).unwrap().verdict {
        Verdict::Unsafe(Evidence::Given(trace)) => Some(trace),
        Verdict::Unknown(Reason::Incomplete(_)) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_automata_have_the_violations_that_are_found() {
    let (mut num_found, mut num_missed) = (0, 0);
    for seed in 0..1000 {
        let task = random_cfa(seed, Shape::default());
        let is_unsafe = explore(&task).least_bound.is_some();
        match violation(&task, 20_000) {
            Some(_) => {
                assert!(is_unsafe, "seed {seed}");
                num_found += 1;
            }
            None => num_missed += usize::from(is_unsafe),
        }
    }
    assert!(num_found > 9 * num_missed, "{num_found} found, {num_missed} missed");
}

#[test]
fn the_end_of_a_long_loop_is_found() {
    let task = process(
        "var a : [int] -> int var i : int
         init loc A loc L loc M error loc E
         A -> L { i := 0 }
         L -> L { assume i < 20000 a := a[i <- i] i := i + 1 }
         L -> M { assume not (i < 20000) }
         M -> E { assume a[19999] = 19999 }",
    );
    let trace = violation(&task, 1_000_000).expect("the only way should be found");
    assert_eq!(trace.steps.len(), 20_003);
}

/// Two phases of a hundred million rounds each, then an input; the loop goes on only while both of its edges are what they seem.
#[test]
fn the_end_of_a_loop_of_very_many_rounds_is_found() {
    let task = process(
        "var x : bv[32] var y : int var k : int
         init loc A loc L loc P loc M error loc E
         A -> L { x := 32'd0 y := 0 }
         L -> P { assume x bvult 32'd400000001 }
         P -> L { assume x bvult 32'd100000000 x := x bvadd 32'd1 }
         P -> L { assume not (x bvult 32'd100000000) x := x bvadd 32'd3 y := y + 2 }
         L -> M { assume not (x bvult 32'd400000001) }
         M -> E { havoc k assume y = 200000002 and k = 12 }",
    );
    let trace = violation(&task, 1_000_000).expect("the only way should be found");
    let times: Vec<u64> = trace.rounds.iter().map(|rounds| rounds.times).collect();
    assert!(times.len() == 2 && times.iter().all(|times| *times > 99_000_000), "{times:?}");
    assert!(trace.steps.len() < 50_000);
}

/// Cells are written in place, so what a blocked edge has written must be taken back, and operands are read before.
#[test]
fn writes_are_as_if_arrays_were_copied() {
    let task = process(
        "var a : [int] -> int var i : int
         init loc A loc B loc C loc D error loc E
         A -> B { a := [<int> default <- 0] a := a[1 <- 5][2 <- 7] i := 1 }
         B -> C { a := a[i <- a[i + 1]][i + 1 <- a[i]] }
         C -> D { a := a[1 <- 100][3 <- 3][1 <- 101] i := 9 assume a[2] = 7 }
         C -> D { assume a[2] = 5 }
         C -> E { assume a[3] = 3 or i = 9 }
         D -> E { assume a[1] = 7 and a[2] = 5 and a[3] = 0 and i = 1 }",
    );
    assert_eq!(violation(&task, 1000).expect("there is only one way").steps.len(), 4);
}

/// A lock with six digits opens only for one number; every right digit is a new edge.
#[test]
fn a_combination_is_found_digit_by_digit() {
    let digits = [17, -4, 255, 99_999, 0, 42];
    let mut text = String::from("var x : int init loc L0 error loc L6");
    for (number, digit) in digits.iter().enumerate() {
        let next = number + 1;
        if next < 6 {
            text += &format!(" loc L{next}");
        }
        text += &format!(
            " loc T{number} L{number} -> T{number} {{ havoc x }}
              T{number} -> L{next} {{ assume x = {digit} }}
              T{number} -> L0 {{ assume not (x = {digit}) }}"
        );
    }
    let trace = violation(&process(&text), 100_000).expect("constants of the model should be tried");
    assert_eq!(trace.steps.last().map(|step| step.inputs.len()), Some(0));
}

#[test]
fn both_ways_of_a_choice_are_taken() {
    let task = process(
        "var x : int
         init loc A loc B loc C error loc E
         A -> B { x := 0 }
         B -> B { x := x + 1 }
         B -> C { assume x = 3 }
         C -> B { x := x + 10 }
         C -> E { assume x = 3 }",
    );
    assert!(violation(&task, 32_000).is_some());
}

#[test]
fn the_same_configuration_takes_the_same_steps() {
    let task = random_cfa(3, Shape::default());
    let statistics = || {
        let mut engine = Simulate::new(SimulateConfig { max_steps: 5_000, ..SimulateConfig::default() });
        let _ = engine.check(&task, &Run::unlimited()).unwrap();
        format!("{:?}", engine.statistics())
    };
    assert_eq!(statistics(), statistics());
}
