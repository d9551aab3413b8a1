//! Two campaigns on the same tasks: what became better, what became worse.
//!
//! A run is *lost* if it was solved and is no longer, and *wrong* if its answer contradicts what is stated, or the answer that
//! the other campaign gave with checked evidence. It is *slower* if its CPU time has grown by more than [`SLOWER`] **and** by more
//! than [`NOISE`] seconds: the times of short runs vary from run to run by more than any factor that is worth reporting. Since a
//! single slow run can be an accident even so, the *total* of the tasks that both solve is compared as well, by the same
//! rule.

use std::collections::BTreeMap;

use crate::table::seconds;
use crate::{ResultFile, Row, RowOutcome};

/// By which factor a run has to be slower.
pub const SLOWER: f64 = 1.3;

/// By how many seconds it has to be slower.
pub const NOISE: f64 = 0.5;

/// What differs between two campaigns.
#[derive(Clone, Default, Debug)]
pub struct Comparison {
    /// Wrong answers of the new campaign.
    pub wrong: Vec<Change>,
    /// Solved before, and no longer.
    pub lost: Vec<Change>,
    /// Solved now, and not before.
    pub gained: Vec<Change>,
    /// Solved by both, but slower.
    pub slower: Vec<Change>,
    /// Solved by both, and quicker.
    pub quicker: Vec<Change>,
    /// How many runs both campaigns have.
    pub num_common: usize,
    /// Runs that only the old campaign has.
    pub num_missing: usize,
    /// CPU time of the tasks that both solve, in each campaign.
    pub total_seconds: [f64; 2],
}

/// One run in both campaigns.
#[derive(Clone, Debug)]
pub struct Change {
    /// The result of the old campaign.
    pub old: Row,
    /// The result of the new campaign.
    pub new: Row,
}

impl Comparison {
    /// Compares the runs that both files have: the same configuration by name, model and question.
    pub fn new(old: &ResultFile, new: &ResultFile) -> Comparison {
        let new_rows: BTreeMap<_, &Row> = new.rows.iter().map(|row| (row.key(), row)).collect();
        let mut comparison = Comparison::default();
        for old_row in &old.rows {
            match new_rows.get(&old_row.key()) {
                None => comparison.num_missing += 1,
                Some(new_row) => comparison.add(old_row, new_row),
            }
        }
        comparison
    }

    fn add(&mut self, old: &Row, new: &Row) {
        self.num_common += 1;
        let change = || Change { old: old.clone(), new: new.clone() };
        if new.outcome == RowOutcome::Wrong || contradicts(old, new) {
            self.wrong.push(change());
        }
        match (old.outcome.is_solved(), new.outcome.is_solved()) {
            (true, false) => self.lost.push(change()),
            (false, true) => self.gained.push(change()),
            (false, false) => {}
            (true, true) => {
                self.total_seconds[0] += old.cpu_seconds;
                self.total_seconds[1] += new.cpu_seconds;
                if is_slower(old.cpu_seconds, new.cpu_seconds) {
                    self.slower.push(change());
                } else if is_slower(new.cpu_seconds, old.cpu_seconds) {
                    self.quicker.push(change());
                }
            }
        }
    }

    /// Whether all solved tasks together have become slower.
    pub fn is_slower_in_total(&self) -> bool {
        is_slower(self.total_seconds[0], self.total_seconds[1])
    }

    /// Whether something became worse: a wrong answer, a lost or a slower one, or runs that are missing.
    pub fn has_regression(&self) -> bool {
        let lists = [&self.wrong, &self.lost, &self.slower];
        lists.iter().any(|list| !list.is_empty()) || self.num_missing > 0 || self.is_slower_in_total()
    }

