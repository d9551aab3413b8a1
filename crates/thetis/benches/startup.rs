//! How long the program takes from its start to its end: for its version, and for a trivial check with certification.

use std::path::Path;
use std::process::Command;

fn main() {
    divan::main();
}

fn run(args: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_thetis")).args(args).current_dir(root).output();
    assert!(output.expect("the program should start").status.success());
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn version() {
    run(&["--version"]);
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn trivial_check() {
    run(&["check", "examples/absolute.cfa"]);
}
