//! Models of library functions, written in C.
//!
//! The model of `strlen` is called `__thetis_strlen`, so it cannot conflict with a program's declaration of `strlen`. A
//! program that uses undefined functions with models is checked again, with the models that it needs as one more
//! translation unit. The translation then calls the models.
//!
//! Models access memory as the functions do, so a call with a bad pointer is a violation. They may call some functions
//! that the translation knows: `__thetis_any_T` gives a value from outside, `__thetis_assume` restricts it,
//! `__thetis_approximate` marks the run as possibly impossible in the program, and `__thetis_limit` ends it at a limit.

mod format;
mod formatted;
mod index;
mod redirect;
mod scan;

use std::collections::BTreeSet;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};

use crate::check::check;
use crate::hir::{Callee, Expr, ExprKind, FunctionId, FunctionType, Machine, Program, Type, TypeId, Types};
use crate::lower::{Part, may_be_text, walk_body, walk_initializers};
use crate::syntax::ast;
use crate::{ClaimAt, LineMarkers, SourceOptions, UnitText, code, parse};
use index::{PREFIX, index, names};

pub(crate) use format::{Conversion, Piece, scanf_format};
pub use index::Closeness;
pub(crate) use index::PREFIX as MODEL_PREFIX;
pub(crate) use redirect::SCAN_PREFIX;

/// The name of the models' text. No file has this name.
const LIBRARY: &str = "<library>";

/// Reads a program as [`check_with_claims`](crate::check_with_claims) does, with models of the library functions that it uses and does
/// not define.
pub fn check_with_library(
    sources: &mut SourceMap,
    file: FileId,
    options: &SourceOptions,
    claims: &[ClaimAt],
    diagnostics: &mut Diagnostics,
) -> Result<(Program, Vec<u32>), Reported> {
    let unit = UnitText { file, line_markers: options.line_markers.clone() };
    check_units(sources, &[unit], options.machine, claims, diagnostics)
}

/// Reads a program of several translation units, which are linked, with models of the library functions that it uses and does not
/// define. Also gives the numbers of the claims that have no place in any unit.
pub fn check_units(
    sources: &mut SourceMap,
    texts: &[UnitText],
    machine: Machine,
    claims: &[ClaimAt],
    diagnostics: &mut Diagnostics,
) -> Result<(Program, Vec<u32>), Reported> {
    let (mut units, mut unplaced) = (Vec::new(), None::<Vec<u32>>);
    for text in texts {
        let (unit, missing) = parse(sources, text, claims, diagnostics)?;
        units.push(unit);
        let is_missing = |number: &u32| missing.contains(number);
        unplaced =
            Some(unplaced.map_or(missing.clone(), |known| known.into_iter().filter(is_missing).collect()));
    }
    let mut units: Vec<&ast::Unit> = units.iter().collect();
    let unplaced = unplaced.unwrap_or_default();
    let mut program = check(&units, machine, diagnostics)?;
    let formatted = redirect::formatted_calls(&mut program);
    let made: String = formatted.iter().map(|(call, name)| call.model(name)).collect();
    let models = models_for(&program);
    if models.is_empty() && made.is_empty() {
        return Ok((program, unplaced));
    }
    let models = index().text(models.into_iter().chain(names(&made))) + &made;
    let library = UnitText { file: sources.add(LIBRARY, models), line_markers: LineMarkers::Ignore };
    // The program was accepted before, with all its warnings, and the models are valid.
    let mut ignored = Diagnostics::new();
    let library = parse(sources, &library, &[], &mut ignored).map(|(library, _)| library);
    let joined = library.as_ref().map_err(|reported| *reported).and_then(|library| {
        units.push(library);
        check(&units, machine, &mut ignored)
    });
    let mut program = joined.map_err(|_| {
        let start = Span { file: texts[0].file, start: 0, end: 0 };
        let message = "the program cannot be joined with models of library functions";
        diagnostics.error(start, code::UNSUPPORTED, message)
    })?;
    redirect::redirect(&mut program, &formatted);
    Ok((program, unplaced))
}

