//! Unwindings loop by loop, and mistakes: rounds of one loop must not be taken for those of another, and no path may be lost.

use std::time::{Duration, Instant};

use super::proofs::{at, formula};
use super::unrolled;
use crate::{check, is_rejected, parse, with_error_and_limit};
use thetis_checker::CheckError;
use thetis_expr::Sort;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, EdgeId, LocId, LongRuns};
use thetis_testkit::cfa::{Shape, explore, random_cfa};

/// A text of at most three characters whose length is counted, then twice as many steps in a loop inside of a loop. How often the loops are
/// left is not known; what was written to `a` before stays what it is where paths meet.
const TEXT: &str = "
    main process text {
        var a : [int] -> int
        var i : int
        var n : int
        var j : int
        var steps : int
        var x : int
        init loc start
        loc read
        loc outer
        loc inner
        loc end
        error loc bad
        start -> read { havoc a a := a[3 <- 0] havoc x i := 0 steps := 0 }
        read -> read { assume a[i] /= 0 i := i + 1 }
        read -> outer { assume a[i] = 0 n := i i := 0 }
        outer -> inner { assume i < n j := 0 }
        inner -> inner { assume j < 2 and x > i steps := steps + 1 j := j + 1 }
        inner -> outer { assume j >= 2 i := i + 1 }
        inner -> outer { assume j < 2 and x <= i steps := steps + 2 - j i := i + 1 }
        outer -> end { assume i >= n }
        end -> bad { assume steps /= 2 * n }
        end -> bad { assume n > 3 }
        end -> bad { assume n = 2 and a[1] = 0 }
    }";

/// How often each loop of [`TEXT`] starts again at most.
const ROUNDS: u32 = 3;

/// What is replaced in the text of the model, and by what; each change makes a run to the error location, or more rounds.
const CHANGES: &[(&str, &str, &str)] = &[
    ("steps are counted wrong", "steps /= 2 * n", "steps /= 2 * n + 1"),
    ("a text is too long", "assume n > 3", "assume n > 2"),
    ("a character is what it is not", "n = 2 and a[1] = 0", "n = 2 and a[2] = 0"),
    ("the text may be longer", "a[3 <- 0]", "a[4 <- 0]"),
    ("the text has no end", "a := a[3 <- 0] ", ""),
    ("the end is overwritten", "steps := 0 }", "steps := 0 a := a[x <- 1] }"),
    ("a round more outside", "outer -> inner { assume i < n", "outer -> inner { assume i <= n"),
    ("a round more inside", "assume j < 2 and x > i", "assume j < 3 and x > i"),
    ("a round less inside", "inner -> outer { assume j >= 2", "inner -> outer { assume j >= 1"),
    ("one way adds less", "steps + 2 - j", "steps + 1 - j"),
    (
        "one way changes what is read later",
        "steps + 2 - j i := i + 1",
        "steps + 2 - j a := a[1 <- 0] i := i + 1",
    ),
    ("the counter is not set back", "n := i i := 0", "n := i"),
    ("the inner counter is not set back", "assume i < n j := 0", "assume i < n"),
    ("the steps start anywhere", "i := 0 steps := 0", "i := 0"),
    ("a way around the loops", "start -> read {", "start -> end { havoc n steps := 0 } start -> read {"),
    ("a way out of the inner loop", "outer -> end {", "inner -> end { assume j = 1 } outer -> end {"),
    ("a way into the inner loop", "outer -> end {", "read -> inner { n := i j := 1 } outer -> end {"),
    (
        "a way back to the first loop",
        "outer -> end {",
        "outer -> read { assume i = 1 i := 0 } outer -> end {",
    ),
];

fn check_loops(task: &Task<Cfa>, rounds: u32) -> Result<(), CheckError> {
    check(task, &CfaProof::Unwinding(CfaUnwinding::loop_by_loop(rounds)))
}

#[test]
fn the_unwinding_fits_its_model() {
    let task = parse(TEXT);
    for rounds in [ROUNDS, ROUNDS + 1, 7] {
        assert!(check_loops(&task, rounds).is_ok(), "{rounds}: {:?}", check_loops(&task, rounds));
    }
    for rounds in 0..ROUNDS {
        assert!(is_rejected(&check_loops(&task, rounds)), "{rounds}");
    }
}

