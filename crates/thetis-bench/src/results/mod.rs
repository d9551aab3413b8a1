//! Results as JSON lines: a header that says what was measured where, then one line for each run.
//!
//! The fields are documented in the manual. A field is only ever added; `version` grows when one changes its meaning.

mod journal;
mod merge;
mod repeated;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::execution::{End, Finished};
use crate::outcome::Observation;
use crate::task::{BenchTask, Selection};
use crate::{Answer, BenchError, Configuration, Limits, Machine, RowOutcome};

pub use journal::Journal;
pub use merge::merge;

/// The first line of a result file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Header {
    /// Always `thetis-bench`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the measured program.
    pub thetis: String,
    /// The SHA-256 of the measured program: results of two builds are never mixed.
    pub program_sha256: String,
    /// When the campaign started, in UTC.
    pub started: String,
    /// Where it ran.
    pub machine: Machine,
    /// What each run could use.
    pub limits: Limits,
    /// How many runs there were at the same time.
    pub jobs: usize,
    /// How often each run was made.
    #[serde(default = "once")]
    pub repeat: u32,
    /// The task list as it was given.
    pub tasks: String,
    /// Which of its tasks were run.
    pub selection: Selection,
    /// How many that are.
    pub num_tasks: usize,
    /// The configurations.
    pub configurations: Vec<Configuration>,
}

impl Header {
    /// What [`Header::format`] always is.
    pub const FORMAT: &str = "thetis-bench";
    /// The version of the format that this program writes.
    pub const VERSION: u32 = 1;

    /// The present, for [`Header::started`].
    pub fn now() -> String {
        humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
    }
}

/// Files from before there were repetitions.
fn once() -> u32 {
    1
}

/// The result of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// The name of the configuration.
    pub configuration: String,
    /// The model, relative to the task list.
    pub task: String,
    /// The question as written in the task list.
    pub property: String,
    /// Which of the repetitions of this run it is, from 1.
    #[serde(default = "once")]
    pub repetition: u32,
    /// The family of the task.
    pub family: String,
    /// The set of the task.
    pub set: String,
    /// The stated verdict.
    pub expected: String,
    /// How the run compares with it.
    pub outcome: RowOutcome,
    /// What the run answered.
    pub answer: Option<Answer>,
    /// Whether the evidence of the answer was accepted by the checker.
    pub checked: bool,
    /// Why there is no answer.
    pub message: Option<String>,
    /// Wall time of the whole process.
    pub wall_seconds: f64,
    /// CPU time of the process and those it waited for.
    pub cpu_seconds: f64,
    /// The time of the checker.
    pub check_seconds: Option<f64>,
    /// The greatest resident memory.
    pub peak_memory_bytes: u64,
    /// How the process ended.
    pub(crate) end: End,
    /// The figures of the run, as in the report.
    pub statistics: Value,
}

/// What identifies a run in a campaign: configuration, model, question, repetition.
pub(crate) type Key = (String, String, String, u32);

impl Row {
    pub(crate) fn new(
        task: &BenchTask,
        configuration: &Configuration,
        repetition: u32,
        finished: &Finished,
    ) -> Row {
        let Observation { outcome, answer, report, message } = Observation::new(task, finished);
        let report = report.unwrap_or_default();
        Row {
            configuration: configuration.name.clone(),
            task: task.name.clone(),
            property: task.question.words.clone(),
            repetition,
            family: task.family.clone(),
            set: task.set.clone(),
            expected: task.expected.to_string(),
            outcome,
            answer,
            checked: report["checked"].as_bool().unwrap_or(false),
            message,
            wall_seconds: finished.wall.as_secs_f64(),
            cpu_seconds: finished.cpu.as_secs_f64(),
            check_seconds: report["check-seconds"].as_f64(),
            peak_memory_bytes: finished.peak_memory,
            end: finished.end,
            statistics: report["statistics"].clone(),
        }
    }

    pub(crate) fn key(&self) -> Key {
        (self.configuration.clone(), self.task.clone(), self.property.clone(), self.repetition)
    }

    /// The task of the row, for comparisons across configurations.
    pub fn task_key(&self) -> (&str, &str) {
        (&self.task, &self.property)
    }
}

/// A result file that was read.
#[derive(Clone, Debug)]
pub struct ResultFile {
    /// Where it was.
    pub path: PathBuf,
    /// Its first line.
    pub header: Header,
    /// Its results, sorted by task and configuration.
    pub rows: Vec<Row>,
}

impl ResultFile {
    /// Reads a result file, finished or not, with one row for all repetitions of a run; a torn last line is left out.
    pub fn read(path: &Path) -> Result<ResultFile, BenchError> {
        let file = ResultFile::read_runs(path)?;
        Ok(ResultFile { rows: repeated::measurements(file.rows), ..file })
    }

    /// The same with a row for each run.
    pub fn read_runs(path: &Path) -> Result<ResultFile, BenchError> {
        let bytes = std::fs::read(path).map_err(|error| BenchError::file(path, error))?;
        let (header, mut rows, _) = journal::parse(path, &bytes)?;
        let header = header.ok_or_else(|| BenchError::results(path, "the file has no header"))?;
        let rank = |row: &Row| header.configurations.iter().position(|one| one.name == row.configuration);
        rows.sort_by(|a, b| a.task_key().cmp(&b.task_key()).then(rank(a).cmp(&rank(b))));
        Ok(ResultFile { path: path.to_path_buf(), header, rows })
    }
}
