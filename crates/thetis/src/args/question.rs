//! Arguments that name a model and its property; commands that read models share them.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use thetis_c::entry::{Entry, EntryState, Inside, Pointers};
use thetis_c::hir::Machine;

use crate::failure::Failure;

use super::compiler_style::FOR_PREPROCESSOR;
use super::suggested::Suggested;

/// The headings of groups of options.
pub(super) const C_PROGRAMS: &str = "C programs";
const CONTRACTS: &str = "Solidity contracts";

/// The properties by language.
const PROPERTIES: &str = "\
The property to check; can be repeated for C programs

C programs:
  assertion            no assertion fails (the default)
  unreach-call         `reach_error` is not called (the default if there is one)
  no-overflow          no signed operation overflows
  no-division-by-zero  no divisor is zero
  valid-shift          no shift is out of range
  valid-init           nothing is read before it has a value
  valid-memory         no access out of bounds, no wrong free, no lost block
  all                  all of the above, one after the other
  and unreach-label, acsl-assert, no-unsigned-overflow, no-lossy-conversion, valid-memsafety, valid-bounds, \
valid-deref, valid-free, valid-memtrack, valid-memcleanup, or a `.prp` file

Automata:
  error-location       no error location is reached (the default)

Transition systems and circuits:
  the name of a property, if the file has several: `b0`, `b1`, … of circuits

Petri nets:
  EF e, AG e, deadlock, one-safe, state-space, or FILE.xml#NAME for a property of the Model Checking Contest

Timed automata:
  E<> e, A[] e, E[] e, A<> e, p --> q, explore, or a `.q` file

Solidity contracts:
  annotations          the annotations of each function (the default)
  contract             assertions and invariants for all sequences of transactions
  contract:NAME        the same for one of several contracts";

/// A model and its property
#[derive(Args, Clone, Debug)]
pub(crate) struct QuestionArgs {
    /// The model: `.c` or `.i` (C program, also several files), `.yml` (task definition), `.cfa` (automaton), `.sts` (transition system), `.aag` or `.aig`
    /// (circuit), `.pnml` or `.net` (Petri net), `.xta`, `.ta`, UPPAAL's `.xml` or TChecker's `.tck` (timed automata), `.smt2` (Horn clauses), `.sol` (Solidity contracts);
    /// `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "project")]
    pub(crate) files: Vec<PathBuf>,

    /// The language of a model on standard input, which is the file `-`: the usual extension of its files, for example `c`
    #[arg(long, value_name = "LANGUAGE", hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(crate::input::languages()))]
    pub(crate) language: Option<String>,

    /// A C project: a `compile_commands.json`, or the folder that contains it. If files are named, only those are read
    #[arg(long, value_name = "BUILD", help_heading = C_PROGRAMS)]
    pub(crate) project: Option<PathBuf>,

    /// What is asked of the model; several properties, or `all`, of a C program
    #[arg(long = "property", value_name = "PROPERTY", hide_possible_values = true, value_parser = Suggested::Properties)]
    #[arg(long_help = PROPERTIES)]
    pub(crate) properties: Vec<String>,

    /// Decide whether a marking of a Petri net is reachable, for example `p0 >= 1 and p1 + 2*p2 = 3`; for a C program
    /// the same as `--machine`
    #[arg(long, value_name = "EXPR")]
    pub(crate) target: Option<String>,

    /// The machine that a C program is compiled for: `x86_64`, `i386`, `arm`, `arm-none-eabi`, `aarch64`, `riscv32` or
    /// `riscv64` [default: x86_64]
    #[arg(long, value_name = "MACHINE", conflicts_with_all = ["data_model", "m32"], help_heading = C_PROGRAMS)]
    #[arg(hide_possible_values = true, value_parser = machine())]
    pub(crate) machine: Option<Machine>,

