//! Results as Markdown.

use std::fmt::Write;

use super::{bytes, seconds};
use crate::overview::Confusion;
use crate::{Header, Overview, RowOutcome, Summary};

/// The tables: all results by configuration, solved tasks by set, what is wrong, and what was measured where.
pub fn markdown(overview: &Overview) -> String {
    let mut text = String::new();
    by_configuration(&mut text, overview);
    by_set(&mut text, overview);
    trouble(&mut text, overview);
    predictions(&mut text, overview);
    circumstances(&mut text, &overview.headers);
    text
}

fn by_configuration(text: &mut String, overview: &Overview) {
    text.push_str(
        "| configuration | tasks | solved | safe | unsafe | wrong | unknown | timeout | out of memory | error | unsupported | score | CPU time | wall time | memory |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (number, column) in overview.columns.iter().enumerate() {
        configuration(text, &format!("`{}`", column.label), &overview.summary(number, None));
    }
    configuration(text, "virtual best", &overview.virtual_best(None));
    text.push_str(
        "\nSolved tasks have the expected verdict, or any verdict if none is expected. Times are sums over solved tasks, memory is their maximum.\n",
    );
}

fn configuration(text: &mut String, label: &str, summary: &Summary) {
    let count = |outcome| summary.count(outcome);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "| {label} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        summary.num_tasks,
        summary.num_solved(),
        summary.correct[0],
        summary.correct[1],
        count(RowOutcome::Wrong),
        count(RowOutcome::Unknown),
        count(RowOutcome::Timeout),
        count(RowOutcome::OutOfMemory),
        count(RowOutcome::Error),
        count(RowOutcome::Unsupported),
        summary.score,
        seconds(summary.cpu_seconds),
        seconds(summary.wall_seconds),
        bytes(summary.peak_memory_bytes),
    );
}

fn by_set(text: &mut String, overview: &Overview) {
    if overview.sets.len() < 2 {
        return;
    }
    text.push_str("\n| set | tasks |");
    for column in &overview.columns {
        let _ = write!(text, " `{}` |", column.label);
    }
    text.push_str(" virtual best |\n| --- | ---: |");
    text.push_str(&" ---: |".repeat(overview.columns.len() + 1));
    text.push('\n');
    for (set, count) in &overview.sets {
        let _ = write!(text, "| {set} | {count} |");
        for number in 0..overview.columns.len() {
            let _ = write!(text, " {} |", solved(&overview.summary(number, Some(set))));
        }
        let _ = writeln!(text, " {} |", solved(&overview.virtual_best(Some(set))));
    }
}

fn solved(summary: &Summary) -> String {
    match summary.count(RowOutcome::Wrong) {
        0 => format!("{} in {}", summary.num_solved(), seconds(summary.cpu_seconds)),
        wrong => format!("{} in {}, **{wrong} wrong**", summary.num_solved(), seconds(summary.cpu_seconds)),
    }
}

fn trouble(text: &mut String, overview: &Overview) {
    let wrong: Vec<String> = overview
        .wrong()
        .map(|row| {
            format!(
                "* **wrong**: `{}` on {} (`{}`), expected {}",
                row.configuration, row.task, row.property, row.expected
            )
        })
        .collect();
    let disagreements: Vec<String> = overview
        .disagreements()
        .map(|line| format!("* **disagreement** of configurations: {} (`{}`)", line.task, line.property))
        .collect();
    if wrong.len() + disagreements.len() > 0 {
        let _ = writeln!(text, "\n{}", [wrong, disagreements].concat().join("\n"));
    }
}

fn predictions(text: &mut String, overview: &Overview) {
    for confusion in Confusion::all(overview) {
        let measures: Vec<String> = confusion
            .measures()
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} {:.3}", value?)))
            .collect();
        let _ = writeln!(
            text,
            "\nTimeouts predicted by `{}`, against `{}`: {} right and {} wrong predictions, {} timeouts missed, {} runs left alone; {}.",
            confusion.predictor,
            confusion.baseline,
            confusion.true_positives,
            confusion.false_positives,
            confusion.false_negatives,
            confusion.true_negatives,
            measures.join(", ")
        );
    }
}

/// What was measured where, and under which limits.
pub(super) fn circumstances(text: &mut String, headers: &[Header]) {
    let mut said: Vec<String> = Vec::new();
    for header in headers {
        let limits = &header.limits;
        let time = match (limits.cpu_seconds, limits.wall_seconds) {
            (Some(limit), _) => format!("{limit} s of CPU time"),
            (None, Some(limit)) => format!("{limit} s"),
            (None, None) => "no limit of time".to_owned(),
        };
        let memory = limits.memory_bytes.map_or_else(|| "no limit of memory".to_owned(), bytes);
        let words = format!(
            "thetis {} ({}), {time} and {memory} for each run, {} at a time; {}.",
            header.thetis,
            header.program_sha256.get(..8).unwrap_or(&header.program_sha256),
            header.jobs,
            header.machine.describe()
        );
        if !said.contains(&words) {
            let _ = writeln!(text, "\n{words}");
            said.push(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::result_file;

    #[test]
    fn tables_say_it_all() {
        expect![[r#"
            | configuration | tasks | solved | safe | unsafe | wrong | unknown | timeout | out of memory | error | unsupported | score | CPU time | wall time | memory |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            | `expl_bfs` | 8 | 7 | 4 | 3 | 0 | 0 | 1 | 0 | 0 | 0 | 11 | 46.8 s | 51.4 s | 52.4 MB |
            | `expl_dfs` | 8 | 6 | 4 | 2 | 1 | 0 | 1 | 0 | 0 | 0 | -22 | 33.8 s | 37.2 s | 52.4 MB |
            | `pred_bfs` | 8 | 7 | 4 | 3 | 0 | 0 | 1 | 0 | 0 | 0 | 11 | 7.84 s | 8.62 s | 52.4 MB |
            | `pred_dfs` | 8 | 6 | 3 | 3 | 0 | 0 | 1 | 1 | 0 | 0 | 9 | 4.41 s | 4.85 s | 52.4 MB |
            | virtual best | 8 | 7 | 4 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 11 | 7.84 s | 8.62 s | 52.4 MB |

            Solved tasks have the expected verdict, or any verdict if none is expected. Times are sums over solved tasks, memory is their maximum.

            | set | tasks | `expl_bfs` | `expl_dfs` | `pred_bfs` | `pred_dfs` | virtual best |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: |
            | cfa/large | 4 | 3 in 43.2 s | 2 in 30.3 s, **1 wrong** | 3 in 6.84 s | 2 in 3.41 s | 3 in 6.84 s |
            | cfa/small | 4 | 4 in 3.54 s | 4 in 3.54 s | 4 in 1.00 s | 4 in 1.00 s | 4 in 1.00 s |

            * **wrong**: `expl_dfs` on t5.cfa (`G`), expected unsafe
            * **disagreement** of configurations: t5.cfa (`G`)

            thetis 0.1.0 (00), 60 s and 4.29 GB for each run, 2 at a time; abacus, 2 cores, 16 GiB, Linux.
        "#]].assert_eq(&markdown(&Overview::new(&[result_file()])));
    }
}
