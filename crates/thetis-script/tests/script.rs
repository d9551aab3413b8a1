//! Which scripts are accepted, and where the others are rejected.

use thetis_base::{Diagnostics, SourceMap};
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_script::{Input, Script, parse};

/// The script, or `line:column: message` of its first error.
fn read(text: &str) -> Result<Script, String> {
    match read_input(text)? {
        Input::Script(script) => Ok(script),
        Input::Clauses(_) => Err("clauses".into()),
    }
}

fn read_input(text: &str) -> Result<Input, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.smt2", text);
    let mut diags = Diagnostics::new();
    let input = parse(&sources, file, &mut diags);
    for diagnostic in diags.iter() {
        let _ = sources.text(diagnostic.span);
    }
    let first = diags.iter().find(|diagnostic| diagnostic.severity == thetis_base::Severity::Error);
    input.map_err(|_| {
        let first = first.expect("a rejected script should have an error");
        let start = sources.start(first.span);
        format!("{}:{}: {}", start.line, start.column, first.message)
    })
}

#[test]
fn assertions_are_terms() {
    for (text, expected) in [
        ("(declare-const x Int)(assert (< x 3))", "(< x 3)"),
        ("(declare-fun x () Int)(assert (let ((y (+ x 1))) (= y x)))", "(= x (+ x 1))"),
        (
            "(define-fun f ((a Int) (b Int)) Int (- a b))(declare-const x Int)(assert (= (f x 1) 0))",
            "(= (+ x (- 1)) 0)",
        ),
        ("(declare-const x Real)(assert (< x 1))", "(< x 1.0)"),
        (
            "(define-fun half ((a Real)) Real (/ a 2))(declare-const x Real)(assert (= x (half 1)))",
            "(= x (/ 1.0 2.0))",
        ),
        (
            "(declare-const p Bool)(assert (! p :named a))(assert (or a p))(check-sat)(get-model)(exit)(nonsense)",
            "p",
        ),
        ("(declare-const |1| Bool)(assert (as |1| Bool))", "|1|"),
        (
            "(define-sort Index () Int)(define-sort Memory () (Array Index Index))(declare-const m Memory)(declare-const i Index)\
             (assert (= i (select ((as const Memory) i) (select m i))))",
            "true",
        ),
        ("(define-const c Int 4)(declare-const x Int)(assert (= x c))", "(= x 4)"),
        ("(declare-const |x y| (_ BitVec 8))(assert (bvult |x y| #xff))", "(bvult |x y| #xff)"),
    ] {
        let script = read(text).unwrap_or_else(|message| panic!("{text}: {message}"));
        let formula = script.assertions[0].formula;
        assert_eq!(print_term(&script.store, formula, Dialect::Thetis), expected, "{text}");
    }
}

#[test]
fn what_is_not_understood_is_rejected_at_its_position() {
    for (text, expected) in [
        ("(push 1)", "1:2: the command `push` is not supported"),
        ("(check-sat)\n  (pop 1)", "2:4: the command `pop` is not supported"),
        ("(check-sat)(check-sat)", "1:13: a second `check-sat` is not supported"),
        ("(check-sat)(assert true)", "1:13: `assert` after `check-sat` is not supported"),
        (
            "(declare-fun f (Int) Int)",
            "1:14: functions with arguments are supported only as predicates of Horn clauses",
        ),
        ("(declare-const x Int)(declare-const x Int)", "1:37: `x` is declared twice"),
        ("(declare-const and Int)", "1:16: `and` is a symbol of SMT-LIB"),
        ("(assert (< x 3))", "1:12: unknown symbol `x`"),
        ("(assert 3)", "1:9: the term has another sort"),
        ("(assert (forall ((x Int)) true))", "1:10: `forall` is not supported"),
        (
            "(declare-const x Int)(assert (= 1 (div 1 x)))",
            "1:35: `div` by a term that may be zero is not supported",
        ),
        ("(assert (= 0 (mod 5 0)))", "1:14: `mod` by a term that may be zero is not supported"),
        ("(define-fun f ((a Int)) Int (+ a 1))(assert (= (f 1 2) 0))", "1:48: `f` takes 1 arguments, not 2"),
        ("(declare-const x Int)(assert (as x Bool))", "1:36: the symbol has another sort"),
        ("(assert (as true))", "1:9: `as` takes a symbol and a sort"),
        ("(define-sort S (X) (Array X Int))", "1:16: sorts with parameters are not supported"),
        ("(define-sort Int () Bool)", "1:14: `Int` is a symbol of SMT-LIB"),
        ("(define-sort S () Int)(define-sort S () Int)", "1:36: the sort `S` is defined twice"),
        ("(define-fun f ((a Int)) Bool (+ a 1))", "1:30: the term has another sort"),
        ("(assert true", "1:1: `(` is not closed"),
        ("(assert true))", "1:14: unexpected `)`"),
        ("x", "1:1: expected a command"),
        ("(assert)", "1:1: `assert` takes a formula"),
        ("(assert (bvadd #b1 #b11))", "1:9: the operands of `bvadd` have different sorts"),
    ] {
        let message = read(text).err().unwrap_or_else(|| panic!("{text}: accepted"));
        // The term reader decides about sorts; only the position is checked here.
        let position = |text: &str| text.split(' ').next().map(str::to_owned);
        match text.contains("bvadd") {
            true => assert_eq!(position(&message), position(expected), "{text}: {message}"),
            false => assert_eq!(message, expected, "{text}"),
        }
    }
}

