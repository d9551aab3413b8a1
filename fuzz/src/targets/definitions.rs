//! Task definitions: any YAML text is rejected or names tasks, never a panic. The files that it names do not exist.

use super::{Effect, text_of};

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a temporary folder should be had");
}

pub fn check(bytes: &[u8]) -> Effect {
    let path = FOLDER.with(|folder| folder.path().join("task.yml"));
    std::fs::write(&path, &*text_of(bytes)).expect("a temporary file should be writable");
    match thetis_bench::collect(&path) {
        Ok(_) => "accepted".into(),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty());
            message
        }
    }
}
