//! The report of `thetis check` if there is no verdict and possibly not even a model.

use thetis_base::Run;
use thetis_model::Reason;
use thetis_report::{CaseOutcome, TestCase, Unanswered, Unknowns, junit};

use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::input::standard::name_of;
use crate::loaded::Loaded;
use crate::progress::Progress;
use crate::{ending, terminal};

/// What is known of a run, whatever happens to it.
#[derive(Clone)]
pub(crate) struct Silence {
    format: Format,
    unknowns: Unknowns,
    file: String,
    property: String,
    engine: String,
    run: Run,
    progress: Progress,
}

impl Silence {
    /// What is known from the command line.
    pub(crate) fn new(args: &CheckArgs, run: &Run, progress: &Progress) -> Silence {
        let asked = args.question.properties.first().or(args.question.target.as_ref());
        Silence {
            format: args.format,
            unknowns: args.unknowns(),
            file: name_of(&args.question.first()).into_owned(),
            property: asked.cloned().unwrap_or_default(),
            engine: args.engine.clone().unwrap_or_else(|| "auto".to_owned()),
            run: run.clone(),
            progress: progress.clone(),
        }
    }

    /// The same with what is known from the model.
    pub(crate) fn about(mut self, loaded: &dyn Loaded) -> Silence {
        self.property = loaded.property();
        self
    }

    /// Reports why there is no verdict, in the requested format.
    pub(crate) fn reporter(self) -> impl Fn(&Reason) -> String + Send + 'static {
        move |reason| {
            terminal::show(&self.progress.end());
            let report = Unanswered {
                file: &self.file,
                property: &self.property,
                engine: &self.engine,
                reason,
                elapsed: self.run.elapsed(),
            };
            match self.format {
                Format::Text | Format::SolcVerify => ending::line(reason),
                Format::Json => format!("{:#}\n", report.json()),
                Format::Sarif => format!("{:#}\n", report.sarif(Exit::Unknown as u8, self.unknowns)),
                Format::Junit => {
                    let name = if self.property.is_empty() { "property" } else { &self.property };
                    let outcome = CaseOutcome::Unknown(reason.to_string());
                    let case = TestCase { name: name.to_owned(), outcome, elapsed: self.run.elapsed() };
                    junit(&self.file, &[case])
                }
                Format::Chc => format!("unknown\n; {reason}\n"),
            }
        }
    }
}
