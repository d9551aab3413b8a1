//! Large files take time and memory in proportion: 50 MB when optimised, 1 MB otherwise.

use std::time::{Duration, Instant};

use crate::common::{Outcome, parse};

const SIZE: usize = if cfg!(debug_assertions) { 1 << 20 } else { 50 << 20 };

fn timed(what: &str, text: &str) -> (Outcome, String) {
    let start = Instant::now();
    let outcome = parse("large.cfa", text);
    let time = start.elapsed();
    assert!(time < Duration::from_secs(60), "{what} took {time:?}");
    let terms = outcome.task.as_ref().map_or(0, |task| task.store.num_terms());
    let report = format!("{what}: {} bytes, {terms} terms, {time:.2?}", text.len());
    (outcome, report)
}

/// `part` again and again, up to the size.
fn filled(start: &str, mut part: impl FnMut(usize) -> String, end: &str) -> String {
    let mut text = String::from(start);
    let mut number = 0;
    while text.len() < SIZE {
        text += &part(number);
        number += 1;
    }
    text + end
}

const START: &str = "main process p {
    var x : int var y : int var b : bool var a : [int] -> int
    init loc A
    error loc E
";

fn statement(number: usize) -> String {
    format!("    A -> E {{ assume x + {number} < y and not b  x := 2 * y + a[{}] }}\n", number % 1000)
}

#[test]
fn correct_files() {
    let cases = [
        ("edges", filled(START, statement, "}\n")),
        ("locations", filled(START, |number| format!("    loc l{number}\n    A -> l{number}\n"), "}\n")),
        (
            "variables",
            filled(START, |number| format!("    var v{number} : bv[{}]\n", number % 60 + 1), "}\n"),
        ),
        ("one sum", filled(&format!("{START} A -> E {{ x := x"), |number| format!(" + {number} * y"), "} }")),
        (
            "one if",
            filled(&format!("{START} A -> E {{ x := "), |n| format!("if x < {n} then {n} else "), "x } }"),
        ),
        (
            "one array",
            filled(&format!("{START} A -> E {{ a := ["), |n| format!("{n} <- {n}, "), "default <- 0] } }"),
        ),
        (
            "writes",
            filled(
                &format!("{START} A -> E {{ a := [<int> default <- 0]"),
                |n| format!("[{n} <- {n}]"),
                "} }",
            ),
        ),
        ("one comment", filled(&format!("{START} /*"), |_| "* nothing ".to_owned(), "*/ }")),
    ];
    for (what, text) in cases {
        let (outcome, report) = timed(what, &text);
        println!("{report}");
        assert!(outcome.task.is_some(), "{what}: {}", outcome.messages);
    }
}

#[test]
fn wrong_files() {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u32
    };
    let char = move |_| char::from_u32(random() % 0x300).unwrap_or('?').to_string();
    let cases = [
        ("random characters", filled("", char, "")),
        ("control characters", filled("", |_| "\u{1}\u{2}\0".to_owned(), "")),
        ("a process without end", filled(START, statement, "")),
        ("one number", filled(&format!("{START} A -> E {{ x := "), |_| "9876543210".to_owned(), "} }")),
        ("one name", filled(START, |_| "abcdefghij".to_owned(), "}")),
        ("open brackets", filled(&format!("{START} A -> E {{ x := "), |_| "(((([[[[".to_owned(), "} }")),
        ("keywords", filled(START, |_| "loc loc var main ".to_owned(), "}")),
        ("wrong statements", filled(START, |_| "A -> E { x := b }\n".to_owned(), "}")),
        ("a last error", filled(START, statement, "A -> E { z := 1 } }")),
    ];
    for (what, text) in cases {
        let (outcome, report) = timed(what, &text);
        println!("{report}");
        assert!(outcome.task.is_none(), "{what}");
    }
}
