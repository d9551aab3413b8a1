//! The command line of `thetis bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use thetis_bench::Share;

use crate::units::{self, Limit};

/// Run configurations on many tasks, and show and compare the results
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(super) command: BenchCommand,
}

#[derive(Subcommand, Debug)]
pub(super) enum BenchCommand {
    Run(Box<RunArgs>),
    Submit(SubmitArgs),
    Merge(MergeArgs),
    Table(TableArgs),
    Compare(CompareArgs),
    /// Evaluate predictors of timeouts on recorded iterations
    ///
    /// The runs must have been made with `cegar.record-iterations`. Prints a Markdown table for each configuration.
    Predictions(PredictionsArgs),
    /// Show what portfolios solve because their stages pass on facts
    ///
    /// Compares the configurations of each file by their stages. Prints a Markdown table for each file.
    Transfer(StudyArgs),
    Document(DocumentArgs),
    Model(ModelArgs),
}

/// Print a model of a family: timed automata in UPPAAL's language, Petri nets in the `.net` language
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis bench model fischer 5 > fischer-5.xta
  thetis bench model chain '1+4*' > chain.net && thetis check chain.net --engine state-equation")]
pub(super) struct ModelArgs {
    /// The family
    #[arg(value_parser = families())]
    pub(super) family: String,

    /// The size: the number of processes, parts, cells, philosophers, nodes or bits; for `chain` as in `1+4` or `1+4*`
    pub(super) size: String,
}

fn families() -> Vec<&'static str> {
    let timed = thetis_bench::TimedFamily::ALL.iter().map(|family| family.name);
    timed.chain(thetis_pnml::families::NetFamily::ALL.iter().map(|family| family.name)).collect()
}

/// Run every task with every configuration, each in its own process
///
/// Results are appended to a file of JSON lines as they arrive. Started again with the same arguments, the command
/// resumes where it was interrupted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis bench run tests/tasks --time 10s
  thetis bench run manifest.csv --family cfa --config configs/bmc.toml --config configs/cegar.toml -o cfa.jsonl
  thetis bench run manifest.csv --family cfa --vary engine=cegar --vary cegar.search=bfs,dfs,err -o search.jsonl
  thetis bench run manifest.csv --set svcomp15/loops --verdict safe --sample 20 --time 60s --memory 4G --jobs 2")]
pub(super) struct RunArgs {
    /// The tasks: a manifest (`.csv`), a task definition of BenchExec (`.yml`), or a folder
    pub(super) tasks: PathBuf,

    /// A configuration to run; can be repeated [default: that of `thetis check`]
    #[arg(long = "config", value_name = "FILE")]
    pub(super) configurations: Vec<PathBuf>,

    /// Run every configuration with each of these values, `KEY=VALUE,VALUE,...`; repeated, all combinations
    #[arg(long = "vary", value_name = "KEY=VALUES")]
    pub(super) variations: Vec<String>,

    /// The wall time of a run
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    pub(super) time: Limit<Duration>,

    /// The CPU time of a run, all its processes together
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = units::time)]
    pub(super) cpu_time: Limit<Duration>,

    /// The memory of a run, all its processes together
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::size)]
    pub(super) memory: Limit<u64>,

    /// How many runs execute at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: u16,

    /// How often each run is repeated; tables show the mean of the solved repetitions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) repeat: u32,

    /// The result file
    #[arg(short, long, value_name = "FILE", default_value = "results.jsonl")]
    pub(super) output: PathBuf,

    /// Only tasks of this family, such as `cfa`; can be repeated, as the other filters
    #[arg(long = "family", value_name = "NAME")]
    pub(super) families: Vec<String>,

    /// Only tasks of this set; `svcomp15` stands for all `svcomp15/...`
    #[arg(long = "set", value_name = "NAME")]
    pub(super) sets: Vec<String>,

    /// Only tasks with this expected verdict: `safe`, `unsafe`, `states`, `accepted`, `rejected`, `unknown`
    #[arg(long = "verdict", value_name = "WORD")]
    pub(super) verdicts: Vec<String>,

    /// Only tasks whose path or property contains this text
    #[arg(long = "name", value_name = "TEXT")]
    pub(super) names: Vec<String>,

    /// Of each set only the first task and every N-th after it, in the order of the list
    #[arg(long, value_name = "N")]
    pub(super) every: Option<NonZeroUsize>,

    /// Only this number of tasks, the same ones every time
    #[arg(long, value_name = "N")]
    pub(super) sample: Option<usize>,

    /// One part of the tasks, for example `3/8`: the third of eight; `thetis bench merge` merges the results
    #[arg(long, value_name = "K/N")]
    pub(super) part: Option<Share>,
}

