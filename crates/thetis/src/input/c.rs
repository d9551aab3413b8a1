//! C programs: preprocessing, checking, and the translation for what is asked.

pub(crate) mod program;

use std::ffi::OsString;
use std::path::Path;

use thetis_base::{Code, Diagnostics, FileId, Run, SourceMap, Span, printable};
use thetis_c::evidence::witness::plan::ClaimText;
use thetis_c::hir::{self, Program};
use thetis_c::lower::{self, LowerOptions, Lowered, Property};
use thetis_c::{ClaimAt, LineMarkers, SourceOptions, property};
use thetis_portfolio::{Arithmetic, Config, Externals, Undefined};
use thetis_report::fingerprint;

use super::preprocess::{needs_preprocessor, preprocess};
use super::text::{read_bytes, shown};
use super::{Asked, Input, Source, read_text, reporting};
use crate::args::DataModel;
use crate::failure::Failure;
use crate::loaded::Loaded;
use program::CProgram;

/// Reads a program.
pub(super) fn read(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let ProgramText { mut sources, main, file, options, name, sha256 } =
        read_text_of(source.path, source.data_model, source.preprocessor, source.run)?;
    let (program, _) = checked(&mut sources, file, &options, &[])?;
    let property = property_of(source.asked, &program, &name)?;
    let lowered = translate(&program, property.clone(), main, source.config, &sources)?;
    let task = lowered.task.clone();
    let (name_of, sha256_of) = (name.clone(), sha256.clone());
    let language = CProgram { program, lowered, property, name: name_of, sha256: sha256_of, main };
    Ok(Box::new(Input { task, sources, file: main, name, sha256, language: Box::new(language) }))
}

/// A program that was read together with the claims of a witness.
pub(crate) struct Claimed {
    pub(crate) program: Program,
    pub(crate) lowered: Lowered,
    pub(crate) property: Property,
    pub(crate) sources: SourceMap,
    pub(crate) sha256: String,
    /// The claims that are about no place of the program.
    pub(crate) unplaced: Vec<u32>,
}

/// Reads the program at `path` with claims at their places.
pub(crate) fn read_with_claims(
    path: &Path,
    property: &str,
    data_model: Option<DataModel>,
    preprocessor: &[OsString],
    claims: &[ClaimText],
    config: &Config,
    run: &Run,
) -> Result<Claimed, Failure> {
    let ProgramText { mut sources, main, file, options, name, sha256 } =
        read_text_of(path, data_model, preprocessor, run)?;
    let claims: Vec<ClaimAt> = claims
        .iter()
        .map(|claim| ClaimAt {
            formula: sources.add("the witness", claim.formula.clone()),
            file: main,
            line: claim.location.line,
            column: claim.location.column,
            place: claim.place,
        })
        .collect();
    let (program, unplaced) = checked(&mut sources, file, &options, &claims)?;
    let property = property_of(&Asked::Property(property), &program, &name)?;
    let lowered = translate(&program, property.clone(), main, config, &sources)?;
    Ok(Claimed { program, lowered, property, sources, sha256, unplaced })
}

/// The program with the models that it needs, and the claims that have no place in it.
fn checked(
    sources: &mut SourceMap,
    file: FileId,
    options: &SourceOptions,
    claims: &[ClaimAt],
) -> Result<(Program, Vec<u32>), Failure> {
    let mut diagnostics = Diagnostics::new();
    let program = thetis_c::check_with_library(sources, file, options, claims, &mut diagnostics);
    reporting(sources, |told| {
        *told = diagnostics;
        program
    })
}

/// The text of a program, ready to be checked.
struct ProgramText {
    sources: SourceMap,
    /// What the user wrote.
    main: FileId,
    /// What is to be checked: the same, or what the preprocessor made of it.
    file: FileId,
    options: SourceOptions,
    name: String,
    sha256: String,
}

fn read_text_of(
    path: &Path,
    data_model: Option<DataModel>,
    preprocessor: &[OsString],
    run: &Run,
) -> Result<ProgramText, Failure> {
    let bytes = read_bytes(path)?;
    let name = path.display().to_string();
    if bytes.contains(&0) {
        return Err(Failure::input(format!("{}: is not a text, expected a C program", shown(path))));
    }
    let data_model = match data_model {
        Some(DataModel::Ilp32) => hir::DataModel::Ilp32,
        Some(DataModel::Lp64) | None => hir::DataModel::Lp64,
    };
    let mut sources = SourceMap::new();
    // Old programs have comments in other encodings than UTF-8; in literals the checker refuses what was replaced.
    let main = sources.add(name.clone(), String::from_utf8_lossy(&bytes));
    let (file, line_markers) = text_to_check(path, data_model, preprocessor, main, &mut sources, run)?;
    let options = SourceOptions { data_model, line_markers };
    Ok(ProgramText { sources, main, file, options, name, sha256: fingerprint(&bytes) })
}

/// The text that has no directives, which may be the one of the file.
fn text_to_check(
    path: &Path,
    data_model: hir::DataModel,
    options: &[OsString],
    main: FileId,
    sources: &mut SourceMap,
    run: &Run,
) -> Result<(FileId, LineMarkers), Failure> {
    let is_preprocessed = path.extension().is_some_and(|extension| extension == "i");
    let is_needed = !options.is_empty() || needs_preprocessor(sources.file(main).text());
    if is_preprocessed || !is_needed {
        return Ok((main, LineMarkers::Ignore));
    }
    let preprocessed = preprocess(path, data_model, options, run)?;
    let markers = preprocessed.line_markers(main, sources);
    let file = sources.add(format!("{}, preprocessed", path.display()), preprocessed.text);
    Ok((file, markers))
}

fn property_of(asked: &Asked<'_>, program: &Program, name: &str) -> Result<Property, Failure> {
    let property = match asked {
        Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
        Asked::Nothing | Asked::Default => property::usual(program),
        Asked::Property(file) if file.ends_with(".prp") => {
            property::parse(&read_text(Path::new(file))?, program)
        }
        Asked::Property(words) => property::parse(words, program),
    };
    property.map_err(|message| Failure::input(printable(&format!("{name}: {message}"))))
}

fn translate(
    program: &Program,
    property: Property,
    main: FileId,
    config: &Config,
    sources: &SourceMap,
) -> Result<Lowered, Failure> {
    let options = LowerOptions {
        arithmetic: match config.arithmetic {
            Arithmetic::Auto => lower::Arithmetic::Auto,
            Arithmetic::Int => lower::Arithmetic::Int,
            Arithmetic::Bv => lower::Arithmetic::Bv,
            Arithmetic::Mod => lower::Arithmetic::Mod,
        },
        property,
        externals: match config.c.externals {
            None | Some(Externals::Sound) => lower::Externals::Sound,
            Some(Externals::Arguments) => lower::Externals::Arguments,
            Some(Externals::Svcomp) => lower::Externals::Svcomp,
        },
        undefined: match config.c.undefined {
            Undefined::Convention => lower::Undefined::Convention,
            Undefined::Arbitrary => lower::Undefined::Arbitrary,
            Undefined::Error => lower::Undefined::Error,
        },
        recursion_bound: config.c.recursion_bound,
        max_edges: config.c.max_edges,
    };
    let whole = Span { file: main, start: 0, end: 0 };
    reporting(sources, |diagnostics| {
        let lowered = lower::lower(program, &options, whole, diagnostics)?.with_places(sources);
        for assumption in &lowered.origin.assumptions {
            diagnostics.warning(assumption.span, Code(assumption.kind.code()), assumption.text.clone());
        }
        Ok(lowered)
    })
}
