//! Results side by side: what tables and plots are made from.
//!
//! Columns are configurations, lines are tasks. Times are CPU times, because those do not depend on what else the machine
//! was doing. Sums and peaks are over solved tasks only, as in Hajdu and Micskei (2019), because the time of a run that
//! fails depends only on its limits.

mod course;
mod prediction;
mod summary;
mod transfer;
mod trial;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Answer, Header, ResultFile, Row, RowOutcome};

pub(crate) use course::{Course, courses};
pub use prediction::{Confusion, PREDICTION_KEY};
pub use summary::Summary;
pub use transfer::{Transfer, transfers};
pub use trial::{Trial, trials};

/// A configuration of a result file.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name, with that of the file if several files have the name.
    pub label: String,
    /// Its options that are not the same in all columns, in the order of [`Overview::varied`]; empty where it has none.
    pub options: Vec<String>,
}

/// A task with its results.
#[derive(Clone, Debug)]
pub struct Line {
    /// The model.
    pub task: String,
    /// The question.
    pub property: String,
    /// The set, after the family.
    pub set: String,
    /// The stated verdict.
    pub expected: String,
    /// The result of each configuration, if it has one.
    pub rows: Vec<Option<Row>>,
}

/// All results of some files.
#[derive(Clone, Debug)]
pub struct Overview {
    /// What was measured where, one for each file.
    pub headers: Vec<Header>,
    /// The configurations, grouped by their options.
    pub columns: Vec<Column>,
    /// The options in which configurations differ; the first is the one that groups them.
    pub varied: Vec<String>,
    /// The tasks, sorted.
    pub lines: Vec<Line>,
    /// The sets, sorted, each with its number of tasks.
    pub sets: Vec<(String, usize)>,
}

impl Overview {
    /// Puts the results of `files` side by side.
    pub fn new(files: &[ResultFile]) -> Overview {
        let labels = labels(files);
        let options: Vec<BTreeMap<String, String>> = files
            .iter()
            .flat_map(|file| file.header.configurations.iter().map(|one| one.options()))
            .collect();
        let varied = varied(&options);
        let columns: Vec<Column> = labels
            .iter()
            .zip(&options)
            .map(|((_, _, label), options)| Column {
                label: label.clone(),
                options: varied.iter().map(|key| options.get(key).cloned().unwrap_or_default()).collect(),
            })
            .collect();
        let (columns, order) = grouped(columns);
        let lines = lines(files, &labels, &order);
        let mut sets: BTreeMap<String, usize> = BTreeMap::new();
        for line in &lines {
            *sets.entry(line.set.clone()).or_default() += 1;
        }
        let headers = files.iter().map(|file| file.header.clone()).collect();
        Overview { headers, columns, varied, lines, sets: sets.into_iter().collect() }
    }

    /// The summary of a configuration, over one set or over all.
    pub fn summary(&self, column: usize, set: Option<&str>) -> Summary {
        Summary::new(self.lines_of(set).map(|line| line.rows[column].as_ref()))
    }

    /// The summary of the virtual best: for each task the solved run with the least time.
    pub fn virtual_best(&self, set: Option<&str>) -> Summary {
        Summary::new(self.lines_of(set).map(|line| {
            let solved = line.rows.iter().flatten().filter(|row| row.outcome.is_solved());
            solved.min_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds))
        }))
    }

    fn lines_of(&self, set: Option<&str>) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| set.is_none_or(|set| line.set == set))
    }

    /// The wrong results.
    pub fn wrong(&self) -> impl Iterator<Item = &Row> {
        self.lines.iter().flat_map(|line| &line.rows).flatten().filter(|row| row.outcome == RowOutcome::Wrong)
    }

    /// Tasks on which configurations contradict each other, whatever is stated.
    pub fn disagreements(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| {
            let has = |answer| line.rows.iter().flatten().any(|row| row.answer == Some(answer));
            (has(Answer::Safe) && has(Answer::Unsafe)) || (has(Answer::Accepted) && has(Answer::Rejected))
        })
    }

    /// The greatest time limit of a run, if all have one.
    pub fn time_limit(&self) -> Option<f64> {
        self.headers
            .iter()
            .map(|header| header.limits.wall_seconds)
            .try_fold(0.0, |greatest: f64, limit| Some(greatest.max(limit?)))
    }
}

