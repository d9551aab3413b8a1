//! Checks every `.c` and `.i` file below the given folders and prints the rejected ones, each with its first error.
//!
//! ```text
//! cargo run --release -p thetis-c --example survey -- [--ilp32] [--mutate N] FOLDER…
//! ```
//!
//! `.c` files with directives go through `cc -E`. With `--mutate N` each file is also checked in `N` damaged versions,
//! which may be rejected but must not make the checker panic.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for developers that talks to its terminal"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use thetis_base::{Diagnostics, Severity, SourceMap};
use thetis_c::hir::DataModel;
use thetis_c::{LineMarkers, SourceOptions};

fn main() {
    let mut data_model = DataModel::Lp64;
    let mut num_mutations = 0_usize;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--ilp32" => data_model = DataModel::Ilp32,
            "--mutate" => num_mutations = arguments.next().unwrap().parse().unwrap(),
            folder => collect(Path::new(folder), &mut files),
        }
    }
    files.sort();
    let mut num_rejected = 0;
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        if let Err(message) = survey(file, &text, data_model) {
            num_rejected += 1;
            println!("{}: {message}", file.display());
        }
        for seed in 0..num_mutations {
            let options = SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore };
            let _ = check(&mutated(&text, seed as u64), "mutated.c", &options);
        }
    }
    println!("{} files, {num_rejected} rejected", files.len());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
        files.push(path.to_owned());
    }
}

fn survey(file: &Path, text: &str, data_model: DataModel) -> Result<(), String> {
    let name = file.display().to_string();
    let has_directives = text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('#')
            && line[1..].trim_start().starts_with(|letter: char| letter.is_ascii_lowercase())
    });
    if !has_directives || file.extension().is_some_and(|extension| extension == "i") {
        return check(
            text,
            &name,
            &SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore },
        );
    }
    let output = Command::new("cc").arg("-E").arg(file).output().unwrap();
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("cc: {}", message.lines().next().unwrap_or_default()));
    }
    let preprocessed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut sources = SourceMap::new();
    let original = sources.add(&name, text);
    let line_markers = LineMarkers::Follow(BTreeMap::from([(name, original)]));
    check_in(
        &mut sources,
        &preprocessed,
        "preprocessed",
        &SourceOptions { machine: data_model.into(), line_markers },
    )
}

fn check(text: &str, name: &str, options: &SourceOptions) -> Result<(), String> {
    check_in(&mut SourceMap::new(), text, name, options)
}

fn check_in(sources: &mut SourceMap, text: &str, name: &str, options: &SourceOptions) -> Result<(), String> {
    let file = sources.add(name, text);
    let mut diagnostics = Diagnostics::new();
    let program = thetis_c::check(sources, file, options, &mut diagnostics);
    for diagnostic in diagnostics.iter() {
        let _ = sources.text(diagnostic.span);
    }
    if program.is_ok() {
        return Ok(());
    }
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error).unwrap();
    let place = sources.start(error.span);
    let name = sources.file(error.span.file).name();
    Err(format!("{}:{}:{} {} [{}]", name, place.line, place.column, error.message, error.code))
}

/// The text cut off, with a piece repeated, or with a byte changed.
fn mutated(text: &str, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ text.len() as u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % bound.max(1)
    };
    let mut bytes = text.as_bytes().to_vec();
    if bytes.is_empty() {
        return String::new();
    }
    match seed % 4 {
        0 => bytes.truncate(random(bytes.len())),
        1 => {
            let (from, to) = (random(bytes.len()), random(bytes.len()));
            let piece = bytes[from.min(to)..from.max(to).min(from.min(to) + 200)].to_vec();
            let at = random(bytes.len());
            bytes.splice(at..at, piece);
        }
        2 => {
            let at = random(bytes.len());
            bytes[at] = b"(){}[];*&,\"'#\\x0="[random(17)];
        }
        _ => {
            let from = random(bytes.len());
            let to = (from + random(30)).min(bytes.len());
            bytes.drain(from..to);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
