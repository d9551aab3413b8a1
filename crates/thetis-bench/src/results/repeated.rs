//! One measurement of the repetitions of a run, as Hajdu and Micskei (2019) make it.
//!
//! A measurement is solved if one of its repetitions is solved; its time is the mean over the solved ones. If none is solved,
//! the first one counts. A wrong answer is never averaged away: the measurement is then that run.

use std::collections::BTreeMap;

use super::Row;
use crate::RowOutcome;

/// The measurements of `rows`, in the order of their first runs.
pub(super) fn measurements(rows: Vec<Row>) -> Vec<Row> {
    let mut numbers: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        let key = (row.configuration.clone(), row.task.clone(), row.property.clone());
        let number = *numbers.entry(key).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(row);
    }
    groups.into_iter().map(measurement).collect()
}

fn measurement(mut runs: Vec<Row>) -> Row {
    runs.sort_by_key(|row| row.repetition);
    if let Some(wrong) = runs.iter().find(|row| row.outcome == RowOutcome::Wrong) {
        return wrong.clone();
    }
    let solved: Vec<&Row> = runs.iter().filter(|row| row.outcome.is_solved()).collect();
    let Some(first) = solved.first() else { return runs.swap_remove(0) };
    let mean =
        |value: fn(&Row) -> f64| solved.iter().map(|row| value(row)).sum::<f64>() / solved.len() as f64;
    Row {
        cpu_seconds: mean(|row| row.cpu_seconds),
        wall_seconds: mean(|row| row.wall_seconds),
        check_seconds: first.check_seconds.map(|_| mean(|row| row.check_seconds.unwrap_or(0.0))),
        peak_memory_bytes: solved.iter().map(|row| row.peak_memory_bytes).max().unwrap_or(0),
        ..(*first).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::row;

    fn run(repetition: u32, outcome: RowOutcome, cpu_seconds: f64) -> Row {
        let answer = outcome.is_solved().then_some(crate::Answer::Safe);
        Row { repetition, outcome, answer, cpu_seconds, ..row("default", "a") }
    }

    #[test]
    fn solved_runs_are_averaged() {
        let runs = vec![
            run(1, RowOutcome::Timeout, 60.0),
            run(2, RowOutcome::Correct, 2.0),
            run(3, RowOutcome::Correct, 4.0),
            row("default", "b"),
        ];
        let measured = measurements(runs);
        assert_eq!(measured.len(), 2);
        assert_eq!((measured[0].outcome, measured[0].cpu_seconds), (RowOutcome::Correct, 3.0));
    }

    #[test]
    fn without_a_solved_run_the_first_counts_and_a_wrong_one_always_does() {
        let failed = vec![run(2, RowOutcome::OutOfMemory, 9.0), run(1, RowOutcome::Timeout, 60.0)];
        assert_eq!(measurements(failed)[0].outcome, RowOutcome::Timeout);
        let wrong = vec![run(1, RowOutcome::Correct, 1.0), run(2, RowOutcome::Wrong, 1.0)];
        assert_eq!(measurements(wrong)[0].outcome, RowOutcome::Wrong);
    }
}
