//! The solver as a process.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The lines that Z3 answers to `script`; none if it is not installed.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn run(script: &str) -> Option<Vec<String>> {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/bin/z3");
    if !z3.exists() {
        println!("skipped: {} is missing, run ./setup.sh", z3.display());
        return None;
    }
    let mut process = Command::new(&z3)
        .args(["-in", "-T:120", "rlimit=50000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver should start");
    let mut input = process.stdin.take().expect("the solver should have an input");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = process.wait_with_output().expect("the solver should end");
    writer.join().expect("writing should not panic").expect("the solver should read its input");
    let text = String::from_utf8(output.stdout).expect("answers should be text");
    Some(text.lines().map(str::to_owned).collect())
}
