//! Interpolation-based model checking against explicit exploration, and on models with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thetis_base::{Event, Run, Statistic};
use thetis_bounded::{Imc, ImcConfig};
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_interpolate::{InterpolatorKind, Tools};
use thetis_model::cfa::{Cfa, CfaProof, CfaUnwinding, LongRuns, Prune};
use thetis_model::sts::StsProof;
use thetis_model::{Evidence, Task, Verdict};
use thetis_sat::SatFactory;
use thetis_solver::{CheckedFactory, Interpolator, SolverFactory};
use thetis_testkit::cfa::{Shape, all_passes, explore, parse, random_cfa, shrink};
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

use common::{certified, solvers};

const MAX_K: u32 = 8;
const SYSTEM_MAX_K: u32 = 40;

fn tools(solvers: Rc<dyn SolverFactory>) -> Tools {
    let horn = || -> Box<dyn Interpolator> { Box::new(Z3Horn::new(Duration::from_millis(500))) };
    Tools { solvers, eliminator: Rc::new(Z3Eliminator), horn: Rc::new(horn), ice: Default::default() }
}

fn imc_with(interpolators: Vec<InterpolatorKind>, solvers: Rc<dyn SolverFactory>, max_k: u32) -> Imc {
    Imc::new(ImcConfig { max_k, interpolators, ..ImcConfig::default() }, tools(solvers))
}

fn imc(max_k: u32) -> Imc {
    imc_with(vec![InterpolatorKind::Auto], solvers(), max_k)
}

/// How the answers were found.
#[derive(Default)]
struct Tally {
    invariants: usize,
    inductive: usize,
    ended: usize,
    violations: usize,
}

impl Tally {
    /// Counts the verdict; whether it is right. Small models need no `k` beyond [`MAX_K`].
    fn count(&mut self, verdict: &Verdict<Cfa>, is_safe: bool) -> bool {
        match verdict {
            Verdict::Safe(Evidence::Given(CfaProof::Invariants(_))) => self.invariants += 1,
            Verdict::Safe(Evidence::Given(CfaProof::Unwinding(unwinding))) => match unwinding.long_runs {
                LongRuns::None | LongRuns::LoopByLoop => self.ended += 1,
                LongRuns::Inductive => self.inductive += 1,
            },
            Verdict::Unsafe(Evidence::Given(_)) => self.violations += 1,
            _ => return false,
        }
        matches!(verdict, Verdict::Safe(_)) == is_safe
    }
}

/// What is wrong with the answers for `task`, if anything.
fn disagreement(task: &Task<Cfa>, tally: &mut Tally) -> Result<(), String> {
    let is_safe = explore(task).least_bound.is_none();
    let newton = vec![InterpolatorKind::NewtonSpLv, InterpolatorKind::NewtonWp];
    let verdicts = [
        certified(&mut imc(MAX_K), task),
        certified(&mut Through::new(Prune, imc_with(newton, solvers(), MAX_K)), task),
        certified(&mut Through::new(all_passes(), imc(MAX_K)), task),
    ];
    for verdict in verdicts {
        if !tally.count(&verdict, is_safe) {
            return Err(format!("answered {verdict:?}, safe: {is_safe}"));
        }
    }
    Ok(())
}

fn check_seeds(seeds: std::ops::Range<u64>, shape: Shape) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let task = random_cfa(seed, shape);
        if let Err(problem) = disagreement(&task, &mut tally) {
            let small = shrink(&task, |task| disagreement(task, &mut Tally::default()).is_err());
            let text = thetis_text::cfa::print(&small);
            panic!("seed {seed}: {problem}\nsmallest model that fails:\n{text:?}");
        }
    }
    tally
}

#[test]
fn random_automata_agree_with_exploration() {
    let tally = check_seeds(0..80, Shape::default());
    assert!(tally.invariants > 50, "only {} invariants", tally.invariants);
    assert!(tally.inductive > 5, "only {} inductions", tally.inductive);
    assert!(tally.violations > 50, "only {} violations", tally.violations);
    assert!(tally.ended > 50, "only {} automata whose runs end", tally.ended);
}

#[test]
fn random_automata_with_many_locations_agree_with_exploration() {
    let shape = Shape { max_vars: 3, max_locations: 9, max_degree: 2, max_depth: 1 };
    let tally = check_seeds(400..460, shape);
    assert!(tally.invariants + tally.inductive > 20, "only {} invariants", tally.invariants);
}

