//! `thetis bench`: campaigns that are killed and resumed, tables, comparisons.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::{folder, program, root, thetis};

/// The lines of a result file that are whole, without the header.
fn results(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How many task definitions there are.
fn num_tasks() -> usize {
    let files = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let folders = files(root().join("tests/tasks")).filter(|path| path.is_dir());
    let definitions = folders.flat_map(files);
    definitions.filter(|path| path.extension().is_some_and(|extension| extension == "yml")).count()
}

#[test]
fn a_campaign_asks_every_task() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    let outcome = thetis(&["bench", "run", "tests/tasks", "--time", "20s", "--jobs", "2", "-o", &path]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let all = num_tasks();
    assert!(outcome.err.ends_with(&format!("{all} correct\n")), "{}", outcome.err);
    let rows = results(&path);
    assert_eq!(rows.len(), all);
    for row in rows {
        assert!(row["checked"] == true && row["peak-memory-bytes"].as_u64() > Some(1 << 20), "{row}");
    }
}

/// Kills a campaign with `SIGKILL` at many moments, and resumes it each time.
#[test]
fn a_killed_campaign_loses_and_repeats_nothing() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    let arguments = ["bench", "run", "tests/tasks", "--time", "20s", "--jobs", "2", "-o", &path];
    let mut seen: Vec<Value> = Vec::new();
    let mut random = fastrand::Rng::with_seed(7);
    let mut num_kills = 0;
    loop {
        let mut child =
            program().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Later starts get more time, so that a slow machine comes to an end as well.
        std::thread::sleep(Duration::from_millis(random.u64(20..200 + 10 * num_kills * num_kills)));
        let has_ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        let rows = results(&path);
        assert!(rows.starts_with(&seen), "results that were there should stay as they were");
        seen = rows;
        if has_ended {
            break;
        }
        num_kills += 1;
        assert!(num_kills < 200, "every start should make progress sooner or later");
    }
    assert!(num_kills >= 1, "the campaign should have been killed at least once");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in &seen {
        *counts.entry(row["task"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(counts.len(), num_tasks());
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
}

#[test]
fn another_campaign_does_not_write_into_the_file() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    let run = |time: &str| {
        thetis(&["bench", "run", "tests/tasks", "--name", "straight", "--time", time, "-o", &path])
    };
    assert_eq!(run("20s").code, 0);
    let outcome = run("10s");
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("the limits changed"), "{}", outcome.err);
    assert_eq!(run("20s").code, 0);
    assert_eq!(results(&path).len(), 2);
}

#[test]
fn wrong_task_lists_and_filters_are_refused() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    for (tasks, filter, words) in [
        ("examples", "", "there are no tasks"),
        ("nowhere.csv", "", "nowhere.csv: "),
        ("README.md", "", "expected a .csv or .yml file or a folder"),
        ("tests/tasks", "no-such-task", "no task passes the filters"),
    ] {
        let outcome = thetis(&["bench", "run", tasks, "--name", filter, "-o", &path]);
        assert_eq!(outcome.code, 2, "{tasks}");
        assert!(outcome.err.contains(words), "{}", outcome.err);
    }
    assert!(!std::path::Path::new(&path).exists(), "a refused campaign should leave no file");
}

