//! Made-up results for the tests of this crate.

use serde_json::Value;

use crate::execution::End;
use crate::{Answer, Configuration, Header, Limits, Machine, Outcome, Row, Selection};

/// The header of a small campaign.
pub(crate) fn header() -> Header {
    Header {
        format: Header::FORMAT.to_owned(),
        version: Header::VERSION,
        thetis: "0.1.0".to_owned(),
        program_sha256: "00".to_owned(),
        started: "2026-11-15T12:00:00Z".to_owned(),
        configurations: vec![Configuration::default_one()],
        machine: Machine {
            processor: "abacus".to_owned(),
            num_cores: 2,
            memory_bytes: 1 << 34,
            system: "Linux".to_owned(),
        },
        limits: Limits { wall_seconds: Some(60.0), cpu_seconds: None, memory_bytes: Some(4 << 30) },
        jobs: 2,
        tasks: "tasks".to_owned(),
        selection: Selection::default(),
        num_tasks: 3,
    }
}

/// A correct result.
pub(crate) fn row(configuration: &str, task: &str) -> Row {
    Row {
        configuration: configuration.to_owned(),
        task: task.to_owned(),
        property: "G".to_owned(),
        family: "cfa".to_owned(),
        set: "small".to_owned(),
        expected: "safe".to_owned(),
        outcome: Outcome::Correct,
        answer: Some(Answer::Safe),
        checked: true,
        message: None,
        wall_seconds: 1.5,
        cpu_seconds: 1.25,
        check_seconds: Some(0.01),
        peak_memory_bytes: 50 << 20,
        end: End::Exit(0),
        statistics: Value::Null,
    }
}
