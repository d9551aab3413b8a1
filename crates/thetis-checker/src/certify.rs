//! From the answer of an engine to an answer that may be reported.

use std::time::Duration;

use thetis_base::{Run, Stop, Stopwatch};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{Deferral, SolverFactory};

use crate::{CheckError, Checkable};

/// A verdict after its evidence was checked.
#[derive(Clone, Debug)]
pub struct Certified<M: Checkable> {
    /// The verdict; `Unknown` if its evidence is missing, was rejected or could not be checked.
    pub verdict: Verdict<M>,
    /// How long the check took; `None` if there was nothing to check.
    pub time: Option<Duration>,
}

impl<M: Checkable> Certified<M> {
    /// No verdict, for a run that ended before its evidence was checked.
    pub fn unknown(reason: Reason) -> Certified<M> {
        Certified { verdict: Verdict::Unknown(reason), time: None }
    }
}

/// Checks the evidence of `verdict` with fresh solvers of `solvers`. An error means that the check did not finish.
pub fn certify<M: Checkable>(
    task: &Task<M>,
    verdict: Verdict<M>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<Certified<M>, Stop> {
    let mut watch = Stopwatch::default();
    let checked = watch.time(|| match &verdict {
        Verdict::Safe(Evidence::Given(proof)) => Some(check_proof(task, proof, solvers, run)),
        Verdict::Unsafe(Evidence::Given(trace)) => Some(M::check_trace(task, trace)),
        _ => None,
    });
    let time = checked.as_ref().map(|_| watch.total());
    let verdict = match checked {
        Some(Ok(())) => verdict,
        None => without_evidence(verdict),
        Some(Err(CheckError::Rejected(words))) => Verdict::Unknown(Reason::CertificateRejected(words)),
        Some(Err(CheckError::Undecided(words))) => Verdict::Unknown(Reason::CertificateUndecided(words)),
        Some(Err(CheckError::Stopped(stop))) => return Err(stop),
    };
    Ok(Certified { verdict, time })
}

/// Checks a proof, and accepts it when all solvers that were asked have answered.
fn check_proof<M: Checkable>(
    task: &Task<M>,
    proof: &M::Proof,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    let deferral = Deferral::begin(solvers);
    M::check_proof(task, proof, solvers, run)?;
    Ok(deferral.settle()?)
}

/// The verdict to report when there is no evidence to check.
fn without_evidence<M: Checkable>(verdict: Verdict<M>) -> Verdict<M> {
    match verdict {
        Verdict::Safe(Evidence::Missing(words)) | Verdict::Unsafe(Evidence::Missing(words)) => {
            Verdict::Unknown(Reason::NoCertificate(words.to_owned()))
        }
        verdict => verdict,
    }
}