#[test]
fn the_parts_of_interpolants_are_named() {
    let script = |question: &str| {
        format!(
            "(declare-const x Int)(assert (! (< x 0) :named A))(assert (! (> x 5) :named B))\
             (assert (! (< x 9) :named C))(check-sat)\n{question}"
        )
    };
    for (question, expected) in [
        ("(get-interpolants A (and B C))", vec![0]),
        ("(get-interpolants (and A C) B)", vec![0, 2]),
        ("(get-interpolants B (and C A))", vec![1]),
    ] {
        let script = read(&script(question)).unwrap_or_else(|message| panic!("{question}: {message}"));
        assert_eq!(script.first_part, Some(expected), "{question}");
    }
    for (question, expected) in [
        ("(get-interpolants A B)", "2:1: an assertion is in no part"),
        ("(get-interpolants A B C)", "2:1: only interpolants of two parts are supported"),
        ("(get-interpolants A (and B D))", "2:28: expected the name of an assertion"),
        ("(get-interpolants A (B))", "2:21: expected names of assertions"),
        ("(get-interpolants A (and A B C))", "2:26: the assertion has a part already"),
    ] {
        assert_eq!(read(&script(question)).err().as_deref(), Some(expected), "{question}");
    }
}

#[test]
fn all_independent_errors_are_reported() {
    let mut sources = SourceMap::new();
    let file = sources.add("test.smt2", "(push 1)(assert x)(assert y)(assert true)");
    let mut diags = Diagnostics::new();
    assert!(parse(&sources, file, &mut diags).is_err());
    assert_eq!(diags.num_errors(), 3);
}

#[test]
fn hostile_scripts_are_rejected_without_harm() {
    let deep = 1_000_000;
    let nested = format!("(assert {}true{})", "(not ".repeat(deep), ")".repeat(deep));
    assert!(read(&nested).is_ok());
    let lets = format!("(assert {}true{})", "(let ((x true)) ".repeat(deep), ")".repeat(deep));
    assert!(read(&lets).is_ok());
    assert!(read(&"(".repeat(deep)).err().unwrap().contains("not closed"));
    assert!(read(&format!("(assert {}", ")".repeat(deep))).is_err());
    let message = read(&format!("(assert |{}|)", "x".repeat(deep))).err().unwrap();
    assert!(message.starts_with("1:9: unknown symbol") && message.len() < 1000, "{message:.100}");
    let prefix = format!(
        "(set-logic HORN)(assert {}true{})",
        "(forall ((x Int)) ".repeat(deep / 10),
        ")".repeat(deep / 10)
    );
    assert!(read_input(&prefix).is_ok());
    let mut sorts = String::from("(define-sort s0 () Int)\n");
    for number in 1..1_000 {
        sorts += &format!("(define-sort s{number} () (Array Int s{}))\n", number - 1);
    }
    let message = read(&format!("{sorts}(declare-const x s999)")).err().unwrap();
    assert_eq!(message, "258:33: the sort is nested too deeply");
}

#[test]
fn definitions_that_double_are_stopped() {
    let mut script = String::from("(define-fun f0 ((x Int)) Int (+ (* 3 x) 1))\n");
    for number in 1..60 {
        let before = number - 1;
        script += &format!("(define-fun f{number} ((x Int)) Int (f{before} (f{before} x)))\n");
    }
    assert!(read(&script).err().unwrap().contains("makes the script too large"));
}

#[test]
fn a_large_script_is_read() {
    let line = "(assert (or (< x 10) (> (+ x 1) 20)))\n";
    let size = 50_000_000;
    let script = format!("(declare-const x Int)\n{}(assert (< x true))", line.repeat(size / line.len()));
    assert!(read(&script).is_err());
}
