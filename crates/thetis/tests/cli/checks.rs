//! Several checks at once: limits, signals, and what is left out.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{folder, program, thetis, write};

/// The division fails at once; the assertion is not decided in a short time.
const HARD: &str = "extern void assert(int); extern unsigned input(void);
int main(void) {
    unsigned a = input(), b = input(), n = 0;
    if (a == 17) return 1 / (a - 17);
    while (a != b) { a = a * 1103515245 + 12345 + b * b; n++; }
    assert(n != 77777777);
    return 0;
}
";

const BOTH: [&str; 4] = ["--property", "no-division-by-zero", "--property", "assertion"];

#[test]
fn answers_are_kept_when_the_cpu_time_is_over() {
    let folder = folder();
    let file = write(&folder, "p.c", HARD);
    let limits = ["--time", "none", "--cpu-time", "6s"];
    let outcome = thetis(&[&["check", &file, "--format", "json"], &BOTH[..], &limits].concat());
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    let verdicts: Vec<&str> =
        (0..2).map(|number| report["checks"][number]["report"]["verdict"].as_str().unwrap()).collect();
    assert_eq!((report["verdict"].as_str(), verdicts), (Some("unsafe"), vec!["unsafe", "unknown"]));
}

/// A log has the checks that ran out of time as well, and those that are asked again.
#[test]
fn logs_have_all_checks() {
    let folder = folder();
    let file = write(&folder, "p.c", HARD);
    let limits = ["--time", "none", "--cpu-time", "6s", "--format", "sarif", "--sarif-unknowns"];
    let outcome = thetis(&[&["check", &file], &BOTH[..], &limits].concat());
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    let log: Value = serde_json::from_str(&outcome.out).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let kinds: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["ruleId"].as_str().unwrap(), result["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(kinds, [("no-division-by-zero", "fail"), ("assertion", "open")]);
    assert!(outcome.err.contains("`1 / (a - 17)` divides by zero"), "{}", outcome.err);
}

#[test]
fn answers_are_kept_when_somebody_interrupts() {
    let folder = folder();
    let file = write(&folder, "p.c", HARD);
    let page = folder.path().join("page.html");
    let mut child = program()
        .args(["check", &file, "--time", "100s", "--report"])
        .arg(&page)
        .args(BOTH)
        .args(["--property", "valid-shift"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut first, mut rest) = (String::new(), String::new());
    out.read_line(&mut first).unwrap();
    assert!(first.starts_with("no-division-by-zero: fails at "), "{first}");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    out.read_to_string(&mut rest).unwrap();
    let lines = "assertion: unknown (cancelled)\nvalid-shift: not checked (cancelled)\n";
    let verdict = "unsafe: 1 of 3 checks fails, 1 is unknown, 1 is not checked\n";
    assert_eq!(rest, format!("{lines}{verdict}"));
    assert_eq!(child.wait().unwrap().code(), Some(10));
    // On a busy machine the run may have to be ended before it can write its page.
    if let Ok(page) = std::fs::read_to_string(page) {
        assert!(page.contains("not checked (1)"), "the page has all checks");
    }
}

#[test]
fn the_first_failure_can_be_the_last_check() {
    let folder = folder();
    let file = write(&folder, "p.c", "int main(void) { int *p = 0; *p = 1; return 1 / 0; }");
    let outcome = thetis(&["check", &file, "--property", "all", "--stop-at-first"]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert!(lines[2].starts_with("no-division-by-zero: fails at "), "{}", outcome.out);
    assert_eq!(lines[3], "valid-shift: not checked (an earlier check fails)");
    assert_eq!(lines[6], "unsafe: 1 of 6 checks fails, 3 are not checked, 2 hold");
    let report = thetis(&["check", &file, "--property", "all", "--stop-at-first", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["checks"].as_array().map(Vec::len), Some(6));
}
