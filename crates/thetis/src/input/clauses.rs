//! Horn clauses as automata.

use std::fmt::Write;

use thetis_base::{Share, SourceMap, Stop};
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_portfolio::Cooperation;
use thetis_script::Input as Script;
use thetis_script::horn::{self, Clauses, Encoding, Model, ModelError, Reduced, Refutation, TreeEncoding};
use thetis_solver::HornAnswer;
use thetis_z3::Z3Eliminator;

use super::language::{ClauseAnswers, ClauseDetail, Language};
use super::models::ModelText;
use super::{Source, property, reporting};
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::session::Session;

/// The share of the remaining time for finding a model if the proof has another form.
const SOLVER_SHARE: u32 = 50;

/// The clauses, the clauses after inlining, and the meaning of the automaton of the latter.
struct HornClauses {
    clauses: Clauses,
    reduced: Reduced,
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
    let reduced = horn::reduce(&clauses);
    let (task, meaning) = match horn::encode(&reduced.clauses) {
        Some((task, encoding)) => (task, Meaning::Linear(encoding)),
        None => {
            let (task, encoding) = horn::encode_trees(&reduced.clauses);
            (task, Meaning::Trees(encoding))
        }
    };
    property::check_cfa(source.asked, &task, &text.name)?;
    Ok(text.input(task, HornClauses { clauses, reduced, meaning }))
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
        detail: ClauseDetail,
        sources: &SourceMap,
        session: &Session,
    ) -> Result<Result<String, Reason>, Failure> {
        match verdict {
            Verdict::Safe(Evidence::Given(proof)) => self.satisfiable(task, proof, detail, session),
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
        detail: ClauseDetail,
        session: &Session,
    ) -> Result<Result<String, Reason>, Failure> {
        let clauses = &self.clauses;
        let model = match self.model(task, proof, session) {
            Err(ModelError::NotExpressible(reason)) if detail == ClauseDetail::Model => {
                self.solved(task, session).unwrap_or(Err(ModelError::NotExpressible(reason)))
            }
            other => other,
        };
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

    /// The model that corresponds to a proof, checked on the clauses.
    fn model(&self, task: &Task<Cfa>, proof: &CfaProof, session: &Session) -> Result<Model, ModelError> {
        let model = match &self.meaning {
            Meaning::Linear(encoding) => Model::of_proof(encoding, task, proof, &Z3Eliminator, &session.run),
            Meaning::Trees(encoding) => Model::of_contracts(encoding, task, proof),
        };
        match (model.and_then(|model| self.checked(model, task, session)), &self.meaning) {
            (Err(error), Meaning::Trees(encoding)) => self.other_model(error, encoding, task, proof, session),
            (found, _) => found,
        }
    }

    /// A different model, after the one given by the contracts was rejected because of `error`.
    fn other_model(
        &self,
        error: ModelError,
        encoding: &TreeEncoding,
        task: &Task<Cfa>,
        proof: &CfaProof,
        session: &Session,
    ) -> Result<Model, ModelError> {
        let run = &session.run;
        match error {
            ModelError::NotChecked(_) => {
                let model = Model::of_projected_contracts(encoding, task, proof, &Z3Eliminator, run)?;
                self.checked(model, task, session)
            }
            ModelError::NotExpressible(_) => {
                let all = Model::universal(&task.store, &self.clauses);
                match all.check(&task.store, &self.clauses, &*session.judges, run) {
                    Ok(()) => Ok(all),
                    Err(ModelError::NotChecked(_)) => Err(error),
                    Err(stopped) => Err(stopped),
                }
            }
            ModelError::Stopped(_) => Err(error),
        }
    }

    /// `model` extended to the inlined predicates, if all clauses hold.
    fn checked(&self, model: Model, task: &Task<Cfa>, session: &Session) -> Result<Model, ModelError> {
        let model = model.with_helpers(&self.reduced, &task.store, &Z3Eliminator, &session.run)?;
        model.check(&task.store, &self.clauses, &*session.judges, &session.run)?;
        Ok(model)
    }

    /// A model of linear clauses that are known to be satisfiable by another kind of proof, if a Horn solver finds one.
    fn solved(&self, task: &Task<Cfa>, session: &Session) -> Option<Result<Model, ModelError>> {
        let Meaning::Linear(_) = &self.meaning else { return None };
        let encoding = thetis_horn::encode(task);
        let mut solver = (session.parts(Cooperation::default()).clauses)();
        match solver.solve(&task.store, &encoding.system, &session.run.slice(Share::percent(SOLVER_SHARE))) {
            Ok(HornAnswer::Solved(solution)) => {
                let proof = CfaProof::invariants(encoding.invariants(solution));
                self.model(task, &proof, session).ok().map(Ok)
            }
            _ => None,
        }
    }

    fn unsatisfiable(
        &self,
        task: &Task<Cfa>,
        trace: &CfaTrace,
        sources: &SourceMap,
    ) -> Result<String, Reason> {
        let refutation = match &self.meaning {
            Meaning::Linear(encoding) => Refutation::of_trace(encoding, task, &self.reduced.clauses, trace),
            Meaning::Trees(encoding) => {
                Refutation::of_copied_trace(encoding, task, &self.reduced.clauses, trace)
            }
        };
        let refutation =
            refutation.and_then(|found| self.reduced.refutation(&self.clauses, &task.store, &found));
        let checked = refutation.and_then(|refutation| refutation.check(&self.clauses).map(|()| refutation));
        let refutation = checked.map_err(|error| Reason::CertificateRejected(error.to_string()))?;
        let mut answer = String::from("unsat\n");
        // Writing to a string cannot fail.
        let _ = write!(answer, "{}", refutation.print(&self.clauses, |span| sources.start(span).line));
        Ok(answer)
    }
}
