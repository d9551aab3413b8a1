//! Runs and proofs with millions of rounds that are taken at once: every wrong number, place, input and model is noticed.

use std::collections::BTreeSet;

use thetis_checker::Checkable;
use thetis_expr::{BitVec, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof, CfaStep, CfaTrace, EdgeId, Rounds};

use crate::{check, is_rejected, parse, with_error_and_limit};

/// Counts up by three, then down by inputs; at the end it must not be seven.
const COUNTER: &str = "
    main process counter {
        var x : int
        var y : int
        var t : int
        init loc start
        loc head
        loc body
        loc down
        loc fine
        error loc bad
        start -> head { x := 0 }
        head -> body { assume x < 300000000 t := x }
        body -> head { x := t + 3 }
        head -> down { assume x >= 300000000 }
        down -> down { havoc y assume y > 0 x := x - y }
        down -> bad { assume x = 7 }
        down -> fine { assume x /= 7 }
    }";

fn step(edge: usize, inputs: &[i32]) -> CfaStep {
    let inputs = inputs.iter().map(|input| Value::int(*input)).collect();
    CfaStep { edge: EdgeId::new(edge), inputs, choices: Vec::new() }
}

fn right_trace(task: &Task<Cfa>) -> CfaTrace {
    let initial = task.model.vars.iter().map(|var| (*var, Value::int(-5))).collect();
    let steps = vec![step(0, &[]), step(1, &[]), step(2, &[]), step(3, &[]), step(4, &[1]), step(5, &[])];
    let up = Rounds { first: 1, len: 2, times: 100_000_000 };
    let down = Rounds { first: 4, len: 1, times: 299_999_993 };
    CfaTrace { rounds: vec![up, down], ..CfaTrace::new(initial, steps) }
}

type Mutation = fn(&mut CfaTrace);

const MUTATIONS: &[(&str, Mutation)] = &[
    ("there is a round too many", |trace| trace.rounds[0].times += 1),
    ("a round is missing", |trace| trace.rounds[0].times -= 1),
    ("there is a round with inputs too many", |trace| trace.rounds[1].times += 1),
    ("a round with inputs is missing", |trace| trace.rounds[1].times -= 1),
    ("there are no rounds at all", |trace| trace.rounds.clear()),
    ("the first rounds are forgotten", |trace| {
        trace.rounds.remove(0);
    }),
    ("the last rounds are forgotten", |trace| {
        trace.rounds.pop();
    }),
    ("rounds are taken zero times", |trace| trace.rounds[0].times = 0),
    ("rounds are taken nearly forever", |trace| trace.rounds[0].times = u64::MAX),
    ("the numbers of rounds are exchanged", |trace| {
        let [up, down] = &mut trace.rounds[..] else { panic!() };
        std::mem::swap(&mut up.times, &mut down.times);
    }),
    ("rounds are not in their order", |trace| trace.rounds.reverse()),
    ("rounds are there twice", |trace| trace.rounds.insert(0, trace.rounds[0].clone())),
    ("rounds overlap", |trace| {
        trace.rounds.insert(1, Rounds { first: 2, len: 1, times: 1 });
    }),
    ("a round is empty", |trace| trace.rounds[0].len = 0),
    ("a round is half of one", |trace| trace.rounds[0].len = 1),
    ("a round begins before the loop", |trace| trace.rounds[0].first = 0),
    ("a round begins in the middle", |trace| trace.rounds[0].first = 2),
    ("a round includes the way out", |trace| trace.rounds[0].len = 3),
    ("rounds begin after the end", |trace| trace.rounds[1].first = 6),
    ("rounds end after the end", |trace| trace.rounds[1].len = 3),
    ("rounds are as long as nothing is", |trace| trace.rounds[1].len = usize::MAX),
    ("rounds are about the last step", |trace| trace.rounds[1].first = 5),
    ("an edge of a round is missing", |trace| drop(trace.steps.remove(2))),
    ("an edge of a round is another", |trace| trace.steps[2] = step(3, &[])),
    ("an edge of a round does not exist", |trace| trace.steps[2] = step(77, &[])),
    ("an input of a round is larger", |trace| trace.steps[4] = step(4, &[2])),
    ("an input of a round is not possible", |trace| trace.steps[4] = step(4, &[-1])),
    ("an input of a round is missing", |trace| trace.steps[4] = step(4, &[])),
    ("there is an input too many in a round", |trace| trace.steps[4] = step(4, &[1, 1])),
    ("there is an input where none is read", |trace| trace.steps[1] = step(1, &[0])),
    ("an input of a round is no integer", |trace| {
        trace.steps[4].inputs[0] = Value::BitVec(BitVec::new(8, 1u8));
    }),
    ("there is a choice in a round", |trace| trace.steps[2].choices.push(0)),
];

