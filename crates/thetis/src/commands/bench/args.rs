//! The command line of `thetis bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::units::{self, Limit};

/// Measure configurations on many tasks, and show and compare results
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(super) command: BenchCommand,
}

#[derive(Subcommand, Debug)]
pub(super) enum BenchCommand {
    Run(RunArgs),
}

/// Ask every task with every configuration, each run in a process of its own
///
/// Results are appended to a file of JSON lines as they come. Started again with the same arguments, the command goes on
/// where it was interrupted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis bench run tests/tasks --time 10s
  thetis bench run manifest.csv --family cfa --config configs/bmc.toml --config configs/cegar.toml -o cfa.jsonl
  thetis bench run manifest.csv --set svcomp15/loops --verdict safe --sample 20 --time 60s --memory 4G --jobs 2")]
pub(super) struct RunArgs {
    /// The tasks: a manifest (`.csv`), a task definition of BenchExec (`.yml`), or a folder
    pub(super) tasks: PathBuf,

    /// A configuration to measure; can be repeated [default: what `thetis check` does by itself]
    #[arg(long = "config", value_name = "FILE")]
    pub(super) configurations: Vec<PathBuf>,

    /// The wall time of a run
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    pub(super) time: Limit<Duration>,

    /// The CPU time of a run, all its processes together
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = units::time)]
    pub(super) cpu_time: Limit<Duration>,

    /// The memory of a run, all its processes together
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::size)]
    pub(super) memory: Limit<u64>,

    /// How many runs there are at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: u16,

    /// The result file
    #[arg(short, long, value_name = "FILE", default_value = "results.jsonl")]
    pub(super) output: PathBuf,

    /// Only tasks of this family, such as `cfa`; can be repeated, as the other filters
    #[arg(long = "family", value_name = "NAME")]
    pub(super) families: Vec<String>,

    /// Only tasks of this set; `svcomp15` stands for all `svcomp15/...`
    #[arg(long = "set", value_name = "NAME")]
    pub(super) sets: Vec<String>,

    /// Only tasks with this stated verdict: `safe`, `unsafe`, `states`, `accepted`, `rejected`, `unknown`
    #[arg(long = "verdict", value_name = "WORD")]
    pub(super) verdicts: Vec<String>,

    /// Only tasks whose path or question contains this text
    #[arg(long = "name", value_name = "TEXT")]
    pub(super) names: Vec<String>,

    /// Only so many of the tasks, the same ones every time
    #[arg(long, value_name = "N")]
    pub(super) sample: Option<usize>,
}
