//! `thetis certify`.

use thetis_base::printable;
use thetis_engine::{Certified, certify};
use thetis_model::{Reason, Verdict};
use thetis_portfolio::Config;
use thetis_report::{Reportable, read_certificate};

use crate::args::CertifyArgs;
use crate::commands::validate;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, Loaded};
use crate::session::Session;
use crate::{input, terminal};

pub(crate) fn run(args: &CertifyArgs) -> Result<Exit, Failure> {
    if validate::is_witness(args) {
        return validate::run(args);
    }
    let config = Config::default().with_settings(&args.settings).map_err(Failure::usage)?;
    let session = Session::start(&args.budget, &args.solver)?;
    match input::read(&args.question, &config, &session.run)? {
        Loaded::Cfa(input) => check(args, &input, &session),
        Loaded::Sts(input) => check(args, &input, &session),
        Loaded::Net(input) => check(args, &input, &session),
    }
}

fn check<M: Reportable>(args: &CertifyArgs, input: &Input<M>, session: &Session) -> Result<Exit, Failure> {
    let in_certificate = |error: &dyn std::fmt::Display| {
        Failure::input(printable(&format!("{}: {error}", args.certificate.display())))
    };
    let text = input::read_text(&args.certificate)?;
    let certificate = serde_json::from_str(&text).map_err(|error| in_certificate(&error))?;
    let claimed =
        read_certificate(&input.task, &input.sha256, &certificate).map_err(|error| in_certificate(&error))?;
    let certified = certify(&input.task, claimed, &*session.solvers, &session.run)
        .or_else(|stop| session.give_up(stop).map(Certified::unknown))?;
    let [safe, violated] = M::words(&input.task);
    let line = match &certified.verdict {
        Verdict::Safe(_) => safe.to_string(),
        Verdict::Unsafe(_) => violated.to_string(),
        Verdict::Unknown(Reason::CertificateRejected(words)) => format!("rejected ({words})"),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    };
    terminal::conclude(&format!("{}\n", printable(&line)), Exit::of(&certified.verdict))
}
