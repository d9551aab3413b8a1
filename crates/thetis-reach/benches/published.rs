//! Prints the table of the published models: our time, the published time, and what was found.
//!
//! Run with `cargo bench -p thetis-reach --bench published`.
#![allow(clippy::print_stdout, reason = "the table is the purpose of this program")]

use std::time::{Duration, Instant};

use thetis_base::{Budget, Run, Statistic, Statistics};
use thetis_engine::Engine;
use thetis_model::{Evidence, Verdict};
use thetis_pnml::families::NetFamily;
use thetis_reach::state_equation::SearchOrder;
use thetis_reach::{StateEquation, StateEquationConfig};

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    println!(
        "| model | search | ours (s) | published (s) | answer | cost | published cost | vectors | programs |"
    );
    println!("| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |");
    print_scaling();
    print_searches();
}

/// Table 1.2, and the two models of the section before it.
fn print_scaling() {
    let fms = [0.041, 0.048, 0.056, 0.071, 0.105, 0.226, 0.317, 0.65, 1.274, 2.54];
    let kanban = [0.032, 1.074, 3.055, 7.128, 16.039, 31.181];
    let dphil = [0.078, 0.204, 0.399, 1.156, 6.989, 67.603];
    let distant = [0.027, 0.068, 0.083, 0.116, 0.078, 0.063, 0.137];
    for (family, sizes, published) in [
        ("fms", "10 50 100 200 400 800 1600 3200 6400 12800", &fms[..]),
        ("kanban", "10 13 16 19 22 25", &kanban),
        ("dphil", "10 20 30 50 100 200", &dphil),
        ("distant", "1 2 3 4 5 6 7", &distant),
        ("slotted-ring", "10 50 100", &[]),
        ("counter", "8 12 16", &[]),
    ] {
        for (index, size) in sizes.split_whitespace().enumerate() {
            let seconds = published.get(index).map_or(String::new(), f64::to_string);
            print_row(family, size, SearchOrder::Dfs, (&seconds, ""));
        }
    }
}

/// Table 1.3.
fn print_searches() {
    for (size, published) in [
        ("1+2", [("0.04", "7"), ("0.055", "7"), ("0.039", "7")]),
        ("1+3", [("0.095", "13"), ("0.828", "13"), ("0.1", "13")]),
        ("1+4", [("0.291", "21"), ("85.24", "21"), ("0.288", "21")]),
        ("1+4*", [("24.2", "35"), ("55.28", "21"), ("1.498", "29")]),
        ("1+5", [("54.59", "39"), ("not in time", "31"), ("56.36", "39")]),
        ("2+2", [("0.076", "11"), ("0.277", "11"), ("0.074", "11")]),
        ("2+3", [("0.197", "19"), ("12.768", "19"), ("0.288", "23")]),
        ("2+3*", [("2.28", "29"), ("5.288", "19"), ("1.387", "23")]),
    ] {
        let searches = [SearchOrder::Dfs, SearchOrder::Bfs, SearchOrder::Hybrid];
        for (search, published) in searches.into_iter().zip(published) {
            print_row("chain", size, search, published);
        }
    }
}

/// One line: `published` has seconds and cost.
fn print_row(family: &str, size: &str, search: SearchOrder, published: (&str, &str)) {
    let net = NetFamily::ALL.iter().find(|one| one.name == family).and_then(|family| family.task(size));
    let task = &net.expect("there should be such a net");
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
    let (seconds, published_cost) = published;
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
        "| {family} {size} | {search:?} | {time:.4} | {seconds} | {answer} | {cost} | {published_cost} | {vectors} | {programs} |"
    );
}
