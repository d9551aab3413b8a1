//! Bounded model checking against explicit exploration, and on models with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::cell::Cell;
use std::rc::Rc;

use thetis_base::{Cancel, Fact, Run, Statistic, Stop};
use thetis_bounded::{Bmc, BmcConfig, Count};
use thetis_engine::{Engine, Through};
use thetis_expr::{ExprId, Sort, Store, infix};
use thetis_model::cfa::{Cfa, CfaProof, CfaUnwinding, LongRuns, Prune};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{
    Answer, CoreAnswer, CoreSolver, QueryLimit, Reason as SolverReason, Solver, SolverError, SolverFactory,
};
use thetis_testkit::cfa::{Shape, explore, parse, random_cfa, shrink};

use common::{certified, solvers};

const MAX_BOUND: u32 = 4;
const MAX_COPIES: usize = 60;

fn bmc(max_bound: u32) -> Bmc {
    Bmc::new(BmcConfig { max_bound, ..BmcConfig::default() }, solvers())
}

/// Every loop is unrolled by itself.
fn by_loops(max_bound: u32) -> Bmc {
    Bmc::new(BmcConfig { max_bound, count: Count::Loops, max_copies: MAX_COPIES }, solvers())
}

/// What is wrong with the answers for `task`, if anything.
fn disagreement(task: &Task<Cfa>) -> Option<String> {
    let truth = explore(task).least_bound;
    let direct = certified(&mut bmc(MAX_BOUND), task);
    let pruned = certified(&mut Through::new(Prune, bmc(MAX_BOUND)), task);
    let loops = certified(&mut by_loops(MAX_BOUND), task);
    let agrees = match &loops {
        Verdict::Safe(Evidence::Given(_)) => truth.is_none(),
        Verdict::Unsafe(Evidence::Given(_)) => truth.is_some(),
        Verdict::Unknown(Reason::Bound(bound)) => truth.is_none_or(|least| least > *bound),
        Verdict::Unknown(Reason::Incomplete(_) | Reason::Solver(_)) => true,
        _ => false,
    };
    if !agrees {
        return Some(format!("answered {loops:?} loop by loop, the truth is {truth:?}"));
    }
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

/// Guesses about the variables of `task` everywhere: some hold, most do not.
fn guesses(task: &Task<Cfa>) -> Vec<Fact> {
    let store = &task.store;
    let names = task.model.vars.iter().filter(|var| store.var_sort(**var) == Sort::Int);
    let formulas = names.flat_map(|var| {
        let name = store.var_name(*var);
        ["(>= {} 0)", "(<= {} 1)", "(not (= {} 2))"].map(|formula| formula.replace("{}", &name))
    });
    let formulas: Vec<String> = formulas.collect();
    let everywhere = task.model.locations.iter().flat_map(|location| {
        let fact =
            |formula: &String| Fact::Invariant { location: location.name.clone(), formula: formula.clone() };
        formulas.iter().map(fact).collect::<Vec<_>>()
    });
    everywhere.collect()
}

/// The formulas that a search relied on.
fn num_lemmas(bmc: &Bmc) -> u64 {
    let statistics = Engine::<Cfa>::statistics(bmc);
    let lemmas = statistics.entries.iter().find(|(name, _)| name == "lemmas");
    lemmas.map_or(0, |(_, figure)| match figure {
        Statistic::Count(count) => *count,
        other => panic!("not a count: {other:?}"),
    })
}

#[test]
fn lemmas_change_no_answer() {
    let mut lemmas = 0;
    for seed in 0..300 {
        let task = random_cfa(seed, Shape::default());
        let mut with = bmc(MAX_BOUND).with_facts(guesses(&task));
        let verdicts = [certified(&mut bmc(MAX_BOUND), &task), certified(&mut with, &task)];
        let [without, with_lemmas] = verdicts.map(|verdict| match verdict {
            Verdict::Safe(Evidence::Given(_)) => "safe".to_owned(),
            Verdict::Unsafe(Evidence::Given(_)) => "unsafe".to_owned(),
            other => format!("{other:?}"),
        });
        assert_eq!(without, with_lemmas, "seed {seed}");
        lemmas += num_lemmas(&with);
    }
    assert!(lemmas > 300, "{lemmas}");
}

#[test]
fn lemmas_are_part_of_the_proof() {
    let task = parse(
        "main process p { var x : int var n : int init loc a loc h error loc b a -> h { x := 0 assume n < 5 }
         h -> h { assume x < n x := x + 1 } h -> b { assume x > 5 } }",
    );
    let fact = |formula: &str| Fact::Invariant { location: "h".into(), formula: formula.into() };
    let mut engine =
        bmc(20).with_facts(vec![fact("(and (>= x 0) (<= x 3))"), fact("(< n 5)"), fact("(= x n)")]);
    let Verdict::Safe(Evidence::Given(CfaProof::Unwinding(proof))) = certified(&mut engine, &task) else {
        panic!("it should be safe");
    };
    // At most 3 is wrong and says nothing; the other two are inductive.
    let lemmas = proof.lemmas.formulas.values().map(|lemma| infix::print(&task.store, *lemma));
    assert_eq!((proof.bound, lemmas.collect::<Vec<_>>()), (4, vec!["n < 5 and 0 <= x".to_owned()]));
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

/// The second loop starts after any number of rounds of the first one; inputs, not constants, end both.
#[test]
fn loops_that_end_are_proved_one_by_one() {
    let text = "main process p { var x : int var n : int var y : int init loc a loc h loc g error loc b
        a -> h { x := 0 y := 0 assume n < 5 } h -> h { assume x < n x := x + 1 } h -> g { assume x >= n }
        g -> g { assume y < x y := y + 1 } g -> b { assume y >= x and x > 4 } }";
    let verdict = certified(&mut by_loops(20), &parse(text));
    let Verdict::Safe(Evidence::Given(CfaProof::Unwinding(proof))) = verdict else {
        panic!("not proved: {verdict:?}");
    };
    assert_eq!((proof.long_runs, proof.bound < 9), (LongRuns::LoopByLoop, true), "{proof:?}");
    let verdict = certified(&mut by_loops(20), &parse(&text.replace("x > 4", "x > 3")));
    assert!(matches!(verdict, Verdict::Unsafe(Evidence::Given(_))), "{verdict:?}");
}