/// Merge the results of the parts of a campaign
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// The result files of all parts
    #[arg(required = true)]
    pub(super) parts: Vec<PathBuf>,

    /// The result file of the whole campaign
    #[arg(short, long, value_name = "FILE", default_value = "results.jsonl")]
    pub(super) output: PathBuf,
}

/// Write the scripts that run a campaign on a Slurm cluster
///
/// `submit.sh` submits the campaign to Slurm as one array job with a task for each part, and a job that merges the
/// results when all have ended. The arguments after `--` are those of `thetis bench run`, without `--output` and
/// `--part`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis bench submit campaign --parts 64 -- manifest.csv --family c --cpu-time 60s --jobs 4
  campaign/submit.sh && thetis bench table campaign/results.jsonl")]
pub(super) struct SubmitArgs {
    /// The folder for scripts, logs and results, which all nodes can see
    pub(super) folder: PathBuf,

    /// How many parts there are
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(super) parts: u16,

    /// An option of `sbatch` for all jobs, for example `--partition=long`; can be repeated
    #[arg(long = "sbatch", value_name = "OPTION", allow_hyphen_values = true)]
    pub(super) options: Vec<String>,

    /// The arguments of `thetis bench run`
    #[arg(last = true, required = true, value_name = "ARGUMENTS")]
    pub(super) arguments: Vec<String>,
}

/// Show results as tables and plots
///
/// Prints one table, or writes everything into a folder: a page, tables as Markdown and CSV, and all plots as SVG and
/// PNG.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis bench table results.jsonl
  thetis bench table before.jsonl after.jsonl --output report && xdg-open report/index.html")]
pub(super) struct TableArgs {
    /// Result files
    #[arg(required = true)]
    pub(super) results: Vec<PathBuf>,

    /// The folder to write everything to; without it one table goes to standard output
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "format")]
    pub(super) output: Option<PathBuf>,

    /// What goes to standard output
    #[arg(long, value_enum, default_value_t = TableFormat::Markdown)]
    pub(super) format: TableFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum TableFormat {
    /// Tables for people
    Markdown,
    /// Sums for each configuration and set
    Csv,
    /// One line for each run
    RunsCsv,
    /// The whole page with plots
    Html,
}

/// Compare two result files of the same tasks
///
/// Lists every verdict that is wrong, lost, gained, slower or quicker. Exits with 10 if there is a regression: a wrong
/// or lost verdict, or CPU time that has grown by more than 30 % and half a second.
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// The results before
    pub(super) old: PathBuf,

    /// The results after
    pub(super) new: PathBuf,
}

/// Recorded runs, and where drawings go
#[derive(Args, Debug)]
pub(super) struct PredictionsArgs {
    /// Result files
    #[arg(required = true)]
    pub(super) results: Vec<PathBuf>,

    /// Also draw one run for each of Figures 3.9 to 3.13 of Imeri 2025, as SVG files in this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: Option<PathBuf>,
}

/// Result files of a study
#[derive(Args, Debug)]
pub(super) struct StudyArgs {
    /// Result files
    #[arg(required = true)]
    pub(super) results: Vec<PathBuf>,
}

/// Update the tables in a Markdown document
///
/// A table stands between the lines `<!-- bench table FILES -->` and `<!-- end -->`, with result files relative to the
/// document; `predictions` or `transfer` instead of `table` inserts the output of that command. Everything else is
/// unchanged.
#[derive(Args, Debug)]
pub(super) struct DocumentArgs {
    /// The document
    pub(super) document: PathBuf,
}
