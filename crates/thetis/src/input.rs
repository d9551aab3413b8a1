//! From a file to a task.
//!
//! The extension of a file tells its language. [`FORMATS`] has all languages with their readers: a new one is a row there.

pub(crate) mod c;
mod clauses;
mod compiler;
mod definition;
mod includes;
pub(crate) mod language;
mod models;
mod preprocess;
pub(crate) mod project;
mod property;
mod text;

use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, Run, SourceMap};
use thetis_c::entry::Entry;
use thetis_model::{Model, Task};
use thetis_portfolio::Config;
use thetis_report::render_diagnostics;
use thetis_solidity::{Arithmetic, Callees};

use crate::args::{CalleesArg, DataModel, Externals, Numbers, QuestionArgs};
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::solidity::Contracts;
use crate::terminal;

use language::Language;
use project::Unit;
use property::Asked;
pub(crate) use text::{read_text, shown};

/// Reads a task.
type Reader = fn(&Source<'_>) -> Result<Box<dyn Loaded>, Failure>;

/// The languages: extensions of files, and the reader.
const FORMATS: &[(&[&str], Reader)] = &[
    (&["c", "i"], c::read),
    (&["yml", "yaml"], definition::read),
    (&["cfa"], models::cfa),
    (&["sts", "system"], models::sts),
    (&["aag", "aig"], models::aiger),
    (&["pnml"], models::pnml),
    (&["net"], models::net),
    (&["xta", "ta"], models::xta),
    (&["xml"], models::uppaal),
    (&["tck"], models::tchecker),
    (&["sol"], solidity),
    (&["smt2"], clauses::read),
];

/// A file to read, with everything that reading depends on.
struct Source<'a> {
    path: &'a Path,
    /// The same as a translation unit, and all others of the program.
    units: &'a [Unit],
    asked: &'a Asked<'a>,
    /// The function that a C program starts with.
    entry: Option<&'a Entry>,
    data_model: Option<DataModel>,
    arithmetic: Option<Numbers>,
    callees: Option<CalleesArg>,
    config: &'a Config,
    run: &'a Run,
}

/// A task with the texts that its spans point into.
pub(crate) struct Input<M: Model> {
    pub(crate) task: Task<M>,
    pub(crate) sources: SourceMap,
    /// The text of the model itself.
    pub(crate) file: FileId,
    pub(crate) name: String,
    pub(crate) sha256: String,
    pub(crate) language: Box<dyn Language<M>>,
}

impl<M: Model> Input<M> {
    /// The texts of the model.
    pub(crate) fn files(&self) -> &[FileId] {
        match self.language.files() {
            [] => std::slice::from_ref(&self.file),
            files => files,
        }
    }
}

/// Reads a model and what is asked of it, within the limits of `run`; diagnostics go to standard error.
pub(crate) fn read(question: &QuestionArgs, config: &Config, run: &Run) -> Result<Box<dyn Loaded>, Failure> {
    let asked = match (question.property()?, &question.target) {
        (Some(property), _) => Asked::Property(property),
        (None, Some(target)) => Asked::Target(target),
        (None, None) => Asked::Default,
    };
    read_asking(&asked, question, config, run)
}

/// Reads a model that is to be written in another form; a C program also needs to know what is asked.
pub(crate) fn read_to_convert(question: &QuestionArgs, run: &Run) -> Result<Box<dyn Loaded>, Failure> {
    let asked = question.property()?.map_or(Asked::Nothing, Asked::Property);
    read_asking(&asked, question, &Config::default(), run)
}

