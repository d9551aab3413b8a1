//! The examples: they are accepted, survive printing, and behave as their README says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use thetis_expr::{ArrayValue, BitVec, Float, FloatSign, Rational, Sort, Store, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, Interpreter, State, StmtKind, dot};

use crate::common::{crate_dir, parse};
use crate::round_trip::round_trip;

/// The name, text and verdict of each automaton in the tables of the README.
fn examples() -> Vec<(String, String, String)> {
    let folder = crate_dir().join("../../examples");
    let readme = fs::read_to_string(folder.join("README.md")).expect("the examples should have a README");
    let rows = readme.lines().filter(|line| line.starts_with("| [") && line.contains(".cfa`]"));
    let example = |row: &str| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let name = cells.next().and_then(|cell| cell.split('`').nth(1)).expect("a row should have a name");
        let verdict = cells.next().expect("a row should have a verdict");
        let text = fs::read_to_string(folder.join(name)).expect("an example should exist");
        (name.to_owned(), text, verdict.to_owned())
    };
    rows.map(example).collect()
}

#[test]
fn examples_are_accepted_and_survive_printing() {
    let examples = examples();
    let folder = fs::read_dir(crate_dir().join("../../examples")).expect("there should be examples");
    let is_model = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|ext| ext == "cfa");
    let num_models = folder.flatten().filter(is_model).count();
    assert_eq!(examples.len(), num_models, "the README should list every example");
    for (name, text, _) in examples {
        let outcome = parse(&name, &text);
        assert_eq!(outcome.messages, "");
        let task = outcome.task.expect("an example should be correct");
        round_trip(&task);
        assert!(dot(&task).starts_with("digraph"));
    }
}

/// A search through runs with a few sample values for inputs finds the errors of the unsafe examples, and none in the
/// safe ones. This is no proof of safety; the engines' tests give that.
#[test]
fn examples_behave_as_the_readme_says() {
    for (name, text, verdict) in examples() {
        let task = parse(&name, &text).task.expect("an example should be correct");
        let found = finds_error(&task, 60);
        assert_eq!(if found { "unsafe" } else { "safe" }, verdict, "{name}");
    }
}

fn finds_error(task: &Task<Cfa>, max_steps: usize) -> bool {
    let interpreter = Interpreter::new(task);
    let initial: BTreeMap<_, _> = task
        .model
        .vars
        .iter()
        .map(|var| (*var, samples(&task.store, task.store.var_sort(*var))[0].clone()))
        .collect();
    let mut frontier = vec![interpreter.initial(&initial).expect("samples should have the right sorts")];
    let mut seen: BTreeSet<State> = frontier.iter().cloned().collect();
    for _ in 0..max_steps {
        let mut next = Vec::new();
        for state in frontier {
            for step in steps(task, &state) {
                let Ok(successor) = interpreter.step(&state, &step) else { continue };
                if task.model.is_error(successor.location) {
                    return true;
                }
                if seen.len() < 20_000 && seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        frontier = next;
    }
    false
}

/// Every edge from a state, with every combination of sample inputs.
fn steps(task: &Task<Cfa>, state: &State) -> Vec<CfaStep> {
    let mut steps = Vec::new();
    for (edge, body) in task.model.edges.iter_enumerated().filter(|(_, edge)| edge.source == state.location) {
        let mut inputs: Vec<Vec<Value>> = vec![Vec::new()];
        for stmt in body.stmt.walk() {
            if let StmtKind::Havoc(var) = &stmt.kind {
                let values = samples(&task.store, task.store.var_sort(*var));
                let extend = |prefix: Vec<Value>| {
                    values
                        .iter()
                        .map(move |value| [prefix.clone(), vec![value.clone()]].concat())
                        .collect::<Vec<_>>()
                };
                inputs = inputs.into_iter().flat_map(extend).collect();
            }
        }
        steps.extend(inputs.into_iter().map(|inputs| CfaStep { edge, inputs, choices: Vec::new() }));
    }
    steps
}

fn samples(store: &Store, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![false.into(), true.into()],
        Sort::Int => [1, 0, -5].map(Value::int).to_vec(),
        Sort::Real => {
            [(0, 1), (1, 3)].map(|(n, d)| Value::Real(Rational::new(i32::into(n), i32::into(d)))).to_vec()
        }
        Sort::BitVec(width) => {
            let bits = |number: u32| Value::BitVec(BitVec::new(width.get(), number));
            vec![bits(0), bits(1), bits(u32::MAX)]
        }
        Sort::Float(format) => {
            vec![Value::Float(Float::zero(format, FloatSign::Positive)), Value::Float(Float::nan(format))]
        }
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            let default = samples(store, element)[0].clone();
            vec![Value::Array(ArrayValue::new(index, default).into())]
        }
    }
}
