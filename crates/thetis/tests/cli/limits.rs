//! Every command ends soon after its limits and signals, whatever it is doing, with a report in the requested format.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{ENDLESS, SAFE, UNSAFE, folder, program, thetis, write};

/// Numbers whose size doubles with every step.
const SQUARES: &str = "main process p { var x : int var y : int init loc a loc b error loc bad
    a -> b { x := 3 y := 0 } b -> b { x := x * x y := y + 1 } b -> bad { assume y = 100 and x > 5 } }";

/// How long after its limit a run may take on a machine that has other work.
const SLACK: Duration = Duration::from_secs(6);

#[test]
fn computations_with_large_numbers_are_ended() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SQUARES);
    for engine in ["simulate", "bmc"] {
        let start = Instant::now();
        let outcome = thetis(&["check", &file, "--engine", engine, "--time", "1s"]);
        assert!(start.elapsed() < Duration::from_secs(1) + SLACK, "{engine}: {:?}", start.elapsed());
        assert_eq!(
            (outcome.out.as_str(), outcome.code),
            ("unknown (out of time)\n", 5),
            "{engine}: {}",
            outcome.err
        );
    }
}

#[test]
fn operations_on_large_numbers_look_at_the_limits() {
    let folder = folder();
    let products = ["x * x", "x * x + x mod (x / 3 + 1)"];
    let models = products.map(|term| SQUARES.replace("x * x", term));
    let rationals = SQUARES.replace("x : int", "x : rat").replace("x := 3", "x := 3%2");
    for model in models.into_iter().chain([rationals]) {
        let file = write(&folder, "m.cfa", &model);
        let args = ["check", &file, "--engine", "simulate", "--time", "300ms", "--format", "json"];
        let outcome = thetis(&args);
        let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!((&report["verdict"], outcome.code), (&"unknown".into(), 5), "{model}: {}", outcome.err);
        // A run that ends by itself reports what was done; the watchdog does not know it.
        assert!(!report["statistics"]["parts"].as_array().unwrap().is_empty(), "{model}: {report:#}");
    }
}

#[test]
fn one_stage_with_large_numbers_leaves_time_for_the_next() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SQUARES.replace("y = 100", "y < 0"));
    let config = "engine = \"portfolio\"\n[[stage]]\nengine = \"simulate\"\nshare = 10\nworker = false\n[[stage]]\nengine = \"kind\"\nworker = false\n";
    let config = write(&folder, "p.toml", config);
    let outcome = thetis(&["check", &file, "--config", &config, "--time", "20s"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
}

#[test]
fn the_end_of_time_is_reported_in_all_formats() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SQUARES);
    let ask = |format: &str| {
        let args = ["check", &file, "--engine", "simulate", "--time", "500ms", "--format", format];
        let outcome = thetis(&args);
        assert_eq!(outcome.code, 5, "{}", outcome.err);
        serde_json::from_str::<serde_json::Value>(&outcome.out).unwrap()
    };
    let report = ask("json");
    assert_eq!((&report["verdict"], &report["reason"]["code"]), (&"unknown".into(), &"out-of-time".into()));
    assert_eq!((&report["property"], &report["engine"]), (&"error-location".into(), &"simulate".into()));
    let run = &ask("sarif")["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(0), "no answer is no alert");
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"]["id"], "unknown");
}

#[test]
fn memory_that_grows_fast_is_noticed() {
    let folder = folder();
    let wide = "main process p { var x : bv[65536] init loc a loc b error loc bad a -> b { havoc x }
        b -> bad { assume x * x * x = x + 1bv65536 } }";
    let file = write(&folder, "m.cfa", wide.replace("1bv65536", "x"));
    let start = Instant::now();
    let outcome = thetis(&["check", &file, "--engine", "bmc", "--time", "20s", "--memory", "300M"]);
    assert!(start.elapsed() < Duration::from_secs(20) + SLACK, "{:?}", start.elapsed());
    assert!(outcome.out.starts_with("unknown (out of"), "{}{}", outcome.out, outcome.err);
    assert_eq!(outcome.code, 5);
}

fn start(args: &[&str]) -> Child {
    program().args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn signals_end_a_run_that_does_not_listen() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SQUARES);
    for signal in [Signal::TERM, Signal::INT] {
        let mut child = start(&["check", &file, "--engine", "simulate", "--time", "100s"]);
        std::thread::sleep(Duration::from_secs(2));
        let sent = Instant::now();
        kill_process(Pid::from_child(&child), signal).unwrap();
        let status = child.wait().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
        let out = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
        assert_eq!((out.as_str(), status.code()), ("unknown (cancelled)\n", Some(5)));
    }
}

