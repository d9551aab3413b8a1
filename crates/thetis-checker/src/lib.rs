//! The checker of proofs and traces.
//!
//! It is the part of the product that has to be right, so it is small and slow rather than clever, and shares nothing
//! with the engines but terms and models. Traces are followed by the interpreter of the formalism, with the evaluator
//! and without a solver; proofs are checked with a fresh solver. Anything the solver cannot decide is not accepted.
//! Each formalism has its own module, which says when its evidence is accepted.

mod certify;
pub mod cfa;
pub mod petri;
pub mod sts;
pub mod xta;

pub use certify::{Certified, certify};

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_model::{Model, Task};
use thetis_solver::{Answer, Solver, SolverError, SolverFactory};

/// A formalism whose evidence can be checked.
pub trait Checkable: Model {
    /// Accepts `trace` iff it is a run of the model that violates the property.
    fn check_trace(task: &Task<Self>, trace: &Self::Trace) -> Result<(), CheckError>;

    /// Accepts `proof` iff it shows that no run violates the property.
    fn check_proof(
        task: &Task<Self>,
        proof: &Self::Proof,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError>;
}

/// The outcome of a check that did not accept.
#[derive(Debug)]
pub enum CheckError {
    /// The evidence is wrong; one sentence that says how.
    Rejected(String),
    /// The solver could not decide.
    Undecided(String),
    /// The run ended first.
    Stopped(Stop),
}

impl From<Stop> for CheckError {
    fn from(stop: Stop) -> CheckError {
        CheckError::Stopped(stop)
    }
}

impl From<SolverError> for CheckError {
    fn from(error: SolverError) -> CheckError {
        CheckError::Stopped(error.into())
    }
}

/// Whether `formula` has no model; an undecided query is an error.
fn is_unsatisfiable(
    solver: &mut dyn Solver,
    store: &Store,
    formula: ExprId,
    run: &Run,
) -> Result<bool, CheckError> {
    run.checkpoint()?;
    match solver.check(store, &[formula])? {
        Answer::Unsat => Ok(true),
        Answer::Sat(_) => Ok(false),
        Answer::Unknown(reason) => {
            run.checkpoint()?;
            Err(CheckError::Undecided(reason.to_string()))
        }
    }
}
