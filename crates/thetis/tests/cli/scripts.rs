//! SMT-LIB scripts: Horn clauses and interpolants.

use serde_json::Value;

use crate::{folder, thetis, write};

/// A counter up to `n`, with the query `bad`.
fn counter(bad: &str) -> String {
    format!(
        "(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (forall ((i Int) (n Int)) (=> (and (= i 0) (= n 5)) (P i n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (P i n) (< i n) (= j (+ i 1))) (P j n))))
(assert (forall ((i Int) (n Int)) (=> (and (P i n) {bad}) false)))
(check-sat)
"
    )
}

#[test]
fn satisfiable_clauses_have_a_checked_model() {
    let folder = folder();
    let file = write(&folder, "safe.smt2", counter("(> i n)"));
    for engine in ["horn", "ice", "ic3", "cegar"] {
        let outcome = thetis(&["check", &file, "--engine", engine, "--format", "chc"]);
        assert_eq!(outcome.code, 0, "{engine}: {}", outcome.err);
        assert!(outcome.out.starts_with("sat\n(define-fun P (("), "{engine}: {}", outcome.out);
    }
    assert_eq!(thetis(&["check", &file]).out, "safe\n");
}

#[test]
fn unsatisfiable_clauses_have_a_refutation() {
    let folder = folder();
    let file = write(&folder, "unsafe.smt2", counter("(= i 2)"));
    let outcome = thetis(&["check", &file, "--format", "chc"]);
    let expected = "unsat
; (P 0 5) by the clause of line 3
; (P 1 5) by the clause of line 4
; (P 2 5) by the clause of line 4
; false by the clause of line 5
";
    assert_eq!((outcome.code, outcome.out.as_str()), (10, expected), "{}", outcome.err);
}

