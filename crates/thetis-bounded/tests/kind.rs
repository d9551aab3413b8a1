//! k-induction on automata against explicit exploration, and on models with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use thetis_base::Fact;
use thetis_bounded::{Kind, KindConfig};
use thetis_engine::{Engine, Through};
use thetis_model::cfa::{Cfa, CfaProof, CfaUnwinding, Inject, LongRuns};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_testkit::cfa::{Shape, all_passes, explore, parse, random_cfa, shrink};

use common::{certified, solvers};

const MAX_K: u32 = 3;

/// Without lemmas of its own.
fn plain(max_k: u32) -> Kind {
    let config =
        KindConfig { max_k, ranges: false, guesses: false, equalities: false, ..KindConfig::default() };
    Kind::new(config, solvers())
}

fn with_lemmas(max_k: u32) -> Kind {
    Kind::new(KindConfig { max_k, ..KindConfig::default() }, solvers())
}

/// What is wrong with the answers for `task`, if anything; else how many proofs are by induction.
fn disagreement(task: &Task<Cfa>) -> Result<usize, String> {
    let truth = explore(task).least_bound;
    let mut num_inductive = 0;
    let verdicts = [
        certified(&mut plain(MAX_K), task),
        certified(&mut with_lemmas(MAX_K), task),
        certified(&mut Through::new(all_passes(), with_lemmas(MAX_K)), task),
    ];
    for verdict in verdicts {
        let agrees = match &verdict {
            Verdict::Safe(Evidence::Given(CfaProof::Unwinding(unwinding))) => {
                num_inductive += usize::from(unwinding.long_runs == LongRuns::Inductive);
                truth.is_none()
            }
            Verdict::Unsafe(Evidence::Given(_)) => truth.is_some_and(|bound| bound <= MAX_K),
            Verdict::Unknown(Reason::Bound(MAX_K)) => truth.is_none_or(|bound| bound > MAX_K),
            _ => false,
        };
        if !agrees {
            return Err(format!("answered {verdict:?}, the truth is {truth:?}"));
        }
    }
    Ok(num_inductive)
}

fn check_seeds(seeds: std::ops::Range<u64>, shape: Shape) {
    let (num_seeds, mut num_inductive) = (seeds.clone().count(), 0);
    for seed in seeds {
        let task = random_cfa(seed, shape);
        match disagreement(&task) {
            Ok(number) => num_inductive += number,
            Err(problem) => {
                let small = shrink(&task, |task| disagreement(task).is_err());
                let text = thetis_text::cfa::print(&small);
                panic!("seed {seed}: {problem}\nsmallest model that fails:\n{text:?}");
            }
        }
    }
    assert!(4 * num_inductive > num_seeds, "{num_inductive} proofs by induction of {num_seeds} automata");
}

#[test]
fn random_automata_agree_with_exploration() {
    check_seeds(0..160, Shape::default());
}

#[test]
fn random_automata_with_many_locations_agree_with_exploration() {
    check_seeds(400..500, Shape { max_vars: 3, max_locations: 9, max_degree: 2, max_depth: 1 });
}

fn answer(mut engine: impl Engine<Cfa>, task: &Task<Cfa>) -> String {
    match certified(&mut engine, task) {
        Verdict::Safe(Evidence::Given(CfaProof::Unwinding(CfaUnwinding { bound, long_runs, .. }))) => {
            match long_runs {
                LongRuns::None | LongRuns::LoopByLoop => format!("safe within {bound}"),
                LongRuns::Inductive => format!("safe with k = {bound}"),
            }
        }
        Verdict::Unsafe(Evidence::Given(trace)) => format!("unsafe in {} steps", trace.steps.len()),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
        other => format!("{other:?}"),
    }
}

/// Three values take turns.
const TURNS: &str = "var a : int var b : int var c : int var old : int init loc start loc head error loc bad
    start -> head { a := 0 b := 0 c := 0 } head -> bad { assume a > 7 }
    head -> head { assume a <= 7 old := a a := b b := c c := old }";

/// Two counters that are never the same, which only an invariant shows.
const APART: &str = "var x : int var y : int init loc start loc head error loc bad
    start -> head { x := 0 y := 5 } head -> head { x := x + 1 y := y + 1 } head -> bad { assume x = y }";

/// The end of the first loop decides about the second one.
const TWO_LOOPS: &str = "var x : int var n : int init loc start loc first loc second error loc bad
    start -> first { x := 0 havoc n assume n > 0 } first -> first { assume x < n x := x + 1 }
    first -> second { assume x >= n } second -> second { assume x > 0 x := x - 1 }
    second -> bad { assume x < 0 }";

/// Two counters of a byte: one is twice the other, as far as it did not wrap around.
const BYTES: &str = "var x : int var y : int init loc start loc head error loc bad
    start -> head { x := 0 y := 0 } head -> head { x := (x + 1) mod 256 y := (y + 2) mod 256 }
    head -> bad { assume x = 130 and y /= 4 }";

/// An even number, whatever is added.
const EVEN: &str = "var x : int var n : int init loc start loc head error loc bad
    start -> head { x := 0 n := 0 } head -> head { havoc n x := x + 6 * n } head -> bad { assume x = 1001 }";

/// Every second round counts.
const EVERY_SECOND: &str = "var i : int var n : int init loc start loc head error loc bad
    start -> head { i := 0 n := 0 } head -> head { assume i mod 2 = 0 i := i + 1 n := n + 1 }
    head -> head { assume i mod 2 /= 0 i := i + 1 } head -> bad { assume i = 100 and n /= 50 }";

