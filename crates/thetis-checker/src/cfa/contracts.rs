//! Contracts of procedures.
//!
//! The checker itself builds the automaton with the contracts of the proof from the model, and checks that the invariants
//! of the proof are invariants of that automaton.
//! [`Procedural::with_contracts`](thetis_model::cfa::Procedural::with_contracts) defines the automaton and explains why no
//! further check is needed.

use thetis_base::Run;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, ContractProof};
use thetis_solver::SolverFactory;

use super::invariants;
use crate::CheckError;

pub(super) fn check(
    task: &Task<Cfa>,
    proof: &ContractProof,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    let Some(procedural) = &task.model.procedural else {
        return Err(CheckError::Rejected("the proof is about procedures, and the model has none".into()));
    };
    let model = procedural
        .with_contracts(&task.store, &proof.contracts)
        .map_err(|error| CheckError::Rejected(error.to_string()))?;
    let with_contracts = Task { store: task.store.clone(), model, property: CfaProperty::ErrorLocation };
    match invariants::check(&with_contracts, &proof.invariants, solvers, run)? {
        None => Ok(()),
        Some(rejection) => Err(CheckError::Rejected(rejection.describe(&with_contracts))),
    }
}
