//! A result file that is being written.
//!
//! # What a killed campaign leaves behind
//! Each result is one line, written with one call and then synchronised. So a file whose writer was killed consists of whole
//! lines and at most one torn line at its end, without a line break. Opening it again removes the torn line; its run is
//! repeated, all others are known to be done. A complete line that cannot be parsed is an error: something else has written
//! to the file.
//!
//! A lock prevents two campaigns from writing to one file.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Header, Key, Row};
use crate::{BenchError, Configuration};

/// A result file open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    done: BTreeSet<Key>,
    rows: Vec<Row>,
}

impl Journal {
    /// Opens the file for the campaign of `header`; an existing file must belong to the same campaign, and its results are
    /// kept.
    pub fn open(path: &Path, header: &Header) -> Result<Journal, BenchError> {
        let failed = |error| BenchError::file(path, error);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BenchError::results(path, "another campaign is writing to this file"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (old_header, rows, whole) = parse(path, &bytes)?;
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        let done = rows.iter().map(Row::key).collect();
        let mut journal = Journal { path: path.to_path_buf(), file, done, rows };
        match old_header {
            None => journal.write(header)?,
            Some(old) => reject_other(path, &old, header)?,
        }
        Ok(journal)
    }

    /// The results that were there when the file was opened.
    pub fn earlier(&self) -> &[Row] {
        &self.rows
    }

    /// Whether the run has a result already.
    pub(crate) fn contains(&self, key: &Key) -> bool {
        self.done.contains(key)
    }

    /// Adds a result; when this returns, it is on the disk.
    pub fn append(&mut self, row: &Row) -> Result<(), BenchError> {
        self.write(row)?;
        self.done.insert(row.key());
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), BenchError> {
        let mut text = serde_json::to_string(line).map_err(|error| BenchError::results(&self.path, error))?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| BenchError::file(&self.path, error))
    }
}

/// The header and results of a file, and the length of its whole lines.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<(Option<Header>, Vec<Row>, u64), BenchError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if whole == 0 && !is_torn_header(bytes) {
        return Err(BenchError::results(path, "not a result file"));
    }
    let mut lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate();
    let understood = |number: usize, error: serde_json::Error| {
        BenchError::results(path, format!("line {}: not a result: {error}", number + 1))
    };
    let header = match lines.next() {
        None => None,
        Some((number, line)) => {
            let header: Header = serde_json::from_slice(line).map_err(|error| understood(number, error))?;
            if header.format != Header::FORMAT || header.version != Header::VERSION {
                return Err(BenchError::results(path, "not a result file of this version"));
            }
            Some(header)
        }
    };
    let rows = lines
        .map(|(number, line)| serde_json::from_slice(line).map_err(|error| understood(number, error)))
        .collect::<Result<Vec<Row>, BenchError>>()?;
    Ok((header, rows, whole as u64))
}

/// Whether a file without a whole line is what a campaign leaves that was killed at once, and not somebody else's file.
fn is_torn_header(bytes: &[u8]) -> bool {
    let start = format!("{{\"format\":\"{}\"", Header::FORMAT);
    bytes.starts_with(start.as_bytes()) || start.as_bytes().starts_with(bytes)
}

/// Results of different campaigns must not be mixed; the message says what differs.
fn reject_other(path: &Path, old: &Header, new: &Header) -> Result<(), BenchError> {
    let differences = [
        ("the program", old.program_sha256 != new.program_sha256 || old.thetis != new.thetis),
        ("the machine", old.machine != new.machine),
        ("the limits", old.limits != new.limits),
        ("the number of jobs", old.jobs != new.jobs),
        ("the number of repetitions", old.repeat != new.repeat),
        (
            "the tasks",
            old.tasks != new.tasks || old.num_tasks != new.num_tasks || old.selection != new.selection,
        ),
        ("the configurations", !same_configurations(old, new)),
    ];
    let named: Vec<&str> =
        differences.iter().filter(|(_, differs)| *differs).map(|(what, _)| *what).collect();
    if named.is_empty() {
        return Ok(());
    }
    let message =
        format!("the file belongs to another campaign: {} changed; use another file", named.join(", "));
    Err(BenchError::results(path, message))
}

/// The files need not be in the same place.
fn same_configurations(old: &Header, new: &Header) -> bool {
    let content = |one: &Configuration| (one.name.clone(), one.text.clone(), one.settings.clone());
    old.configurations.iter().map(content).eq(new.configurations.iter().map(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{header, row};

    fn file_with(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    fn whole_file() -> Vec<u8> {
        let (_folder, path) = file_with(b"");
        let mut journal = Journal::open(&path, &header()).unwrap();
        for name in ["a", "b", "c"] {
            journal.append(&row("default", name)).unwrap();
        }
        drop(journal);
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_lines() {
        let bytes = whole_file();
        let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1).collect();
        // Every line end with its neighbours, and some places between; each case waits for the disk several times.
        let near = |cut: &usize| ends.iter().any(|end| cut.abs_diff(*end) <= 1);
        for cut in (0..=bytes.len()).filter(|cut| near(cut) || cut.is_multiple_of(97)) {
            let (_folder, path) = file_with(&bytes[..cut]);
            let mut journal = Journal::open(&path, &header()).unwrap();
            let num_whole = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(journal.earlier().len(), num_whole.saturating_sub(1), "cut at {cut}");
            for name in ["a", "b", "c"] {
                let row = row("default", name);
                if !journal.contains(&row.key()) {
                    journal.append(&row).unwrap();
                }
            }
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "cut at {cut}");
        }
    }

    #[test]
    fn a_line_of_someone_else_is_rejected() {
        let mut longer = whole_file();
        longer.extend(b"{\"hello\": 1}\n");
        for (bytes, message) in
            [(longer, "line 5: not a result"), (b"one line without an end".to_vec(), "not a result file")]
        {
            let (_folder, path) = file_with(&bytes);
            let error = Journal::open(&path, &header()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "a rejected file should stay as it was");
        }
    }

    #[test]
    fn two_campaigns_are_not_mixed() {
        let (_folder, path) = file_with(&whole_file());
        let mut other = header();
        other.limits.wall_seconds = Some(7.0);
        other.program_sha256.push('0');
        let error = Journal::open(&path, &other).unwrap_err().to_string();
        assert!(error.ends_with("the program, the limits changed; use another file"), "{error}");
        let later = Header { started: "later".to_owned(), ..header() };
        let journal = Journal::open(&path, &later).unwrap();
        let error = Journal::open(&path, &later).unwrap_err().to_string();
        assert!(error.contains("another campaign is writing"), "{error}");
        drop(journal);
    }
}
