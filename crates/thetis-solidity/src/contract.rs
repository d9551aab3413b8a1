//! Reading one contract as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use thetis_base::{Code, Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, LocId, ProgramQuestion};

use crate::check::Check;
use crate::decls::Decls;
use crate::lower::{ContractStep, LoweredContract, Program, Variable, lower_contract};
use crate::read::{Options, STACK, described, program, report, with_declarations};
use crate::types::ContractId;

/// A contract with all its transactions.
pub struct ContractTask {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Whether an error location is reachable.
    pub task: Task<Cfa>,
    /// What the error locations mean.
    pub checks: BTreeMap<LocId, Check>,
    /// The location between transactions.
    pub head: LocId,
    /// Locations at which the state is one between transactions, if none waits for a call.
    pub between: Vec<LocId>,
    /// What to show of a run that reaches these locations.
    pub steps: BTreeMap<LocId, ContractStep>,
    /// The state of the contract.
    pub state: Vec<Variable>,
    /// Variables with the values that they have between transactions.
    pub idle: Vec<(VarId, ExprId)>,
    /// What was ignored, with its place.
    pub notes: Vec<(Span, String)>,
}

const CONTRACT: Code = Code("solidity-contract");

/// Reads the contract called `name`, or the only one that can be deployed and is not the base of another.
pub fn read_contract(
    sources: &SourceMap,
    files: &[FileId],
    name: Option<&str>,
    options: &Options,
    diags: &mut Diagnostics,
) -> Result<ContractTask, Reported> {
    // Syntax trees are dropped recursively.
    stacker::grow(STACK, || {
        with_declarations(sources, files, diags, |decls, diags| {
            let contract = chosen(decls, files, name, diags)?;
            // Annotations of functions and events play no role.
            let program = Program {
                uses_quantifiers: false,
                checks_modifies: false,
                checks_events: false,
                ..program(decls, sources, options)
            };
            match lower_contract(&program, contract) {
                Ok(lowered) => Ok(task(decls, contract, lowered, sources, options)),
                Err(fault) => Err(report(&fault, sources, diags)),
            }
        })
    })
}

fn chosen(
    decls: &Decls<'_>,
    files: &[FileId],
    name: Option<&str>,
    diags: &mut Diagnostics,
) -> Result<ContractId, Reported> {
    let all: Vec<ContractId> = decls.contracts.indices().filter(|id| decls.is_deployable(*id)).collect();
    let is_base = |id: &ContractId| {
        decls.contracts.iter_enumerated().any(|(other, decl)| other != *id && decl.linear.contains(id))
    };
    let fitting: Vec<ContractId> = match name {
        Some(name) => all.iter().copied().filter(|id| decls.contracts[*id].name == name).collect(),
        None => all.iter().copied().filter(|id| !is_base(id)).collect(),
    };
    if let [one] = fitting.as_slice() {
        return Ok(*one);
    }
    let names: Vec<&str> = all.iter().map(|id| decls.contracts[*id].name.as_str()).collect();
    let place = Span { file: files[0], start: 0, end: 0 };
    let message = match (name, names.as_slice()) {
        (_, []) => "no contract of this file can be deployed".to_owned(),
        (Some(name), _) => format!("no contract `{name}` can be deployed, only {}", names.join(", ")),
        (None, _) => {
            format!("say which contract is meant, as in `contract:{}`: {}", names[0], names.join(", "))
        }
    };
    Err(diags.error(place, CONTRACT, message))
}

fn task(
    decls: &Decls<'_>,
    contract: ContractId,
    lowered: LoweredContract,
    sources: &SourceMap,
    options: &Options,
) -> ContractTask {
    let name = decls.contracts[contract].name.clone();
    let question = ProgramQuestion {
        name: "contract".to_owned(),
        specification: format!(
            "no sequence of transactions violates an assertion or an invariant of `{name}`"
        ),
        sentence: format!("no sequence of transactions violates an assertion or an invariant of `{name}`"),
        violation: format!("a sequence of transactions violates an assertion or an invariant of `{name}`"),
        data_model: "EVM".to_owned(),
        settings: BTreeMap::from([
            ("arithmetic", options.arithmetic.name().to_owned()),
            ("contract", name.clone()),
        ]),
        assumptions: lowered.assumptions,
    };
    let mut model = lowered.built.cfa;
    model.limits = lowered.built.limits.iter().map(|(at, limit)| (*at, described(limit, sources))).collect();
    let nodes = &lowered.built.nodes;
    ContractTask {
        span: decls.contracts[contract].span,
        name,
        checks: lowered.built.checks,
        head: nodes[lowered.head.index()],
        between: lowered.between.iter().map(|node| nodes[node.index()]).collect(),
        steps: lowered.steps.into_iter().map(|(node, step)| (nodes[node.index()], step)).collect(),
        state: lowered.state,
        idle: lowered.idle,
        notes: lowered.notes,
        task: Task { store: lowered.store, model, property: CfaProperty::Program(Arc::new(question)) },
    }
}
