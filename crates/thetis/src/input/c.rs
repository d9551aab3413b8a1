//! C programs: preprocessing, checking, and the translation for the property.

pub(crate) mod program;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use thetis_base::{Code, Diagnostics, FileId, Run, SourceMap, Span, printable};
use thetis_c::arguments::give_arguments;
use thetis_c::entry::{self, Entry, EntryState, Inside};
use thetis_c::evidence::witness::plan::ClaimText;
use thetis_c::hir::{Machine, Program};
use thetis_c::lower::{self, Assumption, AssumptionKind, LowerOptions, Lowered, MemoryRule, Property};
use thetis_c::property::{self, Places};
use thetis_c::{ClaimAt, LineMarkers, UnitText, encoding};
use thetis_portfolio::{Arithmetic, Config, Externals, Undefined, closest};
use thetis_report::fingerprint;

use super::preprocess::{needs_preprocessor, preprocess};
use super::project::{self, Unit};
use super::standard::name_of;
use super::text::{read_bytes, shown};
use super::{Asked, Input, Source, read_text, reporting, with_options_of_c};
use crate::args::{Numbers, QuestionArgs};
use crate::failure::Failure;
use crate::loaded::Loaded;
use program::{CProgram, Subject};

/// Reads a program.
pub(super) fn read(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let mut text = read_text_of(source.units, source.machine, source.run)?;
    let (mut program, _) = text.checked(&[])?;
    let property = property_of(source.asked, &program, &text.name)?;
    if let Some(entry) = source.entry {
        start_with(&mut program, entry, &property, &text)?;
    }
    if source.entry.is_none() {
        give_arguments(&mut program, u64::from(matches!(property, Property::Memory(_))));
    }
    let main = text.files[0];
    let config = with_arithmetic(source.config, source.arithmetic)?;
    let lowered = translate(&program, property.clone(), main, &config, &text.sources)?;
    let bit_vectors = options_for_bit_vectors(&lowered, &property, &config)?;
    let task = lowered.task.clone();
    let ProgramText { sources, files, name, sha256, hashes, .. } = text;
    let units = source.units.to_vec();
    let places = match NonZeroU32::new(source.config.c.assertion) {
        None => Places::All(&lowered.origin.asked),
        Some(assertion) => Places::Only(assertion),
    };
    let scope = property::scope(&property, places);
    let subject = Rc::new(Subject { program, property, units, hashes, files, scope });
    let language = CProgram { subject, lowered, bit_vectors };
    Ok(Box::new(Input { task, sources, file: main, name, sha256, language: Box::new(language) }))
}

/// How to translate a program to bit-vectors, if it is translated to integers because nobody has asked for anything else.
fn options_for_bit_vectors(
    lowered: &Lowered,
    property: &Property,
    config: &Config,
) -> Result<Option<LowerOptions>, Failure> {
    let is_chosen = config.arithmetic == Arithmetic::Auto && lowered.arithmetic == lower::Arithmetic::Mod;
    let options = lower_options(property.clone(), config)?;
    Ok(is_chosen.then_some(LowerOptions { arithmetic: lower::Arithmetic::Bv, ..options }))
}

/// The configuration with the encoding of numbers that the command line names.
fn with_arithmetic(config: &Config, numbers: Option<Numbers>) -> Result<Config, Failure> {
    let mut config = config.clone();
    config.arithmetic = match numbers {
        None => config.arithmetic,
        Some(Numbers::Int) => Arithmetic::Int,
        Some(Numbers::Bv) => Arithmetic::Bv,
        Some(Numbers::Mod) => Arithmetic::Mod,
        Some(Numbers::ModOverflow) => {
            let message = "`--arithmetic mod-overflow` is for Solidity contracts; a C program can be asked for `no-overflow`";
            return Err(Failure::usage(message));
        }
    };
    Ok(config)
}

