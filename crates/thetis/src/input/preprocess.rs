//! The preprocessor: `cc -E`, for C programs with directives.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;
use thetis_base::{FileId, Run, SourceMap, printable};
use thetis_c::LineMarkers;
use thetis_c::hir::Machine;
use thetis_report::fingerprint;

use super::compiler::{COMPILER, Program, compile, compile_with};
use super::includes::{Belonging, files_of_rule};
use super::machines;
use super::prepared;
use super::standard::name_of;
use super::text::{open, read_text, shown};
use crate::failure::Failure;

/// Whether a text must be preprocessed: it has directives, names that compilers define, or continued lines. A text with
/// line markers was preprocessed already.
pub(super) fn needs_preprocessor(text: &str) -> bool {
    has_directives(text) || (!has_markers(text) && (has_splices(text) || has_predefined_names(text)))
}

fn has_markers(text: &str) -> bool {
    text.lines().any(|line| marked_file(line).is_some())
}

fn has_splices(text: &str) -> bool {
    // Compilers also join lines if blanks follow the backslash.
    text.lines().any(|line| line.trim_end().ends_with('\\'))
}

/// Whether a name occurs that compilers define as a macro: `__LINE__`, `__INT_MAX__`, `__x86_64__`, `_Pragma` and the like.
fn has_predefined_names(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_predefined)
}

fn is_predefined(name: &str) -> bool {
    const OTHERS: [&str; 18] = [
        "__arm__",
        "__arm",
        "__riscv",
        "__riscv_xlen",
        "_Pragma",
        "linux",
        "unix",
        "__linux",
        "__unix",
        "__x86_64",
        "__amd64",
        "__i386",
        "__k8",
        "_LP64",
        "__linux__",
        "__unix__",
        "__gnu_linux__",
        "__amd64__",
    ];
    const KNOWN: [&str; 6] = ["FUNCTION", "PRETTY_FUNCTION", "QI", "HI", "SI", "DI"];
    let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    let is_macro = |inner: &str| {
        let has_sign = inner.contains(|letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit());
        has_sign && !KNOWN.contains(&inner)
    };
    OTHERS.contains(&name) || inner.is_some_and(is_macro)
}

/// Whether a text has directives for the preprocessor, other than line markers and pragmas.
fn has_directives(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|directive| {
        let word = directive.trim_start();
        let is_word = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        is_word && !["pragma", "ident", "line"].iter().any(|other| word.starts_with(other))
    })
}

/// What compilers call their standard input in line markers and messages.
const STANDARD_INPUT: &str = "<stdin>";

/// A program after preprocessing.
pub(super) struct Preprocessed {
    pub(super) text: String,
    belonging: Belonging,
}

/// Preprocesses the program at `path`, whose text is `own`, for a machine, so that the macros of the compiler and the headers of the
/// system know the sizes of types. Another process of the command may have done that before.
pub(super) fn preprocess(
    path: &Path,
    own: &str,
    machine: Machine,
    options: &[OsString],
    run: &Run,
) -> Result<Preprocessed, Failure> {
    let absolute = std::path::absolute(path).map_err(Failure::internal)?;
    let belonging = Belonging::to(&absolute);
    let key = fingerprint(format!("{path:?} {absolute:?} {machine:?} {options:?}\n{own}").as_bytes());
    if let Some((dependencies, text)) = prepared::find(&key) {
        belonging.check(&dependencies, &shown(path), run)?;
        return Ok(Preprocessed { text, belonging });
    }
    let folder = tempfile::tempdir().map_err(Failure::internal)?;
    let preprocessor = Preprocessor { program: path, options, belonging, folder };
    let text = match (machine, machines::cross_compiler(machine)) {
        (Machine::X86_64, _) => preprocessor.text(COMPILER, &[], run)?.map_err(Failure::input)?,
        (Machine::I386, _) => match preprocessor.text(COMPILER, &["-m32".into()], run)? {
            Ok(text) => text,
            Err(_) => preprocessor.with_headers_for_64_bits(run)?,
        },
        (_, Some(compiler)) => match preprocessor.text(compiler, &[], run)? {
            Ok(text) => text,
            // It may be installed without headers.
            Err(_) => preprocessor.for_machine(machine, run)?,
        },
        (_, None) => preprocessor.for_machine(machine, run)?,
    };
    prepared::keep(&key, &preprocessor.dependencies()?, &text);
    Ok(Preprocessed { text, belonging: preprocessor.belonging })
}

