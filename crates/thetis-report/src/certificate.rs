//! Certificates as JSON: evidence that can be kept, sent, and checked again by `thetis certify`.
//!
//! Formulas and values are SMT-LIB text over the names of the model; locations go by name and edges by number and by the
//! names of their ends. The fingerprint of the model's text says for which model the evidence was made; whether it
//! holds is for the checker to say.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thetis_expr::smtlib::{Declared, Dialect, parse_term, parse_value, print_term, print_value};
use thetis_expr::{Store, Value};
use thetis_model::cfa::{Cfa, CfaProof, CfaStep, CfaTrace, EdgeId, LocId};
use thetis_model::{Evidence, Task, Verdict};

/// The format as it is written. Unknown fields are refused: they would not be checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Certificate {
    /// Always `thetis-certificate`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// SHA-256 of the model's text, in hexadecimal.
    pub model_sha256: String,
    /// The property, as on the command line.
    pub property: String,
    /// The verdict with its evidence.
    pub verdict: Content,
}

/// The verdict with its evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Content {
    /// Safe, by a proof.
    Safe(Proof),
    /// Unsafe, by a run.
    Unsafe(Trace),
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Proof {
    /// A formula for each location; missing ones have `true`.
    Invariants(BTreeMap<String, String>),
    /// A complete unwinding with so many back edges.
    Unwinding {
        /// The number of back edges.
        bound: u32,
    },
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The initial value of each variable.
    pub initial: BTreeMap<String, String>,
    /// The edges taken.
    pub steps: Vec<Step>,
}

/// One edge of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The number of the edge in the model, from zero.
    pub edge: usize,
    /// The name of the location where it starts.
    pub source: String,
    /// The name of the location to which it leads.
    pub target: String,
    /// The values of its havocs.
    pub inputs: Vec<String>,
    /// The branches of its choices.
    pub choices: Vec<usize>,
}

/// Why a certificate cannot be read for a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertificateError(String);

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CertificateError {}

const FORMAT: &str = "thetis-certificate";
const VERSION: u32 = 1;

/// The SHA-256 of a model's file, in hexadecimal.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The certificate of a verdict, if it has evidence.
pub fn certificate_of(task: &Task<Cfa>, model_sha256: &str, verdict: &Verdict<Cfa>) -> Option<Certificate> {
    let content = match verdict {
        Verdict::Safe(Evidence::Given(proof)) => Content::Safe(write_proof(task, proof)),
        Verdict::Unsafe(Evidence::Given(trace)) => Content::Unsafe(write_trace(task, trace)),
        _ => return None,
    };
    Some(Certificate {
        format: FORMAT.into(),
        version: VERSION,
        model_sha256: model_sha256.into(),
        property: task.property.to_string(),
        verdict: content,
    })
}

fn write_proof(task: &Task<Cfa>, proof: &CfaProof) -> Proof {
    match proof {
        CfaProof::Unwinding { bound } => Proof::Unwinding { bound: *bound },
        CfaProof::Invariants(invariants) => {
            let entry = |(location, formula): (&LocId, &_)| {
                let text = print_term(&task.store, *formula, Dialect::Thetis);
                (task.model.locations[*location].name.clone(), text)
            };
            Proof::Invariants(invariants.iter().map(entry).collect())
        }
    }
}

fn write_trace(task: &Task<Cfa>, trace: &CfaTrace) -> Trace {
    let initial = trace.initial.iter();
    let value = |value: &Value| print_value(&task.store, value);
    Trace {
        initial: initial.map(|(var, initial)| (task.store.var_name(*var), value(initial))).collect(),
        steps: trace.steps.iter().map(|step| write_step(task, step)).collect(),
    }
}

fn write_step(task: &Task<Cfa>, step: &CfaStep) -> Step {
    let edge = &task.model.edges[step.edge];
    let name = |location: LocId| task.model.locations[location].name.clone();
    Step {
        edge: step.edge.index(),
        source: name(edge.source),
        target: name(edge.target),
        inputs: step.inputs.iter().map(|value| print_value(&task.store, value)).collect(),
        choices: step.choices.clone(),
    }
}

