//! What has to pass before a change lands, in the order in which it fails fastest.
//!
//! The output of every step is passed through. The test results are added up over all test binaries into
//! one last line, `N passed, N failed, N skipped`, so that nobody has to read a hundred summaries.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::tidy;

/// Runs all steps and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    step("cargo fmt --check", || execute(root, &["cargo", "fmt", "--all", "--check"]))?;
    let clippy = ["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    step("cargo clippy", || execute(root, &clippy))?;
    step("tidy", || tidy::run(root))?;
    let mut totals = Totals::default();
    let outcome = step("make test", || test(root, &mut totals));
    println!("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
    outcome
}

fn step(name: &str, action: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("==> {name}");
    let start = Instant::now();
    let outcome = action();
    println!("<== {name}: {:.1} s", start.elapsed().as_secs_f64());
    outcome
}

fn execute(root: &Path, words: &[&str]) -> Result<(), String> {
    let status = command(root, words).status().map_err(|error| cannot_start(words, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed", words.join(" "))) }
}

/// Runs the test command of the README and counts while it talks.
fn test(root: &Path, totals: &mut Totals) -> Result<(), String> {
    let words = ["make", "--no-print-directory", "test", "TEST_FLAGS=--no-fail-fast"];
    let mut child =
        command(root, &words).stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(&words, &error))?;
    let output = child.stdout.take().expect("the output of the child should be piped");
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("cannot read the output of the tests: {error}"))?;
        println!("{line}");
        totals.add(&line);
    }
    let status = child.wait().map_err(|error| format!("cannot wait for the tests: {error}"))?;
    match (status.success(), totals.passed) {
        (false, _) => Err("`make test` failed".to_owned()),
        (true, 0) => Err("`make test` ran no test".to_owned()),
        (true, _) => Ok(()),
    }
}

fn command(root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(root);
    command
}

fn cannot_start(words: &[&str], error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", words.join(" "))
}

/// Test results, summed over all test binaries.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Totals {
    /// Adds a line like `test result: ok. 3 passed; 0 failed; 1 ignored; ...`; any other line counts nothing.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split(';') {
            match count.trim().split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                Some((number, "ignored")) => self.skipped += number.parse().unwrap_or(0),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Totals;

    #[test]
    fn results_of_several_binaries_are_added() {
        let mut totals = Totals::default();
        for line in [
            "running 4 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test passed; 9 passed",
            "test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1.00s",
        ] {
            totals.add(line);
        }
        assert_eq!(totals, Totals { passed: 15, failed: 2, skipped: 1 });
    }
}