/// Makes a program start with a single function.
fn start_with(
    program: &mut Program,
    entry: &Entry,
    property: &Property,
    text: &ProgramText,
) -> Result<(), Failure> {
    let asks_for_leaks = property.asks(MemoryRule::Track) || property.asks(MemoryRule::Cleanup);
    if asks_for_leaks && entry.state == EntryState::Arbitrary {
        let name = property::name(property);
        return Err(Failure::usage(format!(
            "`{name}` asks for lost blocks, which only whole programs have; ask a function for `valid-bounds` and `valid-free`, or for `all`"
        )));
    }
    // Nothing can be proved about memory behind unknown pointers.
    let inside = match property {
        Property::Memory(_) => Inside::Objects,
        _ => Inside::Anything,
    };
    let entry = &Entry { inside, ..entry.clone() };
    let functions = entry::functions(program, &text.sources);
    entry::enter(program, entry, &text.sources).map_err(|message| {
        let is_there = message.contains("several files");
        let meant = closest(&entry.function, functions.iter().map(String::as_str)).filter(|_| !is_there);
        let meant = meant.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default();
        Failure::input(printable(&format!("{}: {message}{meant}", text.name)))
    })
}

/// The names of the functions of a program.
pub(super) fn functions(units: &[Unit], machine: Option<Machine>, run: &Run) -> Result<Vec<String>, Failure> {
    let mut text = read_text_of(units, machine, run)?;
    let (program, _) = text.checked(&[])?;
    Ok(entry::functions(&program, &text.sources))
}

/// A program that was read together with the claims of a witness.
pub(crate) struct Claimed {
    pub(crate) program: Program,
    pub(crate) lowered: Lowered,
    pub(crate) property: Property,
    pub(crate) sources: SourceMap,
    pub(crate) sha256: String,
    /// The claims that match no position of the program.
    pub(crate) unplaced: Vec<u32>,
}

/// Reads a program of one file with claims at their places.
pub(crate) fn read_with_claims(
    units: &[Unit],
    property: &str,
    machine: Option<Machine>,
    claims: &[ClaimText],
    config: &Config,
    run: &Run,
) -> Result<Claimed, Failure> {
    if units.len() > 1 {
        return Err(Failure::usage("witnesses about programs of several files cannot be validated yet"));
    }
    let mut text = read_text_of(units, machine, run)?;
    let main = text.files[0];
    let claims: Vec<ClaimAt> = claims.iter().map(|claim| placed(&mut text.sources, main, claim)).collect();
    let (program, unplaced) = text.checked(&claims)?;
    let property = property_of(&Asked::Property(property), &program, &text.name)?;
    let lowered = translate(&program, property.clone(), main, config, &text.sources)?;
    Ok(Claimed { program, lowered, property, sources: text.sources, sha256: text.sha256, unplaced })
}

/// A program that is read again with external formulas at its places. Nothing is reported: the program was read before,
/// and a formula that does not fit is dropped.
pub(crate) struct Annotated {
    text: ProgramText,
    property: Property,
    config: Config,
}

impl Annotated {
    /// The program that `question` is about.
    pub(crate) fn new(question: &QuestionArgs, config: &Config, run: &Run) -> Result<Annotated, Failure> {
        let units = project::units(question)?;
        let mut text = read_text_of(&units, question.stated_machine(), run)?;
        let (program, _) = check_silently(&mut text, &[]).ok_or_else(Failure::reported)?;
        let asked = question.property()?.map_or(Asked::Default, Asked::Property);
        let property = property_of(&asked, &program, &text.name)?;
        let config = with_arithmetic(&with_options_of_c(config, question), question.arithmetic)?;
        Ok(Annotated { text, property, config })
    }

    /// Whether the program is one with this fingerprint.
    pub(crate) fn has_hash(&self, hash: &str) -> bool {
        self.text.hashes.iter().any(|known| known == hash)
    }

    /// The texts.
    pub(crate) fn sources(&self) -> &SourceMap {
        &self.text.sources
    }

