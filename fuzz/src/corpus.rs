//! Inputs to start from: `seeds/TARGET.txt` (separated by lines `----`), and small files of the repository.

use std::path::{Path, PathBuf};

use crate::targets::Target;

/// Larger files are left out: they take long and change little at once.
const MAX_LENGTH: u64 = 1500;

/// Folders of the repository with examples.
const FOLDERS: &[&str] = &["examples", "tests", "configs", "contrib", "crates"];

/// The inputs that a target starts from.
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("seeds").join(format!("{}.txt", target.name));
    let own = std::fs::read_to_string(&own).unwrap_or_else(|error| panic!("{}: {error}", own.display()));
    let mut inputs: Vec<Vec<u8>> = own.split("\n----\n").map(|seed| seed.as_bytes().to_vec()).collect();
    for folder in FOLDERS {
        let mut paths = Vec::new();
        gather(&root.join("..").join(folder), target.endings, &mut paths);
        paths.sort();
        inputs.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
    }
    inputs
}

fn gather(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, endings, paths);
        } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending))
            && entry.metadata().is_ok_and(|data| data.len() <= MAX_LENGTH)
        {
            paths.push(path);
        }
    }
}
