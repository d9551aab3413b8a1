//! Runs of automata with procedures that are described by their inputs.

use thetis_checker::Checkable;
use thetis_expr::{BitVec, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, DeepRun, EdgeId, Rounds};

use super::contracts::model;
use crate::{is_rejected, parse};

/// Adds up the numbers to `n`, which is read; the sum must not be 500500. Every activation needs its own `m`.
const SUM: &str = "main process sum {
    var passed : int var result : int var n : int var m : int
    init loc start limit loc call \"outer\" loc back error loc bad
    loc entry loc body limit loc inner \"inner\" loc after loc exit limit loc unknown \"not modelled\"
    start -> call { havoc n assume n >= 0 passed := n }
    back -> bad { assume result = 500500 and n = 1000 }
    back -> unknown { assume result = 3 }
    entry -> body { m := passed }
    body -> exit { assume m = 0 result := 0 }
    body -> inner { assume m /= 0 passed := m - 1 }
    after -> exit { result := result + m }
}";

const LOCALS: &[&str] = &["n", "m"];
const CALLS: &[(&str, &str)] = &[("call", "back"), ("inner", "after")];

/// One edge and one call before, three for each of 1001 activations and a call for all but the last, returns, and the way to the error.
const NUM_STEPS: u64 = 2 + 4 * 1000 + 2 + 1000 + 1 + 2;

fn deep(inputs: &[Value], max_steps: u64) -> CfaTrace {
    CfaTrace::deep(DeepRun { inputs: inputs.to_vec(), max_steps })
}

fn is_accepted(task: &Task<Cfa>, trace: &CfaTrace) -> bool {
    let result = Cfa::check_trace(task, trace);
    assert!(result.is_ok() || is_rejected(&result), "{result:?}");
    result.is_ok()
}

#[test]
fn deep_runs_are_followed_with_a_stack() {
    let task = model(SUM, LOCALS, CALLS);
    let thousand = [Value::int(1000)];
    assert!(is_accepted(&task, &deep(&thousand, NUM_STEPS)));
    assert!(is_accepted(&task, &deep(&thousand, u64::MAX)));
    assert!(!is_accepted(&task, &deep(&thousand, NUM_STEPS - 1)));
}

#[test]
fn wrong_deep_runs_are_rejected() {
    let task = model(SUM, LOCALS, CALLS);
    let wrong_inputs = [
        vec![],
        vec![Value::int(999)],
        vec![Value::int(1001)],
        vec![Value::int(0)],
        vec![Value::int(-1)],
        vec![Value::int(2)],
        vec![Value::Bool(true)],
        vec![Value::BitVec(BitVec::new(32, 1000_u32))],
    ];
    for inputs in wrong_inputs {
        assert!(!is_accepted(&task, &deep(&inputs, 100_000)), "{inputs:?}");
    }
    let thousand = [Value::int(1000)];
    for max_steps in [0, 1, NUM_STEPS - 1] {
        assert!(!is_accepted(&task, &deep(&thousand, max_steps)), "{max_steps}");
    }
    let mut with_steps = deep(&thousand, 10_000);
    with_steps.steps.push(CfaStep { edge: EdgeId::new(0), inputs: vec![], choices: vec![] });
    assert!(!is_accepted(&task, &with_steps));
    let mut with_rounds = deep(&thousand, 10_000);
    with_rounds.rounds.push(Rounds { first: 0, len: 1, times: 1 });
    assert!(!is_accepted(&task, &with_rounds));
    assert!(!is_accepted(&parse(SUM), &deep(&thousand, 10_000)), "there are no procedures");
}

#[test]
fn deep_runs_are_rejected_on_other_models() {
    let thousand = [Value::int(1000)];
    type Names<'a> = &'a [&'a str];
    type Calls<'a> = &'a [(&'a str, &'a str)];
    let wrong: [(&str, &str, Names<'_>, Calls<'_>); 9] = [
        ("result + m", "result + m + 1", LOCALS, CALLS),
        ("m - 1", "m - 2", LOCALS, CALLS),
        ("result := 0", "result := 1", LOCALS, CALLS),
        ("500500", "500501", LOCALS, CALLS),
        ("havoc n", "", LOCALS, CALLS),
        ("assume n >= 0", "assume n >= 1001", LOCALS, CALLS),
        ("back -> bad", "back -> unknown { assume result = 500500 } back -> bad", LOCALS, CALLS),
        // What is not local is overwritten by other activations.
        ("result + m", "result + m", &["n"], CALLS),
        // Without a call there is a limit.
        ("result + m", "result + m", LOCALS, &[("call", "back")]),
    ];
    for (right, changed, locals, calls) in wrong {
        let task = model(&SUM.replacen(right, changed, 1), locals, calls);
        assert!(!is_accepted(&task, &deep(&thousand, 100_000)), "{right} -> {changed} {locals:?} {calls:?}");
    }
}
