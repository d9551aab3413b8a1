//! Mutations of right proofs. Each entry is one kind of mistake.

use std::collections::BTreeMap;

use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{ExprId, Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, EdgeId, LocId};

use crate::{check, check_unwinding, is_rejected, parse, with_error_and_limit};

/// Counts `x` up to ten in steps of one while an input `y` changes; `z` follows `x`.
pub(super) const COUNTER: &str = "
    main process counter {
        var x : int
        var y : int
        var z : int
        init loc start
        loc head
        loc body
        loc done
        error loc bad
        start -> head { x := 0 z := 0 havoc y }
        head -> body { assume x < 10 }
        body -> head { x := x + 1 z := z + 1 havoc y }
        head -> done { assume not (x < 10) }
        done -> bad { assume x /= 10 or z /= x }
    }";

pub(super) const LOOP_INVARIANT: &str = "(and (>= x 0) (<= x 10) (= z x))";

pub(super) fn formula(task: &Task<Cfa>, text: &str) -> ExprId {
    parse_term(&task.store, text, &Declared).unwrap()
}

pub(super) fn at(task: &Task<Cfa>, name: &str) -> LocId {
    task.model.location(name).unwrap()
}

/// A right proof of [`COUNTER`].
fn right_proof(task: &Task<Cfa>) -> BTreeMap<LocId, ExprId> {
    let entries = [
        ("head", LOOP_INVARIANT),
        ("body", "(and (>= x 0) (< x 10) (= z x))"),
        ("done", "(and (= x 10) (= z x))"),
    ];
    entries.into_iter().map(|(name, text)| (at(task, name), formula(task, text))).collect()
}

type Proof = BTreeMap<LocId, ExprId>;
type Mutation = fn(&Task<Cfa>, &mut Proof);

fn set(task: &Task<Cfa>, proof: &mut Proof, name: &str, text: &str) {
    proof.insert(at(task, name), formula(task, text));
}

/// A variable that the model does not have.
fn foreign(store: &Store) -> ExprId {
    store.ge(store.var("w", Sort::Int), store.int(0))
}

const MUTATIONS: &[(&str, Mutation)] = &[
    ("nothing is claimed at all", |_, proof| proof.clear()),
    ("the loop invariant is missing", |task, proof| {
        proof.remove(&at(task, "head"));
    }),
    ("the last invariant is missing", |task, proof| {
        proof.remove(&at(task, "done"));
    }),
    ("the loop invariant is true", |task, proof| set(task, proof, "head", "true")),
    ("the loop invariant is false", |task, proof| set(task, proof, "head", "false")),
    ("the loop invariant is negated", |task, proof| {
        let head = at(task, "head");
        let negated = task.store.not(proof[&head]);
        proof.insert(head, negated);
    }),
    ("the bound is one too high", |task, proof| set(task, proof, "head", "(and (<= x 11) (= z x))")),
    ("the bound is one too low", |task, proof| set(task, proof, "head", "(and (<= x 9) (= z x))")),
    ("a weak comparison is strict", |task, proof| set(task, proof, "head", "(and (< x 10) (= z x))")),
    ("a strict comparison is weak", |task, proof| set(task, proof, "body", "(and (<= x 10) (= z x))")),
    ("the initial value is excluded", |task, proof| {
        set(task, proof, "head", "(and (>= x 1) (<= x 10) (= z x))");
    }),
    ("a conjunct is missing", |task, proof| set(task, proof, "head", "(and (>= x 0) (<= x 10))")),
    ("a bad state is added", |task, proof| {
        set(task, proof, "head", "(or (and (<= x 10) (= z x)) (and (= x 20) (= z 0)))");
    }),
    ("an input is restricted", |task, proof| {
        set(task, proof, "head", "(and (>= x 0) (<= x 10) (= z x) (>= y 0))");
    }),
    ("one variable stands for another", |task, proof| {
        set(task, proof, "head", "(and (>= y 0) (<= y 10) (= z y))");
    }),
    ("two locations are exchanged", |task, proof| {
        let (head, done) = (proof[&at(task, "head")], proof[&at(task, "done")]);
        proof.insert(at(task, "head"), done);
        proof.insert(at(task, "done"), head);
    }),
    ("the invariant stands at the start, where it does not hold", |task, proof| {
        set(task, proof, "start", LOOP_INVARIANT);
    }),
    ("the start is called unreachable", |task, proof| set(task, proof, "start", "false")),
    ("everything is called unreachable", |task, proof| {
        for location in task.model.locations.indices() {
            proof.insert(location, task.store.fals());
        }
    }),
    ("the end is called unreachable", |task, proof| set(task, proof, "done", "false")),
    ("the error location is claimed to be fine", |task, proof| {
        set(task, proof, "done", "true");
        set(task, proof, "bad", "true");
    }),
    ("a location does not exist", |task, proof| {
        proof.insert(LocId::new(99), task.store.tru());
    }),
    ("a number is no formula", |task, proof| {
        proof.insert(at(task, "head"), task.store.int(1));
    }),
    ("a primed variable occurs", |task, proof| {
        let head = at(task, "head");
        proof.insert(head, task.store.primed(proof[&head]));
    }),
    ("an indexed variable occurs", |task, proof| {
        let head = at(task, "head");
        proof.insert(head, task.store.at_step(proof[&head], 0));
    }),
    ("a foreign variable is restricted", |task, proof| {
        let head = at(task, "head");
        proof.insert(head, task.store.and(proof[&head], foreign(&task.store)));
    }),
    ("only some values are listed", |task, proof| {
        set(task, proof, "head", "(and (= z x) (or (= x 0) (= x 1) (= x 2) (= x 10)))");
    }),
    ("parity is claimed", |task, proof| {
        set(task, proof, "head", "(and (<= x 10) (= z x) (= (mod x 2) 0))");
    }),
];

