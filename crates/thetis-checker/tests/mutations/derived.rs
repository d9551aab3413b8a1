//! Proofs with derived locations: right ones, and mistakes.

use std::fmt::Write as _;

use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, EdgeId, LocId};

use super::proofs::{COUNTER, LOOP_INVARIANT, at, formula};
use crate::{check, is_rejected, parse, with_error_and_limit};

fn proof(task: &Task<Cfa>, formulas: &[(&str, &str)], derived: &[&str]) -> CfaProof {
    CfaProof::Invariants(CfaInvariants {
        formulas: formulas.iter().map(|(name, text)| (at(task, name), formula(task, text))).collect(),
        derived: derived.iter().map(|name| at(task, name)).collect(),
        ..CfaInvariants::default()
    })
}

/// The formulas of a proof and its derived locations.
type Parts = (&'static [(&'static str, &'static str)], &'static [&'static str]);

const RIGHT: &[Parts] = &[
    (&[("head", LOOP_INVARIANT)], &["body", "done"]),
    (&[("head", LOOP_INVARIANT)], &["start", "body", "done"]),
    (&[("body", "(and (>= x 0) (< x 10) (= z x))")], &["start", "head", "done"]),
    (&[("head", LOOP_INVARIANT), ("body", "(= z x)"), ("done", "(= x 10)")], &["body", "done"]),
];

const WRONG: &[(&str, Parts)] = &[
    ("a cycle is derived", (&[("done", "(and (= x 10) (= z x))")], &["head", "body"])),
    ("everything is derived", (&[], &["start", "head", "body", "done"])),
    ("the error location is derived", (&[("head", LOOP_INVARIANT)], &["body", "done", "bad"])),
    ("nothing but the error location is derived", (&[], &["bad"])),
    ("the loop invariant is missing", (&[], &["start", "body", "done"])),
    ("the loop invariant is too weak", (&[("head", "(= z x)")], &["body", "done"])),
    ("the loop invariant is too strong", (&[("head", "(and (< x 10) (= z x))")], &["body", "done"])),
    ("the initial location is derived and not valid", (&[("head", "(and (= x 1) (= z x))")], &["start"])),
    ("the initial location is derived and has a formula", (&[("start", "(= x 0)")], &["start"])),
    ("a lemma is wrong", (&[("head", LOOP_INVARIANT), ("body", "(< x 5)")], &["body", "done"])),
    ("a lemma is about an input", (&[("head", LOOP_INVARIANT), ("done", "(= y 0)")], &["body", "done"])),
    ("a lemma is false", (&[("head", LOOP_INVARIANT), ("done", "false")], &["body", "done"])),
    (
        "a lemma hides what is missing",
        (&[("head", "(<= x 10)"), ("done", "(and (= x 10) (= z x))")], &["body", "done"]),
    ),
];

#[test]
fn right_proofs_are_accepted() {
    for (formulas, derived) in RIGHT {
        for task in with_error_and_limit(COUNTER) {
            let result = check(&task, &proof(&task, formulas, derived));
            assert!(result.is_ok(), "{formulas:?} {derived:?}: {result:?}");
        }
    }
}

#[test]
fn every_mistake_is_rejected() {
    for (name, (formulas, derived)) in WRONG {
        for task in with_error_and_limit(COUNTER) {
            let result = check(&task, &proof(&task, formulas, derived));
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

#[test]
fn derived_locations_must_exist() {
    let task = parse(COUNTER);
    let invariants = CfaInvariants { derived: [LocId::new(99)].into(), ..CfaInvariants::default() };
    assert!(is_rejected(&check(&task, &CfaProof::Invariants(invariants))));
}

/// A cycle of derived locations is none if one of its edges cannot be taken.
#[test]
fn blocked_edges_are_shown_first() {
    let text = "main process once {
        var x : int var y : int
        init loc start loc head loc body error loc bad
        start -> head { x := 1 havoc y } head -> body { assume y > 0 }
        body -> head { assume x > 1 } body -> bad { assume x /= 1 or y <= 0 }
    }";
    let task = parse(text);
    let try_with = |lemma: &str, blocked: usize| {
        let CfaProof::Invariants(invariants) =
            proof(&task, &[("head", lemma), ("body", lemma)], &["start", "head", "body"])
        else {
            panic!()
        };
        let blocked = [EdgeId::new(blocked)].into();
        check(&task, &CfaProof::Invariants(CfaInvariants { blocked, ..invariants }))
    };
    try_with("(= x 1)", 2).unwrap();
    for (lemma, blocked) in [("true", 2), ("(= x 1)", 3), ("(= x 1)", 0), ("(= x 1)", 9), ("(= x 2)", 2)] {
        let result = try_with(lemma, blocked);
        assert!(is_rejected(&result), "{lemma} {blocked}: {result:?}");
    }
}

/// Two inputs that are read on different ways into a location, and there compared with one that is read after it:
/// were their constants confused, the wrong claim would seem right.
#[test]
fn inputs_of_different_ways_are_not_confused() {
    let text = "main process inputs {
        var x : int var y : int
        init loc start loc left loc right loc meet loc end error loc bad
        start -> left { havoc x } start -> right { havoc x }
        left -> meet { havoc y } right -> meet { y := x }
        meet -> end { } end -> bad { assume x /= y }
    }";
    let task = parse(text);
    let all = ["start", "left", "right", "meet", "end"];
    assert!(is_rejected(&check(&task, &proof(&task, &[], &all))));
    let same = parse(&text.replace("left -> meet { havoc y }", "left -> meet { y := x + 0 }"));
    check(&same, &proof(&same, &[], &all)).unwrap();
}

/// A formula that is carried back over both branches of many diamonds must not be copied for each path.
#[test]
fn many_diamonds_are_checked_quickly() {
    const DIAMONDS: usize = 60;
    let mut text = String::from("main process diamonds { var x : int var y : int loc l0 error loc bad ");
    for number in 0..DIAMONDS {
        let next = number + 1;
        let _ = write!(text, "loc l{next} loc a{number} loc b{number} ");
        let _ = write!(text, "l{number} -> a{number} {{ havoc y }} l{number} -> b{number} {{ }} ");
        let _ =
            write!(text, "a{number} -> l{next} {{ x := x + y - y }} b{number} -> l{next} {{ x := x + 0 }} ");
    }
    let _ = write!(text, "init loc start start -> l0 {{ x := 5 }} l{DIAMONDS} -> bad {{ assume x /= 5 }} }}");
    let task = parse(&text);
    let inner = task.model.locations.indices().filter(|location| !task.model.is_error(*location));
    let invariants = CfaInvariants { derived: inner.collect(), ..CfaInvariants::default() };
    check(&task, &CfaProof::Invariants(invariants)).unwrap();
}
