//! The checker of proofs and traces.
//!
//! It is the part of the product that has to be right, so it is small and slow rather than clever, and shares nothing
//! with the engines but terms and models:
//!
//! * a **trace** is accepted iff the interpreter follows it, with the evaluator and without a solver, from the
//!   initial location to an error location;
//! * **invariants** are accepted iff a fresh solver proves that the formula of the initial location is valid, and that
//!   each edge leads from the formula of its source to that of its target, error locations having `false`;
//! * an **unwinding** is accepted iff a fresh solver proves that the automaton, unrolled along its back edges up to
//!   the bound, neither reaches an error location nor takes a further back edge.
//!
//! Statements are given a meaning by weakest preconditions ([`precondition`]), not by the symbolic execution that
//! engines use, so that a mistake in one is found by the other. Anything the solver cannot decide is not accepted.

mod invariants;
mod precondition;
mod rejection;
mod trace;
mod unwinding;

use thetis_base::Run;
use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof};
use thetis_solver::{Answer, Solver, SolverFactory};

pub use rejection::{CheckError, Rejection};
pub use trace::check_trace;

/// Accepts `proof` iff it shows that no run of `task` reaches an error location.
pub fn check_proof(
    task: &Task<Cfa>,
    proof: &CfaProof,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    match proof {
        CfaProof::Invariants(invariants) => invariants::check(task, invariants, solvers, run),
        CfaProof::Unwinding { bound } => unwinding::check(task, *bound, solvers, run),
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
