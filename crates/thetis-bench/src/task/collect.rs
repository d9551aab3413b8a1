//! From a path to tasks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{BenchTask, definition, manifest};
use crate::BenchError;

/// The tasks of a manifest (`.csv`), a task definition (`.yml`) or a folder, in a fixed order. A folder with a
/// `manifest.csv` is that manifest; otherwise every task definition below it counts, sorted by path.
pub fn collect(path: &Path) -> Result<Vec<BenchTask>, BenchError> {
    let manifest = path.join("manifest.csv");
    let tasks = if path.is_dir() && manifest.is_file() {
        manifest::parse(&manifest, &read(&manifest)?)?
    } else if path.is_dir() {
        below(path)?
    } else {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => manifest::parse(path, &read(path)?)?,
            Some("yml" | "yaml") => {
                let folder = path.parent().unwrap_or(Path::new(""));
                definition::parse(folder, path, &read(path)?, read_property)?
            }
            _ => return Err(BenchError::tasks(path, "expected a .csv or .yml file or a folder")),
        }
    };
    if tasks.is_empty() {
        return Err(BenchError::tasks(path, "there are no tasks"));
    }
    reject_twins(path, &tasks)?;
    Ok(tasks)
}

/// The task definitions below a folder.
fn below(root: &Path) -> Result<Vec<BenchTask>, BenchError> {
    let mut tasks = Vec::new();
    for path in yaml_files(root)? {
        let text = read(&path)?;
        if definition::is_definition(&text) {
            tasks.extend(definition::parse(root, &path, &text, read_property)?);
        }
    }
    Ok(tasks)
}

fn yaml_files(root: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| BenchError::file(&folder, error))?;
        for entry in entries {
            let path = entry.map_err(|error| BenchError::file(&folder, error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Results are found again by model and question, so no two tasks may share both.
fn reject_twins(path: &Path, tasks: &[BenchTask]) -> Result<(), BenchError> {
    let mut seen = BTreeSet::new();
    for task in tasks {
        if !seen.insert((&task.name, &task.question.words)) {
            let message = format!("`{}` has the property `{}` twice", task.name, task.question.words);
            return Err(BenchError::tasks(path, message));
        }
    }
    Ok(())
}

/// The most bytes of a list of tasks or of a property.
const MAX_BYTES: u64 = 64 << 20;

/// The text of a regular file; a pipe or a device may never end.
fn read(path: &Path) -> Result<String, BenchError> {
    let metadata = std::fs::metadata(path).map_err(|error| BenchError::file(path, error))?;
    if !metadata.is_file() {
        return Err(BenchError::tasks(path, "is not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(BenchError::tasks(path, format!("is larger than {} MiB", MAX_BYTES >> 20)));
    }
    std::fs::read_to_string(path).map_err(|error| BenchError::file(path, error))
}

/// The text of a property file. Messages about a property show it, so a task definition from somebody else must not be able to name
/// any other file in its place: the name must end in `.prp`, even after symbolic links are followed.
fn read_property(path: &Path) -> Result<String, BenchError> {
    let real = path.canonicalize().map_err(|error| BenchError::file(path, error))?;
    let is_property = |path: &Path| path.extension().is_some_and(|extension| extension == "prp");
    if !is_property(path) || !is_property(&real) {
        return Err(BenchError::tasks(path, "is not a property file, expected a name that ends in .prp"));
    }
    read(path)
}
