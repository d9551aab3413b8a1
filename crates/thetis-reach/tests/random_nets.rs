//! The state equation, the explicit search and brute force on the same random nets, with all evidence checked.

use std::rc::Rc;

use thetis_base::{Budget, Run};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::petri::Net;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_reach::explicit::ExplicitConfig;
use thetis_reach::state_equation::SearchOrder;
use thetis_reach::{Explicit, StateEquation, StateEquationConfig};
use thetis_solver::{CoreSolver, SolverError, SolverFactory};
use thetis_testkit::petri::{NetShape, explore_net, random_net};
use thetis_z3::{Z3Config, Z3Factory};

/// Evidence of nets is checked without solvers.
struct NoSolver;

impl SolverFactory for NoSolver {
    fn name(&self) -> &str {
        "none"
    }

    fn start(&self, _run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Err(SolverError::Missing("this test has no solver".to_owned()))
    }
}

#[derive(Default, Debug)]
struct Tally {
    reachable: u32,
    unreachable: u32,
    unknown_reachable: u32,
    unknown_unreachable: u32,
    unknown_unbounded: u32,
}

/// Small limits: a random net that needs more is left open.
fn config(search: SearchOrder) -> StateEquationConfig {
    StateEquationConfig {
        search,
        max_solutions: 40,
        max_partial_solutions: 50,
        max_steps: 5_000,
        ..StateEquationConfig::default()
    }
}

/// What brute force says, if it ends.
fn truth(task: &Task<Net>) -> Option<bool> {
    explore_net(task, 5_000).map(|truth| truth.least_length.is_some())
}

/// The answer of `engine` after the checker has looked at it.
fn certified(engine: &mut dyn Engine<Net>, task: &Task<Net>, seed: u64) -> Verdict<Net> {
    let run = Run::new(Budget::default());
    let verdict = engine.check(task, &run).unwrap_or_else(|stop| panic!("seed {seed}: {stop:?}"));
    assert!(!matches!(verdict, Verdict::Safe(Evidence::Missing(_))), "seed {seed}: nothing to check");
    certify(task, verdict, &NoSolver, &run).expect("the check should end").verdict
}

/// Asks the state equation about one net and counts; a wrong answer, or evidence that is rejected, is a failure.
fn check(task: &Task<Net>, truth: Option<bool>, config: StateEquationConfig, seed: u64, tally: &mut Tally) {
    match certified(&mut StateEquation::new(config, None), task, seed) {
        Verdict::Unsafe(_) => {
            assert_ne!(truth, Some(false), "seed {seed}: a wrong reachable");
            tally.reachable += 1;
        }
        Verdict::Safe(_) => {
            assert_ne!(truth, Some(true), "seed {seed}: a wrong unreachable");
            tally.unreachable += 1;
        }
        Verdict::Unknown(reason @ (Reason::CertificateRejected(_) | Reason::CertificateUndecided(_))) => {
            panic!("seed {seed}: {reason}")
        }
        Verdict::Unknown(_) => match truth {
            Some(true) => tally.unknown_reachable += 1,
            Some(false) => tally.unknown_unreachable += 1,
            None => tally.unknown_unbounded += 1,
        },
    }
}

/// Where brute force ends, the explicit search has to say the same, always.
fn check_explicit(task: &Task<Net>, truth: bool, seed: u64) {
    match certified(&mut Explicit::new(ExplicitConfig::default()), task, seed) {
        Verdict::Unsafe(_) => assert!(truth, "seed {seed}: a wrong reachable"),
        Verdict::Safe(_) => assert!(!truth, "seed {seed}: a wrong unreachable"),
        Verdict::Unknown(reason) => panic!("seed {seed}: {reason}"),
    }
}

#[test]
fn three_ways_agree_on_5_000_random_nets() {
    let mut tally = Tally::default();
    let mut num_decided = 0;
    for seed in 0.. {
        let task = random_net(seed, NetShape::default());
        let truth = truth(&task);
        let search = [SearchOrder::Hybrid, SearchOrder::Dfs, SearchOrder::Bfs][seed as usize % 3];
        check(&task, truth, config(search), seed, &mut tally);
        if let Some(truth) = truth {
            check_explicit(&task, truth, seed);
            num_decided += 1;
        }
        if num_decided == 5_000 {
            break;
        }
    }
    println!("{tally:?}");
    assert!(tally.reachable >= 3_000 && tally.unreachable >= 1_800, "{tally:?}");
    assert!(tally.unknown_reachable <= 20, "{tally:?}");
}

#[test]
fn an_arbiter_does_not_change_answers() {
    let solvers: Rc<dyn SolverFactory> = Rc::new(Z3Factory::new(Z3Config::default()));
    for seed in 0..200 {
        let task = random_net(seed, NetShape::default());
        let mut engine = StateEquation::new(config(SearchOrder::Hybrid), Some(solvers.clone()));
        let verdict = engine.check(&task, &Run::unlimited()).unwrap();
        let Some(truth) = explore_net(&task, 5_000) else { continue };
        assert!(!matches!(verdict, Verdict::Safe(_)) || truth.least_length.is_none(), "seed {seed}");
        assert!(!matches!(verdict, Verdict::Unsafe(_)) || truth.least_length.is_some(), "seed {seed}");
    }
}
