//! Runs that are followed to their ends: wrong models, wrong numbers, and everything that leaves values open.

use std::collections::BTreeSet;

use thetis_checker::CheckError;
use thetis_expr::VarId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof, EdgeId, Stmt};
use thetis_testkit::cfa::{Shape, explore, random_cfa};

use super::proofs::at;
use crate::{check, is_rejected, parse, with_error_and_limit};

/// `declarations`, then an error location `bad`, a start `A`, some further locations, and `edges`.
fn model(declarations: &str, edges: &str) -> String {
    format!("main process p {{ {declarations} init loc A loc B loc C loc D error loc bad {edges} }}")
}

fn exhaustion(max_steps: u64) -> CfaProof {
    CfaProof::Exhaustion { max_steps, by_value: BTreeSet::new() }
}

/// All values of these variables are tried.
fn by_value(task: &Task<Cfa>, max_steps: u64, names: &[&str]) -> CfaProof {
    let is_named = |var: &VarId| names.iter().any(|name| task.store.var_name(*var).ends_with(name));
    let by_value = task.model.vars.iter().copied().filter(is_named).collect();
    CfaProof::Exhaustion { max_steps, by_value }
}

/// A loop that adds up the numbers to ten; ten rounds, one edge before and one after.
const SUM: &str = "A -> B { s := 0 i := 1 } B -> B { assume i <= 10 s := s + i i := i + 1 } \
                   B -> C { assume i > 10 } C -> bad { assume s /= 55 }";
const NUM_STEPS: u64 = 12;

#[test]
fn the_number_of_steps_counts() {
    for task in with_error_and_limit(&model("var s : int var i : int", SUM)) {
        for max_steps in [NUM_STEPS, NUM_STEPS + 1, u64::MAX] {
            check(&task, &exhaustion(max_steps)).unwrap();
        }
        for max_steps in [0, 1, NUM_STEPS - 1] {
            assert!(is_rejected(&check(&task, &exhaustion(max_steps))), "{max_steps}");
        }
    }
}

/// Changes of the sum, each of which makes a run arrive at `bad`, or may.
const WRONG_SUMS: [(&str, &str); 12] = [
    ("s := 0", ""),
    ("i := 1", ""),
    ("i := 1", "i := 2"),
    ("s := 0", "havoc s"),
    ("s := 0", "s := 1"),
    ("i <= 10", "i <= 11"),
    ("i <= 10", "true"),
    ("i > 10", "true"),
    ("i > 10", "s > 10"),
    ("s + i", "s - i"),
    ("assume s /= 55", "assume s = 55"),
    ("assume s /= 55", ""),
];

#[test]
fn wrong_models_are_rejected() {
    for (right, wrong) in WRONG_SUMS {
        let changed = SUM.replacen(right, wrong, 1);
        assert_ne!(changed, SUM);
        for task in with_error_and_limit(&model("var s : int var i : int", &changed)) {
            assert!(is_rejected(&check(&task, &exhaustion(1000))), "{right} -> {wrong}");
        }
    }
}

