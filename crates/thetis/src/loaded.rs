//! What commands do with a task of any formalism.
//!
//! Commands handle tasks as [`Loaded`], independently of their formalism. [`Supported`] is what a formalism provides:
//! its engines, its checker, its reports and its conversions. So a new formalism is a new `impl Supported`, and a
//! reader in [`crate::input`].

use thetis_base::Run;
use thetis_model::Task;
use thetis_portfolio::{Config, Formalism, Parts};
use thetis_report::Visual;

use crate::args::{CertifyArgs, ConvertArgs, Target};
use crate::commands::check::Checking;
use crate::commands::{certify, check, convert, worker};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::session::Session;

/// A formalism with everything that commands need.
pub(crate) trait Supported: Formalism + Visual {
    /// The model in another form.
    fn converted(task: Task<Self>, args: &ConvertArgs, run: &Run) -> Result<String, Failure>;
}

/// A task of some formalism.
pub(crate) trait Loaded {
    /// The property, as it is printed.
    fn property(&self) -> String;

    /// Decides it, for `thetis check`.
    fn check(&self, checking: &Checking<'_>) -> Result<Exit, Failure>;

    /// Checks a certificate about it, for `thetis certify`.
    fn certify(&self, args: &CertifyArgs, certificate: &str, session: &Session) -> Result<Exit, Failure>;

    /// Runs a stage of a portfolio on it, for `thetis worker`.
    fn work(&self, config: &Config, parts: &Parts, session: &Session) -> Result<Exit, Failure>;

    /// Writes it in another form, for `thetis convert`.
    fn convert(self: Box<Self>, args: &ConvertArgs, run: &Run) -> Result<String, Failure>;
}

impl<M: Supported> Loaded for Input<M> {
    fn property(&self) -> String {
        self.task.property.to_string()
    }

    fn check(&self, checking: &Checking<'_>) -> Result<Exit, Failure> {
        check::decide(self, checking)
    }

    fn certify(&self, args: &CertifyArgs, certificate: &str, session: &Session) -> Result<Exit, Failure> {
        certify::check(args, self, certificate, session)
    }

    fn work(&self, config: &Config, parts: &Parts, session: &Session) -> Result<Exit, Failure> {
        let engine = thetis_portfolio::engine(config, parts, None).map_err(Failure::usage)?;
        worker::answer(self, engine, session)
    }

    fn convert(self: Box<Self>, args: &ConvertArgs, run: &Run) -> Result<String, Failure> {
        match args.to {
            Target::UppaalTrace => convert::uppaal_trace(&self, args),
            Target::Xta => self
                .language
                .written()
                .ok_or_else(|| Failure::usage("only timed automata are written in UPPAAL's language")),
            _ => M::converted(self.task, args, run),
        }
    }
}
