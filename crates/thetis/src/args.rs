//! The command line.

mod compiler_style;
mod question;
mod suggested;

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use thetis_base::Budget;
use thetis_report::{Detail, Extent, Unknowns};

use crate::commands::bench::BenchArgs;
use crate::commands::launch::LaunchArgs;
use crate::units::{self, Limit};

use suggested::Suggested;

pub(crate) use compiler_style::respelled;
pub(crate) use question::{CalleesArg, Externals, Numbers, QuestionArgs, is_version_of_c};

/// The headings of groups of options.
const ENGINES: &str = "Engines";
const LIMITS: &str = "Limits";
const TRUST: &str = "Solvers and trust";
const FILES: &str = "Files to write";
const OUTPUT: &str = "What is printed";

/// Decides whether a system can reach a bad state, and certifies every verdict before it is printed.
#[derive(Parser, Debug)]
#[command(name = "thetis", version, max_term_width = 100, subcommand_required = true)]
#[command(after_help = "\
Examples:
  thetis check program.c
  thetis check main.c ring.c -I include --property all
  thetis check program.c --report page.html
  thetis check model.cfa --certificate proof.json && thetis certify model.cfa proof.json
  thetis convert model.cfa --to dot | dot -Tsvg > model.svg

Exit codes: 0 safe, 10 unsafe, 5 unknown, 1 usage, 2 input rejected, 6 internal error.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print nothing on standard error, unless something prevents a verdict
    #[arg(short, long, global = true, display_order = 900)]
    pub(crate) quiet: bool,

    /// Whether messages are coloured; `auto` follows the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto, hide_default_value = true, display_order = 901)]
    pub(crate) color: ColorArg,
}

/// When messages are coloured
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(Box<CheckArgs>),
    Certify(CertifyArgs),
    Convert(ConvertArgs),
    Interpolate(InterpolateArgs),
    Bench(BenchArgs),
    Engines(EnginesArgs),
    /// Generate shell completions and the manual page
    Generate(GenerateArgs),
    #[command(hide = true)]
    Worker(WorkerArgs),
    #[command(hide = true)]
    Solver,
    #[command(hide = true)]
    Launch(LaunchArgs),
}

/// Decide whether the model can reach a bad state
///
/// The verdict line goes to standard output: `safe`, `unsafe`, or `unknown` with the reason. Everything else, such as the
/// steps of a violation, goes to standard error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis check program.c
  thetis check main.c ring.c -I include -D NDEBUG -std=c99 --property all
  thetis check --project build --property no-overflow --property valid-memsafety
  thetis check library.c --function '*' --property all --time 5m
  thetis check program.c --report page.html --certificate proof.json
  thetis check circuit.aig --engine ic3
  thetis check net.pnml --property deadlock
  thetis check net.pnml --target 'p0 >= 1 and p1 + 2*p2 = 3' --engine state-equation
  thetis check model.cfa --engine cegar --set cegar.domain=expl --arg graph.dot
  thetis check model.cfa --config configs/bmc.toml --format json > result.json

