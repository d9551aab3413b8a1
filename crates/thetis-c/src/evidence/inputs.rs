//! The values that the environment supplies in a run.
//!
//! Functions without a body supply values directly. A library function such as `getchar` has a model, which computes
//! its result from inputs; then the result is the supplied value. That covers the whole effect of the function only if
//! it takes no pointers, so other functions are left to the C library.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::{Value, VarId};
use thetis_model::cfa::{CfaTrace, Interpreter, State};

use super::Translated;
use crate::hir::{Function, Program, Type, TypeId};
use crate::library::{Closeness, MODEL_PREFIX, modelled_functions};
use crate::lower::{Event, Frame, FrameId, VarOrigin};

/// A value with its type in the program.
pub(super) type Delivered = (TypeId, Value);

/// The values that each function delivers in a run, in its order.
pub(super) fn inputs(translated: Translated<'_>, trace: &CfaTrace) -> BTreeMap<String, Vec<Delivered>> {
    let mut inputs: BTreeMap<String, Vec<Delivered>> = BTreeMap::new();
    for (function, delivered) in deliveries(translated, trace) {
        inputs.entry(function).or_default().push(delivered);
    }
    inputs
}

/// The values that functions deliver in a run, with the names of the functions.
pub(super) fn deliveries(translated: Translated<'_>, trace: &CfaTrace) -> Vec<(String, Delivered)> {
    let origin = &translated.lowered.origin;
    let (results, models) = (result_variables(translated), input_models(translated.program));
    let mut inputs = Vec::new();
    let look = |number: usize, state: &State| {
        let Some(last) = number.checked_sub(1) else { return };
        let delivery = match &origin.edges[trace.steps[last].edge] {
            Event::Input { function, var, ty } => Some((function.clone(), *var, *ty)),
            Event::Return(frame) => model_of(translated, *frame)
                .filter(|function| models.contains(&function.name))
                .and_then(|function| Some((function.name.clone(), *results.get(frame)?, function.ty.result))),
            _ => None,
        };
        if let Some((function, var, ty)) = delivery
            && let Some(value) = state.values.get(&var)
        {
            inputs.push((function, (ty, value.clone())));
        }
    };
    match Interpreter::new(&translated.lowered.task).follow(trace, look) {
        Ok(_) => inputs,
        Err(_) => Vec::new(),
    }
}

/// Whether a function of the program has a model that is called instead of it.
pub(super) fn has_model(program: &Program, function: &Function) -> bool {
    let model = format!("{MODEL_PREFIX}{}", function.name);
    program.functions.iter().any(|other| other.body.is_some() && other.name == model)
}

/// The function that the program calls, if a copy of a function is its model.
fn model_of(translated: Translated<'_>, frame: FrameId) -> Option<&Function> {
    let frames = &translated.lowered.origin.frames;
    let is_model = |frame: &Frame| frame.name.starts_with(MODEL_PREFIX);
    let (caller, _) = frames[frame].caller?;
    let name = frames[frame].name.strip_prefix(MODEL_PREFIX).filter(|_| !is_model(&frames[caller]))?;
    translated.program.functions.iter().find(|function| function.name == name)
}

/// The library functions that only return a value from outside.
fn input_models(program: &Program) -> BTreeSet<String> {
    let inputs = modelled_functions().into_iter().filter(|(_, _, closeness)| *closeness == Closeness::Input);
    let names: BTreeSet<&str> = inputs.map(|(_, name, _)| name).collect();
    let takes_pointer = |function: &Function| {
        function.ty.params.iter().any(|ty| matches!(program.types.get(*ty), Type::Pointer(_)))
    };
    let functions = program.functions.iter().filter(|function| names.contains(function.name.as_str()));
    functions.filter(|function| !takes_pointer(function)).map(|function| function.name.clone()).collect()
}

pub(super) fn result_variables(translated: Translated<'_>) -> BTreeMap<FrameId, VarId> {
    let vars = &translated.lowered.origin.vars;
    let results = vars.iter().filter_map(|(var, origin)| match origin {
        VarOrigin::Result(frame) => Some((*frame, *var)),
        _ => None,
    });
    results.collect()
}
