//! Checks a model with a query: `check MODEL.xta 'E<> P.error' search=dfs abstraction=lazy-itp`. The settings are those of the engine. Says how long
//! the search took, and how long the check of its evidence.

use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Map, Value};
use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::Verdict;
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{Zones, ZonesConfig};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows its answer")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, query, settings @ ..] = arguments.as_slice() else { return ExitCode::FAILURE };
    let Ok(text) = std::fs::read_to_string(path) else { return ExitCode::FAILURE };
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(path, text);
    let query = sources.add("query", query);
    let task = thetis_xta::parse(&sources, file, &mut diags).and_then(|model| {
        let property = thetis_xta::query::parse(&sources, query, &model, &mut diags)?;
        Ok(thetis_xta::task(model.network, property))
    });
    for diagnostic in diags.iter() {
        let start = sources.start(diagnostic.span);
        eprintln!("{}:{}: {}", start.line, start.column, diagnostic.message);
    }
    let (Ok(task), Some(config)) = (task, config(settings)) else { return ExitCode::FAILURE };
    let mut engine = Zones::new(config);
    let (run, solvers) = (Run::unlimited(), Z3Factory::new(Z3Config::default()));
    let start = Instant::now();
    let Ok(verdict) = engine.check(&task, &run) else { return ExitCode::FAILURE };
    let searched = start.elapsed();
    match certify(&task, verdict, &solvers, &run).map(|certified| certified.verdict) {
        Ok(Verdict::Safe(_)) => println!("{}", task.property.safe_word()),
        Ok(Verdict::Unsafe(_)) => println!("{}", task.property.unsafe_word()),
        Ok(Verdict::Unknown(reason)) => println!("unknown: {reason}"),
        Err(_) => println!("stopped"),
    }
    println!("searched in {searched:.2?}, checked in {:.2?}", start.elapsed() - searched);
    println!("{:?}", engine.stats());
    ExitCode::SUCCESS
}

/// The configuration with these settings; `None` if there is no such setting.
fn config(settings: &[String]) -> Option<ZonesConfig> {
    let mut map = Map::new();
    for setting in settings {
        let (key, value) = setting.split_once('=')?;
        map.insert(key.to_owned(), Value::from(value));
    }
    serde_json::from_value(Value::Object(map)).ok()
}
