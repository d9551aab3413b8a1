//! Contracts of procedures: formulas over the names of the automaton with procedures, and invariants of the automaton with
//! these contracts, which is rebuilt when they are read.

use thetis_base::IndexVec;
use thetis_expr::ExprId;
use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, Contract, ContractProof, Procedural, Procedure, ProcedureId};

use super::{BlockInvariants, ContractText, Contracts, read_invariants, write_block_invariants};
use crate::certificate::{CertificateError, error};

/// As text.
pub(super) fn write(task: &Task<Cfa>, proof: &ContractProof) -> Contracts {
    let text = |formula: ExprId| print_term(&task.store, formula, Dialect::Thetis);
    let procedures = task.model.procedural.iter().flat_map(|procedural| &procedural.procedures);
    let contracts = procedures.zip(&proof.contracts).map(|(procedure, contract)| {
        let precondition = text(contract.precondition);
        (procedure.name.clone(), ContractText { precondition, postcondition: text(contract.postcondition) })
    });
    let invariants = match with_contracts(task, &proof.contracts) {
        Ok(with_contracts) => write_block_invariants(&with_contracts, &proof.invariants),
        // The checker has accepted the proof before it is written, so this is not met.
        Err(_) => BlockInvariants::default(),
    };
    Contracts { contracts: contracts.collect(), invariants }
}

/// From text.
pub(super) fn read(task: &Task<Cfa>, text: &Contracts) -> Result<ContractProof, CertificateError> {
    let procedural = procedural(task)?;
    // Formulas are over snapshots that have been declared.
    procedural.snapshots(&task.store).map_err(|error| CertificateError(error.to_string()))?;
    if text.contracts.len() != procedural.procedures.len() {
        return error("there is not one contract for each procedure".to_owned());
    }
    let contracts = procedural.procedures.iter().map(|procedure| read_contract(task, procedure, text));
    let contracts: IndexVec<ProcedureId, Contract> = contracts.collect::<Result<_, _>>()?;
    let with_contracts = with_contracts(task, &contracts)?;
    let invariants = read_invariants(&with_contracts, &text.invariants)?;
    Ok(ContractProof { contracts, invariants }.at_home(&task.store, &with_contracts.store))
}

fn read_contract(
    task: &Task<Cfa>,
    procedure: &Procedure,
    text: &Contracts,
) -> Result<Contract, CertificateError> {
    let name = &procedure.name;
    let Some(contract) = text.contracts.get(name) else {
        return error(format!("the procedure `{name}` has no contract"));
    };
    let formula = |text: &str| {
        parse_term(&task.store, text, &Declared)
            .map_err(|error| CertificateError(format!("contract of `{name}`: {error}")))
    };
    let precondition = formula(&contract.precondition)?;
    Ok(Contract { precondition, postcondition: formula(&contract.postcondition)? })
}

fn procedural(task: &Task<Cfa>) -> Result<&Procedural, CertificateError> {
    match &task.model.procedural {
        Some(procedural) => Ok(procedural),
        None => error("the model has no procedures".to_owned()),
    }
}

/// The automaton with `contracts`. Its store knows the terms of `task` so far.
fn with_contracts(
    task: &Task<Cfa>,
    contracts: &IndexVec<ProcedureId, Contract>,
) -> Result<Task<Cfa>, CertificateError> {
    let model = procedural(task)?
        .with_contracts(&task.store, contracts)
        .map_err(|error| CertificateError(error.to_string()))?;
    Ok(Task { store: task.store.clone(), model, property: CfaProperty::ErrorLocation })
}