/// Two runs of the same build, of which the second can be tampered with.
fn two_runs(folder: &tempfile::TempDir) -> [String; 2] {
    ["old.jsonl", "new.jsonl"].map(|name| {
        let path = folder.path().join(name).display().to_string();
        let outcome =
            thetis(&["bench", "run", "tests/tasks", "--name", "straight", "--time", "20s", "-o", &path]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        path
    })
}

#[test]
fn two_runs_of_one_build_show_no_regression() {
    let folder = folder();
    let [old, new] = two_runs(&folder);
    let outcome = thetis(&["bench", "compare", &old, &new]);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(outcome.out.starts_with("2 runs in both: 0 wrong, 0 lost, 0 slower"), "{}", outcome.out);
}

#[test]
fn a_planted_wrong_verdict_is_caught() {
    let folder = folder();
    let [old, _] = two_runs(&folder);
    // The same tasks with a task definition that states the opposite.
    let model = "main process p { init loc a error loc bad a -> bad { } }";
    std::fs::write(folder.path().join("m.cfa"), model).unwrap();
    std::fs::write(folder.path().join("e.prp"), "error-location\n").unwrap();
    let definition = "format_version: '2.0'\ninput_files: 'm.cfa'\nproperties:\n  - property_file: e.prp\n    expected_verdict: true\n";
    std::fs::write(folder.path().join("m.yml"), definition).unwrap();
    let tasks = folder.path().join("m.yml").display().to_string();
    let planted = folder.path().join("planted.jsonl").display().to_string();
    let outcome = thetis(&["bench", "run", &tasks, "--time", "20s", "-o", &planted]);
    assert!(outcome.err.ends_with("1 wrong\n"), "{}", outcome.err);
    let outcome = thetis(&["bench", "compare", &planted, &planted]);
    assert_eq!(outcome.code, 10, "{}", outcome.out);
    assert!(outcome.out.starts_with("wrong: default on m.cfa"), "{}", outcome.out);
    let outcome = thetis(&["bench", "compare", &old, &planted]);
    assert_eq!(outcome.code, 2, "files without a common run cannot be compared");
}

#[test]
fn tables_are_printed_and_written() {
    let folder = folder();
    let files = two_runs(&folder);
    let outcome = thetis(&["bench", "table", &files[0], &files[1]]);
    assert!(outcome.out.contains("| `default @ old` | 2 | 2 |"), "{}", outcome.out);
    let outcome = thetis(&["bench", "table", &files[0], "--format", "runs-csv"]);
    assert_eq!(outcome.out.lines().count(), 3, "{}", outcome.out);
    let target = folder.path().join("report");
    let outcome = thetis(&["bench", "table", &files[0], &files[1], "-o", &target.display().to_string()]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    for name in ["index.html", "results.md", "summary.csv", "heat-map.svg", "quantile.png"] {
        assert!(target.join(name).metadata().unwrap().len() > 100, "{name}");
    }
}

#[test]
fn recorded_iterations_become_predictions() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    let outcome = thetis(&[
        "bench",
        "run",
        "tests/tasks",
        "--name",
        "straight",
        "--time",
        "20s",
        "-o",
        &path,
        "--config",
        "configs/prediction/pred-cart.toml",
        "--config",
        "configs/portfolios/4-pred-cart-facts-kind.toml",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let outcome = thetis(&["bench", "predictions", &path]);
    let heading = "Runs of `pred-cart`: 0 timed out, 2 were decided in time.";
    assert!(
        outcome.out.contains(heading) && outcome.out.contains("| always | 0 | 2 | 0 | 0 |"),
        "{}",
        outcome.out
    );
    assert!(outcome.out.contains("| `trend` | 0 | 0 | 0 | 2 |"), "{}", outcome.out);
    let outcome = thetis(&["bench", "transfer", &path]);
    assert!(outcome.out.contains("| `4-pred-cart-facts-kind` | 2 | 2 |"), "{}", outcome.out);
}

#[test]
fn repetitions_are_measured_and_averaged() {
    let folder = folder();
    let path = folder.path().join("r.jsonl").display().to_string();
    let run = |repeat: &str| {
        thetis(&[
            "bench",
            "run",
            "tests/tasks",
            "--name",
            ".net",
            "--time",
            "20s",
            "--repeat",
            repeat,
            "-o",
            &path,
        ])
    };
    let outcome = run("3");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let rows = results(&path);
    let times = |repetition: u64| rows.iter().filter(|row| row["repetition"] == repetition).count();
    assert!(times(1) > 0 && times(1) == times(2) && times(2) == times(3), "{} rows", rows.len());
    let table = thetis(&["bench", "table", &path, "--format", "runs-csv"]);
    assert_eq!(table.out.lines().count(), times(1) + 1, "one line for all repetitions: {}", table.out);
    assert!(run("2").err.contains("the number of repetitions changed"));
}

#[test]
fn families_of_nets_are_printed_and_their_solution_spaces_drawn() {
    let folder = folder();
    let chain = thetis(&["bench", "model", "chain", "1+2*"]);
    assert!(chain.code == 0 && chain.out.contains("\ntarget EF "), "{}{}", chain.out, chain.err);
    let net = crate::write(&folder, "chain.net", chain.out);
    let drawing = folder.path().join("space.dot").display().to_string();
    let checked = thetis(&["check", &net, "--engine", "state-equation", "--solution-space", &drawing]);
    assert_eq!(checked.out, "reachable\n", "{}", checked.err);
    assert!(checked.err.contains("A sequence of 7 firings"), "the published cost: {}", checked.err);
    let dot = std::fs::read_to_string(&drawing).unwrap();
    assert!(dot.starts_with("digraph \"solution space\"") && dot.contains("sv0"), "{dot}");
    let explored = thetis(&["check", &net, "--engine", "explicit", "--solution-space", &drawing]);
    assert!(explored.err.contains("no solution space was drawn"), "{}", explored.err);
    let wrong = thetis(&["bench", "model", "chain", "7"]);
    assert!(wrong.code == 1 && wrong.err.contains("expected `N+K`"), "{}", wrong.err);
}
