//! From the end of a run to its outcome.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::execution::{End, Excess, Finished};
use crate::task::{BenchTask, Expected};

/// How a run compares with what is stated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOutcome {
    /// The stated answer.
    Correct,
    /// Another answer than the stated one.
    Wrong,
    /// An answer where none is stated.
    Answered,
    /// No answer, for a reason other than those below.
    Unknown,
    /// No answer in time.
    Timeout,
    /// No answer with the memory given.
    OutOfMemory,
    /// The program failed.
    Error,
    /// The input or the question is not supported.
    Unsupported,
}

impl RowOutcome {
    /// All outcomes, in the order of tables.
    pub const ALL: [RowOutcome; 8] = [
        RowOutcome::Correct,
        RowOutcome::Wrong,
        RowOutcome::Answered,
        RowOutcome::Unknown,
        RowOutcome::Timeout,
        RowOutcome::OutOfMemory,
        RowOutcome::Error,
        RowOutcome::Unsupported,
    ];

    /// The word in results and tables.
    pub fn word(self) -> &'static str {
        match self {
            RowOutcome::Correct => "correct",
            RowOutcome::Wrong => "wrong",
            RowOutcome::Answered => "answered",
            RowOutcome::Unknown => "unknown",
            RowOutcome::Timeout => "timeout",
            RowOutcome::OutOfMemory => "out-of-memory",
            RowOutcome::Error => "error",
            RowOutcome::Unsupported => "unsupported",
        }
    }

    /// Whether there is an answer and nothing contradicts it.
    pub fn is_solved(self) -> bool {
        matches!(self, RowOutcome::Correct | RowOutcome::Answered)
    }
}

/// What a run has answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The property holds.
    Safe,
    /// It is violated.
    Unsafe,
    /// The input was accepted; nothing else was asked.
    Accepted,
    /// The input was rejected.
    Rejected,
}

impl Answer {
    /// The word in results and tables.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Accepted => "accepted",
            Answer::Rejected => "rejected",
        }
    }
}

/// What the end of a run and its output say.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Observation {
    pub(crate) outcome: RowOutcome,
    pub(crate) answer: Option<Answer>,
    /// The report that the run has printed, if it has.
    pub(crate) report: Option<Value>,
    /// Why there is no answer, for people.
    pub(crate) message: Option<String>,
}

impl Observation {
    pub(crate) fn new(task: &BenchTask, finished: &Finished) -> Observation {
        match finished.end {
            End::Killed(Excess::Memory) => silent(RowOutcome::OutOfMemory, "killed: memory"),
            End::Killed(Excess::Wall | Excess::Cpu) => silent(RowOutcome::Timeout, "killed: time"),
            End::Signal(signal) => signalled(signal, &finished.errors),
            End::Exit(0) if task.question.is_parse() => answered(task, Answer::Accepted, None),
            End::Exit(0 | 5 | 10) => reported(task, &finished.output),
            End::Exit(2) => rejected(task, &finished.errors),
            End::Exit(_) => silent(RowOutcome::Error, last_line(&finished.errors)),
        }
    }
}

/// An observation without an answer.
fn silent(outcome: RowOutcome, message: &str) -> Observation {
    Observation { outcome, answer: None, report: None, message: Some(message.to_owned()) }
}

/// A signal that is not ours. The kernel sends `SIGXCPU` at its limit; a failed allocation of Rust ends in `SIGABRT`.
fn signalled(signal: i32, errors: &str) -> Observation {
    const SIGXCPU: i32 = 24;
    if signal == SIGXCPU {
        return silent(RowOutcome::Timeout, "killed: time");
    }
    if errors.contains("memory allocation of") || errors.contains("out of memory") {
        return silent(RowOutcome::OutOfMemory, last_line(errors));
    }
    silent(RowOutcome::Error, &format!("ended by signal {signal}: {}", last_line(errors)))
}

/// A run that has printed a report.
fn reported(task: &BenchTask, output: &str) -> Observation {
    let report: Value = match serde_json::from_str(output) {
        Ok(report) => report,
        Err(error) => return silent(RowOutcome::Error, &format!("no report on standard output: {error}")),
    };
    match report["verdict"].as_str() {
        Some("safe" | "interpolant") => answered(task, Answer::Safe, Some(report)),
        Some("unsafe" | "satisfiable") => answered(task, Answer::Unsafe, Some(report)),
        _ => {
            let outcome = match report["reason"]["code"].as_str() {
                Some("out-of-time") => RowOutcome::Timeout,
                Some("out-of-memory") => RowOutcome::OutOfMemory,
                Some("failed" | "certificate-rejected") => RowOutcome::Error,
                _ => RowOutcome::Unknown,
            };
            let message = report["reason"]["text"].as_str().map(str::to_owned);
            Observation { outcome, answer: None, report: Some(report), message }
        }
    }
}

fn answered(task: &BenchTask, answer: Answer, report: Option<Value>) -> Observation {
    let num_states = report.as_ref().and_then(|report| report["states"].as_u64());
    let outcome = match (task.expected, answer) {
        (Expected::Unstated, _) => RowOutcome::Answered,
        (Expected::Safe, Answer::Safe)
        | (Expected::Unsafe, Answer::Unsafe)
        | (Expected::Accepted, Answer::Accepted)
        | (Expected::Rejected, Answer::Rejected) => RowOutcome::Correct,
        (Expected::States(stated), Answer::Safe) => match num_states {
            Some(found) if u128::from(found) == stated => RowOutcome::Correct,
            Some(_) => RowOutcome::Wrong,
            None => RowOutcome::Answered,
        },
        _ => RowOutcome::Wrong,
    };
    let message = (outcome == RowOutcome::Wrong).then(|| format!("expected {}", task.expected));
    Observation { outcome, answer: Some(answer), report, message }
}

