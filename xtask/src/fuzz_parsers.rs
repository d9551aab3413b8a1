//! `cargo xtask fuzz-parsers`: changed examples for every parser.

use std::path::Path;
use std::process::Command;

/// Runs the program of `fuzz/`, optimised, with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .current_dir(root.join("fuzz"))
        .args(["run", "--release", "--quiet", "--bin", "mutate", "--"])
        .args(options)
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("a parser has a finding, or the options are wrong".to_owned()) }
}
