//! `thetis bench`: measure, show, compare.

mod args;
mod compare;
mod document;
mod progress;
mod run;
mod slurm;
mod table;

use thetis_base::Stop;
use thetis_bench::{BenchError, ResultFile, TimedFamily, prediction_table, transfer_table};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::{signals, terminal};

pub(crate) use args::BenchArgs;
use args::{BenchCommand, ModelArgs, StudyArgs};

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    if !matches!(args.command, BenchCommand::Run(_)) && signals::stop_listening() {
        return Err(Failure::stopped(Stop::Cancelled));
    }
    match &args.command {
        BenchCommand::Run(args) => run::run(args),
        BenchCommand::Submit(args) => slurm::submit(args),
        BenchCommand::Merge(args) => slurm::merge(args),
        BenchCommand::Table(args) => table::run(args),
        BenchCommand::Compare(args) => compare::run(args),
        BenchCommand::Predictions(args) => study(args, prediction_table),
        BenchCommand::Transfer(args) => study(args, transfer_table),
        BenchCommand::Document(args) => document::run(args),
        BenchCommand::Model(args) => model(args),
    }
}

fn model(args: &ModelArgs) -> Result<Exit, Failure> {
    let family = TimedFamily::ALL.into_iter().find(|family| family.name == args.family);
    let family = family.ok_or_else(|| Failure::usage("there is no such family"))?;
    terminal::answer(&family.model(args.size))?;
    Ok(Exit::Safe)
}

/// Prints what `table` says about result files.
fn study(args: &StudyArgs, table: fn(&[ResultFile]) -> String) -> Result<Exit, Failure> {
    let files = args.results.iter().map(|path| ResultFile::read(path)).collect::<Result<Vec<_>, _>>();
    terminal::answer(&table(&files.map_err(failure)?))?;
    Ok(Exit::Safe)
}

/// Wrong task lists, configurations and result files are the user's; the rest is not.
fn failure(error: BenchError) -> Failure {
    match error {
        BenchError::Process { .. } | BenchError::Drawing(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
