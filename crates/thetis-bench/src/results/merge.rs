//! One result file from those of the parts of a campaign.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::{Header, Key, ResultFile, Row};
use crate::{BenchError, Selection};

/// The results of a campaign that ran in parts, as if it had run at once. All parts must be present and must be of the same program
/// with the same limits and configurations; the machines may differ, and the header names the first.
pub fn merge(parts: &[ResultFile]) -> Result<(Header, Vec<Row>), BenchError> {
    let Some(first) = parts.first() else {
        return Err(BenchError::results("".as_ref(), "there are no parts"));
    };
    let whole = |header: &Header| Header {
        selection: Selection { part: None, ..header.selection.clone() },
        num_tasks: 0,
        started: String::new(),
        machine: first.header.machine.clone(),
        ..header.clone()
    };
    let count = first.header.selection.part.map(|part| part.count);
    let mut numbers: BTreeMap<NonZeroUsize, &ResultFile> = BTreeMap::new();
    for file in parts {
        let part = file.header.selection.part.filter(|part| Some(part.count) == count);
        let Some(part) = part.filter(|_| whole(&file.header) == whole(&first.header)) else {
            return Err(BenchError::results(&file.path, "the file is no part of the same campaign"));
        };
        if numbers.insert(part.number, file).is_some() {
            return Err(BenchError::results(&file.path, format!("part {} is there twice", part.number)));
        }
    }
    let count = count.map_or(0, NonZeroUsize::get);
    if let Some(missing) = (1..=count).find(|number| !numbers.keys().any(|known| known.get() == *number)) {
        return Err(BenchError::results(&first.path, format!("part {missing} of {count} is missing")));
    }
    let mut header = whole(&first.header);
    header.num_tasks = parts.iter().map(|file| file.header.num_tasks).sum();
    header.started = parts.iter().map(|file| file.header.started.clone()).min().unwrap_or_default();
    let rows: BTreeMap<Key, Row> =
        numbers.values().flat_map(|file| &file.rows).map(|row| (row.key(), row.clone())).collect();
    Ok((header, rows.into_values().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{header, row};

    fn part(text: &str, tasks: &[&str]) -> ResultFile {
        let mut header = header();
        header.selection.part = Some(text.parse().unwrap());
        header.num_tasks = tasks.len();
        let rows = tasks.iter().map(|task| row("default", task)).collect();
        ResultFile { path: text.into(), header, rows }
    }

    #[test]
    fn parts_become_one() {
        let (one, two) = (part("1/2", &["a", "c"]), part("2/2", &["b"]));
        let (merged, rows) = merge(&[two.clone(), one.clone()]).unwrap();
        assert_eq!((merged.num_tasks, merged.selection.part), (3, None));
        assert_eq!(rows.iter().map(|row| row.task.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        let message = |parts: &[ResultFile]| merge(parts).unwrap_err().to_string();
        assert!(message(std::slice::from_ref(&one)).contains("part 2 of 2 is missing"));
        assert!(message(&[one.clone(), one.clone()]).contains("part 1 is there twice"));
        let mut other = two;
        other.header.jobs += 1;
        assert!(message(&[one, other]).contains("no part of the same campaign"));
    }
}
