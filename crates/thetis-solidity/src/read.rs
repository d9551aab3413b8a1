//! Reading a program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use solang_parser::pt;
use thetis_base::{Code, Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, LocId, ProgramQuestion};

use crate::annotation::Comments;
use crate::check::Check;
use crate::collect::{ParsedFile, collect};
use crate::decls::Decls;
use crate::fault::{Fault, FaultKind};
use crate::lower::{
    Arithmetic, Body, Callees, Limit, Lowered, ModSets, Program, Unit, Variable, is_covered, lower_unit,
    units,
};
use crate::shrinking::shrinks_arrays;
use crate::throw;
use crate::version::{self, Version};

/// How a program is translated.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How numbers are encoded.
    pub arithmetic: Arithmetic,
    /// Which code may run when a contract type is called.
    pub callees: Callees,
    /// Check what functions modify even if no annotation says so.
    pub modifies_analysis: bool,
    /// Check which events functions emit even if no annotation says so.
    pub event_analysis: bool,
    /// Translate only this function, without the guesses about loops that have these numbers.
    pub again: Option<(FunctionId, Vec<usize>)>,
}

/// Identifies a function of a program. Names do not suffice, because functions can be overloaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionId(Unit);

/// A function, as it is verified.
pub struct FunctionTask {
    /// Contract and function, such as `Bank::withdraw` or `Bank::[constructor]`.
    pub name: String,
    /// The function itself.
    pub id: FunctionId,
    /// Where it stands.
    pub span: Span,
    /// The translation.
    pub outcome: FunctionOutcome,
}

/// What became of a function.
pub enum FunctionOutcome {
    /// It was translated.
    Translated(Box<Translated>),
    /// It uses something that is not modelled.
    Skipped(Skipped),
}

/// Why a function was skipped.
pub struct Skipped {
    /// The place that is not modelled.
    pub span: Span,
    /// The reason.
    pub reason: String,
}

/// A translated function.
pub struct Translated {
    /// Whether an error location is reachable.
    pub task: Task<Cfa>,
    /// What the error locations mean.
    pub checks: BTreeMap<LocId, Check>,
    /// What a run depends on: names of users, and terms over the initial values of the automaton.
    pub inputs: Vec<(String, ExprId)>,
    /// The local variables, each of which is a variable of the automaton.
    pub locals: Vec<Variable>,
    /// The state of the contract.
    pub state: Vec<Variable>,
    /// What was ignored, with its place.
    pub notes: Vec<(Span, String)>,
}

/// Reads the program whose main file is `main`; `sources` has all files, the imported ones included. All functions are
/// translated. Messages about a wrong input go to `diags`.
pub fn read(
    sources: &SourceMap,
    files: &[FileId],
    options: &Options,
    diags: &mut Diagnostics,
) -> Result<Vec<FunctionTask>, Reported> {
    // Syntax trees are dropped recursively.
    stacker::grow(STACK, || {
        with_declarations(sources, files, diags, |decls, diags| translate(decls, sources, options, diags))
    })
}

/// The relative paths that a text imports. A text that cannot be parsed imports nothing.
pub fn imports(text: &str) -> Vec<String> {
    if crate::nesting::too_deep(text).is_some() {
        return Vec::new();
    }
    // Syntax trees are dropped recursively.
    stacker::grow(STACK, || {
        let Ok((unit, _)) = solang_parser::parse(&throw::replaced(text), 0) else { return Vec::new() };
        let paths = unit.0.iter().filter_map(|part| match part {
            pt::SourceUnitPart::ImportDirective(import) => {
                import.literal().map(|literal| literal.string.clone())
            }
            _ => None,
        });
        paths.collect()
    })
}

/// The stack for syntax trees of the greatest depth.
pub(crate) const STACK: usize = 64 * 1024 * 1024;

const SYNTAX: Code = Code("solidity-syntax");
pub(crate) const INVALID: Code = Code("solidity-invalid");
const UNSUPPORTED: Code = Code("solidity-unsupported");

