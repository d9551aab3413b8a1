//! Small programs at the edges of the language and of the library, each with the verdict that a compiler confirms.
//!
//! A certificate is about the automaton; it does not show that the automaton agrees with the C program. These programs
//! check that. Each table `*.c` in this folder holds many of them, separated by lines
//!
//! ```text
//! //== NAME: VERDICT [PROPERTY] [ILP32] [crlf] [reasoned]
//! ```
//!
//! VERDICT is `safe`, `unsafe` or `both`; a `?` after it means that `unknown` is acceptable too. PROPERTY is
//! `unreach-call` unless it is named. A program that is `both` ends with `finally(CONDITION)` and is checked twice, the
//! second time with the condition negated. The oracle is gcc, with its sanitizers for rules about memory and overflow,
//! except for programs that are `reasoned`: they depend on their environment or on a choice that a compiler makes, and
//! a comment says why where it is not obvious.
//!
//! `contrib/edges.py` runs the same tables and lists what is wrong. `known-wrong.txt` names the programs with wrong
//! verdicts today, `known-unconfirmed.txt` those whose violation is not reached by the compiled program; the lists can
//! only become shorter.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod judge;
mod table;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use table::{Program, Verdict, folder, programs};

/// Calls `f` for each program, on all processors, and returns the messages in order of the programs' names.
fn for_all(programs: &[Program], f: impl Fn(&Program) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let messages = Mutex::new(Vec::new());
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(message) = f(program) {
                messages.lock().unwrap().push(format!("{}: {message}", program.name));
            }
        }
    };
    let num_workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..num_workers).for_each(|_| drop(scope.spawn(work))));
    let mut messages = messages.into_inner().unwrap();
    messages.sort();
    messages
}

/// What `thetis check` says about a program.
struct Answer {
    /// None if the program is rejected.
    verdict: Option<Verdict>,
    /// The verdict line.
    line: String,
    /// The result of executing a violation.
    confirmation: Option<String>,
}

fn answer(program: &Program) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_thetis"));
    command.arg("check").arg(program.write(folder.path())).args(["--property", &program.property]);
    command.args(["--data-model", program.data_model, "--cpu-time", "20s", "--time", "5m", "--confirm"]);
    let output = command.output().unwrap();
    let verdict = match output.status.code() {
        Some(0) => Some(Verdict::Safe),
        Some(10) => Some(Verdict::Unsafe),
        Some(5) => Some(Verdict::Unknown),
        Some(2) => None,
        code => panic!("{}: {code:?} {}", program.name, String::from_utf8_lossy(&output.stderr)),
    };
    let messages = String::from_utf8_lossy(&output.stderr);
    let confirmation = messages.lines().find_map(|line| line.strip_prefix("The violation is "));
    Answer {
        verdict,
        line: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        confirmation: confirmation.map(str::to_owned),
    }
}

/// What is wrong with the confirmation of a violation that every execution of the program has.
fn unconfirmed(program: &Program, answer: &Answer, known: &BTreeSet<String>) -> Option<String> {
    if answer.verdict != Some(Verdict::Unsafe) || program.is_reasoned || !judge::can_build(program) {
        return None;
    }
    let words = answer.confirmation.as_deref().unwrap_or("nothing is said about its execution");
    let is_fine = words == "confirmed by execution." || words.contains("there is no harness");
    match (is_fine, known.contains(&program.name)) {
        (true, true) => Some("confirmed by execution: take it off known-unconfirmed.txt".to_owned()),
        (false, false) => Some(words.to_owned()),
        _ => None,
    }
}

/// The names in a file with one on each line; lines that start with `#` are remarks.
fn names_in(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn no_answer_is_wrong() {
    let programs = programs();
    assert!(programs.len() >= 250, "the tables should be read: {}", programs.len());
    let known = names_in(&folder().join("known-wrong.txt"));
    let known_unconfirmed = names_in(&folder().join("known-unconfirmed.txt"));
    let has_compiler = judge::has_compiler();
    let failures = for_all(&programs, |program| {
        if program.needs_preprocessor() && !has_compiler {
            return None;
        }
        let answer = answer(program);
        let Answer { verdict, line, .. } = &answer;
        let verdict = *verdict;
        let is_wrong = verdict.is_some_and(|verdict| verdict.contradicts(program.expected));
        let is_right = verdict == Some(program.expected);
        match () {
            () if is_wrong && known.contains(&program.name) => None,
            () if is_wrong => Some(format!("`{line}` is wrong")),
            () if known.contains(&program.name) => {
                Some("no longer wrong: take it off known-wrong.txt".to_owned())
            }
            () if !is_right && !program.may_be_unknown => Some(format!("`{line}` should be decided")),
            () => unconfirmed(program, &answer, &known_unconfirmed),
        }
    });
    assert!(failures.is_empty(), "{} programs:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn known_wrong_answers_are_about_programs_that_exist() {
    let names: BTreeSet<String> = programs().into_iter().map(|program| program.name).collect();
    let known = names_in(&folder().join("known-wrong.txt"));
    assert!(known.is_subset(&names), "{:?}", known.difference(&names));
}

#[test]
fn a_compiler_agrees_with_the_tables() {
    if !judge::has_compiler() {
        println!("skipped: there is no gcc");
        return;
    }
    let judged: Vec<Program> = programs().into_iter().filter(|program| !program.is_reasoned).collect();
    let failures = for_all(&judged, |program| match judge::judge(program) {
        Ok(verdict) if verdict == program.expected => None,
        Ok(verdict) => Some(format!("the compiled program is {verdict:?}")),
        Err(judge::Silent::Skipped) => None,
        Err(judge::Silent::Because(reason)) => Some(reason),
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
