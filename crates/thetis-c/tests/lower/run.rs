//! Runs programs: text to automaton, then the interpreter with given inputs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use num_bigint::BigInt;
use thetis_base::{Diagnostics, SourceMap, Span};
use thetis_c::entry::{Entry, enter};
use thetis_c::hir::DataModel;
use thetis_c::lower::{Arithmetic, Event, LowerOptions, Lowered, Property, VarOrigin, lower};
use thetis_c::{LineMarkers, SourceOptions, check_with_library};
use thetis_expr::{ArrayValue, BitVec, Float, FloatSign, Rational, Sort, Store, Value, VarId};
use thetis_model::cfa::{CfaStep, CfaTrace, EdgeId, Graph, Interpreter, State, StepError, Stmt, StmtKind};

/// How a run ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// `main` returns, or the program ends otherwise.
    Exit(Option<BigInt>),
    /// The property is violated.
    Violation,
    /// At a limit.
    Limit(String),
    /// No edge can be taken.
    Blocked,
    /// Too many steps.
    Endless,
}

/// What to do with a program.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) arithmetic: Arithmetic,
    pub(crate) property: Property,
    pub(crate) data_model: DataModel,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            arithmetic: Arithmetic::Auto,
            property: Property::UnreachCall("reach_error".to_string()),
            data_model: DataModel::Lp64,
        }
    }
}

/// The automaton of a program.
pub(crate) fn translate(text: &str, setup: &Setup) -> Result<Lowered, String> {
    translate_from(text, setup, None)
}

