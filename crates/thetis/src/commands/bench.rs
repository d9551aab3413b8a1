//! `thetis bench`: measure, show, compare.

mod args;
mod compare;
mod document;
mod progress;
mod run;
mod table;

use thetis_bench::BenchError;

use crate::exit::Exit;
use crate::failure::Failure;

pub(crate) use args::BenchArgs;
use args::BenchCommand;

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    match &args.command {
        BenchCommand::Run(args) => run::run(args),
        BenchCommand::Table(args) => table::run(args),
        BenchCommand::Compare(args) => compare::run(args),
        BenchCommand::Document(args) => document::run(args),
    }
}

/// Wrong task lists, configurations and result files are the user's; the rest is not.
fn failure(error: BenchError) -> Failure {
    match error {
        BenchError::Process { .. } | BenchError::Drawing(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
