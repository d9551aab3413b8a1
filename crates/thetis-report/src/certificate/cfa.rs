//! Evidence about automata: formulas and values are SMT-LIB text over the names of the model; locations go by name and
//! edges by number and by the names of their ends.

mod contracts;
mod run;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};
use thetis_expr::smtlib::{Declared, Dialect, parse_sort, parse_term, print_sort, print_term};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, EdgeId, Graph, LocId, LongRuns,
};

use super::{CertificateError, Keepable, Program, error};
use crate::streamed::Patience;

pub use run::{Deep, Repeated, Step, Steps, Trace};

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Proof {
    /// A formula for each location; missing ones have `true`.
    Invariants(BTreeMap<String, String>),
    /// The same, where some locations have whatever their outgoing edges need.
    BlockInvariants(BlockInvariants),
    /// A complete unwinding.
    Unwinding(Unwinding),
    /// A complete unwinding whose bound is about the rounds of each loop.
    LoopUnwinding(Unwinding),
    /// An unwinding that is not complete, but inductive.
    KInductive(Unwinding),
    /// All runs were followed to their ends.
    Exhaustion(Exhaustion),
    /// Contracts of procedures.
    Contracts(Contracts),
}

/// Invariants of which some are derived.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockInvariants {
    /// A formula for each location; missing ones have `true`.
    pub formulas: BTreeMap<String, String>,
    /// The locations that also have what their outgoing edges need.
    pub derived: Vec<String>,
    /// The numbers of edges that no run takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<usize>,
    /// The variables over which every formula is quantified universally, with their sorts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, String>,
}

/// An unwinding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unwinding {
    /// The greatest number of cut edges on a run; of an inductive one, that of the base and of the step.
    pub bound: u32,
    /// The numbers of the cut edges; if missing, the back edges of the model are meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<usize>>,
    /// The numbers of edges that no run takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<usize>,
    /// Formulas at locations that are shown first and then used; missing ones have `true`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lemmas: BTreeMap<String, String>,
    /// The locations that also have what their outgoing edges need for the lemmas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// The variables over which every lemma is quantified universally, with their sorts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, String>,
}

/// That all runs end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhaustion {
    /// How many edges are taken in all runs together.
    pub steps: u64,
    /// The variables all of whose values were tried where they are in a small range.
    #[serde(default, rename = "by-value", skip_serializing_if = "Vec::is_empty")]
    pub by_value: Vec<String>,
}

/// Contracts of procedures, and why they are kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contracts {
    /// The contracts, by the names of their procedures.
    pub contracts: BTreeMap<String, ContractText>,
    /// Invariants of the automaton in which calls do what the contracts say.
    pub invariants: BlockInvariants,
}

/// A contract.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractText {
    /// What holds whenever the procedure is called.
    pub precondition: String,
    /// What holds when it ends; `entry!x` is the value of `x` when it was called.
    pub postcondition: String,
}

impl Keepable for Cfa {
    type ProofText = Proof;
    type TraceText = Trace;

    fn program(task: &Task<Cfa>) -> Option<Program> {
        let question = task.property.program()?;
        let settings = question.settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        Some(Program {
            specification: question.specification.clone(),
            data_model: question.data_model.clone(),
            settings: settings.collect(),
        })
    }

    fn write_proof<S: Serializer>(
        task: &Task<Cfa>,
        proof: &CfaProof,
        _: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write_proof(task, proof).serialize(serializer)
    }

    fn write_trace<S: Serializer>(
        task: &Task<Cfa>,
        trace: &CfaTrace,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        run::write(task, trace, patience, serializer)
    }

    fn read_proof(task: &Task<Cfa>, proof: &Proof) -> Result<CfaProof, CertificateError> {
        read_proof(task, proof)
    }

    fn read_trace(task: &Task<Cfa>, trace: &Trace) -> Result<CfaTrace, CertificateError> {
        run::read(task, trace)
    }
}

