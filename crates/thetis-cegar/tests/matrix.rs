//! The whole matrix of options on models with known verdicts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{DOMAINS, answer, model, models, problem, word};
use thetis_cegar::{CegarConfig, Granularity, MaxEnum, PredSplit, Refinement, Search};

const REFINEMENTS: [Refinement; 11] = [
    Refinement::SeqItp,
    Refinement::FwBinItp,
    Refinement::BwBinItp,
    Refinement::MultiSeq,
    Refinement::MinPrune,
    Refinement::MaxPrune,
    Refinement::UnsatCore,
    Refinement::NewtonWp,
    Refinement::NewtonWpLv,
    Refinement::NewtonSp,
    Refinement::NewtonSpLv,
];

const SEARCHES: [Search; 6] = [
    Search::Bfs,
    Search::Dfs,
    Search::Err,
    Search::ErrDfs,
    Search::DfsErr,
    Search::Weights { distance: 3, depth: 1 },
];

/// Every domain with every refinement, search, split and granularity.
fn matrix() -> Vec<CegarConfig> {
    let mut all = Vec::new();
    for domain in DOMAINS {
        for refinement in REFINEMENTS {
            for search in SEARCHES {
                for pred_split in [PredSplit::Whole, PredSplit::Conjuncts, PredSplit::Atoms] {
                    for precision in [Granularity::Global, Granularity::Local] {
                        let max_enum = MaxEnum::AtMost(10);
                        let base = CegarConfig { domain, max_enum, refinement, ..CegarConfig::default() };
                        all.push(CegarConfig { search, pred_split, precision, ..base });
                    }
                }
            }
        }
    }
    all
}

#[test]
fn every_combination_runs_or_is_refused_and_none_is_ever_wrong() {
    let (sensible, refused): (Vec<CegarConfig>, Vec<CegarConfig>) =
        matrix().into_iter().partition(|config| config.conflict().is_none());
    assert_eq!((sensible.len(), refused.len()), (4 * 10 * 36 + 11 * 12, 4 * 36 + 11 * 24));
    let names = models();
    assert!(names.len() >= 12);
    let (mut num_known, mut seen) = (0, BTreeSet::new());
    for (number, config) in sensible.iter().enumerate() {
        // Each combination meets one model, and each model every value of every option.
        let name = &names[number * 5 % names.len()];
        let verdict = answer(&model(name), config, Duration::from_millis(150));
        if let Some(problem) = problem(&verdict, name.ends_with(".unsafe")) {
            panic!("{name}: {problem}; {config:?}");
        }
        num_known += usize::from(word(&verdict) != "unknown");
        seen.insert(name);
    }
    assert_eq!(seen.len(), names.len());
    assert!(num_known * 10 >= sensible.len() * 8, "{num_known} of {} have an answer", sensible.len());
}

#[test]
fn the_default_solves_every_model() {
    for name in models() {
        let verdict = answer(&model(&name), &CegarConfig::default(), Duration::from_secs(10));
        assert!(name.ends_with(&format!(".{}", word(&verdict))), "{name}: {verdict:?}");
    }
}
