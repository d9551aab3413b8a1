//! IC3 on automata against explicit exploration of random ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::time::Duration;

use common::{certified, problem, solvers};
use thetis_engine::Through;
use thetis_ic3::{CfaIc3, Ic3Config, Push, Queue, Termination};
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_testkit::cfa::{Shape, all_passes, explore, random_cfa, shrink};

/// All meaningful combinations, except those of the generalisation options with the others.
fn matrix() -> Vec<Ic3Config> {
    let mut all = Vec::new();
    for (reuse, skip) in [(false, false), (true, false), (true, true)] {
        for termination in [Termination::Original, Termination::New, Termination::Greedy] {
            for (queue, prune) in [(Queue::Priority, false), (Queue::Tree, false), (Queue::Tree, true)] {
                for push in [Push::Off, Push::None, Push::Predecessor, Push::Assign, Push::Restrictive] {
                    for bits in 0..8 {
                        let [propagate, push_query, cache] = [1, 2, 4].map(|bit| bits & bit > 0);
                        let base =
                            Ic3Config { reuse, skip, termination, queue, prune, ..Ic3Config::default() };
                        all.push(Ic3Config { push, propagate, push_query, cache, ..base });
                    }
                }
            }
        }
    }
    for (ctg_depth, widen) in [(0, false), (0, true), (2, false), (2, true)] {
        all.push(Ic3Config { ctg_depth, widen, ..Ic3Config::default() });
    }
    all.retain(|config| config.conflict().is_none());
    all
}

/// What is wrong with the verdict on `task`, if anything; and whether there was one.
fn look(task: &Task<Cfa>, config: &Ic3Config, with_passes: bool) -> (Option<String>, bool) {
    let is_unsafe = explore(task).least_bound.is_some();
    let ic3 = CfaIc3::new(config.clone(), solvers());
    let time = Duration::from_secs(5);
    let verdict = match with_passes {
        false => certified(&mut { ic3 }, task, time),
        true => certified(&mut Through::new(all_passes(), ic3), task, time),
    };
    (problem(&verdict, is_unsafe), !matches!(verdict, Verdict::Unknown(_)))
}

/// Runs random automata, each with another configuration; at least nine of ten must be decided.
fn check_seeds(seeds: std::ops::Range<u64>) {
    let configs = matrix();
    let (mut num_known, num_all) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let task = random_cfa(seed, Shape::default());
        let config = &configs[(seed * 7) as usize % configs.len()];
        let (problem, is_known) = look(&task, config, seed % 2 == 0);
        if let Some(problem) = problem {
            let small = shrink(&task, |task| look(task, config, seed % 2 == 0).0.is_some());
            panic!("seed {seed}: {problem}; {config:?}\n{}", thetis_text::cfa::print(&small).unwrap());
        }
        num_known += u64::from(is_known);
    }
    assert!(num_known * 10 >= num_all * 9, "{num_known} of {num_all} have an answer");
}

#[test]
fn every_sensible_combination_is_there() {
    let configs = matrix();
    assert!(configs.len() > 600, "{}", configs.len());
}

#[test]
fn no_configuration_is_ever_wrong_on_random_automata() {
    let last = std::env::var("THETIS_IC3_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    check_seeds(0..last);
}

#[test]
fn the_default_answers_nearly_all_random_automata() {
    let config = Ic3Config::default();
    let known = (5000..5060).filter(|seed| {
        let (problem, is_known) = look(&random_cfa(*seed, Shape::default()), &config, false);
        assert_eq!(problem, None, "seed {seed}");
        is_known
    });
    let num_known = known.count();
    assert!(num_known >= 58, "{num_known} of 60 have an answer");
}