#[test]
fn the_unwinding_fits_no_changed_model() {
    for (name, from, to) in CHANGES {
        assert!(TEXT.contains(from), "{name}: nothing to replace");
        for task in with_error_and_limit(&TEXT.replace(from, to)) {
            let result = check_loops(&task, ROUNDS);
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

/// Each of the two loops starts again four times.
#[test]
fn loops_over_constants_have_rounds_of_their_own() {
    assert!(check_loops(&parse(unrolled::LOOPS), 4).is_ok());
    assert!(is_rejected(&check_loops(&parse(unrolled::LOOPS), 3)));
    for (name, from, to) in unrolled::CHANGES {
        for task in with_error_and_limit(&unrolled::LOOPS.replace(from, to)) {
            let result = check_loops(&task, 4);
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

#[test]
fn wrong_lemmas_and_blocked_edges_are_rejected() {
    let task = parse(TEXT);
    let right = CfaUnwinding::loop_by_loop(ROUNDS);
    let with = |lemmas: CfaInvariants| CfaProof::Unwinding(CfaUnwinding { lemmas, ..right.clone() });
    let variable =
        |name: &str| task.store.var_expr(task.store.find_var(name).expect("it should be declared"));
    let read = task.model.edges[EdgeId::new(1)].source;
    let at_read =
        |formula| with(CfaInvariants { formulas: [(read, formula)].into(), ..CfaInvariants::default() });
    let (store, zero) = (&task.store, task.store.int(0));
    assert!(check(&task, &at_read(store.le(zero, variable("i")))).is_ok());
    assert!(is_rejected(&check(&task, &at_read(store.le(variable("i"), zero)))));
    for edge in 1..task.model.edges.len() {
        let blocked = [EdgeId::new(edge)].into();
        let proof = with(CfaInvariants { blocked, ..CfaInvariants::default() });
        assert!(is_rejected(&check(&task, &proof)), "edge {edge}");
    }
}

/// Two loops, the second of which has as many rounds as the first one. Its right proof has everything that such a proof can have.
const PAIR: &str = "
    main process pair {
        var x : int
        var k : int
        var i : int
        var j : int
        init loc start
        loc head
        loc second
        loc end
        error loc bad
        start -> head { havoc k assume k > 1 i := 0 j := 0 havoc x }
        head -> head { assume i < 3 and x > i i := i + 1 }
        head -> bad { assume k < 1 }
        head -> second { assume i >= 3 or x <= i }
        second -> second { assume j < i j := j + 1 }
        second -> end { assume j >= i }
        end -> bad { assume j /= i or k <= 1 }
    }";

const AT_HEAD: &str = "(and (> k 1) (>= i 0) (= j 0))";
const AT_SECOND: &str = "(and (> k 1) (<= j i))";

fn right_pair(task: &Task<Cfa>) -> CfaUnwinding {
    let mut proof = CfaUnwinding::loop_by_loop(3);
    say(task, &mut proof, "head", AT_HEAD);
    say(task, &mut proof, "second", AT_SECOND);
    proof.lemmas.derived.insert(at(task, "end"));
    proof.lemmas.blocked.insert(EdgeId::new(2));
    proof
}

fn say(task: &Task<Cfa>, proof: &mut CfaUnwinding, location: &str, lemma: &str) {
    proof.lemmas.formulas.insert(at(task, location), formula(task, lemma));
}

type Mutation = fn(&Task<Cfa>, &mut CfaUnwinding);

const MUTATIONS: &[(&str, Mutation)] = &[
    ("a round is missing", |_, proof| proof.bound -= 1),
    ("there are no rounds", |_, proof| proof.bound = 0),
    ("rounds are counted over the whole run, and nothing is cut", |_, proof| {
        proof.long_runs = LongRuns::None;
    }),
    ("rounds are counted over the whole run", |_, proof| {
        proof.long_runs = LongRuns::None;
        proof.cuts = [1, 4].map(EdgeId::new).into();
    }),
    ("a cut edge does not exist", |_, proof| {
        proof.cuts.insert(EdgeId::new(99));
    }),
    ("a loop is blocked", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(1));
    }),
    ("the way into the second loop is blocked", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(3));
    }),
    ("the second loop is blocked", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(4));
    }),
    ("the way out is blocked", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(5));
    }),
    ("the first edge is blocked", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(0));
    }),
    ("a blocked edge does not exist", |_, proof| {
        proof.lemmas.blocked.insert(EdgeId::new(99));
    }),
    ("lemmas are missing, but not what they block", |_, proof| proof.lemmas.formulas.clear()),
    ("the lemma does not block the edge", |task, proof| {
        say(task, proof, "head", "(and (>= k 0) (>= i 0) (= j 0))");
        say(task, proof, "second", "(<= j i)");
    }),
    ("a lemma is too strong for the first run", |task, proof| {
        say(task, proof, "head", "(and (> k 2) (>= i 0) (= j 0))");
    }),
    ("a lemma does not survive the loop", |task, proof| {
        say(task, proof, "head", "(and (> k 1) (>= i 0) (<= i 2) (= j 0))");
    }),
    ("a lemma holds in the first round only", |task, proof| {
        say(task, proof, "second", "(and (> k 1) (= j 0))");
    }),
    ("a lemma has a wrong relation", |task, proof| say(task, proof, "second", "(and (> k 1) (< j i))")),
    ("a lemma does not follow from the one before", |task, proof| {
        say(task, proof, "head", "(and (> k 1) (= j 0))");
    }),
    ("a lemma restricts an input", |task, proof| {
        say(task, proof, "head", "(and (> k 1) (>= i 0) (= j 0) (>= x 0))");
    }),
    ("a lemma is false", |task, proof| say(task, proof, "head", "false")),
    ("the start has a lemma", |task, proof| say(task, proof, "start", "(> k 1)")),
    ("the start is called unreachable", |task, proof| say(task, proof, "start", "false")),
    ("lemmas are exchanged", |task, proof| {
        say(task, proof, "head", AT_SECOND);
        say(task, proof, "second", AT_HEAD);
    }),
    ("a lemma is at no location", |task, proof| {
        proof.lemmas.formulas.insert(LocId::new(99), task.store.tru());
    }),
    ("a lemma is no formula", |task, proof| {
        proof.lemmas.formulas.insert(at(task, "head"), task.store.int(1));
    }),
    ("a lemma is about a foreign variable", |task, proof| {
        let foreign = task.store.ge(task.store.var("w", Sort::Int), task.store.int(0));
        let lemma = task.store.and(formula(task, AT_HEAD), foreign);
        proof.lemmas.formulas.insert(at(task, "head"), lemma);
    }),
    ("a lemma is about the next step", |task, proof| {
        let lemma = task.store.primed(formula(task, AT_HEAD));
        proof.lemmas.formulas.insert(at(task, "head"), lemma);
    }),
    ("a lemma does not hold for all cells", |task, proof| {
        proof.lemmas.cells.insert(task.store.declare("cell", Sort::Int));
        say(task, proof, "head", "(and (> k 1) (>= i 0) (= j 0) (not (= k cell)))");
    }),
    ("a loop is derived", |task, proof| {
        proof.lemmas.derived.insert(at(task, "second"));
    }),
    ("the error location is derived", |task, proof| {
        proof.lemmas.derived.insert(at(task, "bad"));
    }),
    ("a derived location does not exist", |_, proof| {
        proof.lemmas.derived.insert(LocId::new(99));
    }),
];

