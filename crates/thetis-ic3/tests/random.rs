//! IC3 against explicit exploration.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_ic3::{Ic3, Ic3Config};
use thetis_model::sts::{Cone, Sts};
use thetis_model::{Evidence, Task, Verdict};
use thetis_solver::CheckedFactory;
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_z3::Z3Factory;

const BITS: StsShape = StsShape { max_bools: 5, max_ints: 0, max_inputs: 2 };
const INTEGERS: StsShape = StsShape { max_bools: 3, max_ints: 2, max_inputs: 1 };

fn certified(engine: &mut dyn Engine<Sts>, task: &Task<Sts>) -> Verdict<Sts> {
    let z3 = || Rc::new(Z3Factory::default());
    let run = Run::unlimited();
    let verdict = engine.check(task, &run).expect("an unlimited run should not stop");
    certify(task, verdict, &CheckedFactory::new(z3(), z3()), &run).unwrap().verdict
}

fn check_seeds(seeds: std::ops::Range<u64>, shape: StsShape, config: &Ic3Config) {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in seeds {
        let task = random_sts(seed, shape);
        if task.model.constraint == task.store.fals() {
            // There is no step, and no range of integers either.
            continue;
        }
        let truth = explore_sts(&task);
        let mut plain = Ic3::new(config.clone());
        let mut in_cone = Through::new(Cone, Ic3::new(config.clone()));
        for verdict in [certified(&mut plain, &task), certified(&mut in_cone, &task)] {
            let agrees = match &verdict {
                Verdict::Safe(Evidence::Given(_)) => truth.is_none(),
                Verdict::Unsafe(Evidence::Given(_)) => truth.is_some(),
                _ => false,
            };
            assert!(agrees, "seed {seed}: answered {verdict:?}, the truth is {truth:?}\n{:?}", task.model);
        }
        *(if truth.is_none() { &mut num_safe } else { &mut num_unsafe }) += 1;
    }
    assert!(num_safe > 100 && num_unsafe > 100, "{num_safe} safe and {num_unsafe} unsafe systems");
}

#[test]
fn random_systems_agree_with_exploration() {
    check_seeds(0..700, BITS, &Ic3Config::default());
}

#[test]
fn random_systems_agree_without_counterexamples_to_generalisation() {
    check_seeds(700..1200, BITS, &Ic3Config { ctg_depth: 0, ..Ic3Config::default() });
}

#[test]
fn random_systems_over_integers_agree_with_exploration() {
    check_seeds(2000..2500, INTEGERS, &Ic3Config::default());
}
