//! `thetis certify`.

use std::path::Path;

use thetis_base::printable;
use thetis_c::hir::Machine;
use thetis_checker::{Certified, certify};
use thetis_model::{Reason, Verdict};
use thetis_portfolio::Config;
use thetis_report::{CertificateError, Claim, Program, Reportable, read_certificate, verdict_line};
use thetis_solver::SolverFactory;

use crate::args::{CertifyArgs, QuestionArgs};
use crate::commands::validate;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::input::standard::hold;
use crate::session::{Session, start_run};
use crate::{input, judges, terminal};

/// The settings of a certificate that are used when it is checked. Others can only be compared.
const SETTINGS: [&str; 7] = [
    "arithmetic",
    "c.assertion",
    "c.externals",
    "c.recursion-bound",
    "c.registers",
    "c.thread-bound",
    "c.undefined",
];

pub(crate) fn run(mut args: CertifyArgs) -> Result<Exit, Failure> {
    let run = start_run((&args.budget).into());
    let _held = hold(&mut args.question, &run)?;
    args.certificate = args.question.files.pop().unwrap_or_default();
    if args.question.files.is_empty() && args.question.project.is_none() {
        return Err(Failure::usage("`thetis certify` needs a model and the evidence"));
    }
    let args = &args;
    if validate::is_witness(args) {
        return validate::run(args, run);
    }
    let session = Session::of(run, &args.solver, &args.judge)?;
    // The second solver is loaded while the model and the certificate are read.
    session.judges.prepare(&session.run).map_err(Failure::internal)?;
    let text = input::read_text(&args.certificate)?;
    let (question, settings) = asked(args, &text)?;
    let config = Config::default().with_settings(&settings).map_err(Failure::usage)?;
    input::read(&question, &config, &session.run)?.certify(args, &text, &session)
}

fn in_certificate(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::input(printable(&format!("{}: {error}", path.display())))
}

/// The question and the settings. For a C program, whatever the arguments leave out is taken from the certificate.
fn asked(args: &CertifyArgs, certificate: &str) -> Result<(QuestionArgs, Vec<String>), Failure> {
    let (mut question, mut settings) = (args.question.clone(), Vec::new());
    if args.question.is_c_program() {
        let claim = Claim::of(certificate).map_err(|error| in_certificate(&args.certificate, &error))?;
        let Some(program) = claim.program else {
            let error = "the certificate is not about a program".to_owned();
            return Err(in_certificate(&args.certificate, &error));
        };
        let stated = stated_machine(&program);
        question.or_machine(stated.map_err(|error| in_certificate(&args.certificate, &error))?);
        if question.properties.is_empty() {
            question.properties.push(program.specification);
        }
        let known = program.settings.iter().filter(|(key, _)| SETTINGS.contains(&key.as_str()));
        settings.extend(known.map(|(key, value)| format!("{key}={value}")));
    }
    settings.extend(args.settings.iter().cloned());
    Ok((question, settings))
}

fn stated_machine(program: &Program) -> Result<Machine, String> {
    let name = &program.data_model;
    Machine::of_name(name).ok_or_else(|| format!("unknown data model `{}`", printable(name)))
}

/// Checks a certificate about a task.
pub(crate) fn check<M: Reportable>(
    args: &CertifyArgs,
    input: &Input<M>,
    certificate: &str,
    session: &Session,
) -> Result<Exit, Failure> {
    let claimed = read_certificate(&input.task, &input.sha256, certificate)
        .map_err(|error: CertificateError| in_certificate(&args.certificate, &error))?;
    let check = || certify(&input.task, claimed, &*session.judges, &session.run);
    let certified =
        session.run.enclose(check).flatten().or_else(|stop| session.give_up(stop).map(Certified::unknown))?;
    if matches!(certified.verdict, Verdict::Safe(_)) && (session.judges.has_second() || args.judge.strict) {
        terminal::show(&format!("{}\n", judges::sentence(&session.judges.grounds())));
    }
    let line = match &certified.verdict {
        Verdict::Unknown(Reason::CertificateRejected(words)) => format!("rejected ({words})"),
        verdict => verdict_line(&input.task, verdict),
    };
    terminal::conclude(&format!("{}\n", printable(&line)), Exit::of(&certified.verdict))
}
