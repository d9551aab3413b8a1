//! Horn clauses as automata.

use std::fmt::Write;

use thetis_base::{SourceMap, Stop};
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_script::Input as Script;
use thetis_script::horn::{self, Clauses, Encoding, Model, ModelError, Refutation, TreeEncoding};
use thetis_z3::Z3Eliminator;

use super::language::{ClauseAnswers, Language};
use super::models::ModelText;
use super::{Source, property, reporting};
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::session::Session;

/// The clauses, and what the parts of their automaton mean.
struct HornClauses {
    clauses: Clauses,
    meaning: Meaning,
}

enum Meaning {
    /// Of the automaton of linear clauses.
    Linear(Encoding),
    /// Of the automaton with procedures of other clauses.
    Trees(TreeEncoding),
}

/// Reads Horn clauses.
pub(super) fn read(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let text = ModelText::read(source.path)?;
    let script =
        reporting(&text.sources, |diagnostics| thetis_script::parse(&text.sources, text.file, diagnostics))?;
    let Script::Clauses(clauses) = script else {
        return Err(Failure::input(format!(
            "{}: the logic is not HORN; `thetis interpolate` is for other scripts",
            text.name
        )));
    };
    let (task, meaning) = match horn::encode(&clauses) {
        Some((task, encoding)) => (task, Meaning::Linear(encoding)),
        None => {
            let (task, encoding) = horn::encode_trees(&clauses);
            (task, Meaning::Trees(encoding))
        }
    };
    property::check_cfa(source.asked, &task, &text.name)?;
    Ok(text.input(task, HornClauses { clauses, meaning }))
}

impl Language<Cfa> for HornClauses {
    fn clauses(&self) -> Option<&dyn ClauseAnswers<Cfa>> {
        Some(self)
    }
}

impl ClauseAnswers<Cfa> for HornClauses {
    fn answer(
        &self,
        task: &Task<Cfa>,
        verdict: &Verdict<Cfa>,
        sources: &SourceMap,
        session: &Session,
    ) -> Result<Result<String, Reason>, Failure> {
        match verdict {
            Verdict::Safe(Evidence::Given(proof)) => self.satisfiable(task, proof, session),
            Verdict::Unsafe(Evidence::Given(trace)) => Ok(self.unsatisfiable(task, trace, sources)),
            Verdict::Unknown(reason) => Ok(Ok(format!("unknown\n; {reason}\n"))),
            Verdict::Safe(_) | Verdict::Unsafe(_) => Ok(Ok("unknown\n".into())),
        }
    }
}

impl HornClauses {
    fn satisfiable(
        &self,
        task: &Task<Cfa>,
        proof: &CfaProof,
        session: &Session,
    ) -> Result<Result<String, Reason>, Failure> {
        let (clauses, run) = (&self.clauses, &session.run);
        let model = match &self.meaning {
            Meaning::Linear(encoding) => Model::of_proof(encoding, task, proof, &Z3Eliminator, run),
            Meaning::Trees(encoding) => Model::of_contracts(encoding, task, proof),
        };
        let model = model.and_then(|model| {
            model.check(&task.store, clauses, &*session.judges, run)?;
            Ok(model)
        });
        match model {
            Ok(model) => Ok(Ok(format!("sat\n{}", model.print(&task.store, clauses)))),
            Err(ModelError::NotExpressible(reason)) => Ok(Ok(format!(
                "sat\n; without a model: {reason}; the proof was checked on the automaton of the clauses\n"
            ))),
            Err(error @ ModelError::NotChecked(_)) => {
                Ok(Err(Reason::CertificateUndecided(error.to_string())))
            }
            Err(ModelError::Stopped(stop @ Stop::Failed(_))) => Err(Failure::stopped(stop)),
            Err(ModelError::Stopped(stop)) => Ok(Err(stop.into())),
        }
    }

    fn unsatisfiable(
        &self,
        task: &Task<Cfa>,
        trace: &CfaTrace,
        sources: &SourceMap,
    ) -> Result<String, Reason> {
        let refutation = match &self.meaning {
            Meaning::Linear(encoding) => Refutation::of_trace(encoding, task, &self.clauses, trace),
            Meaning::Trees(encoding) => Refutation::of_copied_trace(encoding, task, &self.clauses, trace),
        };
        let checked = refutation.and_then(|refutation| refutation.check(&self.clauses).map(|()| refutation));
        let refutation = checked.map_err(|error| Reason::CertificateRejected(error.to_string()))?;
        let mut answer = String::from("unsat\n");
        // Writing to a string cannot fail.
        let _ = write!(answer, "{}", refutation.print(&self.clauses, |span| sources.start(span).line));
        Ok(answer)
    }
}
