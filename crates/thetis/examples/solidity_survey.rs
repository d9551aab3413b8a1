//! Verifies contracts and compares the verdicts with a table `path,arithmetic,expected` (tab-separated) on standard input.
#![allow(clippy::print_stdout, dead_code, reason = "a tool for developers")]

#[path = "../src/solidity/verify.rs"]
mod verify;

use std::io::BufRead;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_solidity::{Arithmetic, Options};
use thetis_z3::Z3Factory;
use verify::{Status, Verifier};

fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from).unwrap_or_default();
    let verbose = std::env::args().nth(2).is_some();
    let (mut agreed, mut all) = (0, 0);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut fields = line.split('\t');
        let (Some(path), Some(arithmetic), Some(expected)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let watch = std::time::Instant::now();
        let (verdict, details) = verdict(&folder.join(path), arithmetic);
        all += 1;
        let agrees = verdict == expected;
        agreed += usize::from(agrees);
        println!(
            "{} {path} {arithmetic}: expected {expected}, got {verdict} in {:.2} s",
            if agrees { "  " } else { "!!" },
            watch.elapsed().as_secs_f64()
        );
        if verbose || !agrees {
            print!("{details}");
        }
    }
    println!("{agreed} of {all} agree");
}

fn verdict(path: &std::path::Path, arithmetic: &str) -> (String, String) {
    let Ok(text) = std::fs::read_to_string(path) else { return ("unreadable".to_owned(), String::new()) };
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), text);
    let options =
        Options { arithmetic: Arithmetic::by_name(arithmetic).unwrap_or_default(), ..Options::default() };
    let mut diags = Diagnostics::new();
    let functions = match thetis_solidity::read(&sources, &[file], &options, &mut diags) {
        Ok(functions) => functions,
        Err(_) => {
            let lines = diags
                .iter()
                .map(|diag| format!("     {}: {}\n", sources.start(diag.span).line, diag.message));
            return ("error".to_owned(), lines.collect());
        }
    };
    let verifier = Verifier {
        sources: &sources,
        files: &[file],
        options: &options,
        solvers: Rc::new(Z3Factory::default()),
        timeout: Some(Duration::from_secs(10)),
    };
    let (mut violations, mut unknown, mut details) = (0, 0, String::new());
    for function in functions {
        let name = function.name.clone();
        let report = match verifier.verify(function, &Run::unlimited()) {
            Ok(report) => report,
            Err(stop) => {
                details += &format!("     {name}: {stop}\n");
                unknown += 1;
                continue;
            }
        };
        let status = match &report.status {
            Status::Ok => "OK".to_owned(),
            Status::Error => "ERROR".to_owned(),
            Status::Inconclusive => "INCONCLUSIVE".to_owned(),
            Status::Timeout => "TIMEOUT".to_owned(),
            Status::Skipped(skipped) => {
                format!("SKIPPED: {}: {}", sources.start(skipped.span).line, skipped.reason)
            }
        };
        details += &format!(
            "     {name}: {status} ({} checks, {:.2} s)\n",
            report.num_checks,
            report.time.as_secs_f64()
        );
        violations += report.violations.len();
        unknown += report.undecided.len();
        for violation in &report.violations {
            let place = sources.start(violation.check.span);
            details += &format!("       - {}:{}: {}\n", place.line, place.column, violation.check.kind);
        }
        for (check, reason) in &report.undecided {
            details += &format!("       ? {}: {} ({reason})\n", sources.start(check.span).line, check.kind);
        }
    }
    match (violations, unknown) {
        (0, 0) => ("ok".to_owned(), details),
        (0, _) => ("inconclusive".to_owned(), details),
        (count, _) => (format!("violations:{count}"), details),
    }
}
