//! Answers, and the evidence for them.

use std::fmt;

use thetis_base::Stop;

use crate::Model;

/// The answer of an engine to a task.
#[derive(Clone, Debug)]
pub enum Verdict<M: Model> {
    /// No run violates the property.
    Safe(Evidence<M::Proof>),
    /// Some run does.
    Unsafe(Evidence<M::Trace>),
    /// The engine finished, or was stopped, without an answer.
    Unknown(Reason),
}

/// The certificate of an answer, or why there is none.
#[derive(Clone, Debug)]
pub enum Evidence<T> {
    /// The certificate.
    Given(T),
    /// Why there is none. Such a verdict is not reported: see [`Reason::NoCertificate`].
    Missing(&'static str),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A bounded search found nothing up to its bound.
    Bound(u32),
    /// The search ended without a violation, but has left something out.
    Incomplete(String),
    /// The solver could not decide a query.
    Solver(String),
    /// The certificate of an answer was rejected: a bug of the highest rank.
    CertificateRejected(String),
    /// An engine has an answer, but no certificate of it that could be checked.
    NoCertificate(String),
    /// The checker could not decide about the certificate of an answer.
    CertificateUndecided(String),
    /// The run was cancelled.
    Cancelled,
    /// The time of the budget was used up.
    OutOfTime,
    /// The memory of the budget was used up.
    OutOfMemory,
    /// A part of the system failed.
    Failed(String),
}

impl Reason {
    /// The stable name of the kind of reason, for machine-readable output.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Bound(_) => "bound",
            Reason::Incomplete(_) => "incomplete",
            Reason::Solver(_) => "solver",
            Reason::CertificateRejected(_) => "certificate-rejected",
            Reason::NoCertificate(_) => "no-certificate",
            Reason::CertificateUndecided(_) => "certificate-undecided",
            Reason::Cancelled => "cancelled",
            Reason::OutOfTime => "out-of-time",
            Reason::OutOfMemory => "out-of-memory",
            Reason::Failed(_) => "failed",
        }
    }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Cancelled => Reason::Cancelled,
            Stop::OutOfTime => Reason::OutOfTime,
            Stop::OutOfMemory => Reason::OutOfMemory,
            Stop::Failed(error) => Reason::Failed(error.to_string()),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Bound(bound) => write!(f, "no violation up to bound {bound}"),
            Reason::Incomplete(words) | Reason::Solver(words) => write!(f, "{words}"),
            Reason::CertificateRejected(words) => write!(f, "internal: certificate rejected: {words}"),
            Reason::NoCertificate(words) => {
                write!(f, "there is an answer without a certificate: {words}")
            }
            Reason::CertificateUndecided(words) => write!(f, "the certificate could not be checked: {words}"),
            Reason::Cancelled => write!(f, "cancelled"),
            Reason::OutOfTime => write!(f, "out of time"),
            Reason::OutOfMemory => write!(f, "out of memory"),
            Reason::Failed(words) => write!(f, "{words}"),
        }
    }
}