#[test]
fn every_mutated_unwinding_is_rejected() {
    for task in with_error_and_limit(PAIR) {
        check(&task, &CfaProof::Unwinding(right_pair(&task))).unwrap();
        for (name, mutate) in MUTATIONS {
            let mut proof = right_pair(&task);
            mutate(&task, &mut proof);
            let result = check(&task, &CfaProof::Unwinding(proof));
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

/// A location that is entered in two ways and leads back in two ways has no loop with a single entry.
#[test]
fn loops_with_two_entries_are_unrolled() {
    let text = "
        main process entries {
            var i : int
            var x : int
            init loc start
            loc one
            loc other
            error loc bad
            start -> one { i := 0 assume x > 0 }
            start -> other { i := 0 assume x <= 0 }
            one -> other { assume i < 4 i := i + 1 }
            other -> one { assume i < 4 i := i + 1 }
            one -> bad { assume i > 4 }
            other -> bad { assume i = 3 and x > 0 }
        }";
    assert!(is_rejected(&check_loops(&parse(text), 6)));
    let safe = text.replace("i = 3 and x > 0", "i = 3 and x <= 0");
    assert!(check_loops(&parse(&safe), 6).is_ok(), "{:?}", check_loops(&parse(&safe), 6));
}

/// Random automata have loops that share locations, are entered and left in several ways, and contain errors. Whatever the bound is, no
/// automaton with a run to an error has such a proof.
#[test]
fn no_random_automaton_with_a_violation_is_proved() {
    let mut num_proved = 0;
    for seed in 0..400 {
        let task = random_cfa(seed, Shape::default());
        let is_unsafe = explore(&task).least_bound.is_some();
        for rounds in [0, 1, 2, 5] {
            let is_proved = check_loops(&task, rounds).is_ok();
            assert!(!(is_unsafe && is_proved), "seed {seed}, {rounds} rounds");
            num_proved += u32::from(is_proved);
        }
    }
    assert!(num_proved > 100, "only {num_proved} automata are proved");
}

/// Whatever edge is said to be blocked, the run to the error is still there.
#[test]
fn no_random_automaton_with_a_violation_is_proved_with_a_blocked_edge() {
    let mut num_tried = 0;
    for seed in 0..150 {
        let task = random_cfa(seed, Shape::default());
        if explore(&task).least_bound.is_none() {
            continue;
        }
        for edge in task.model.edges.indices() {
            let lemmas = CfaInvariants { blocked: [edge].into(), ..CfaInvariants::default() };
            let proof = CfaUnwinding { lemmas, ..CfaUnwinding::loop_by_loop(3) };
            assert!(check(&task, &CfaProof::Unwinding(proof)).is_err(), "seed {seed}, {edge:?}");
            num_tried += 1;
        }
    }
    assert!(num_tried > 300, "{num_tried}");
}

/// Every round of a loop may lead to the same exit, and what the rounds have in common is visited once.
#[test]
fn many_ways_out_of_a_loop_are_joined_quickly() {
    let text = "
        main process exits {
            var i : int
            var x : int
            init loc start
            loc head
            loc end
            error loc bad
            start -> head { i := 0 }
            head -> head { assume i < 20000 havoc x i := i + 1 }
            head -> end { assume x = i }
            end -> bad { assume i > 20000 }
        }";
    let start = Instant::now();
    assert!(check_loops(&parse(text), 20000).is_ok());
    // There is room for a machine that does other work, too.
    assert!(start.elapsed() < Duration::from_secs(180), "it took {:?}", start.elapsed());
}
