//! Translates every C program that a manifest lists and prints sizes, limits and rejected programs.
//!
//! ```text
//! cargo run --release -p thetis-c --example translate -- FOLDER [PART OF PATH]
//! ```
//!
//! `FOLDER/manifest.csv` has the columns `path,family,set,expected,property,…`; a property is followed by its data model.
//! Programs about threads, data races and termination are left out. `.c` files with directives go through `cc -E`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for developers that talks to its terminal"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use thetis_base::{Diagnostics, Severity, SourceMap, Span};
use thetis_c::hir::{DataModel, Program};
use thetis_c::lower::{LowerOptions, Lowered, Property, lower};
use thetis_c::{LineMarkers, SourceOptions, check};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder of the manifest should be given");
    let filter = arguments.next().unwrap_or_default();
    let manifest = std::fs::read_to_string(Path::new(&folder).join("manifest.csv")).unwrap();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut num_rows, mut num_translated, mut num_unlimited) = (0, 0, 0);
    for row in manifest.lines().skip(1) {
        let columns: Vec<&str> = row.split(',').collect();
        let [path, "c", _, _, property, ..] = columns[..] else { continue };
        let is_left_out = path.contains("pthread") && !path.contains("seq-pthread");
        if is_left_out
            || property.contains("race")
            || property.contains("termination")
            || !path.contains(&filter)
        {
            continue;
        }
        num_rows += 1;
        let start = Instant::now();
        match translate(&Path::new(&folder).join(path), property) {
            Ok(lowered) => {
                num_translated += 1;
                num_unlimited += usize::from(lowered.origin.limits.is_empty());
                describe(path, &lowered, start.elapsed().as_millis());
                for limit in &lowered.origin.limits {
                    *reasons.entry(format!("limit: {}", limit.reason)).or_default() += 1;
                }
                for assumption in &lowered.origin.assumptions {
                    *reasons.entry(format!("assumption: {}", assumption.text)).or_default() += 1;
                }
            }
            Err(message) => println!("{path}: REFUSED {message}"),
        }
    }
    for (reason, count) in reasons {
        println!("{count:6} {reason}");
    }
    println!("{num_rows} rows, {num_translated} translated, {num_unlimited} of them without limits");
}

fn describe(path: &str, lowered: &Lowered, milliseconds: u128) {
    let cfa = &lowered.task.model;
    println!(
        "{path}: {:?} {} locations {} edges {} variables {} errors {} limits {} assumptions {milliseconds} ms",
        lowered.arithmetic,
        cfa.locations.len(),
        cfa.edges.len(),
        cfa.vars.len(),
        cfa.errors.len(),
        lowered.origin.limits.len(),
        lowered.origin.assumptions.len(),
    );
}

fn translate(file: &Path, property: &str) -> Result<Lowered, String> {
    let data_model = if property.contains("ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources.add(file.display().to_string(), preprocessed(file, &text)?);
    let options = SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore };
    let translated = check(&sources, id, &options, &mut diagnostics).and_then(|program| {
        let options = LowerOptions { property: property_of(property, &program), ..LowerOptions::default() };
        lower(&program, &options, Span { file: id, start: 0, end: 0 }, &mut diagnostics)
    });
    translated.map_err(|_| {
        let mut errors = diagnostics.iter().filter(|message| message.severity == Severity::Error);
        errors.next().map(|error| error.message.clone()).unwrap_or_default()
    })
}

fn property_of(property: &str, program: &Program) -> Property {
    let has = |name: &str| program.functions.iter().any(|function| function.name == name);
    match property.split(' ').next() {
        Some("unreach-label") => Property::Label("ERROR".to_string()),
        Some("assertion") => Property::Assertion,
        Some("acsl-assert") => Property::AcslAssert,
        _ if has("reach_error") => Property::UnreachCall("reach_error".to_string()),
        _ => Property::UnreachCall("__VERIFIER_error".to_string()),
    }
}

fn preprocessed(file: &Path, text: &str) -> Result<String, String> {
    let has_directives = text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('#')
            && line[1..].trim_start().starts_with(|letter: char| letter.is_ascii_lowercase())
    });
    if !has_directives || file.extension().is_some_and(|extension| extension == "i") {
        return Ok(text.to_string());
    }
    let output = Command::new("cc").arg("-E").arg(file).output().unwrap();
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            Err(format!("cc: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default()))
        }
    }
}
