//! Tasks of the repository, run as `cargo xtask TASK`.
//!
//! `tidy` checks what the compiler does not: layers, sizes, places and texts. `ci` runs everything that
//! has to pass before a change lands. `fuzz-engines` looks for wrong answers on random models, `fuzz-parsers` for
//! inputs that parsers do not survive.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people at a terminal")]

mod ci;
mod fuzz_engines;
mod fuzz_parsers;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

tasks:
  tidy   check crate layers, file and function sizes, documentation and forbidden texts
  ci     format check, clippy, tidy and the tests, with one summary line at the end
  fuzz-engines --minutes N [--seed S]
         all engines on random models of every formalism, with exhaustive search as the judge
  fuzz-parsers [--count N] [--seconds S] [--seed N] [--max-length N] [TARGET...]
         changed examples for the targets of fuzz/, all of them if none is named";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = repository_root();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(&root),
        ["ci"] => ci::run(&root),
        ["fuzz-engines", "--minutes", minutes] => fuzz_engines::run(&root, minutes, None),
        ["fuzz-engines", "--minutes", minutes, "--seed", seed] => {
            fuzz_engines::run(&root, minutes, Some(seed))
        }
        ["fuzz-parsers", ref rest @ ..] => fuzz_parsers::run(&root, rest),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn repository_root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().expect("the manifest of xtask should lie below the root").to_owned()
}