    /// The type sizes of a C program for x86 [default: that of the task definition, otherwise LP64]
    #[arg(long, value_name = "MODEL", value_enum, help_heading = C_PROGRAMS)]
    pub(crate) data_model: Option<DataModel>,

    /// Check one function of a C program on its own, with arbitrary arguments and global variables; `*` for each
    /// function
    #[arg(long, value_name = "NAME", help_heading = C_PROGRAMS)]
    pub(crate) function: Option<String>,

    /// Start a C program with a function other than `main`, without parameters
    #[arg(long, value_name = "NAME", conflicts_with = "function", help_heading = C_PROGRAMS)]
    pub(crate) entry: Option<String>,

    /// The pointers that the function gets: `null`, `fresh` (one object each), `aliasing` (an object that others may share), `array:N`
    /// or `any` (nothing is known about them) [default: fresh]
    #[arg(long, value_name = "KIND", requires = "function", value_parser = pointers, help_heading = C_PROGRAMS)]
    pub(crate) pointers: Option<Pointers>,

    /// The same as `--data-model ILP32`; also `-m32`, as for compilers
    #[arg(long, conflicts_with = "data_model", help_heading = C_PROGRAMS)]
    pub(crate) m32: bool,

    /// What functions without a body in a C program may do [default: svcomp for task definitions, otherwise sound]
    #[arg(long, value_name = "CONTRACT", value_enum, help_heading = C_PROGRAMS)]
    pub(crate) externals: Option<Externals>,

    /// Addresses of device registers that the program may access: `0x40000000-0x5fffffff`; several with commas, or the
    /// option repeated
    #[arg(long, value_name = "RANGE", help_heading = C_PROGRAMS)]
    pub(crate) registers: Vec<String>,

    /// How the numbers of a C program or a Solidity contract are encoded [default: chosen for C; for contracts int, or mod with
    /// `--property contract`]
    #[arg(long, value_name = "ENCODING", value_enum, help_heading = CONTRACTS)]
    pub(crate) arithmetic: Option<Numbers>,

    /// Which code may run when a contract type is called [default: solc-verify with --format solc-verify, otherwise
    /// sound]
    #[arg(long, value_name = "CODE", value_enum, help_heading = CONTRACTS)]
    pub(crate) callees: Option<CalleesArg>,

    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArgs,

    /// The folder with preprocessed texts that the processes of one command share
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) prepared: Option<PathBuf>,
}

/// The names of machines.
fn machine() -> impl TypedValueParser<Value = Machine> {
    PossibleValuesParser::new(Machine::ALL.map(Machine::name))
        .map(|name| Machine::of_name(&name).unwrap_or_default())
}

/// What the pointer arguments of a function point to.
fn pointers(text: &str) -> Result<Pointers, String> {
    let length = text.strip_prefix("array:").and_then(|length| length.parse().ok());
    match (text, length) {
        ("null", _) => Ok(Pointers::Null),
        ("fresh", _) => Ok(Pointers::Fresh),
        ("aliasing", _) => Ok(Pointers::Aliasing),
        ("any", _) => Ok(Pointers::Any),
        (_, Some(length)) if length > 0 => Ok(Pointers::Array(length)),
        _ => Err("expected null, fresh, aliasing, array:N or any".to_owned()),
    }
}

impl QuestionArgs {
    /// The property, for commands that take one.
    pub(crate) fn property(&self) -> Result<Option<&str>, Failure> {
        match self.properties.as_slice() {
            [] => Ok(None),
            [property] if property != "all" => Ok(Some(property)),
            _ => Err(Failure::usage("give one property here")),
        }
    }

    /// The function that a C program starts with, if that is not `main`.
    pub(crate) fn entry(&self) -> Option<Entry> {
        let pointers = self.pointers.unwrap_or_default();
        if let Some(function) = self.entry.clone() {
            return Some(Entry { function, pointers, state: EntryState::Initial, inside: Inside::Anything });
        }
        let function = self.function.clone()?;
        Some(Entry { function, pointers, state: EntryState::Arbitrary, inside: Inside::Anything })
    }

