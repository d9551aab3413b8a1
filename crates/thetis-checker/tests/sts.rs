//! The checker of transition systems accepts right evidence and rejects wrong evidence.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_checker::{CheckError, Checkable};
use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{ExprId, Sort, Value};
use thetis_model::Task;
use thetis_model::sts::{Paths, Sts, StsProof, StsStep, StsTrace};
use thetis_solver::CheckedFactory;
use thetis_testkit::sts::{StsShape, explore_sts, random_sts, reachable_states_of_sts};
use thetis_z3::Z3Factory;

fn parse(body: &str, property: &str) -> Task<Sts> {
    let text = format!("specification S {{ property p : {{ {body} }} models G({property}) }}");
    let mut sources = SourceMap::new();
    let file = sources.add("test.sts", text);
    let mut diagnostics = Diagnostics::new();
    let mut tasks = thetis_text::sts::parse(&sources, file, &mut diagnostics)
        .unwrap_or_else(|_| panic!("the model should parse: {diagnostics:?}"));
    tasks.remove(0).task
}

fn check(task: &Task<Sts>, proof: &StsProof) -> Result<(), CheckError> {
    let z3 = || Rc::new(Z3Factory::default());
    Sts::check_proof(task, proof, &CheckedFactory::new(z3(), z3()), &Run::unlimited())
}

fn words(result: Result<(), CheckError>) -> String {
    match result {
        Ok(()) => "accepted".into(),
        Err(CheckError::Rejected(words)) => words,
        Err(other) => panic!("the check should come to an end: {other:?}"),
    }
}

/// Counts up to ten and starts again; `y` is how far it still is.
const COUNTER: &str = "
    var x : int  var y : int  var go : bool
    invariant go or not go
    initial x = 0 and y = 10
    transition if x < 10 then x' = x + 1 else x' = 0
    transition y' = (if x < 10 then y - 1 else 10)";

fn formula(task: &Task<Sts>, text: &str) -> ExprId {
    parse_term(&task.store, text, &Declared).unwrap()
}

#[test]
fn invariants() {
    let task = parse(COUNTER, "x <= 10");
    let judge = |text: &str| words(check(&task, &StsProof::Invariant(formula(&task, text))));
    assert_eq!(judge("(and (>= x 0) (<= x 10))"), "accepted");
    assert_eq!(judge("(and (= (+ x y) 10) (<= 0 x 10))"), "accepted");
    assert_eq!(judge("(<= 1 x 10)"), "the formula excludes an initial state");
    assert_eq!(judge("(<= 0 x 9)"), "a step leads from the formula to a state without it");
    assert_eq!(judge("(and (<= 0 x 10) (<= y 9))"), "the formula excludes an initial state");
    assert_eq!(judge("true"), "a bad step satisfies the invariant");
    assert_eq!(judge("(<= x 11)"), "a bad step satisfies the invariant");
    assert_eq!(judge("false"), "the formula excludes an initial state");
    let not_a_formula = "the proof is not a formula over the variables";
    assert_eq!(words(check(&task, &StsProof::Invariant(task.store.int(1)))), not_a_formula);
    let other = task.store.var("other", Sort::Bool);
    assert_eq!(words(check(&task, &StsProof::Invariant(other))), not_a_formula);
    let primed = task.store.primed(formula(&task, "(<= x 10)"));
    assert_eq!(words(check(&task, &StsProof::Invariant(primed))), not_a_formula);
}

#[test]
fn the_constraint_counts_in_every_step() {
    let task = parse("var x : int invariant x <= 3 initial x >= 0 transition x' = x + 1", "x /= 7");
    let judge = |text: &str| words(check(&task, &StsProof::Invariant(formula(&task, text))));
    assert_eq!(judge("true"), "accepted", "the constraint excludes the bad state");
    assert_eq!(judge("(<= x 3)"), "accepted", "a step into the bad state is no step of a run");
    assert_eq!(judge("(<= x 2)"), "the formula excludes an initial state");
}

fn k_inductive(task: &Task<Sts>, k: u32, lemma: &str, paths: Paths) -> String {
    words(check(task, &StsProof::KInductive { k, lemma: formula(task, lemma), paths }))
}

#[test]
fn inductions() {
    let shift = "var a : bool var b : bool var c : bool initial not a and not b and not c
                 transition a' = a transition b' = a transition c' = b";
    let task = parse(shift, "not c");
    let broken = "steps that are not bad are followed by a bad one";
    assert_eq!(k_inductive(&task, 3, "true", Paths::All), "accepted");
    assert_eq!(k_inductive(&task, 2, "true", Paths::All), broken);
    assert_eq!(k_inductive(&task, 0, "true", Paths::All), broken);
    assert_eq!(k_inductive(&task, 0, "(not (or a b c))", Paths::All), "accepted");
    assert_eq!(k_inductive(&task, 1, "(not a)", Paths::All), broken);
    assert_eq!(k_inductive(&task, 2, "(not a)", Paths::All), "accepted");
    assert_eq!(k_inductive(&task, 1, "a", Paths::All), "the formula excludes an initial state");
    assert_eq!(
        k_inductive(&task, 1, "(not b)", Paths::All),
        "a step leads from the formula to a state without it"
    );
}

