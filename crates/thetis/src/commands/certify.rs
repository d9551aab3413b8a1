//! `thetis certify`.

use thetis_engine::{Certified, certify};
use thetis_model::{Reason, Verdict};
use thetis_report::Certificate;

use crate::args::CertifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Asked, Loaded};
use crate::session::Session;
use crate::{input, terminal};

pub(crate) fn run(args: &CertifyArgs) -> Result<Exit, Failure> {
    let Loaded::Cfa(input) = input::read_asked(&args.file, &Asked::Default)? else {
        return Err(Failure::input("certificates are kept for automata only"));
    };
    let in_certificate =
        |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", args.certificate.display()));
    let text = input::read_text(&args.certificate)?;
    let certificate = Certificate::from_json(&text).map_err(|error| in_certificate(&error))?;
    let claimed = certificate.verdict(&input.task, &input.sha256).map_err(|error| in_certificate(&error))?;
    let session = Session::start(&args.budget, &args.solver)?;
    let certified = certify(&input.task, claimed, &*session.solvers, &session.run)
        .or_else(|stop| session.give_up(stop).map(Certified::unknown))?;
    let line = match &certified.verdict {
        Verdict::Safe(_) => "safe".to_string(),
        Verdict::Unsafe(_) => "unsafe".to_string(),
        Verdict::Unknown(Reason::CertificateRejected(words)) => format!("rejected ({words})"),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    };
    terminal::answer(&format!("{line}\n"))?;
    Ok(Exit::of(&certified.verdict))
}