/// One is in `P`, and sums of two are.
#[test]
fn clauses_with_several_predicates_in_a_body_are_answered() {
    let folder = folder();
    let sums = |query: &str| {
        format!(
            "(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 1))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (and (P x) {query}) false)))
"
        )
    };
    let safe = write(&folder, "sums.smt2", sums("(< x 1)"));
    let outcome = thetis(&["check", &safe, "--format", "chc"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.out.starts_with("sat\n(define-fun P (("), "{}", outcome.out);
    let wrong = write(&folder, "sums.smt2", sums("(= x 3)"));
    let outcome = thetis(&["check", &wrong, "--format", "chc"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let last = "; (P 3) by the clause of line 4\n; false by the clause of line 5\n";
    assert!(outcome.out.starts_with("unsat\n; (P 1) by") && outcome.out.ends_with(last), "{}", outcome.out);
}

/// The helper `H` is a fact without variables, so there is nothing to eliminate from its definition.
#[test]
fn helpers_that_are_facts_have_definitions() {
    let folder = folder();
    let file = write(
        &folder,
        "fact.smt2",
        "(set-logic HORN)(declare-fun H (Int) Bool)(declare-fun P (Int) Bool)(assert (H 2))(assert (P 0))\
         (assert (forall ((x Int) (y Int)) (=> (and (P x) (H y)) (P (+ x y)))))\
         (assert (forall ((x Int)) (=> (and (P x) (= x 7)) false)))",
    );
    let outcome = thetis(&["check", &file, "--engine", "ice", "--format", "chc"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("(define-fun H ("), "{}", outcome.out);
}

/// A trivially true query leaves no error location, whatever the other clauses are.
#[test]
fn clauses_that_ask_for_nothing_are_satisfiable() {
    let folder = folder();
    let sums = "(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))";
    for (name, clauses) in [("linear.smt2", ""), ("trees.smt2", sums)] {
        let text = format!(
            "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 1)){clauses}\
             (assert (forall ((x Int)) (=> (and (P x) (distinct x x)) false)))"
        );
        let file = write(&folder, name, text);
        let outcome = thetis(&["check", &file, "--format", "chc"]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.err);
        assert!(outcome.out.starts_with("sat\n(define-fun P (("), "{name}: {}", outcome.out);
    }
}

#[test]
fn what_is_not_understood_is_rejected_at_its_position() {
    let folder = folder();
    let deep = 1_000_000;
    for (text, message) in [
        ("(push 1)".to_owned(), "the command `push` is not supported"),
        ("(declare-const x Int)(assert (= x true))".to_owned(), ":30"),
        ("(assert (or".to_owned(), "`(` is not closed"),
        ("(".repeat(deep), "`(` is not closed"),
        (format!("(assert {}x{})", "(not ".repeat(deep), ")".repeat(deep)), "unknown symbol `x`"),
    ] {
        let file = write(&folder, "wrong.smt2", text);
        let outcome = thetis(&["check", &file]);
        assert_eq!(outcome.code, 2, "{message}");
        assert!(outcome.err.contains(message), "{message}: {:.300}", outcome.err);
    }
    let formula = write(&folder, "formula.smt2", "(declare-const x Int)(assert (< x 3))(check-sat)");
    let outcome = thetis(&["check", &formula]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("thetis interpolate"), "{}", outcome.err);
}

#[test]
fn answers_about_clauses_are_for_clauses_only() {
    let outcome = thetis(&["check", "examples/absolute.cfa", "--format", "chc"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
}

#[test]
fn an_automaton_goes_to_clauses_and_back() {
    let folder = folder();
    let converted = thetis(&["convert", "examples/absolute.cfa", "--to", "chc"]);
    assert_eq!(converted.code, 0, "{}", converted.err);
    let file = write(&folder, "again.smt2", converted.out);
    assert_eq!(thetis(&["check", &file]).out, "safe\n");
}

#[test]
fn two_scripts_have_a_proved_interpolant() {
    let folder = folder();
    let declarations = "(declare-const x Int)(declare-const y Int)(declare-const z Int)";
    let a = write(&folder, "a.smt2", format!("{declarations}(assert (and (> y z) (>= z x)))"));
    let b = write(&folder, "b.smt2", format!("{declarations}(assert (>= x y))"));
    for engine in ["ice", "farkas", "newton-wp", "newton-sp", "horn"] {
        let outcome = thetis(&["interpolate", &a, &b, "--engine", engine]);
        assert_eq!(outcome.code, 0, "{engine}: {}", outcome.err);
        assert!(outcome.out.starts_with("(define-fun interpolant (("), "{engine}: {}", outcome.out);
    }
    let points = folder.path().join("points.csv").display().to_string();
    let picture = folder.path().join("picture.svg").display().to_string();
    let config = "configs/ice/tree-init20-corr1.toml";
    let arguments = [
        "interpolate",
        &a,
        &b,
        "--config",
        config,
        "--data",
        &points,
        "--plot",
        &picture,
        "--format",
        "json",
    ];
    let outcome = thetis(&arguments);
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(report["verdict"], "interpolant");
    assert_eq!(report["statistics"]["entries"][0][0], "splitting");
    let parts = report["statistics"]["parts"].as_array().unwrap();
    let ice = parts.iter().find(|part| part["name"] == "ice").unwrap();
    assert_eq!(ice["entries"][0][0], "iterations");
    assert!(ice["entries"][0][1].as_u64().unwrap() >= 1, "{ice}");
    assert!(std::fs::read_to_string(points).unwrap().starts_with("label,"));
    assert!(std::fs::read_to_string(picture).unwrap().contains("<circle"));
}

/// Boxes that are learned in several steps: the picture has points, the area of the interpolant, and borders of earlier hypotheses.
#[test]
fn pictures_show_what_was_learned_before() {
    let folder = folder();
    let declarations = "(declare-const x Int)(declare-const y Int)";
    let a = write(
        &folder,
        "a.smt2",
        format!("{declarations}(assert (and (<= 0 x 12) (<= 0 y 9) (<= (+ x y) 15)))"),
    );
    let b = format!(
        "{declarations}(assert (or (and (<= 14 x 40) (<= 0 y 30)) (and (<= 12 y 30) (<= (- 10) x 40))))"
    );
    let b = write(&folder, "b.smt2", b);
    let picture = folder.path().join("picture.svg").display().to_string();
    let config = "configs/ice/tree-init20-corr1.toml";
    let outcome = thetis(&["interpolate", &a, &b, "--config", config, "--plot", &picture]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let picture = std::fs::read_to_string(picture).unwrap();
    for part in ["<circle", "fill=\"#a6dba0\"", "<path d=\"M", "</svg>"] {
        assert!(picture.contains(part), "{part}");
    }
}

#[test]
fn one_script_is_split_or_has_a_model() {
    let folder = folder();
    let script = |last: &str| {
        format!(
            "(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y 3))(assert {last})(check-sat)"
        )
    };
    let unsatisfiable = write(&folder, "unsat.smt2", script("(> x 2)"));
    for split in ["half", "core", "connected"] {
        let outcome = thetis(&["interpolate", &unsatisfiable, "--split", split]);
        assert_eq!(outcome.code, 0, "{split}: {}{}", outcome.out, outcome.err);
    }
    let missing = thetis(&["interpolate", &unsatisfiable, "--split", "named"]);
    assert_eq!(missing.code, 2, "{}", missing.out);
    assert!(missing.err.contains("`get-interpolants` is missing"), "{}", missing.err);
    let satisfiable = write(&folder, "sat.smt2", script("(> x 0)"));
    let outcome = thetis(&["interpolate", &satisfiable]);
    assert_eq!(outcome.code, 10);
    assert_eq!(outcome.out, "sat\n(define-fun x () Int 1)\n(define-fun y () Int 2)\n");
}

/// `get-interpolants` says what the two formulas are; the interpolant has only the variable that they share.
#[test]
fn a_script_says_how_it_is_split() {
    let folder = folder();
    let script = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
        (assert (! (< x y) :named A1))(assert (! (< z x) :named B1))(assert (! (< y 3) :named A2))(assert (! (> z 5) :named B2))\
        (check-sat)(get-interpolants (and A1 A2) (and B2 B1))";
    let file = write(&folder, "named.smt2", script);
    for engine in ["ice", "farkas", "newton-wp"] {
        let outcome = thetis(&["interpolate", &file, "--engine", engine]);
        assert_eq!(outcome.code, 0, "{engine}: {}{}", outcome.out, outcome.err);
        assert!(outcome.out.starts_with("(define-fun interpolant ((x Int)) "), "{engine}: {}", outcome.out);
    }
}

/// The hypotheses of another program are checked like those of learners: one that is right is found, one that fails ends the search.
#[test]
fn another_program_learns() {
    let pair = ["examples/above-a.smt2", "examples/above-b.smt2"];
    let with = |learner: &str| thetis(&["interpolate", pair[0], pair[1], "--learner", learner]);
    let learned = with("crates/thetis/tests/cli/learner.sh");
    assert_eq!(learned.code, 0, "{}{}", learned.out, learned.err);
    assert!(learned.out.starts_with("(define-fun interpolant "), "{}", learned.out);
    for (program, reason) in
        [("/bin/true", "No such file"), ("/bin/false", "exit status"), ("/nonexistent", "failed")]
    {
        let outcome = with(program);
        assert_eq!(outcome.code, 5, "{program}: {}{}", outcome.out, outcome.err);
        assert!(outcome.out.contains(reason), "{program}: {}", outcome.out);
    }
    let other = thetis(&["interpolate", pair[0], pair[1], "--engine", "farkas", "--learner", "/bin/true"]);
    assert_eq!(other.code, 1, "{}", other.err);
}