/// The configurations of all files: the number of the file, the name, and the label that is unique.
fn labels(files: &[ResultFile]) -> Vec<(usize, String, String)> {
    let count = |name: &str| {
        files.iter().flat_map(|file| &file.header.configurations).filter(|one| one.name == name).count()
    };
    let mut labels: Vec<(usize, String, String)> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let stem = file.path.file_stem().map(|stem| stem.display().to_string()).unwrap_or_default();
        for one in &file.header.configurations {
            let mut label = one.name.clone();
            if count(&one.name) > 1 {
                label = format!("{label} @ {stem}");
            }
            if labels.iter().any(|(_, _, other)| *other == label) {
                label = format!("{label} #{}", number + 1);
            }
            labels.push((number, one.name.clone(), label));
        }
    }
    labels
}

/// The options that are not the same everywhere; the one with the fewest values groups, so it comes first.
fn varied(all: &[BTreeMap<String, String>]) -> Vec<String> {
    let keys: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let values = |key: &String| all.iter().map(|options| options.get(key)).collect::<BTreeSet<_>>().len();
    let mut varied: Vec<String> = keys.into_iter().filter(|key| values(key) > 1).cloned().collect();
    varied.sort_by_key(|key| values(key));
    varied
}

/// Configurations with the same value of the first option stand together; otherwise the order stays. Also returns
/// where each configuration has moved.
fn grouped(columns: Vec<Column>) -> (Vec<Column>, Vec<usize>) {
    let group = |column: &Column| column.options.first().cloned().unwrap_or_default();
    let mut groups: Vec<String> = Vec::new();
    for column in &columns {
        if !groups.contains(&group(column)) {
            groups.push(group(column));
        }
    }
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|number| groups.iter().position(|one| *one == group(&columns[*number])));
    (order.iter().map(|number| columns[*number].clone()).collect(), order)
}

fn lines(files: &[ResultFile], labels: &[(usize, String, String)], order: &[usize]) -> Vec<Line> {
    let mut lines: BTreeMap<(String, String, String), Line> = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        for row in &file.rows {
            let label =
                labels.iter().position(|(file, name, _)| *file == number && *name == row.configuration);
            let column = label.and_then(|label| order.iter().position(|one| *one == label));
            let Some(column) = column else { continue };
            let set = format!("{}/{}", row.family, row.set);
            let key = (set.clone(), row.task.clone(), row.property.clone());
            let line = lines.entry(key).or_insert_with(|| Line {
                task: row.task.clone(),
                property: row.property.clone(),
                set,
                expected: row.expected.clone(),
                rows: vec![None; order.len()],
            });
            line.rows[column] = Some(row.clone());
        }
    }
    lines.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{header, result_file, row};

    #[test]
    fn configurations_stand_side_by_side() {
        let overview = Overview::new(&[result_file()]);
        let labels: Vec<&str> = overview.columns.iter().map(|column| column.label.as_str()).collect();
        assert_eq!(labels, ["expl_bfs", "expl_dfs", "pred_bfs", "pred_dfs"]);
        assert_eq!(overview.varied, ["cegar.domain", "cegar.search"]);
        assert_eq!(overview.columns[2].options, ["pred", "bfs"]);
        assert_eq!(overview.sets, [("cfa/large".to_owned(), 4), ("cfa/small".to_owned(), 4)]);
        assert_eq!(overview.wrong().count(), 1);
        assert_eq!(overview.disagreements().count(), 1);
    }

    #[test]
    fn the_virtual_best_takes_the_quickest_solved_run() {
        let overview = Overview::new(&[result_file()]);
        let best = overview.virtual_best(None);
        assert_eq!(best.num_solved(), 7);
        let fastest = (0..4).map(|column| overview.summary(column, None)).map(|one| one.num_solved()).max();
        assert!(fastest <= Some(7));
    }

    #[test]
    fn equal_names_of_two_files_are_told_apart() {
        let file =
            |name: &str| ResultFile { path: name.into(), header: header(), rows: vec![row("default", "a")] };
        let overview = Overview::new(&[file("old.jsonl"), file("new.jsonl"), file("new.jsonl")]);
        let labels: Vec<&str> = overview.columns.iter().map(|column| column.label.as_str()).collect();
        assert_eq!(labels, ["default @ old", "default @ new", "default @ new #3"]);
        assert!(overview.lines[0].rows.iter().all(Option::is_some));
    }
}
