//! From a file to a task.

pub(crate) mod c;
mod compiler;
mod includes;
mod preprocess;
mod property;
mod text;

use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, Run, SourceMap, printable};
use thetis_c::evidence::harness::Harness;
use thetis_model::cfa::Cfa;
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_portfolio::Config;
use thetis_report::{TraceStep, fingerprint, render_diagnostics};

use crate::args::{DataModel, Externals, QuestionArgs};
use crate::failure::Failure;
use crate::terminal;

use property::Asked;
use text::read_bytes;
pub(crate) use text::{read_text, shown};

/// The languages that are read, told by the extension of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputFormat {
    C,
    TaskDefinition,
    Model(ModelFormat),
}

/// The languages of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ModelFormat {
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
    /// What the language of the file has to say about verdicts, beyond what the formalism has.
    pub(crate) words: SourceWords<M>,
}

/// What a language says about verdicts on its models.
pub(crate) struct SourceWords<M: Model> {
    /// Writes the evidence of a verdict in the witness format of the language.
    pub(crate) witness: Option<WitnessWriter<M>>,
    /// Tells a violation on the source.
    pub(crate) story: Option<Storyteller<M>>,
    /// Says which part of the property a run violates, if it has several.
    pub(crate) violated: Option<Namer<M>>,
    /// Writes a file that makes the compiled program take a run.
    pub(crate) harness: Option<HarnessWriter<M>>,
}

impl<M: Model> Default for SourceWords<M> {
    fn default() -> SourceWords<M> {
        SourceWords { witness: None, story: None, violated: None, harness: None }
    }
}

/// Turns evidence into the text of a witness, and what is to be said about it; nothing if the format has none for the verdict.
pub(crate) type WitnessWriter<M> =
    Box<dyn Fn(&Task<M>, &Verdict<M>, &SourceMap) -> Result<Option<Witness>, String>>;

/// Names what a run violates.
pub(crate) type Namer<M> = Box<dyn Fn(&<M as Model>::Trace) -> Option<String>>;

/// A witness as text.
pub(crate) struct Witness {
    pub(crate) text: String,
    /// What it does not say, for people.
    pub(crate) remark: Option<String>,
}

/// Turns a run into steps on the source.
pub(crate) type Storyteller<M> = Box<dyn Fn(&<M as Model>::Trace, &SourceMap) -> Vec<TraceStep>>;

/// Turns a run into a harness, or says why there is none.
pub(crate) type HarnessWriter<M> = Box<dyn Fn(&<M as Model>::Trace, &SourceMap) -> Result<Harness, String>>;

/// Reads a model and what is asked of it, within the limits of `run`; diagnostics go to standard error.
pub(crate) fn read(question: &QuestionArgs, config: &Config, run: &Run) -> Result<Loaded, Failure> {
    let asked = match (&question.property, &question.target) {
        (Some(property), _) => Asked::Property(property),
        (None, Some(target)) => Asked::Target(target),
        (None, None) => Asked::Default,
    };
    let config = with_externals(config, question.externals);
    Reader { data_model: question.data_model, config: &config, run }.read(&question.file, &asked)
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

/// Reads a model that is to be written in another form; a C program also needs to know what is asked.
pub(crate) fn read_to_convert(question: &QuestionArgs, run: &Run) -> Result<Loaded, Failure> {
    let asked = question.property.as_deref().map_or(Asked::Nothing, Asked::Property);
    let config = with_externals(&Config::default(), question.externals);
    Reader { data_model: question.data_model, config: &config, run }.read(&question.file, &asked)
}

/// What reading depends on besides the file and the question.
struct Reader<'a> {
    data_model: Option<DataModel>,
    config: &'a Config,
    run: &'a Run,
}

impl Reader<'_> {
    fn read(&self, path: &Path, asked: &Asked<'_>) -> Result<Loaded, Failure> {
        match format_of(path)? {
            InputFormat::C => {
                let input = c::read(path, asked, self.data_model, self.config, self.run)?;
                Ok(Loaded::Cfa(Box::new(input)))
            }
            InputFormat::TaskDefinition => self.read_definition(path, asked),
            InputFormat::Model(format) => read_model(format, path, asked),
        }
    }

    /// Reads the model of a task definition, with the property that the definition names, or the one of those that is asked.
    fn read_definition(&self, path: &Path, asked: &Asked<'_>) -> Result<Loaded, Failure> {
        let in_definition = |what: &str| Failure::input(format!("{}: {what}", shown(path)));
        let mut tasks =
            thetis_bench::collect(path).map_err(|error| Failure::input(printable(&error.to_string())))?;
        if let Asked::Property(property) = asked {
            tasks.retain(|task| task.question.words.split(' ').next() == Some(property));
        }
        let task = match tasks.as_slice() {
            [task] => task,
            [] => return Err(in_definition("there is no such property")),
            _ => {
                let words = tasks.iter().filter_map(|task| task.question.words.split(' ').next());
                let words: Vec<&str> = words.collect();
                let words = printable(&words.join(", ")).into_owned();
                return Err(Failure::usage(format!("choose a property with --property: {words}")));
            }
        };
        let stated = match task.question.data_model.as_deref() {
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => {
                return Err(in_definition(&format!("unknown data model `{}`", printable(other))));
            }
            None => None,
        };
        if format_of(&task.file)? == InputFormat::TaskDefinition {
            return Err(in_definition("the input file is a task definition, expected a model"));
        }
        let asked = task.question.property.as_deref().map_or(Asked::Default, Asked::Property);
        let mut config = self.config.clone();
        config.c.externals.get_or_insert(thetis_portfolio::Externals::Svcomp);
        let data_model = self.data_model.or(stated);
        Reader { data_model, config: &config, run: self.run }.read(&task.file, &asked)
    }
}

