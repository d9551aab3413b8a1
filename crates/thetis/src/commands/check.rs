//! `thetis check`.

use std::path::Path;

use thetis_engine::{Certified, certify};
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Verdict};
use thetis_portfolio::{Config, create};
use thetis_report::{Report, certificate_of, render_statistics, render_trace};

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::session::Session;
use crate::{input, terminal};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let config = configuration(args)?;
    let input = input::read(&args.file)?;
    check_property(args, &input)?;
    let mut session = Session::start(&args.budget, &args.solver)?;
    if args.verbose {
        session.show_events();
    }
    let mut engine = create(&config, session.solvers.clone());
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
    write_certificate(args.certificate.as_deref(), &input, &certified.verdict)?;
    explain(args, &input, &certified, &report);
    match args.format {
        Format::Text => terminal::answer(&format!("{}\n", report.line()))?,
        Format::Json => terminal::answer(&format!("{:#}\n", report.json()))?,
    }
    Ok(Exit::of(&certified.verdict))
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

fn check_property(args: &CheckArgs, input: &Input) -> Result<(), Failure> {
    let asked = input.task.property.to_string();
    if args.property != asked {
        return Err(Failure::input(format!(
            "property `{}` is not supported for {}, expected `{asked}`",
            args.property, input.name
        )));
    }
    if input.task.model.errors.is_empty() {
        return Err(Failure::input(format!(
            "{}: the model has no error location, expected a location marked `error`",
            input.name
        )));
    }
    Ok(())
}

fn write_certificate(path: Option<&Path>, input: &Input, verdict: &Verdict<Cfa>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let Some(certificate) = certificate_of(&input.task, &input.sha256, verdict) else {
        terminal::show("thetis: no certificate was written, because there is no verdict to certify\n");
        return Ok(());
    };
    std::fs::write(path, certificate.to_json() + "\n")
        .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))
}

/// What a person wants to know beyond the verdict, on standard error.
fn explain(args: &CheckArgs, input: &Input, certified: &Certified<Cfa>, report: &Report<'_>) {
    if let Verdict::Unsafe(Evidence::Given(trace)) = &certified.verdict {
        let steps = trace.steps.len();
        terminal::show(&format!("A run of {steps} steps reaches an error location:\n"));
        terminal::show(&render_trace(&input.task, trace, &input.sources));
    }
    if let Some(time) = certified.time {
        terminal::show(&format!("{} in {:.3} s.\n", outcome_of_check(certified), time.as_secs_f64()));
    }
    if args.verbose {
        terminal::show(&render_statistics(report.statistics));
    }
}

fn outcome_of_check(certified: &Certified<Cfa>) -> &'static str {
    match &certified.verdict {
        Verdict::Safe(_) => "The proof was checked",
        Verdict::Unsafe(_) => "The run was replayed",
        Verdict::Unknown(_) => "The evidence was not accepted, after a check",
    }
}