#[test]
fn the_base_of_an_induction_is_checked() {
    let task = parse("var x : int initial x = 0 transition if x < 5 then x' = x + 1 else x' = 5", "x /= 3");
    assert_eq!(k_inductive(&task, 4, "true", Paths::All), "a run has a bad step after 3 others");
    let unsafe_at_once = parse("var x : int initial x = 3 transition x' = x", "x /= 3");
    assert_eq!(k_inductive(&unsafe_at_once, 1, "true", Paths::All), "a run has a bad step after 0 others");
}

#[test]
fn simple_paths_are_no_excuse() {
    let ring = "var x : int invariant 0 <= x and x <= 4 initial x = 0
                transition if x <= 1 then x' = 1 - x else (if x = 2 then x' = 3 else (x' = 2 or x' = 4))";
    let task = parse(ring, "x /= 4");
    let broken = "steps that are not bad are followed by a bad one";
    assert_eq!(k_inductive(&task, 3, "true", Paths::Simple), "accepted");
    assert_eq!(k_inductive(&task, 2, "true", Paths::Simple), broken);
    assert_eq!(k_inductive(&task, 3, "true", Paths::All), broken);
    assert_eq!(k_inductive(&task, 9, "true", Paths::All), broken);
}

fn step(x: i64, y: i64, go: bool) -> StsStep {
    StsStep { state: vec![Value::int(x), Value::int(y), Value::Bool(go)], inputs: Vec::new() }
}

#[test]
fn traces() {
    let task = parse(COUNTER, "x < 2");
    let judge = |steps: Vec<StsStep>| words(Sts::check_trace(&task, &StsTrace { steps }));
    let right = || vec![step(0, 10, true), step(1, 9, false), step(2, 8, true)];
    assert_eq!(judge(right()), "accepted");
    assert_eq!(judge(vec![]), "the trace does not end in a bad step");
    assert_eq!(judge(right()[..2].to_vec()), "the trace does not end in a bad step");
    assert_eq!(judge(right()[1..].to_vec()), "step 1 of the trace: the first state is not initial");
    let mut jumps = right();
    jumps.remove(1);
    assert_eq!(judge(jumps), "step 1 of the trace: the next value of `x` is another one");
    let mut wrong = right();
    wrong[2].state[1] = Value::int(7);
    assert_eq!(judge(wrong), "step 2 of the trace: the next value of `y` is another one");
    let mut short = right();
    short[1].state.pop();
    assert_eq!(judge(short), "step 2 of the trace: the values are not those of the variables and inputs");
    let mut unsorted = right();
    unsorted[1].state[2] = Value::int(1);
    assert_eq!(judge(unsorted), "step 2 of the trace: the value for `go` has another sort");
    let mut with_input = right();
    with_input[0].inputs.push(Value::Bool(true));
    assert_eq!(
        judge(with_input),
        "step 1 of the trace: the values are not those of the variables and inputs"
    );
}

#[test]
fn traces_respect_constraints_and_relations() {
    let task =
        parse("var x : int invariant x /= 1 initial x = 0 transition x' <= x + 1 and x' >= x", "x < 1");
    let judge = |values: &[i64]| {
        let step = |x: &i64| StsStep { state: vec![Value::int(*x)], inputs: Vec::new() };
        words(Sts::check_trace(&task, &StsTrace { steps: values.iter().map(step).collect() }))
    };
    assert_eq!(judge(&[0, 1]), "step 2 of the trace: the constraint does not hold");
    assert_eq!(judge(&[0, 2]), "step 1 of the trace: the transition relation does not hold");
    assert_eq!(judge(&[0, 0]), "the trace does not end in a bad step");
}

/// The reachable states are the strongest invariant: it is accepted iff the system is safe.
#[test]
fn the_reachable_states_are_accepted_iff_they_are_safe() {
    let shape = StsShape { max_bools: 3, max_ints: 1, max_inputs: 1 };
    for seed in 0..150 {
        let task = random_sts(seed, shape);
        let store = &task.store;
        let of_state = |state: &Vec<Value>| {
            let pairs = task.model.vars.iter().zip(state);
            store.and_all(
                pairs.map(|(var, value)| store.eq(store.var_expr(*var), store.literal(value.clone()))),
            )
        };
        let states = reachable_states_of_sts(&task);
        let invariant = store.or_all(states.iter().map(of_state));
        let accepted = check(&task, &StsProof::Invariant(invariant)).is_ok();
        assert_eq!(accepted, explore_sts(&task).is_none(), "seed {seed}");
    }
}