Exit codes: 0 safe, 10 unsafe, 5 unknown, 1 usage, 2 input rejected, 6 internal error.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// The engine; see `thetis engines` [default: auto]
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = Suggested::Engines, help_heading = ENGINES)]
    pub(crate) engine: Option<String>,

    /// A configuration file, such as those in `configs/`
    #[arg(long, value_name = "FILE", help_heading = ENGINES)]
    pub(crate) config: Option<PathBuf>,

    /// Change one option of the configuration, for example `bmc.max-bound=20`; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", hide_possible_values = true, value_parser = Suggested::Settings, help_heading = ENGINES)]
    pub(crate) settings: Vec<String>,

    /// Check only one assertion of a C program, the N-th in text order, or the N-th operation that could violate
    /// another property; the same as `--set c.assertion=N`
    #[arg(long, value_name = "N", help_heading = question::C_PROGRAMS)]
    pub(crate) assertion: Option<NonZero<u32>>,

    /// How many stages of a portfolio may run side by side [default: the number of cores, or 1 with --cpu-time]
    #[arg(long, value_name = "N", help_heading = ENGINES)]
    pub(crate) jobs: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    /// Write the evidence for the verdict to a file, for `thetis certify`
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    pub(crate) certificate: Option<PathBuf>,

    /// Try the facts of an earlier run, possibly on another version of the program: a file of `--facts-out`, a
    /// certificate, or a witness for a C program
    #[arg(long, value_name = "FILE", help_heading = ENGINES)]
    pub(crate) facts: Option<PathBuf>,

    /// Write the facts that the run finds, for `--facts` of a later run, even if it ends undecided; as a witness for a
    /// C program if the name ends in `.yml`
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    pub(crate) facts_out: Option<PathBuf>,

    /// Draw the abstract reachability graph that the engine `cegar` ends with, in the language of Graphviz
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    pub(crate) arg: Option<PathBuf>,

    /// Draw the solution space that the engine `state-equation` has searched for a Petri net, in the language of
    /// Graphviz
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    pub(crate) solution_space: Option<PathBuf>,

    /// Write a page about the run: verdict, source with the run or the invariants, graph, statistics
    #[arg(long, value_name = "FILE.html", help_heading = FILES)]
    pub(crate) report: Option<PathBuf>,

    /// Write the evidence in the witness format of the language: of AIGER for a circuit that violates its property, of the
    /// competition on software verification (version 2.0) for a C program, the runs of UPPAAL's verifier for timed automata
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    pub(crate) witness: Option<PathBuf>,

    /// Write a C file that, compiled together with the C program, makes the program violate its property
    #[arg(long, value_name = "FILE.c", help_heading = FILES)]
    pub(crate) harness: Option<PathBuf>,

    /// Write tests of a C program into a folder: one for each branch and failing check that no earlier test reaches
    #[arg(long, value_name = "DIR", help_heading = FILES)]
    pub(crate) tests: Option<PathBuf>,

    /// The form of the tests
    #[arg(long, value_enum, value_name = "FORM", default_value_t = TestsFormat::C, requires = "tests", help_heading = FILES)]
    pub(crate) tests_format: TestsFormat,

    /// Write a Solidity contract that is checked as a whole with the invariants that were inferred, as annotations
    #[arg(long, value_name = "FILE.sol", help_heading = FILES)]
    pub(crate) write_annotations: Option<PathBuf>,

    /// If a C program violates its property, compile and run it to confirm the violation
    #[arg(long)]
    pub(crate) confirm: bool,

    /// The form of the result on standard output
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = OUTPUT)]
    pub(crate) format: Format,

    /// Leave the steps of a violation and the certificate, which can be long, out of a report as JSON
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) summary: bool,

    /// Show all steps of a violation, also irrelevant ones
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) full: bool,

    /// Let SARIF logs list undecided checks as results too, not only failures
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) sarif_unknowns: bool,

    /// Show progress and statistics on standard error
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) verbose: bool,

    /// Stop at the first check that fails
    #[arg(long)]
    pub(crate) stop_at_first: bool,

    /// Where a check of several writes its SARIF log
    #[arg(long, hide = true, value_name = "FILE")]
    pub(crate) sarif_log: Option<PathBuf>,

    /// A file that the program which started this one will write, so it must not be an input
    #[arg(long, hide = true, value_name = "FILE")]
    pub(crate) spared: Vec<PathBuf>,

    /// End when the program that started this one ends, as `thetis bench run` asks
    #[arg(long, hide = true)]
    pub(crate) end_with_parent: bool,
}

/// Answer one request of a portfolio on standard input; the messages on standard output are for programs
#[derive(Args, Debug)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

/// Check the evidence that `thetis check --certificate` wrote, or a witness for a C program
///
/// For a certificate, uses only the independent checker, no engine, and prints `safe` or `unsafe` if the evidence is accepted. For a
/// witness (`.yml`, of any tool) prints `confirmed (safe)`, `confirmed (unsafe)`, `rejected` or `unknown` with the reason. The evidence is the
/// last of the files.
#[derive(Args, Clone, Debug)]
#[command(override_usage = "thetis certify [OPTIONS] <FILE>... <EVIDENCE>")]
pub(crate) struct CertifyArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// The evidence, which is the last file of the command line.
    #[arg(skip)]
    pub(crate) certificate: PathBuf,

    /// An option that was given to `thetis check` and changes the model, for example `arithmetic=bv`; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
}

/// Write the model in another form
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis convert model.cfa --to dot | dot -Tsvg > model.svg
  thetis convert model.cfa --to smt-lib --bound 5 | z3 -in")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    /// The form to write
    #[arg(long, value_enum)]
    pub(crate) to: Target,

    /// How many back edges the unrolling of `--to smt-lib` allows
    #[arg(long, default_value_t = 10)]
    pub(crate) bound: u32,

    /// The certificate with the run for `--to uppaal-trace`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Where to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
}

/// Find an interpolant of two contradictory formulas
///
/// The formulas are the assertions of two SMT-LIB scripts, or of one script that is split. An interpolant follows from
/// the first, contradicts the second and contains only variables that occur in both; it is proved before it is printed,
/// as a definition. Exit codes: 0 interpolant, 10 satisfiable (with a model), 5 unknown, 2 input rejected.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  thetis interpolate a.smt2 b.smt2
  thetis interpolate unsat.smt2 --engine farkas --split connected
  thetis interpolate a.smt2 b.smt2 --set ice.learner=tree --plot picture.svg")]
pub(crate) struct InterpolateArgs {
    /// A script (`.smt2`)
    pub(crate) file: PathBuf,

    /// Another script; without one, the first is split
    pub(crate) other: Option<PathBuf>,

    /// What finds the interpolant
    #[arg(long, value_enum, default_value_t = InterpolationEngine::Ice)]
    pub(crate) engine: InterpolationEngine,

    /// How one script is split [default: `named` if it asks for `get-interpolants`, else `core`]
    #[arg(long, value_enum)]
    pub(crate) split: Option<SplitArg>,

    /// A configuration file, such as those in `configs/ice/`
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Change one option, for example `ice.initial=20`; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,

