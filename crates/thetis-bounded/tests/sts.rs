//! Bounded engines on transition systems against explicit exploration, and on systems with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_bounded::{Bmc, BmcConfig, Kind, KindConfig};
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_expr::smtlib::{Declared, parse_term};
use thetis_model::sts::{Cone, Sts, StsProof};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_sat::SatFactory;
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_z3::Z3Factory;

const MAX_BOUND: u32 = 6;

/// Z3 with every answer checked.
fn z3() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// The SAT solver with every answer checked.
fn sat() -> Rc<dyn SolverFactory> {
    Rc::new(CheckedFactory::new(Rc::new(SatFactory), Rc::new(Z3Factory::default())))
}

fn certified(engine: &mut dyn Engine<Sts>, task: &Task<Sts>) -> Verdict<Sts> {
    let run = Run::unlimited();
    let verdict = engine.check(task, &run).expect("an unlimited run should not stop");
    certify(task, verdict, &*z3(), &run).expect("an unlimited check should end").verdict
}

/// Whether a verdict of a search up to [`MAX_BOUND`] is right and as good as it can be.
fn agrees(verdict: &Verdict<Sts>, truth: Option<u32>) -> bool {
    match verdict {
        Verdict::Safe(Evidence::Given(_)) => truth.is_none(),
        Verdict::Unsafe(Evidence::Given(trace)) => truth == Some(trace.steps.len() as u32 - 1),
        Verdict::Unknown(Reason::Bound(MAX_BOUND)) => truth.is_none_or(|depth| depth > MAX_BOUND),
        _ => false,
    }
}

fn bmc(solvers: Rc<dyn SolverFactory>) -> Bmc {
    Bmc::new(BmcConfig { max_bound: MAX_BOUND, ..BmcConfig::default() }, solvers)
}

fn kind(solvers: Rc<dyn SolverFactory>, simple_paths: bool) -> Kind {
    Kind::new(KindConfig { max_k: MAX_BOUND, simple_paths, ..KindConfig::default() }, solvers)
}

fn check_seeds(seeds: std::ops::Range<u64>, shape: StsShape, solvers: impl Fn() -> Rc<dyn SolverFactory>) {
    let mut num_proved = 0;
    for seed in seeds {
        let task = random_sts(seed, shape);
        let truth = explore_sts(&task);
        let verdicts = [
            certified(&mut bmc(solvers()), &task),
            certified(&mut kind(solvers(), false), &task),
            certified(&mut kind(solvers(), true), &task),
            certified(&mut Through::new(Cone, kind(solvers(), false)), &task),
        ];
        for verdict in &verdicts {
            assert!(agrees(verdict, truth), "seed {seed}: {verdict:?}, the truth is {truth:?}");
            num_proved += usize::from(matches!(verdict, Verdict::Safe(_)));
        }
    }
    assert!(num_proved > 100, "only {num_proved} proofs");
}

#[test]
fn random_boolean_systems_agree_with_exploration_by_the_sat_solver() {
    check_seeds(0..250, StsShape { max_bools: 5, max_ints: 0, max_inputs: 2 }, sat);
}

#[test]
fn random_systems_over_integers_agree_with_exploration() {
    check_seeds(5000..5250, StsShape { max_bools: 3, max_ints: 2, max_inputs: 1 }, z3);
}

fn parse(text: &str) -> Task<Sts> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.sts", text);
    let mut diagnostics = Diagnostics::new();
    let mut tasks = thetis_text::sts::parse(&sources, file, &mut diagnostics)
        .unwrap_or_else(|_| panic!("the model should parse: {diagnostics:?}"));
    tasks.remove(0).task
}

fn system(body: &str, property: &str) -> Task<Sts> {
    parse(&format!("specification S {{ property p : {{ {body} }} models G({property}) }}"))
}

fn proof(verdict: Verdict<Sts>) -> String {
    match verdict {
        Verdict::Safe(Evidence::Given(StsProof::KInductive { k, paths, .. })) => format!("{k} {paths:?}"),
        Verdict::Unsafe(Evidence::Given(trace)) => format!("unsafe in {} steps", trace.steps.len()),
        other => format!("{other:?}"),
    }
}

#[test]
fn induction_goes_as_deep_as_the_property_needs() {
    let shift = "var a : bool var b : bool var c : bool initial not a and not b and not c
                 transition a' = a transition b' = a transition c' = b";
    assert_eq!(proof(certified(&mut kind(z3(), false), &system(shift, "not a"))), "1 All");
    assert_eq!(proof(certified(&mut kind(z3(), false), &system(shift, "not c"))), "3 All");
    let counter = "var x : int initial x = 0 transition x' = x + 2";
    assert_eq!(proof(certified(&mut kind(z3(), false), &system(counter, "x /= 6"))), "unsafe in 4 steps");
    assert_eq!(proof(certified(&mut kind(z3(), false), &system(counter, "true"))), "0 All");
}

#[test]
fn simple_paths_prove_what_loops_hide() {
    // The states 2 and 3 lead to each other and are not reachable; without simple paths they are a counterexample to
    // every step.
    let ring = "var x : int invariant 0 <= x and x <= 4 initial x = 0
                transition if x <= 1 then x' = 1 - x else (if x = 2 then x' = 3 else (x' = 2 or x' = 4))";
    let task = system(ring, "x /= 4");
    assert_eq!(proof(certified(&mut kind(z3(), true), &task)), "3 Simple");
    let without = certified(&mut kind(z3(), false), &task);
    assert!(matches!(without, Verdict::Unknown(Reason::Bound(MAX_BOUND))), "{without:?}");
}

#[test]
fn lemmas_help_and_wrong_ones_are_found() {
    let task = system(
        "var x : int var y : int initial x = 0 and y = 0 transition x' = x + 1 and y' = y + 1",
        "x = y or x < 5",
    );
    let with = |text: &str| {
        let lemma = parse_term(&task.store, text, &Declared).unwrap();
        certified(&mut kind(z3(), false).with_lemmas(vec![lemma]), &task)
    };
    assert_eq!(proof(with("(= x y)")), "0 All");
    for wrong in ["false", "(= x 0)", "(< x 5)"] {
        let verdict = with(wrong);
        assert!(matches!(verdict, Verdict::Unknown(Reason::CertificateRejected(_))), "{wrong}: {verdict:?}");
    }
}
