//! The engines for transition systems, as users get them, against explicit exploration.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::time::Duration;

use thetis_base::{Budget, Run};
use thetis_checker::certify;
use thetis_model::{Evidence, Reason, Verdict};
use thetis_portfolio::{Config, EngineName};
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};

use common::parts;

/// Asks `engine` about random systems; at least `least` of them have to be decided. An engine may give up, but not err.
fn check_seeds(engine: &str, shape: StsShape, seeds: std::ops::Range<u64>, least: usize) {
    let config = Config { engine: EngineName::new(engine).unwrap(), ..Config::default() };
    let parts = parts();
    let mut num_decided = 0;
    for seed in seeds {
        let task = random_sts(seed, shape);
        let truth = explore_sts(&task);
        let run = Run::new(Budget { wall: Some(Duration::from_secs(10)), ..Budget::default() });
        let answer = thetis_portfolio::engine(&config, &parts, None).unwrap().check(&task, &run);
        let Ok(verdict) = answer else { continue };
        let certified = certify(&task, verdict, &*parts.solvers, &Run::unlimited()).unwrap().verdict;
        let is_right = match &certified {
            Verdict::Safe(Evidence::Given(_)) => truth.is_none(),
            Verdict::Unsafe(Evidence::Given(_)) => truth.is_some(),
            Verdict::Unknown(Reason::CertificateRejected(_)) => false,
            _ => continue,
        };
        assert!(is_right, "seed {seed}: answered {certified:?}, the truth is {truth:?}");
        num_decided += 1;
    }
    assert!(num_decided >= least, "only {num_decided} systems were decided");
}

const BITS: StsShape = StsShape { max_bools: 5, max_ints: 0, max_inputs: 2 };
const INTEGERS: StsShape = StsShape { max_bools: 3, max_ints: 1, max_inputs: 1 };

#[test]
fn abstraction_refinement_on_random_systems_of_bits() {
    check_seeds("cegar", BITS, 0..300, 300);
}

#[test]
fn abstraction_refinement_on_random_systems() {
    check_seeds("cegar", INTEGERS, 0..60, 58);
}

#[test]
fn the_default_on_random_systems() {
    check_seeds("auto", INTEGERS, 100..160, 60);
}
