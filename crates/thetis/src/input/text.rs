//! Files as texts and as bytes.

use std::path::Path;

use thetis_base::LineColumn;

use crate::failure::Failure;

/// No model is larger; positions in a text have 32 bits.
const MAX_BYTES: u64 = 1 << 31;

/// The text of a file, or a message that says what it is instead.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    to_text(path, read_bytes(path)?)
}

/// The contents of the file at `path` as text, or a message that says where they are none.
pub(crate) fn to_text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let place = position(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (name, line, column) = (path.display(), place.line, place.column);
        Failure::input(format!("{name}:{line}:{column}: not UTF-8 text, expected a model in text form"))
    })
}

/// The contents of a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display();
    let refuse = |what: &dyn std::fmt::Display| Failure::input(format!("{name}: {what}"));
    let metadata = std::fs::metadata(path).map_err(|error| refuse(&error))?;
    if metadata.is_dir() {
        return Err(refuse(&"is a directory, expected a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(refuse(&format!("is larger than {} GiB", MAX_BYTES >> 30)));
    }
    std::fs::read(path).map_err(|error| refuse(&error))
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
