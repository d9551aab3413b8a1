//! Evidence about transition systems.
//!
//! * A **trace** is accepted iff it has a step, the interpreter follows it from an initial state, and its last step is bad.
//! * An **invariant** is accepted iff the solver proves that it holds in initial states, that every step preserves it, and
//!   that no step from a state that satisfies it is bad.
//! * A **k-induction** is accepted iff the solver proves that its lemma holds in initial states and is preserved, that none
//!   of the first `k` steps of a run is bad, and that `k` consecutive steps that are not bad are never followed by a bad
//!   one.
//!
//! States before and after a step are different variables here, related by equations, while engines let terms flow
//! through the functions; so a mistake in one way is found by the other.

mod induction;
mod invariant;
mod rejection;
mod relation;

use std::collections::HashSet;

use thetis_base::Run;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::Task;
use thetis_model::sts::{Interpreter, Sts, StsProof, StsTrace};
use thetis_solver::SolverFactory;

use crate::{CheckError, Checkable};

pub use rejection::Rejection;

impl Checkable for Sts {
    fn check_trace(task: &Task<Sts>, trace: &StsTrace) -> Result<(), CheckError> {
        match Interpreter::new(task).run(trace) {
            Ok(true) => Ok(()),
            Ok(false) => Err(rejected(&Rejection::NotBad)),
            Err((number, error)) => Err(rejected(&Rejection::Step(number, error))),
        }
    }

    fn check_proof(
        task: &Task<Sts>,
        proof: &StsProof,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError> {
        let checked = match proof {
            StsProof::Invariant(formula) => invariant::check(task, *formula, solvers, run),
            StsProof::KInductive { k, lemma, paths } => {
                let claim = induction::Claim { k: *k, lemma: *lemma, paths: *paths };
                induction::check(task, claim, solvers, run)
            }
        };
        match checked? {
            None => Ok(()),
            Some(rejection) => Err(rejected(&rejection)),
        }
    }
}

fn rejected(rejection: &Rejection) -> CheckError {
    CheckError::Rejected(rejection.to_string())
}

/// Acceptance, or the reason against it.
type Outcome = Result<Option<Rejection>, CheckError>;

/// Whether `formula` is a Boolean term over the variables of the model.
fn is_state_formula(task: &Task<Sts>, formula: ExprId) -> bool {
    let declared: HashSet<VarId> = task.model.vars.iter().copied().collect();
    let vars = task.store.vars_of([formula]);
    task.store.sort(formula) == Sort::Bool && vars.iter().all(|var| declared.contains(var))
}
