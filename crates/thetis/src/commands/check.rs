//! `thetis check`.

use std::path::Path;
use std::rc::Rc;

use rustix::process::{Signal, set_parent_process_death_signal};
use thetis_engine::{Certified, Engine, certify};
use thetis_model::{Evidence, Verdict};
use thetis_portfolio::{Config, Parts, for_cfa, for_net};
use thetis_report::{Report, Reportable, Visual, render_statistics};
use thetis_z3::Z3Eliminator;

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Asked, Input, Loaded};
use crate::session::Session;
use crate::{input, terminal};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.end_with_parent {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(Failure::internal)?;
    }
    let config = configuration(args)?;
    let asked = match (&args.property, &args.target) {
        (Some(property), _) => Asked::Property(property),
        (None, Some(target)) => Asked::Target(target),
        (None, None) => Asked::Default,
    };
    let loaded = input::read(&args.file, &asked)?;
    let mut session = Session::start(&args.budget, &args.solver)?;
    if args.verbose {
        session.show_events();
    }
    let parts = Parts { solvers: session.solvers.clone(), eliminator: Rc::new(Z3Eliminator) };
    match loaded {
        Loaded::Cfa(input) => {
            decide(args, &config, &input, for_cfa(&config, &parts).map_err(Failure::usage)?, &session)
        }
        Loaded::Net(input) => {
            decide(args, &config, &input, for_net(&config, &parts).map_err(Failure::usage)?, &session)
        }
    }
}

/// Asks the engine, checks its evidence, and reports.
fn decide<M: Visual>(
    args: &CheckArgs,
    config: &Config,
    input: &Input<M>,
    mut engine: Box<dyn Engine<M>>,
    session: &Session,
) -> Result<Exit, Failure> {
    let verdict = engine
        .check(&input.task, &session.engine_run())
        .or_else(|stop| session.give_up(stop).map(Verdict::Unknown))?;
    let certified = certify(&input.task, verdict, &*session.solvers, &session.run)
        .or_else(|stop| session.give_up(stop).map(Certified::unknown))?;
    let statistics = engine.statistics().part(session.statistics());
    let report = Report {
        task: &input.task,
        file: &input.name,
        sha256: &input.sha256,
        engine: &statistics.name,
        certified: &certified,
        statistics: &statistics,
        elapsed: session.run.elapsed(),
    };
    let exit = Exit::of(&certified.verdict);
    write_certificate(args.certificate.as_deref(), input, &certified.verdict)?;
    if let Some(path) = &args.report {
        let page = report.html(&input.sources, input.file, &config.to_toml());
        std::fs::write(path, page)
            .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))?;
    }
    explain(args, input, &report);
    match args.format {
        Format::Text => terminal::answer(&format!("{}\n", report.line()))?,
        Format::Json => terminal::answer(&format!("{:#}\n", report.json()))?,
        Format::Sarif => terminal::answer(&format!("{:#}\n", report.sarif(&input.sources, exit as u8)))?,
    }
    Ok(exit)
}

fn configuration(args: &CheckArgs) -> Result<Config, Failure> {
    let config = match &args.config {
        None => Config::default(),
        Some(path) => {
            let text = input::read_text(path)?;
            Config::from_toml(&text)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?
        }
    };
    let engine = args.engine.iter().map(|name| format!("engine=\"{name}\""));
    let settings: Vec<String> = engine.chain(args.settings.iter().cloned()).collect();
    config.with_settings(&settings).map_err(Failure::usage)
}

fn write_certificate<M: Reportable>(
    path: Option<&Path>,
    input: &Input<M>,
    verdict: &Verdict<M>,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let Some(certificate) = M::certificate(&input.task, &input.sha256, verdict) else {
        terminal::show("thetis: no certificate was written, because there is none that could be kept\n");
        return Ok(());
    };
    std::fs::write(path, format!("{certificate:#}\n"))
        .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))
}

/// What a person wants to know beyond the verdict, on standard error.
fn explain<M: Reportable>(args: &CheckArgs, input: &Input<M>, report: &Report<'_, M>) {
    if let Verdict::Unsafe(Evidence::Given(trace)) = &report.certified.verdict {
        terminal::show(&M::render_trace(&input.task, trace, &input.sources));
    }
    if let Some(time) = report.certified.time {
        let outcome = outcome_of_check(&report.certified.verdict);
        terminal::show(&format!("{outcome} in {:.3} s.\n", time.as_secs_f64()));
    }
    if args.verbose {
        terminal::show(&render_statistics(report.statistics));
    }
}

fn outcome_of_check<M: Reportable>(verdict: &Verdict<M>) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "The proof was checked",
        Verdict::Unsafe(_) => "The run was replayed",
        Verdict::Unknown(_) => "The evidence was not accepted, after a check",
    }
}