/// Checks the answers about random systems; how many proofs are invariants, and how many are inductions.
fn check_systems(
    seeds: std::ops::Range<u64>,
    shape: StsShape,
    solvers: impl Fn() -> Rc<dyn SolverFactory>,
) -> (usize, usize) {
    let (run, mut num_invariants, mut num_inductive) = (Run::unlimited(), 0, 0);
    for seed in seeds {
        let task = random_sts(seed, shape);
        let truth = explore_sts(&task);
        let mut engine = imc_with(vec![InterpolatorKind::Auto], solvers(), SYSTEM_MAX_K);
        let verdict = engine.check(&task, &run).unwrap();
        let verdict = certify(&task, verdict, &*common::solvers(), &run).unwrap().verdict;
        let agrees = match &verdict {
            Verdict::Safe(Evidence::Given(StsProof::Invariant(_))) => {
                num_invariants += 1;
                truth.is_none()
            }
            Verdict::Safe(Evidence::Given(StsProof::KInductive { .. })) => {
                num_inductive += 1;
                truth.is_none()
            }
            Verdict::Unsafe(Evidence::Given(trace)) => truth == Some(trace.steps.len() as u32 - 1),
            _ => false,
        };
        assert!(agrees, "seed {seed}: {verdict:?}, the truth is {truth:?}");
    }
    (num_invariants, num_inductive)
}

#[test]
fn random_boolean_systems_agree_with_exploration_by_the_sat_solver() {
    let sat = || -> Rc<dyn SolverFactory> {
        Rc::new(CheckedFactory::new(Rc::new(SatFactory), Rc::new(Z3Factory::default())))
    };
    let shape = StsShape { max_bools: 5, max_ints: 0, max_inputs: 2 };
    let (num_invariants, _) = check_systems(0..60, shape, sat);
    assert!(num_invariants > 10, "only {num_invariants} invariants");
}

#[test]
fn random_systems_over_integers_agree_with_exploration() {
    let shape = StsShape { max_bools: 3, max_ints: 2, max_inputs: 1 };
    let (num_invariants, num_inductive) = check_systems(5000..5080, shape, solvers);
    assert!(num_invariants > 15, "only {num_invariants} invariants");
    assert!(num_inductive > 0, "no induction");
}

fn answer(mut engine: impl Engine<Cfa>, task: &Task<Cfa>) -> String {
    answer_of(certified(&mut engine, task))
}

fn answer_of(verdict: Verdict<Cfa>) -> String {
    match verdict {
        Verdict::Safe(Evidence::Given(CfaProof::Unwinding(CfaUnwinding {
            bound,
            long_runs: LongRuns::None,
            ..
        }))) => format!("ends within {bound}"),
        Verdict::Safe(Evidence::Given(_)) => "closed".into(),
        Verdict::Unsafe(Evidence::Given(trace)) => format!("unsafe in {} steps", trace.steps.len()),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
        other => format!("{other:?}"),
    }
}

/// Two counters that move together; what relates them has to be found.
const APART: &str = "var x : int var y : int init loc start loc head error loc bad
    start -> head { x := 0 y := 5 } head -> head { x := x + 1 y := y + 1 } head -> bad { assume x = y }";

/// A loop in a loop.
const NESTED: &str = "var i : int var j : int var n : int init loc start loc outer loc inner error loc bad
    start -> outer { i := 0 assume n > 0 } outer -> inner { assume i < n j := 0 }
    inner -> inner { assume j < n j := j + 1 } inner -> outer { assume j >= n i := i + 1 }
    inner -> bad { assume j > n } outer -> bad { assume i > n }";

/// The end of the first loop decides about the second one.
const TWO_LOOPS: &str = "var x : int var n : int init loc start loc first loc second error loc bad
    start -> first { x := 0 havoc n assume n > 0 } first -> first { assume x < n x := x + 1 }
    first -> second { assume x >= n } second -> second { assume x > 0 x := x - 1 }
    second -> bad { assume x < 0 }";

/// Branches inside of a loop: one formula has to be good for all paths.
const BRANCHES: &str = "var x : int var y : int init loc start loc head loc middle error loc bad
    start -> head { x := 0 y := 0 } head -> middle { x := x + 1 } head -> middle { x := x + 2 }
    middle -> head { y := y + 2 } middle -> head { y := y + 3 } head -> bad { assume x > y }";

#[test]
fn answers_on_small_models() {
    let table = [
        ("init loc a error loc b a -> b { }", "unsafe in 1 steps"),
        ("init loc a error loc b", "ends within 0"),
        ("init loc a error loc b a -> a { } a -> b { assume false }", "closed"),
        ("init loc a error loc b loc c c -> a { } c -> b { } a -> a { } a -> b { assume false }", "closed"),
        (APART, "closed"),
        (NESTED, "closed"),
        (TWO_LOOPS, "closed"),
        (BRANCHES, "closed"),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { x := x + 2 } h -> b { assume x = 6 }",
            "unsafe in 5 steps",
        ),
        (
            "var a : bv[8] var b : bv[8] init loc s loc h error loc e s -> h { a := 8'd0 b := 8'd0 }
             h -> h { a := b b := 8'd0 } h -> e { assume a /= 8'd0 }",
            "closed",
        ),
        (
            "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { assume x < 3 x := x + 1 }
             h -> b { assume x > 3 }",
            "closed",
        ),
    ];
    for (body, expected) in table {
        let task = parse(&format!("main process p {{ {body} }}"));
        assert_eq!(answer(imc(5), &task), expected, "{body}");
    }
}

