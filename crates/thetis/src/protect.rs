//! No command overwrites a file that it reads.
//!
//! A command line can name one file twice, as an input and as an output: by two spellings, by a link, or because an input names further
//! inputs, as task definitions, compilation databases and `#include` do. So files are compared by what they are on the disk, and all that
//! are read are known here: the functions that read files for commands call [`reading`] or [`reading_at`]. Outputs of the command line
//! are announced before anything is read, so that a conflict ends the command before it has done any work; files in folders for outputs are
//! checked when they are written.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::input::shown;

/// The files of this process.
static FILES: Mutex<Files> = Mutex::new(Files { read: BTreeSet::new(), announced: Vec::new() });

/// What identifies a file on this machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    /// That of a regular file. Pipes and devices lose nothing when they are written.
    fn of(metadata: &Metadata) -> Option<Identity> {
        metadata.is_file().then(|| Identity { device: metadata.dev(), number: metadata.ino() })
    }

    /// That of the regular file at a path, if there is one, after following links.
    fn at(path: &Path) -> Option<Identity> {
        Identity::of(&std::fs::metadata(path).ok()?)
    }
}

/// The inputs so far, and the existing files that will be overwritten.
struct Files {
    read: BTreeSet<Identity>,
    announced: Vec<(Identity, PathBuf)>,
}

impl Files {
    fn announce(&mut self, output: &Path) -> Result<(), Failure> {
        let Some(identity) = Identity::at(output) else { return Ok(()) };
        if self.read.contains(&identity) {
            return Err(conflict(output, output));
        }
        self.announced.push((identity, output.to_path_buf()));
        Ok(())
    }

    fn read(&mut self, input: &Path, identity: Identity) -> Result<(), Failure> {
        match self.announced.iter().find(|(announced, _)| *announced == identity) {
            Some((_, output)) => Err(conflict(output, input)),
            None => {
                self.read.insert(identity);
                Ok(())
            }
        }
    }
}

/// Announces that a command will overwrite a file. The command line is wrong if the file is an input.
pub(crate) fn announce(output: &Path) -> Result<(), Failure> {
    files().announce(output)
}

/// Notes that a command reads the file with this name. The command line is wrong if the file will be overwritten.
pub(crate) fn reading(name: &Path, metadata: &Metadata) -> Result<(), Failure> {
    Identity::of(metadata).map_or(Ok(()), |identity| files().read(name, identity))
}

/// The same for a file that something else reads: another process or another crate.
pub(crate) fn reading_at(path: &Path) -> Result<(), Failure> {
    Identity::at(path).map_or(Ok(()), |identity| files().read(path, identity))
}

/// Fails if the file at `path` is an input.
pub(crate) fn check_writing(path: &Path) -> io::Result<()> {
    match Identity::at(path).is_some_and(|identity| files().read.contains(&identity)) {
        true => Err(io::Error::other("it is an input and would be overwritten")),
        false => Ok(()),
    }
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    Identity::at(one).is_some_and(|identity| Identity::at(other) == Some(identity))
}

fn conflict(output: &Path, input: &Path) -> Failure {
    let other = if input == output { String::new() } else { format!(" ({})", shown(input)) };
    Failure::usage(format!("{} is an input{other} and would be overwritten", shown(output)))
}

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_or_written_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a", "b"] {
            std::fs::write(at(name), "").unwrap();
        }
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        std::os::unix::fs::symlink(at("a"), at("soft")).unwrap();
        std::os::unix::fs::symlink(at("none"), at("broken")).unwrap();
        for (output, is_a) in [
            ("a", true),
            ("./a", true),
            ("hard", true),
            ("soft", true),
            ("b", false),
            ("new", false),
            ("broken", false),
        ] {
            let none = || Files { read: BTreeSet::new(), announced: Vec::new() };
            let read = |files: &mut Files| files.read(&at("a"), Identity::at(&at("a")).unwrap());
            let mut files = none();
            assert!(files.announce(&at(output)).is_ok());
            assert_eq!(read(&mut files).is_err(), is_a, "{output} is announced first");
            let mut files = none();
            assert!(read(&mut files).is_ok());
            assert_eq!(files.announce(&at(output)).is_err(), is_a, "{output} is announced last");
            assert_eq!(is_same_file(&at("a"), &at(output)), is_a, "{output}");
        }
        assert!(Identity::at(folder.path()).is_none() && Identity::at(Path::new("/dev/null")).is_none());
    }
}
