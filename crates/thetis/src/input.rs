//! From a file to a task.

mod c;
mod property;
mod text;

use std::collections::BTreeMap;
use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_model::cfa::{Cfa, LocId};
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::{Model, Task};
use thetis_report::{fingerprint, render_diagnostics};

use crate::args::QuestionArgs;
use crate::failure::Failure;
use crate::terminal;

pub(crate) use property::Asked;
pub(crate) use text::read_text;
use text::{read_bytes, to_text};

/// The languages that are read, told by the extension of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputFormat {
    C,
    Cfa,
    Sts,
    Aiger,
    Pnml,
    Net,
}

/// A task of some formalism.
pub(crate) enum Loaded {
    Cfa(Box<Input<Cfa>>),
    Sts(Box<Input<Sts>>),
    Net(Box<Input<Net>>),
}

/// A task with the texts that its spans point into.
pub(crate) struct Input<M: Model> {
    pub(crate) task: Task<M>,
    pub(crate) sources: SourceMap,
    /// The text of the model itself.
    pub(crate) file: FileId,
    pub(crate) name: String,
    pub(crate) sha256: String,
    /// Error locations of an automaton that are no violations: what is not modelled there.
    pub(crate) limits: BTreeMap<LocId, String>,
}

/// Reads a model and what is asked of it; diagnostics go to standard error.
pub(crate) fn read(question: &QuestionArgs) -> Result<Loaded, Failure> {
    let asked = match (&question.property, &question.target) {
        (Some(property), _) => Asked::Property(property),
        (None, Some(target)) => Asked::Target(target),
        (None, None) => Asked::Default,
    };
    read_asked(question, &asked)
}

/// Reads a model for a question that need not come from the command line.
pub(crate) fn read_asked(question: &QuestionArgs, asked: &Asked<'_>) -> Result<Loaded, Failure> {
    let path = question.file.as_path();
    let mut sources = SourceMap::new();
    let name = path.display().to_string();
    let mut bytes = read_bytes(path)?;
    let format = format_of(path)?;
    if format != InputFormat::Aiger {
        bytes = to_text(path, bytes)?.into_bytes();
    }
    let sha256 = fingerprint(&bytes);
    let file = sources.add(name.clone(), thetis_circuit::aiger::text_of(&bytes));
    match format {
        InputFormat::Aiger => {
            let circuit = reporting(&sources, |diagnostics| {
                thetis_circuit::aiger::parse(&bytes, &sources, file, diagnostics)
            })?;
            let task = property::of_circuit(asked, circuit, &name)?;
            Ok(Loaded::Sts(Box::new(Input { task, sources, file, name, sha256, limits: BTreeMap::new() })))
        }
        InputFormat::Sts => {
            let tasks =
                reporting(&sources, |diagnostics| thetis_text::sts::parse(&sources, file, diagnostics))?;
            let task = property::of_sts(asked, tasks, &name)?;
            Ok(Loaded::Sts(Box::new(Input { task, sources, file, name, sha256, limits: BTreeMap::new() })))
        }
        InputFormat::C => {
            let c::Loaded { lowered, limits } = c::read(path, file, &mut sources, question, asked)?;
            let task = lowered.with_limits();
            Ok(Loaded::Cfa(Box::new(Input { task, sources, file, name, sha256, limits })))
        }
        InputFormat::Cfa => {
            let task =
                reporting(&sources, |diagnostics| thetis_text::cfa::parse(&sources, file, diagnostics))?;
            property::check_cfa(asked, &task, &name)?;
            Ok(Loaded::Cfa(Box::new(Input { task, sources, file, name, sha256, limits: BTreeMap::new() })))
        }
        InputFormat::Pnml | InputFormat::Net => {
            let task = read_net(format, &mut sources, file, asked)?;
            Ok(Loaded::Net(Box::new(Input { task, sources, file, name, sha256, limits: BTreeMap::new() })))
        }
    }
}

fn read_net(
    format: InputFormat,
    sources: &mut SourceMap,
    file: FileId,
    asked: &Asked<'_>,
) -> Result<Task<Net>, Failure> {
    let (net, targets) = match format {
        InputFormat::Net => {
            let parsed =
                reporting(sources, |diagnostics| thetis_pnml::net::parse(sources, file, diagnostics))?;
            (parsed.net, parsed.targets)
        }
        _ => {
            let net = reporting(sources, |diagnostics| thetis_pnml::pnml::parse(sources, file, diagnostics))?;
            (net, Vec::new())
        }
    };
    let property = property::of_net(asked, &net, targets, sources)?;
    Ok(thetis_pnml::task(net, property))
}

/// Runs a parser and shows what it has to say.
fn reporting<T>(
    sources: &SourceMap,
    parse: impl FnOnce(&mut Diagnostics) -> Result<T, Reported>,
) -> Result<T, Failure> {
    let mut diagnostics = Diagnostics::new();
    let parsed = parse(&mut diagnostics);
    show(&diagnostics, sources);
    parsed.map_err(|_reported| Failure::reported())
}

fn show(diagnostics: &Diagnostics, sources: &SourceMap) {
    terminal::show(&render_diagnostics(diagnostics, sources, terminal::style()));
}

fn format_of(path: &Path) -> Result<InputFormat, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => Ok(InputFormat::C),
        Some("cfa") => Ok(InputFormat::Cfa),
        Some("sts" | "system") => Ok(InputFormat::Sts),
        Some("aag" | "aig") => Ok(InputFormat::Aiger),
        Some("pnml") => Ok(InputFormat::Pnml),
        Some("net") => Ok(InputFormat::Net),
        _ => Err(Failure::input(format!(
            "{}: unknown kind of model, expected a file name that ends in .c, .i, .cfa, .sts, .system, .aag, .aig, .pnml or .net",
            path.display()
        ))),
    }
}
