//! Facts of earlier runs: written, found again in changed programs, used by engines, and never trusted.

use serde_json::{Value, json};

use crate::{Outcome, folder, thetis, write};

/// Programs before and after an edit, in `tests/versions`: the loop moves, its bound or its body changes, a loop is added, a condition is
/// rewritten, code is added after it.
const VERSIONS: [&str; 6] = ["moved", "bound", "body", "new-loop", "other-condition", "code-after-it"];

/// The two versions of a program.
fn versions(name: &str) -> [String; 2] {
    ["before", "after"].map(|version| format!("crates/thetis/tests/versions/{name}-{version}.c"))
}

/// The number of solver queries in a run.
fn num_queries(report: &Value) -> u64 {
    let parts = report["statistics"]["parts"].as_array().unwrap();
    let solver = parts.iter().find(|part| part["name"] == "solver-z3").unwrap();
    let entry = solver["entries"].as_array().unwrap().iter().find(|entry| entry[0] == "queries");
    entry.unwrap()[1].as_u64().unwrap()
}

fn report(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.out)
        .unwrap_or_else(|error| panic!("{error}: {}{}", outcome.out, outcome.err))
}

/// The number of solver queries in a run that must end with `safe`.
fn queries(args: &[&str]) -> u64 {
    let outcome = thetis(&[&["check", "--format", "json", "--externals", "svcomp"], args].concat());
    let report = report(&outcome);
    assert_eq!(report["verdict"], "safe", "{args:?}\n{}", outcome.err);
    num_queries(&report)
}

/// The queries about the second version alone, and with the facts of the first.
fn measured(name: &str, engine: &str) -> (u64, u64) {
    let folder = folder();
    let [before, after] = versions(name);
    let facts = folder.path().join("facts.json").display().to_string();
    queries(&[&before, "--engine", engine, "--facts-out", &facts]);
    let alone = queries(&[&after, "--engine", engine]);
    (alone, queries(&[&after, "--engine", engine, "--facts", &facts]))
}

#[test]
fn a_changed_program_needs_less_work() {
    for name in VERSIONS {
        let (alone, with_facts) = measured(name, "ic3");
        assert!(with_facts < alone, "{name}: {with_facts} queries instead of {alone}");
    }
}

/// Facts serve all engines that can use them, each in its own way. What they save is measured in docs/results/versions.md.
#[test]
fn every_engine_takes_facts() {
    let folder = folder();
    let [before, after] = versions("moved");
    let facts = folder.path().join("facts.json").display().to_string();
    queries(&[&before, "--engine", "ic3", "--facts-out", &facts]);
    for engine in ["kind", "bmc", "cegar", "imc", "horn", "ice", "auto"] {
        // Bounded model checking alone does not end here; it is only asked not to be misled.
        let bound = if engine == "bmc" { "bmc.max-bound=3" } else { "bmc.max-bound=100" };
        let outcome = thetis(&[
            "check",
            &after,
            "--externals",
            "svcomp",
            "--engine",
            engine,
            "--facts",
            &facts,
            "--set",
            bound,
        ]);
        assert!(
            ["safe", "unknown (no violation up to bound 3)"].contains(&outcome.word()),
            "{engine}: {}{}",
            outcome.out,
            outcome.err
        );
    }
}

const COUNTER: &str = "int n(void); void reach_error(void);
int main(void) { int x = 0;
  while (n()) { if (x < 5) x++; }
  if (x == 5) reach_error(); return 0; }
";

/// Wrong facts cost time and change no verdict.
#[test]
fn wrong_facts_change_no_verdict() {
    let folder = folder();
    let program = write(&folder, "counter.c", COUNTER);
    let kept = folder.path().join("kept.json").display().to_string();
    let args = ["check", &program, "--externals", "svcomp"];
    let found = thetis(&[&args[..], &["--engine", "bmc", "--facts-out", &kept]].concat());
    assert_eq!(found.code, 10, "{}", found.err);
    let place =
        json!({"function": "main", "kind": "loop", "text": "while (n())", "occurrence": 1, "line": 3});
    let wrong = |formula: &str, kind: &str| json!({"kind": kind, "formula": formula, "place": place});
    let facts = json!({
        "format": "thetis-facts", "version": 1, "model-sha256": "",
        "facts": [
            wrong("false", "invariant"),
            wrong("(<= main.x 4)", "invariant"),
            wrong("(= main.x 0)", "predicate"),
            wrong("(= no.such.variable 0)", "invariant"),
            wrong(")(", "predicate"),
            {"kind": "invariant", "formula": "false", "location": "L1"},
            {"kind": "predicate", "formula": "(= main.x 3)"},
        ],
    });
    let facts = write(&folder, "wrong.json", facts.to_string());
    for engine in ["ic3", "kind", "bmc", "cegar", "imc", "horn", "auto"] {
        let outcome = thetis(&[&args[..], &["--engine", engine, "--facts", &facts]].concat());
        assert_eq!(outcome.code, 10, "{engine}: {}{}", outcome.out, outcome.err);
    }
}