#[test]
fn the_right_proof_is_accepted() {
    for task in with_error_and_limit(COUNTER) {
        let proof = CfaProof::invariants(right_proof(&task));
        check(&task, &proof).unwrap();
        check_unwinding(&task, 10).unwrap();
        check_unwinding(&task, 11).unwrap();
    }
}

#[test]
fn every_mutated_proof_is_rejected() {
    for (name, mutate) in MUTATIONS {
        for task in with_error_and_limit(COUNTER) {
            let mut proof = right_proof(&task);
            mutate(&task, &mut proof);
            let result = check(&task, &CfaProof::invariants(proof));
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

#[test]
fn incomplete_unwindings_are_rejected() {
    for task in with_error_and_limit(COUNTER) {
        for bound in [0, 1, 9] {
            assert!(is_rejected(&check_unwinding(&task, bound)), "bound {bound}");
        }
    }
}

#[test]
fn unwindings_that_do_not_cut_the_loop_are_rejected() {
    let task = parse(COUNTER);
    let cut = |edges: &[usize]| {
        let cuts = edges.iter().map(|edge| EdgeId::new(*edge)).collect();
        check(&task, &CfaProof::Unwinding(CfaUnwinding { bound: 12, cuts, ..CfaUnwinding::default() }))
    };
    cut(&[2]).unwrap();
    cut(&[0, 1]).unwrap();
    for edges in [&[][..], &[0], &[3, 4], &[2, 99]] {
        let result = cut(edges);
        assert!(is_rejected(&result), "{edges:?}: {result:?}");
    }
}

/// A loop that is not bounded, with an exit that cannot be taken, before a loop that is bounded.
const BLOCKED_EXIT: &str = "
    main process exit {
        var x : int
        var y : int
        init loc start
        loc first
        loc second
        error loc bad
        start -> first { x := 1 y := 0 }
        first -> first { havoc y }
        first -> bad { assume x < 1 }
        first -> second { assume y > 0 y := 0 }
        second -> second { assume y < 3 y := y + 1 }
    }";

#[test]
fn lemmas_and_blocked_edges_are_shown_first() {
    let task = parse(BLOCKED_EXIT);
    let try_with = |lemma: &str, blocked: &[usize]| {
        check(
            &task,
            &CfaProof::Unwinding(CfaUnwinding {
                lemmas: CfaInvariants {
                    formulas: [(at(&task, "first"), formula(&task, lemma))].into(),
                    blocked: blocked.iter().map(|edge| EdgeId::new(*edge)).collect(),
                    ..CfaInvariants::default()
                },
                ..CfaUnwinding::default()
            }),
        )
    };
    try_with("(= x 1)", &[2]).unwrap();
    try_with("(and (= x 1) (<= y y))", &[2]).unwrap();
    let wrong: &[(&str, &[usize])] = &[
        ("(= x 1)", &[]),
        ("true", &[2]),
        ("(= x 2)", &[2]),
        ("(and (= x 1) (= y 0))", &[2]),
        ("false", &[2]),
        ("(= x 1)", &[2, 3]),
        ("(= x 1)", &[2, 1]),
        ("(= x 1)", &[2, 99]),
        ("x", &[2]),
    ];
    for (lemma, blocked) in wrong {
        let result = try_with(lemma, blocked);
        assert!(is_rejected(&result), "{lemma} {blocked:?}: {result:?}");
    }
}
