//! `thetis bench run`.

use std::path::Path;
use std::sync::atomic::Ordering;

use sha2::{Digest, Sha256};
use thetis_base::counted;
use thetis_bench::{
    BenchTask, Campaign, Configuration, Header, Journal, Limits, Machine, Selection, collect,
};
use thetis_portfolio::Config;

use super::args::RunArgs;
use super::failure;
use super::progress::Meter;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::shown;
use crate::{protect, signals, terminal};

/// The option for unbounded integers; campaigns use it as soon as it exists.
const UNBOUNDED_INTEGERS: &str = "arithmetic=int";

pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let selection = selection(args);
    protect::announce(&args.output)?;
    let tasks = selection.apply(collect(&args.tasks).map_err(failure)?);
    let files = tasks.iter().flat_map(BenchTask::files);
    files.chain([args.tasks.as_path()]).try_for_each(protect::reading_at)?;
    args.configurations.iter().try_for_each(|path| protect::reading_at(path))?;
    if tasks.is_empty() {
        return Err(Failure::input(format!("{}: no task passes the filters", args.tasks.display())));
    }
    let configurations = configurations(args)?;
    let program = std::env::current_exe().map_err(Failure::internal)?;
    let header = Header {
        format: Header::FORMAT.to_owned(),
        version: Header::VERSION,
        thetis: env!("CARGO_PKG_VERSION").to_owned(),
        program_sha256: fingerprint(&program)?,
        started: Header::now(),
        machine: Machine::this(),
        limits: limits(args),
        jobs: usize::from(args.jobs),
        repeat: args.repeat,
        tasks: args.tasks.display().to_string(),
        selection,
        num_tasks: tasks.len(),
        configurations: configurations.clone(),
    };
    let mut journal = Journal::open(&args.output, &header).map_err(failure)?;
    let campaign = Campaign {
        program: &program,
        tasks: &tasks,
        configurations: &configurations,
        limits: header.limits,
        jobs: header.jobs,
        repeat: header.repeat,
        unbounded_integers: has_unbounded_integers().then_some(UNBOUNDED_INTEGERS),
    };
    conduct(&campaign, &mut journal, &args.output)
}

fn conduct(campaign: &Campaign<'_>, journal: &mut Journal, output: &Path) -> Result<Exit, Failure> {
    let meter = Meter::new();
    if !journal.earlier().is_empty() {
        let rows = counted(journal.earlier().len(), "row");
        terminal::show(&format!("thetis: {} has {rows} already\n", shown(output)));
    }
    journal.earlier().iter().for_each(|row| meter.count(row));
    // The first signal ends the campaign, and with it all runs; a second one ends the program at once.
    let cancel = signals::cancel().flag();
    campaign.run(journal, &meter, &cancel).map_err(failure)?;
    meter.end();
    if cancel.load(Ordering::Relaxed) {
        terminal::show("thetis: interrupted; the same command goes on from here\n");
        return Ok(Exit::Unknown);
    }
    Ok(Exit::Safe)
}

/// The configurations; invalid ones are rejected before anything runs.
fn configurations(args: &RunArgs) -> Result<Vec<Configuration>, Failure> {
    let bases = Configuration::read_all(&args.configurations).map_err(failure)?;
    let all = Configuration::vary(bases, &args.variations).map_err(failure)?;
    for one in &all {
        Config::from_toml(&one.text)
            .and_then(|config| config.with_settings(&one.settings))
            .map_err(|error| Failure::usage(format!("configuration {}: {error}", one.name)))?;
    }
    Ok(all)
}

fn selection(args: &RunArgs) -> Selection {
    Selection {
        families: args.families.clone(),
        sets: args.sets.clone(),
        verdicts: args.verdicts.clone(),
        names: args.names.clone(),
        every: args.every,
        sample: args.sample,
        part: args.part,
    }
}

fn limits(args: &RunArgs) -> Limits {
    Limits {
        wall_seconds: args.time.0.map(|time| time.as_secs_f64()),
        cpu_seconds: args.cpu_time.0.map(|time| time.as_secs_f64()),
        memory_bytes: args.memory.0,
    }
}

fn has_unbounded_integers() -> bool {
    Config::default().with_settings(&[UNBOUNDED_INTEGERS.to_owned()]).is_ok()
}

fn fingerprint(program: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(program)
        .map_err(|error| Failure::internal(format!("{}: {error}", program.display())))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}
