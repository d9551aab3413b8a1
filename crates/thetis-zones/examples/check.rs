//! Checks a model with a query: `check MODEL.xta 'E<> P.error' [dfs]`.

use std::process::ExitCode;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::Verdict;
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{SearchOrder, Zones, ZonesConfig};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows its answer")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, query, ..] = arguments.as_slice() else { return ExitCode::FAILURE };
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
    let Ok(task) = task else { return ExitCode::FAILURE };
    let search = if arguments.len() > 3 { SearchOrder::Dfs } else { SearchOrder::Priority };
    let mut engine = Zones::new(ZonesConfig { search, ..ZonesConfig::default() });
    let (run, solvers) = (Run::unlimited(), Z3Factory::new(Z3Config::default()));
    let verdict = engine.check(&task, &run).and_then(|verdict| certify(&task, verdict, &solvers, &run));
    match verdict.map(|certified| certified.verdict) {
        Ok(Verdict::Safe(_)) => println!("{}", task.property.safe_word()),
        Ok(Verdict::Unsafe(_)) => println!("{}", task.property.unsafe_word()),
        Ok(Verdict::Unknown(reason)) => println!("unknown: {reason}"),
        Err(_) => println!("stopped"),
    }
    println!("{:?}", engine.stats());
    ExitCode::SUCCESS
}