/// Automata over all sorts, with whether no run arrives at `bad`, as far as that can be known.
const TABLE: [(&str, &str, bool); 26] = [
    ("var x : int", "A -> bad { assume x = 0 }", false),
    ("var x : int", "A -> bad { x := 1 assume x = 0 }", true),
    ("var x : int", "A -> B { x := 1 } B -> bad { havoc x assume x = 0 }", false),
    ("var b : bool", "A -> B { assume b } B -> bad { assume not b }", true),
    ("var b : bool", "A -> B { assume not b } B -> bad { assume b }", true),
    ("var b : bool", "A -> B { assume b } B -> bad { havoc b assume not b }", false),
    ("var x : int", "A -> B { assume x = 3 } B -> bad { assume x = 4 }", true),
    ("var x : int", "A -> B { assume x = 3 } B -> bad { assume x + 1 = 4 }", false),
    ("var x : int", "A -> B { assume x /= 3 } B -> bad { assume x = 3 }", false),
    // Signs.
    ("var x : int", "A -> B { assume x < 0 } B -> bad { assume x = 0 }", true),
    ("var x : int", "A -> B { assume x <= 0 } B -> bad { assume x = 0 }", false),
    ("var x : int", "A -> B { assume x < 0 } B -> bad { assume x > 0 }", true),
    ("var x : int", "A -> B { assume x < 1 } B -> bad { assume x > 0 }", false),
    ("var x : int", "A -> B { assume 0 < x x := 0 - x } B -> bad { assume x < 0 }", false),
    ("var x : int var y : int", "A -> B { y := if x < 0 then x else -1 } B -> bad { assume y = 0 }", true),
    ("var x : int var y : int", "A -> B { y := if x <= 0 then x else -1 } B -> bad { assume y = 0 }", false),
    ("var x : int var y : int", "A -> B { y := if x /= 0 then x else 1 } B -> bad { assume 0 = y }", true),
    ("var x : int var y : int", "A -> B { y := if x = 0 then x else 1 } B -> bad { assume 0 = y }", false),
    // Arrays.
    ("var a : [int] -> int", "A -> B { a := a[2 <- 7] } B -> bad { assume a[2] /= 7 }", true),
    ("var a : [int] -> int", "A -> B { a := a[2 <- 7] } B -> bad { assume a[3] /= 7 }", false),
    (
        "var a : [int] -> int var i : int",
        "A -> B { a := a[2 <- 7][i <- 8] } B -> bad { assume a[2] /= 7 }",
        false,
    ),
    (
        "var a : [int] -> int var i : int",
        "A -> B { a := a[i <- 8][2 <- 7] } B -> bad { assume a[2] /= 7 }",
        true,
    ),
    (
        "var a : [int] -> int var b : [int] -> int",
        "A -> B { a := [<int> default <- 0] b := a a := a[1 <- 5] } B -> bad { assume b[1] = 5 or a = b }",
        true,
    ),
    (
        "var a : [int] -> int",
        "A -> B { a := a[1 <- 5][2 <- 6] a := a[1 <- a[2]][2 <- a[1]] } B -> bad { assume a[1] /= 6 or a[2] /= 5 }",
        true,
    ),
    // Several ways.
    (
        "var x : int var b : bool",
        "A -> B { x := 1 } A -> B { x := 2 } B -> C { assume b } B -> C { assume not b x := x + 1 } C -> bad { assume x > 3 }",
        true,
    ),
    (
        "var x : int var b : bool",
        "A -> B { x := 1 } A -> B { x := 2 } B -> C { assume b } B -> C { assume not b x := x + 1 } C -> bad { assume x > 2 }",
        false,
    ),
];

#[test]
fn what_is_known_decides() {
    for (declarations, edges, is_accepted) in TABLE {
        for task in with_error_and_limit(&model(declarations, edges)) {
            let result = check(&task, &exhaustion(1000));
            assert_eq!(is_rejected(&result), !is_accepted, "{edges}: {result:?}");
        }
    }
}

#[test]
fn choices_are_followed_one_by_one() {
    for (second, is_accepted) in [("x := 5 assume x < 5", true), ("x := 5", false), ("havoc x", false)] {
        let edges = format!(
            "A -> B {{ x := 0 }} B -> C {{ assume x = 0 x := 1 }} B -> C {{ {second} }} C -> D {{ x := x + 1 }} D -> bad {{ assume x > 2 }}"
        );
        let mut task = parse(&model("var x : int", &edges));
        // The edges from B to C become one.
        let [first, second, last] =
            [1, 2, 3].map(|number| task.model.edges[EdgeId::new(number)].stmt.clone());
        let choice = Stmt::choice(vec![first, second]);
        task.model.edges[EdgeId::new(1)].stmt = Stmt::seq(vec![choice, last]);
        task.model.edges[EdgeId::new(2)].stmt = Stmt::choice(Vec::new());
        task.model.edges[EdgeId::new(3)].stmt = Stmt::skip();
        assert_eq!(is_rejected(&check(&task, &exhaustion(100))), !is_accepted, "{edges}");
    }
}

#[test]
fn runs_without_an_end_are_rejected_unless_they_do_not_matter() {
    let forever = "A -> B { x := 0 } B -> B { x := x + 1 } B -> bad { assume x < 0 }";
    assert!(is_rejected(&check(&parse(&model("var x : int", forever)), &exhaustion(10_000))));
    let aside = "A -> B { x := 0 } B -> bad { assume x < 0 } B -> C { assume x = 0 } C -> C { x := x + 1 }";
    check(&parse(&model("var x : int", aside)), &exhaustion(10)).unwrap();
    for (last, is_accepted) in [("x = 7", true), ("x = 4", false)] {
        let round =
            format!("A -> B {{ x := 0 }} B -> B {{ x := (x + 1) mod 5 }} B -> bad {{ assume {last} }}");
        let result = check(&parse(&model("var x : int", &round)), &exhaustion(30));
        assert_eq!(is_rejected(&result), !is_accepted, "{last}: {result:?}");
    }
}

