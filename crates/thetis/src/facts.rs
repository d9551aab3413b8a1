//! Facts of a run, kept for later runs on the same or a changed model: `--facts-out` and `--facts`.
//!
//! An invariant of one version of a program is likely to be an invariant of the next. There it is only a candidate:
//! engines try it as a lemma, a predicate or an assumption, and every conclusion is checked on the model without it. So
//! files of facts are not trusted, and a formula at the wrong location does no harm.
//!
//! * [`file`](mod@file): the files, and certificates as files of facts.
//! * [`place`]: how a location of one version is found in another.
//! * [`witness`]: invariants in witnesses for C programs, by any tool.

pub(crate) mod file;
mod keep;
pub(crate) mod place;
pub(crate) mod witness;

use std::path::Path;

use thetis_base::{Fact, counted, printable};
use thetis_model::cfa::Cfa;
use thetis_portfolio::portfolio::UseOfFacts;
use thetis_portfolio::{Config, Cooperation, Formalism};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::input::{Input, read_text, read_to_renew, shown};
use crate::session::Session;
use crate::{protect, terminal};
use file::KeptFact;

pub(crate) use keep::Keeper;

/// How the engine of `thetis check` works together with earlier and later runs.
pub(crate) fn cooperation<M: Formalism>(
    args: &CheckArgs,
    input: &Input<M>,
    config: &Config,
    session: &Session,
) -> Result<Cooperation, Failure> {
    if (args.facts.is_some() || args.facts_out.is_some()) && M::PLURAL != Cfa::PLURAL {
        return Err(Failure::usage("`--facts` and `--facts-out` are for automata and programs"));
    }
    let reports_facts = args.facts_out.is_some();
    let Some(path) = &args.facts else { return Ok(Cooperation { reports_facts, ..Cooperation::default() }) };
    let kept = read(path, args, config, session)?;
    let facts = place::put(&kept, &input.language.places(&input.sources));
    if args.verbose {
        let placed = counted(facts.len(), "formula");
        terminal::show(&format!("facts: {} read, tried as {placed} at locations\n", kept.len()));
    }
    Ok(Cooperation { facts, use_of_facts: UseOfFacts::Best, reports_facts })
}

/// The facts of a file of any kind.
fn read(path: &Path, args: &CheckArgs, config: &Config, session: &Session) -> Result<Vec<KeptFact>, Failure> {
    let is_renewed = args.facts_out.as_deref().is_some_and(|output| protect::is_same_file(path, output));
    let text = if is_renewed { read_to_renew(path)? } else { read_text(path)? };
    let in_file = |words: String| Failure::input(printable(&format!("{}: {words}", shown(path))));
    match is_witness(path) {
        false => file::read(&text).map_err(in_file),
        true if !args.question.is_c_program() => Err(in_file("a witness is about a C program".to_owned())),
        true => witness::read(&text, &args.question, config, &session.run)?.map_err(in_file),
    }
}

/// Whether a file is a witness, by its name.
pub(crate) fn is_witness(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// The facts of a certificate, at their source positions.
fn of_certificate(certificate: &serde_json::Value) -> Vec<Fact> {
    let invariants = file::invariants_of(certificate).into_iter();
    invariants.map(|(location, formula)| Fact::Invariant { location, formula }).collect()
}
