//! `thetis certify` for a witness of a C program, written by any tool.
//!
//! A violation witness is confirmed by a run along its waypoints that the checker has replayed on the program, and
//! rejected by a proof that there is none. A correctness witness is confirmed if its invariants hold and the property
//! does: by the checker alone if they are a proof as they stand, by an engine otherwise. It is rejected if a run
//! violates an invariant or the property.

use thetis_base::{Run, printable};
use thetis_c::evidence::Translated;
use thetis_c::evidence::witness::format::{self, Entry};
use thetis_c::evidence::witness::invariants::{as_proof, asserted, not_formulas};
use thetis_c::evidence::witness::plan::{ClaimText, Plan, Segment, plan};
use thetis_c::evidence::witness::restrict::{Matching, is_file, restrict};
use thetis_c::hir::Machine;
use thetis_c::property;
use thetis_checker::{Certified, certify};
use thetis_engine::Engine;
use thetis_model::cfa::{Cfa, CfaTrace};
use thetis_model::{Evidence, Task, Verdict};
use thetis_portfolio::{Config, Cooperation, EngineName};
use thetis_report::{Detail, render_story};

use crate::args::CertifyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::c::program::steps;
use crate::input::c::{Claimed, read_with_claims};
use crate::input::with_options_of_c;
use crate::session::Session;
use crate::{input, terminal};

/// The result for a witness.
enum Judgement {
    Confirmed(Exit),
    Rejected(String),
    Unknown(String),
}

/// Whether the evidence is a witness for a C program.
pub(crate) fn is_witness(args: &CertifyArgs) -> bool {
    let has = |path: &std::path::Path, known: [&str; 2]| {
        path.extension().is_some_and(|extension| known.iter().any(|known| extension == *known))
    };
    has(&args.certificate, ["yml", "yaml"]) && args.question.is_c_program()
}

pub(crate) fn run(args: &CertifyArgs, run: Run) -> Result<Exit, Failure> {
    let session = Session::of(run, &args.solver, &args.judge)?;
    let in_witness = |words: &dyn std::fmt::Display| {
        Failure::input(printable(&format!("{}: {words}", args.certificate.display())))
    };
    let config = Config::default().with_settings(&args.settings).map_err(Failure::usage)?;
    let entries = format::read(&input::read_text(&args.certificate)?).map_err(|error| in_witness(&error))?;
    let judgement = match plan(&entries) {
        Err(error) => Judgement::Unknown(error.to_string()),
        Ok((plan, claims)) => {
            let task = &entries[0].metadata.task;
            let Some(stated) = Machine::of_name(&task.data_model) else {
                return Err(in_witness(&format!("unknown data model `{}`", task.data_model)));
            };
            let machine = args.question.stated_machine().or(Some(stated));
            let asked = args.question.property()?.unwrap_or(&task.specification);
            let config = with_options_of_c(&config, &args.question);
            let units = input::project::units(&args.question)?;
            let claimed = read_with_claims(&units, asked, machine, &claims, &config, &session.run)?;
            Validation { claimed: &claimed, config: &config, session: &session }
                .judge(&entries, &plan, &claims)?
        }
    };
    let (line, exit) = match judgement {
        Judgement::Confirmed(exit @ Exit::Safe) => ("confirmed (safe)".to_owned(), exit),
        Judgement::Confirmed(exit) => ("confirmed (unsafe)".to_owned(), exit),
        Judgement::Rejected(reason) => (format!("rejected ({reason})"), Exit::Unknown),
        Judgement::Unknown(reason) => (format!("unknown ({reason})"), Exit::Unknown),
    };
    terminal::conclude(&format!("{}\n", printable(&line)), exit)
}

struct Validation<'a> {
    claimed: &'a Claimed,
    config: &'a Config,
    session: &'a Session,
}

