//! Sums over the results of one configuration.

use crate::{Answer, Row, RowOutcome};

/// The results of some tasks together.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Summary {
    /// How many tasks there are.
    pub num_tasks: usize,
    /// How many of them have a result.
    pub num_runs: usize,
    /// The points of the Competition on Software Verification.
    pub score: i64,
    /// CPU time of the solved tasks.
    pub cpu_seconds: f64,
    /// Wall time of the solved tasks.
    pub wall_seconds: f64,
    /// The greatest memory of a solved task.
    pub peak_memory_bytes: u64,
    /// How many correct answers are `safe`, and how many `unsafe`.
    pub correct: [usize; 2],
    counts: [usize; RowOutcome::ALL.len()],
}

impl Summary {
    pub(super) fn new<'a>(rows: impl Iterator<Item = Option<&'a Row>>) -> Summary {
        let mut summary = Summary::default();
        for row in rows {
            summary.num_tasks += 1;
            if let Some(row) = row {
                summary.add(row);
            }
        }
        summary
    }

    fn add(&mut self, row: &Row) {
        self.num_runs += 1;
        self.counts[row.outcome as usize] += 1;
        self.score += score(row);
        if row.outcome.is_solved() {
            self.cpu_seconds += row.cpu_seconds;
            self.wall_seconds += row.wall_seconds;
            self.peak_memory_bytes = self.peak_memory_bytes.max(row.peak_memory_bytes);
        }
        match (row.outcome, row.answer) {
            (RowOutcome::Correct, Some(Answer::Safe)) => self.correct[0] += 1,
            (RowOutcome::Correct, Some(Answer::Unsafe)) => self.correct[1] += 1,
            _ => {}
        }
    }

    /// How many results have this outcome.
    pub fn count(&self, outcome: RowOutcome) -> usize {
        self.counts[outcome as usize]
    }

    /// How many tasks are solved.
    pub fn num_solved(&self) -> usize {
        RowOutcome::ALL.iter().filter(|outcome| outcome.is_solved()).map(|outcome| self.count(*outcome)).sum()
    }

    /// The share of tasks that are solved.
    pub fn success_rate(&self) -> f64 {
        if self.num_tasks == 0 { 0.0 } else { self.num_solved() as f64 / self.num_tasks as f64 }
    }
}

/// The points of one result: 2 for a right `safe`, 1 for a right `unsafe`, none for an answer without checked evidence, −16
/// for a wrong `unsafe`, −32 for a wrong `safe`. Answers that are neither, and answers to tasks without a stated verdict, have
/// none.
fn score(row: &Row) -> i64 {
    match (row.outcome, row.answer) {
        (RowOutcome::Correct, Some(Answer::Safe)) if row.checked => 2,
        (RowOutcome::Correct, Some(Answer::Unsafe)) if row.checked => 1,
        (RowOutcome::Wrong, Some(Answer::Unsafe)) => -16,
        (RowOutcome::Wrong, Some(Answer::Safe)) => -32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::row;

    #[test]
    fn points_are_those_of_the_competition() {
        let points = |outcome, answer, checked| score(&Row { outcome, answer, checked, ..row("c", "t") });
        assert_eq!(points(RowOutcome::Correct, Some(Answer::Safe), true), 2);
        assert_eq!(points(RowOutcome::Correct, Some(Answer::Unsafe), true), 1);
        assert_eq!(points(RowOutcome::Correct, Some(Answer::Unsafe), false), 0);
        assert_eq!(points(RowOutcome::Correct, Some(Answer::Accepted), false), 0);
        assert_eq!(points(RowOutcome::Wrong, Some(Answer::Safe), true), -32);
        assert_eq!(points(RowOutcome::Wrong, Some(Answer::Unsafe), true), -16);
        assert_eq!(points(RowOutcome::Answered, Some(Answer::Safe), true), 0);
        assert_eq!(points(RowOutcome::Timeout, None, false), 0);
    }

    #[test]
    fn sums_are_over_solved_tasks() {
        let solved = row("c", "a");
        let unsolved = Row { outcome: RowOutcome::Timeout, answer: None, cpu_seconds: 60.0, ..row("c", "b") };
        let summary = Summary::new([Some(&solved), Some(&unsolved), None].into_iter());
        assert_eq!((summary.num_tasks, summary.num_runs, summary.num_solved()), (3, 2, 1));
        assert_eq!((summary.cpu_seconds, summary.score, summary.correct), (1.25, 2, [1, 0]));
        assert_eq!(summary.count(RowOutcome::Timeout), 1);
    }
}