#[test]
fn an_error_location_at_the_start_is_reached() {
    let mut task = parse(&model("var x : int", "A -> bad { assume false }"));
    check(&task, &exhaustion(10)).unwrap();
    task.model.initial = at(&task, "bad");
    assert!(matches!(check(&task, &exhaustion(10)), Err(CheckError::Rejected(_))));
}

/// The square root of a number below 16, of a remainder, and of four bits.
const ROOTS: [&str; 3] = [
    "A -> B { havoc x assume 0 <= x and x <= 15 r := 0 }",
    "A -> B { x := y mod 16 r := 0 }",
    "A -> B { x := y havoc x assume x >= 0 and 15 >= x r := 0 }",
];
const ROUNDS: &str = "B -> B { assume (r + 1) * (r + 1) <= x r := r + 1 } B -> C { assume (r + 1) * (r + 1) > x } \
                      C -> bad { assume r > 3 or r * r > x or (r + 1) * (r + 1) <= x }";
/// One edge to B, some rounds, and one edge to C for each number; all numbers but the first count as well.
const NUM_STEPS_OF_ROOTS: u64 = 1 + 34 + 16 + 15;

fn root(first: &str, rounds: &str) -> String {
    model("var x : int var y : int var r : int", &format!("{first} {rounds}"))
}

#[test]
fn values_are_tried_where_the_proof_says_so() {
    for first in ROOTS {
        for task in with_error_and_limit(&root(first, ROUNDS)) {
            for names in [&["x"][..], &["x", "y"], &["r", "x"]] {
                check(&task, &by_value(&task, NUM_STEPS_OF_ROOTS, names)).unwrap();
                let result = check(&task, &by_value(&task, NUM_STEPS_OF_ROOTS - 1, names));
                assert!(is_rejected(&result), "{first}");
            }
            for names in [&[][..], &["r"], &["y"], &["r", "y"]] {
                let result = check(&task, &by_value(&task, 10_000, names));
                assert!(is_rejected(&result), "{first} {names:?}");
            }
        }
    }
}

/// Changes of the first model above after which a run arrives at `bad`, or a number is no longer limited.
const WRONG_ROOTS: [(&str, &str); 18] = [
    ("x <= 15", "x <= 16"),
    ("x <= 15", "x < 17"),
    ("x <= 15", "x /= 15"),
    ("x <= 15", "15 <= x"),
    ("x <= 15", "true"),
    ("0 <= x", "-1 <= x"),
    ("0 <= x", "true"),
    ("0 <= x", "0 <= y"),
    ("0 <= x and x <= 15", "0 <= y and y <= 15"),
    ("0 <= x and x <= 15", "0 <= x or x <= 15"),
    ("0 <= x and x <= 15", "not (0 <= x and x <= 15)"),
    ("0 <= x and x <= 15", "0 <= x and x <= y"),
    ("x <= 15 r := 0", "x <= 15 havoc x r := 0"),
    ("x <= 15 r := 0", "x <= 15 x := x + 1 r := 0"),
    ("r := 0", "r := 1"),
    ("r := 0", "havoc r"),
    ("r > 3", "r > 2"),
    ("(r + 1) <= x r", "r <= x r"),
];

#[test]
fn wrong_limits_are_rejected() {
    let right = format!("{} {ROUNDS}", ROOTS[0]);
    for (part, wrong) in WRONG_ROOTS {
        let changed = right.replacen(part, wrong, 1);
        assert_ne!(changed, right);
        for task in with_error_and_limit(&root(&changed, "")) {
            assert!(
                is_rejected(&check(&task, &by_value(&task, 100_000, &["x", "y", "r"]))),
                "{part} -> {wrong}"
            );
        }
    }
}