#[test]
fn the_right_rounds_are_accepted() {
    let task = parse(COUNTER);
    Cfa::check_trace(&task, &right_trace(&task)).unwrap();
}

#[test]
fn every_mutated_run_with_rounds_is_rejected() {
    for (name, mutate) in MUTATIONS {
        let task = parse(COUNTER);
        let mut trace = right_trace(&task);
        mutate(&mut trace);
        let result = Cfa::check_trace(&task, &trace);
        assert!(is_rejected(&result), "{name}: {result:?}");
    }
}

/// Changes of the model that the run does not survive; most matter in one of all the rounds only.
const WRONG_COUNTERS: [(&str, &str); 10] = [
    ("x < 300000000", "x < 299999997"),
    ("x < 300000000", "x /= 150000000"),
    ("x < 300000000", "x /= 299999997"),
    ("x < 300000000", "x mod 100000 /= 99999"),
    ("x < 300000000", "x mod 99999999 < 99999996"),
    ("t + 3", "t + 2"),
    ("t + 3", "if t < 200000000 then t + 3 else t + 4"),
    ("t + 3", "(t + 3) mod 290000000"),
    ("x - y", "x - 2 * y"),
    ("y > 0", "y > 0 and x > 8"),
];

#[test]
fn runs_with_rounds_are_rejected_on_other_models() {
    for (right, wrong) in WRONG_COUNTERS {
        let changed = COUNTER.replacen(right, wrong, 1);
        assert_ne!(changed, COUNTER);
        let task = parse(&changed);
        let result = Cfa::check_trace(&task, &right_trace(&task));
        assert!(is_rejected(&result), "{right} -> {wrong}: {result:?}");
    }
}

/// A program with one run of many rounds, most of which are counted once.
const LOOP: &str = "main process p { var x : int var y : int init loc A loc B loc C loc D error loc bad
    A -> B { x := 0 }
    B -> C { assume x < 500000000 }
    C -> B { havoc y x := x + 2 }
    B -> D { assume x >= 500000000 }
    D -> bad { assume x /= 500000000 } }";

const MAX_STEPS: u64 = 100_000;

#[test]
fn a_run_of_many_rounds_is_followed_to_its_end() {
    for task in with_error_and_limit(LOOP) {
        check(&task, &CfaProof::Exhaustion { max_steps: MAX_STEPS, by_value: BTreeSet::new() }).unwrap();
        assert!(is_rejected(&check(
            &task,
            &CfaProof::Exhaustion { max_steps: 4000, by_value: BTreeSet::new() }
        )));
    }
}

/// Changes that let a run arrive at `bad`, or let nobody know; most matter in one of all the rounds only.
const WRONG_LOOPS: [(&str, &str); 16] = [
    ("x := 0", "x := 1"),
    ("x := 0", "havoc x"),
    ("x := 0", ""),
    ("x + 2", "x + 3"),
    ("x + 2", "x + y"),
    ("x + 2", "if x = 400000000 then x + 3 else x + 2"),
    ("x + 2", "if y = 0 then x + 3 else x + 2"),
    ("x + 2", "if x mod 10000000 = 9999998 then x + 3 else x + 2"),
    ("x < 500000000", "x <= 500000000"),
    ("x < 500000000", "x < 500000000 and x /= 300000000"),
    ("x >= 500000000", "x >= 400000001"),
    ("x >= 500000000", "y = 7"),
    ("x >= 500000000", "x = 300000000 or x >= 500000000"),
    ("x >= 500000000", "x mod 10000000 = 9999998"),
    ("x /= 500000000", "x = 500000000"),
    ("D -> bad", "C -> bad { assume x = 123456788 } D -> bad"),
];

#[test]
fn wrong_loops_are_rejected() {
    for (right, wrong) in WRONG_LOOPS {
        let mut changed = LOOP.replacen(right, wrong, 1);
        if wrong.contains("/= 300000000") {
            changed = changed.replacen("x >= 500000000", "not (x < 500000000 and x /= 300000000)", 1);
        }
        assert_ne!(changed, LOOP);
        for task in with_error_and_limit(&changed) {
            let result =
                check(&task, &CfaProof::Exhaustion { max_steps: MAX_STEPS, by_value: BTreeSet::new() });
            assert!(is_rejected(&result), "{right} -> {wrong}: {result:?}");
        }
    }
}