/// Each round counts, and makes at least one step.
const ROUNDS: &str = "var i : int var n : int var j : int init loc start loc head error loc bad
    start -> head { i := 0 n := 0 } head -> head { assume i < 100 havoc j assume j >= 1 i := i + j n := n + 1 }
    head -> bad { assume i >= 100 and n > 100 }";

/// A sum of odd numbers is a square.
const SQUARES: &str = "var i : int var s : int init loc start loc head error loc bad
    start -> head { i := 0 s := 0 } head -> head { s := s + 2 * i + 1 i := i + 1 } head -> bad { assume s /= i * i }";

/// A sum up to an unknown number, which the counter passes by one.
const GAUSS: &str = "var i : int var n : int var s : int init loc start loc head error loc bad
    start -> head { havoc n assume n >= 0 i := 1 s := 0 } head -> head { assume i <= n s := s + i i := i + 1 }
    head -> bad { assume i > n and 2 * s /= n * (n + 1) }";

/// A counter that passes its bound by at most what a round adds.
const STRIDE: &str = "var i : int var n : int init loc start loc head error loc bad
    start -> head { havoc n assume n >= 0 i := 0 } head -> head { assume i < n i := i + 3 }
    head -> bad { assume i > n + 2 }";

/// Rounds add a number that is no power of two.
const THREES: &str = "var i : int init loc start loc head error loc bad
    start -> head { i := 1 } head -> head { assume i < 1000 i := i + 3 } head -> bad { assume i >= 1000 and i /= 1000 }";

/// Rounds add a variable with few values.
const VARIABLE_STRIDE: &str = "var i : int var k : int init loc start loc head error loc bad
    start -> head { havoc k assume 0 <= k and k <= 9 i := 0 } head -> head { assume i < 1000 * k i := i + k }
    head -> bad { assume i >= 1000 * k and i /= 1000 * k }";

/// A search finds what was written, so it ends there at the latest.
const SEARCH: &str = "var a : [int] -> int var n : int var i : int init loc start loc head error loc bad
    start -> head { havoc n assume n > 0 a := a[n / 2 <- 3] i := 0 } head -> head { assume i < n and a[i] /= 3 i := i + 1 }
    head -> bad { assume i >= n }";

#[test]
fn answers_on_small_models() {
    let unknown = "unknown: no violation up to bound 5";
    let table = [
        ("init loc a error loc b a -> b { }", "unsafe in 1 steps", "unsafe in 1 steps"),
        ("init loc a error loc b", "safe within 0", "safe within 0"),
        ("init loc a error loc b a -> a { } a -> b { assume false }", "safe with k = 0", "safe with k = 0"),
        ("init loc a loc c error loc b a -> a { } a -> c { } c -> c { }", "safe within 0", "safe within 0"),
        (TURNS, "safe with k = 3", "safe with k = 0"),
        (APART, unknown, "safe with k = 0"),
        (TWO_LOOPS, unknown, "safe with k = 0"),
        (BYTES, unknown, "safe with k = 0"),
        (EVEN, unknown, "safe with k = 0"),
        (EVERY_SECOND, unknown, "safe with k = 0"),
        (SQUARES, unknown, "safe with k = 0"),
        (ROUNDS, unknown, "safe with k = 0"),
        (GAUSS, unknown, "safe with k = 0"),
        (STRIDE, "safe with k = 1", "safe with k = 0"),
        (THREES, unknown, "safe with k = 0"),
        (VARIABLE_STRIDE, unknown, "safe with k = 0"),
        (SEARCH, unknown, "safe with k = 0"),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { x := x + 2 } h -> b { assume x = 6 }",
            "unsafe in 5 steps",
            "unsafe in 5 steps",
        ),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { assume x < 99 x := x + 1 }
             h -> b { assume x > 99 }",
            "safe with k = 1",
            "safe with k = 0",
        ),
    ];
    for (body, without, with) in table {
        let task = parse(&format!("main process p {{ {body} }}"));
        assert_eq!(answer(plain(5), &task), without, "{body}");
        assert_eq!(answer(with_lemmas(5), &task), with, "{body}");
    }
}

fn invariant(formula: &str) -> Fact {
    Fact::Invariant { location: "head".into(), formula: formula.into() }
}

#[test]
fn the_inductive_part_of_facts_is_used() {
    let task = parse(&format!("main process p {{ {APART} }}"));
    let with = |formulas: &[&str]| {
        let facts = formulas.iter().map(|formula| invariant(formula)).collect();
        answer(plain(5).with_facts(facts), &task)
    };
    assert_eq!(with(&["(= y (+ x 5))"]), "safe with k = 0");
    assert_eq!(with(&["(< x y)"]), "safe with k = 0");
    assert_eq!(
        with(&["(and (< x y) (< y 8))", "(= x 0)", "false"]),
        "safe with k = 0",
        "wrong ones do no harm"
    );
    assert_eq!(with(&["(< x 6)", "(= y 5)"]), "unknown: no violation up to bound 5");
    let predicate = Fact::Predicate { location: None, formula: "(<= y x)".into() };
    assert_eq!(answer(plain(5).with_facts(vec![predicate]), &task), "safe with k = 0", "negations are tried");
}

#[test]
fn facts_can_be_injected_as_guards() {
    let task = parse(&format!("main process p {{ {APART} }}"));
    let guarded = Inject { facts: vec![invariant("(= y (+ x 5))")] };
    assert_eq!(answer(Through::new(guarded, plain(5)), &task), "safe with k = 0");
}
