//! Evidence about transition systems: formulas and values are SMT-LIB text over the names of the model.

use std::collections::BTreeMap;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use thetis_expr::smtlib::{Declared, Dialect, parse_term, parse_value, print_term, print_value};
use thetis_expr::{ExprId, Value, VarId};
use thetis_model::Task;
use thetis_model::sts::{Paths, Sts, StsProof, StsStep, StsTrace};

use super::{CertificateError, Keepable, Program, error};
use crate::streamed::{Patience, Streamed};

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum ProofText {
    /// An inductive invariant without bad steps.
    Invariant(String),
    /// An induction over several steps.
    KInductive {
        /// The number of steps.
        k: u32,
        /// An inductive invariant that may be assumed of all steps.
        lemma: String,
        /// Which sequences of steps are looked at.
        paths: PathsText,
    },
}

/// Which sequences of steps an induction looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathsText {
    /// All.
    All,
    /// Those without a repeated state.
    Simple,
}

impl From<Paths> for PathsText {
    fn from(paths: Paths) -> PathsText {
        match paths {
            Paths::All => PathsText::All,
            Paths::Simple => PathsText::Simple,
        }
    }
}

impl From<PathsText> for Paths {
    fn from(paths: PathsText) -> Paths {
        match paths {
            PathsText::All => Paths::All,
            PathsText::Simple => Paths::Simple,
        }
    }
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceText {
    /// Its steps.
    steps: Vec<StepText>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepText {
    /// The value of each variable.
    state: BTreeMap<String, String>,
    /// The value of each input.
    inputs: BTreeMap<String, String>,
}

impl Keepable for Sts {
    type ProofText = ProofText;
    type TraceText = TraceText;

    fn program(_: &Task<Sts>) -> Option<Program> {
        None
    }

    fn write_proof<S: Serializer>(
        task: &Task<Sts>,
        proof: &StsProof,
        _: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = |formula: ExprId| print_term(&task.store, formula, Dialect::Thetis);
        let proof = match proof {
            StsProof::Invariant(formula) => ProofText::Invariant(text(*formula)),
            StsProof::KInductive { k, lemma, paths } => {
                ProofText::KInductive { k: *k, lemma: text(*lemma), paths: PathsText::from(*paths) }
            }
        };
        proof.serialize(serializer)
    }

    fn write_trace<S: Serializer>(
        task: &Task<Sts>,
        trace: &StsTrace,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let step = |step: &StsStep| StepText {
            state: write_values(task, &task.model.vars, &step.state),
            inputs: write_values(task, &task.model.inputs, &step.inputs),
        };
        let mut fields = serializer.serialize_struct("Trace", 1)?;
        fields.serialize_field("steps", &Streamed::new(patience, || trace.steps.iter().map(step)))?;
        fields.end()
    }

    fn read_proof(task: &Task<Sts>, proof: &ProofText) -> Result<StsProof, CertificateError> {
        let read = |text: &str| {
            parse_term(&task.store, text, &Declared).map_err(|error| CertificateError(error.to_string()))
        };
        Ok(match proof {
            ProofText::Invariant(formula) => StsProof::Invariant(read(formula)?),
            ProofText::KInductive { k, lemma, paths } => {
                StsProof::KInductive { k: *k, lemma: read(lemma)?, paths: Paths::from(*paths) }
            }
        })
    }

    fn read_trace(task: &Task<Sts>, trace: &TraceText) -> Result<StsTrace, CertificateError> {
        let step = |step: &StepText| {
            Ok(StsStep {
                state: read_values(task, &task.model.vars, &step.state)?,
                inputs: read_values(task, &task.model.inputs, &step.inputs)?,
            })
        };
        Ok(StsTrace { steps: trace.steps.iter().map(step).collect::<Result<_, _>>()? })
    }
}

fn write_values(task: &Task<Sts>, vars: &[VarId], values: &[Value]) -> BTreeMap<String, String> {
    let value = |(var, value): (&VarId, &Value)| (task.store.var_name(*var), print_value(&task.store, value));
    vars.iter().zip(values).map(value).collect()
}

/// The values in the order of `vars`.
fn read_values(
    task: &Task<Sts>,
    vars: &[VarId],
    texts: &BTreeMap<String, String>,
) -> Result<Vec<Value>, CertificateError> {
    if texts.len() != vars.len() {
        return error("a step does not have a value for each variable and input of the model");
    }
    let value = |var: &VarId| {
        let name = task.store.var_name(*var);
        let Some(text) = texts.get(&name) else {
            return error(format!("a step has no value of `{name}`"));
        };
        parse_value(&task.store, text, task.store.var_sort(*var))
            .map_err(|error| CertificateError(format!("value of `{name}`: {error}")))
    };
    vars.iter().map(value).collect()
}
