//! Simulates a compiled program on the inputs of a run, if the compiler initialises what the program does not.
//!
//! In a run of the model, uninitialised variables may have any value. In a compiled program, `gcc
//! -ftrivial-auto-var-init` fills them with zeros or with a byte pattern; without optimisation they hold what was on
//! the stack before, which can be one repeated word. So the interpreter tries the inputs of the run again with these
//! values; the program then has only one run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use thetis_expr::{ArrayValue, BitVec, Float, Rational, Sort, Store, Value, VarId};
use thetis_model::cfa::{CfaStep, CfaTrace, EdgeId, Graph, Interpreter, StmtKind};

use super::Translated;
use crate::hir::TypeId;
use crate::lower::{Event, Scalar, VarOrigin};

/// The contents of uninitialised variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Filling {
    /// Zeros, by the compiler.
    Zero,
    /// Bytes `0xFE`, by the compiler.
    Pattern,
    /// A repeated word, left on the stack.
    Word(u32),
}

/// How many times longer than the run a simulation may be.
const MAX_DETOUR: usize = 10;

/// Whether a run gives values to variables that the program leaves open.
pub(super) fn has_open_values(translated: Translated<'_>, trace: &CfaTrace) -> bool {
    trace.steps.iter().any(|step| {
        !matches!(translated.lowered.origin.edges[step.edge], Event::Input { .. }) && !step.inputs.is_empty()
    })
}

/// Words that the stack could hold: the values of uninitialised variables in the run, as they are and as repeated
/// bytes.
pub(super) fn words(trace: &CfaTrace) -> BTreeSet<u32> {
    let mut words = BTreeSet::new();
    for value in trace.initial.values().chain(trace.steps.iter().flat_map(|step| &step.inputs)) {
        let scalars: Vec<&Value> = match value {
            Value::Array(array) => {
                array.entries().map(|(_, element)| element).chain([array.default()]).collect()
            }
            scalar => vec![scalar],
        };
        for scalar in scalars.into_iter().take(MAX_WORDS) {
            let number = match scalar {
                Value::Int(number) => number.clone(),
                Value::BitVec(bits) => bits.signed(),
                _ => continue,
            };
            let Some(word) = BitVec::from_int(32, &number).unsigned().to_u32() else { continue };
            words.extend([word, (word & 0xFF) * 0x0101_0101]);
        }
    }
    // A letter, in case no value of the run works for all variables.
    words.insert(u32::from(b'a') * 0x0101_0101);
    words.into_iter().take(MAX_WORDS.min(MAX_STEPS / (trace.steps.len() + 1))).collect()
}

/// How many words are tried, and with them how many steps of a run.
const MAX_WORDS: usize = 64;
const MAX_STEPS: usize = 1_000_000;

/// Whether the inputs of a run lead to a violation if a compiler fills what is not initialised.
pub(super) fn reaches(translated: Translated<'_>, trace: &CfaTrace, filling: Filling) -> bool {
    let task = &translated.lowered.task;
    let cfa = &task.model;
    let mut simulation = Simulation { translated, filling, inputs: inputs(translated, trace) };
    let interpreter = Interpreter::new(task);
    let graph = Graph::new(cfa);
    let initial = cfa.vars.iter().map(|var| (*var, simulation.filled(*var)));
    let Ok(mut state) = interpreter.initial(&initial.collect()) else { return false };
    for _ in 0..MAX_DETOUR * (trace.steps.len() + 1) {
        if cfa.is_error(state.location) {
            return true;
        }
        let next = graph.outgoing(state.location).iter().find_map(|edge| {
            let step = simulation.step(*edge)?;
            Some((*edge, interpreter.step(&state, &step).ok()?))
        });
        let Some((edge, successor)) = next else { return false };
        simulation.take(edge);
        state = successor;
    }
    false
}

