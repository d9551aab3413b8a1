//! Golden diagnostics: each `tests/diagnostics/*.cfa` gives the messages in the `.txt` beside it.
//!
//! `UPDATE_EXPECT=1 cargo test -p thetis-text` renews the expected messages; review the difference.

use std::fs;

use expect_test::expect_file;

use crate::common::{crate_dir, parse};

#[test]
fn messages_are_as_expected() {
    let folder = crate_dir().join("tests/diagnostics");
    let entries = fs::read_dir(&folder).expect("there should be inputs");
    let mut inputs: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|ext| ext == "cfa"));
    inputs.sort();
    assert!(inputs.len() > 10);
    for path in inputs {
        let text = fs::read_to_string(&path).expect("an input should be readable");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let messages = parse(&name, &text).messages;
        expect_file![path.with_extension("txt")].assert_eq(&messages);
    }
}
