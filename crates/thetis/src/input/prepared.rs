//! Preprocessed texts that all processes of one command share.
//!
//! A command reads a C program more than once: each of several checks and each worker of a portfolio is a separate
//! process. The preprocessor is by far the slowest part of reading, so its output is kept in a folder while the command
//! runs. The first process creates the folder and passes its name on. An entry is keyed by the text, the options and
//! the machine; a process that finds none runs the preprocessor itself.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use tempfile::{NamedTempFile, TempDir};

use crate::args::QuestionArgs;
use crate::failure::Failure;

/// The folder with the texts.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// The folder, if this process created it, so that it is removed even if the program ends at once.
static MADE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Separates the dependencies of a text; it occurs in neither.
const SEPARATOR: char = '\0';

/// The folder, as long as the command runs.
pub(crate) struct Prepared {
    _folder: Option<TempDir>,
}

/// Creates the folder for a C program, or uses that of the parent process.
pub(crate) fn share(question: &mut QuestionArgs) -> Result<Prepared, Failure> {
    let made = match &question.prepared {
        None if question.is_c_program() => {
            let folder = tempfile::Builder::new().prefix("thetis-").tempdir().map_err(Failure::internal)?;
            *MADE.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.path().to_path_buf());
            question.prepared = Some(folder.path().to_path_buf());
            Some(folder)
        }
        _ => None,
    };
    if let Some(folder) = &question.prepared {
        // There is one command line.
        let _ = FOLDER.set(folder.clone());
    }
    Ok(Prepared { _folder: made })
}

/// Removes the folder, when the program has to end at once.
pub(crate) fn remove() {
    if let Ok(mut made) = MADE.try_lock()
        && let Some(folder) = made.take()
    {
        // It is gone already if the command has just ended.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// The dependencies and the text that were kept under `key`.
pub(super) fn find(key: &str) -> Option<(Vec<String>, String)> {
    let kept = std::fs::read_to_string(FOLDER.get()?.join(key)).ok()?;
    let mut parts: Vec<String> = kept.split(SEPARATOR).map(str::to_owned).collect();
    let text = parts.pop()?;
    Some((parts, text))
}

/// Keeps a text with its dependencies. If that is not possible, others run the preprocessor again.
pub(super) fn keep(key: &str, dependencies: &[String], text: &str) {
    let Some(folder) = FOLDER.get() else { return };
    if text.contains(SEPARATOR) {
        return;
    }
    let write = || {
        let mut file = NamedTempFile::new_in(folder)?;
        for dependency in dependencies {
            write!(file, "{dependency}{SEPARATOR}")?;
        }
        write!(file, "{text}")?;
        file.persist(folder.join(key)).map_err(|error| error.error)
    };
    let _ = write();
}