/// Parses all files, collects their declarations and does something with them.
pub(crate) fn with_declarations<T>(
    sources: &SourceMap,
    files: &[FileId],
    diags: &mut Diagnostics,
    then: impl FnOnce(&Decls<'_>, &mut Diagnostics) -> Result<T, Reported>,
) -> Result<T, Reported> {
    let mut parsed = Vec::new();
    for file in files {
        parsed.push(parse(sources, *file, diags)?);
    }
    let trees: Vec<ParsedFile<'_>> = files
        .iter()
        .zip(&parsed)
        .map(|(file, (unit, comments))| ParsedFile {
            unit,
            comments: Comments::new(sources.file(*file).text(), comments),
        })
        .collect();
    let version =
        parsed.iter().filter_map(|(unit, _)| version::lowest(unit)).max().unwrap_or(Version::DEFAULT);
    let mut faults = Vec::new();
    let decls = collect(trees, version, &mut faults);
    for fault in &faults {
        report(fault, sources, diags);
    }
    diags.check()?;
    then(&decls, diags)
}

pub(crate) fn report(fault: &Fault, sources: &SourceMap, diags: &mut Diagnostics) -> Reported {
    let code = if fault.kind == FaultKind::Invalid { INVALID } else { UNSUPPORTED };
    diags.error(inside(sources.file(fault.span.file).text(), fault.span), code, fault.message.clone())
}

fn parse(
    sources: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
) -> Result<(pt::SourceUnit, Vec<pt::Comment>), Reported> {
    let text = sources.file(file).text();
    if let Some(at) = crate::nesting::too_deep(text) {
        let place = Span { file, start: at as u32, end: at as u32 + 1 };
        return Err(diags.error(place, SYNTAX, "this is nested too deeply"));
    }
    match solang_parser::parse(&throw::replaced(text), file.index()) {
        Ok(parsed) => Ok(parsed),
        Err(errors) => {
            for error in &errors {
                diags.error(inside(text, crate::fault::span(&error.loc)), SYNTAX, error.message.clone());
            }
            Err(match diags.check() {
                Err(reported) => reported,
                Ok(()) => diags.error(Span { file, start: 0, end: 0 }, SYNTAX, "this is not Solidity"),
            })
        }
    }
}

/// A span whose ends are on characters of the text.
fn inside(text: &str, span: Span) -> Span {
    let clamp = |at: u32| {
        (0..=at.min(text.len() as u32)).rev().find(|at| text.is_char_boundary(*at as usize)).unwrap_or(0)
    };
    let start = clamp(span.start);
    Span { start, end: clamp(span.end).max(start), ..span }
}

fn translate(
    decls: &Decls<'_>,
    sources: &SourceMap,
    options: &Options,
    diags: &mut Diagnostics,
) -> Result<Vec<FunctionTask>, Reported> {
    let program = program(decls, sources, options);
    let mut tasks = Vec::new();
    let (mut open, rejected) = match &options.again {
        Some((FunctionId(unit), rejected)) => (vec![*unit], rejected.as_slice()),
        None => (units(decls), &[][..]),
    };
    let mut next = 0;
    while let Some(unit) = open.get(next).copied() {
        next += 1;
        let outcome = match lower_unit(&program, &unit, rejected) {
            Ok(lowered) => {
                for id in &lowered.relied_on {
                    if options.again.is_none() && !is_covered(decls, &open, &unit, *id) {
                        open.push(Unit { body: Body::Func(*id), ..unit });
                    }
                }
                FunctionOutcome::Translated(Box::new(translated(lowered, sources, options)))
            }
            Err(fault) if fault.kind == FaultKind::Unsupported => FunctionOutcome::Skipped(Skipped {
                span: inside(sources.file(fault.span.file).text(), fault.span),
                reason: fault.message,
            }),
            Err(fault) => {
                report(&fault, sources, diags);
                continue;
            }
        };
        tasks.push(FunctionTask {
            name: unit.name(decls),
            id: FunctionId(unit),
            span: unit.span(decls),
            outcome,
        });
    }
    diags.check()?;
    Ok(tasks)
}

/// What the translation of all functions depends on.
pub(crate) fn program<'d, 'a>(
    decls: &'d Decls<'a>,
    sources: &SourceMap,
    options: &Options,
) -> Program<'d, 'a> {
    let all_text = |needle: &[&str]| {
        decls.comments.iter().enumerate().any(|(file, _)| {
            let text = sources.file(FileId::from_usize(file)).text();
            needle.iter().any(|needle| text.contains(needle))
        })
    };
    Program {
        decls,
        arithmetic: options.arithmetic,
        uses_sums: all_text(&["__verifier_sum_", "sum("]),
        uses_quantifiers: all_text(&["forall", "exists", "property"]),
        checks_modifies: options.modifies_analysis || decls.has_modifies(),
        checks_events: options.event_analysis || decls.has_emits(),
        callees: options.callees,
        reads_bytes: all_text(&["bytes"]),
        decodes: all_text(&["decode"]),
        shrinks_arrays: shrinks_arrays(decls, sources),
        mod_sets: ModSets::default(),
        created: RefCell::default(),
    }
}

fn translated(lowered: Lowered, sources: &SourceMap, options: &Options) -> Translated {
    let question = ProgramQuestion {
        name: "annotations".to_owned(),
        specification: "the annotations and assertions of the function hold".to_owned(),
        sentence: "every transaction that does not revert satisfies the annotations".to_owned(),
        violation: "a transaction may violate an annotation".to_owned(),
        data_model: "EVM".to_owned(),
        settings: BTreeMap::from([("arithmetic", options.arithmetic.name().to_owned())]),
        assumptions: lowered.assumptions,
    };
    let mut model = lowered.built.cfa;
    model.limits = lowered.built.limits.iter().map(|(at, limit)| (*at, described(limit, sources))).collect();
    Translated {
        task: Task { store: lowered.store, model, property: CfaProperty::Program(Arc::new(question)) },
        checks: lowered.built.checks,
        inputs: lowered.inputs,
        locals: lowered.locals,
        state: lowered.state,
        notes: lowered.notes,
    }
}

/// A limit in words that name its place.
pub(crate) fn described(limit: &Limit, sources: &SourceMap) -> String {
    let place = sources.start(inside(sources.file(limit.span.file).text(), limit.span));
    format!("{}:{}: {}", sources.file(limit.span.file).name(), place.line, limit.reason)
}
