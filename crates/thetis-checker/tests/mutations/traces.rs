//! Mutations of right traces. Each entry is one kind of mistake.

use thetis_checker::Checkable;
use thetis_expr::{BitVec, Sort, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId, Stmt, StmtKind};

use crate::{is_rejected, parse};

/// Adds two inputs to `x`; the sum must not be seven.
const SUM: &str = "
    main process sum {
        var x : int
        var y : int
        var on : bool
        init loc start
        loc first
        loc second
        loc fine
        error loc bad
        start -> first { assume on havoc y x := y }
        first -> second { havoc y assume y > 0 x := x + y }
        second -> bad { assume x = 7 }
        second -> fine { assume x /= 7 }
        bad -> fine { }
    }";

/// The model with a choice on its second edge: add the input, or subtract it.
fn model() -> Task<Cfa> {
    let mut task = parse(SUM);
    let StmtKind::Seq(stmts) = &mut task.model.edges[EdgeId::new(1)].stmt.kind else { panic!() };
    let Some(add) = stmts.pop() else { panic!() };
    let store = &task.store;
    let x = store.find_var("x").unwrap();
    let y = store.find_var("y").unwrap();
    let minus = Stmt::assign(x, store.sub(store.var_expr(x), store.var_expr(y)));
    stmts.push(Stmt::choice(vec![minus, add]));
    task.model.validate(&task.store).unwrap();
    task
}

fn step(edge: usize, inputs: &[i32], choices: &[usize]) -> CfaStep {
    let inputs = inputs.iter().map(|input| Value::int(*input)).collect();
    CfaStep { edge: EdgeId::new(edge), inputs, choices: choices.to_vec() }
}

fn right_trace(task: &Task<Cfa>) -> CfaTrace {
    let var = |name: &str| task.store.find_var(name).unwrap();
    let initial = [(var("x"), Value::int(0)), (var("y"), Value::int(0)), (var("on"), Value::Bool(true))];
    let steps = vec![step(0, &[3], &[]), step(1, &[4], &[1]), step(2, &[], &[])];
    CfaTrace::new(initial.into(), steps)
}

type Mutation = fn(&Task<Cfa>, &mut CfaTrace);

const MUTATIONS: &[(&str, Mutation)] = &[
    ("there are no steps", |_, trace| trace.steps.clear()),
    ("the first step is missing", |_, trace| {
        trace.steps.remove(0);
    }),
    ("a step in the middle is missing", |_, trace| {
        trace.steps.remove(1);
    }),
    ("the last step is missing", |_, trace| {
        trace.steps.pop();
    }),
    ("a step is repeated", |_, trace| trace.steps.insert(1, trace.steps[1].clone())),
    ("two steps are exchanged", |_, trace| trace.steps.swap(0, 1)),
    ("the steps are reversed", |_, trace| trace.steps.reverse()),
    ("the run goes on after the error", |_, trace| trace.steps.push(step(4, &[], &[]))),
    ("the last edge leads elsewhere", |_, trace| trace.steps[2].edge = EdgeId::new(3)),
    ("an edge does not exist", |_, trace| trace.steps[2].edge = EdgeId::new(77)),
    ("an input misses the target", |_, trace| trace.steps[0].inputs[0] = Value::int(2)),
    ("an input violates an assumption", |_, trace| {
        trace.steps[0].inputs[0] = Value::int(7);
        trace.steps[1].inputs[0] = Value::int(0);
    }),
    ("an input is missing", |_, trace| trace.steps[0].inputs.clear()),
    ("there is an input too many", |_, trace| trace.steps[1].inputs.push(Value::int(4))),
    ("there is an input where none is read", |_, trace| trace.steps[2].inputs.push(Value::int(4))),
    ("an input has the wrong sort", |_, trace| trace.steps[0].inputs[0] = Value::Bool(true)),
    ("an input is a bit-vector", |_, trace| {
        trace.steps[0].inputs[0] = Value::BitVec(BitVec::new(8, 3u8));
    }),
    ("the other branch is taken", |_, trace| trace.steps[1].choices[0] = 0),
    ("a branch does not exist", |_, trace| trace.steps[1].choices[0] = 2),
    ("a choice is missing", |_, trace| trace.steps[1].choices.clear()),
    ("there is a choice too many", |_, trace| trace.steps[1].choices.push(1)),
    ("there is a choice where none is made", |_, trace| trace.steps[0].choices.push(0)),
    ("an initial value blocks the first step", |task, trace| {
        trace.initial.insert(task.store.find_var("on").unwrap(), Value::Bool(false));
    }),
    ("an initial value is missing", |task, trace| {
        trace.initial.remove(&task.store.find_var("x").unwrap());
    }),
    ("an initial value has the wrong sort", |task, trace| {
        trace.initial.insert(task.store.find_var("x").unwrap(), Value::Bool(true));
    }),
    ("a foreign variable has a value", |task, trace| {
        trace.initial.insert(task.store.declare("w", Sort::Int), Value::int(0));
    }),
    ("a foreign variable replaces one", |task, trace| {
        trace.initial.remove(&task.store.find_var("x").unwrap());
        trace.initial.insert(task.store.declare("w", Sort::Int), Value::int(0));
    }),
];

#[test]
fn the_right_trace_is_accepted() {
    let task = model();
    Cfa::check_trace(&task, &right_trace(&task)).unwrap();
}

#[test]
fn every_mutated_trace_is_rejected() {
    for (name, mutate) in MUTATIONS {
        let task = model();
        let mut trace = right_trace(&task);
        mutate(&task, &mut trace);
        let result = Cfa::check_trace(&task, &trace);
        assert!(is_rejected(&result), "{name}: {result:?}");
    }
}
