//! `thetis check`.

use std::path::Path;
use std::rc::Rc;

use thetis_circuit::aiger::{Circuit, witness};
use thetis_engine::{Certified, Engine, certify};
use thetis_model::sts::Sts;
use thetis_model::{Evidence, Verdict};
use thetis_portfolio::{Config, Parts, for_cfa, for_net, for_sts};
use thetis_report::{Report, Reportable, render_statistics};
use thetis_z3::Z3Eliminator;

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Asked, Input, Loaded};
use crate::session::Session;
use crate::{input, terminal};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
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
    if args.witness.is_some() && !matches!(loaded, Loaded::Circuit(_)) {
        return Err(Failure::usage("`--witness` is for circuits"));
    }
    match loaded {
        Loaded::Cfa(input) => {
            decide(args, &input, for_cfa(&config, &parts).map_err(Failure::usage)?, &session)
        }
        Loaded::Sts(input) => {
            decide(args, &input, for_sts(&config, &parts).map_err(Failure::usage)?, &session)
        }
        Loaded::Circuit(loaded) => {
            let engine = for_sts(&config, &parts).map_err(Failure::usage)?;
            let certified = answer(args, &loaded.input, engine, &session)?;
            write_witness(args.witness.as_deref(), &loaded.circuit, &certified.verdict)?;
            Ok(Exit::of(&certified.verdict))
        }
        Loaded::Net(input) => {
            decide(args, &input, for_net(&config, &parts).map_err(Failure::usage)?, &session)
        }
    }
}

fn decide<M: Reportable>(
    args: &CheckArgs,
    input: &Input<M>,
    engine: Box<dyn Engine<M>>,
    session: &Session,
) -> Result<Exit, Failure> {
    answer(args, input, engine, session).map(|certified| Exit::of(&certified.verdict))
}

/// Asks the engine, checks its evidence, and reports.
fn answer<M: Reportable>(
    args: &CheckArgs,
    input: &Input<M>,
    mut engine: Box<dyn Engine<M>>,
    session: &Session,
) -> Result<Certified<M>, Failure> {
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
    write_certificate(args.certificate.as_deref(), input, &certified.verdict)?;
    explain(args, input, &report);
    match args.format {
        Format::Text => terminal::answer(&format!("{}\n", report.line()))?,
        Format::Json => terminal::answer(&format!("{:#}\n", report.json()))?,
    }
    Ok(certified)
}

/// Writes the run that violates a property of a circuit, for simulators.
fn write_witness(path: Option<&Path>, circuit: &Circuit, verdict: &Verdict<Sts>) -> Result<(), Failure> {
    let (Some(path), Verdict::Unsafe(Evidence::Given(trace))) = (path, verdict) else { return Ok(()) };
    let text = witness(circuit, trace).map_err(Failure::internal)?;
    std::fs::write(path, text).map_err(|error| Failure::internal(format!("{}: {error}", path.display())))
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