/// All functions that have models: the header, the name, and how close the model is.
pub fn modelled_functions() -> Vec<(&'static str, &'static str, Closeness)> {
    let name = |item: &index::Item| item.name.strip_prefix(PREFIX).unwrap_or(item.name);
    index().models().map(|item| (item.header, name(item), index().closeness(item))).collect()
}

/// The text of all models and of what they use, by header: the functions `__thetis_any_T`, `__thetis_assume` and so on are only
/// declared.
pub fn model_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    index::TEXTS.into_iter()
}

/// The models of the functions that a program mentions and does not define.
fn models_for(program: &Program) -> BTreeSet<&'static str> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_deref());
    let globals = program.globals.iter().filter_map(|global| global.initializer.as_ref());
    let parts = bodies.flat_map(walk_body).chain(walk_initializers(globals));
    let mentioned = parts.filter_map(|part| match part {
        Part::Expr(Expr { kind: ExprKind::FunctionAddress(function), .. })
        | Part::Expr(Expr { kind: ExprKind::Call(Callee::Function(function), _), .. }) => Some(*function),
        _ => None,
    });
    let mentioned: BTreeSet<FunctionId> = mentioned.collect();
    let undefined =
        mentioned.iter().map(|id| &program.functions[*id]).filter(|function| function.body.is_none());
    undefined.filter_map(|function| index().model(&function.name)).collect()
}

/// Whether a function is a model or something that models use.
pub(crate) fn is_model(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Whether a model, by the function that it stands for, is made for one call.
pub(crate) fn is_made(name: &str) -> bool {
    name.starts_with("formatted_")
}

/// The function that a model stands for, by name; other functions have their own names.
pub(crate) fn modelled(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

/// What the model of a function is called.
pub(crate) fn model_name(function: &str) -> String {
    format!("{PREFIX}{function}")
}

/// The model of a function that has no body, if the program was read with it. A program function that merely shares the
/// name of a library function has none: the types differ.
pub(crate) fn model_of(program: &Program, function: FunctionId) -> Option<FunctionId> {
    let info = &program.functions[function];
    if info.body.is_some() {
        return None;
    }
    let name = index().model(&info.name).filter(|name| info.is_system || !index().needs_header(name))?;
    let model = program.functions.position(|other| other.body.is_some() && other.name == name)?;
    let model_type = &program.functions[model].ty;
    let is_void = |ty| matches!(program.types.get(ty), Type::Void);
    let lacks_result = is_void(info.ty.result) && !is_void(model_type.result);
    let may_be_model = info.is_system || !lacks_result || index().may_lack_result(name);
    (may_be_model && is_declaration_of(&program.types, &info.ty, model_type)).then_some(model)
}

/// Whether a declaration may be that of the function with this model: as many parameters, each of the same kind. Old programs declare functions
/// of the library with integers of other sizes, with other pointers, without a result or without parameters.
fn is_declaration_of(types: &Types, declared: &FunctionType, model: &FunctionType) -> bool {
    let is_same_kind = |declared: &TypeId, model: &TypeId| match (types.get(*declared), types.get(*model)) {
        (Type::Void, _) => true,
        (Type::Pointer(declared), Type::Pointer(model)) => {
            !is_character(types, *model) || may_be_text(types, *declared)
        }
        // Machines pass and return numbers of different precision in different forms.
        (Type::Float(declared), Type::Float(model)) => declared == model,
        (declared, model) => std::mem::discriminant(declared) == std::mem::discriminant(model),
    };
    let is_old_style = declared.params.is_empty() && declared.is_variadic;
    if is_old_style {
        return matches!(types.get(model.result), Type::Void)
            || is_same_kind(&declared.result, &model.result);
    }
    let has_parameters =
        declared.params.len() == model.params.len() || declared.is_variadic || model.is_variadic;
    let mut parameters = declared.params.iter().zip(&model.params);
    has_parameters
        && is_same_kind(&declared.result, &model.result)
        && parameters.all(|(declared, model)| is_same_kind(declared, model))
}

fn is_character(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Int(_)) && types.size_of(ty) == Some(1)
}
