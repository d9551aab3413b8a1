//! The published models: every one is accepted, except those marked as rejected.

use crate::common;
use crate::round_trip::round_trip;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Where the models are, if they are here.
pub(crate) fn benchmarks() -> PathBuf {
    common::crate_dir().join("../../../shared/benchmarks")
}

/// The files of the family and whether they should be rejected.
fn files(folder: &std::path::Path) -> BTreeMap<String, bool> {
    let manifest = fs::read_to_string(folder.join("manifest.csv")).expect("the manifest should be readable");
    let mut files = BTreeMap::new();
    for line in manifest.lines() {
        let mut fields = line.split(',');
        let (path, family) = (fields.next(), fields.next());
        if let (Some(path), Some("cfa"), _, expected) = (path, family, fields.next(), fields.next()) {
            files.insert(path.to_owned(), expected == Some("rejected"));
        }
    }
    files
}

#[test]
fn published_models_are_accepted() {
    let folder = benchmarks();
    if !folder.join("manifest.csv").exists() {
        println!("skipped: {} does not exist", folder.display());
        return;
    }
    let files = files(&folder);
    assert!(files.len() >= 29, "the manifest should list the models");
    for (path, is_rejected) in files {
        let text = fs::read_to_string(folder.join(&path)).expect("a listed model should be readable");
        let outcome = common::parse(&path, &text);
        // Floating-point numbers come with their terms; until then the refusal must say so.
        if text.contains("fp[") {
            assert!(outcome.messages.contains("not supported yet"), "{path}: {}", outcome.messages);
            continue;
        }
        assert_eq!(outcome.task.is_none(), is_rejected, "{path}: {}", outcome.messages);
        assert_eq!(outcome.messages.is_empty(), !is_rejected, "{path}: {}", outcome.messages);
        outcome.task.iter().for_each(|task| drop(round_trip(task)));
    }
}
