//! The lines of the program at which checks fail, for the page about all checks.

use std::collections::HashMap;

use serde_json::Value;
use thetis_base::{FileId, SourceMap};
use thetis_report::Excerpt;

/// How many lines are shown before and after the one at which a check fails.
const BEFORE: u32 = 5;
const AFTER: u32 = 3;

/// The files of the program, as far as they are needed.
#[derive(Default)]
pub(super) struct Excerpts {
    pub(super) sources: SourceMap,
    files: HashMap<String, Option<FileId>>,
}

impl Excerpts {
    /// The lines around the end of a run that violates the property, if the file can be read.
    pub(super) fn of(&mut self, report: &Value) -> Option<Excerpt> {
        let last = report["steps"].as_array()?.last()?;
        let line = u32::try_from(last["line"].as_u64()?).ok()?;
        let file = self.file(last["file"].as_str()?)?;
        let message = report["message"].as_str().unwrap_or_default().to_owned();
        let lines = line.saturating_sub(BEFORE).max(1)..=line.saturating_add(AFTER);
        Some(Excerpt { file, lines, remarks: vec![(line, message)] })
    }

    fn file(&mut self, name: &str) -> Option<FileId> {
        let sources = &mut self.sources;
        let read = || {
            let bytes = std::fs::read(name).ok()?;
            Some(sources.add(name, String::from_utf8_lossy(&bytes).into_owned()))
        };
        *self.files.entry(name.to_owned()).or_insert_with(read)
    }
}
