//! The engines for transition systems on nets, as users get them, against brute force.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::time::Duration;

use thetis_base::{Budget, Run};
use thetis_bounded::{BmcConfig, KindConfig};
use thetis_checker::certify;
use thetis_model::petri::{Net, PetriProof, PetriProperty, Question};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_portfolio::{Config, EngineName, Parts};
use thetis_testkit::petri::{NetShape, explore_net, philosophers, random_net};

use common::parts;

/// Small bounds: a random net that needs more is left open.
fn config(engine: &str) -> Config {
    Config {
        engine: EngineName::new(engine).unwrap(),
        bmc: BmcConfig { max_bound: 8, ..BmcConfig::default() },
        kind: KindConfig { max_k: 5, ..KindConfig::default() },
        ..Config::default()
    }
}

/// The answer after the checker has looked at it; `None` if the engine gave up.
fn certified(engine: &str, task: &Task<Net>, parts: &Parts) -> Option<Verdict<Net>> {
    let run = Run::new(Budget { wall: Some(Duration::from_secs(20)), ..Budget::default() });
    let verdict = thetis_portfolio::engine(&config(engine), parts, None).unwrap().check(task, &run).ok()?;
    Some(certify(task, verdict, &*parts.solvers, &Run::unlimited()).unwrap().verdict)
}

/// Asks `engine` about random nets with brute force as the judge: `[safe, unsafe]` says how many of each it has to decide.
fn check_seeds(engine: &str, seeds: std::ops::Range<u64>, least: [usize; 2]) {
    let parts = parts();
    let mut num_decided = [0, 0];
    for seed in seeds {
        let task = random_net(seed, NetShape::default());
        let Some(truth) = explore_net(&task, 500) else { continue };
        let is_safe = truth.least_length.is_none();
        let Some(verdict) = certified(engine, &task, &parts) else { continue };
        let answered_safe = match &verdict {
            Verdict::Safe(Evidence::Given(_)) => true,
            Verdict::Unsafe(Evidence::Given(_)) => false,
            Verdict::Unknown(Reason::CertificateRejected(_)) => panic!("seed {seed}: {verdict:?}"),
            _ => continue,
        };
        assert_eq!(answered_safe, is_safe, "seed {seed}: {verdict:?}, the truth is {truth:?}");
        num_decided[usize::from(!is_safe)] += 1;
    }
    assert!(num_decided[0] >= least[0] && num_decided[1] >= least[1], "only {num_decided:?} were decided");
}

#[test]
fn bounded_model_checking_on_random_nets() {
    check_seeds("bmc", 0..100, [0, 25]);
}

#[test]
fn k_induction_on_random_nets() {
    check_seeds("kind", 200..300, [20, 25]);
}

#[test]
fn ic3_on_random_nets() {
    check_seeds("ic3", 400..520, [18, 18]);
}

/// Everybody can be hungry, and a fork is never in two hands.
#[test]
fn one_safety_of_philosophers_is_an_invariant_of_few_sums() {
    let net = philosophers(8);
    let property = PetriProperty::new(&net, Question::OneSafe);
    let task = Task { store: thetis_expr::Store::new(), model: net, property };
    match certified("ic3", &task, &parts()) {
        Some(Verdict::Safe(Evidence::Given(PetriProof::Invariant(_)))) => {}
        other => panic!("expected an invariant, found {other:?}"),
    }
}

/// With several firings in a step all take their left fork at once.
#[test]
fn the_deadlock_of_many_philosophers_is_one_step_away() {
    let net = philosophers(40);
    let property = PetriProperty::new(&net, Question::Deadlock);
    let task = Task { store: thetis_expr::Store::new(), model: net, property };
    match certified("bmc", &task, &parts()) {
        Some(Verdict::Unsafe(Evidence::Given(trace))) => assert_eq!(trace.num_firings(), 40),
        other => panic!("expected a deadlock, found {other:?}"),
    }
}

#[test]
fn a_question_without_a_target_is_left_to_others() {
    let net = philosophers(3);
    let property = PetriProperty::new(&net, Question::StateSpace);
    let task = Task { store: thetis_expr::Store::new(), model: net, property };
    assert!(certified("ic3", &task, &parts()).is_none());
}
