//! A campaign: every task with every configuration.
//!
//! Runs start in the order of the tasks, and for one task in the order of the configurations, so that results to be compared
//! are measured under the same circumstances. Repetitions start after everything has been run once. A run whose result is in
//! the journal is not repeated.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::execution::{GRACE, execute};
use crate::results::{Journal, Key, Row};
use crate::task::{BenchTask, Integers};
use crate::{BenchError, Configuration, Limits};

/// What is run, with what, and how.
#[derive(Debug)]
pub struct Campaign<'a> {
    /// The program `thetis`.
    pub program: &'a Path,
    /// The tasks.
    pub tasks: &'a [BenchTask],
    /// The configurations.
    pub configurations: &'a [Configuration],
    /// What each run may use.
    pub limits: Limits,
    /// How many runs are made at the same time.
    pub jobs: usize,
    /// How often each run is made.
    pub repeat: u32,
    /// The argument of `--set` for unbounded integers, if the program has such an option. Without it a verdict that is
    /// stated for unbounded integers says nothing about the answer; see [`Campaign::comparable`].
    pub unbounded_integers: Option<&'a str>,
}

/// What is reported while a campaign runs.
pub trait Progress: Sync {
    /// This many runs will be made.
    fn start(&self, num_runs: usize);
    /// A run has ended and its result is written.
    fn finished(&self, row: &Row);
}

impl Campaign<'_> {
    /// Makes all runs whose results are not in the journal. Ends early, without an error, once `cancel` is set;
    /// unfinished runs leave nothing behind.
    pub fn run(
        &self,
        journal: &mut Journal,
        progress: &dyn Progress,
        cancel: &AtomicBool,
    ) -> Result<(), BenchError> {
        let pairs: Vec<(&BenchTask, &Configuration)> = self
            .tasks
            .iter()
            .flat_map(|task| self.configurations.iter().map(move |configuration| (task, configuration)))
            .collect();
        let pending: Vec<PendingRun> = (1..=self.repeat)
            .flat_map(|repetition| {
                pairs.iter().map(move |(task, configuration)| PendingRun { task, configuration, repetition })
            })
            .filter(|pending| !journal.contains(&pending.key()))
            .collect();
        progress.start(pending.len());
        let next = AtomicUsize::new(0);
        let journal = Mutex::new(journal);
        let failure = Mutex::new(None);
        let stop = Stop { cancel, failed: AtomicBool::new(false) };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, pending.len().max(1)) {
                scope.spawn(|| {
                    let outcome = self.work(&pending, &next, &journal, progress, &stop);
                    if let Err(error) = outcome {
                        stop.failed.store(true, Ordering::Relaxed);
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                });
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Executes one run after the other until there are no more, or all have to stop.
    fn work(
        &self,
        pending: &[PendingRun<'_>],
        next: &AtomicUsize,
        journal: &Mutex<&mut Journal>,
        progress: &dyn Progress,
        stop: &Stop<'_>,
    ) -> Result<(), BenchError> {
        while !stop.is_set()
            && let Some(PendingRun { task, configuration, repetition }) =
                pending.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let mut command = self.command(task, configuration);
            let finished = execute(&mut command, &self.limits, GRACE, stop.cancel).map_err(|error| {
                BenchError::Process { program: self.program.display().to_string(), error }
            })?;
            let Some(finished) = finished else { break };
            let row = Row::new(&self.comparable(task), configuration, *repetition, &finished);
            journal.lock().unwrap_or_else(PoisonError::into_inner).append(&row)?;
            progress.finished(&row);
        }
        Ok(())
    }

    /// The command for one run. Tasks that only read a model use `thetis convert`, interpolants `thetis interpolate`, and everything
    /// else `thetis check`.
    fn command(&self, task: &BenchTask, configuration: &Configuration) -> Command {
        let mut command = Command::new(self.program);
        if task.question.is_parse() {
            let extension = task.file.extension().and_then(|extension| extension.to_str());
            let form = match extension {
                Some("pnml" | "net") => "net",
                Some("xta" | "ta" | "xml" | "tck") => "dot",
                _ => "cfa",
            };
            command.arg("convert").arg(&task.file).args(&task.further).args(["--to", form]);
            return command;
        }
        if task.question.is_interpolant() {
            command.arg("interpolate").arg(&task.file).args(["--format", "json"]);
            self.limit(&mut command, configuration);
            return command;
        }
        command.arg("check").arg(&task.file).args(&task.further);
        command.args(["--format", "json", "--summary", "--end-with-parent"]);
        let question = &task.question;
        let options = [
            ("--property", &question.property),
            ("--data-model", &question.data_model),
            ("--arithmetic", &question.arithmetic),
        ];
        for (option, value) in options {
            if let Some(value) = value {
                command.args([option, value]);
            }
        }
        if task.is_c_program() {
            command.args(["--externals", "svcomp"]);
        }
        if question.words.starts_with("solc-verify") {
            command.args(["--callees", "solc-verify"]);
        }
        if let (Integers::Unbounded, Some(setting)) = (question.integers, self.unbounded_integers) {
            command.args(["--set", setting]);
        }
        self.limit(&mut command, configuration);
        // Rows that run at the same time share the cores.
        if self.jobs > 1 {
            command.args(["--jobs", "1"]);
        }
        command
    }

    /// Adds the configuration and the limits.
    fn limit(&self, command: &mut Command, configuration: &Configuration) {
        if let Some(file) = &configuration.file {
            command.arg("--config").arg(file);
        }
        command.args(configuration.settings.iter().flat_map(|setting| ["--set", setting]));
        command.args(["--time", &seconds(self.limits.wall_seconds)]);
        command.args(["--cpu-time", &seconds(self.limits.cpu_seconds)]);
        let memory = self.limits.memory_bytes.map_or_else(|| "none".to_owned(), |bytes| bytes.to_string());
        command.args(["--memory", &memory]);
    }

    /// The task with the verdict that the answer can be compared with: none if the stated one is for unbounded integers and
    /// the program uses machine integers.
    fn comparable(&self, task: &BenchTask) -> BenchTask {
        let mut task = task.clone();
        if task.question.integers == Integers::Unbounded && self.unbounded_integers.is_none() {
            task.expected = crate::Expected::Unstated;
        }
        task
    }
}

/// Why workers have to stop.
struct Stop<'a> {
    /// A stop was requested.
    cancel: &'a AtomicBool,
    /// Another worker has failed.
    failed: AtomicBool,
}

impl Stop<'_> {
    fn is_set(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }
}

/// A run that is still to be made.
struct PendingRun<'a> {
    task: &'a BenchTask,
    configuration: &'a Configuration,
    repetition: u32,
}

impl PendingRun<'_> {
    fn key(&self) -> Key {
        let PendingRun { task, configuration, repetition } = self;
        (configuration.name.clone(), task.name.clone(), task.question.words.clone(), *repetition)
    }
}

fn seconds(limit: Option<f64>) -> String {
    limit.map_or_else(|| "none".to_owned(), |seconds| format!("{}ms", (seconds * 1000.0).round()))
}
