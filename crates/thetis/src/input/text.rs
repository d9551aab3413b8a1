//! Files as texts and as bytes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use thetis_base::{LineColumn, printable};

use super::standard::name_of;
use crate::failure::{Failure, cause};
use crate::protect;

/// The largest file that is accepted; positions in a text have 32 bits.
const MAX_BYTES: u64 = 1 << 30;

/// The name of a file for messages.
pub(crate) fn shown(path: &Path) -> String {
    printable(&name_of(path)).into_owned()
}

/// The text of a file, or a message that says what it is instead.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    to_text(path, read_bytes(path)?)
}

/// The contents of the file at `path` as text, or a message that says where they are not UTF-8.
pub(crate) fn to_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let place = position(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (name, line, column) = (shown(path), place.line, place.column);
        Failure::input(format!("{name}:{line}:{column}: not UTF-8 text, expected a model in text form"))
    })
}

/// The text of a file that the command also writes.
pub(crate) fn read_to_renew(path: &Path) -> Result<String, Failure> {
    to_text(path, contents(path, |_| Ok(()))?)
}

/// The contents of a regular file. Pipes and devices are rejected: some of them never end.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    contents(path, |metadata| protect::reading(path, metadata))
}

fn contents(path: &Path, note: impl FnOnce(&Metadata) -> Result<(), Failure>) -> Result<Vec<u8>, Failure> {
    let reject = |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", shown(path)));
    let file = open(path).map_err(|error| reject(&cause(&error)))?;
    let metadata = file.metadata().map_err(|error| reject(&cause(&error)))?;
    if metadata.is_dir() {
        return Err(reject(&"is a directory, expected a file"));
    }
    if !metadata.is_file() {
        return Err(reject(&"is a pipe or a device, expected a regular file"));
    }
    note(&metadata)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| reject(&cause(&error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(reject(&format!("is larger than {} GiB", MAX_BYTES >> 30)));
    }
    Ok(bytes)
}

/// Opens a file without waiting for the other end of a pipe.
pub(super) fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)
}

/// The place after `bytes`, which are UTF-8 text.
fn position(bytes: &[u8]) -> LineColumn {
    let line = bytes.iter().filter(|byte| **byte == b'\n').count();
    let start = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&bytes[start..]).chars().count();
    LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_binary_files_count_lines_and_characters() {
        let place = position("var ä\nxy".as_bytes());
        assert_eq!((place.line, place.column), (2, 3));
    }
}
