//! The arguments with which `main` starts in a run.
//!
//! They are in memory outside the program: `argv` points to `argc` pointers to strings, and a null pointer after them. The memory of a
//! run consists of several arrays, each for the cells of one kind that can have a common address, and nothing says which of them is
//! outside. The one that has pointers where `argv` needs them is it.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use thetis_base::Span;
use thetis_expr::{ArrayValue, BitVec, Value, VarId};
use thetis_model::cfa::{CfaTrace, Interpreter, State};

use super::Translated;
use super::relevance::effects;
use super::story::join_bytes;
use super::value::number;
use crate::hir::LocalId;
use crate::lower::{Event, FrameId, Owner, Scalar, VarOrigin};

/// No run has more arguments that are known.
const MAX_ARGUMENTS: u64 = 64;

/// Longer strings are cut: a run looks at few characters of them.
const MAX_LENGTH: u64 = 256;

/// The arguments of `main`, as far as the run looks at them; none if the program does not look at their number.
pub(super) fn arguments(translated: Translated<'_>, trace: &CfaTrace) -> Option<Vec<Vec<u8>>> {
    let lowered = translated.lowered;
    let frame = FrameId::new(0);
    let main = &translated.program.functions[lowered.origin.frames[frame].function];
    let params = parameters(translated);
    let variable = |position: usize| variable_of(translated, frame, *params.get(position)?);
    let (count, vector) = (variable(0)?, variable(1));
    let size = translated.program.types.model().pointer_size();
    // Parameters are written before the first statement of the program, which may change them.
    let is_start = |number: &usize| {
        let edge = trace.steps[*number].edge;
        match translated.program.arguments {
            None => lowered.origin.edges[edge] == Event::Start,
            Some(_) => {
                lowered.task.model.edges[edge].span.is_some_and(|span| makes_arguments(translated, span))
            }
        }
    };
    let last_start = (0..trace.steps.len()).rfind(is_start)?;
    let mut found = None;
    let mut written: BTreeSet<VarId> = BTreeSet::new();
    let look = |taken: usize, state: &State| {
        if translated.program.arguments.is_some() && taken <= last_start {
            let step = &trace.steps[taken];
            let effects = effects(&lowered.task, step, state).into_iter();
            written.extend(effects.flat_map(|effect| effect.writes).map(|cell| cell.var));
        }
        if taken == last_start + 1 {
            let ty = main.locals[params[0]].ty;
            let number =
                state.values.get(&count).and_then(|value| number(&translated.program.types, ty, value));
            let number = number.and_then(|number| number.to_u64()).filter(|number| *number <= MAX_ARGUMENTS);
            let vector = vector.and_then(|vector| state.values.get(&vector));
            found = number.map(|number| strings(translated, state, &written, vector, number, size));
        }
    };
    Interpreter::new(&lowered.task).follow(trace, look).ok()?;
    found
}

/// The parameters of `main`, or the variables that it has instead.
pub(super) fn parameters(translated: Translated<'_>) -> Vec<LocalId> {
    let main = translated.lowered.origin.frames[FrameId::new(0)].function;
    match translated.program.arguments {
        Some(arguments) => vec![arguments.count, arguments.vector],
        None => translated.program.functions[main].params.clone(),
    }
}

/// Whether `main` makes its arguments at a place.
pub(super) fn makes_arguments(translated: Translated<'_>, span: Span) -> bool {
    let main = translated.lowered.origin.frames[FrameId::new(0)].function;
    let main = &translated.program.functions[main];
    translated.program.arguments.is_some_and(|arguments| arguments.are_made_at(main, span))
}

/// The variable of the automaton that holds a parameter.
fn variable_of(translated: Translated<'_>, frame: FrameId, param: LocalId) -> Option<VarId> {
    let vars = &translated.lowered.origin.vars;
    let is_param = |origin: &VarOrigin| matches!(origin, VarOrigin::Scalar(variable) if variable.owner == Owner::Local(frame, param));
    vars.iter().find(|(_, origin)| is_param(origin)).map(|(var, _)| *var)
}

