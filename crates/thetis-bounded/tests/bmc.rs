//! Bounded model checking against explicit exploration, and on models with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use thetis_bounded::{Bmc, BmcConfig};
use thetis_engine::Through;
use thetis_model::cfa::{Cfa, CfaProof, CfaUnwinding, Prune};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};

use common::{certified, parse, solvers};

const MAX_BOUND: u32 = 4;

fn bmc(max_bound: u32) -> Bmc {
    Bmc::new(BmcConfig { max_bound }, solvers())
}

/// What is wrong with the answers for `task`, if anything.
fn disagreement(task: &Task<Cfa>) -> Option<String> {
    let truth = explore(task).least_bound;
    let direct = certified(&mut bmc(MAX_BOUND), task);
    let pruned = certified(&mut Through::new(Prune, bmc(MAX_BOUND)), task);
    [direct, pruned].into_iter().find_map(|verdict| {
        let agrees = match &verdict {
            Verdict::Safe(Evidence::Given(_)) => truth.is_none(),
            Verdict::Unsafe(Evidence::Given(_)) => truth.is_some_and(|bound| bound <= MAX_BOUND),
            Verdict::Unknown(Reason::Bound(MAX_BOUND)) => truth.is_none_or(|bound| bound > MAX_BOUND),
            _ => false,
        };
        (!agrees).then(|| format!("answered {verdict:?}, the truth is {truth:?}"))
    })
}

fn check_seeds(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let task = random_cfa(seed, Shape::default());
        if let Some(problem) = disagreement(&task) {
            let small = shrink(&task, |task| disagreement(task).is_some());
            let text = thetis_text::cfa::print(&small);
            panic!("seed {seed}: {problem}\nsmallest model that fails:\n{text:?}");
        }
    }
}

#[test]
fn first_thousand_random_automata_agree_with_exploration() {
    check_seeds(0..1000);
}

#[test]
fn second_thousand_random_automata_agree_with_exploration() {
    check_seeds(1000..2000);
}

fn answer(text: &str) -> String {
    match certified(&mut bmc(20), &parse(text)) {
        Verdict::Safe(Evidence::Given(CfaProof::Unwinding(CfaUnwinding { bound, .. }))) => {
            format!("safe within {bound}")
        }
        Verdict::Unsafe(Evidence::Given(trace)) => format!("unsafe in {} steps", trace.steps.len()),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn answers_on_small_models() {
    let table = [
        ("init loc a error loc b a -> b { }", "unsafe in 1 steps"),
        ("init loc a error loc b", "safe within 0"),
        ("init loc a error loc b a -> b { assume false }", "safe within 0"),
        ("init loc a error loc b b -> a { } a -> a { }", "safe within 0"),
        ("var x : int init loc a error loc b a -> b { assume x * x = 49 and x < 0 }", "unsafe in 1 steps"),
        ("var x : int init loc a error loc b a -> b { assume x = 3 assume x = 4 }", "safe within 0"),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { x := x + 2 } h -> b { assume x = 6 }",
            "unsafe in 5 steps",
        ),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { x := x + 2 } h -> b { assume x = 7 }",
            "unknown: no violation up to bound 20",
        ),
        (
            "var x : int var n : int init loc a loc h error loc b a -> h { x := 0 assume n < 5 }
             h -> h { assume x < n x := x + 1 } h -> b { assume x > 5 }",
            "safe within 4",
        ),
        (
            "var x : int var y : int init loc a error loc b a -> b { y := 1 / x assume x = 0 and y = 17 }",
            "unsafe in 1 steps",
        ),
    ];
    for (body, expected) in table {
        assert_eq!(answer(&format!("main process p {{ {body} }}")), expected, "{body}");
    }
}