/// What limits numbers to few values, with whether it does so rightly.
const LIMITS: [(&str, &str, bool); 16] = [
    ("var x : bv[4]", "A -> B { havoc x } B -> bad { assume x bvadd x = 4'd1 }", true),
    ("var x : bv[4]", "A -> B { havoc x } B -> bad { assume x bvadd x = 4'd14 }", false),
    ("var x : bv[17]", "A -> B { havoc x } B -> bad { assume x bvadd x = 17'd1 }", false),
    ("var x : bv[8]", "A -> B { assume x bvult 8'd16 } B -> bad { assume x bvmul x bvugt 8'd225 }", true),
    ("var x : bv[8]", "A -> B { assume x bvule 8'd22 } B -> bad { assume x bvmul x bvugt 8'd225 }", false),
    ("var x : bv[8]", "A -> B { assume x bvslt 8'd16 } B -> bad { assume x bvmul x bvugt 8'd225 }", false),
    (
        "var x : bv[8]",
        "A -> B { assume not (x bvuge 8'd16) } B -> bad { assume x bvmul x bvugt 8'd225 }",
        true,
    ),
    (
        "var x : bv[8]",
        "A -> B { assume not (x bvult 8'd240) } B -> bad { assume x bvmul x bvugt 8'd225 }",
        false,
    ),
    (
        "var x : bv[8] var y : bv[8]",
        "A -> B { y := x bvurem 8'd16 } B -> bad { assume y bvmul y bvugt 8'd225 }",
        true,
    ),
    (
        "var x : bv[8] var y : bv[8]",
        "A -> B { y := x bvurem 8'd0 } B -> bad { assume y bvmul y bvugt 8'd225 }",
        false,
    ),
    (
        "var x : bv[8] var y : bv[8]",
        "A -> B { y := x bvand 8'd15 } B -> bad { assume y bvmul y bvugt 8'd225 }",
        true,
    ),
    (
        "var x : bv[8] var y : bv[8]",
        "A -> B { y := x bvand 8'd240 } B -> bad { assume y bvmul y bvugt 8'd225 }",
        false,
    ),
    ("var x : int var y : int", "A -> B { y := x mod 5 } B -> bad { assume y * y = 5 or y > 4 }", true),
    ("var x : int var y : int", "A -> B { y := x mod -5 } B -> bad { assume y * y = 5 or y > 4 }", false),
    ("var x : int var y : int", "A -> B { y := x mod 5 - 2 } B -> bad { assume y * y = 5 or y > 2 }", true),
    ("var x : int var y : int", "A -> B { y := x mod 5 - 2 } B -> bad { assume y * y = 4 }", false),
];

#[test]
fn limits_of_statements_are_right() {
    for (declarations, edges, is_accepted) in LIMITS {
        for task in with_error_and_limit(&model(declarations, edges)) {
            let result = check(&task, &by_value(&task, 100_000, &["x", "y"]));
            assert_eq!(is_rejected(&result), !is_accepted, "{edges}: {result:?}");
        }
    }
}

/// Each of them is tried for nothing, and nobody could say how long that takes if they did not count.
#[test]
fn values_that_no_condition_allows_are_counted() {
    let edges = "A -> B { havoc x assume x >= 0 and x < 16 assume y >= 0 and y < 16 assume x * x + y * y = 3 } \
                 B -> bad { }";
    let task = parse(&model("var x : int var y : int", edges));
    let num_steps = 1 + 15 + 16 * 15;
    check(&task, &by_value(&task, num_steps, &["x", "y"])).unwrap();
    for max_steps in [0, 1, 16, num_steps - 1] {
        assert!(is_rejected(&check(&task, &by_value(&task, max_steps, &["x", "y"]))), "{max_steps}");
    }
}

/// Random automata have variables with few values only, most of which are limited by what they are assigned. Whatever is tried by value,
/// no automaton with a run to an error has such a proof.
#[test]
fn no_random_automaton_with_a_violation_is_exhausted() {
    let (mut num_only_by_value, mut num_unsafe) = (0, 0);
    let small = Shape { max_locations: 3, max_degree: 2, ..Shape::default() };
    for seed in 0..1000 {
        let task = random_cfa(seed, if seed % 2 == 0 { small } else { Shape::default() });
        let is_unsafe = explore(&task).least_bound.is_some();
        num_unsafe += u32::from(is_unsafe);
        let is_proved = |names: &[&str]| check(&task, &by_value(&task, 5_000, names)).is_ok();
        let by_value = [&["v0", "v1", "v2"][..], &["v0"], &["v1", "v2"]].map(is_proved).contains(&true);
        let without = is_proved(&[]);
        assert!(!(is_unsafe && (by_value || without)), "seed {seed}");
        num_only_by_value += u32::from(by_value && !without);
    }
    assert!(num_unsafe > 100 && num_only_by_value > 4, "{num_unsafe} {num_only_by_value}");
}
