//! The translation units of a C program: the files of the command line, or those of a compilation database.
//!
//! Build tools write a compilation database (`compile_commands.json`): the command that compiles each file. The
//! commands are read and never executed. Preprocessor options are used for the file, options that would change the
//! meaning of the program in unsupported ways are rejected, and all others (warnings, optimisation, output) are
//! ignored.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thetis_base::printable;
use thetis_c::hir::Machine;

use super::compiler::reject_files_of_options;
use super::standard::is_held;
use super::text::{read_text, shown};
use crate::args::{QuestionArgs, is_version_of_c};
use crate::failure::Failure;

/// The usual name of a compilation database.
const DATABASE: &str = "compile_commands.json";

/// Unsupported options that change the meaning of programs, by their prefixes.
const REFUSED: [&str; 24] = [
    "-mbig-endian",
    "-mabi=ilp32",
    "-EB",
    "-funsigned-char",
    "-fno-signed-char",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-ffast-math",
    "-Ofast",
    "-funsafe-math-optimizations",
    "-ffinite-math-only",
    "-fsingle-precision-constant",
    "-Wp,-D",
    "-Wp,-U",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-mlong-double",
    "-m16",
    "-mx32",
    "--target",
    "-target",
    "-imacros",
    "@",
];

/// Options of compilers for other machines, by their prefixes.
const OF_OTHER_MACHINES: [&str; 3] = ["-mcpu=", "-mthumb", "-mfloat-abi="];

/// Machines of cross compilers, by the prefixes of compiler names.
const MACHINES: [(&str, Machine); 8] = [
    ("arm-none-", Machine::ArmNoneEabi),
    ("arm-", Machine::Arm),
    ("aarch64-", Machine::Aarch64),
    ("riscv32-", Machine::Riscv32),
    ("riscv64-", Machine::Riscv64),
    ("x86_64-", Machine::X86_64),
    ("i686-", Machine::I386),
    ("i386-", Machine::I386),
];

/// Machines that are not supported.
const OTHER_MACHINES: [&str; 10] =
    ["armeb", "aarch64_be", "avr", "msp430", "xtensa", "mips", "powerpc", "sparc", "m68k", "sh"];

/// Options of the preprocessor with a value, which may follow as a word of its own, and whether the value is a path.
const PREPROCESSOR: [(&str, Value); 8] = [
    ("-isystem", Value::Path),
    ("-iquote", Value::Path),
    ("-idirafter", Value::Path),
    ("-include", Value::File),
    ("-isysroot", Value::Path),
    ("-I", Value::Path),
    ("-D", Value::Text),
    ("-U", Value::Text),
];

/// Other options with a value that is a word of its own.
const WITH_WORD: [&str; 8] = ["-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-Xassembler", "-arch"];

/// What the value of an option is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// A folder, which starts in the folder of the command.
    Path,
    /// A file, which starts there if it is there.
    File,
    /// Anything.
    Text,
}

/// A translation unit with the options of the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    pub(crate) options: Vec<OsString>,
    /// The target machine, if the command names one.
    machine: Option<Machine>,
}

impl Unit {
    /// A file with options of the preprocessor.
    pub(crate) fn new(path: PathBuf, options: Vec<OsString>) -> Unit {
        Unit { path, options, machine: None }
    }
}

/// One command of a database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The files of a question, at least one. For models other than C programs the options are ignored.
pub(crate) fn units(question: &QuestionArgs) -> Result<Vec<Unit>, Failure> {
    let mut options = question.preprocessor.options().map_err(Failure::internal)?;
    options.extend(further(question.preprocessor.further())?);
    let Some(project) = &question.project else {
        return question.files.iter().map(|file| unit_of_file(file, &options)).collect();
    };
    let database = if project.is_dir() { project.join(DATABASE) } else { project.clone() };
    let mut units = of_database(&read_text(&database)?, &database)?;
    if !question.files.is_empty() {
        units = selected(&units, &question.files, &database)?;
    }
    for unit in &mut units {
        unit.options.extend(options.iter().cloned());
        // The compiler may also get them to confirm a violation of a program that needs no preprocessor.
        reject_files_of_options(&unit.options)?;
    }
    Ok(units)
}

/// The preprocessor options on the command line.
fn further(words: &[String]) -> Result<Vec<OsString>, Failure> {
    let base = std::env::current_dir().map_err(Failure::internal)?;
    let unit =
        unit_of(PathBuf::new(), &[&["cc".to_owned()], words].concat(), &base).map_err(Failure::usage)?;
    match unit.machine {
        None => Ok(unit.options),
        Some(_) => Err(Failure::usage("the machine is chosen before `--`, with `--machine` or `-m32`")),
    }
}