impl Validation<'_> {
    fn judge(&self, entries: &[Entry], plan: &Plan, claims: &[ClaimText]) -> Result<Judgement, Failure> {
        if let Some(reason) = self.mismatch(entries) {
            return Ok(Judgement::Rejected(reason));
        }
        if let Some(number) = self.claimed.unplaced.first() {
            let ClaimText { location, .. } = &claims[*number as usize];
            let (line, column) = (location.line, location.column.unwrap_or_default());
            return Ok(Judgement::Rejected(format!("nothing begins at line {line}, column {column}")));
        }
        match plan {
            Plan::Violation(segments) => self.violation(segments),
            Plan::Correctness => self.correctness(claims),
        }
    }

    /// Why the witness does not match the question, if so.
    fn mismatch(&self, entries: &[Entry]) -> Option<String> {
        for entry in entries {
            let task = &entry.metadata.task;
            let hashes = &task.input_file_hashes;
            if !hashes.is_empty() && !hashes.values().any(|hash| *hash == self.claimed.sha256) {
                return Some("the witness is about another program text".to_owned());
            }
            let stated = property::parse(&task.specification, &self.claimed.program);
            if stated.as_ref() != Ok(&self.claimed.property) {
                return Some("the witness is about another property".to_owned());
            }
            let name = self.claimed.sources.file(thetis_base::FileId::new(0)).name();
            let places = entry.content.iter().flat_map(places);
            if let Some(other) = places.into_iter().find(|file| !is_file(file, name)) {
                return Some(format!("the witness names the file `{other}`"));
            }
        }
        None
    }

    fn translated(&self) -> Translated<'_> {
        let Claimed { program, lowered, sources, .. } = self.claimed;
        Translated { program, lowered, sources }
    }

    fn violation(&self, segments: &[Segment]) -> Result<Judgement, Failure> {
        for matching in [Matching::First, Matching::Any] {
            let restricted = match restrict(self.translated(), segments, matching, self.config.c.max_edges) {
                Ok(restricted) => restricted,
                Err(error) => return Ok(Judgement::Unknown(error.to_string())),
            };
            match self.decide(&restricted.task)?.verdict {
                Verdict::Unsafe(Evidence::Given(trace)) => {
                    return self.confirm_violation(restricted.lift.trace(trace));
                }
                Verdict::Safe(_) => {}
                Verdict::Unsafe(Evidence::Missing(reason)) => {
                    return Ok(Judgement::Unknown(reason.to_owned()));
                }
                Verdict::Unknown(reason) => return Ok(Judgement::Unknown(reason.to_string())),
            }
        }
        Ok(Judgement::Rejected("no run along the waypoints violates the property".to_owned()))
    }

    /// Replays a run on the program itself.
    fn confirm_violation(&self, trace: CfaTrace) -> Result<Judgement, Failure> {
        let story = steps(self.translated(), &trace);
        match self.certify(&self.claimed.lowered.task, Verdict::Unsafe(Evidence::Given(trace)))?.verdict {
            Verdict::Unsafe(_) => {
                terminal::show(&render_story(&story, &self.claimed.sources, Detail::Relevant));
                Ok(Judgement::Confirmed(Exit::Unsafe))
            }
            Verdict::Safe(_) => Ok(Judgement::Unknown("the run could not be replayed".to_owned())),
            Verdict::Unknown(reason) => Ok(Judgement::Unknown(reason.to_string())),
        }
    }

    fn correctness(&self, claims: &[ClaimText]) -> Result<Judgement, Failure> {
        let lowered = &self.claimed.lowered;
        if let Some(number) = not_formulas(lowered).first() {
            let formula = &claims[*number as usize].formula;
            return Ok(Judgement::Unknown(format!("`{formula}` is not determined by the state")));
        }
        if let Some((task, proof)) = as_proof(lowered)
            && let Verdict::Safe(_) = self.certify(&task, Verdict::Safe(Evidence::Given(proof)))?.verdict
        {
            terminal::show("The invariants are inductive.\n");
            return Ok(Judgement::Confirmed(Exit::Safe));
        }
        let asserted = asserted(lowered).map_err(Failure::internal)?;
        match self.decide(&asserted.task)?.verdict {
            Verdict::Safe(Evidence::Given(_)) => {
                terminal::show("The invariants hold; an engine has found what they lack for a proof.\n");
                Ok(Judgement::Confirmed(Exit::Safe))
            }
            Verdict::Unsafe(Evidence::Given(trace)) => {
                let last = trace.steps.last().map(|step| asserted.task.model.edges[step.edge].target);
                let reason = match last.and_then(|last| asserted.claims.get(&last)) {
                    Some(number) => {
                        let ClaimText { formula, location, .. } = &claims[*number as usize];
                        format!("`{formula}` does not hold at line {}", location.line)
                    }
                    None => "the property is violated".to_owned(),
                };
                Ok(Judgement::Rejected(reason))
            }
            Verdict::Safe(Evidence::Missing(reason)) | Verdict::Unsafe(Evidence::Missing(reason)) => {
                Ok(Judgement::Unknown(reason.to_owned()))
            }
            Verdict::Unknown(reason) => Ok(Judgement::Unknown(reason.to_string())),
        }
    }

    /// A checked verdict of the engine.
    fn decide(&self, task: &Task<Cfa>) -> Result<Certified<Cfa>, Failure> {
        if self.config.engine == EngineName::PORTFOLIO {
            return Err(Failure::usage("a witness is validated by a single engine"));
        }
        let parts = self.session.parts(Cooperation::default());
        let mut engine = thetis_portfolio::engine(self.config, &parts, None).map_err(Failure::usage)?;
        let verdict = engine
            .check(task, &self.session.engine_run())
            .or_else(|stop| self.session.give_up(stop).map(Verdict::Unknown))?;
        self.certify(task, verdict)
    }

    fn certify(&self, task: &Task<Cfa>, verdict: Verdict<Cfa>) -> Result<Certified<Cfa>, Failure> {
        certify(task, verdict, &*self.session.judges, &self.session.run)
            .or_else(|stop| self.session.give_up(stop).map(Certified::unknown))
    }
}

/// The files named in a part of a witness.
fn places(item: &format::Item) -> Vec<String> {
    let waypoints = item.segment.iter().flatten().map(|item| item.waypoint.location.file_name.clone());
    waypoints.chain(item.invariant.iter().map(|invariant| invariant.location.file_name.clone())).collect()
}