/// All even numbers are reached, and no linear inequality distinguishes them from odd ones.
const EVEN: &str = "var x : int init loc start loc head error loc bad
    start -> head { x := 0 } head -> head { x := x + 2 } head -> bad { assume x = 7 }";

#[test]
fn levels_are_limited() {
    let task = parse(&format!("main process p {{ {EVEN} }}"));
    let farkas = || imc_with(vec![InterpolatorKind::Farkas], solvers(), 3);
    let mut engine = farkas();
    assert_eq!(answer(farkas(), &task), "unknown: no violation up to bound 3");
    engine.check(&task, &Run::unlimited()).unwrap();
    let levels = Engine::<Cfa>::statistics(&engine).entries.into_iter().find(|(name, _)| name == "levels");
    let levels = levels.map(|(_, levels)| levels);
    assert!(matches!(levels, Some(Statistic::Count(number)) if number <= 16 * (1 + 2 + 3)), "{levels:?}");
}

#[test]
fn progress_is_told() {
    let task = parse(&format!("main process p {{ {APART} }}"));
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let heard = events.clone();
    let run = Run::unlimited()
        .with_events(Arc::new(move |event: &Event| heard.lock().unwrap().push(event.clone())));
    imc(5).check(&task, &run).unwrap();
    let events = events.lock().unwrap();
    assert!(events.contains(&Event::SafeUpTo(0)));
    let is_level =
        |event: &Event| matches!(event, Event::Note(text) if text.starts_with("imc: k = 1, level 1 with "));
    assert!(events.iter().any(is_level), "{events:?}");
}

/// What the engine says with `ice` as its only interpolator, and how many paths `ice` explained.
fn learned(body: &str) -> (String, u64) {
    let task = parse(&format!("main process p {{ {body} }}"));
    let mut engine = imc_with(vec![InterpolatorKind::Ice], solvers(), 4);
    let answer = answer_of(certified(&mut engine, &task));
    let statistics = Engine::<Cfa>::statistics(&engine);
    let ice = statistics.parts.iter().flat_map(|part| &part.parts).find(|part| part.name == "ice");
    let explained = ice.and_then(|ice| ice.entries.iter().find(|(name, _)| name == "solved"));
    match explained {
        Some((_, Statistic::Count(number))) => (answer, *number),
        _ => panic!("the interpolator `ice` should have figures: {statistics:?}"),
    }
}

#[test]
fn interpolants_may_be_learned() {
    for body in [APART, NESTED, TWO_LOOPS, BRANCHES] {
        let (answer, num_learned) = learned(body);
        assert_eq!(answer, "closed", "{body}");
        assert!(num_learned > 0, "{body}");
    }
    let deep = "var x : int init loc a loc h error loc b a -> h { x := 0 } h -> h { x := x + 2 } h -> b { assume x = 6 }";
    assert_eq!(learned(deep).0, "unsafe in 5 steps");
}

#[test]
fn the_options_of_learning_apply() {
    let task = parse(&format!("main process p {{ {APART} }}"));
    let config = ImcConfig { max_k: 2, interpolators: vec![InterpolatorKind::Ice], ..ImcConfig::default() };
    let mut tools = tools(solvers());
    tools.ice.max_iterations = 0;
    assert_eq!(answer(Imc::new(config, tools), &task), "unknown: no violation up to bound 2");
}

#[test]
fn learned_answers_agree_with_exploration() {
    let (mut num_closed, mut num_violations) = (0, 0);
    for seed in 700..740 {
        let task = random_cfa(seed, Shape::default());
        let is_safe = explore(&task).least_bound.is_none();
        let mut engine = imc_with(vec![InterpolatorKind::Ice], solvers(), MAX_K);
        match certified(&mut engine, &task) {
            Verdict::Safe(Evidence::Given(_)) if is_safe => num_closed += 1,
            Verdict::Unsafe(Evidence::Given(_)) if !is_safe => num_violations += 1,
            // Not everything can be learned.
            Verdict::Unknown(_) => {}
            verdict => panic!("seed {seed}: answered {verdict:?}, safe: {is_safe}"),
        }
    }
    assert!(num_closed > 10, "only {num_closed} proofs");
    assert!(num_violations > 5, "only {num_violations} violations");
}