/// The strings that `vector` has, whose pointers have `size` bytes. Those that are not in memory are empty: the run does not look at them.
fn strings(
    translated: Translated<'_>,
    state: &State,
    written: &BTreeSet<VarId>,
    vector: Option<&Value>,
    count: u64,
    size: u64,
) -> Vec<Vec<u8>> {
    let pointers = vector.and_then(|vector| {
        let cells =
            |number: u64, memory: &ArrayValue| pointer_at(memory, &advanced(vector, number * size)?, size);
        let is_vector = |memory: &&ArrayValue| {
            let is_there = |number| cells(number, memory).is_some_and(|pointer| !is_null(&pointer));
            (0..count).all(is_there) && cells(count, memory).is_some_and(|pointer| is_null(&pointer))
        };
        let pointers = memories(translated, state, Scalar::Pointer).into_iter();
        let memory = pointers.chain(texts(translated, state, &BTreeSet::new())).find(is_vector)?;
        (0..count).map(|number| cells(number, memory)).collect::<Option<Vec<Value>>>()
    });
    let texts = texts(translated, state, written);
    let text =
        |pointer: &Value| texts.iter().map(|memory| text_at(memory, pointer)).max().unwrap_or_default();
    let strings: Vec<Vec<u8>> = pointers.iter().flatten().map(text).collect();
    if strings.is_empty() { vec![Vec::new(); usize::try_from(count).unwrap_or(0)] } else { strings }
}

/// The arrays of memory with cells of a kind, or with bytes.
fn memories<'s>(translated: Translated<'_>, state: &'s State, kind: Scalar) -> Vec<&'s ArrayValue> {
    memories_where(translated, state, kind, |_| true)
}

fn memories_where<'s>(
    translated: Translated<'_>,
    state: &'s State,
    kind: Scalar,
    is_meant: impl Fn(&VarId) -> bool,
) -> Vec<&'s ArrayValue> {
    let vars = translated.lowered.origin.vars.iter().filter(|(var, _)| is_meant(var));
    let cells = vars.filter(|(_, origin)| matches!(origin, VarOrigin::Memory(scalar) if *scalar == kind));
    let values = cells.filter_map(|(var, _)| state.values.get(var));
    let of_kind = values.filter_map(|value| match value {
        Value::Array(memory) => Some(&**memory),
        _ => None,
    });
    of_kind.collect()
}

/// The arrays of memory with cells of one byte; of those that were written when the arguments were made, if `main` has made them.
fn texts<'s>(translated: Translated<'_>, state: &'s State, written: &BTreeSet<VarId>) -> Vec<&'s ArrayValue> {
    let is_byte = |scalar: &Scalar| matches!(scalar, Scalar::Int(integer) if integer.width == 8);
    let kinds = translated.lowered.origin.vars.values().filter_map(|origin| match origin {
        VarOrigin::Memory(scalar) if is_byte(scalar) => Some(*scalar),
        _ => None,
    });
    let mut known: Vec<Scalar> = Vec::new();
    kinds.for_each(|kind| {
        if !known.contains(&kind) {
            known.push(kind)
        }
    });
    let is_meant = |var: &VarId| written.is_empty() || written.contains(var);
    known.into_iter().flat_map(|kind| memories_where(translated, state, kind, is_meant)).collect()
}

fn text_at(memory: &ArrayValue, pointer: &Value) -> Vec<u8> {
    let bytes = (0..MAX_LENGTH).map_while(|number| byte_at(memory, &advanced(pointer, number)?));
    bytes.take_while(|byte| *byte != 0).collect()
}

fn byte_at(memory: &ArrayValue, address: &Value) -> Option<u8> {
    match memory.read(address) {
        Value::BitVec(bits) => bits.unsigned().to_u8(),
        Value::Int(number) => (number & BigInt::from(0xff)).to_u8(),
        _ => None,
    }
}

fn pointer_at(memory: &ArrayValue, address: &Value, size: u64) -> Option<Value> {
    match memory.read(address) {
        Value::BitVec(bits) if u64::from(bits.width()) < 8 * size => join_bytes(memory, address, size),
        value => Some(value.clone()),
    }
}

fn advanced(pointer: &Value, bytes: u64) -> Option<Value> {
    match pointer {
        Value::Int(address) => Some(Value::Int(address + bytes)),
        Value::BitVec(address) => {
            Some(Value::BitVec(BitVec::new(address.width(), address.unsigned() + bytes)))
        }
        _ => None,
    }
}

fn is_null(pointer: &Value) -> bool {
    match pointer {
        Value::Int(address) => *address == BigInt::ZERO,
        Value::BitVec(address) => address.unsigned().bits() == 0,
        _ => false,
    }
}
