//! Unwindings of loops that count with constants, and mistakes: known values must not hide a run.

use crate::{check, check_unwinding, is_rejected, parse, with_error_and_limit};
use thetis_model::cfa::{CfaProof, CfaUnwinding, EdgeId};

/// Two loops over an array. What they know of the counter, of the array and of `mode` closes most ways; `x` is not known.
pub(super) const LOOPS: &str = "
    main process loops {
        var i : int
        var s : int
        var x : int
        var mode : int
        var a : [int] -> int
        init loc start
        loc choose
        loc fill
        loc sum
        loc end
        error loc bad
        start -> choose { havoc x i := 0 mode := 1 }
        choose -> fill { assume x > 0 mode := 2 }
        choose -> fill { assume x <= 0 mode := 3 }
        fill -> fill { assume i < 4 a := a[i <- i] i := i + 1 }
        fill -> sum { assume i >= 4 i := 0 s := x }
        sum -> sum { assume i < 4 s := s + a[i] i := i + 1 }
        sum -> end { assume i >= 4 }
        end -> bad { assume s /= x + 6 }
        end -> bad { assume mode = 1 }
        end -> bad { assume a[2] /= 2 or a[3] = 4 }
    }";

/// Both loops are left after four rounds.
const BOUND: u32 = 8;

/// What is replaced in the text of the model, and by what; each change makes a run to the error location, or a longer run.
pub(super) const CHANGES: &[(&str, &str, &str)] = &[
    ("the sum differs", "x + 6", "x + 5"),
    ("the sum depends on an input", "s := x }", "s := x + x }"),
    ("the counter starts too high", "havoc x i := 0", "havoc x i := 1"),
    ("the counter starts anywhere", "havoc x i := 0", "havoc x havoc i"),
    ("the counter starts lower", "havoc x i := 0", "havoc x i := 0 - 1"),
    ("the counter is not set back", "i >= 4 i := 0 s := x", "i >= 4 s := x"),
    ("one round more", "assume i < 4 a :=", "assume i < 5 a :="),
    ("a loop can be left early", "sum -> end { assume i >= 4 }", "sum -> end { assume i >= 3 }"),
    ("a loop need not be entered", "fill -> sum { assume i >= 4", "fill -> sum { assume i >= 0"),
    ("a loop does not end", "s := s + a[i] i := i + 1", "s := s + a[i] i := i + 0"),
    ("a mode is not set on one way", "assume x <= 0 mode := 3", "assume x <= 0"),
    ("a mode is not set on the other way", "assume x > 0 mode := 2", "assume x > 0"),
    ("two modes are exchanged", "end -> bad { assume mode = 1 }", "end -> bad { assume mode = 3 }"),
    ("the other mode", "end -> bad { assume mode = 1 }", "end -> bad { assume mode = 2 }"),
    (
        "a mode is arbitrary",
        "havoc x i := 0 mode := 1 }",
        "havoc x i := 0 }\n start -> sum { havoc x i := 0 s := x }",
    ),
    ("a cell is overwritten", "i >= 4 i := 0 s := x", "i >= 4 i := 0 a := a[3 <- 0] s := x"),
    ("a cell somewhere is overwritten", "i >= 4 i := 0 s := x", "i >= 4 i := 0 a := a[x <- 9] s := x"),
    ("all cells are arbitrary", "i >= 4 i := 0 s := x", "i >= 4 i := 0 havoc a s := x"),
    (
        "cells differ on two ways",
        "a := a[i <- i] i := i + 1",
        "a := a[i <- (if x > 5 then i else 0)] i := i + 1",
    ),
    ("an index is off by one", "s := s + a[i] i", "s := s + a[i + 1] i"),
    ("a way around the loops", "start -> choose {", "start -> end { havoc x mode := 2 } start -> choose {"),
    ("a cell is one more", "a[3] = 4", "a[3] = 3"),
];

#[test]
fn the_unwinding_fits_its_model() {
    let task = parse(LOOPS);
    for bound in [BOUND, BOUND + 1, 30] {
        assert!(check_unwinding(&task, bound).is_ok(), "{bound}: {:?}", check_unwinding(&task, bound));
    }
}

#[test]
fn the_unwinding_fits_no_changed_model() {
    for (name, from, to) in CHANGES {
        assert!(LOOPS.contains(from), "{name}: nothing to replace");
        for task in with_error_and_limit(&LOOPS.replace(from, to)) {
            let result = check_unwinding(&task, BOUND);
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

#[test]
fn wrong_unwindings_are_rejected() {
    let edge = EdgeId::new;
    let task = parse(LOOPS);
    let right = CfaUnwinding { bound: BOUND, cuts: [edge(3), edge(5)].into(), ..CfaUnwinding::default() };
    assert!(check(&task, &CfaProof::Unwinding(right.clone())).is_ok());
    for (name, wrong) in [
        ("one round is missing", CfaUnwinding { bound: BOUND - 1, ..right.clone() }),
        ("one loop is missing", CfaUnwinding { bound: BOUND / 2, ..right.clone() }),
        ("there are no rounds", CfaUnwinding { bound: 0, ..right.clone() }),
        ("nothing is cut", CfaUnwinding { cuts: [].into(), ..right.clone() }),
        ("one loop is not cut", CfaUnwinding { cuts: [edge(3)].into(), ..right.clone() }),
        (
            "too much is cut",
            CfaUnwinding { cuts: [edge(0), edge(3), edge(4), edge(5)].into(), ..right.clone() },
        ),
        ("a cut does not exist", CfaUnwinding { cuts: [edge(3), edge(5), edge(99)].into(), ..right.clone() }),
    ] {
        let result = check(&task, &CfaProof::Unwinding(wrong));
        assert!(is_rejected(&result), "{name}: {result:?}");
    }
}

/// Conjunctions of a thousand inequalities are nothing that a solver should be asked about if constants decide.
#[test]
fn long_loops_over_constants_need_no_solver() {
    let long = LOOPS.replace("i < 4", "i < 300").replace("i >= 4", "i >= 300").replace("x + 6", "x + 44850");
    assert!(check_unwinding(&parse(&long), 600).is_ok());
    assert!(is_rejected(&check_unwinding(&parse(&long), 599)));
}
