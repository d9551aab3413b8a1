//! `thetis bench`: run campaigns, show and compare their results.

mod args;
mod compare;
mod document;
mod progress;
mod run;
mod slurm;
mod table;

use std::path::PathBuf;

use thetis_base::Stop;
use thetis_bench::{
    BenchError, Plot, ResultFile, TimedFamily, prediction_plots, prediction_table, transfer_table,
};
use thetis_pnml::families::NetFamily;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::{protect, signals, terminal};

pub(crate) use args::BenchArgs;
use args::{BenchCommand, ModelArgs, PredictionsArgs, StudyArgs};

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
        BenchCommand::Predictions(args) => predictions(args),
        BenchCommand::Transfer(args) => transfer(args),
        BenchCommand::Document(args) => document::run(args),
        BenchCommand::Model(args) => model(args),
    }
}

fn model(args: &ModelArgs) -> Result<Exit, Failure> {
    let timed = TimedFamily::ALL.into_iter().find(|family| family.name == args.family);
    let net = NetFamily::ALL.into_iter().find(|family| family.name == args.family);
    let model = match (timed, net) {
        (Some(family), _) => number_of_processes(&args.size).map(|size| family.model(size)),
        (None, Some(family)) => family.model(&args.size).ok_or(family.sizes),
        (None, None) => return Err(Failure::usage("there is no such family")),
    };
    let model = model.map_err(|sizes| {
        Failure::usage(format!("`{}` is no size of `{}`: expected {sizes}", args.size, args.family))
    })?;
    terminal::answer(&model)?;
    Ok(Exit::Safe)
}

fn number_of_processes(size: &str) -> Result<u32, &'static str> {
    let number = size.parse().ok().filter(|number| (1..=1000).contains(number));
    number.ok_or("the number of processes, from 1 to 1000")
}

fn predictions(args: &PredictionsArgs) -> Result<Exit, Failure> {
    let files = read(&args.results)?;
    if let Some(folder) = &args.output {
        for Plot { name, svg, .. } in prediction_plots(&files) {
            table::write(folder, &format!("{name}.svg"), svg.as_bytes())?;
        }
    }
    terminal::answer(&prediction_table(&files))?;
    Ok(Exit::Safe)
}

fn transfer(args: &StudyArgs) -> Result<Exit, Failure> {
    terminal::answer(&transfer_table(&read(&args.results)?))?;
    Ok(Exit::Safe)
}

fn read(paths: &[PathBuf]) -> Result<Vec<ResultFile>, Failure> {
    paths.iter().try_for_each(|path| protect::reading_at(path))?;
    paths.iter().map(|path| ResultFile::read(path)).collect::<Result<_, _>>().map_err(failure)
}

/// Invalid task lists, configurations and result files are user errors; everything else is internal.
fn failure(error: BenchError) -> Failure {
    match error {
        BenchError::Process { .. } | BenchError::Drawing(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