    /// The equivalent command-line arguments, without properties and function.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.files.iter().map(Into::into).collect();
        let mut option = |name: &str, value: Option<OsString>| {
            arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
        };
        let pointers = self.pointers.map(|pointers| match pointers {
            Pointers::Null => "null".into(),
            Pointers::Fresh => "fresh".into(),
            Pointers::Aliasing => "aliasing".into(),
            Pointers::Any => "any".into(),
            Pointers::Array(length) => format!("array:{length}").into(),
        });
        option("--project", self.project.clone().map(Into::into));
        option("--target", self.marking().map(Into::into));
        option("--machine", self.stated_machine().map(|machine| machine.name().into()));
        option("--externals", self.externals.map(|externals| externals.word().into()));
        option("--arithmetic", self.arithmetic.map(|numbers| numbers.word().into()));
        option("--registers", (!self.registers.is_empty()).then(|| self.registers.join(",").into()));
        option("--entry", self.entry.clone().map(Into::into));
        option("--pointers", pointers);
        option("--prepared", self.prepared.clone().map(Into::into));
        arguments.extend(self.preprocessor.arguments());
        arguments
    }

    /// The first file, or the project.
    pub(crate) fn first(&self) -> PathBuf {
        self.files.first().or(self.project.as_ref()).cloned().unwrap_or_default()
    }

    /// The machine of a C program, if the command line names one.
    pub(crate) fn stated_machine(&self) -> Option<Machine> {
        let by_size = if self.m32 { Some(DataModel::Ilp32) } else { self.data_model };
        let by_size = by_size.map(|model| match model {
            DataModel::Ilp32 => Machine::I386,
            DataModel::Lp64 => Machine::X86_64,
        });
        self.machine.or(by_size).or_else(|| self.target_machine())
    }

    /// The machine that `--target` names.
    fn target_machine(&self) -> Option<Machine> {
        let named = self.target.as_deref().filter(|_| self.is_c_program());
        named.and_then(|name| Machine::ALL.into_iter().find(|machine| machine.name() == name))
    }

    /// The target marking.
    pub(crate) fn marking(&self) -> Option<&String> {
        self.target.as_ref().filter(|_| self.target_machine().is_none())
    }

    /// Takes the machine from a certificate unless the command line names one.
    pub(crate) fn or_machine(&mut self, stated: Machine) {
        self.machine = self.stated_machine().or(Some(stated));
        (self.m32, self.data_model) = (false, None);
    }

    /// Whether the input is a C program, given by its files or project.
    pub(crate) fn is_c_program(&self) -> bool {
        let is_c =
            |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c" || extension == "i");
        self.project.is_some() || self.files.first().is_some_and(is_c)
    }
}

/// How C programs are preprocessed
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct PreprocessorArgs {
    /// Search a folder for files that a C program includes; can be repeated
    #[arg(short = 'I', value_name = "DIR", help_heading = C_PROGRAMS)]
    include: Vec<PathBuf>,

    /// The same, after the folders of -I and before those of the system; also `-isystem DIR`
    #[arg(long, value_name = "DIR", help_heading = C_PROGRAMS)]
    isystem: Vec<PathBuf>,

    /// Define a macro of a C program; can be repeated
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = C_PROGRAMS)]
    define: Vec<String>,

    /// Undefine a macro that the compiler or -D defines; can be repeated
    #[arg(short = 'U', value_name = "NAME", help_heading = C_PROGRAMS)]
    undefine: Vec<String>,

    /// Read a file before each C file, as if it were included; can be repeated; also `-include FILE`
    #[arg(long = "include", value_name = "FILE", help_heading = C_PROGRAMS)]
    before: Vec<PathBuf>,

    /// A further option for the preprocessor, like those after `--`; can be repeated
    #[arg(
        long = "preprocessor",
        value_name = "OPTION",
        help_heading = C_PROGRAMS,
        allow_hyphen_values = true
    )]
    further: Vec<String>,

    /// The version of C, for the macros of the compiler, for example `c99`; also `-std=c99`
    #[arg(long = "std", value_name = "VERSION", help_heading = C_PROGRAMS, value_parser = version_of_c)]
    version: Option<String>,
}

