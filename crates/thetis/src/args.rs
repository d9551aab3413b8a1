//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::units::{self, Limit};

/// Decides whether a system can reach a bad state, and certifies every answer before it is printed.
#[derive(Parser, Debug)]
#[command(name = "thetis", version, max_term_width = 100, subcommand_required = true)]
#[command(after_help = "\
Examples:
  thetis check examples/traffic-light.cfa
  thetis check model.cfa --engine bmc --set bmc.max-bound=20 --time 10s --format json
  thetis check model.cfa --certificate proof.json && thetis certify model.cfa proof.json
  thetis convert model.cfa --to dot | dot -Tsvg > model.svg

Exit codes: 0 safe, 10 unsafe, 5 unknown, 1 usage, 2 input rejected, 6 internal error.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(CheckArgs),
    Certify(CertifyArgs),
    Convert(ConvertArgs),
    /// List the engines, what they can answer, and their options with defaults
    Engines,
    /// Generate shell completions and the manual page
    Generate(GenerateArgs),
}

/// Decide whether the model can reach a bad state
///
/// The verdict line goes to standard output: `safe`, `unsafe`, or `unknown` with the reason. Everything else, such as the
/// steps of a violation, goes to standard error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis check examples/traffic-light.cfa
  thetis check model.cfa --time 5m --memory 4G -v
  thetis check circuit.aig --engine ic3
  thetis check net.pnml --property deadlock
  thetis check net.pnml --target 'p0 >= 1 and p1 + 2*p2 = 3' --engine state-equation
  thetis check model.cfa --config configs/bmc.toml --format json > result.json")]
pub(crate) struct CheckArgs {
    /// The model: `.cfa` (automaton), `.sts` or `.system` (transition system), `.aag` or `.aig` (circuit), `.pnml` or
    /// `.net` (Petri net)
    pub(crate) file: PathBuf,

    /// The property. Automata: `error-location`, the default. Transition systems: `G` or a name. Circuits: `b0`, `o0`, …
    /// or all of them, the default. Petri nets: `EF e`, `AG e`, `deadlock`, `one-safe`,
    /// `state-space`, or `FILE.xml#NAME` for a property of the Model Checking Contest
    #[arg(long)]
    pub(crate) property: Option<String>,

    /// Ask whether a marking of a Petri net is reachable, for example `p0 >= 1 and p1 + 2*p2 = 3`
    #[arg(long, value_name = "EXPR", conflicts_with = "property")]
    pub(crate) target: Option<String>,

    /// The engine; see `thetis engines` [default: auto]
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<String>,

    /// A configuration file, such as those in `configs/`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Change one option of the configuration, for example `bmc.max-bound=20`; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    /// Write the evidence for the verdict to a file, for `thetis certify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write the run that violates a property of a circuit, in the witness format of AIGER
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,

    /// The form of the result on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Show progress and statistics on standard error
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// Check the evidence that `thetis check --certificate` wrote
///
/// Uses only the independent checker, no engine. Prints `safe` or `unsafe` if the evidence is accepted.
#[derive(Args, Debug)]
pub(crate) struct CertifyArgs {
    /// The model for which the evidence was made
    pub(crate) file: PathBuf,

    /// The evidence
    pub(crate) certificate: PathBuf,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

/// Write the model in another form
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis convert model.cfa --to dot | dot -Tsvg > model.svg
  thetis convert model.cfa --to smt-lib --bound 5 | z3 -in")]
pub(crate) struct ConvertArgs {
    /// The model: `.cfa`, `.sts`, `.system`, `.aag`, `.aig`, `.pnml` or `.net`
    pub(crate) file: PathBuf,

    /// The form to write
    #[arg(long, value_enum)]
    pub(crate) to: Target,

    /// How many back edges the unrolling of `--to smt-lib` allows
    #[arg(long, default_value_t = 10)]
    pub(crate) bound: u32,

    /// Where to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Generated {
    /// Completions for a shell, to standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual pages, as files
    Man {
        /// The folder to write to
        folder: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct BudgetArgs {
    /// The wall time, for example `60s`, `5m` or `none`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    pub(crate) time: Limit<Duration>,

    /// The CPU time
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = units::time)]
    pub(crate) cpu_time: Limit<Duration>,

    /// The memory, for example `4G`, `512M` or `none`
    #[arg(long, value_name = "SIZE", default_value = "none", value_parser = units::size)]
    pub(crate) memory: Limit<u64>,
}

#[derive(Args, Debug)]
pub(crate) struct SolverArgs {
    /// A solver process to use instead of the built-in Z3, as a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) solver: Option<PathBuf>,

    /// Write all queries as SMT-LIB scripts into a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) smt_log: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// One verdict line
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Target {
    /// The `.cfa` language
    Cfa,
    /// The `.net` language
    Net,
    /// PNML
    Pnml,
    /// The language of Graphviz
    Dot,
    /// An SMT-LIB script that is satisfiable iff a violation is within `--bound`
    SmtLib,
}
