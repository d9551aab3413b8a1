//! Which files belong to a C program, so that their text may be read and shown.
//!
//! An untrusted program could include any file that the user can read, and diagnostics would show its text. So a
//! program may include system headers, files with the usual names of C files (`x.h`, `x.c`, …), and any file in or
//! below its own folder, or the working directory if it contains the program, after following symbolic links. A program
//! that includes anything else, such as a password file, is rejected. The includes are taken from the compiler's list
//! of dependencies, because a program can write line markers itself.

use std::path::{Path, PathBuf};

use thetis_base::Run;

use super::compiler::compile;
use super::text::shown;
use crate::failure::Failure;
use crate::protect;

/// Where distributions keep headers.
const SYSTEM: &str = "/usr";

/// The usual extensions of C files.
const EXTENSIONS: [&str; 6] = ["c", "h", "i", "inc", "def", "tab"];

/// What compilers call the standard input.
const STANDARD_INPUT: [&str; 2] = ["<stdin>", "-"];

/// The folders whose files belong to a program.
pub(super) struct Belonging {
    /// The folder of the program. Relative names start there.
    folder: PathBuf,
    roots: Vec<PathBuf>,
}

impl Belonging {
    /// The files that belong to the program at the absolute path `program`.
    pub(super) fn to(program: &Path) -> Belonging {
        let own = program.parent().unwrap_or(Path::new("/")).to_path_buf();
        let folder = own.canonicalize().ok();
        let current = std::env::current_dir().ok().and_then(|folder| folder.canonicalize().ok());
        let is_around = |current: &PathBuf| {
            folder.as_ref().is_some_and(|folder| folder.starts_with(current)) && current.parent().is_some()
        };
        let current = current.filter(is_around);
        Belonging { folder: own, roots: folder.into_iter().chain(current).collect() }
    }

    /// The folder of the program.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that the compiler calls `name`, if it exists and belongs to the program.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let file = self.folder.join(name);
        let real = file.canonicalize().ok()?;
        let is_c =
            real.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known));
        (is_c || self.roots.iter().any(|root| real.starts_with(root))).then_some(file)
    }

    /// Rejects the program called `program` if it depends on a file that belongs neither to it nor to the system.
    pub(super) fn check(&self, dependencies: &[String], program: &str, run: &Run) -> Result<(), Failure> {
        let included = dependencies.iter().filter(|file| !STANDARD_INPUT.contains(&file.as_str()));
        for file in included.clone() {
            protect::reading_at(&self.folder.join(file))?;
        }
        let files = included.filter(|file| self.find(file).is_none());
        let mut foreign: Vec<PathBuf> = files.map(|file| self.folder.join(file)).collect();
        foreign.retain(|file| !is_below(file, Path::new(SYSTEM)));
        if foreign.is_empty() {
            return Ok(());
        }
        // A compiler installed in an unusual place knows where its headers are.
        let folders = system_folders(run)?;
        foreign.retain(|file| !folders.iter().any(|folder| is_below(file, folder)));
        match foreign.first() {
            None => Ok(()),
            Some(file) => Err(Failure::input(format!(
                "{program}: includes {}, which is neither called like a C file nor below the folder of the program",
                shown(file)
            ))),
        }
    }
}

fn is_below(file: &Path, folder: &Path) -> bool {
    matches!((file.canonicalize(), folder.canonicalize()), (Ok(file), Ok(folder)) if file.starts_with(&folder))
}

/// Where the compiler looks for headers.
fn system_folders(run: &Run) -> Result<Vec<PathBuf>, Failure> {
    let arguments = ["-E", "-v", "-x", "c", "/dev/null"].map(Into::into).to_vec();
    let messages = compile(arguments, None, run)?.messages;
    let listed = messages.lines().skip_while(|line| !line.contains("search starts here:"));
    let listed = listed.take_while(|line| !line.starts_with("End of search list"));
    Ok(listed.filter_map(|line| line.strip_prefix(' ')).map(|line| PathBuf::from(line.trim())).collect())
}

/// The files on the right-hand side of a rule as compilers write it for `make`.
pub(super) fn files_of_rule(rule: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut file = String::new();
    let mut letters = rule.split_once(": ").map_or("", |(_, files)| files).chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek().copied()) {
            ('\\', Some(next @ (' ' | '\t' | '#'))) | ('$', Some(next @ '$')) => {
                file.push(next);
                letters.next();
            }
            ('\\', Some('\n')) | (' ' | '\n' | '\t', _) => {
                files.extend((!file.is_empty()).then(|| std::mem::take(&mut file)));
            }
            _ => file.push(letter),
        }
    }
    files.extend((!file.is_empty()).then_some(file));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_make_are_read() {
        let rule = "x: /a/b.c /a/c\\ d.h \\\n /usr/e\\#.h /f$$.h\n";
        assert_eq!(files_of_rule(rule), ["/a/b.c", "/a/c d.h", "/usr/e#.h", "/f$.h"]);
    }

    #[test]
    fn only_c_outside_the_folder_belongs() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("p"), folder.path().join("q"));
        for path in [&inside, &outside] {
            std::fs::create_dir(path).unwrap();
            std::fs::write(path.join("a.h"), "").unwrap();
            std::fs::write(path.join("secret"), "").unwrap();
        }
        std::os::unix::fs::symlink(outside.join("secret"), inside.join("link.h")).unwrap();
        let belonging = Belonging::to(&inside.join("main.c"));
        for (name, expected) in [
            ("a.h", true),
            ("secret", true),
            ("../q/a.h", true),
            ("../q/secret", false),
            ("link.h", false),
            ("none.h", false),
        ] {
            assert_eq!(belonging.find(name).is_some(), expected, "{name}");
        }
    }
}
