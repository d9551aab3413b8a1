//! Certificates as JSON: evidence that can be kept, sent, and checked again by `thetis certify`.
//!
//! The envelope is the same for all formalisms; what is in it is for each formalism to say ([`Keepable`]). The
//! fingerprint of the model's text says for which model the evidence was made; whether it holds is for the checker to
//! say.

pub mod cfa;
pub mod net;
pub mod predicate;
pub mod sts;
pub mod xta;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_solver::Grounds;

/// A formalism whose evidence can be kept as text.
pub trait Keepable: Model {
    /// A proof as it is written.
    type ProofText: Serialize + DeserializeOwned;
    /// A run as it is written.
    type TraceText: Serialize + DeserializeOwned;

    /// The program that the model stands for, if it does.
    fn program(task: &Task<Self>) -> Option<Program>;

    /// Writes a proof.
    fn write_proof(task: &Task<Self>, proof: &Self::Proof) -> Self::ProofText;

    /// Writes a run.
    fn write_trace(task: &Task<Self>, trace: &Self::Trace) -> Self::TraceText;

    /// Reads a proof.
    fn read_proof(task: &Task<Self>, proof: &Self::ProofText) -> Result<Self::Proof, CertificateError>;

    /// Reads a run.
    fn read_trace(task: &Task<Self>, trace: &Self::TraceText) -> Result<Self::Trace, CertificateError>;
}

/// What was asked of a program, and how it became a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Program {
    /// The property in full, as a property file says it.
    pub specification: String,
    /// The sizes of types.
    pub data_model: String,
    /// The settings that the model depends on.
    pub settings: BTreeMap<String, String>,
}

/// What a certificate says that it is about, whatever its formalism.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Claim {
    /// The name of the property.
    pub property: String,
    /// The program, if it is about one.
    #[serde(default)]
    pub program: Option<Program>,
}

impl Claim {
    /// The claim of a certificate.
    pub fn of(certificate: &Value) -> Result<Claim, CertificateError> {
        Claim::deserialize(certificate).map_err(|error| CertificateError(error.to_string()))
    }

    /// What this claim differs in from what is asked, in words.
    fn difference(&self, asked: &Claim) -> Option<String> {
        let differs = |what: &str, claimed: &str, asked: &str| {
            Some(format!("the certificate is about {what} `{claimed}`, and `{asked}` is asked"))
        };
        if self.property != asked.property {
            return differs("the property", &self.property, &asked.property);
        }
        let (claimed, asked) = match (&self.program, &asked.program) {
            (None, None) => return None,
            (Some(claimed), Some(asked)) => (claimed, asked),
            (None, Some(_)) => {
                return Some("the certificate does not say what was asked of the program".into());
            }
            (Some(_), None) => return Some("the certificate is about a program".into()),
        };
        if claimed.specification != asked.specification {
            return differs("the property", &claimed.specification, &asked.specification);
        }
        if claimed.data_model != asked.data_model {
            return differs("the data model", &claimed.data_model, &asked.data_model);
        }
        let keys: BTreeSet<&String> = claimed.settings.keys().chain(asked.settings.keys()).collect();
        let value = |settings: &BTreeMap<String, String>, key: &String| match settings.get(key) {
            Some(value) => format!("{key} = {value}"),
            None => format!("no {key}"),
        };
        let mut pairs =
            keys.into_iter().map(|key| [&claimed.settings, &asked.settings].map(|of| value(of, key)));
        let [claimed, asked] = pairs.find(|[claimed, asked]| claimed != asked)?;
        differs("the setting", &claimed, &asked)
    }
}

/// The format as it is written. Unknown fields are refused: they would not be checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Envelope<P, T> {
    /// Always `thetis-certificate`.
    format: String,
    /// The version of the format.
    version: u32,
    /// SHA-256 of the model's text, in hexadecimal.
    model_sha256: String,
    /// The property, as on the command line.
    property: String,
    /// The program, if the model stands for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<Program>,
    /// What the check rested on when the certificate was written. Whoever reads it checks anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<GroundsText>,
    /// The verdict with its evidence.
    verdict: Content<P, T>,
}

/// What a check rested on, as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroundsText {
    /// How many questions had to be decided by solvers.
    obligations: u64,
    /// For how many of them a proof was checked.
    proved: u64,
    /// On how many of them two solvers agree.
    agreed: u64,
    /// The solvers that were believed.
    solvers: Vec<String>,
}

impl From<&Grounds> for GroundsText {
    fn from(grounds: &Grounds) -> GroundsText {
        let Grounds { proved, agreed, ref solvers, .. } = *grounds;
        GroundsText { obligations: grounds.total(), proved, agreed, solvers: solvers.clone() }
    }
}

/// The verdict with its evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Content<P, T> {
    /// Safe, by a proof.
    Safe(P),
    /// Unsafe, by a run.
    Unsafe(T),
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

/// The certificate of a verdict, if it has evidence. If it was checked, the certificate says what the check rested on.
pub fn write_certificate<M: Keepable>(
    task: &Task<M>,
    model_sha256: &str,
    verdict: &Verdict<M>,
    grounds: Option<&Grounds>,
) -> Option<Value> {
    let verdict = match verdict {
        Verdict::Safe(Evidence::Given(proof)) => Content::Safe(M::write_proof(task, proof)),
        Verdict::Unsafe(Evidence::Given(trace)) => Content::Unsafe(M::write_trace(task, trace)),
        _ => return None,
    };
    let envelope = Envelope {
        format: FORMAT.into(),
        version: VERSION,
        model_sha256: model_sha256.into(),
        property: task.property.to_string(),
        program: M::program(task),
        checked: grounds.filter(|grounds| grounds.total() > 0).map(GroundsText::from),
        verdict,
    };
    Some(serde_json::to_value(envelope).expect("a certificate should be representable as JSON"))
}

/// The verdict on `task` that a certificate is evidence for, not yet checked.
pub fn read_certificate<M: Keepable>(
    task: &Task<M>,
    model_sha256: &str,
    certificate: &Value,
) -> Result<Verdict<M>, CertificateError> {
    let envelope = Envelope::<M::ProofText, M::TraceText>::deserialize(certificate)
        .map_err(|error| CertificateError(error.to_string()))?;
    if envelope.format != FORMAT || envelope.version != VERSION {
        return error(format!("expected format `{FORMAT}` version {VERSION}"));
    }
    if envelope.model_sha256 != model_sha256 {
        return error("the certificate was made for another model text");
    }
    let claimed = Claim { property: envelope.property, program: envelope.program };
    let asked = Claim { property: task.property.to_string(), program: M::program(task) };
    if let Some(difference) = claimed.difference(&asked) {
        return error(difference);
    }
    Ok(match &envelope.verdict {
        Content::Safe(proof) => Verdict::Safe(Evidence::Given(M::read_proof(task, proof)?)),
        Content::Unsafe(trace) => Verdict::Unsafe(Evidence::Given(M::read_trace(task, trace)?)),
    })
}

fn error<T>(message: impl Into<String>) -> Result<T, CertificateError> {
    Err(CertificateError(message.into()))
}