impl Certificate {
    /// Reads the JSON text of a certificate.
    pub fn from_json(text: &str) -> Result<Certificate, CertificateError> {
        let certificate: Certificate =
            serde_json::from_str(text).map_err(|error| CertificateError(error.to_string()))?;
        if certificate.format != FORMAT || certificate.version != VERSION {
            return error(format!("expected format `{FORMAT}` version {VERSION}"));
        }
        Ok(certificate)
    }

    /// The certificate as JSON.
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("a certificate should be representable as JSON")
    }

    /// The verdict on `task` that this certificate is evidence for, not yet checked.
    pub fn verdict(&self, task: &Task<Cfa>, model_sha256: &str) -> Result<Verdict<Cfa>, CertificateError> {
        if self.model_sha256 != model_sha256 {
            return error("the certificate was made for another model text");
        }
        if self.property != task.property.to_string() {
            return error(format!("the certificate is about the property `{}`", self.property));
        }
        Ok(match &self.verdict {
            Content::Safe(proof) => Verdict::Safe(Evidence::Given(read_proof(task, proof)?)),
            Content::Unsafe(trace) => Verdict::Unsafe(Evidence::Given(read_trace(task, trace)?)),
        })
    }
}

fn error<T>(message: impl Into<String>) -> Result<T, CertificateError> {
    Err(CertificateError(message.into()))
}

fn read_proof(task: &Task<Cfa>, proof: &Proof) -> Result<CfaProof, CertificateError> {
    let formulas = match proof {
        Proof::Unwinding { bound } => return Ok(CfaProof::Unwinding { bound: *bound }),
        Proof::Invariants(formulas) => formulas,
    };
    let mut invariants = BTreeMap::new();
    for (name, text) in formulas {
        let Some(location) = task.model.location(name) else {
            return error(format!("the model has no location `{name}`"));
        };
        let formula = parse_term(&task.store, text, &Declared)
            .map_err(|error| CertificateError(format!("invariant of `{name}`: {error}")))?;
        invariants.insert(location, formula);
    }
    Ok(CfaProof::Invariants(invariants))
}

fn read_trace(task: &Task<Cfa>, trace: &Trace) -> Result<CfaTrace, CertificateError> {
    let mut initial = BTreeMap::new();
    for (name, text) in &trace.initial {
        let Some(var) = task.store.find_var(name) else {
            return error(format!("the model has no variable `{name}`"));
        };
        let value = parse_value(&task.store, text, task.store.var_sort(var))
            .map_err(|error| CertificateError(format!("initial value of `{name}`: {error}")))?;
        initial.insert(var, value);
    }
    let steps = trace.steps.iter().map(|step| read_step(task, step)).collect::<Result<_, _>>()?;
    Ok(CfaTrace { initial, steps })
}

fn read_step(task: &Task<Cfa>, step: &Step) -> Result<CfaStep, CertificateError> {
    let id = EdgeId::new(step.edge);
    let name = |location: LocId| &task.model.locations[location].name;
    match task.model.edges.get(id) {
        Some(edge) if *name(edge.source) == step.source && *name(edge.target) == step.target => {}
        _ => return error(format!("the model has no edge {} like in the certificate", step.edge)),
    }
    let inputs = step.inputs.iter().map(|text| read_input(&task.store, text)).collect::<Result<_, _>>()?;
    Ok(CfaStep { edge: id, inputs, choices: step.choices.clone() })
}

/// Values tell their sort; whether it is the right one is for the checker to say.
fn read_input(store: &Store, text: &str) -> Result<Value, CertificateError> {
    let none = |_: &Store, _: &str| None;
    let term = parse_term(store, text, &none).map_err(|error| CertificateError(error.to_string()))?;
    store.value(term).ok_or_else(|| CertificateError(format!("`{text}` is not a value")))
}
