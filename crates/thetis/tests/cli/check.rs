//! `check` and `certify`.

use std::time::Duration;

use crate::{ENDLESS, SAFE, UNSAFE, folder, program, thetis, write};

#[test]
fn verdicts_and_exit_codes() {
    let folder = folder();
    for (text, line, code) in [(SAFE, "safe\n", 0), (UNSAFE, "unsafe\n", 10)] {
        let file = write(&folder, "m.cfa", text);
        let outcome = thetis(&["check", &file]);
        assert_eq!((outcome.out.as_str(), outcome.code), (line, code), "{}", outcome.err);
    }
}

#[test]
fn a_violation_is_shown_on_the_source() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let err = thetis(&["check", &file]).err;
    for part in ["2 steps", &format!("{file}:6: a -> b"), "x = 1", "replayed"] {
        assert!(err.contains(part), "{part} in {err}");
    }
}

#[test]
fn a_bound_ends_the_search_without_an_answer() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    let outcome = thetis(&["check", &file, "--engine", "bmc", "--set", "bmc.max-bound=3"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (no violation up to bound 3)\n", 5));
}

#[test]
fn time_and_memory_end_the_search() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    let outcome = thetis(&["check", &file, "--engine", "bmc", "--time", "300ms"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (out of time)\n", 5));
    let outcome = thetis(&["check", &file, "--engine", "bmc", "--memory", "1M", "--time", "20s"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (out of memory)\n", 5));
}

#[test]
fn an_interrupt_ends_the_search_with_a_verdict_line() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    let mut child = program()
        .args(["check", &file, "--engine", "bmc", "--time", "60s"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    let status = child.wait().unwrap();
    let out = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert_eq!((out.as_str(), status.code()), ("unknown (cancelled)\n", Some(5)));
}

#[test]
fn json_has_the_documented_fields() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let outcome = thetis(&["check", &file, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(outcome.code, 10);
    assert_eq!(report["format"], "thetis-report");
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["checked"], true);
    assert_eq!(report["engine"], "auto");
    assert_eq!(report["answer"], "unsafe");
    assert_eq!(report["certificate"]["verdict"]["unsafe"]["steps"].as_array().unwrap().len(), 2);
    assert!(report["statistics"]["entries"].is_array());
}

#[test]
fn certificates_are_kept_and_checked_again() {
    let folder = folder();
    for (text, line, code) in [(SAFE, "safe\n", 0), (UNSAFE, "unsafe\n", 10)] {
        let file = write(&folder, "m.cfa", text);
        let certificate = folder.path().join("c.json").display().to_string();
        assert_eq!(thetis(&["check", &file, "--certificate", &certificate]).code, code);
        let outcome = thetis(&["certify", &file, &certificate]);
        assert_eq!((outcome.out.as_str(), outcome.code), (line, code), "{}", outcome.err);
    }
}

/// Two processes and one key; `lost` is a siphon, and `key` and `busy` hold one token between them.
const MUTEX: &str = "place key = 1\nplace idle = 2, busy, lost\ntransition enter in idle, key out busy\n\
                     transition leave in busy out idle, key\ntransition lose in lost out lost\n";

#[test]
fn certificates_of_nets_are_kept_and_checked_again() {
    let folder = folder();
    let file = write(&folder, "m.net", MUTEX);
    let certificate = folder.path().join("c.json").display().to_string();
    let table = [
        ("state-equation", "EF busy >= 2", "unreachable\n", 0),
        ("state-equation", "EF lost >= 1", "unreachable\n", 0),
        ("state-equation", "EF busy >= 1", "reachable\n", 10),
        ("explicit", "EF busy >= 2", "unreachable\n", 0),
        ("explicit", "deadlock", "unreachable\n", 0),
        ("explicit", "state-space", "states:2\n", 0),
        ("ic3", "EF busy >= 2", "unreachable\n", 0),
        ("ic3", "EF busy >= 1", "reachable\n", 10),
        ("kind", "deadlock", "unreachable\n", 0),
        ("bmc", "EF busy >= 1 and idle <= 1", "reachable\n", 10),
        ("cegar", "AG key + busy = 1", "holds\n", 0),
    ];
    for (engine, property, line, code) in table {
        let question = [&file, "--property", property];
        let check = ["check", question[0], "--property", property, "--engine", engine];
        let outcome = thetis(&[&check[..], &["--certificate", &certificate]].concat());
        assert_eq!(outcome.code, code, "{engine} {property}: {}{}", outcome.out, outcome.err);
        let outcome = thetis(&[&["certify"], &question[..], &[&certificate]].concat());
        assert_eq!(outcome.code, code, "{engine} {property}: {}{}", outcome.out, outcome.err);
        if engine == "state-equation" {
            assert_eq!(outcome.out, line);
        }
        let outcome = thetis(&["certify", &file, &certificate, "--property", "EF key >= 5"]);
        assert_eq!(outcome.code, 2, "another property is refused: {}", outcome.out);
    }
}

#[test]
fn wrong_certificates_of_nets_are_not_accepted() {
    let folder = folder();
    let file = write(&folder, "m.net", MUTEX);
    let path = folder.path().join("c.json").display().to_string();
    let ask = |engine: &str, property: &str| {
        thetis(&["check", &file, "--property", property, "--engine", engine, "--certificate", &path]);
        std::fs::read_to_string(&path).unwrap()
    };
    let table = [
        ("state-equation", "EF busy >= 1", "\"enter\"", "\"leave\"", 5),
        ("state-equation", "EF busy >= 1", "\"enter\"", "\"nobody\"", 2),
        ("state-equation", "EF busy >= 2", "\"1\"", "\"9\"", 5),
        ("state-equation", "EF busy >= 2", "\"1\"", "\"one\"", 2),
        ("state-equation", "EF busy >= 2", "\"key\"", "\"idle\"", 5),
        ("state-equation", "EF busy >= 2", "\"key\"", "\"nowhere\"", 2),
        ("ic3", "EF busy >= 2", "\"bound\": 1", "\"bound\": 2", 5),
        ("ic3", "EF busy >= 2", "\"busy\": 1", "\"busy\": 2", 5),
        ("ic3", "EF busy >= 2", "\"=\"", "\">=\"", 5),
        ("ic3", "EF busy >= 2", "\"busy\": 1", "\"nowhere\": 1", 2),
        ("ic3", "EF busy >= 2", "\"=\"", "\"about\"", 2),
        ("kind", "EF busy >= 2", "\"bound\": 1", "\"bound\": 3", 5),
    ];
    for (engine, property, from, to, code) in table {
        let right = ask(engine, property);
        assert!(right.contains(from), "{from} in {right}");
        let wrong = write(&folder, "wrong.json", right.replacen(from, to, 1));
        let outcome = thetis(&["certify", &file, "--property", property, &wrong]);
        assert_eq!(
            outcome.code, code,
            "{engine}, {property}, {from} to {to}: {}{}",
            outcome.out, outcome.err
        );
    }
}

const PORTFOLIO: &str = "engine = 'portfolio'\n[[stage]]\nengine = 'bmc'\nshare = 30\nset.bmc.max-bound = 2\n\
                         [[stage]]\nengine = 'cegar'\n[[stage]]\nengine = 'bmc'\nbeside = true\n";

#[test]
fn portfolios_answer_from_worker_processes() {
    let folder = folder();
    let config = write(&folder, "p.toml", PORTFOLIO);
    for (text, line, code) in [(SAFE, "safe\n", 0), (UNSAFE, "unsafe\n", 10)] {
        let file = write(&folder, "m.cfa", text);
        let outcome = thetis(&["check", &file, "--config", &config]);
        assert_eq!((outcome.out.as_str(), outcome.code), (line, code), "{}", outcome.err);
    }
}

#[test]
fn wrong_certificates_are_not_accepted() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let path = folder.path().join("c.json").display().to_string();
    thetis(&["check", &file, "--certificate", &path]);
    let right = std::fs::read_to_string(&path).unwrap();
    let table = [
        ("\"edge\": 1", "\"edge\": 0", 2),
        ("\"edge\": 1", "\"edge\": 7", 2),
        ("\"x\": \"", "\"y\": \"", 2),
        ("\"source\": \"b\"", "\"source\": \"a\"", 2),
        ("\"model-sha256\": \"", "\"model-sha256\": \"0", 2),
        ("\"version\": 1", "\"version\": 2", 2),
        ("\"choices\": []", "\"choices\": [1]", 5),
        ("\"inputs\": []", "\"inputs\": [\"1\"]", 5),
        ("\"inputs\": []", "\"outputs\": []", 2),
        ("{", "", 2),
    ];
    for (from, to, code) in table {
        assert!(right.contains(from), "{from}");
        let wrong = write(&folder, "wrong.json", right.replacen(from, to, 1));
        let outcome = thetis(&["certify", &file, &wrong]);
        assert_eq!(outcome.code, code, "{from} to {to}: {}{}", outcome.out, outcome.err);
    }
    let claim = right.replacen("\"unsafe\": {", "\"safe\": { \"unwinding\": { \"bound\": 0 } }, \"x\": {", 1);
    assert_eq!(thetis(&["certify", &file, &write(&folder, "claim.json", claim)]).code, 2);
}

/// Two counters that are never the same: only an invariant, or k-induction with one as lemma, shows it.
const APART: &str = "main process apart { var x : int var y : int init loc start loc head error loc bad
    start -> head { x := 0 y := 5 } head -> head { x := x + 1 y := y + 1 } head -> bad { assume x = y } }";

#[test]
fn certificates_by_induction_are_kept_and_checked_again() {
    let folder = folder();
    let file = write(&folder, "m.cfa", APART);
    let path = folder.path().join("c.json").display().to_string();
    let outcome = thetis(&["check", &file, "--engine", "kind", "--certificate", &path]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
    let outcome = thetis(&["certify", &file, &path]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
    let right = std::fs::read_to_string(&path).unwrap();
    let table = [
        ("\"k-inductive\"", "\"unwinding\"", 5),
        ("\"k-inductive\"", "\"inductive\"", 2),
        ("\"head\": ", "\"start\": ", 5),
        ("\"head\": ", "\"nowhere\": ", 2),
        ("\"head\": \"", "\"head\": \"not ", 2),
        ("\"cuts\"", "\"blocked\"", 5),
    ];
    for (from, to, code) in table {
        assert!(right.contains(from), "{from}: {right}");
        let wrong = write(&folder, "wrong.json", right.replacen(from, to, 1));
        let outcome = thetis(&["certify", &file, &wrong]);
        assert_eq!(outcome.code, code, "{from} to {to}: {}{}", outcome.out, outcome.err);
    }
}

/// A loop of a thousand rounds that ends at an error location.
const FAR: &str = "main process far { var x : int init loc start loc head error loc bad
    start -> head { x := 0 } head -> head { assume x < 1000 x := x + 1 } head -> bad { assume x = 1000 } }";

#[test]
fn certificates_of_long_runs_have_rounds() {
    let folder = folder();
    let file = write(&folder, "m.cfa", FAR);
    let path = folder.path().join("c.json").display().to_string();
    assert_eq!(thetis(&["check", &file, "--certificate", &path]).out, "unsafe\n");
    assert_eq!(thetis(&["certify", &file, &path]).out, "unsafe\n");
    let right = std::fs::read_to_string(&path).unwrap();
    for (from, to, code) in [
        ("\"times\": 1000", "\"times\": 999", 5),
        ("\"times\": 1000", "\"times\": 1001", 5),
        ("\"times\": 1000", "\"times\": 0", 5),
        ("\"times\": 1000", "\"times\": 1000000000000", 5),
        ("\"times\": 1000", "\"times\": -1", 2),
        ("\"times\": 1000", "\"rounds\": 1000", 2),
    ] {
        assert!(right.contains(from), "{from}: {right}");
        let wrong = write(&folder, "wrong.json", right.replacen(from, to, 1));
        let outcome = thetis(&["certify", &file, &wrong]);
        assert_eq!(outcome.code, code, "{from} to {to}: {}{}", outcome.out, outcome.err);
    }
}

/// A loop of ten rounds, one edge before it and one behind it.
const COUNTED: &str = "main process counted { var x : int init loc start loc head loc done error loc bad
    start -> head { x := 0 } head -> head { assume x < 10 x := x + 1 } head -> done { assume x >= 10 }
    done -> bad { assume x > 10 } }";

#[test]
fn certificates_by_exhaustion_are_kept_and_checked_again() {
    let folder = folder();
    let file = write(&folder, "m.cfa", COUNTED);
    let path = folder.path().join("c.json").display().to_string();
    for engine in ["exhaust", "auto"] {
        let outcome = thetis(&["check", &file, "--engine", engine, "--certificate", &path]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
        assert_eq!(thetis(&["certify", &file, &path]).code, 0);
    }
    let right = std::fs::read_to_string(&path).unwrap();
    for (from, to, code) in [
        ("\"steps\": 12", "\"steps\": 13", 0),
        ("\"steps\": 12", "\"steps\": 11", 5),
        ("\"steps\": 12", "\"steps\": -1", 2),
        ("\"steps\": 12", "\"rounds\": 12", 2),
        ("\"exhaustion\"", "\"exhaustive\"", 2),
    ] {
        assert!(right.contains(from), "{from}: {right}");
        let changed = write(&folder, "changed.json", right.replacen(from, to, 1));
        assert_eq!(thetis(&["certify", &file, &changed]).code, code, "{from} to {to}");
    }
}

#[test]
fn queries_are_logged_as_scripts() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let logs = folder.path().join("logs").display().to_string();
    thetis(&["check", &file, "--engine", "bmc", "--smt-log", &logs]);
    let scripts: Vec<_> = std::fs::read_dir(&logs).unwrap().collect();
    assert!(!scripts.is_empty());
    for script in scripts {
        let text = std::fs::read_to_string(script.unwrap().path()).unwrap();
        assert!(text.contains("check-sat"), "{text}");
    }
}

const NET: &str = "net mutex
place free = 1
place idle = 2, busy
transition enter in idle, free out busy
transition leave in busy out idle, free
target EF busy >= 2
";

#[test]
fn nets_are_decided_in_the_words_of_their_questions() {
    let folder = folder();
    let file = write(&folder, "mutex.net", NET);
    let table: [(&[&str], &str, i32); 6] = [
        (&[], "unreachable\n", 0),
        (&["--target", "busy = 1 and idle = 1"], "reachable\n", 10),
        (&["--property", "deadlock"], "unreachable\n", 0),
        (&["--property", "AG idle <= 2", "--engine", "state-equation"], "holds\n", 0),
        (&["--property", "one-safe", "--engine", "explicit"], "violated\n", 10),
        (&["--property", "state-space"], "explored: 2 reachable states\n", 0),
    ];
    for (extra, line, code) in table {
        let args: Vec<&str> = ["check", &file].into_iter().chain(extra.iter().copied()).collect();
        let outcome = thetis(&args);
        assert_eq!((outcome.out.as_str(), outcome.code), (line, code), "{extra:?}: {}", outcome.err);
    }
    let wrong = thetis(&["check", &file, "--property", "EF nowhere >= 1"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("--property:1:4") && wrong.err.contains("nowhere"), "{}", wrong.err);
    assert_eq!(thetis(&["check", &file, "--engine", "intervals"]).code, 1);
}

#[test]
fn nets_convert_to_pnml_and_back() {
    let folder = folder();
    let pnml = thetis(&["convert", &write(&folder, "m.net", NET), "--to", "pnml"]);
    assert_eq!(pnml.code, 0, "{}", pnml.err);
    let file = write(&folder, "m.pnml", &pnml.out);
    assert_eq!(thetis(&["check", &file, "--property", "EF busy >= 1"]).out, "reachable\n");
    assert!(thetis(&["convert", &file, "--to", "dot"]).out.starts_with("digraph"));
    assert!(thetis(&["convert", &file, "--to", "net"]).out.contains("place"));
}

/// All elements up to `n` are 42: only an invariant about all of them shows it.
const FILLED: &str = "main process filled { var a : [int] -> int var i : int var j : int var n : int
    init loc start loc head loc end error loc bad
    start -> head { i := 0 } head -> head { assume i < n a := a[i <- 42] i := i + 1 }
    head -> end { assume i >= n assume 0 <= j and j < n } end -> bad { assume a[j] /= 42 } }";

#[test]
fn certificates_about_all_cells_are_kept_and_checked_again() {
    let folder = folder();
    let file = write(&folder, "m.cfa", FILLED);
    let path = folder.path().join("c.json").display().to_string();
    let page = folder.path().join("page.html").display().to_string();
    let check = ["check", &file, "--engine", "horn", "--certificate", &path, "--report", &page];
    let outcome = thetis(&check);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
    assert!(std::fs::read_to_string(&page).unwrap().contains("for all cell!Int: "));
    let outcome = thetis(&["certify", &file, &path]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
    let right = std::fs::read_to_string(&path).unwrap();
    let table = [
        ("(select a cell!Int)", "(select a 0)", 5),
        ("\"cells\"", "\"cell\"", 2),
        ("\"cell!Int\": \"Int\"", "\"cell!Int\": \"Bool\"", 2),
        ("\"cell!Int\": \"Int\"", "\"cell!Int\": \"Whole\"", 2),
        ("\"cell!Int\": \"Int\"", "\"cell!Int\": \"Int\", \"i\": \"Int\"", 5),
        ("\"cell!Int\": \"Int\"", "\"cell!Int\": \"Int\", \"a\": \"Int\"", 2),
        ("\"cell!Int\": \"Int\"", "\"k\": \"Int\"", 2),
    ];
    for (from, to, code) in table {
        assert!(right.contains(from), "{from}: {right}");
        let wrong = write(&folder, "wrong.json", right.replace(from, to));
        let outcome = thetis(&["certify", &file, &wrong]);
        assert_eq!(outcome.code, code, "{from} to {to}: {}{}", outcome.out, outcome.err);
    }
}

/// The frames of IC3: a table after every iteration with `-v`, and by location and level on the page.
#[test]
fn frames_are_shown() {
    let folder = folder();
    let page = folder.path().join("page.html").display().to_string();
    let program = "crates/thetis/tests/versions/body-before.c";
    let args = ["check", program, "--engine", "ic3", "--externals", "svcomp", "--report", &page, "-v"];
    let outcome = thetis(&args);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.contains("clauses of the frames:\nlevel | "), "{}", outcome.err);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("data-view=\"frames\"") && page.contains("<table id=\"frames\">"));
}
