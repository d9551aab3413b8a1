//! From a file to a task.

use std::path::Path;

use thetis_base::{Diagnostics, FileId, LineColumn, SourceMap};
use thetis_model::Task;
use thetis_model::cfa::Cfa;
use thetis_report::{fingerprint, render_diagnostics};

use crate::failure::Failure;
use crate::terminal;

/// The languages that are read, told by the extension of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputFormat {
    Cfa,
}

/// A task with the texts that its spans point into.
pub(crate) struct Input {
    pub(crate) task: Task<Cfa>,
    pub(crate) sources: SourceMap,
    pub(crate) name: String,
    pub(crate) sha256: String,
}

/// No model is larger; positions in a text have 32 bits.
const MAX_BYTES: u64 = 1 << 31;

/// Reads a model; its diagnostics go to standard error.
pub(crate) fn read(path: &Path) -> Result<Input, Failure> {
    let name = path.display().to_string();
    let text = read_text(path)?;
    let format = format_of(path)?;
    let sha256 = fingerprint(&text);
    let mut sources = SourceMap::new();
    let file = sources.add(name.clone(), text);
    let task = parse(format, &sources, file)?;
    Ok(Input { task, sources, name, sha256 })
}

/// The text of a file, or a message that says what it is instead.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let refuse = |what: &dyn std::fmt::Display| Failure::input(format!("{name}: {what}"));
    let metadata = std::fs::metadata(path).map_err(|error| refuse(&error))?;
    if metadata.is_dir() {
        return Err(refuse(&"is a directory, expected a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(refuse(&format!("is larger than {} GiB", MAX_BYTES >> 30)));
    }
    let bytes = std::fs::read(path).map_err(|error| refuse(&error))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = position(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (line, column) = (place.line, place.column);
        Failure::input(format!("{name}:{line}:{column}: not UTF-8 text, expected a model in text form"))
    })
}

/// The place after `bytes`, which are UTF-8 text.
fn position(bytes: &[u8]) -> LineColumn {
    let line = bytes.iter().filter(|byte| **byte == b'\n').count();
    let start = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&bytes[start..]).chars().count();
    LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
}

fn format_of(path: &Path) -> Result<InputFormat, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("cfa") => Ok(InputFormat::Cfa),
        _ => Err(Failure::input(format!(
            "{}: unknown kind of model, expected a file name that ends in .cfa",
            path.display()
        ))),
    }
}

fn parse(format: InputFormat, sources: &SourceMap, file: FileId) -> Result<Task<Cfa>, Failure> {
    let mut diagnostics = Diagnostics::new();
    let parsed = match format {
        InputFormat::Cfa => thetis_text::cfa::parse(sources, file, &mut diagnostics),
    };
    terminal::show(&render_diagnostics(&diagnostics, sources, terminal::style()));
    parsed.map_err(|_reported| Failure::reported())
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
