//! Results as CSV, for other programs.

use crate::{Answer, Overview, RowOutcome, Summary};

/// One line for each configuration and set; the set `all` has the sums. The configuration `virtual best` is among them.
pub fn summary_csv(overview: &Overview) -> String {
    let mut head: Vec<&str> = vec!["configuration", "set", "tasks", "runs", "solved"];
    head.extend(RowOutcome::ALL.map(RowOutcome::word));
    head.extend(["score", "cpu-seconds", "wall-seconds", "peak-memory-bytes"]);
    let mut records = vec![head.iter().map(|word| (*word).to_owned()).collect()];
    let sets: Vec<Option<&str>> =
        overview.sets.iter().map(|(set, _)| Some(set.as_str())).chain([None]).collect();
    for (number, column) in overview.columns.iter().enumerate() {
        for set in &sets {
            records.push(summary_record(&column.label, *set, &overview.summary(number, *set)));
        }
    }
    for set in &sets {
        records.push(summary_record("virtual best", *set, &overview.virtual_best(*set)));
    }
    text(&records)
}

fn summary_record(label: &str, set: Option<&str>, summary: &Summary) -> Vec<String> {
    let mut record = vec![label.to_owned(), set.unwrap_or("all").to_owned()];
    record.extend([summary.num_tasks, summary.num_runs, summary.num_solved()].map(|count| count.to_string()));
    record.extend(RowOutcome::ALL.map(|outcome| summary.count(outcome).to_string()));
    record.push(summary.score.to_string());
    record.extend([summary.cpu_seconds, summary.wall_seconds].map(|seconds| format!("{seconds:.3}")));
    record.push(summary.peak_memory_bytes.to_string());
    record
}

/// One line for each run.
pub fn runs_csv(overview: &Overview) -> String {
    let head = [
        "set",
        "task",
        "property",
        "expected",
        "configuration",
        "outcome",
        "answer",
        "checked",
        "cpu-seconds",
        "wall-seconds",
        "peak-memory-bytes",
        "message",
    ];
    let mut records: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    for line in &overview.lines {
        for (row, column) in line.rows.iter().zip(&overview.columns) {
            let Some(row) = row else { continue };
            records.push(vec![
                line.set.clone(),
                line.task.clone(),
                line.property.clone(),
                line.expected.clone(),
                column.label.clone(),
                row.outcome.word().to_owned(),
                row.answer.map_or("", Answer::word).to_owned(),
                row.checked.to_string(),
                format!("{:.3}", row.cpu_seconds),
                format!("{:.3}", row.wall_seconds),
                row.peak_memory_bytes.to_string(),
                row.message.clone().unwrap_or_default(),
            ]);
        }
    }
    text(&records)
}

fn text(records: &[Vec<String>]) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).expect("writing records of one length to memory should succeed");
    }
    let bytes = writer.into_inner().expect("writing to memory should succeed");
    String::from_utf8(bytes).expect("records should be text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::result_file;

    #[test]
    fn every_run_and_every_sum_has_a_line() {
        let overview = Overview::new(&[result_file()]);
        assert_eq!(runs_csv(&overview).lines().count(), 1 + 8 * 4);
        let summary = summary_csv(&overview);
        assert_eq!(summary.lines().count(), 1 + 5 * 3);
        let line = summary.lines().find(|line| line.starts_with("expl_dfs,all")).unwrap();
        assert!(line.starts_with("expl_dfs,all,8,8,6,6,1,0,0,1,0,0,0,-22,"), "{line}");
    }
}