fn write_proof(task: &Task<Cfa>, proof: &CfaProof) -> Proof {
    match proof {
        CfaProof::Unwinding(unwinding) => match unwinding.long_runs {
            LongRuns::None => Proof::Unwinding(write_unwinding(task, unwinding)),
            LongRuns::LoopByLoop => {
                Proof::LoopUnwinding(Unwinding { cuts: None, ..write_unwinding(task, unwinding) })
            }
            LongRuns::Inductive => Proof::KInductive(write_unwinding(task, unwinding)),
        },
        CfaProof::Invariants(invariants) => write_invariants(task, invariants),
        CfaProof::Exhaustion { max_steps, by_value } => {
            let by_value = by_value.iter().map(|var| task.store.var_name(*var)).collect();
            Proof::Exhaustion(Exhaustion { steps: *max_steps, by_value })
        }
        CfaProof::Contracts(proof) => Proof::Contracts(contracts::write(task, proof)),
    }
}

fn write_unwinding(task: &Task<Cfa>, unwinding: &CfaUnwinding) -> Unwinding {
    Unwinding {
        bound: unwinding.bound,
        cuts: Some(write_edges(&unwinding.cuts)),
        blocked: write_edges(&unwinding.lemmas.blocked),
        lemmas: write_formulas(task, &unwinding.lemmas.formulas),
        derived: write_locations(task, &unwinding.lemmas.derived),
        cells: write_cells(task, &unwinding.lemmas.cells),
    }
}

fn write_invariants(task: &Task<Cfa>, invariants: &CfaInvariants) -> Proof {
    let is_plain =
        invariants.derived.is_empty() && invariants.blocked.is_empty() && invariants.cells.is_empty();
    match is_plain {
        true => Proof::Invariants(write_formulas(task, &invariants.formulas)),
        false => Proof::BlockInvariants(write_block_invariants(task, invariants)),
    }
}

fn write_block_invariants(task: &Task<Cfa>, invariants: &CfaInvariants) -> BlockInvariants {
    BlockInvariants {
        formulas: write_formulas(task, &invariants.formulas),
        derived: write_locations(task, &invariants.derived),
        blocked: write_edges(&invariants.blocked),
        cells: write_cells(task, &invariants.cells),
    }
}

fn write_locations(task: &Task<Cfa>, locations: &BTreeSet<LocId>) -> Vec<String> {
    locations.iter().map(|at| task.model.locations[*at].name.clone()).collect()
}

fn write_cells(task: &Task<Cfa>, cells: &BTreeSet<VarId>) -> BTreeMap<String, String> {
    let sort = |cell: VarId| print_sort(&task.store, task.store.var_sort(cell));
    cells.iter().map(|cell| (task.store.var_name(*cell), sort(*cell))).collect()
}

fn write_edges(edges: &BTreeSet<EdgeId>) -> Vec<usize> {
    edges.iter().map(|edge| edge.index()).collect()
}

fn write_formulas(task: &Task<Cfa>, formulas: &BTreeMap<LocId, ExprId>) -> BTreeMap<String, String> {
    let name = |location: &LocId| task.model.locations[*location].name.clone();
    let text = |formula: &ExprId| print_term(&task.store, *formula, Dialect::Thetis);
    formulas.iter().map(|(at, formula)| (name(at), text(formula))).collect()
}

fn read_proof(task: &Task<Cfa>, proof: &Proof) -> Result<CfaProof, CertificateError> {
    Ok(match proof {
        Proof::Unwinding(unwinding) => read_unwinding(task, unwinding, LongRuns::None)?,
        Proof::LoopUnwinding(unwinding) => read_unwinding(task, unwinding, LongRuns::LoopByLoop)?,
        Proof::KInductive(unwinding) => read_unwinding(task, unwinding, LongRuns::Inductive)?,
        Proof::Contracts(contracts) => CfaProof::Contracts(contracts::read(task, contracts)?),
        Proof::Exhaustion(exhaustion) => CfaProof::Exhaustion {
            max_steps: exhaustion.steps,
            by_value: exhaustion
                .by_value
                .iter()
                .map(|name| read_var(task, name))
                .collect::<Result<_, _>>()?,
        },
        Proof::Invariants(formulas) => CfaProof::invariants(read_formulas(task, formulas)?),
        Proof::BlockInvariants(invariants) => CfaProof::Invariants(read_invariants(task, invariants)?),
    })
}