/// The name of a version of C.
fn version_of_c(text: &str) -> Result<String, String> {
    match is_version_of_c(text) {
        true => Ok(text.to_owned()),
        false => Err("expected the name of a version such as c99 or gnu11".to_owned()),
    }
}

/// Whether a text can be the name of a version of C.
pub(crate) fn is_version_of_c(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ':')
}

impl PreprocessorArgs {
    /// The options for a compiler that may run in another folder.
    pub(crate) fn options(&self) -> io::Result<Vec<OsString>> {
        let mut options = Vec::new();
        for (option, folders) in [("-I", &self.include), ("-isystem", &self.isystem)] {
            for folder in folders {
                options.extend([OsString::from(option), std::path::absolute(folder)?.into()]);
            }
        }
        for file in &self.before {
            // A header of the system is looked for where all headers are.
            let file = if file.exists() { std::path::absolute(file)? } else { file.clone() };
            options.extend(["-include".into(), file.into()]);
        }
        for (option, names) in [("-D", &self.define), ("-U", &self.undefine)] {
            options.extend(names.iter().flat_map(|name| [option.into(), name.into()]));
        }
        options.extend(self.version.iter().map(|version| format!("-std={version}").into()));
        Ok(options)
    }

    /// The words for the preprocessor itself.
    pub(crate) fn further(&self) -> &[String] {
        &self.further
    }

    /// The equivalent arguments of this program.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let folders = self.include.iter().flat_map(|folder| ["-I".into(), folder.into()]);
        let system = self.isystem.iter().flat_map(|folder| ["--isystem".into(), folder.into()]);
        let defined = self.define.iter().flat_map(|name| ["-D".into(), name.into()]);
        let undefined = self.undefine.iter().flat_map(|name| ["-U".into(), name.into()]);
        let before = self.before.iter().flat_map(|file| ["--include".into(), file.into()]);
        let version = self.version.iter().flat_map(|version| ["--std".into(), version.into()]);
        let further = self.further.iter().map(|word| format!("{FOR_PREPROCESSOR}{word}").into());
        let defined = defined.chain(undefined);
        folders.chain(system).chain(defined).chain(before).chain(version).chain(further).collect()
    }
}

/// How numbers are encoded
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Numbers {
    /// Mathematical integers
    Int,
    /// Bit-vectors
    Bv,
    /// Integers with explicit wrap-around
    Mod,
    /// The same, and overflow is an error
    ModOverflow,
}

impl Numbers {
    fn word(self) -> &'static str {
        match self {
            Numbers::Int => "int",
            Numbers::Bv => "bv",
            Numbers::Mod => "mod",
            Numbers::ModOverflow => "mod-overflow",
        }
    }
}

/// Which code may run when a contract type is called
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CalleesArg {
    /// Any code, which may call back
    Sound,
    /// The code of that contract, the convention of solc-verify; verdicts list it as an assumption
    SolcVerify,
}

/// What functions without a body may do
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Externals {
    /// Change every object that they can name or were given a pointer to, and call back
    Sound,
    /// The same, but they use no global variables by name
    Arguments,
    /// As `arguments`, but they free nothing and write only inside the objects that they were given
    Careful,
    /// Return anything and change nothing, the convention of the competition on software verification
    Svcomp,
}

impl Externals {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Externals::Sound => "sound",
            Externals::Arguments => "arguments",
            Externals::Careful => "careful",
            Externals::Svcomp => "svcomp",
        }
    }
}

/// The sizes of `long` and pointers
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DataModel {
    /// 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// 64 bits
    #[value(name = "LP64")]
    Lp64,
}