fn read_asking(
    asked: &Asked<'_>,
    question: &QuestionArgs,
    config: &Config,
    run: &Run,
) -> Result<Box<dyn Loaded>, Failure> {
    let config = with_externals(config, question.externals);
    let units = project::units(question)?;
    let data_model = question.stated_data_model();
    let (path, arithmetic, callees) = (&units[0].path, question.arithmetic, question.callees);
    let entry = question.entry();
    let reader = reader_of_all(&units)?;
    let takes_entry = [c::read as Reader, definition::read];
    if entry.is_some() && !takes_entry.iter().any(|known| std::ptr::fn_addr_eq(reader, *known)) {
        return Err(Failure::usage("`--function` is for C programs"));
    }
    let (entry, units, config) = (entry.as_ref(), &units, &config);
    reader(&Source { path, units, asked, entry, data_model, arithmetic, callees, config, run })
}

/// The names of the functions of a C program, which can be checked by themselves.
pub(crate) fn functions(question: &QuestionArgs, run: &Run) -> Result<Vec<String>, Failure> {
    let units = project::units(question)?;
    if !std::ptr::fn_addr_eq(reader_of_all(&units)?, c::read as Reader) {
        return Err(Failure::usage("`--function` is for C programs"));
    }
    c::functions(&units, question.stated_data_model(), run)
}

/// The reader of files that belong together: only C programs have several.
fn reader_of_all(units: &[Unit]) -> Result<Reader, Failure> {
    let reader = reader_of(&units[0].path)?;
    for unit in &units[1..] {
        let is_c = std::ptr::fn_addr_eq(reader, c::read as Reader);
        if !is_c || !std::ptr::fn_addr_eq(reader_of(&unit.path)?, reader) {
            let path = shown(&unit.path);
            return Err(Failure::usage(format!("{path}: several files can only be those of a C program")));
        }
    }
    Ok(reader)
}

/// The configuration with what the command line says about functions without a body.
pub(crate) fn with_externals(config: &Config, externals: Option<Externals>) -> Config {
    let mut config = config.clone();
    config.c.externals = match externals {
        Some(Externals::Sound) => Some(thetis_portfolio::Externals::Sound),
        Some(Externals::Arguments) => Some(thetis_portfolio::Externals::Arguments),
        Some(Externals::Svcomp) => Some(thetis_portfolio::Externals::Svcomp),
        None => config.c.externals,
    };
    config
}

/// Reads Solidity contracts.
fn solidity(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    if !matches!(source.asked, Asked::Default | Asked::Property("annotations")) {
        return Err(Failure::usage("contracts have one property, `annotations`"));
    }
    let arithmetic = match source.arithmetic {
        None | Some(Numbers::Int) => Arithmetic::Int,
        Some(Numbers::Bv) => Arithmetic::Bv,
        Some(Numbers::Mod) => Arithmetic::Mod,
        Some(Numbers::ModOverflow) => Arithmetic::ModOverflow,
    };
    let callees = source.callees.map(|callees| match callees {
        CalleesArg::Sound => Callees::Sound,
        CalleesArg::SolcVerify => Callees::SolcVerify,
    });
    Ok(Box::new(Contracts::read(source.path, arithmetic, callees)?))
}

/// Runs a parser and shows what it has to say.
pub(crate) fn reporting<T>(
    sources: &SourceMap,
    parse: impl FnOnce(&mut Diagnostics) -> Result<T, Reported>,
) -> Result<T, Failure> {
    let mut diagnostics = Diagnostics::new();
    let parsed = parse(&mut diagnostics);
    terminal::show(&render_diagnostics(&diagnostics, sources, terminal::style()));
    parsed.map_err(|_reported| Failure::reported())
}

/// The reader of the language that a file is in.
fn reader_of(path: &Path) -> Result<Reader, Failure> {
    if path.is_dir() {
        return Err(Failure::input(format!("{}: is a directory, expected a file", shown(path))));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let reader = FORMATS.iter().find(|(known, _)| extension.is_some_and(|name| known.contains(&name)));
    reader.map(|(_, reader)| *reader).ok_or_else(|| {
        let known: Vec<String> =
            FORMATS.iter().flat_map(|(known, _)| *known).map(|name| format!(".{name}")).collect();
        let known = known.join(", ");
        let path = shown(path);
        Failure::input(format!("{path}: unknown kind of model, expected a file name that ends in {known}"))
    })
}
