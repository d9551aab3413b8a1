//! The state-equation engine against exploration, on random nets, with its evidence checked.

use std::rc::Rc;

use thetis_base::{Budget, Run};
use thetis_engine::{Engine, certify};
use thetis_model::petri::Net;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_reach::state_equation::SearchOrder;
use thetis_reach::{StateEquation, StateEquationConfig};
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

/// Checks one net and counts; a wrong answer, or evidence that is rejected, is a failure.
fn check(task: &Task<Net>, config: StateEquationConfig, seed: u64, tally: &mut Tally) {
    let truth = explore_net(task, 5_000).map(|truth| truth.least_length.is_some());
    let mut engine = StateEquation::new(config, None);
    let run = Run::new(Budget::default());
    let verdict = engine.check(task, &run).unwrap_or_else(|stop| panic!("seed {seed}: {stop:?}"));
    assert!(!matches!(verdict, Verdict::Safe(Evidence::Missing(_))), "seed {seed}: nothing to check");
    let certified = certify(task, verdict, &NoSolver, &run).expect("the check should end").verdict;
    match certified {
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

#[test]
fn random_nets_agree_with_exploration() {
    let mut tally = Tally::default();
    for seed in 0..5_000 {
        let search = [SearchOrder::Hybrid, SearchOrder::Dfs, SearchOrder::Bfs][seed as usize % 3];
        check(&random_net(seed, NetShape::default()), config(search), seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.reachable >= 3_000 && tally.unreachable >= 1_800, "{tally:?}");
    assert!(tally.unknown_reachable <= 10, "{tally:?}");
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
