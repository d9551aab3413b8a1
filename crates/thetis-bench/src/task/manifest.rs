//! Task lists as CSV: the columns `path`, `family`, `set`, `expected` and `property`, in any order and among others.

use std::path::Path;

use serde::Deserialize;

use super::{BenchTask, Expected, Question};
use crate::BenchError;

#[derive(Deserialize)]
struct Row {
    path: String,
    family: String,
    set: String,
    expected: String,
    property: String,
}

/// The tasks of `text`, the manifest at `path`; models are relative to its folder.
pub(super) fn parse(path: &Path, text: &str) -> Result<Vec<BenchTask>, BenchError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for (number, row) in csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>().enumerate() {
        // The header is row 1.
        let number = number + 2;
        let row = row.map_err(|error| BenchError::tasks(path, error))?;
        let expected = Expected::from_word(&row.expected, &row.property).ok_or_else(|| {
            BenchError::tasks(path, format!("row {number}: `{}` is not a verdict", row.expected))
        })?;
        tasks.push(BenchTask {
            file: folder.join(&row.path),
            question: Question::from_words(&row.property, &row.family),
            further: Vec::new(),
            name: row.path,
            family: row.family,
            set: row.set,
            expected,
        });
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "path,family,set,expected,property,origin,lines\n";

    #[test]
    fn rows_become_tasks() {
        let text = format!("{HEADER}a/n.pnml,petri,small,reachable,\"EF \"\"p 1\"\" >= 2\",\"x, y\",3\n");
        let tasks = parse(Path::new("lists/manifest.csv"), &text).unwrap();
        assert_eq!(tasks.len(), 1);
        assert_eq!(tasks[0].file, Path::new("lists/a/n.pnml"));
        assert_eq!(tasks[0].question.property.as_deref(), Some("EF \"p 1\" >= 2"));
        assert_eq!((tasks[0].name.as_str(), tasks[0].expected), ("a/n.pnml", Expected::Unsafe));
    }

    #[test]
    fn a_wrong_row_is_named() {
        let text =
            format!("{HEADER}a.cfa,cfa,s,safe,error-location,,1\nb.cfa,cfa,s,maybe,error-location,,1\n");
        let error = parse(Path::new("m.csv"), &text).unwrap_err().to_string();
        assert_eq!(error, "m.csv: row 3: `maybe` is not a verdict");
        assert!(parse(Path::new("m.csv"), "path,family\na,b\n").is_err());
    }
}
