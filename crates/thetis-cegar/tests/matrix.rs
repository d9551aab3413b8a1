//! The whole matrix of options on models with known verdicts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{DOMAINS, REFINEMENTS, answer, model, models, problem, word};
use thetis_cegar::{CegarConfig, Granularity, MaxEnum, PredSplit, SearchOrder};

const SEARCHES: [SearchOrder; 6] = [
    SearchOrder::Bfs,
    SearchOrder::Dfs,
    SearchOrder::Err,
    SearchOrder::ErrDfs,
    SearchOrder::DfsErr,
    SearchOrder::Weights { distance: 3, depth: 1 },
];

/// Every domain with every refinement, search, split and granularity. With each the sum of the positions of its values.
fn matrix() -> Vec<(usize, CegarConfig)> {
    let mut all = Vec::new();
    for domain in DOMAINS {
        for (first, refinement) in REFINEMENTS.into_iter().enumerate() {
            for (second, search) in SEARCHES.into_iter().enumerate() {
                for (third, pred_split) in SPLITS.into_iter().enumerate() {
                    for (fourth, precision) in GRANULARITIES.into_iter().enumerate() {
                        let max_enum = MaxEnum::AtMost(10);
                        let base = CegarConfig { domain, max_enum, refinement, ..CegarConfig::default() };
                        let config = CegarConfig { search, pred_split, precision, ..base };
                        all.push((first + second + third + fourth, config));
                    }
                }
            }
        }
    }
    all
}

const SPLITS: [PredSplit; 3] = [PredSplit::Whole, PredSplit::Conjuncts, PredSplit::Atoms];

const GRANULARITIES: [Granularity; 2] = [Granularity::Global, Granularity::Local];

#[test]
fn senseless_combinations_are_rejected() {
    let is_sensible = |(_, config): &(usize, CegarConfig)| config.conflict().is_none();
    let (sensible, rejected): (Vec<_>, Vec<_>) = matrix().into_iter().partition(is_sensible);
    assert_eq!((sensible.len(), rejected.len()), (5 * 10 * 36 + 11 * 12, 5 * 36 + 11 * 24));
}

/// Of the sensible combinations those are run in which the values of any two options occur together: every fourth.
#[test]
fn no_combination_is_ever_wrong() {
    let is_run = |(sum, config): &(usize, CegarConfig)| sum % 4 == 0 && config.conflict().is_none();
    let names = models();
    assert!(names.len() >= 12);
    let (mut num_known, mut num_run, mut seen) = (0, 0, BTreeSet::new());
    for (number, (_, config)) in matrix().iter().filter(|entry| is_run(entry)).enumerate() {
        let name = &names[number * 5 % names.len()];
        let verdict = answer(&model(name), config, Duration::from_millis(100));
        if let Some(problem) = problem(&verdict, name.ends_with(".unsafe")) {
            panic!("{name}: {problem}; {config:?}");
        }
        num_run += 1;
        num_known += usize::from(word(&verdict) != "unknown");
        seen.insert(name);
    }
    assert!(num_run > 440 && seen.len() == names.len(), "{num_run} runs");
    assert!(num_known * 2 >= num_run, "{num_known} of {num_run} have an answer");
}

#[test]
fn the_default_solves_every_model() {
    for name in models() {
        let verdict = answer(&model(&name), &CegarConfig::default(), Duration::from_secs(10));
        assert!(name.ends_with(&format!(".{}", word(&verdict))), "{name}: {verdict:?}");
    }
}