/// A file of the command line. Includes of standard input are resolved relative to the working directory.
fn unit_of_file(file: &Path, options: &[OsString]) -> Result<Unit, Failure> {
    let mut unit = Unit::new(file.to_path_buf(), options.to_vec());
    let extension = file.extension().and_then(|extension| extension.to_str());
    if is_held(file) && extension == Some("c") {
        unit.options.extend(["-iquote".into(), std::env::current_dir().map_err(Failure::internal)?.into()]);
    }
    Ok(unit)
}

/// The machine that all units are compiled for, if their commands name it.
pub(super) fn common_machine(units: &[Unit]) -> Result<Option<Machine>, Failure> {
    let first = units[0].machine;
    match units.iter().find(|unit| unit.machine != first) {
        Some(unit) => {
            let (one, other) = (shown(&units[0].path), shown(&unit.path));
            Err(Failure::input(format!("{one} and {other} are compiled for different machines")))
        }
        None => Ok(first),
    }
}

fn selected(units: &[Unit], files: &[PathBuf], database: &Path) -> Result<Vec<Unit>, Failure> {
    let find = |file: &PathBuf| {
        let real = file.canonicalize().ok();
        units.iter().find(|unit| unit.path.canonicalize().ok() == real).cloned().ok_or_else(|| {
            Failure::input(format!("{}: there is no command for {}", shown(database), shown(file)))
        })
    };
    files.iter().map(find).collect()
}

/// The C files of a database. A file with several commands is taken once, with the first.
fn of_database(text: &str, database: &Path) -> Result<Vec<Unit>, Failure> {
    let reject =
        |what: &str| Failure::input(printable(&format!("{}: {what}", database.display())).into_owned());
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| reject(&error.to_string()))?;
    let folder = database.parent().unwrap_or(Path::new(""));
    let (mut units, mut seen) = (Vec::new(), HashSet::new());
    for entry in &entries {
        let path = from_here(&folder.join(&entry.directory).join(&entry.file));
        let is_c = path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if !is_c || !seen.insert(path.clone()) {
            continue;
        }
        let words = match (&entry.arguments, &entry.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => words(command),
            (None, None) => return Err(reject(&format!("there is no command for {}", path.display()))),
        };
        let base = std::path::absolute(folder.join(&entry.directory)).map_err(Failure::internal)?;
        let unit = unit_of(path, &words, &base);
        units.push(unit.map_err(|what| reject(&format!("{}: {what}", entry.file.display())))?);
    }
    if units.is_empty() { Err(reject("there is no C file")) } else { Ok(units) }
}

/// A normalised path, relative to the working directory if it is below.
fn from_here(path: &Path) -> PathBuf {
    let Ok(real) = path.canonicalize() else { return path.to_path_buf() };
    let current = std::env::current_dir().and_then(|folder| folder.canonicalize()).unwrap_or_default();
    real.strip_prefix(current).map(Path::to_path_buf).unwrap_or(real)
}

/// A unit with the options of a command, whose first word is the compiler.
fn unit_of(path: PathBuf, words: &[String], base: &Path) -> Result<Unit, String> {
    let mut unit = Unit::new(path, Vec::new());
    let compiler = words.first().and_then(|word| Path::new(word).file_name()?.to_str()).unwrap_or_default();
    if compiler.contains('-') && OTHER_MACHINES.iter().any(|machine| compiler.starts_with(machine)) {
        return Err(format!("`{compiler}` compiles for another machine, which is not supported"));
    }
    let named = MACHINES.iter().find(|(prefix, _)| compiler.starts_with(prefix));
    unit.machine = named.map(|(_, machine)| *machine);
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if let Some(machine) = unit.machine.and_then(|machine| variant(machine, word)) {
            unit.machine = Some(machine);
            continue;
        }
        if let Some(option) = REFUSED.iter().find(|option| word.starts_with(**option)) {
            return Err(format!("the option `{option}` changes what programs mean, which is not supported"));
        }
        if unit.machine.is_none() && OF_OTHER_MACHINES.iter().any(|option| word.starts_with(option)) {
            return Err(format!("the option `{word}` is for another machine: `--machine` chooses one"));
        }
        if let Some((option, kind)) = PREPROCESSOR.iter().find(|(option, _)| word.starts_with(option)) {
            let rest = &word[option.len()..];
            let value = if rest.is_empty() { words.next().map(String::as_str) } else { Some(rest) };
            let value = value.ok_or_else(|| format!("the option `{option}` has no value"))?;
            unit.options.extend([(*option).into(), located(value, *kind, base)]);
        } else if let Some(version) = word.strip_prefix("-std=") {
            if !is_version_of_c(version) {
                return Err(format!("`{version}` is no version of C"));
            }
            unit.options.push(word.into());
        } else if word == "-ansi" || word == "-trigraphs" {
            unit.options.push(word.into());
        } else if word == "-m32" || word == "-m64" {
            unit.machine = Some(if word == "-m32" { Machine::I386 } else { Machine::X86_64 });
        } else if WITH_WORD.contains(&word.as_str()) {
            words.next();
        }
    }
    Ok(unit)
}

