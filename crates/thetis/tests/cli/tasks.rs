//! Golden verdicts: every task definition under `tests/tasks`, with every engine that it names.
//!
//! A definition is BenchExec's task format 2.0 with one entry of ours: `engines` maps the name of an engine to the
//! verdict it must give (`true`, `false` or `unknown`). A wrong verdict fails, whatever is expected.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{root, thetis};

#[test]
fn every_task_has_its_verdict_with_every_engine() {
    let mut num_checked = 0;
    for path in definitions(&root().join("tests/tasks")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let task = Task::parse(&text).unwrap_or_else(|| panic!("{} should be a task", path.display()));
        let [model, property] = [&task.input_file, &task.property_file]
            .map(|name| path.with_file_name(name).display().to_string());
        for (engine, expected) in &task.engines {
            let mut arguments = vec!["check", &model, "--engine", engine, "--time", "10s"];
            arguments.extend(["--set", "bmc.max-bound=200", "--format", "json"]);
            // The other models contain their properties.
            if model.ends_with(".c") {
                arguments.extend(["--property", &property]);
            }
            let outcome = thetis(&arguments);
            let report: Value =
                serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}", outcome.err));
            let word = match report["verdict"].as_str() {
                Some("safe") => "true",
                Some("unsafe") => "false",
                _ => "unknown",
            };
            assert!(word == "unknown" || word == task.verdict, "{model} with {engine}: wrong verdict {word}");
            assert_eq!(word, expected, "{model} with {engine}: {report}");
            assert!(word == "unknown" || report["checked"] == true, "{model} with {engine}");
            num_checked += 1;
        }
    }
    assert!(num_checked >= 100, "{num_checked} runs");
}

struct Task {
    input_file: String,
    property_file: String,
    verdict: String,
    engines: Vec<(String, String)>,
}

impl Task {
    /// Reads the few lines that our definitions consist of.
    fn parse(text: &str) -> Option<Task> {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key))?;
            Some(line.trim().trim_matches('\'').to_string())
        };
        let engines = text.lines().skip_while(|line| !line.starts_with("engines:")).skip(1);
        let engines = engines.filter_map(|line| line.trim().split_once(": "));
        Some(Task {
            input_file: value("input_files:")?,
            property_file: value("- property_file:")?,
            verdict: value("expected_verdict:")?,
            engines: engines.map(|(name, verdict)| (name.to_string(), verdict.to_string())).collect(),
        })
    }
}

fn definitions(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
