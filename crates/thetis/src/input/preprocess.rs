//! The preprocessor: `cc -E`, for C programs with directives.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use thetis_base::{FileId, Run, SourceMap, printable};
use thetis_c::LineMarkers;
use thetis_c::hir::DataModel;

use super::compiler::compile;
use super::includes::Belonging;
use super::text::{read_text, shown};
use crate::failure::Failure;

/// Whether a text has directives that a preprocessor has to treat. Line markers and pragmas are not among them.
pub(super) fn has_directives(text: &str) -> bool {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|directive| {
        let word = directive.trim_start();
        let is_word = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        is_word && !["pragma", "ident", "line"].iter().any(|other| word.starts_with(other))
    })
}

/// A program after preprocessing.
pub(super) struct Preprocessed {
    pub(super) text: String,
    /// The name of the program in line markers.
    program: PathBuf,
    belonging: Belonging,
}

/// Preprocesses the program at `path`. For ILP32 the compiler is asked with `-m32`, so that its macros and the headers
/// of the system know the sizes of types.
pub(super) fn preprocess(path: &Path, data_model: DataModel, run: &Run) -> Result<Preprocessed, Failure> {
    // An absolute path cannot be taken for an option or a file of options.
    let program = std::path::absolute(path).map_err(Failure::internal)?;
    let preprocessor = Preprocessor {
        belonging: Belonging::to(&program),
        program,
        shown: shown(path),
        folder: tempfile::tempdir().map_err(Failure::internal)?,
    };
    let text = match data_model {
        DataModel::Lp64 => preprocessor.text(&[], run)?.map_err(Failure::input)?,
        DataModel::Ilp32 => match preprocessor.text(&["-m32".into()], run)? {
            Ok(text) => text,
            Err(_) => preprocessor.with_headers_for_64_bits(run)?,
        },
    };
    Ok(Preprocessed { text, program: preprocessor.program, belonging: preprocessor.belonging })
}

/// What is needed to preprocess one program.
struct Preprocessor {
    program: PathBuf,
    /// The name of the program in messages.
    shown: String,
    belonging: Belonging,
    /// A place for the list of dependencies and a header.
    folder: TempDir,
}

impl Preprocessor {
    /// The output of the preprocessor, or its messages.
    fn text(&self, options: &[OsString], run: &Run) -> Result<Result<String, String>, Failure> {
        let rule = self.folder.path().join("dependencies");
        let mut arguments = options.to_vec();
        arguments.extend(["-E", "-MD", "-MT", "program", "-MF"].map(OsString::from));
        arguments.extend([rule.clone().into(), self.program.clone().into()]);
        let output = compile(arguments, run)?;
        if !output.is_success {
            let messages = self.messages(&output.messages);
            return Ok(Err(format!("{}: the preprocessor rejects the program{messages}", self.shown)));
        }
        let dependencies = std::fs::read(&rule).map_err(Failure::internal)?;
        self.belonging.check(&String::from_utf8_lossy(&dependencies), &self.program, run)?;
        Ok(Ok(output.text))
    }

    /// Preprocessing for ILP32 on a system without headers for it. Those of glibc for 64 bits know both; only a list of
    /// functions that glibc does not implement is missing, and an empty one does.
    fn with_headers_for_64_bits(&self, run: &Run) -> Result<String, Failure> {
        let headers = self.folder.path().join("headers");
        let stubs = headers.join("gnu");
        std::fs::create_dir_all(&stubs)
            .and_then(|()| std::fs::write(stubs.join("stubs-32.h"), ""))
            .map_err(Failure::internal)?;
        let multiarch = compile(vec!["-print-multiarch".into()], run)?.text;
        let system = Path::new("/usr/include").join(multiarch.trim());
        let after = OsString::from("-idirafter");
        self.text(&["-m32".into(), after.clone(), system.into(), after, headers.into()], run)?
            .map_err(Failure::input)
    }

    /// The messages that are about files of the program. Lines of text, and messages about other files, are left out:
    /// they could show what the program has no business with.
    fn messages(&self, all: &str) -> String {
        let mut kept = String::new();
        for line in all.lines().filter(|line| self.is_own(line)) {
            kept.push_str("\n  ");
            kept.push_str(&printable(line));
        }
        if kept.is_empty() { String::new() } else { format!(":{kept}") }
    }

    fn is_own(&self, line: &str) -> bool {
        let is_number = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        let file =
            line.match_indices(':').find(|(at, _)| is_number(&line[at + 1..])).map(|(at, _)| &line[..at]);
        match file {
            Some(file) => Path::new(file) == self.program || self.belonging.contains(Path::new(file)),
            None => ["cc: ", "cc1: ", "gcc: ", "clang: "].iter().any(|tool| line.starts_with(tool)),
        }
    }
}

impl Preprocessed {
    /// How to get from the text back to the program, which is `main`, and to the files that belong to it.
    pub(super) fn line_markers(&self, main: FileId, sources: &mut SourceMap) -> LineMarkers {
        let mut originals = BTreeMap::from([(marker_name(&self.program), main)]);
        let names: BTreeSet<&str> = self.text.lines().filter_map(marked_file).collect();
        for name in names {
            if originals.contains_key(name) || !self.belonging.contains(Path::new(name)) {
                continue;
            }
            // A file that cannot be read any more is shown in its preprocessed form.
            if let Ok(included) = read_text(Path::new(name)) {
                originals.insert(name.to_owned(), sources.add(name, included));
            }
        }
        LineMarkers::Follow(originals)
    }
}

/// How a path is written between the quotes of a line marker.
fn marker_name(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
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