/// Whether a process has a handler for a signal.
fn listens(child: &Child, signal: Signal) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (signal.as_raw() - 1) != 0
}

#[test]
fn a_signal_during_the_start_is_not_lost() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    for (signal, format, expected) in
        [(Signal::TERM, "text", "unknown (cancelled)\n"), (Signal::INT, "json", "{\n")]
    {
        let mut child = start(&["check", &file, "--engine", "bmc", "--format", format, "--time", "60s"]);
        while !listens(&child, signal) {
            std::thread::sleep(Duration::from_micros(100));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let status = child.wait().unwrap();
        let out = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
        assert!(out.starts_with(expected) && status.code() == Some(5), "{status}: {out}");
    }
}

#[test]
fn several_questions_share_one_limit_and_listen() {
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void); int f(int x) { unsigned y = x; while (y != 7) y = y * 3 + 1; return y; }
        int main(void) { return f(__VERIFIER_nondet_int()); }";
    let file = write(&folder, "m.c", text);
    let mut child = start(&["check", &file, "--property", "all", "--time", "60s"]);
    while !listens(&child, Signal::TERM) {
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let sent = Instant::now();
    let status = child.wait().unwrap();
    assert!(sent.elapsed() < SLACK, "{:?}", sent.elapsed());
    assert_eq!(status.code(), Some(5));
    let names: String = (0..20_000).map(|n| format!("int f{n}(int x) {{ return x + {n}; }}\n")).collect();
    let file = write(&folder, "n.c", format!("{names} int main(void) {{ return 0; }}"));
    let outcome = thetis(&["check", &file, "--function", "*", "--time", "50ms"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (out of time)\n", 5), "{}", outcome.err);
}

/// A process that another one has started.
fn child_of(parent: u32) -> Option<Pid> {
    let parent = format!("PPid:\t{parent}");
    let numbers = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |number: &i32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        status.lines().any(|line| line == parent)
    };
    Pid::from_raw(numbers.into_iter().find(is_child)?)
}

/// The process of a check that somebody kills, as the system does when memory is short.
#[test]
fn a_check_that_is_killed_does_not_affect_others() {
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int y = __VERIFIER_nondet_int(); return 1 / 0; }";
    let file = write(&folder, "m.c", text);
    let args =
        ["check", &file, "--property", "valid-shift", "--property", "no-division-by-zero", "--time", "20s"];
    let child = start(&args);
    kill_process(wait_for(|| child_of(child.id())), Signal::KILL).unwrap();
    let outcome = crate::outcome(&child.wait_with_output().unwrap());
    assert_eq!(outcome.code, 10, "{}", outcome.out);
    assert!(
        outcome.out.starts_with("valid-shift: unknown (its process was killed)\nno-division-by-zero: fails"),
        "{}",
        outcome.out
    );
}

