//! Models of library functions, written in C.
//!
//! The model of `strlen` is called `__thetis_strlen`, so it cannot be in conflict with how a program declares `strlen`. A
//! program that uses functions which it does not define and for which there are models is read once more, with the
//! models behind its text; positions in the program stay what they are. The translation then calls the models.

use std::collections::BTreeMap;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};

use crate::hir::{FunctionId, Program};
use crate::{ClaimAt, LineMarkers, SourceOptions, check_with_claims, code};

/// All models.
const MODELS: [&str; 3] =
    [include_str!("library/string.c"), include_str!("library/stdlib.c"), include_str!("library/bits.c")];
/// What their names start with.
const PREFIX: &str = "__thetis_";
/// What the texts are called in line markers. No file is called so.
const PROGRAM: &str = "<program>";
const LIBRARY: &str = "<library>";

/// Reads a program as [`check_with_claims`] does, with models of the library functions that it uses and does not define.
pub fn check_with_library(
    sources: &mut SourceMap,
    file: FileId,
    options: &SourceOptions,
    claims: &[ClaimAt],
    diagnostics: &mut Diagnostics,
) -> Result<(Program, Vec<u32>), Reported> {
    let (program, unplaced) = check_with_claims(sources, file, options, claims, diagnostics)?;
    if !program.functions.iter().any(|function| function.body.is_none() && has_model(&function.name)) {
        return Ok((program, unplaced));
    }
    let (joined, line_markers) = join(sources, file, &options.line_markers);
    let options = SourceOptions { line_markers, ..options.clone() };
    // The program was accepted before, with all its warnings; the models are right.
    check_with_claims(sources, joined, &options, claims, &mut Diagnostics::new()).map_err(|_| {
        let start = Span { file, start: 0, end: 0 };
        diagnostics.error(
            start,
            code::UNSUPPORTED,
            "the program cannot be joined with models of library functions",
        )
    })
}

/// The text of `file` with the models behind it, and the markers by which positions in the program stay what they are.
fn join(sources: &mut SourceMap, file: FileId, markers: &LineMarkers) -> (FileId, LineMarkers) {
    let text = sources.file(file).text();
    let (text, mut files) = match markers {
        LineMarkers::Follow(files) => (text.to_owned(), files.clone()),
        LineMarkers::Ignore => {
            let files = BTreeMap::from([(PROGRAM.to_owned(), file)]);
            (format!("# 1 \"{PROGRAM}\"\n{}", without_markers(text)), files)
        }
    };
    let models = MODELS.concat();
    let joined = format!("{text}\n# 1 \"{LIBRARY}\"\n{models}");
    files.insert(LIBRARY.to_owned(), sources.add(LIBRARY, models));
    (sources.add("<program and library>", joined), LineMarkers::Follow(files))
}

/// The text with line markers blanked out.
fn without_markers(text: &str) -> String {
    let is_marker = |line: &str| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    let lines = text.split('\n').map(|line| if is_marker(line) { "" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a function is a model.
pub(crate) fn is_model(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// What the model of a function is called.
pub(crate) fn model_name(function: &str) -> String {
    format!("{PREFIX}{function}")
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
