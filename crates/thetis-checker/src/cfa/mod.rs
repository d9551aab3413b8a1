//! Evidence about control-flow automata.
//!
//! * A **trace** is accepted iff the interpreter follows it from the initial location to an error location. One that
//!   ends at a limit is rejected, because what the program does there is not known.
//! * **Invariants** are accepted iff the solver proves that the formula of the initial location is valid, and that each
//!   edge leads from the formula of its source to that of its target, where error locations have `false` and derived
//!   ones have what their outgoing edges need. Formulas may be about all [cells](self::cells) of arrays.
//! * An **unwinding** is accepted iff the solver proves that the automaton, unrolled along its cut edges up to the
//!   bound, neither reaches an error location nor takes a further cut edge; lemmas and blocked edges are shown first. Rounds
//!   may also be counted [loop by loop](self::loop_unwinding).
//! * **Exhaustion** is accepted iff all runs end before an error location when they are followed with the values that are known.
//!   No solver is asked.
//! * **Contracts** are accepted iff the model has [procedures](self::contracts) and the proof has invariants of the automaton
//!   in which every call does what the contract of its callee says.
//!
//! In proofs, limits count as error locations: `safe` is a statement about the program only if no run leaves the part
//! of it that the automaton models.
//!
//! Statements are given a meaning by weakest preconditions, not by the symbolic execution that engines use, so that a
//! mistake in one is found by the other.

mod cells;
mod contracts;
mod exhaustion;
mod formulas;
mod idle_wraps;
mod invariants;
mod known;
mod loop_unwinding;
mod nest;
mod occurrences;
mod order;
mod precondition;
mod rejection;
mod trace;
mod unwinding;

use thetis_base::Run;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace};
use thetis_solver::SolverFactory;

use crate::{CheckError, Checkable};

pub use rejection::Rejection;

impl Checkable for Cfa {
    fn check_trace(task: &Task<Cfa>, trace: &CfaTrace) -> Result<(), CheckError> {
        trace::check(task, trace).map_err(|rejection| CheckError::Rejected(rejection.describe(task)))
    }

    fn check_proof(
        task: &Task<Cfa>,
        proof: &CfaProof,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError> {
        let checked = match proof {
            CfaProof::Invariants(invariants) => invariants::check(task, invariants, solvers, run),
            CfaProof::Unwinding(unwinding) => unwinding::check(task, unwinding, solvers, run),
            CfaProof::Exhaustion { max_steps, by_value } => {
                exhaustion::check(task, *max_steps, by_value, run)
            }
            CfaProof::Contracts(proof) => return contracts::check(task, proof, solvers, run),
        };
        match checked? {
            None => Ok(()),
            Some(rejection) => Err(CheckError::Rejected(rejection.describe(task))),
        }
    }
}

/// Acceptance, or the reason against it.
type Outcome = Result<Option<Rejection>, CheckError>;
