//! The progress of a campaign on standard error: a bar on a terminal, lines elsewhere.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use thetis_base::printable;
use thetis_bench::{Progress, Row, RowOutcome};

use crate::terminal;

pub(super) struct Meter {
    bar: Option<ProgressBar>,
    tally: Mutex<BTreeMap<RowOutcome, usize>>,
}

impl Meter {
    pub(super) fn new() -> Meter {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left, {msg}")
                .expect("the template of the bar should be well-formed");
            ProgressBar::no_length().with_style(style)
        });
        Meter { bar, tally: Mutex::default() }
    }

    /// The results so far, for example `3 correct, 1 timeout`.
    fn summary(&self) -> String {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let parts: Vec<String> =
            tally.iter().map(|(outcome, count)| format!("{count} {}", outcome.word())).collect();
        parts.join(", ")
    }

    /// Counts silently, for results of an earlier invocation.
    pub(super) fn count(&self, row: &Row) {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner).entry(row.outcome).or_default() += 1;
    }

    /// Ends the bar and prints the results.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        terminal::show(&format!("{}\n", self.summary()));
    }

    /// Prints a line, in which the names of tasks are untrusted.
    fn say(&self, line: &str) {
        let line = printable(line);
        match &self.bar {
            Some(bar) => bar.println(line),
            None => terminal::show(&format!("{line}\n")),
        }
    }
}

impl Progress for Meter {
    fn start(&self, num_runs: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(num_runs as u64);
            bar.enable_steady_tick(std::time::Duration::from_millis(500));
        }
    }

    fn finished(&self, row: &Row) {
        self.count(row);
        let line = || {
            let Row { configuration, task, property, outcome, wall_seconds, .. } = row;
            format!("{:<13} {wall_seconds:>8.2} s  {configuration}  {task}  {property}", outcome.word())
        };
        match &self.bar {
            None => self.say(&line()),
            Some(bar) => {
                // On a terminal only what needs attention stays on the screen.
                if row.outcome == RowOutcome::Wrong {
                    self.say(&line());
                }
                bar.set_message(self.summary());
                bar.inc(1);
            }
        }
    }
}
