//! Loops over unbounded integers: none of them may be enumerated value by value.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::time::Duration;

use common::{certified, figure, problem, solvers};
use thetis_engine::Engine;
use thetis_ic3::{CfaIc3, Ic3Config};
use thetis_model::Verdict;
use thetis_testkit::cfa::parse;

/// A loop: its name, what happens before it, in it (with its condition) and what is violated after it.
struct Loop {
    name: &'static str,
    before: &'static str,
    body: &'static str,
    violation: &'static str,
    is_unsafe: bool,
}

const fn safe(name: &'static str, before: &'static str, body: &'static str, violation: &'static str) -> Loop {
    Loop { name, before, body, violation, is_unsafe: false }
}

const fn violated(
    name: &'static str,
    before: &'static str,
    body: &'static str,
    violation: &'static str,
) -> Loop {
    Loop { name, before, body, violation, is_unsafe: true }
}

const LOOPS: &[Loop] = &[
    safe("never negative", "x := 0", "x := x + 1", "assume x < 0"),
    safe("same pace", "x := 0 y := 0", "x := x + 1 y := y + 1", "assume x /= y"),
    safe("double pace", "x := 0 y := 0", "x := x + 1 y := y + 2", "assume y /= 2 * x"),
    safe("a sum stays", "havoc n x := n y := 0", "assume x > 0 x := x - 1 y := y + 1", "assume x + y /= n"),
    safe(
        "moved over",
        "havoc n assume n >= 0 x := n y := 0",
        "assume x > 0 x := x - 1 y := y + 1",
        "assume x <= 0 and y /= n",
    ),
    safe("up to a bound", "havoc n assume n >= 0 x := 0", "assume x < n x := x + 1", "assume x > n"),
    safe(
        "exactly a bound",
        "havoc n assume n >= 0 x := 0",
        "assume x < n x := x + 1",
        "assume x >= n and x /= n",
    ),
    safe(
        "counts rounds",
        "havoc n assume n >= 0 x := 0 y := 0",
        "assume x < n x := x + 1 y := y + 1",
        "assume x >= n and y /= n",
    ),
    safe("up by two", "x := 0 y := 0", "x := x + 2 y := y + 1", "assume x < y"),
    safe("ahead", "x := 1 y := 0", "x := x + y y := y + 1", "assume x < y"),
    safe(
        "ahead after a while",
        "x := 1 y := 0",
        "assume y < 1000 x := x + y y := y + 1",
        "assume y >= 1000 and x < y",
    ),
    safe(
        "a sum of all numbers",
        "havoc n assume n >= 0 x := 0 y := 0",
        "assume x <= n x := x + 1 y := y + x",
        "assume x > n and x + y <= 2 * n",
    ),
    safe("up and down", "x := 0 y := 10", "assume y > 0 x := x + 1 y := y - 1", "assume x > 10"),
    safe("larger and larger", "x := 1", "havoc y assume y >= 0 x := x + y", "assume x < 1"),
    safe("between", "x := 5", "havoc y assume 0 <= y and y <= 9 x := y", "assume x > 9"),
    safe("keeps its sign", "havoc x assume x < 0", "x := x - 1", "assume x >= 0"),
    safe("a flag", "x := 0 y := 0", "assume y = 0 havoc y x := x + y", "assume y = 0 and x /= 0"),
    safe(
        "two phases",
        "x := 0 y := 0",
        "havoc n x := (if n > 0 then x + 1 else x) y := (if n > 0 then y else y + 1)",
        "assume x + y < 0",
    ),
    safe("a difference", "havoc y x := y + 3", "havoc n x := x + n y := y + n", "assume x - y /= 3"),
    safe("a guard inside", "x := 0", "x := (if x < 7 then x + 1 else x)", "assume x > 7"),
    safe("a large step", "x := 0 y := 0", "assume x < 1000000 x := x + 1 y := y + 3", "assume y > 3 * x"),
    safe("three counters", "x := 0 y := 0 n := 0", "x := x + 1 y := y + 1 n := n + 2", "assume n /= x + y"),
    safe("one late", "x := 0 y := 0", "y := x x := x + 1", "assume y > x"),
    safe(
        "a product by sums",
        "havoc n assume n >= 0 x := 0 y := 0",
        "assume x < n x := x + 1 y := y + 4",
        "assume x >= n and y /= 4 * n",
    ),
    safe(
        "at most as many rounds",
        "x := 0 y := 0",
        "assume x < 1000000 havoc n assume 1 <= n x := x + n y := y + 1",
        "assume x >= 1000000 and y > 1000000",
    ),
    safe(
        "twice a half",
        "havoc n assume n >= 0 x := n y := 0",
        "assume y < n / 2 x := x - 1 y := y + 1",
        "assume y < n / 2 and x <= 0",
    ),
    violated("a few rounds", "x := 0", "x := x + 1", "assume x > 6"),
    violated("a lucky input", "x := 0", "havoc y assume y < 10 x := x + y", "assume x = 25"),
    violated(
        "off by one",
        "havoc n assume n >= 0 x := 0",
        "assume x <= n x := x + 1",
        "assume x > n + 0 and x /= n",
    ),
];

fn model(item: &Loop) -> String {
    format!(
        "main process p {{ var x : int var y : int var n : int init loc start loc head error loc bad
        start -> head {{ {} }} head -> head {{ {} }} head -> bad {{ {} }} }}",
        item.before, item.body, item.violation
    )
}

#[test]
fn loops_are_not_enumerated() {
    let mut unsolved = Vec::new();
    let (mut most_iterations, mut num_points) = (0, 0);
    for item in LOOPS {
        let task = parse(&model(item));
        let mut engine = CfaIc3::new(Ic3Config::default(), solvers());
        let verdict = certified(&mut engine, &task, Duration::from_secs(20));
        assert_eq!(problem(&verdict, item.is_unsafe), None, "{}", item.name);
        let iterations = figure(&engine.statistics(), "iterations");
        num_points += figure(&engine.statistics(), "point-cubes");
        match verdict {
            Verdict::Unknown(_) => unsolved.push((item.name, iterations)),
            Verdict::Safe(_) => most_iterations = most_iterations.max(iterations),
            Verdict::Unsafe(_) => {}
        }
    }
    assert_eq!(unsolved, []);
    // Two of the loops have ten rounds or fewer and may be followed to their ends.
    assert!(most_iterations <= 15, "{most_iterations} iterations");
    assert!(num_points <= 40, "{num_points} cubes are points");
}