/// What is needed to preprocess one program.
struct Preprocessor<'a> {
    program: &'a Path,
    /// The user's options for the preprocessor.
    options: &'a [OsString],
    belonging: Belonging,
    /// A folder for the list of dependencies and a header.
    folder: TempDir,
}

impl Preprocessor<'_> {
    /// The output of the preprocessor, or its messages. The program is passed as standard input, because the compiler
    /// would pass a file name that starts with `@` on to its components as a file of options.
    fn text(
        &self,
        compiler: &str,
        options: &[OsString],
        run: &Run,
    ) -> Result<Result<String, String>, Failure> {
        let rule = self.rule();
        let mut arguments = [options, self.options].concat();
        arguments.extend(["-E", "-x", "c", "-MD", "-MT", "program", "-MF"].map(OsString::from));
        arguments.push(rule.into());
        arguments.extend(self.own_name().map(OsString::from));
        arguments.push("-".into());
        let file = open(self.program).map_err(Failure::input)?;
        let program = Program { file, folder: self.belonging.folder() };
        let output = compile_with(compiler, arguments, Some(program), run)?;
        let name = shown(self.program);
        if !output.is_success {
            let messages = self.messages(&output.messages);
            return Ok(Err(format!("{name}: the preprocessor rejects the program{messages}")));
        }
        self.belonging.check(&self.dependencies()?, &name, run)?;
        Ok(Ok(output.text))
    }

    /// Options that make `__FILE__` and `__BASE_FILE__` the name of the program. A name that would need quoting is not
    /// set.
    fn own_name(&self) -> impl Iterator<Item = String> {
        let name = self.program.to_str().filter(|name| !name.contains(['"', '\\', '=', '\n', '\r']));
        let options = name.map(|name| {
            [
                format!("-fmacro-prefix-map={STANDARD_INPUT}={name}"),
                "-Wno-builtin-macro-redefined".to_owned(),
                format!("-D__BASE_FILE__=\"{name}\""),
            ]
        });
        options.into_iter().flatten()
    }

    /// Where the compiler writes which files the program depends on.
    fn rule(&self) -> PathBuf {
        self.folder.path().join("dependencies")
    }

    /// The files that the program depends on, without generated headers, which no longer exist when another process
    /// needs the list.
    fn dependencies(&self) -> Result<Vec<String>, Failure> {
        let rule = std::fs::read(self.rule()).map_err(Failure::internal)?;
        let mut files = files_of_rule(&String::from_utf8_lossy(&rule));
        files.retain(|file| !Path::new(file).starts_with(self.folder.path()));
        Ok(files)
    }

    /// Preprocessing for ILP32 on a system without headers for it. The 64-bit headers of glibc support both; only the
    /// list of functions that glibc does not implement is missing, and an empty list suffices.
    fn with_headers_for_64_bits(&self, run: &Run) -> Result<String, Failure> {
        let headers = self.folder.path().join("headers");
        let stubs = headers.join("gnu");
        std::fs::create_dir_all(&stubs)
            .and_then(|()| std::fs::write(stubs.join("stubs-32.h"), ""))
            .map_err(Failure::internal)?;
        let multiarch = compile(vec!["-print-multiarch".into()], None, run)?.text;
        let system = Path::new("/usr/include").join(multiarch.trim());
        let after = OsString::from("-idirafter");
        self.text(COMPILER, &["-m32".into(), after.clone(), system.into(), after, headers.into()], run)?
            .map_err(Failure::input)
    }

    /// Preprocessing for another machine with the compiler and the headers of this one.
    fn for_machine(&self, machine: Machine, run: &Run) -> Result<String, Failure> {
        let mut options =
            machines::options(machine, &self.folder.path().join("headers")).map_err(Failure::internal)?;
        let multiarch = compile(vec!["-print-multiarch".into()], None, run)?.text;
        options.extend(["-idirafter".into(), Path::new("/usr/include").join(multiarch.trim()).into()]);
        self.text(COMPILER, &options, run)?.map_err(Failure::input)
    }

    /// The messages that are about files of the program. Quoted lines, and messages about other files, are left out:
    /// they could disclose files that do not belong to the program.
    fn messages(&self, all: &str) -> String {
        let mut kept = String::new();
        for line in all.lines().filter(|line| self.is_own(line)) {
            let line = match line.strip_prefix(STANDARD_INPUT) {
                Some(rest) => format!("{}{rest}", name_of(self.program)),
                None => line.to_owned(),
            };
            kept.push_str("\n  ");
            kept.push_str(&printable(&line));
        }
        if kept.lines().any(is_missing_header) {
            kept.push_str("\nhint: name the folder of the header with `-I DIR`, or use `--project` if there is a `compile_commands.json`");
        }
        if kept.is_empty() { String::new() } else { format!(":{kept}") }
    }

    fn is_own(&self, line: &str) -> bool {
        let is_number = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        let colon = line.match_indices(':').find(|(at, _)| is_number(&line[at + 1..]));
        match colon.map(|(at, _)| &line[..at]) {
            Some(file) => file == STANDARD_INPUT || self.belonging.find(file).is_some(),
            None => ["cc: ", "cc1: ", "gcc: ", "clang: "].iter().any(|tool| line.starts_with(tool)),
        }
    }
}

