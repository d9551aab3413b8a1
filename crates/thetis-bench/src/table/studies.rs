//! The tables of two studies, as Markdown: how well timeouts are predicted, and what portfolios gain by passing on facts.

use std::fmt::Write;

use super::markdown::circumstances;
use super::seconds;
use crate::{Confusion, Header, ResultFile, RowOutcome, Trial, transfers, trials};

/// How well predictors do on recorded runs; a sentence if there are none.
pub fn prediction_table(files: &[ResultFile]) -> String {
    let trials = trials(files);
    if trials.is_empty() {
        return "No run of these results has recorded its iterations.\n".to_owned();
    }
    let mut text = String::new();
    let mut last = None;
    for trial in &trials {
        let configuration = &trial.confusion.baseline;
        if last.replace(configuration) != Some(configuration) {
            heading(&mut text, &trial.confusion);
        }
        line(&mut text, trial);
    }
    circumstances(&mut text, &headers(files));
    text
}

fn headers(files: &[ResultFile]) -> Vec<Header> {
    files.iter().map(|file| file.header.clone()).collect()
}

fn heading(text: &mut String, confusion: &Confusion) {
    let Confusion { true_positives, false_positives, false_negatives, true_negatives, .. } = confusion;
    let (timeouts, others) = (true_positives + false_negatives, false_positives + true_negatives);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nRuns of `{}`: {timeouts} timed out, {others} were decided in time.\n\n\
         | predictor | TP | FP | FN | TN | accuracy | precision | recall | specificity | F1 | F1, first half | F1, second half | time saved |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        confusion.baseline
    );
}

fn line(text: &mut String, trial: &Trial) {
    let Confusion { predictor, true_positives, false_positives, false_negatives, true_negatives, .. } =
        &trial.confusion;
    let _ = write!(
        text,
        "| {predictor} | {true_positives} | {false_positives} | {false_negatives} | {true_negatives} |"
    );
    let halves = [&trial.first_half, &trial.second_half].map(f1);
    for value in trial.confusion.measures().iter().map(|(_, value)| *value).chain(halves) {
        match value {
            Some(value) => {
                let _ = write!(text, " {value:.3} |");
            }
            None => text.push_str("  |"),
        }
    }
    let _ = writeln!(text, " {:.0} % |", trial.saved * 100.0);
}

fn f1(confusion: &Confusion) -> Option<f64> {
    confusion.measures().into_iter().find(|(name, _)| *name == "F1").and_then(|(_, value)| value)
}

/// What portfolios gain by passing on facts, for each file.
pub fn transfer_table(files: &[ResultFile]) -> String {
    let mut text = String::new();
    for file in files {
        text.push_str(
            "\n| portfolio | tasks | solved | safe | unsafe | wrong | timeout | other | CPU time of the solved | not by one engine alone | only through transfer |\n\
             | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        let all = transfers(file);
        for one in &all {
            let summary = &one.summary;
            let (wrong, timeouts) = (summary.count(RowOutcome::Wrong), one.num_timeouts());
            let through = one.only_through_transfer.as_ref().map(|tasks| tasks.len().to_string());
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {wrong} | {timeouts} | {} | {} | {} | {} |",
                one.configuration,
                summary.num_tasks,
                summary.num_solved(),
                summary.correct[0],
                summary.correct[1],
                summary.num_tasks - summary.num_solved() - wrong - timeouts,
                seconds(summary.cpu_seconds),
                one.beyond_engines.len(),
                through.unwrap_or_default(),
            );
        }
        for one in &all {
            let tasks = one.only_through_transfer.iter().flatten().map(|task| format!("`{task}`"));
            let tasks: Vec<String> = tasks.collect();
            if !tasks.is_empty() {
                let _ =
                    write!(text, "\n`{}`, only through transfer: {}.\n", one.configuration, tasks.join(", "));
            }
        }
    }
    circumstances(&mut text, &headers(files));
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::result_file;

    #[test]
    fn without_records_the_table_says_so() {
        expect![[r#"
            No run of these results has recorded its iterations.
        "#]]
        .assert_eq(&prediction_table(&[result_file()]));
    }

    #[test]
    fn configurations_without_stages_are_engines_alone() {
        let table = transfer_table(&[result_file()]);
        assert!(table.contains("| `expl_bfs` | 8 | 7 | 4 | 3 | 0 | 1 | 0 | 46.8 s | 0 |  |"), "{table}");
        assert!(table.contains("| `pred_dfs` | 8 | 6 | 3 | 3 | 0 | 1 | 1 | 4.41 s | 0 |  |"), "{table}");
        assert!(!table.contains("only through transfer:"), "{table}");
    }
}
