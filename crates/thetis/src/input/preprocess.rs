//! The preprocessor: `cc -E`, for C programs with directives.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use thetis_base::{FileId, SourceMap};
use thetis_c::LineMarkers;
use thetis_c::hir::DataModel;

use crate::failure::Failure;

/// The preprocessor. Every system with a C compiler has it under this name.
const COMPILER: &str = "cc";

/// Folders whose files are not shown to people.
const SYSTEM: [&str; 2] = ["/usr/", "<"];

/// Whether a preprocessor has to treat a text: it has directives, names that compilers define, or lines that go on in the next
/// one. A text with line markers has been treated.
pub(super) fn needs_preprocessor(text: &str) -> bool {
    has_directives(text) || (!has_markers(text) && (has_splices(text) || has_predefined_names(text)))
}

fn has_markers(text: &str) -> bool {
    text.lines().any(|line| marked_file(line).is_some())
}

fn has_splices(text: &str) -> bool {
    text.contains("\\\n") || text.contains("\\\r\n")
}

/// Whether a name occurs that compilers define as a macro: `__LINE__`, `__INT_MAX__`, `__x86_64__`, `_Pragma` and the like.
fn has_predefined_names(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_predefined)
}

fn is_predefined(name: &str) -> bool {
    const OTHERS: [&str; 14] = [
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

/// Whether a text has directives that a preprocessor has to treat. Line markers and pragmas are not among them.
fn has_directives(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|directive| {
        let word = directive.trim_start();
        let is_word = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        is_word && !["pragma", "ident", "line"].iter().any(|other| word.starts_with(other))
    })
}

/// The text of a program after preprocessing. For ILP32 the compiler is asked with `-m32`, so that its macros and the headers
/// of the system know the sizes of types.
pub(super) fn preprocess(path: &Path, data_model: DataModel) -> Result<String, Failure> {
    match data_model {
        DataModel::Lp64 => run(path, &[])?.map_err(Failure::input),
        DataModel::Ilp32 => match run(path, &[OsStr::new("-m32")])? {
            Ok(text) => Ok(text),
            Err(_) => preprocess_with_headers_for_64_bits(path),
        },
    }
}

/// Preprocessing for ILP32 on a system without headers for it. Those of glibc for 64 bits know both; only a list of
/// functions that glibc does not implement is missing, and an empty one does.
fn preprocess_with_headers_for_64_bits(path: &Path) -> Result<String, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::internal)?;
    let stubs = folder.path().join("gnu");
    std::fs::create_dir(&stubs)
        .and_then(|()| std::fs::write(stubs.join("stubs-32.h"), ""))
        .map_err(Failure::internal)?;
    let multiarch = Command::new(COMPILER).arg("-print-multiarch").output().map_err(Failure::internal)?;
    let headers = Path::new("/usr/include").join(String::from_utf8_lossy(&multiarch.stdout).trim());
    let behind = OsStr::new("-idirafter");
    let options = [OsStr::new("-m32"), behind, headers.as_os_str(), behind, folder.path().as_os_str()];
    run(path, &options)?.map_err(Failure::input)
}

/// The output of the preprocessor, or its messages.
fn run(path: &Path, options: &[&OsStr]) -> Result<Result<String, String>, Failure> {
    let output = Command::new(COMPILER).args(options).arg("-E").arg(path).output().map_err(|error| {
        Failure::input(format!(
            "{}: the program has preprocessor directives, and `{COMPILER}` cannot be started ({error}); \
             give a preprocessed file (.i) instead",
            path.display()
        ))
    })?;
    if output.status.success() {
        return Ok(Ok(String::from_utf8_lossy(&output.stdout).into_owned()));
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Err(format!("{}: the preprocessor refuses the program:\n{}", path.display(), messages.trim_end())))
}

/// How to get from the preprocessed `text` back to the file at `path`, which is `main`, and to the files that it
/// includes, unless they belong to the system.
pub(super) fn line_markers(text: &str, path: &Path, main: FileId, sources: &mut SourceMap) -> LineMarkers {
    let mut originals = BTreeMap::from([(path.display().to_string(), main)]);
    let names: BTreeSet<&str> = text.lines().filter_map(marked_file).collect();
    for name in names {
        let is_system = SYSTEM.iter().any(|prefix| name.starts_with(prefix));
        if is_system || originals.contains_key(name) {
            continue;
        }
        // A file that cannot be read any more is shown in its preprocessed form.
        if let Ok(included) = std::fs::read_to_string(name) {
            originals.insert(name.to_owned(), sources.add(name, included));
        }
    }
    LineMarkers::Follow(originals)
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
    fn markers_name_files() {
        assert_eq!(marked_file("# 12 \"a b.c\" 2 3"), Some("a b.c"));
        assert_eq!(marked_file("int x; // # 1 \"a\""), None);
    }
}