impl Preprocessed {
    /// Maps the text back to the program, which is `main`, and to the files that belong to it. `known` has the files
    /// that are in `sources` already.
    pub(super) fn line_markers(
        &self,
        main: FileId,
        known: &mut BTreeMap<PathBuf, FileId>,
        sources: &mut SourceMap,
    ) -> LineMarkers {
        let mut originals = BTreeMap::from([(STANDARD_INPUT.to_owned(), main)]);
        let names: BTreeSet<&str> = self.text.lines().filter_map(marked_file).collect();
        for name in names {
            if originals.contains_key(name) {
                continue;
            }
            let Some(file) = self.belonging.find(name) else { continue };
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if let Some(file) = known.get(&real) {
                originals.insert(name.to_owned(), *file);
            } else if let Ok(included) = read_text(&file) {
                let has_detour = file.components().any(|part| part == Component::ParentDir);
                let shown = from_here(if has_detour { &real } else { &file });
                let file = sources.add(shown.display().to_string(), included);
                known.insert(real, file);
                originals.insert(name.to_owned(), file);
            }
            // A file that can no longer be read is shown in its preprocessed form.
        }
        LineMarkers::Follow(originals)
    }
}

/// Whether a compiler says that it has not found a header.
fn is_missing_header(message: &str) -> bool {
    let file = message.split_once(": fatal error: ").map(|(_, rest)| rest);
    file.is_some_and(|rest| {
        rest.ends_with(": No such file or directory") || rest.ends_with("' file not found")
    })
}

/// A path as seen from the working directory, if it is below.
fn from_here(path: &Path) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(current).unwrap_or(path).to_path_buf()
}

/// The file that a line marker names.
fn marked_file(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("# ")?.split_once('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directives_need_a_preprocessor() {
        for text in ["#include <x.h>\n", "int x;\n  # define A 1\n", "#if 0\n#endif"] {
            assert!(has_directives(text), "{text}");
        }
        for text in
            ["int x = __INT_MAX__;", "f(__LINE__);", "_Pragma(\"once\")", "// a \\\n b", "// a \\\r\n b"]
        {
            assert!(needs_preprocessor(text), "{text}");
        }
        for text in
            ["char *s = __FUNCTION__;", "int x __attribute__((__mode__(__QI__)));", "# 1 \"a.c\"\nint __X__;"]
        {
            assert!(!needs_preprocessor(text), "{text}");
        }
        for text in ["int x;", "# 1 \"a.c\"\n#pragma once\n#ident \"x\"\n#line 3\n", "char *s = \"#if\";"] {
            assert!(!has_directives(text), "{text}");
        }
    }

    #[test]
    fn missing_headers_are_noticed() {
        assert!(is_missing_header("  a.c:1:10: fatal error: b.h: No such file or directory"));
        assert!(is_missing_header("a.c:1:10: fatal error: 'b.h' file not found"));
        assert!(!is_missing_header("a.c:1:2: error: #error No such file or directory"));
    }

    #[test]
    fn markers_name_files() {
        assert_eq!(marked_file("# 12 \"a b.c\" 2 3"), Some("a b.c"));
        assert_eq!(marked_file("int x; // # 1 \"a\""), None);
    }
}
