//! From a file to a task.

mod property;
mod text;

use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_circuit::aiger::Circuit;
use thetis_model::cfa::Cfa;
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::{Model, Task};
use thetis_report::{fingerprint, render_diagnostics};

use crate::failure::Failure;
use crate::terminal;

pub(crate) use property::Asked;
pub(crate) use text::read_text;
use text::{read_bytes, to_text};

/// The languages that are read, told by the extension of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputFormat {
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
    Circuit(Box<CircuitInput>),
    Net(Box<Input<Net>>),
}

/// A task with the texts that its spans point into.
pub(crate) struct Input<M: Model> {
    pub(crate) task: Task<M>,
    pub(crate) sources: SourceMap,
    pub(crate) name: String,
    pub(crate) sha256: String,
}

/// A circuit as a task, and as what it was.
pub(crate) struct CircuitInput {
    pub(crate) input: Input<Sts>,
    pub(crate) circuit: Circuit,
}

/// Reads a model and what is asked of it; diagnostics go to standard error.
pub(crate) fn read(path: &Path, asked: &Asked<'_>) -> Result<Loaded, Failure> {
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
            let task = property::of_circuit(asked, &circuit, &name)?;
            let input = Input { task, sources, name, sha256 };
            Ok(Loaded::Circuit(Box::new(CircuitInput { input, circuit })))
        }
        InputFormat::Sts => {
            let tasks =
                reporting(&sources, |diagnostics| thetis_text::sts::parse(&sources, file, diagnostics))?;
            let task = property::of_sts(asked, tasks, &name)?;
            Ok(Loaded::Sts(Box::new(Input { task, sources, name, sha256 })))
        }
        InputFormat::Cfa => {
            let task =
                reporting(&sources, |diagnostics| thetis_text::cfa::parse(&sources, file, diagnostics))?;
            property::check_cfa(asked, &task, &name)?;
            Ok(Loaded::Cfa(Box::new(Input { task, sources, name, sha256 })))
        }
        InputFormat::Pnml | InputFormat::Net => {
            let task = read_net(format, &mut sources, file, asked)?;
            Ok(Loaded::Net(Box::new(Input { task, sources, name, sha256 })))
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
    terminal::show(&render_diagnostics(&diagnostics, sources, terminal::style()));
    parsed.map_err(|_reported| Failure::reported())
}

fn format_of(path: &Path) -> Result<InputFormat, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("cfa") => Ok(InputFormat::Cfa),
        Some("sts" | "system") => Ok(InputFormat::Sts),
        Some("aag" | "aig") => Ok(InputFormat::Aiger),
        Some("pnml") => Ok(InputFormat::Pnml),
        Some("net") => Ok(InputFormat::Net),
        _ => Err(Failure::input(format!(
            "{}: unknown kind of model, expected a file name that ends in .cfa, .sts, .system, .aag, .aig, .pnml or .net",
            path.display()
        ))),
    }
}
