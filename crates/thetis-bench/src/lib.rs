//! Measuring: task lists, isolated runs, result files, tables, plots and comparisons.
//!
//! A *campaign* runs every task of a list with every configuration. Each is a run of the program `thetis check` in a
//! process group of its own, under limits on time and memory; its result is one line of a JSON file, written as soon as it
//! is available. Everything else is made from such files: tables, plots, comparisons of two builds.

mod campaign;
mod compare;
mod configuration;
mod document;
mod error;
mod execution;
mod machine;
mod outcome;
mod overview;
mod plot;
mod results;
#[cfg(test)]
mod samples;
mod table;
mod task;
mod timed;

pub use campaign::{Campaign, Progress};
pub use compare::{Change, Comparison, NOISE, SLOWER};
pub use configuration::Configuration;
pub use document::{GeneratedPart, regenerate};
pub use error::BenchError;
pub use execution::Limits;
pub use machine::Machine;
pub use outcome::{Answer, RowOutcome};
pub use overview::{
    Column, Confusion, Line, Overview, PREDICTION_KEY, Summary, Transfer, Trial, transfers, trials,
};
pub use plot::{Plot, plots, prediction_plots, to_png};
pub use results::{Header, Journal, ResultFile, Row, merge};
pub use table::{markdown, page, prediction_table, runs_csv, summary_csv, transfer_table};
pub use task::{BenchTask, Expected, Integers, Question, Selection, Share, collect};
pub use timed::TimedFamily;