#[test]
fn reading_counts() {
    let folder = folder();
    let mut text = String::from("main process p { var x : int init loc a error loc bad\n");
    for number in 0..400_000 {
        text += &format!("loc l{number}\na -> l{number} {{ x := x + {number} assume x > {number} }}\n");
    }
    text.push('}');
    let file = write(&folder, "m.cfa", text);
    let start = Instant::now();
    let outcome = thetis(&["check", &file, "--time", "100ms"]);
    assert!(start.elapsed() < SLACK, "{:?}", start.elapsed());
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (out of time)\n", 5), "{}", outcome.err);
    let outcome = thetis(&["convert", &file, "--to", "dot", "--time", "100ms"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("", 5), "{}", outcome.err);
    assert!(outcome.err.contains("out of time"), "{}", outcome.err);
}

#[test]
fn long_strings_tables_and_lists_of_variables_end_within_the_limits() {
    let folder = folder();
    let head = "extern int __VERIFIER_nondet_int(void); void reach_error(void) { }\n";
    let string = format!("const char *t = \"{}\";", "a".repeat(10_000));
    let table = format!("int t[100000] = {{ {} }};", "7, ".repeat(100_000));
    let search = "int main(void) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 9999 && t[i] < 0) reach_error(); return 0; }";
    let locals: String =
        (0..5_000).map(|number| format!("int v{number} = __VERIFIER_nondet_int();\n")).collect();
    for (name, text) in [
        ("string", format!("{head}{string}\n{search}")),
        ("table", format!("{head}{table}\n{search}")),
        (
            "locals",
            format!(
                "{head}int main(void) {{ {locals} if (v1 + v4999 == 7 && v2 < v3) reach_error(); return 0; }}"
            ),
        ),
    ] {
        let file = write(&folder, "p.c", text);
        let start = Instant::now();
        let outcome = thetis(&["check", &file, "--time", "300ms"]);
        assert!(start.elapsed() < Duration::from_secs(2) + SLACK, "{name}: {:?}", start.elapsed());
        assert!([0, 5, 10].contains(&outcome.code), "{name}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn recursion_floats_calls_and_instances_end_within_the_limits() {
    let folder = folder();
    let head = "extern int in(void); extern double real(void); void reach_error(void) { }\n";
    let fibonacci = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
        int main(void) { int x = in(); if (x > 8 && f(x) < x) reach_error(); return 0; }";
    let series = "int main(void) { double x = real(), s = 0, p = x; if (!(x > -1.5 && x < 1.5)) return 0;
        for (int i = 1; i < 30; i += 2) { s += p; p = -p * x * x / ((i + 1) * (i + 2)); }
        if (s > 1.01 || s < -1.01) reach_error(); return 0; }";
    let mut calls = String::from("int f0(int x) { return x + 1; }\n");
    for number in 1..40 {
        calls += &format!("int f{number}(int x) {{ return f{0}(x) + f{0}(x); }}\n", number - 1);
    }
    calls += "int main(void) { if (f39(in()) == 7) reach_error(); return 0; }";
    let string = format!(
        "const char *t = \"{}\";\nint main(void) {{ int i = in(); if (i >= 0 && i < 999999 && t[i] < 0) reach_error(); return 0; }}",
        "a".repeat(1_000_000)
    );
    let instances = "typedef int[0, 99999999] t; process P(const t i) { state A; init A; } system P;";
    for (name, text) in [
        ("fibonacci.c", format!("{head}{fibonacci}")),
        ("series.c", format!("{head}{series}")),
        ("calls.c", format!("{head}{calls}")),
        ("string.c", format!("{head}{string}")),
        ("instances.xta", instances.to_owned()),
    ] {
        let file = write(&folder, name, text);
        let start = Instant::now();
        let outcome = thetis(&["check", &file, "--time", "1s", "--memory", "2G"]);
        assert!(start.elapsed() < Duration::from_secs(2) + SLACK, "{name}: {:?}", start.elapsed());
        assert!([0, 2, 5, 10].contains(&outcome.code), "{name}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn nets_with_many_tokens_end_within_the_limits() {
    let folder = folder();
    let cycle = "place p = 268435456, q, r\ntransition t in p out q\ntransition u in q out r\ntransition v in r out p\n";
    let file = write(&folder, "m.net", cycle);
    for (property, engine, expected) in [
        ("EF q >= 268435456", "auto", &[10][..]),
        ("AG q < 268435456", "auto", &[10]),
        ("AG p + q + r <= 268435456", "auto", &[0]),
        ("AG p < 5", "auto", &[10]),
        ("AG p < 5", "explicit", &[10]),
        ("state-space", "explicit", &[5]),
        ("deadlock", "explicit", &[0, 5]),
    ] {
        let start = Instant::now();
        let args = ["check", &file, "--property", property, "--engine", engine, "--time", "1s"];
        let outcome = thetis(&args);
        assert!(start.elapsed() < Duration::from_secs(1) + SLACK, "{property}: {:?}", start.elapsed());
        assert!(expected.contains(&outcome.code), "{property} {engine}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn certificates_with_large_terms_end_within_the_limits() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SAFE);
    let path = folder.path().join("c.json").display().to_string();
    let args = ["check", &file, "--engine", "cegar", "--certificate", &path];
    assert_eq!(thetis(&args).code, 0);
    let right: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let sums: Vec<String> = (0..3_000).map(|number| format!("(* x (+ x {number}))")).collect();
    for formula in [format!("(<= x {})", "9".repeat(200_000)), format!("(distinct {})", sums.join(" "))] {
        let mut wrong = right.clone();
        wrong["verdict"] = serde_json::json!({ "safe": { "invariants": { "a": formula } } });
        let wrong = write(&folder, "wrong.json", wrong.to_string());
        let start = Instant::now();
        let outcome = thetis(&["certify", &file, &wrong, "--time", "300ms"]);
        assert!(start.elapsed() < Duration::from_secs(2) + SLACK, "{:?}", start.elapsed());
        assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
    }
}

#[test]
fn certificates_count() {
    let folder = folder();
    let file = write(&folder, "m.cfa", UNSAFE);
    let path = folder.path().join("c.json").display().to_string();
    assert_eq!(thetis(&["check", &file, "--certificate", &path]).code, 10);
    let right = std::fs::read_to_string(&path).unwrap();
    let start = right.find("\"x\": \"").unwrap() + 6;
    let end = start + right[start..].find('"').unwrap();
    let wrong = format!("{}{}{}", &right[..start], "7".repeat(3_000_000), &right[end..]);
    let wrong = write(&folder, "wrong.json", wrong);
    let started = Instant::now();
    let outcome = thetis(&["certify", &file, &wrong, "--time", "500ms"]);
    assert!(started.elapsed() < Duration::from_secs(1) + SLACK, "{:?}", started.elapsed());
    // What is read in time is a start that the run overwrites.
    assert!([5, 10].contains(&outcome.code), "{}{}", outcome.out, outcome.err);
}

#[test]
fn extreme_models_of_default_engines_end_without_a_crash() {
    let folder = folder();
    let net = "place p = 1099511627776, q\ntransition t in p out q\n";
    let file = write(&folder, "m.net", net);
    let certificate = folder.path().join("c.json").display().to_string();
    for engine in ["state-equation", "auto"] {
        let args = ["check", &file, "--property", "EF q >= 1099511627776", "--engine", engine];
        let outcome = thetis(&[&args[..], &["--certificate", &certificate]].concat());
        assert_eq!((outcome.out.as_str(), outcome.code), ("reachable\n", 10), "{engine}: {}", outcome.err);
        assert!(outcome.err.contains("  1 to 1099511627776. t\n"), "{}", outcome.err);
        // A run of 2^40 firings is kept in a few bytes.
        assert!(std::fs::metadata(&certificate).unwrap().len() < 1000);
        let outcome = thetis(&["certify", &file, &certificate, "--property", "EF q >= 1099511627776"]);
        assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    }
    let args =
        ["check", &file, "--property", "EF q >= 1099511627776", "--engine", "explicit", "--time", "1s"];
    assert_eq!(thetis(&args).out, "unknown (out of time)\n");
    let program = "extern long double __VERIFIER_nondet_longdouble(void); void reach_error(void) { }
        int main(void) { long double x = __VERIFIER_nondet_longdouble(); long double y = x;
        if (y != x && y == y) reach_error(); return 0; }";
    let file = write(&folder, "m.c", program);
    let outcome = thetis(&["check", &file, "--engine", "simulate", "--time", "2s"]);
    assert!([0, 5].contains(&outcome.code), "{}{}", outcome.out, outcome.err);
}

/// Whether a process is still there and not only waiting to be forgotten.
fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn a_solver_ends_with_the_program_that_started_it() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    let pid_file = folder.path().join("pid").display().to_string();
    let config =
        format!("name = 'sleeper'\ncommand = ['sh', '-c', 'echo $$ > {pid_file}; exec sleep 100']\n");
    let solver = write(&folder, "s.toml", config);
    let mut child = start(&["check", &file, "--engine", "bmc", "--solver", &solver, "--time", "60s"]);
    let pid = wait_for(|| std::fs::read_to_string(&pid_file).ok().filter(|pid| pid.ends_with('\n')));
    let pid = pid.trim();
    assert!(is_alive(pid));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for(|| (!is_alive(pid)).then_some(()));
}

/// Waits some seconds for something to happen.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("it did not happen")
}

/// A pipe that somebody keeps open without writing to it.
#[test]
fn waiting_for_standard_input_counts() {
    for arguments in [
        &["check", "-", "--language", "cfa"][..],
        &["check", "-", "--language", "c", "--property", "all"],
        &["check", "-", "--language", "cfa", "--format", "json"],
        &["certify", "-", "c.json", "--language", "cfa"],
        &["convert", "-", "--language", "cfa", "--to", "dot"],
    ] {
        let start = Instant::now();
        let mut child = program()
            .args(arguments)
            .args(["--time", "500ms"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = child.stdin.take();
        let outcome = crate::outcome(&child.wait_with_output().unwrap());
        drop(pipe);
        assert!(start.elapsed() < SLACK, "{arguments:?}: {:?}", start.elapsed());
        assert_eq!(outcome.code, 5, "{arguments:?}: {}{}", outcome.out, outcome.err);
        assert!((outcome.out + &outcome.err).contains("out of time"), "{arguments:?}");
    }
    let mut child = program()
        .args(["check", "-", "--language", "cfa", "--time", "60s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let pipe = child.stdin.take();
    while !listens(&child, Signal::TERM) {
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let sent = Instant::now();
    let outcome = crate::outcome(&child.wait_with_output().unwrap());
    drop(pipe);
    assert!(sent.elapsed() < SLACK, "{:?}", sent.elapsed());
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (cancelled)\n", 5), "{}", outcome.err);
}

#[test]
fn nobody_has_to_read_a_pipe() {
    let folder = folder();
    let file = write(&folder, "m.cfa", SAFE);
    let pipe = folder.path().join("pipe").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let start = Instant::now();
    let outcome = thetis(&["check", &file, "--report", &pipe]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
    assert!(outcome.err.contains("was not written: nobody reads this pipe"), "{}", outcome.err);
    let outcome = thetis(&["convert", &file, "--to", "dot", "-o", &pipe]);
    assert_eq!(outcome.code, 6, "{}", outcome.err);
    assert!(start.elapsed() < 2 * SLACK, "{:?}", start.elapsed());
    // Looking at it before the run does not end its reader.
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(thetis(&["check", &file, "--report", &pipe]).code, 0);
    let page = String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap();
    assert!(page.contains("</html>"), "{page:.100}");
}

#[test]
fn outputs_are_tried_before_the_run() {
    let folder = folder();
    let file = write(&folder, "m.cfa", ENDLESS);
    let inside = folder.path().display().to_string();
    for option in ["--report", "--certificate", "--witness", "--harness", "--arg"] {
        for path in [&format!("{inside}/none/out"), &inside] {
            let start = Instant::now();
            let outcome = thetis(&["check", &file, "--engine", "bmc", "--time", "30s", option, path]);
            assert!(start.elapsed() < Duration::from_secs(10));
            assert_eq!((outcome.out.as_str(), outcome.code), ("", 1), "{option} {path}: {}", outcome.err);
            assert!(outcome.err.contains("cannot be written"), "{}", outcome.err);
        }
    }
}

#[test]
fn folders_of_tests_are_tried_before_the_run() {
    let folder = folder();
    let program = write(&folder, "m.c", "int main(void) { return 0; }\n");
    let below_a_file = format!("{program}/tests");
    for path in [&program, &below_a_file] {
        let outcome = thetis(&["check", &program, "--tests", path]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("", 1), "{path}: {}", outcome.err);
        assert!(outcome.err.contains("cannot be written"), "{}", outcome.err);
    }
}

#[test]
fn a_verdict_does_not_depend_on_files_that_cannot_be_written_in_the_end() {
    let (folder, other) = (folder(), folder());
    let file = write(&folder, "m.cfa", ENDLESS);
    let report = other.path().join("r.html").display().to_string();
    let child = program()
        .args(["check", &file, "--engine", "bmc", "--time", "2s", "--report", &report])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    drop(other);
    let outcome = crate::outcome(&child.wait_with_output().unwrap());
    assert_eq!((outcome.out.as_str(), outcome.code), ("unknown (out of time)\n", 5), "{}", outcome.err);
    assert!(outcome.err.contains("was not written"), "{}", outcome.err);
    let file = write(&folder, "s.cfa", SAFE);
    assert_eq!(thetis(&["check", &file, "--report", "/dev/null"]).code, 0);
    // The disk is full.
    for option in ["--report", "--certificate"] {
        let outcome = thetis(&["check", &file, option, "/dev/full"]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{}", outcome.err);
        assert!(outcome.err.contains("/dev/full was not written"), "{}", outcome.err);
    }
}

#[test]
fn a_verdict_does_not_depend_on_tests_that_cannot_be_written() {
    let folder = folder();
    let program = write(&folder, "m.c", "int main(void) { return 0; }\n");
    // A folder has the name of the list of tests.
    std::fs::create_dir_all(folder.path().join("tests/tests.txt")).unwrap();
    let tests = folder.path().join("tests").display().to_string();
    let outcome = thetis(&["check", &program, "--tests", &tests]);
    assert_eq!((outcome.word(), outcome.code), ("safe", 0), "{}", outcome.err);
    assert!(outcome.err.contains("tests was not written"), "{}", outcome.err);
}