/// The values that each function delivers in a run.
fn inputs(translated: Translated<'_>, trace: &CfaTrace) -> BTreeMap<String, VecDeque<Value>> {
    let mut inputs: BTreeMap<String, VecDeque<Value>> = BTreeMap::new();
    for step in &trace.steps {
        if let (Event::Input { function, .. }, Some(value)) =
            (&translated.lowered.origin.edges[step.edge], step.inputs.first())
        {
            inputs.entry(function.clone()).or_default().push_back(value.clone());
        }
    }
    inputs
}

struct Simulation<'a> {
    translated: Translated<'a>,
    filling: Filling,
    inputs: BTreeMap<String, VecDeque<Value>>,
}

impl Simulation<'_> {
    /// The edge with its inputs; `None` if the run has no more inputs, or the edge leaves a choice.
    fn step(&self, edge: EdgeId) -> Option<CfaStep> {
        let lowered = self.translated.lowered;
        let mut values = Vec::new();
        for stmt in lowered.task.model.edges[edge].stmt.walk() {
            match &stmt.kind {
                StmtKind::Havoc(var) => values.push(self.value(edge, *var)?),
                StmtKind::Choice(_) => return None,
                StmtKind::Assign(..) | StmtKind::Assume(_) | StmtKind::Seq(_) => {}
            }
        }
        Some(CfaStep { edge, inputs: values, choices: Vec::new() })
    }

    fn value(&self, edge: EdgeId, var: VarId) -> Option<Value> {
        let lowered = self.translated.lowered;
        if let Event::Input { function, var: delivered, .. } = &lowered.origin.edges[edge]
            && *delivered == var
        {
            return self.inputs.get(function)?.front().cloned();
        }
        Some(self.filled(var))
    }

    /// What a variable holds that nothing was assigned to.
    fn filled(&self, var: VarId) -> Value {
        let lowered = self.translated.lowered;
        let ty = match lowered.origin.vars.get(&var) {
            Some(VarOrigin::Scalar(variable) | VarOrigin::Elements(variable)) => Some(variable.ty),
            _ => None,
        };
        let scalar = match lowered.origin.vars.get(&var) {
            Some(VarOrigin::Memory(scalar) | VarOrigin::Input(scalar)) => Some(*scalar),
            _ => ty.and_then(|ty: TypeId| Scalar::of(&self.translated.program.types, ty)),
        };
        let store = &lowered.task.store;
        fill(store, store.var_sort(var), scalar, self.filling)
    }

    fn take(&mut self, edge: EdgeId) {
        if let Event::Input { function, .. } = &self.translated.lowered.origin.edges[edge]
            && let Some(values) = self.inputs.get_mut(function)
        {
            values.pop_front();
        }
    }
}

/// Zeros of a sort.
pub(super) fn zero(store: &Store, sort: Sort) -> Value {
    fill(store, sort, None, Filling::Zero)
}

/// The value of a sort that a compiler fills memory with; integers need to know their type.
fn fill(store: &Store, sort: Sort, scalar: Option<Scalar>, filling: Filling) -> Value {
    let bytes = |width: u32| -> BigInt {
        match filling {
            Filling::Zero => BigInt::from(0),
            Filling::Pattern => {
                (0..width.div_ceil(8)).fold(BigInt::from(0), |number, _| (number << 8u32) + 0xFE)
            }
            // The caller truncates it to the width.
            Filling::Word(word) => {
                (0..width.div_ceil(32)).fold(BigInt::from(0), |number, _| (number << 32u32) + word)
            }
        }
    };
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Real => Value::Real(Rational::from_integer(BigInt::from(0))),
        Sort::Int => match scalar.and_then(Scalar::integer) {
            Some(integer) => Value::Int(integer.wrap(&bytes(integer.width))),
            None => Value::int(0),
        },
        Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), &bytes(width.get()))),
        Sort::Float(format) => {
            let width = format.width();
            Value::Float(Float::from_bits(format, &BitVec::from_int(width, &bytes(width))))
        }
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            Value::Array(Arc::new(ArrayValue::new(index, fill(store, element, scalar, filling))))
        }
    }
}