    /// A program that learns hypotheses from points for `ice`, instead of the built-in learners
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) learner: Option<PathBuf>,

    /// Write the points that `ice` has learned from
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) data: Option<PathBuf>,

    /// Draw these points, the interpolant and earlier hypotheses, if two variables are shared
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = InterpolateFormat::Text)]
    pub(crate) format: InterpolateFormat,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

/// What finds interpolants
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InterpolationEngine {
    /// Learning from points
    Ice,
    /// Linear certificates
    Farkas,
    /// Weakest preconditions of a core
    NewtonWp,
    /// Strongest postconditions of a core
    NewtonSp,
    /// Horn clauses
    Horn,
    /// Clauses over bits
    Clauses,
}

impl InterpolationEngine {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            InterpolationEngine::Ice => "ice",
            InterpolationEngine::Farkas => "farkas",
            InterpolationEngine::NewtonWp => "newton-wp",
            InterpolationEngine::NewtonSp => "newton-sp",
            InterpolationEngine::Horn => "horn",
            InterpolationEngine::Clauses => "clauses",
        }
    }
}

/// How a script is split
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SplitArg {
    /// The first half of the conjuncts and the second half
    Half,
    /// Between the halves of a core
    Core,
    /// Where few variables are shared
    Connected,
    /// As `(get-interpolants A B)` in the script says
    Named,
}

/// The form of an interpolant
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InterpolateFormat {
    /// SMT-LIB definitions
    Text,
    /// One JSON object
    Json,
}

/// List the engines, the verdicts they can give, and their options with defaults
#[derive(Args, Debug)]
pub(crate) struct EnginesArgs {
    /// Print the stages of the default portfolios instead, as configuration files
    #[arg(long, value_name = "ENGINE", value_parser = ["auto"])]
    pub(crate) show: Option<String>,
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

#[derive(Args, Clone, Debug)]
pub(crate) struct BudgetArgs {
    /// The wall time, for example `60s`, `5m` or `none`
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time, help_heading = LIMITS)]
    pub(crate) time: Limit<Duration>,

    /// The CPU time
    #[arg(long, value_name = "TIME", default_value = "none", value_parser = units::time, help_heading = LIMITS)]
    pub(crate) cpu_time: Limit<Duration>,

    /// The memory, for example `4G`, `512M` or `none`
    #[arg(long, value_name = "SIZE", default_value = "none", value_parser = units::size, help_heading = LIMITS)]
    pub(crate) memory: Limit<u64>,
}

impl From<&BudgetArgs> for Budget {
    fn from(args: &BudgetArgs) -> Budget {
        Budget { wall: args.time.0, cpu: args.cpu_time.0, memory: args.memory.0 }
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct SolverArgs {
    /// A solver process to use instead of the built-in Z3, as a TOML file
    #[arg(long, value_name = "FILE", help_heading = TRUST)]
    pub(crate) solver: Option<PathBuf>,

    /// Write all queries as SMT-LIB scripts into a folder
    #[arg(long, value_name = "DIR", help_heading = TRUST)]
    pub(crate) smt_log: Option<PathBuf>,
}

#[derive(Args, Clone, Default, Debug)]
pub(crate) struct JudgeArgs {
    /// Let another solver confirm the queries of the proof checker: `cvc5`, `bitwuzla`, or a TOML file as for
    /// `--solver`
    #[arg(long, value_name = "SOLVER", help_heading = TRUST)]
    pub(crate) second_opinion: Option<PathBuf>,

    /// Accept a proof only if no part of it rests on a single solver
    #[arg(long, help_heading = TRUST)]
    pub(crate) strict: bool,
}

impl CheckArgs {
    /// Which steps of a violation are shown.
    pub(crate) fn detail(&self) -> Detail {
        if self.full { Detail::Full } else { Detail::Relevant }
    }

    /// How much detail a JSON report has.
    pub(crate) fn extent(&self) -> Extent {
        if self.summary { Extent::Summary } else { Extent::Full }
    }

    /// Whether SARIF logs list undecided checks.
    pub(crate) fn unknowns(&self) -> Unknowns {
        if self.sarif_unknowns { Unknowns::Listed } else { Unknowns::Omitted }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// One verdict line
    Text,
    /// One JSON object
    Json,
    /// A SARIF 2.1.0 log, for code scanning
    Sarif,
    /// JUnit XML, for test reports of continuous integration
    Junit,
    /// The report and exit codes of solc-verify, for Solidity contracts
    SolcVerify,
    /// For Horn clauses: `sat` with a model, `unsat` with a derivation, or `unknown`
    Chc,
}

/// The form of tests
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TestsFormat {
    /// C files, each to be compiled with the program
    C,
    /// The exchange format of the competition on software testing
    Testcomp,
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
    /// Horn clauses that are satisfiable iff there is no violation
    Chc,
    /// TChecker's format, for timed automata
    Tchecker,
    /// UPPAAL's language as text, for timed automata
    Xta,
    /// The run of `--certificate` as UPPAAL's verifier prints runs, for timed automata
    UppaalTrace,
}