/// The automaton of a program that starts with a function.
pub(crate) fn translate_from(text: &str, setup: &Setup, entry: Option<&Entry>) -> Result<Lowered, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { machine: setup.data_model.into(), line_markers: LineMarkers::Ignore };
    let whole = Span { file, start: 0, end: 0 };
    let lower_options = LowerOptions {
        arithmetic: setup.arithmetic,
        property: setup.property.clone(),
        ..LowerOptions::default()
    };
    let messages = |diagnostics: &Diagnostics| {
        diagnostics.iter().map(|message| message.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let Ok((mut program, _)) = check_with_library(&mut sources, file, &options, &[], &mut diagnostics) else {
        return Err(messages(&diagnostics));
    };
    if let Some(entry) = entry {
        enter(&mut program, entry, &sources)?;
    }
    lower(&program, &lower_options, whole, &mut diagnostics).map_err(|_| messages(&diagnostics))
}

/// Runs an automaton; calls of input functions give the inputs, then zeros.
pub(crate) fn run(lowered: &Lowered, inputs: &[i128]) -> Outcome {
    run_watching(lowered, inputs, None)
}

/// Runs an automaton with an order of evaluation wherever there is a choice.
pub(crate) fn run_choosing(lowered: &Lowered, is_reversed: bool) -> Outcome {
    run_with(lowered, &[], None, &mut |_| i128::from(is_reversed)).0
}

/// Runs an automaton whose arbitrary values are 1, 2, 3 and so on.
pub(crate) fn run_counting(lowered: &Lowered) -> Outcome {
    let mut last = 0;
    run_with(lowered, &[], None, &mut |_| {
        last += 1;
        last
    })
    .0
}

/// Runs an automaton that may watch one of the blocks that it allocates, by its number.
pub(crate) fn run_watching(lowered: &Lowered, inputs: &[i128], watched: Option<usize>) -> Outcome {
    run_with(lowered, inputs, watched, &mut |_| 0).0
}

/// The run of an automaton to a violation.
pub(crate) fn violation(lowered: &Lowered, inputs: &[i128]) -> CfaTrace {
    let (outcome, trace) = run_with(lowered, inputs, None, &mut |_| 0);
    assert_eq!(outcome, Outcome::Violation);
    trace
}

/// Runs an automaton; values that no input function gives are those that `arbitrary` says.
fn run_with(
    lowered: &Lowered,
    inputs: &[i128],
    watched: Option<usize>,
    arbitrary: &mut dyn FnMut(VarId) -> i128,
) -> (Outcome, CfaTrace) {
    let cfa = &lowered.task.model;
    let store = &lowered.task.store;
    let interpreter = Interpreter::new(&lowered.task);
    let graph = Graph::new(cfa);
    let mut inputs: VecDeque<i128> = inputs.iter().copied().collect();
    let initial: BTreeMap<_, _> =
        cfa.vars.iter().map(|var| (*var, zero(store, store.var_sort(*var)))).collect();
    let mut state = interpreter.initial(&initial).unwrap();
    let mut trace = CfaTrace::new(initial, Vec::new());
    let mut num_blocks = 0;
    for _ in 0..200_000 {
        if cfa.is_error(state.location) {
            return (Outcome::Violation, trace);
        }
        if let Some(limit) = lowered.origin.limits.iter().find(|limit| limit.location == state.location) {
            return (Outcome::Limit(limit.reason.clone()), trace);
        }
        if cfa.finals.contains(&state.location) {
            return (Outcome::Exit(result(lowered, &state)), trace);
        }
        let mut next = None;
        for edge in graph.outgoing(state.location) {
            let step = step(lowered, *edge, &inputs, watched == Some(num_blocks), arbitrary);
            match interpreter.step(&state, &step) {
                Ok(after) => {
                    assert!(next.is_none(), "a program should be deterministic but for its inputs");
                    next = Some((after, step));
                }
                Err(StepError::Blocked(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let Some((after, step)) = next else { return (Outcome::Blocked, trace) };
        let edge = step.edge;
        trace.steps.push(step);
        let chooses = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Havoc(var) if is_choice(lowered, var));
        num_blocks += cfa.edges[edge].stmt.walk().filter(|stmt| chooses(stmt)).count();
        if let Event::Input { .. } = lowered.origin.edges[edge] {
            inputs.pop_front();
        }
        state = after;
    }
    (Outcome::Endless, trace)
}

/// The ends of all runs of an automaton whose inputs are zero, whatever order its threads take.
pub(crate) fn run_all(lowered: &Lowered) -> BTreeSet<Outcome> {
    let (cfa, store) = (&lowered.task.model, &lowered.task.store);
    let (interpreter, graph) = (Interpreter::new(&lowered.task), Graph::new(cfa));
    let initial: BTreeMap<_, _> =
        cfa.vars.iter().map(|var| (*var, zero(store, store.var_sort(*var)))).collect();
    let first = interpreter.initial(&initial).unwrap();
    let (mut ends, mut seen, mut pending) = (BTreeSet::new(), BTreeSet::from([first.clone()]), vec![first]);
    while let Some(state) = pending.pop() {
        assert!(seen.len() < 200_000, "a program of a test should have few states");
        if cfa.is_error(state.location) {
            ends.insert(Outcome::Violation);
        } else if let Some(limit) = cfa.limits.get(&state.location) {
            ends.insert(Outcome::Limit(limit.clone()));
        }
        for edge in graph.outgoing(state.location) {
            let step = step(lowered, *edge, &VecDeque::new(), false, &mut |_| 0);
            match interpreter.step(&state, &step) {
                Ok(after) if seen.insert(after.clone()) => pending.push(after),
                Ok(_) | Err(StepError::Blocked(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    ends
}

/// Whether a variable says that the block that has just been allocated is watched.
fn is_choice(lowered: &Lowered, var: VarId) -> bool {
    lowered.origin.vars.get(&var) == Some(&VarOrigin::Heap)
}

fn step(
    lowered: &Lowered,
    edge: EdgeId,
    inputs: &VecDeque<i128>,
    is_watched: bool,
    arbitrary: &mut dyn FnMut(VarId) -> i128,
) -> CfaStep {
    let store = &lowered.task.store;
    let is_input = matches!(lowered.origin.edges[edge], Event::Input { .. });
    let mut given = is_input.then(|| inputs.front().copied().unwrap_or(0));
    let values = lowered.task.model.edges[edge].stmt.walk().filter_map(|stmt| match &stmt.kind {
        StmtKind::Havoc(var) if is_choice(lowered, *var) => Some(Value::Bool(is_watched)),
        StmtKind::Havoc(var) => {
            let sort = store.var_sort(*var);
            let number = given.take().unwrap_or_else(|| arbitrary(*var));
            Some(number_of(store, sort, number))
        }
        _ => None,
    });
    CfaStep { edge, inputs: values.collect(), choices: Vec::new() }
}

fn zero(store: &Store, sort: Sort) -> Value {
    number_of(store, sort, 0)
}

fn number_of(store: &Store, sort: Sort, number: i128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number != 0),
        Sort::Int => Value::int(number),
        Sort::Real => Value::Real(Rational::from_integer(number.into())),
        Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), &number.into())),
        Sort::Float(format) => Value::Float(Float::zero(format, FloatSign::Positive)),
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            Value::Array(ArrayValue::new(index, number_of(store, element, number)).into())
        }
    }
}

/// What `main` returned.
fn result(lowered: &Lowered, state: &State) -> Option<BigInt> {
    let main = lowered.origin.frames.indices().next()?;
    let is_result = |origin: &VarOrigin| *origin == VarOrigin::Result(main);
    let (var, _) = lowered.origin.vars.iter().find(|(_, origin)| is_result(origin))?;
    match state.values.get(var)? {
        Value::Int(number) => Some(number.clone()),
        Value::BitVec(bits) => Some(bits.signed()),
        _ => None,
    }
}
