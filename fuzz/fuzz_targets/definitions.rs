//! Task definitions: any YAML text is refused or names tasks, never a panic. The files that it names do not exist.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder should be had"));

fuzz_target!(|text: &str| {
    let path = FOLDER.path().join("task.yml");
    std::fs::write(&path, text).expect("a temporary file should be writable");
    if let Err(error) = thetis_bench::collect(&path) {
        assert!(!error.to_string().is_empty());
    }
});