/// The machine after an option has modified it.
fn variant(machine: Machine, option: &str) -> Option<Machine> {
    match (machine, option) {
        (Machine::ArmNoneEabi, "-fno-short-enums") => Some(Machine::Arm),
        (Machine::Arm | Machine::ArmNoneEabi, "-fshort-enums") => Some(Machine::ArmNoneEabi),
        (Machine::Riscv64, _) if option.starts_with("-march=rv32") || option.starts_with("-mabi=ilp32") => {
            Some(Machine::Riscv32)
        }
        (Machine::Riscv32, _) if option.starts_with("-mabi=ilp32") => Some(Machine::Riscv32),
        _ => None,
    }
}

fn located(value: &str, kind: Value, base: &Path) -> OsString {
    let there = base.join(value);
    match kind {
        Value::Text => value.into(),
        Value::File if !there.exists() => value.into(),
        Value::Path | Value::File => there.into(),
    }
}

/// The words of a command, as a shell would separate them: quotes and backslashes only.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut letters = command.chars();
    let mut quote = None;
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_shells_do() {
        for (command, expected) in [
            ("cc -c a.c", vec!["cc", "-c", "a.c"]),
            ("cc '-DX=\"a b\"'  -I\\ x", vec!["cc", "-DX=\"a b\"", "-I x"]),
            ("cc \"-DY=\\\"q\\\"\" ''", vec!["cc", "-DY=\"q\"", ""]),
        ] {
            assert_eq!(words(command), expected, "{command}");
        }
    }

    #[test]
    fn options_of_the_preprocessor_are_taken() {
        let unit = |command: &str| unit_of("a.c".into(), &words(command), Path::new("/base"));
        let options = |command: &str| -> Vec<String> {
            let options = unit(command).unwrap().options;
            options.into_iter().map(|option| option.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(
            options("cc -Iinc -I /abs -D X=1 -UY -O2 -Wall -std=c99 -MF a.d -o a.o -c a.c"),
            ["-I", "/base/inc", "-I", "/abs", "-D", "X=1", "-U", "Y", "-std=c99"]
        );
        assert_eq!(options("cc -ansi -trigraphs a.c"), ["-ansi", "-trigraphs"]);
        assert_eq!(
            options("cc -isystem sys -include none.h"),
            ["-isystem", "/base/sys", "-include", "none.h"]
        );
        for (command, machine) in [
            ("cc -m32", Some(Machine::I386)),
            ("/opt/bin/arm-linux-gnueabihf-gcc -c a.c", Some(Machine::Arm)),
            ("arm-none-eabi-gcc -mcpu=cortex-m4 a.c", Some(Machine::ArmNoneEabi)),
            ("arm-none-eabi-gcc -fno-short-enums a.c", Some(Machine::Arm)),
            ("arm-linux-gnueabi-gcc -fshort-enums a.c", Some(Machine::ArmNoneEabi)),
            ("riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 a.c", Some(Machine::Riscv32)),
            ("riscv32-unknown-elf-gcc a.c", Some(Machine::Riscv32)),
            ("riscv64-unknown-elf-gcc a.c", Some(Machine::Riscv64)),
            ("cc a.c", None),
        ] {
            assert_eq!(unit(command).unwrap().machine, machine, "{command}");
        }
        for refused in [
            "cc -funsigned-char",
            "cc @options",
            "cc -std=`id`",
            "cc -D",
            "aarch64-linux-gnu-gcc -mabi=ilp32 a.c",
            "cc -fshort-enums a.c",
            "cc -fno-signed-char a.c",
            "cc -Ofast a.c",
            "cc -Wp,-DX=1 a.c",
            "cc -mcpu=cortex-m4 -mthumb a.c",
            "avr-gcc a.c",
        ] {
            assert!(unit(refused).is_err(), "{refused}");
        }
    }
}
