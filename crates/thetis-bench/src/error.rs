//! What can go wrong before, during and after measuring.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why measuring, or reading what was measured, is not possible.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// A task list is not understood.
    #[error("{}: {message}", path.display())]
    Tasks {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A result file is malformed, or belongs to another campaign.
    #[error("{}: {message}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A configuration cannot be used.
    #[error("{0}")]
    Configuration(String),
    /// A run could not be started or waited for.
    #[error("cannot run `{program}`: {error}")]
    Process {
        /// The program.
        program: String,
        /// What happened.
        error: io::Error,
    },
    /// A plot could not be drawn.
    #[error("cannot draw: {0}")]
    Drawing(String),
}

impl BenchError {
    pub(crate) fn file(path: &Path, error: io::Error) -> BenchError {
        BenchError::File { path: path.to_path_buf(), error }
    }

    pub(crate) fn tasks(path: &Path, message: impl fmt::Display) -> BenchError {
        BenchError::Tasks { path: path.to_path_buf(), message: message.to_string() }
    }

    pub(crate) fn results(path: &Path, message: impl fmt::Display) -> BenchError {
        BenchError::Results { path: path.to_path_buf(), message: message.to_string() }
    }
}
