//! Certificates as JSON: evidence that can be kept, sent, and checked again by `thetis certify`.
//!
//! The envelope is the same for all formalisms; each formalism defines its contents ([`Keepable`]). The fingerprint of the model's
//! text identifies the model that the evidence is about; the checker decides whether the evidence is valid. Runs can have millions
//! of steps, so certificates are written as a stream and read without building a JSON tree.

pub mod cfa;
pub mod net;
pub mod predicate;
pub mod sts;
pub mod xta;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use thetis_base::heed;
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_solver::Grounds;

use crate::streamed::Patience;

/// A formalism whose evidence can be kept as text.
pub trait Keepable: Model {
    /// A proof as it is written.
    type ProofText: DeserializeOwned;
    /// A run as it is written.
    type TraceText: DeserializeOwned;

    /// The program that the model represents, if there is one.
    fn program(task: &Task<Self>) -> Option<Program>;

    /// Writes a proof in the form of [`Keepable::ProofText`].
    fn write_proof<S: Serializer>(
        task: &Task<Self>,
        proof: &Self::Proof,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>;

    /// Writes a run in the form of [`Keepable::TraceText`].
    fn write_trace<S: Serializer>(
        task: &Task<Self>,
        trace: &Self::Trace,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>;

    /// Reads a proof.
    fn read_proof(task: &Task<Self>, proof: &Self::ProofText) -> Result<Self::Proof, CertificateError>;

    /// Reads a run.
    fn read_trace(task: &Task<Self>, trace: &Self::TraceText) -> Result<Self::Trace, CertificateError>;
}

/// The question about a program, and how the program became a model.
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

/// What a certificate claims to be about, whatever its formalism.
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
    pub fn of(certificate: &str) -> Result<Claim, CertificateError> {
        parse(certificate)
    }

    /// A description of how this claim differs from the question, if it does.
    fn difference(&self, asked: &Claim) -> Option<String> {
        let differs = |what: &str, claimed: &str, asked: &str| {
            Some(format!("the certificate is about {what} `{claimed}`, but `{asked}` was requested"))
        };
        if self.property != asked.property {
            return differs("the property", &self.property, &asked.property);
        }
        let (claimed, asked) = match (&self.program, &asked.program) {
            (None, None) => return None,
            (Some(claimed), Some(asked)) => (claimed, asked),
            (None, Some(_)) => {
                return Some("the certificate does not name the property of the program".into());
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

/// The format as it is written. Unknown fields are rejected, because they would not be checked.
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
    /// What the check rested on when the certificate was written. A reader checks the evidence again.
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

/// The certificate of a verdict that has evidence.
pub struct Certificate<'a, M: Keepable> {
    task: &'a Task<M>,
    model_sha256: &'a str,
    verdict: Content<&'a M::Proof, &'a M::Trace>,
    checked: Option<GroundsText>,
    patience: Patience<'a>,
}

impl<'a, M: Keepable> Certificate<'a, M> {
    /// The certificate of `verdict`, if it has evidence.
    pub fn new(
        task: &'a Task<M>,
        model_sha256: &'a str,
        verdict: &'a Verdict<M>,
    ) -> Option<Certificate<'a, M>> {
        let verdict = match verdict {
            Verdict::Safe(Evidence::Given(proof)) => Content::Safe(proof),
            Verdict::Unsafe(Evidence::Given(trace)) => Content::Unsafe(trace),
            _ => return None,
        };
        Some(Certificate { task, model_sha256, verdict, checked: None, patience: Patience::endless() })
    }

    /// The same, saying what a check of the evidence rested on.
    #[must_use]
    pub fn checked(mut self, grounds: &Grounds) -> Certificate<'a, M> {
        self.checked = (grounds.total() > 0).then(|| GroundsText::from(grounds));
        self
    }

    /// The same, but writing stops when `patience` is exhausted.
    #[must_use]
    pub fn within(mut self, patience: Patience<'a>) -> Certificate<'a, M> {
        self.patience = patience;
        self
    }

    /// Writes the certificate as a document.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        if !self.patience.is_complete() {
            return Err(io::Error::other("there is no time left to write it"));
        }
        out.write_all(b"\n")
    }

    /// The certificate as a part of another document.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("a certificate should be representable as JSON")
    }

    /// Whether everything was written, after writing has ended.
    pub(crate) fn is_complete(&self) -> bool {
        self.patience.is_complete()
    }
}

impl<M: Keepable> Serialize for Certificate<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let envelope = Envelope {
            format: FORMAT.into(),
            version: VERSION,
            model_sha256: self.model_sha256.into(),
            property: self.task.property.to_string(),
            program: M::program(self.task),
            checked: self.checked.clone(),
            verdict: match self.verdict {
                Content::Safe(proof) => Content::Safe(WrittenProof { certificate: self, proof }),
                Content::Unsafe(trace) => Content::Unsafe(WrittenTrace { certificate: self, trace }),
            },
        };
        envelope.serialize(serializer)
    }
}

struct WrittenProof<'a, M: Keepable> {
    certificate: &'a Certificate<'a, M>,
    proof: &'a M::Proof,
}

impl<M: Keepable> Serialize for WrittenProof<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        M::write_proof(self.certificate.task, self.proof, &self.certificate.patience, serializer)
    }
}

struct WrittenTrace<'a, M: Keepable> {
    certificate: &'a Certificate<'a, M>,
    trace: &'a M::Trace,
}

impl<M: Keepable> Serialize for WrittenTrace<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        M::write_trace(self.certificate.task, self.trace, &self.certificate.patience, serializer)
    }
}

/// Reads JSON. Long texts are read piece by piece, and the limits of the run are checked in between.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, CertificateError> {
    const LONG: usize = 1 << 24;
    let read = match text.len() {
        ..LONG => serde_json::from_str(text),
        _ => serde_json::from_reader(io::BufReader::new(Pieces(text.as_bytes()))),
    };
    read.map_err(|error| CertificateError(error.to_string()))
}

/// A text that is read within the limits of the run.
struct Pieces<'a>(&'a [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        heed();
        self.0.read(buffer)
    }
}

/// The verdict on `task` that a certificate is evidence for, not yet checked.
pub fn read_certificate<M: Keepable>(
    task: &Task<M>,
    model_sha256: &str,
    certificate: &str,
) -> Result<Verdict<M>, CertificateError> {
    let envelope: Envelope<M::ProofText, M::TraceText> = parse(certificate)?;
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
