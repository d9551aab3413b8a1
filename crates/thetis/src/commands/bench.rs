//! `thetis bench`: measure, show, compare.

mod args;
mod progress;
mod run;

use thetis_bench::BenchError;

use crate::exit::Exit;
use crate::failure::Failure;

pub(crate) use args::BenchArgs;
use args::BenchCommand;

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    match &args.command {
        BenchCommand::Run(args) => run::run(args),
    }
}

/// Wrong task lists, configurations and result files are the user's; the rest is not.
fn failure(error: BenchError) -> Failure {
    match error {
        BenchError::Process { .. } | BenchError::Drawing(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
