//! Prints the table of the published models: our time, the published time, and what was found.
//!
//! Run with `cargo bench -p thetis-reach --bench published`.
#![allow(clippy::print_stdout, reason = "the table is the purpose of this program")]

use std::time::{Duration, Instant};

use thetis_base::{Budget, Run, Statistic, Statistics};
use thetis_engine::Engine;
use thetis_model::petri::Net;
use thetis_model::{Evidence, Task, Verdict};
use thetis_reach::state_equation::SearchOrder;
use thetis_reach::{StateEquation, StateEquationConfig};
use thetis_testkit::petri_models::{chain, counter, distant, dphil, fms, kanban, slotted_ring};

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    println!("| model | search | ours (s) | published (s) | answer | cost | vectors | programs |");
    println!("|---|---|---|---|---|---|---|---|");
    for (n, published) in [(10, 0.041), (100, 0.056), (800, 0.226), (3200, 0.65), (12800, 2.54)] {
        print_row(&format!("FMS-{n}"), &fms(n), SearchOrder::Dfs, Some(published));
    }
    for (n, published) in [(10, 0.032), (16, 3.055), (25, 31.181)] {
        print_row(&format!("Kanban-{n}"), &kanban(n), SearchOrder::Dfs, Some(published));
    }
    for (n, published) in [(10, 0.078), (50, 1.156), (100, 6.989), (200, 67.603)] {
        print_row(&format!("Dphil-{n}"), &dphil(n), SearchOrder::Dfs, Some(published));
    }
    for n in [10, 50, 100] {
        print_row(&format!("SlottedRing-{n}"), &slotted_ring(n), SearchOrder::Dfs, None);
    }
    for n in [8, 12, 16] {
        print_row(&format!("Counter-{n}"), &counter(n), SearchOrder::Dfs, None);
    }
    for (number, published) in (1..).zip([0.027, 0.068, 0.083, 0.116, 0.078, 0.063, 0.137]) {
        print_row(&format!("Distant{number}"), &distant(number), SearchOrder::Dfs, Some(published));
    }
    for (n, k, published) in [
        (1, 2, [0.04, 0.055, 0.039]),
        (1, 3, [0.095, 0.828, 0.1]),
        (1, 4, [0.291, 85.24, 0.288]),
        (1, 5, [54.59, f64::INFINITY, 56.36]),
        (2, 2, [0.076, 0.277, 0.074]),
        (2, 3, [0.197, 12.768, 0.288]),
    ] {
        for (search, published) in
            [SearchOrder::Dfs, SearchOrder::Bfs, SearchOrder::Hybrid].into_iter().zip(published)
        {
            print_row(&format!("Chain {n}+{k}"), &chain(n, k), search, Some(published));
        }
    }
}

fn print_row(name: &str, task: &Task<Net>, search: SearchOrder, published: Option<f64>) {
    let mut engine =
        StateEquation::new(StateEquationConfig { search, ..StateEquationConfig::default() }, None);
    let run = Run::new(Budget { wall: Some(LIMIT), ..Budget::default() });
    let start = Instant::now();
    let verdict = engine.check(task, &run);
    let time = start.elapsed().as_secs_f64();
    let (answer, cost) = match &verdict {
        Ok(Verdict::Unsafe(Evidence::Given(trace))) => {
            ("reachable".to_owned(), trace.num_firings().to_string())
        }
        Ok(Verdict::Unsafe(Evidence::Missing(_))) => ("reachable".to_owned(), String::new()),
        Ok(Verdict::Safe(_)) => ("unreachable".to_owned(), String::new()),
        Ok(Verdict::Unknown(reason)) => (reason.to_string(), String::new()),
        Err(_) => ("time".to_owned(), String::new()),
    };
    let published = published.map_or(String::new(), |seconds| format!("{seconds}"));
    let statistics = engine.statistics();
    let count = |part: &Statistics, key: &str| {
        part.entries.iter().find(|(name, _)| name == key).map_or(String::new(), |(_, value)| match value {
            Statistic::Count(count) => count.to_string(),
            other => format!("{other:?}"),
        })
    };
    let vectors = count(&statistics, "solution-vectors");
    let programs = count(&statistics.parts[0], "problems");
    println!(
        "| {name} | {search:?} | {time:.4} | {published} | {answer} | {cost} | {vectors} | {programs} |"
    );
}