/// The input was rejected. That is an answer if the task was to read the input, and if the input is invalid rather than
/// unsupported.
fn rejected(task: &BenchTask, errors: &str) -> Observation {
    let message = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    let asks_for_refusal = task.question.is_parse() || task.expected == Expected::Rejected;
    if asks_for_refusal && !is_unsupported(errors) {
        let observation = answered(task, Answer::Rejected, None);
        return Observation { message: Some(message.to_owned()), ..observation };
    }
    let outcome = if is_unsupported(errors) { RowOutcome::Unsupported } else { RowOutcome::Error };
    silent(outcome, message)
}

/// Whether the messages of `thetis` say that something is not supported: the code of a diagnostic, an unknown kind of
/// model, a property that cannot be asked.
fn is_unsupported(errors: &str) -> bool {
    ["[unsupported]", "unknown kind of model", "not supported"].iter().any(|words| errors.contains(words))
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::task::Question;

    fn observe(expected: Expected, property: &str, end: End, output: &str, errors: &str) -> Observation {
        let task = BenchTask {
            name: "m.cfa".to_owned(),
            file: PathBuf::from("m.cfa"),
            further: Vec::new(),
            family: "cfa".to_owned(),
            set: "s".to_owned(),
            question: Question::from_words(property, "cfa"),
            expected,
        };
        let finished = Finished {
            end,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            output: output.to_owned(),
            errors: errors.to_owned(),
        };
        Observation::new(&task, &finished)
    }

    const SAFE: &str = r#"{"verdict": "safe", "states": 7}"#;
    const UNSAFE: &str = r#"{"verdict": "unsafe"}"#;

    #[test]
    fn answers_are_compared_with_what_is_stated() {
        let outcome = |expected, code, output| observe(expected, "G", End::Exit(code), output, "").outcome;
        assert_eq!(outcome(Expected::Safe, 0, SAFE), RowOutcome::Correct);
        assert_eq!(outcome(Expected::Unsafe, 10, UNSAFE), RowOutcome::Correct);
        assert_eq!(outcome(Expected::Safe, 10, UNSAFE), RowOutcome::Wrong);
        assert_eq!(outcome(Expected::Unsafe, 0, SAFE), RowOutcome::Wrong);
        assert_eq!(outcome(Expected::Unstated, 0, SAFE), RowOutcome::Answered);
        assert_eq!(outcome(Expected::States(7), 0, SAFE), RowOutcome::Correct);
        assert_eq!(outcome(Expected::States(8), 0, SAFE), RowOutcome::Wrong);
        assert_eq!(outcome(Expected::Rejected, 0, SAFE), RowOutcome::Wrong);
    }

    #[test]
    fn a_missing_answer_has_a_reason() {
        let unknown =
            |code: &str| format!(r#"{{"verdict": "unknown", "reason": {{"code": "{code}", "text": "t"}}}}"#);
        for (code, outcome) in [
            ("out-of-time", RowOutcome::Timeout),
            ("out-of-memory", RowOutcome::OutOfMemory),
            ("bound", RowOutcome::Unknown),
            ("certificate-rejected", RowOutcome::Error),
        ] {
            let observation = observe(Expected::Safe, "G", End::Exit(5), &unknown(code), "");
            assert_eq!((observation.outcome, observation.message.as_deref()), (outcome, Some("t")));
        }
        let end = |end, errors| observe(Expected::Safe, "G", end, "", errors).outcome;
        assert_eq!(end(End::Killed(Excess::Memory), ""), RowOutcome::OutOfMemory);
        assert_eq!(end(End::Killed(Excess::Cpu), ""), RowOutcome::Timeout);
        assert_eq!(end(End::Signal(24), ""), RowOutcome::Timeout);
        assert_eq!(end(End::Signal(6), "memory allocation of 8 bytes failed"), RowOutcome::OutOfMemory);
        assert_eq!(end(End::Signal(11), ""), RowOutcome::Error);
        assert_eq!(end(End::Exit(6), "thetis: internal error"), RowOutcome::Error);
        assert_eq!(end(End::Exit(0), "not a report"), RowOutcome::Error);
    }

    #[test]
    fn a_refusal_is_an_answer_only_where_reading_is_the_question() {
        let reject =
            |expected, property, errors| observe(expected, property, End::Exit(2), "", errors).outcome;
        assert_eq!(
            reject(Expected::Safe, "LTL F x", "thetis: property `LTL F x` is not supported"),
            RowOutcome::Unsupported
        );
        assert_eq!(
            reject(Expected::Safe, "G", "error: m.cfa:1:1: unexpected `x` [syntax]"),
            RowOutcome::Error
        );
        assert_eq!(
            reject(Expected::Rejected, "parse", "error: m.cfa:1:1: unexpected `x` [syntax]"),
            RowOutcome::Correct
        );
        assert_eq!(
            reject(Expected::Rejected, "parse", "thetis: m.x: unknown kind of model"),
            RowOutcome::Unsupported
        );
        assert_eq!(
            reject(Expected::Accepted, "parse", "error: m.cfa:1:1: unexpected `x` [syntax]"),
            RowOutcome::Wrong
        );
        assert_eq!(observe(Expected::Accepted, "parse", End::Exit(0), "", "").outcome, RowOutcome::Correct);
        assert_eq!(observe(Expected::Rejected, "parse", End::Exit(0), "", "").outcome, RowOutcome::Wrong);
    }
}