    /// The translation with `claims` at places of the first file; nothing if one of them is not an expression there.
    pub(crate) fn with(&mut self, claims: &[ClaimText]) -> Option<Lowered> {
        let main = self.text.files[0];
        let claims: Vec<ClaimAt> =
            claims.iter().map(|claim| placed(&mut self.text.sources, main, claim)).collect();
        let (program, _) = check_silently(&mut self.text, &claims)?;
        let options = lower_options(self.property.clone(), &self.config).ok()?;
        let whole = Span { file: main, start: 0, end: 0 };
        lower::lower(&program, &options, whole, &mut Diagnostics::new()).ok()
    }
}

fn check_silently(text: &mut ProgramText, claims: &[ClaimAt]) -> Option<(Program, Vec<u32>)> {
    let mut unseen = Diagnostics::new();
    thetis_c::check_units(&mut text.sources, &text.units, text.machine, claims, &mut unseen).ok()
}

fn placed(sources: &mut SourceMap, file: FileId, claim: &ClaimText) -> ClaimAt {
    ClaimAt {
        formula: sources.add("the witness", claim.formula.clone()),
        file,
        line: claim.location.line,
        column: claim.location.column,
        place: claim.place,
    }
}

/// The text of a program, ready to be checked.
struct ProgramText {
    sources: SourceMap,
    /// What the user wrote.
    files: Vec<FileId>,
    /// The text to check: the same, or the preprocessor's output.
    units: Vec<UnitText>,
    machine: Machine,
    /// The name of the first file.
    name: String,
    /// The fingerprint of all files together.
    sha256: String,
    /// Those of the files.
    hashes: Vec<String>,
}

impl ProgramText {
    /// The program with the library models that it needs, and the claims that match no position.
    fn checked(&mut self, claims: &[ClaimAt]) -> Result<(Program, Vec<u32>), Failure> {
        let mut diagnostics = Diagnostics::new();
        let program =
            thetis_c::check_units(&mut self.sources, &self.units, self.machine, claims, &mut diagnostics);
        reporting(&self.sources, |told| {
            *told = diagnostics;
            program
        })
    }
}

fn read_text_of(units: &[Unit], machine: Option<Machine>, run: &Run) -> Result<ProgramText, Failure> {
    let machine = machine.or(project::common_machine(units)?).unwrap_or_default();
    let (mut sources, mut hashes) = (SourceMap::new(), Vec::new());
    let (mut files, mut known) = (Vec::new(), BTreeMap::new());
    for Unit { path, .. } in units {
        let bytes = read_bytes(path)?;
        if bytes.contains(&0) {
            return Err(Failure::input(format!("{}: is not a text, expected a C program", shown(path))));
        }
        let file = sources.add(name_of(path).into_owned(), encoding::decode(&bytes));
        known.insert(path.canonicalize().unwrap_or_else(|_| path.clone()), file);
        files.push(file);
        hashes.push(fingerprint(&bytes));
    }
    let mut texts = Vec::new();
    for (unit, file) in units.iter().zip(&files) {
        texts.push(text_to_check(unit, machine, *file, &mut known, &mut sources, run)?);
    }
    let sha256 = match hashes.as_slice() {
        [one] => one.clone(),
        several => fingerprint(several.join(" ").as_bytes()),
    };
    let name = name_of(&units[0].path).into_owned();
    Ok(ProgramText { sources, files, units: texts, machine, name, sha256, hashes })
}

/// The text without directives, which may be that of the file itself.
fn text_to_check(
    unit: &Unit,
    machine: Machine,
    main: FileId,
    known: &mut BTreeMap<PathBuf, FileId>,
    sources: &mut SourceMap,
    run: &Run,
) -> Result<UnitText, Failure> {
    let Unit { path, options, .. } = unit;
    let is_preprocessed = path.extension().is_some_and(|extension| extension == "i");
    let is_needed = !options.is_empty() || needs_preprocessor(sources.file(main).text());
    if is_preprocessed || !is_needed {
        return Ok(UnitText { file: main, line_markers: LineMarkers::Ignore });
    }
    let preprocessed = preprocess(path, sources.file(main).text(), machine, options, run)?;
    let line_markers = preprocessed.line_markers(main, known, sources);
    let file = sources.add(format!("{}, preprocessed", name_of(path)), preprocessed.text);
    Ok(UnitText { file, line_markers })
}

