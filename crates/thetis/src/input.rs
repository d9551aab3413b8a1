//! From a file to a task.
//!
//! The file extension determines the language. [`FORMATS`] lists all languages with their readers; a new language is a
//! new row.

pub(crate) mod c;
mod clauses;
mod compiler;
mod definition;
mod includes;
pub(crate) mod language;
mod machines;
mod models;
pub(crate) mod prepared;
mod preprocess;
pub(crate) mod project;
mod property;
pub(crate) mod standard;
mod text;

use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, Run, SourceMap};
use thetis_c::entry::Entry;
use thetis_c::hir::Machine;
use thetis_model::{Model, Task};
use thetis_portfolio::Config;
use thetis_report::render_diagnostics;
use thetis_solidity::{Arithmetic, Callees};

use crate::args::{CalleesArg, Externals, Numbers, QuestionArgs};
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::solidity::{Contracts, read_whole};
use crate::terminal;

use language::Language;
use project::Unit;
use property::Asked;
pub(crate) use text::{read_text, read_to_renew, shown};

/// Reads a task.
type Reader = fn(&Source<'_>) -> Result<Box<dyn Loaded>, Failure>;

/// A language.
struct Format {
    /// The extensions of its files.
    extensions: &'static [&'static str],
    contents: Contents,
    read: Reader,
}

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// A translation unit of a C program. A program can have several, and can start with any function.
    TranslationUnit,
    /// The name of a C program or of a model, and its property.
    Definition,
    /// A whole model.
    Model,
}

const FORMATS: &[Format] = &[
    Format { extensions: &["c", "i"], contents: Contents::TranslationUnit, read: c::read },
    Format { extensions: &["yml", "yaml"], contents: Contents::Definition, read: definition::read },
    model(&["cfa"], models::cfa),
    model(&["sts", "system"], models::sts),
    model(&["aag", "aig"], models::aiger),
    model(&["pnml"], models::pnml),
    model(&["net"], models::net),
    model(&["xta", "ta"], models::xta),
    model(&["xml"], models::uppaal),
    model(&["tck"], models::tchecker),
    model(&["sol"], solidity),
    model(&["smt2"], clauses::read),
];

const fn model(extensions: &'static [&'static str], read: Reader) -> Format {
    Format { extensions, contents: Contents::Model, read }
}

/// The languages that a model on standard input can be in, by their extensions.
pub(crate) fn languages() -> Vec<&'static str> {
    let formats = FORMATS.iter().filter(|format| format.contents != Contents::Definition);
    formats.flat_map(|format| format.extensions).copied().collect()
}

/// A file to read, with everything that reading depends on.
struct Source<'a> {
    path: &'a Path,
    /// The same as a translation unit, and all others of the program.
    units: &'a [Unit],
    asked: &'a Asked<'a>,
    /// The function that a C program starts with.
    entry: Option<&'a Entry>,
    machine: Option<Machine>,
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

/// Reads a model and its property, within the limits of `run`; diagnostics go to standard error.
pub(crate) fn read(question: &QuestionArgs, config: &Config, run: &Run) -> Result<Box<dyn Loaded>, Failure> {
    let asked = match (question.property()?, question.marking()) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage("`--target` asks about a marking, so there is no `--property`"));
        }
        (Some(property), None) => Asked::Property(property),
        (None, Some(target)) => Asked::Target(target),
        (None, None) => Asked::Default,
    };
    read_asking(&asked, question, config, run)
}

/// Reads a model for conversion; the translation of a C program depends on the property.
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
    let config = with_options_of_c(config, question);
    let units = project::units(question)?;
    let machine = question.stated_machine();
    let (path, arithmetic, callees) = (&units[0].path, question.arithmetic, question.callees);
    let entry = question.entry();
    let format = format_of_all(&units)?;
    if entry.is_some() && format.contents == Contents::Model {
        return Err(Failure::usage("`--function` is for C programs"));
    }
    if machine.is_some() && format.contents == Contents::Model {
        return Err(Failure::usage("`--machine`, `--data-model` and `-m32` are for C programs"));
    }
    if arithmetic.is_some() && format.contents == Contents::Model && !format.extensions.contains(&"sol") {
        return Err(Failure::usage("`--arithmetic` is for C programs and Solidity contracts"));
    }
    let (entry, units, config) = (entry.as_ref(), &units, &config);
    (format.read)(&Source { path, units, asked, entry, machine, arithmetic, callees, config, run })
}

