//! Certificates as JSON: evidence that can be kept, sent, and checked again by `thetis certify`.
//!
//! Formulas and values are SMT-LIB text over the names of the model; locations go by name and edges by number and by the
//! names of their ends. The fingerprint of the model's text says for which model the evidence was made; whether it
//! holds is for the checker to say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thetis_expr::smtlib::{Declared, Dialect, parse_term, parse_value, print_term, print_value};
use thetis_expr::{ExprId, Store, Value};
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, EdgeId, Graph, LocId,
};
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
    /// The same, where some locations have whatever their outgoing edges need.
    BlockInvariants(BlockInvariants),
    /// A complete unwinding.
    Unwinding(Unwinding),
}

/// Invariants of which some are derived.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockInvariants {
    /// A formula for each location; missing ones have `true`.
    pub formulas: BTreeMap<String, String>,
    /// The locations that also have what their outgoing edges need.
    pub derived: Vec<String>,
    /// The numbers of edges that no run takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<usize>,
}

/// A complete unwinding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unwinding {
    /// The greatest number of cut edges on a run.
    pub bound: u32,
    /// The numbers of the cut edges; if missing, the back edges of the model are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<usize>>,
    /// The numbers of edges that no run takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<usize>,
    /// Formulas at locations that are shown first and then used; missing ones have `true`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lemmas: BTreeMap<String, String>,
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

/// The SHA-256 of a model's text, in hexadecimal.
pub fn fingerprint(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
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
        CfaProof::Unwinding(unwinding) => Proof::Unwinding(write_unwinding(task, unwinding)),
        CfaProof::Invariants(invariants) => write_invariants(task, invariants),
    }
}

fn write_unwinding(task: &Task<Cfa>, unwinding: &CfaUnwinding) -> Unwinding {
    Unwinding {
        bound: unwinding.bound,
        cuts: Some(write_edges(&unwinding.cuts)),
        blocked: write_edges(&unwinding.blocked),
        lemmas: write_formulas(task, &unwinding.lemmas),
    }
}

fn write_invariants(task: &Task<Cfa>, invariants: &CfaInvariants) -> Proof {
    let formulas = write_formulas(task, &invariants.formulas);
    if invariants.derived.is_empty() && invariants.blocked.is_empty() {
        return Proof::Invariants(formulas);
    }
    let derived = invariants.derived.iter().map(|at| task.model.locations[*at].name.clone()).collect();
    let blocked = write_edges(&invariants.blocked);
    Proof::BlockInvariants(BlockInvariants { formulas, derived, blocked })
}

fn write_edges(edges: &BTreeSet<EdgeId>) -> Vec<usize> {
    edges.iter().map(|edge| edge.index()).collect()
}

fn write_formulas(task: &Task<Cfa>, formulas: &BTreeMap<LocId, ExprId>) -> BTreeMap<String, String> {
    let name = |location: &LocId| task.model.locations[*location].name.clone();
    let text = |formula: &ExprId| print_term(&task.store, *formula, Dialect::Thetis);
    formulas.iter().map(|(at, formula)| (name(at), text(formula))).collect()
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
    Ok(match proof {
        Proof::Unwinding(unwinding) => read_unwinding(task, unwinding)?,
        Proof::Invariants(formulas) => CfaProof::invariants(read_formulas(task, formulas)?),
        Proof::BlockInvariants(BlockInvariants { formulas, derived, blocked }) => {
            let formulas = read_formulas(task, formulas)?;
            let derived = derived.iter().map(|name| read_location(task, name)).collect::<Result<_, _>>()?;
            CfaProof::Invariants(CfaInvariants { formulas, derived, blocked: read_edges(task, blocked)? })
        }
    })
}

fn read_unwinding(task: &Task<Cfa>, unwinding: &Unwinding) -> Result<CfaProof, CertificateError> {
    let back_edges = || Graph::towards_errors(&task.model).back_edges().collect();
    Ok(CfaProof::Unwinding(CfaUnwinding {
        bound: unwinding.bound,
        cuts: unwinding.cuts.as_ref().map_or_else(|| Ok(back_edges()), |cuts| read_edges(task, cuts))?,
        blocked: read_edges(task, &unwinding.blocked)?,
        lemmas: read_formulas(task, &unwinding.lemmas)?,
    }))
}

fn read_edges(task: &Task<Cfa>, numbers: &[usize]) -> Result<BTreeSet<EdgeId>, CertificateError> {
    numbers.iter().map(|number| read_edge(task, *number)).collect()
}

fn read_edge(task: &Task<Cfa>, number: usize) -> Result<EdgeId, CertificateError> {
    if number < task.model.edges.len() {
        return Ok(EdgeId::new(number));
    }
    error(format!("the model has no edge {number}"))
}

fn read_formulas(
    task: &Task<Cfa>,
    formulas: &BTreeMap<String, String>,
) -> Result<BTreeMap<LocId, ExprId>, CertificateError> {
    let mut read = BTreeMap::new();
    for (name, text) in formulas {
        let formula = parse_term(&task.store, text, &Declared)
            .map_err(|error| CertificateError(format!("invariant of `{name}`: {error}")))?;
        read.insert(read_location(task, name)?, formula);
    }
    Ok(read)
}

fn read_location(task: &Task<Cfa>, name: &str) -> Result<LocId, CertificateError> {
    match task.model.location(name) {
        Some(location) => Ok(location),
        None => error(format!("the model has no location `{name}`")),
    }
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
    let id = read_edge(task, step.edge)?;
    let edge = &task.model.edges[id];
    let name = |location: LocId| &task.model.locations[location].name;
    if *name(edge.source) != step.source || *name(edge.target) != step.target {
        return error(format!("the model has no edge {} like in the certificate", step.edge));
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
