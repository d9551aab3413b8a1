//! All runs against explicit exploration, and what is known on the way.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use thetis_base::{Run, Statistic};
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
    let (safe, num_unsafe) = compare_with_exploration(false);
    assert!(safe.len() > 30 && num_unsafe > 5, "{} safe, {num_unsafe} unsafe", safe.len());
    // All numbers of these automata have few values, but seldom do values rather than signs decide.
    let (safe_by_value, _) = compare_with_exploration(true);
    let num_new = safe_by_value.difference(&safe).count();
    assert!(num_new > 5, "{num_new} of {} are new", safe_by_value.len());
}

/// The automata that are safe, and the number of unsafe ones.
fn compare_with_exploration(by_value: bool) -> (BTreeSet<u64>, u32) {
    let (mut safe, mut num_unsafe) = (BTreeSet::new(), 0);
    for seed in 0..1000 {
        let task = random_cfa(seed, Shape::default());
        let is_unsafe = explore(&task).least_bound.is_some();
        let config = ExhaustConfig { max_steps: 10_000, by_value, ..ExhaustConfig::default() };
        match answer(&mut Exhaust::new(config), &task) {
            Verdict::Safe(_) => {
                assert!(!is_unsafe, "seed {seed}");
                safe.insert(seed);
            }
            Verdict::Unsafe(_) => {
                assert!(is_unsafe, "seed {seed}");
                num_unsafe += 1;
            }
            Verdict::Unknown(_) => {}
        }
    }
    (safe, num_unsafe)
}

/// The integer square root of a number with this many values.
fn square_root(num_values: u64) -> Task<Cfa> {
    process(&format!(
        "var x : int var r : int
         init loc A loc L loc M error loc E
         A -> L {{ havoc x assume 0 <= x and x < {num_values} r := 0 }}
         L -> L {{ assume (r + 1) * (r + 1) <= x r := r + 1 }}
         L -> M {{ assume not ((r + 1) * (r + 1) <= x) }}
         M -> E {{ assume r * r > x or x >= (r + 1) * (r + 1) }}"
    ))
}

#[test]
fn values_are_tried_one_by_one() {
    let config = |by_value, max_steps| ExhaustConfig {
        by_value,
        max_steps,
        max_runs: 1 << 20,
        ..ExhaustConfig::default()
    };
    let is_safe = |num_values, config| {
        matches!(answer(&mut Exhaust::new(config), &square_root(num_values)), Verdict::Safe(_))
    };
    // 2,736 rounds, four other edges for each value but the last, and the values.
    assert!(is_safe(256, config(true, 10_000)));
    assert!(!is_safe(256, config(false, 10_000)));
    assert!(!is_safe(256, config(true, 1_000)));
    assert!(!is_safe((1 << 16) + 1, config(true, u64::MAX)));
    assert!(!is_safe(256, ExhaustConfig { single_run: true, ..config(true, 10_000) }));
    assert!(is_safe(1, ExhaustConfig { single_run: true, ..config(true, 10_000) }));
}

/// Two numbers with many values: after a part of the runs, it is known that there are too many.
#[test]
fn hopeless_numbers_of_values_show_early() {
    let task = process(
        "var x : int var y : int var i : int
         init loc A loc L loc M error loc E
         A -> L { havoc x assume 0 <= x and x < 1000 havoc y assume 0 <= y and y < 1000 i := 0 }
         L -> L { assume i < x i := i + 1 }
         L -> M { assume i >= x }
         M -> E { assume i + y < x }",
    );
    let config = ExhaustConfig {
        by_value: true,
        max_runs: u64::MAX,
        max_steps: 1_000_000,
        ..ExhaustConfig::default()
    };
    let mut engine = Exhaust::new(config);
    assert!(matches!(answer(&mut engine, &task), Verdict::Unknown(_)));
    let steps = engine.statistics().entries.into_iter().find(|(name, _)| name == "steps").unwrap().1;
    // Those of the run with zeros included.
    assert!(matches!(steps, Statistic::Count(1_000..200_000)), "{steps:?}");
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
        Verdict::Safe(Evidence::Given(CfaProof::Exhaustion { max_steps, .. })) => assert_eq!(max_steps, 5153),
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
        Verdict::Safe(Evidence::Given(CfaProof::Exhaustion { max_steps, .. })) => assert!(max_steps < 50_000),
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