/// A solver during whose first assertion the run is cancelled.
struct Cancelling {
    cancel: Cancel,
    num_asserted: Rc<Cell<usize>>,
}

impl Solver for Cancelling {
    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn assert(&mut self, _: &Store, _: ExprId) -> Result<(), SolverError> {
        self.num_asserted.set(self.num_asserted.get() + 1);
        self.cancel.request();
        Ok(())
    }

    fn check(&mut self, _: &Store, _: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(Answer::Unknown(SolverReason::Interrupted))
    }

    fn set_limit(&mut self, _: QueryLimit) {}
}

impl CoreSolver for Cancelling {
    fn check_core(&mut self, _: &Store, _: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(CoreAnswer::Unknown(SolverReason::Interrupted))
    }
}

/// Starts such solvers.
#[derive(Default)]
struct CancellingFactory {
    num_asserted: Rc<Cell<usize>>,
}

impl SolverFactory for CancellingFactory {
    fn name(&self) -> &str {
        "cancelling"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Cancelling { cancel: run.cancel().clone(), num_asserted: self.num_asserted.clone() }))
    }
}

/// The error is out of reach by constants, so the loop is unrolled without a question, and sums grow from round to round.
const SUMS: &str =
    "main process p { var i : int var k : int var j : int init loc start loc head error loc bad
    start -> head { i := 0 k := 0 havoc j assume j > 0 }
    head -> head { assume i < 1000 havoc j assume j > 0 i := i + j k := k + 1 }
    head -> bad { assume i >= 1000 and k > 1000 } start -> bad { havoc j assume j > 0 and j < 0 } }";

#[test]
fn limits_hold_while_formulas_are_asserted() {
    for count in [Count::Runs, Count::Loops] {
        let factory = CancellingFactory::default();
        let num_asserted = factory.num_asserted.clone();
        let config = BmcConfig { max_bound: 8, count, max_copies: 1000 };
        let outcome = Bmc::new(config, Rc::new(factory)).check(&parse(SUMS), &Run::unlimited());
        assert!(matches!(outcome, Err(Stop::Cancelled)), "{count:?}");
        assert_eq!(num_asserted.get(), 1, "{count:?}");
    }
}
