//! Abstraction refinement against explicit exploration of random automata.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::time::Duration;

use common::{DOMAINS, REFINEMENTS};
use thetis_cegar::{
    CegarConfig, Granularity, InitialPrecision, InterpolatorKind, MaxEnum, PredSplit, Prune, SearchOrder,
};
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};

fn answer(task: &Task<Cfa>, config: &CegarConfig) -> Verdict<Cfa> {
    common::answer(task, config, Duration::from_secs(5))
}

/// Every combination that makes sense, as far as the dimensions are tried one or two at a time.
fn matrix() -> Vec<CegarConfig> {
    let mut all = Vec::new();
    for domain in DOMAINS {
        for refinement in REFINEMENTS {
            let base =
                CegarConfig { domain, refinement, max_enum: MaxEnum::AtMost(10), ..CegarConfig::default() };
            all.push(base.clone());
            all.push(CegarConfig { precision: Granularity::Local, ..base.clone() });
            all.push(CegarConfig { prune: Prune::Full, search: SearchOrder::Bfs, ..base });
        }
        let base = CegarConfig { domain, max_enum: MaxEnum::AtMost(1), ..CegarConfig::default() };
        for search in [
            SearchOrder::Dfs,
            SearchOrder::ErrDfs,
            SearchOrder::DfsErr,
            SearchOrder::Weights { distance: 3, depth: 1 },
        ] {
            all.push(CegarConfig { search, ..base.clone() });
        }
        for pred_split in [PredSplit::Conjuncts, PredSplit::Atoms] {
            all.push(CegarConfig { pred_split, ..base.clone() });
        }
        for max_enum in [MaxEnum::OneWithoutSolver, MaxEnum::AtMost(1)] {
            all.push(CegarConfig { max_enum, ..base.clone() });
        }
        for interpolators in [
            vec![InterpolatorKind::Farkas, InterpolatorKind::NewtonSp],
            vec![InterpolatorKind::Horn, InterpolatorKind::NewtonWp],
        ] {
            all.push(CegarConfig { interpolators, patience: 1, ..base.clone() });
        }
        for initial_precision in [InitialPrecision::AllVars, InitialPrecision::AllAssumes] {
            all.push(CegarConfig { initial_precision, max_enum: MaxEnum::Unlimited, ..base.clone() });
        }
    }
    all.retain(|config| config.conflict().is_none());
    all
}

/// What is wrong with the answer for `task`, if anything.
fn problem(task: &Task<Cfa>, config: &CegarConfig) -> Option<String> {
    let is_unsafe = explore(task).least_bound.is_some();
    common::problem(&answer(task, config), is_unsafe).map(|problem| format!("{problem}; {config:?}"))
}

#[test]
fn no_configuration_is_ever_wrong_on_random_automata() {
    let configs = matrix();
    assert!(configs.len() > 80, "{}", configs.len());
    let mut num_known = 0;
    for seed in 0..200 {
        let task = random_cfa(seed, Shape::default());
        let config = &configs[seed as usize % configs.len()];
        if let Some(problem) = problem(&task, config) {
            let small = shrink(&task, |task| self::problem(task, config).is_some());
            panic!("seed {seed}: {problem}\n{}", thetis_text::cfa::print(&small).unwrap());
        }
        num_known += u32::from(!matches!(answer(&task, config), Verdict::Unknown(_)));
    }
    assert!(num_known > 100, "{num_known} of 200 have an answer");
}

#[test]
fn the_default_answers_most_random_automata() {
    let config = CegarConfig::default();
    let num_known = (0..100)
        .filter(|seed| !matches!(answer(&random_cfa(*seed, Shape::default()), &config), Verdict::Unknown(_)))
        .count();
    assert!(num_known >= 95, "{num_known} of 100 have an answer");
}
