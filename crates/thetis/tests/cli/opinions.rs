//! No `safe` rests on an attached solver alone, and reports say what a proof rests on.

use serde_json::{Value, json};

use crate::{Outcome, folder, outcome, program, root, thetis, write};

/// Holds because of a loop invariant over integers, so that solvers are needed.
const SAFE: &str = "main process p { var x : int init loc a loc b error loc bad
    a -> b { x := 0 } b -> b { assume x < 10 x := x + 1 } b -> bad { assume x > 20 } }";

const UNSAFE: &str = "main process p { var x : int init loc a loc b error loc bad
    a -> b { x := 0 } b -> b { x := x + 1 } b -> bad { assume x = 3 } }";

/// A toggle whose bad state needs both latches.
const CIRCUIT: &str = "aag 3 0 2 0 1 1\n2 3\n4 5 1\n6\n6 2 4\n";

/// A configuration of a solver that answers every query in the same way.
fn solver_saying(folder: &tempfile::TempDir, answer: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in *check-sat*) echo {answer};; *get-unsat-assumptions*) echo '()';; *exit*) exit 0;; esac; done"
    );
    let script = write(folder, &format!("{answer}.sh"), script);
    write(folder, &format!("{answer}.toml"), format!("name = '{answer}'\ncommand = ['sh', '{script}']\n"))
}

/// Another solver that is always there when the tests run: Z3 as a process.
fn z3_process(folder: &tempfile::TempDir) -> String {
    let z3 = root().join("third_party/z3/bin/z3");
    write(folder, "z3.toml", format!("name = 'z3-process'\ncommand = ['{}', '-in']\n", z3.display()))
}

fn thetis_in(folder: &tempfile::TempDir, args: &[&str]) -> Outcome {
    outcome(&program().current_dir(folder.path()).args(args).output().unwrap())
}

#[test]
fn a_solver_that_always_says_unsat_gets_no_safe() {
    let folder = folder();
    let solver = solver_saying(&folder, "unsat");
    let unsafe_model = write(&folder, "u.cfa", UNSAFE);
    for engine in ["kind", "cegar", "imc", "ic3"] {
        let args = ["check", &unsafe_model, "--engine", engine, "--solver", &solver, "--time", "3s"];
        let outcome = thetis(&args);
        assert!([5, 10].contains(&outcome.code), "{engine}: {}{}", outcome.out, outcome.err);
    }
    let wrong = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(assert (< x 9))(check-sat)";
    let script = write(&folder, "s.smt2", wrong);
    let outcome = thetis(&["interpolate", &script, "--solver", &solver, "--time", "5s"]);
    assert_ne!(outcome.code, 0, "{}", outcome.out);
}

#[test]
fn solvers_that_agree_are_named() {
    let folder = folder();
    let (model, second) = (write(&folder, "s.cfa", SAFE), z3_process(&folder));
    let certificate = folder.path().join("c.json").display().to_string();
    let args = ["check", &model, "--engine", "kind", "--second-opinion", &second, "--format", "json"];
    let outcome = thetis(&[&args[..], &["--certificate", &certificate]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.contains(" by z3 and z3-process."), "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    let grounds = &report["grounds"];
    assert_eq!((&grounds["solvers"], &grounds["proved"]), (&json!(["z3", "z3-process"]), &json!(0)));
    assert_eq!(grounds["agreed"], grounds["obligations"]);
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&certificate).unwrap()).unwrap();
    assert_eq!(&kept["checked"], grounds);
    for (args, code) in [
        (&["--strict"][..], 5),
        (&["--strict", "--second-opinion", &second], 0),
        (&["--strict", "--solver", &second], 0),
        (&[], 0),
    ] {
        let outcome = thetis(&[&["certify", &model, &certificate][..], args].concat());
        assert_eq!(outcome.code, code, "{args:?}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn a_disagreement_is_unknown_and_kept() {
    let folder = folder();
    let (model, second) = (write(&folder, "s.cfa", SAFE), solver_saying(&folder, "sat"));
    let outcome = thetis_in(&folder, &["check", &model, "--engine", "kind", "--second-opinion", &second]);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert!(outcome.out.starts_with("unknown (two solvers disagree: z3 and sat"), "{}", outcome.out);
    let kept = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<_> = kept.filter(|path| path.extension().is_some_and(|ending| ending == "smt2")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let z3 = root().join("third_party/z3/bin/z3");
    let answer = std::process::Command::new(z3).arg(&kept[0]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.stdout), "unsat\n");
}

#[test]
fn circuits_need_no_trust_in_solvers() {
    let folder = folder();
    let model = write(&folder, "c.aag", CIRCUIT);
    let unsat = solver_saying(&folder, "unsat");
    let witness = folder.path().join("w.aag").display().to_string();
    for engine in ["ic3", "kind", "auto"] {
        let args = ["check", &model, "--engine", engine, "--strict", "--witness", &witness];
        let outcome = thetis(&[&args[..], &["--solver", &unsat]].concat());
        assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{engine}: {}", outcome.err);
        assert!(outcome.err.contains("by proofs that were checked."), "{engine}: {}", outcome.err);
        // The witness is a circuit that is safe itself, by an induction over one step.
        let args = ["check", &witness, "--engine", "kind", "--set", "kind.max-k=1", "--strict"];
        let outcome = thetis(&args);
        assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{engine}: {}", outcome.err);
    }
}

#[test]
fn second_opinions_come_from_solvers_that_exist() {
    let folder = folder();
    let model = write(&folder, "s.cfa", SAFE);
    let outcome = thetis(&["check", &model, "--second-opinion", "no-such-file.toml"]);
    assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{}", outcome.err);
    for name in ["bitwuzla", "cvc5"] {
        let outcome = thetis(&["check", &model, "--engine", "kind", "--second-opinion", name]);
        match root().join("third_party").join(name).exists() {
            true => {
                assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{name}: {}", outcome.err)
            }
            false => assert!(outcome.err.contains("./setup.sh --all"), "{}", outcome.err),
        }
    }
}