/// Invariants of another tool, about a text in which they stood in other lines.
#[test]
fn witnesses_are_facts() {
    let folder = folder();
    let [before, after] = versions("moved");
    let witness = folder.path().join("w.yml").display().to_string();
    queries(&[&before, "--engine", "ic3", "--witness", &witness]);
    let alone = queries(&[&after, "--engine", "ic3"]);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("loop_invariant"), "{text}");
    let with_facts = queries(&[&after, "--engine", "ic3", "--facts", &witness]);
    assert!(with_facts < alone, "{with_facts} queries instead of {alone}");
    // A part that makes no sense here is left out.
    let broken = text.replace("value: ", "value: no_such_variable == 3 || ");
    let broken = write(&folder, "broken.yml", broken);
    assert_eq!(thetis(&["check", &after, "--externals", "svcomp", "--facts", &broken]).code, 0);
}

/// A certificate of a proof about an automaton names locations, which an edit leaves as they are.
#[test]
fn certificates_are_facts() {
    let folder = folder();
    let model = |step: &str| {
        format!(
            "main process p {{ var x : int var y : int init loc a loc b error loc e
            a -> b {{ x := 0 y := 0 }} b -> b {{ x := x + {step} y := y + {step} }} b -> e {{ assume x /= y }} }}"
        )
    };
    let before = write(&folder, "before.cfa", model("1"));
    let after = write(&folder, "after.cfa", model("7"));
    let certificate = folder.path().join("c.json").display().to_string();
    assert_eq!(thetis(&["check", &before, "--engine", "ic3", "--certificate", &certificate]).code, 0);
    let run = |facts: &[&str]| {
        let outcome = thetis(&[&["check", &after, "--engine", "ic3", "--format", "json"], facts].concat());
        let report = report(&outcome);
        assert_eq!(report["verdict"], "safe");
        num_queries(&report)
    };
    assert!(run(&["--facts", &certificate]) < run(&[]));
}

/// An undecided run writes the facts that it found, and those that it was given.
#[test]
fn runs_without_an_answer_leave_facts() {
    let folder = folder();
    let [program, _] = versions("body");
    let facts = folder.path().join("facts.json").display().to_string();
    let args = ["check", &program, "--externals", "svcomp", "--engine", "kind", "--facts-out", &facts];
    let weak = ["kind.max-k=0", "kind.guesses=false", "kind.equalities=false"];
    let settings: Vec<&str> = weak.iter().flat_map(|setting| ["--set", setting]).collect();
    let outcome = thetis(&[&args[..], &settings].concat());
    assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(&facts).unwrap()).unwrap();
    let kept = file["facts"].as_array().unwrap();
    assert!(kept.iter().any(|fact| fact["place"]["kind"] == "loop" && fact["kind"] == "invariant"), "{file}");
    let again = thetis(&[&args[..], &settings, &["--facts", &facts]].concat());
    assert_eq!(again.code, 5, "{}", again.err);
    let kept_again: Value = serde_json::from_str(&std::fs::read_to_string(&facts).unwrap()).unwrap();
    assert!(kept.iter().all(|fact| kept_again["facts"].as_array().unwrap().contains(fact)), "{kept_again}");
}

#[test]
fn files_that_are_no_facts_are_rejected() {
    let folder = folder();
    let program = write(&folder, "p.c", COUNTER);
    for (name, content) in [("a.json", "{}"), ("b.json", "["), ("c.yml", "- 3"), ("d.json", "\u{7f}")] {
        let file = write(&folder, name, content);
        let outcome = thetis(&["check", &program, "--facts", &file]);
        assert_eq!(outcome.code, 2, "{name}: {}{}", outcome.out, outcome.err);
        assert!(outcome.err.contains(name), "{}", outcome.err);
    }
    assert_eq!(thetis(&["check", &program, "--facts", "/nonexistent"]).code, 2);
    let net = thetis(&["check", "examples/warehouse.net", "--facts-out", &write(&folder, "f.json", "")]);
    assert_eq!(net.code, 1, "{}{}", net.out, net.err);
}

const SUM_OF_TWOS: &str = "int nondet(void); void reach_error(void);
int main(void) { int i = 0, s = 0;
  while (i < 10) { i++; if (nondet()) s = s + 2; }
  if (s == 7) reach_error();
  return 0; }
";

/// What an undecided run has proved is a witness for other tools, and facts for a later run.
#[test]
fn runs_without_an_answer_leave_partial_witnesses() {
    let folder = folder();
    let program = write(&folder, "sum.c", SUM_OF_TWOS);
    let partial = folder.path().join("partial.yml").display().to_string();
    let args = ["check", &program, "--externals", "svcomp", "--engine", "kind"];
    let weak = ["--set", "kind.max-k=1", "--set", "kind.guesses=false", "--set", "kind.equalities=false"];
    let outcome = thetis(&[&args[..], &weak, &["--facts-out", &partial]].concat());
    assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
    let text = std::fs::read_to_string(&partial).unwrap();
    assert!(text.contains("value: (0 <= i) && (i <= 10)") && text.contains("loop_invariant"), "{text}");
    let again = thetis(&[&args[..], &["-v", "--facts", &partial]].concat());
    assert!(again.err.contains("facts: 1 read"), "{}", again.err);
    let model = write(&folder, "m.cfa", "main process p { init loc a error loc b }");
    let refused = thetis(&["check", &model, "--facts-out", &partial]);
    assert!(refused.err.contains("about C programs only"), "{}", refused.err);
}
