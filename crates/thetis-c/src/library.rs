//! Models of library functions, written in C.
//!
//! The model of `strlen` is called `__thetis_strlen`, so it cannot be in conflict with how a program declares `strlen`. A
//! program that uses functions which it does not define and for which there are models is read once more, with the
//! models behind its text; positions in the program stay what they are. The translation then calls the models.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};

use crate::hir::{FunctionId, Program};
use crate::{SourceOptions, check, code};

/// All models.
const MODELS: [&str; 2] = [include_str!("library/string.c"), include_str!("library/stdlib.c")];
/// What their names start with.
const PREFIX: &str = "__thetis_";

/// Reads a program as [`check`] does, with models of the library functions that it uses and does not define.
pub fn check_with_library(
    sources: &mut SourceMap,
    file: FileId,
    options: &SourceOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Program, Reported> {
    let program = check(sources, file, options, diagnostics)?;
    if !program.functions.iter().any(|function| function.body.is_none() && has_model(&function.name)) {
        return Ok(program);
    }
    let text = sources.file(file).text();
    let whole = format!("{text}\n# 1 \"<library>\"\n{}", MODELS.concat());
    let name = sources.file(file).name().to_owned();
    let extended = sources.add(name, whole);
    // The program was accepted before, with all its warnings; the models are right.
    check(sources, extended, options, &mut Diagnostics::new()).map_err(|_| {
        let start = Span { file, start: 0, end: 0 };
        diagnostics.error(
            start,
            code::UNSUPPORTED,
            "the program cannot be joined with models of library functions",
        )
    })
}

fn has_model(name: &str) -> bool {
    MODELS.iter().any(|text| text.contains(&format!("{PREFIX}{name}(")))
}

/// The model of a function that has no body, if the program was read with it.
pub(crate) fn model_of(program: &Program, function: FunctionId) -> Option<FunctionId> {
    let info = &program.functions[function];
    if info.body.is_some() {
        return None;
    }
    let name = format!("{PREFIX}{}", info.name);
    program.functions.position(|other| other.body.is_some() && other.name == name)
}
