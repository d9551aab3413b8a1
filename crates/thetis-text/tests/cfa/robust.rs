//! No text makes the front end panic, overflow the stack or point outside the file.

use proptest::prelude::*;

use crate::common::{self, Outcome};

/// Parses and checks that every place lies in the text; rendering checks that it is between characters.
fn survives(text: &str) -> Outcome {
    let outcome = common::parse("a.cfa", text);
    for span in &outcome.spans {
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} in {text:?}");
    }
    outcome
}

fn process(body: &str) -> String {
    format!("main process p {{ var x : int var b : bool init loc A error loc E A -> E {{ {body} }} }}")
}

/// Everything that can stand in a file, with some words that need care.
const WORDS: &[&str] = &[
    "main",
    "process",
    "p",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    ":=",
    "->",
    "<-",
    "=",
    "/=",
    "<=",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "++",
    "'",
    ".",
    "var",
    "x",
    "y",
    "a",
    "b",
    "init",
    "final",
    "error",
    "loc",
    "A",
    "B",
    "havoc",
    "assume",
    "return",
    "bool",
    "int",
    "rat",
    "bv",
    "fp",
    "8",
    "0",
    "24",
    "[8]",
    "true",
    "false",
    "if",
    "then",
    "else",
    "iff",
    "imply",
    "forall",
    "exists",
    "or",
    "xor",
    "and",
    "not",
    "mod",
    "rem",
    "default",
    "bvult",
    "bvsge",
    "bvor",
    "bvxor",
    "bvand",
    "bvshl",
    "bvrol",
    "bvror",
    "bvadd",
    "bvudiv",
    "bvnot",
    "bvneg",
    "bv_zero_extend",
    "bv_sign_extend",
    "fpmax",
    "fpadd",
    "[RNE]",
    "fpabs",
    "fptofp",
    "[8,24]",
    "fptobv",
    "[8'u]",
    "fpfrombv",
    "[u]",
    "4'b0101",
    "8'd-3",
    "8'xff",
    "2'b01.3'd0",
    "1%2",
    "x := x + 1",
    "assume b",
    "A -> B {",
    "var x : int",
    "init loc A",
    "[<int> default <- 0]",
    "//",
    "/*",
    "*/",
    "\n",
    "§",
    "\0",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        survives(&words.join(" "));
    }

    #[test]
    fn random_statements(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        survives(&process(&words.join(" ")));
    }

    #[test]
    fn random_expressions(words in prop::collection::vec(prop::sample::select(WORDS), 0..30)) {
        survives(&process(&format!("assume {}", words.join(" "))));
    }
}

#[test]
fn files_without_a_model() {
    for (text, expected) in [
        ("", "a.cfa:1:1: error[main-process]: expected `main process`, the file has none"),
        ("\n\n  // nothing\n", "a.cfa:1:1: error[main-process]: expected `main process`, the file has none"),
        ("\0\0\0", "a.cfa:1:1: error[syntax]: unexpected characters, the first is `\\0`"),
        ("\u{7f}ELF\u{2}", "a.cfa:1:1: error[syntax]: unexpected character `\\u{7f}`"),
        ("var x : int", "a.cfa:1:1: error[main-process]: expected `main process`, the file has none"),
        ("/* main process", "a.cfa:1:1: error[syntax]: this comment does not end: `*/` is missing"),
    ] {
        let outcome = survives(text);
        assert_eq!(outcome.messages.lines().next(), Some(expected), "{text:?}");
    }
}

#[test]
fn nesting_is_limited_not_fatal() {
    let parens = |depth: usize| format!("assume {}b{}", "(".repeat(depth), ")".repeat(depth));
    assert!(survives(&process(&parens(9_999))).task.is_some());
    for open in ["(", "[", "[<int> default <- ", "x[", "if ", "f(", "not (", "- (", "forall (x : int) "] {
        let outcome = survives(&process(&format!("assume {}", open.repeat(1_000_000))));
        let first = outcome.messages.lines().next().unwrap_or_default();
        assert!(first.contains("error["), "{open}: {first}");
    }
    let deep = survives(&process(&parens(10_000)));
    assert!(deep.messages.contains("error[too-deep]: nested too deeply: more than 10000 levels"));
}

#[test]
fn types_may_be_nested_a_little() {
    let with_type = |ty: &str| format!("var a : {ty} {}", process(""));
    assert!(survives(&with_type(&format!("{}int", "[int] -> ".repeat(64)))).task.is_some());
    assert!(survives(&with_type(&format!("{}int", "[int] -> ".repeat(65)))).task.is_none());
    survives(&with_type(&format!("{}int", "[int] -> ".repeat(200_000))));
    survives(&with_type(&"[".repeat(200_000)));
    let literal =
        |depth: usize| format!("assume {}0{} = 0", "[<int> default <- ".repeat(depth), "]".repeat(depth));
    let messages = survives(&process(&literal(9_000))).messages;
    assert!(messages.contains("nested so deeply"), "{messages}");
}

#[test]
fn long_expressions_are_no_problem() {
    let repeat = |part: &str| part.repeat(100_000);
    for body in [
        format!("x := x{}", repeat(" - x")),
        format!("x := x{}", repeat(" + x")),
        format!("assume b{}", repeat(" and b")),
        format!("assume b{}", repeat(" imply b")),
        format!("x := {}x", repeat("- ")),
        format!("x := {}x", repeat("if b then x else ")),
        repeat("x := x + 1 "),
    ] {
        let outcome = survives(&process(&body));
        assert!(outcome.task.is_some(), "{}", outcome.messages);
    }
    let message = survives(&process(&format!("assume b{}", repeat("'")))).messages;
    assert!(message.contains("primed expressions are not supported"), "{message}");
}

#[test]
fn many_errors_are_cut_off() {
    let outcome = survives(&process(&"x := b ".repeat(1000)));
    let lines: Vec<&str> = outcome.messages.lines().filter(|line| line.contains("error[")).collect();
    assert_eq!(lines.len(), 51);
    assert!(lines[50].ends_with("error[too-many-errors]: too many errors: only the first 50 are shown"));
}
