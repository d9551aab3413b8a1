//! Made-up results for the tests of this crate.

use std::time::Duration;

use serde_json::Value;
use thetis_base::{Iteration, Statistics};
use thetis_engine::prediction::Record;

use crate::execution::End;
use crate::{Answer, Configuration, Header, Limits, Machine, ResultFile, Row, RowOutcome, Selection};

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
        repeat: 1,
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
        repetition: 1,
        family: "cfa".to_owned(),
        set: "small".to_owned(),
        expected: "safe".to_owned(),
        outcome: RowOutcome::Correct,
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

/// Four configurations on eight tasks, with timeouts, a wrong answer and a task that no configuration solves.
pub(crate) fn result_file() -> ResultFile {
    let domains = ["expl", "pred"];
    let searches = ["bfs", "dfs"];
    let mut header = header();
    header.configurations.clear();
    let mut rows = Vec::new();
    // Interleaved on purpose: an overview groups them.
    for search in searches {
        for domain in domains {
            let name = format!("{domain}_{search}");
            let settings = vec![format!("cegar.domain={domain}"), format!("cegar.search={search}")];
            header.configurations.push(Configuration {
                name: name.clone(),
                settings,
                ..Configuration::default_one()
            });
            for number in 0..8u32 {
                rows.push(result(&name, domain, number));
            }
        }
    }
    header.num_tasks = 8;
    ResultFile { path: "sample.jsonl".into(), header, rows }
}

/// Recorded runs of ten seconds, one for each kind of course.
pub(crate) fn recorded_file() -> ResultFile {
    let mut header = header();
    header.configurations = vec![Configuration { name: "plain".to_owned(), ..Configuration::default_one() }];
    let rows = vec![
        recorded("steady", &[20; 12]),
        recorded("growing", &[10, 30, 90, 270, 810, 2_430, 6_360]),
        recorded("exploding", &[20, 20, 20, 20, 20, 20, 20, 20, 9_840]),
        recorded(
            "too-late",
            &[
                20, 20, 20, 20, 20, 20, 26, 34, 44, 57, 74, 97, 125, 163, 212, 276, 358, 466, 500, 500, 500,
                500, 500, 500, 500, 4448,
            ],
        ),
        recorded("uneven", &[20, 20, 20, 20, 20, 20, 20, 20, 20, 400]),
    ];
    ResultFile { path: "recorded.jsonl".into(), header, rows }
}

/// A run whose iterations took this many milliseconds; it timed out if they took ten seconds together.
pub(crate) fn recorded(task: &str, milliseconds: &[u64]) -> Row {
    let iteration = |time: &u64| Iteration { time: Duration::from_millis(*time), ..Iteration::default() };
    let iterations: Vec<Iteration> = milliseconds.iter().map(iteration).collect();
    let whole: u64 = milliseconds.iter().sum();
    let outcome = if whole >= 10_000 { RowOutcome::Timeout } else { RowOutcome::Correct };
    let record = Record { started: Duration::ZERO, left: Duration::from_secs(10), iterations };
    let statistics = Statistics::new("cegar").part(record.to_statistics());
    let statistics = serde_json::to_value(statistics).expect("statistics should be written");
    Row { outcome, statistics, ..row("plain", task) }
}

fn result(configuration: &str, domain: &str, number: u32) -> Row {
    let plain = row(configuration, &format!("t{number}.cfa"));
    let set = if number < 4 { "small" } else { "large" }.to_owned();
    let is_unsafe = number % 2 == 1;
    let seconds = 0.01 * f64::from(number + 1).powi(if domain == "expl" { 4 } else { 3 });
    let row = Row {
        set,
        expected: if is_unsafe { "unsafe" } else { "safe" }.to_owned(),
        answer: Some(if is_unsafe { Answer::Unsafe } else { Answer::Safe }),
        cpu_seconds: seconds,
        wall_seconds: seconds * 1.1,
        ..plain
    };
    match (number, configuration) {
        (7, _) => Row {
            outcome: RowOutcome::Timeout,
            answer: None,
            checked: false,
            cpu_seconds: 60.0,
            wall_seconds: 60.2,
            ..row
        },
        (5, "expl_dfs") => Row { outcome: RowOutcome::Wrong, answer: Some(Answer::Safe), ..row },
        (6, "pred_dfs") => Row { outcome: RowOutcome::OutOfMemory, answer: None, checked: false, ..row },
        _ => row,
    }
}
