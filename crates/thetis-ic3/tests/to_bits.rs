//! The pass to bits: what is found on bits is right for the integers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_expr::Sort;
use thetis_ic3::{Ic3, Ic3Config, ToBits};
use thetis_model::{Evidence, Pass, Verdict};
use thetis_solver::CheckedFactory;
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_z3::Z3Factory;

#[test]
fn answers_come_back_to_the_integers() {
    let shape = StsShape { max_bools: 2, max_ints: 2, max_inputs: 1 };
    let z3 = || Rc::new(Z3Factory::default());
    let (checker, run) = (CheckedFactory::new(z3(), z3()), Run::unlimited());
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..150 {
        let task = random_sts(seed, shape);
        if task.model.constraint == task.store.fals() {
            continue;
        }
        let on_bits = ToBits.apply(task.clone(), &run).unwrap().task;
        let is_boolean = |var| on_bits.store.var_sort(var) == Sort::Bool;
        assert!(on_bits.model.vars.iter().all(|var| is_boolean(*var)), "seed {seed}");
        on_bits.model.validate(&on_bits.store).unwrap();
        let verdict = Through::new(ToBits, Ic3::new(Ic3Config::default())).check(&task, &run).unwrap();
        let truth = explore_sts(&task);
        match certify(&task, verdict, &checker, &run).unwrap().verdict {
            Verdict::Safe(Evidence::Given(_)) if truth.is_none() => num_safe += 1,
            Verdict::Unsafe(Evidence::Given(_)) if truth.is_some() => num_unsafe += 1,
            other => panic!("seed {seed}: answered {other:?}, the truth is {truth:?}"),
        }
    }
    assert!(num_safe > 20 && num_unsafe > 20, "{num_safe} safe and {num_unsafe} unsafe systems");
}