/// What `--target` means for C programs.
fn target_of_c() -> String {
    let machines = Machine::ALL.map(Machine::name).join(", ");
    format!("the `--target` of a C program is a machine: {machines}; markings are those of Petri nets")
}

fn property_of(asked: &Asked<'_>, program: &Program, name: &str) -> Result<Property, Failure> {
    let property = match asked {
        Asked::Target(_) => return Err(Failure::usage(target_of_c())),
        Asked::Nothing | Asked::Default => property::usual(program),
        Asked::Property(file) if file.ends_with(".prp") => {
            property::parse(&read_text(Path::new(file))?, program)
        }
        Asked::Property(words) => property::parse(words, program).map_err(|message| {
            let meant = closest(words, property::WORDS.into_iter().chain(["all"]));
            let meant = meant.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default();
            format!("{message}{meant}")
        }),
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
    let options = lower_options(property, config)?;
    let whole = Span { file: main, start: 0, end: 0 };
    reporting(sources, |diagnostics| {
        let lowered = lower::lower(program, &options, whole, diagnostics)?.with_places(sources);
        warn(&lowered.origin.assumptions, sources, diagnostics);
        Ok(lowered)
    })
}

/// Warns of assumptions. If many functions have no body, the first gets its own warning and the others share one.
fn warn(assumptions: &[Assumption], sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let is_external = |assumption: &&Assumption| assumption.kind == AssumptionKind::Externals;
    let is_shared = assumptions.iter().filter(is_external).count() > 2;
    let mut same = assumptions.iter().filter(is_external).skip(1);
    let mut has_warned = false;
    for assumption in assumptions {
        let text = match is_shared && is_external(&assumption) {
            true if !has_warned => {
                has_warned = true;
                assumption.text.clone()
            }
            true => match same.next() {
                Some(second) if second.span == assumption.span => others(second, same.by_ref(), sources),
                _ => continue,
            },
            false => assumption.text.clone(),
        };
        diagnostics.warning(assumption.span, Code(assumption.kind.code()), text);
    }
}

/// A note that the warning about another function applies to these too.
fn others<'a>(first: &Assumption, rest: impl Iterator<Item = &'a Assumption>, sources: &SourceMap) -> String {
    let name = |assumption: &Assumption| assumption.text.split(' ').next().unwrap_or_default().to_owned();
    let rest = rest.map(|assumption| {
        let (file, place) = (sources.file(assumption.span.file).name(), sources.start(assumption.span));
        format!(", {} ({file}:{}:{})", name(assumption), place.line, place.column)
    });
    format!("the same holds for {}{}", name(first), rest.collect::<String>())
}

fn lower_options(property: Property, config: &Config) -> Result<LowerOptions, Failure> {
    let registers = lower::parse_registers(&config.c.registers)
        .map_err(|error| Failure::usage(format!("registers: {}", printable(&error))))?;
    Ok(LowerOptions {
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
            Some(Externals::Careful) => lower::Externals::Careful,
            Some(Externals::Svcomp) => lower::Externals::Svcomp,
        },
        undefined: match config.c.undefined {
            Undefined::Convention => lower::Undefined::Convention,
            Undefined::Arbitrary => lower::Undefined::Arbitrary,
            Undefined::Error => lower::Undefined::Error,
        },
        registers,
        assertion: NonZeroU32::new(config.c.assertion),
        recursion_bound: config.c.recursion_bound,
        thread_bound: config.c.thread_bound,
        max_edges: config.c.max_edges,
    })
}
