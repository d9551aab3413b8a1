//! All runs against explicit exploration, and what is known on the way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::{Engine, Limited, Through};
use thetis_model::cfa::{Cfa, CfaProof, Prune};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_simulate::{Exhaust, ExhaustConfig};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa};
use thetis_z3::Z3Factory;

/// The answer, which the checker has to accept if there is one.
fn answer(engine: &mut dyn Engine<Cfa>, task: &Task<Cfa>) -> Verdict<Cfa> {
    let verdict = engine.check(task, &Run::unlimited()).unwrap();
    let is_answer = !matches!(verdict, Verdict::Unknown(_));
    let certified = certify(task, verdict, &Z3Factory::default(), &Run::unlimited()).unwrap().verdict;
    assert_eq!(is_answer, !matches!(certified, Verdict::Unknown(_)), "{certified:?}");
    certified
}

#[test]
fn random_automata_are_as_exploration_says() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..1000 {
        let task = random_cfa(seed, Shape::default());
        let is_unsafe = explore(&task).least_bound.is_some();
        match answer(
            &mut Exhaust::new(ExhaustConfig { max_steps: 10_000, ..ExhaustConfig::default() }),
            &task,
        ) {
            Verdict::Safe(_) => {
                assert!(!is_unsafe, "seed {seed}");
                num_safe += 1;
            }
            Verdict::Unsafe(_) => {
                assert!(is_unsafe, "seed {seed}");
                num_unsafe += 1;
            }
            Verdict::Unknown(_) => {}
        }
    }
    assert!(num_safe > 30 && num_unsafe > 5, "{num_safe} safe, {num_unsafe} unsafe");
}

/// A memory with many cells, sorted; the checker has to take as many steps.
#[test]
fn a_long_run_over_an_array_ends() {
    let task = process(
        "var a : [int] -> int var i : int var j : int
         init loc A loc L loc M loc N error loc E
         A -> L { i := 0 a := [<int> default <- 0] }
         L -> L { assume i < 100 a := a[i <- 100 - i] i := i + 1 }
         L -> M { assume not (i < 100) i := 0 j := 0 }
         M -> M { assume i < 100 and j < 99 - i a := if a[j] > a[j + 1] then a[j <- a[j + 1]][j + 1 <- a[j]] else a j := j + 1 }
         M -> M { assume i < 100 and not (j < 99 - i) i := i + 1 j := 0 }
         M -> N { assume not (i < 100) }
         N -> E { assume a[0] /= 1 or a[57] /= 58 or a[99] /= 100 }",
    );
    match answer(&mut Exhaust::new(ExhaustConfig::default()), &task) {
        Verdict::Safe(Evidence::Given(CfaProof::Exhaustion { max_steps })) => assert_eq!(max_steps, 5153),
        other => panic!("{other:?}"),
    }
}

/// Three hundred million rounds of a loop in which an input does not matter.
#[test]
fn rounds_are_taken_at_once() {
    let body = |end: &str| {
        format!(
            "var x : int var y : int
             init loc A loc L loc P loc M error loc E
             A -> L {{ x := 7 }}
             L -> P {{ assume x < 900000007 }}
             P -> L {{ havoc y x := x + 3 }}
             L -> M {{ assume not (x < 900000007) }}
             M -> E {{ assume x {end} 900000007 }}"
        )
    };
    let mut engine = Exhaust::new(ExhaustConfig { max_steps: 100_000, ..ExhaustConfig::default() });
    match answer(&mut engine, &process(&body("/="))) {
        Verdict::Safe(Evidence::Given(CfaProof::Exhaustion { max_steps })) => assert!(max_steps < 50_000),
        other => panic!("{other:?}"),
    }
    match answer(&mut engine, &process(&body("="))) {
        Verdict::Unsafe(Evidence::Given(trace)) => assert!(trace.rounds[0].times > 299_000_000),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_violation_needs_no_inputs() {
    let task = process(
        "var x : int var y : int
         init loc A loc L error loc E
         A -> L { x := 0 havoc y }
         L -> L { assume x < 50 x := x + 1 }
         L -> L { assume x > 60 }
         L -> E { assume x = 50 }",
    );
    match answer(&mut Exhaust::new(ExhaustConfig::default()), &task) {
        Verdict::Unsafe(Evidence::Given(trace)) => assert_eq!(trace.steps.len(), 52),
        other => panic!("{other:?}"),
    }
}

/// A signed counter that grows until it is negative: no leap leads there.
#[test]
fn words_do_not_wrap_around_in_a_leap() {
    let edges = "A -> L { x := 0 } L -> E { assume x < 0 }
        L -> L { assume x >= 0 x := ((x + 1 + 2147483648) mod 4294967296) - 2147483648 }";
    let task = process(&format!("var x : int init loc A loc L error loc E {edges}"));
    let verdict = answer(&mut Exhaust::new(ExhaustConfig::default()), &task);
    assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{verdict:?}");
}

/// Where an input decides, and where there is no end.
#[test]
fn what_has_many_runs_is_left_to_others() {
    for edges in [
        "A -> L { x := 0 } L -> L { havoc y assume y < 7 x := x + y } L -> E { assume x = 50 }",
        "A -> L { x := 0 } L -> L { assume y < 7 x := x + 1 } L -> L { assume not (y < 7) x := x - 1 } L -> E { assume x > 100000000 }",
        "A -> E { assume x = 3 }",
    ] {
        let task = process(&format!("var x : int var y : int init loc A loc L error loc E {edges}"));
        let verdict = answer(&mut Exhaust::new(ExhaustConfig::default()), &task);
        assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{edges}: {verdict:?}");
    }
}

/// Limits are ends that prove nothing, and what is pruned was never looked at.
#[test]
fn proofs_survive_wrappers() {
    let edges = "A -> L { x := 0 } L -> L { assume x < 9 x := x + 1 } L -> E { assume x > 9 } L -> M { assume x = 4 }";
    for (limit, is_safe) in [("limit loc M \"asm\"", false), ("loc M", true)] {
        let task = process(&format!("var x : int init loc A loc L {limit} error loc E {edges}"));
        let verdict =
            answer(&mut Limited::new(Through::new(Prune, Exhaust::new(ExhaustConfig::default()))), &task);
        assert_eq!(matches!(verdict, Verdict::Safe(_)), is_safe, "{verdict:?}");
    }
}