    /// The comparison for people; the worst comes first.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let lists = [
            ("wrong", &self.wrong),
            ("lost", &self.lost),
            ("slower", &self.slower),
            ("gained", &self.gained),
            ("quicker", &self.quicker),
        ];
        for (word, list) in lists {
            for Change { old, new } in list {
                text.push_str(&format!(
                    "{word}: {} on {} ({}): {} in {}, was {} in {}\n",
                    new.configuration,
                    new.task,
                    new.property,
                    described(new),
                    seconds(new.cpu_seconds),
                    described(old),
                    seconds(old.cpu_seconds)
                ));
            }
        }
        if self.num_missing > 0 {
            text.push_str(&format!(
                "missing: {} runs of the old results are not in the new ones\n",
                self.num_missing
            ));
        }
        let counts: Vec<String> = lists.iter().map(|(word, list)| format!("{} {word}", list.len())).collect();
        let [old, new] = self.total_seconds.map(seconds);
        text.push_str(&format!(
            "{} runs in both: {}; total {new}, was {old}",
            self.num_common,
            counts.join(", ")
        ));
        text.push_str(if self.is_slower_in_total() { ": slower\n" } else { "\n" });
        text
    }
}

/// Whether both have an answer with checked evidence, but not the same.
fn contradicts(old: &Row, new: &Row) -> bool {
    old.checked && new.checked && old.answer.is_some() && new.answer.is_some() && old.answer != new.answer
}

fn is_slower(old: f64, new: f64) -> bool {
    new > old * SLOWER && new - old > NOISE
}

fn described(row: &Row) -> String {
    let answer = row.answer.map(|answer| format!(" ({})", answer.word())).unwrap_or_default();
    format!("{}{answer}", row.outcome.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use crate::samples::{header, row};

    fn compare(old: Vec<Row>, new: Vec<Row>) -> Comparison {
        let file = |rows| ResultFile { path: "r".into(), header: header(), rows };
        Comparison::new(&file(old), &file(new))
    }

    fn timed(cpu_seconds: f64) -> Row {
        Row { cpu_seconds, ..row("c", "t") }
    }

    #[test]
    fn what_is_the_same_is_no_regression() {
        let comparison = compare(vec![timed(1.0)], vec![timed(1.2)]);
        assert!(!comparison.has_regression(), "{}", comparison.text());
        assert_eq!(
            comparison.text(),
            "1 runs in both: 0 wrong, 0 lost, 0 slower, 0 gained, 0 quicker; total 1.20 s, was 1.00 s\n"
        );
    }

    #[test]
    fn noise_of_short_runs_does_not_count() {
        assert!(!compare(vec![timed(0.1)], vec![timed(0.5)]).has_regression());
        assert!(compare(vec![timed(10.0)], vec![timed(13.5)]).has_regression());
        let quicker = compare(vec![timed(10.0)], vec![timed(2.0)]);
        assert!(!quicker.has_regression() && quicker.quicker.len() == 1);
    }

    #[test]
    fn many_small_slow_downs_add_up() {
        let rows = |seconds| {
            (0..10).map(|task| Row { task: task.to_string(), ..timed(seconds) }).collect::<Vec<_>>()
        };
        let comparison = compare(rows(0.1), rows(0.2));
        assert!(comparison.slower.is_empty() && comparison.has_regression());
        assert!(comparison.text().ends_with("total 2.00 s, was 1.00 s: slower\n"), "{}", comparison.text());
    }

    #[test]
    fn lost_wrong_and_missing_answers_are_regressions() {
        let timeout = || Row { outcome: RowOutcome::Timeout, answer: None, checked: false, ..timed(60.0) };
        let lost = compare(vec![timed(1.0)], vec![timeout()]);
        assert!(
            lost.has_regression() && lost.text().starts_with("lost: c on t (G): timeout"),
            "{}",
            lost.text()
        );
        let gained = compare(vec![timeout()], vec![timed(1.0)]);
        assert!(!gained.has_regression() && gained.gained.len() == 1);
        let wrong = Row { outcome: RowOutcome::Wrong, answer: Some(Answer::Unsafe), ..timed(1.0) };
        assert_eq!(compare(vec![timed(1.0)], vec![wrong]).wrong.len(), 1);
        assert!(compare(vec![timed(1.0)], vec![]).has_regression());
    }

    #[test]
    fn a_contradiction_is_wrong_even_if_nothing_is_stated() {
        let answered = |answer| Row { outcome: RowOutcome::Answered, answer: Some(answer), ..timed(1.0) };
        let comparison = compare(vec![answered(Answer::Safe)], vec![answered(Answer::Unsafe)]);
        assert_eq!(comparison.wrong.len(), 1);
    }
}