fn read_invariants(
    task: &Task<Cfa>,
    invariants: &BlockInvariants,
) -> Result<CfaInvariants, CertificateError> {
    let derived = invariants.derived.iter().map(|name| read_location(task, name));
    Ok(CfaInvariants {
        // Formulas are over cells that have been declared.
        cells: read_cells(task, &invariants.cells)?,
        formulas: read_formulas(task, &invariants.formulas)?,
        derived: derived.collect::<Result<_, _>>()?,
        blocked: read_edges(task, &invariants.blocked)?,
    })
}

fn read_var(task: &Task<Cfa>, name: &str) -> Result<VarId, CertificateError> {
    let var = task.store.find_var(name).filter(|var| task.model.vars.contains(var));
    var.ok_or_else(|| CertificateError(format!("the model has no variable `{name}`")))
}

/// Declares the cells. The checker makes sure that they are not variables of the model.
fn read_cells(
    task: &Task<Cfa>,
    cells: &BTreeMap<String, String>,
) -> Result<BTreeSet<VarId>, CertificateError> {
    let mut read = BTreeSet::new();
    for (name, text) in cells {
        let sort = parse_sort(&task.store, text)
            .map_err(|error| CertificateError(format!("sort of the cell `{name}`: {error}")))?;
        let known = task.store.find_var(name);
        if known.is_some_and(|var| task.store.var_sort(var) != sort) {
            return error(format!("the cell `{name}` is known with another sort"));
        }
        read.insert(task.store.declare(name, sort));
    }
    Ok(read)
}

fn read_unwinding(
    task: &Task<Cfa>,
    unwinding: &Unwinding,
    long_runs: LongRuns,
) -> Result<CfaProof, CertificateError> {
    let lemmas = BlockInvariants {
        formulas: unwinding.lemmas.clone(),
        derived: unwinding.derived.clone(),
        blocked: unwinding.blocked.clone(),
        cells: unwinding.cells.clone(),
    };
    let back_edges = || Graph::towards_errors(&task.model).back_edges().collect();
    Ok(CfaProof::Unwinding(CfaUnwinding {
        bound: unwinding.bound,
        cuts: unwinding.cuts.as_ref().map_or_else(|| Ok(back_edges()), |cuts| read_edges(task, cuts))?,
        long_runs,
        lemmas: read_invariants(task, &lemmas)?,
    }))
}

fn read_edges(task: &Task<Cfa>, numbers: &[usize]) -> Result<BTreeSet<EdgeId>, CertificateError> {
    numbers.iter().map(|number| read_edge(task, *number)).collect()
}

fn read_edge(task: &Task<Cfa>, number: usize) -> Result<EdgeId, CertificateError> {
    if number < task.model.edges.len() {
        return Ok(EdgeId::new(number));
    }
    error(format!("the model has no edge {number}"))
}

fn read_formulas(
    task: &Task<Cfa>,
    formulas: &BTreeMap<String, String>,
) -> Result<BTreeMap<LocId, ExprId>, CertificateError> {
    let mut read = BTreeMap::new();
    for (name, text) in formulas {
        let formula = parse_term(&task.store, text, &Declared)
            .map_err(|error| CertificateError(format!("invariant of `{name}`: {error}")))?;
        read.insert(read_location(task, name)?, formula);
    }
    Ok(read)
}

fn read_location(task: &Task<Cfa>, name: &str) -> Result<LocId, CertificateError> {
    match task.model.location(name) {
        Some(location) => Ok(location),
        None => error(format!("the model has no location `{name}`")),
    }
}