/// The names of the functions of a C program that can be checked on their own.
pub(crate) fn functions(question: &QuestionArgs, run: &Run) -> Result<Vec<String>, Failure> {
    let units = project::units(question)?;
    if format_of_all(&units)?.contents != Contents::TranslationUnit {
        return Err(Failure::usage("`--function` is for C programs"));
    }
    c::functions(&units, question.stated_machine(), run)
}

/// The language of files that belong together: only C programs have several.
fn format_of_all(units: &[Unit]) -> Result<&'static Format, Failure> {
    let first = format_of(&units[0].path)?;
    for unit in &units[1..] {
        let formats = [first, format_of(&unit.path)?];
        if formats.iter().any(|format| format.contents != Contents::TranslationUnit) {
            let path = shown(&unit.path);
            return Err(Failure::usage(format!("{path}: several files can only be those of a C program")));
        }
    }
    Ok(first)
}

/// The configuration with the command-line settings for functions without a body and for registers.
pub(crate) fn with_options_of_c(config: &Config, question: &QuestionArgs) -> Config {
    let mut config = config.clone();
    if !question.registers.is_empty() {
        config.c.registers = question.registers.join(",");
    }
    config.c.externals = match question.externals {
        Some(Externals::Sound) => Some(thetis_portfolio::Externals::Sound),
        Some(Externals::Arguments) => Some(thetis_portfolio::Externals::Arguments),
        Some(Externals::Careful) => Some(thetis_portfolio::Externals::Careful),
        Some(Externals::Svcomp) => Some(thetis_portfolio::Externals::Svcomp),
        None => config.c.externals,
    };
    config
}

/// Reads Solidity contracts.
fn solidity(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let arithmetic = match (source.arithmetic, source.config.arithmetic) {
        (Some(Numbers::Int), _) | (None, thetis_portfolio::Arithmetic::Int) => Some(Arithmetic::Int),
        (Some(Numbers::Bv), _) | (None, thetis_portfolio::Arithmetic::Bv) => Some(Arithmetic::Bv),
        (Some(Numbers::Mod), _) | (None, thetis_portfolio::Arithmetic::Mod) => Some(Arithmetic::Mod),
        (Some(Numbers::ModOverflow), _) => Some(Arithmetic::ModOverflow),
        (None, thetis_portfolio::Arithmetic::Auto) => None,
    };
    match source.asked {
        Asked::Default | Asked::Property("annotations") => {}
        Asked::Property("contract") => return read_whole(source.path, None, arithmetic),
        Asked::Property(property) if property.starts_with("contract:") => {
            return read_whole(source.path, property.strip_prefix("contract:"), arithmetic);
        }
        _ => {
            let known = "`annotations`, `contract` or `contract:NAME`";
            return Err(Failure::usage(format!("the property of contracts is {known}")));
        }
    }
    let callees = source.callees.map(|callees| match callees {
        CalleesArg::Sound => Callees::Sound,
        CalleesArg::SolcVerify => Callees::SolcVerify,
    });
    Ok(Box::new(Contracts::read(source.path, arithmetic.unwrap_or_default(), callees)?))
}

/// Runs a parser and shows its diagnostics.
pub(crate) fn reporting<T>(
    sources: &SourceMap,
    parse: impl FnOnce(&mut Diagnostics) -> Result<T, Reported>,
) -> Result<T, Failure> {
    let mut diagnostics = Diagnostics::new();
    let parsed = parse(&mut diagnostics);
    let messages = render_diagnostics(&diagnostics, sources, terminal::style());
    match parsed {
        Ok(parsed) => {
            terminal::show(&messages);
            Ok(parsed)
        }
        Err(_reported) => {
            terminal::complain(&messages);
            Err(Failure::reported())
        }
    }
}

/// The reader of the language that a file is in.
fn format_of(path: &Path) -> Result<&'static Format, Failure> {
    if path.is_dir() {
        let hint = "hint: of a C project, name the files (`src/*.c`), or use `--project` if there is a `compile_commands.json`";
        return Err(Failure::input(format!("{}: is a directory, expected a file\n{hint}", shown(path))));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_known = |format: &&Format| extension.is_some_and(|name| format.extensions.contains(&name));
    FORMATS.iter().find(is_known).ok_or_else(|| {
        let known = FORMATS.iter().flat_map(|format| format.extensions);
        let known: Vec<String> = known.map(|name| format!(".{name}")).collect();
        let known = known.join(", ");
        let path = shown(path);
        Failure::input(format!("{path}: unknown kind of model, expected a file name that ends in {known}"))
    })
}