fn read_model(format: ModelFormat, path: &Path, asked: &Asked<'_>) -> Result<Loaded, Failure> {
    let bytes = if format == ModelFormat::Aiger { read_bytes(path)? } else { read_text(path)?.into_bytes() };
    let mut text = ModelText::new(path, &bytes);
    Ok(match format {
        ModelFormat::Aiger => Loaded::Sts(Box::new(read_circuit(&bytes, text, asked)?)),
        ModelFormat::Sts => {
            let tasks = reporting(&text.sources, |diagnostics| {
                thetis_text::sts::parse(&text.sources, text.file, diagnostics)
            })?;
            let task = property::of_sts(asked, tasks, &text.name)?;
            Loaded::Sts(Box::new(text.input(task, SourceWords::default())))
        }
        ModelFormat::Cfa => {
            let task = reporting(&text.sources, |diagnostics| {
                thetis_text::cfa::parse(&text.sources, text.file, diagnostics)
            })?;
            property::check_cfa(asked, &task, &text.name)?;
            Loaded::Cfa(Box::new(text.input(task, SourceWords::default())))
        }
        ModelFormat::Pnml | ModelFormat::Net => {
            let task = read_net(format, &mut text.sources, text.file, asked)?;
            Loaded::Net(Box::new(text.input(task, SourceWords::default())))
        }
    })
}

fn read_circuit(bytes: &[u8], text: ModelText, asked: &Asked<'_>) -> Result<Input<Sts>, Failure> {
    let circuit = reporting(&text.sources, |diagnostics| {
        thetis_circuit::aiger::parse(bytes, &text.sources, text.file, diagnostics)
    })?;
    let task = property::of_circuit(asked, &circuit, &text.name)?;
    let witness: WitnessWriter<Sts> = Box::new(move |_, verdict, _| {
        let Verdict::Unsafe(Evidence::Given(trace)) = verdict else { return Ok(None) };
        let text = thetis_circuit::aiger::witness(&circuit, trace).map_err(|error| error.to_string())?;
        Ok(Some(Witness { text, remark: None }))
    });
    Ok(text.input(task, SourceWords { witness: Some(witness), ..SourceWords::default() }))
}

/// The text of a model that describes all of what it is about.
struct ModelText {
    sources: SourceMap,
    file: FileId,
    name: String,
    sha256: String,
}

impl ModelText {
    fn new(path: &Path, bytes: &[u8]) -> ModelText {
        let mut sources = SourceMap::new();
        let name = path.display().to_string();
        let file = sources.add(name.clone(), thetis_circuit::aiger::text_of(bytes));
        ModelText { sources, file, name, sha256: fingerprint(bytes) }
    }

    fn input<M: Model>(self, task: Task<M>, words: SourceWords<M>) -> Input<M> {
        let ModelText { sources, file, name, sha256 } = self;
        Input { task, sources, file, name, sha256, words }
    }
}

fn read_net(
    format: ModelFormat,
    sources: &mut SourceMap,
    file: FileId,
    asked: &Asked<'_>,
) -> Result<Task<Net>, Failure> {
    let (net, targets) = match format {
        ModelFormat::Net => {
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
    if path.is_dir() {
        return Err(Failure::input(format!("{}: is a directory, expected a file", shown(path))));
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => Ok(InputFormat::C),
        Some("yml" | "yaml") => Ok(InputFormat::TaskDefinition),
        Some("cfa") => Ok(InputFormat::Model(ModelFormat::Cfa)),
        Some("sts" | "system") => Ok(InputFormat::Model(ModelFormat::Sts)),
        Some("aag" | "aig") => Ok(InputFormat::Model(ModelFormat::Aiger)),
        Some("pnml") => Ok(InputFormat::Model(ModelFormat::Pnml)),
        Some("net") => Ok(InputFormat::Model(ModelFormat::Net)),
        _ => Err(Failure::input(format!(
            "{}: unknown kind of model, expected a file name that ends in .c, .i, .yml, .cfa, .sts, .system, .aag, .aig, .pnml or .net",
            shown(path)
        ))),
    }
}
