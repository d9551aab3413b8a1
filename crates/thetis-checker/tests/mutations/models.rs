//! Right proofs for a changed model: the proof of one model must not pass for another.

use std::collections::BTreeMap;

use thetis_expr::ExprId;
use thetis_expr::smtlib::{Declared, parse_term};
use thetis_model::cfa::{CfaProof, LocId};

use crate::{check, check_unwinding, is_rejected, parse};

/// A lock that is taken and released; it must not be taken twice.
const LOCK: &str = "
    main process lock {
        var held : bool
        var count : bv[4]
        init loc start
        loc idle
        loc busy
        error loc bad
        start -> idle { held := false count := 4'd0 }
        idle -> busy { assume not held held := true count := 4'd1 }
        idle -> bad { assume held }
        busy -> idle { assume held held := false count := count bvsub 4'd1 }
        busy -> bad { assume count bvugt 4'd1 }
    }";

const PROOF: &[(&str, &str)] = &[("idle", "(not held)"), ("busy", "(and held (= count #x1))")];

/// What is replaced in the text of the model, and by what.
const CHANGES: &[(&str, &str, &str)] = &[
    ("an assignment is missing", "held := false count := 4'd0", "count := 4'd0"),
    ("an assigned value differs", "held := true count := 4'd1", "held := true count := 4'd2"),
    ("an assignment is arbitrary", "held := true count := 4'd1", "held := true havoc count"),
    ("an initial value differs", "held := false count", "held := true count"),
    (
        "two statements are exchanged",
        "assume held held := false",
        "held := false assume not held held := true",
    ),
    ("a guard is missing", "busy -> bad { assume count bvugt 4'd1 }", "busy -> bad { }"),
    ("a guard is weaker", "bvugt 4'd1", "bvuge 4'd1"),
    ("a comparison is signed", "bvugt 4'd1", "bvsgt 4'd14"),
    ("an edge is added", "idle -> bad { assume held }", "idle -> bad { assume held } start -> bad { }"),
    ("a parallel edge is added", "start -> idle {", "start -> idle { havoc held } start -> idle {"),
    ("an edge skips a location", "start -> idle {", "start -> busy {"),
    ("an edge starts at the beginning", "busy -> bad", "start -> bad"),
    ("another location is an error", "loc busy", "error loc busy"),
    ("the initial location is an error", "init loc start\n        loc idle", "loc start init loc idle"),
    (
        "the effect of a loop differs",
        "count bvsub 4'd1 }",
        "count bvsub 4'd1 } busy -> busy { count := count bvadd 4'd1 }",
    ),
];

fn is_accepted(text: &str) -> bool {
    let task = parse(text);
    let entry = |(name, formula): &(&str, &str)| {
        (task.model.location(name).unwrap(), parse_term(&task.store, formula, &Declared).unwrap())
    };
    let proof: BTreeMap<LocId, ExprId> = PROOF.iter().map(entry).collect();
    let result = check(&task, &CfaProof::invariants(proof));
    assert!(result.is_ok() || is_rejected(&result), "{result:?}");
    result.is_ok()
}

#[test]
fn the_proof_fits_its_model() {
    assert!(is_accepted(LOCK));
}

#[test]
fn the_proof_fits_no_changed_model() {
    for (name, from, to) in CHANGES {
        assert!(LOCK.contains(from), "{name}: nothing to replace");
        assert!(!is_accepted(&LOCK.replace(from, to)), "{name}");
    }
}

#[test]
fn endless_and_unsafe_automata_have_no_unwinding() {
    let unsafe_at_once = "main process p { init loc a error loc b a -> b { } }";
    let initially_bad = "main process p { init loc a error loc b b -> a { } }"
        .replace("init loc a error loc b", "error loc a init loc c c -> a { } loc b");
    for text in [LOCK, unsafe_at_once, &initially_bad] {
        for bound in [0, 1, 4] {
            assert!(is_rejected(&check_unwinding(&parse(text), bound)), "{text}");
        }
    }
}
