//! Automata on pages.

use std::collections::BTreeSet;

use thetis_base::counted;
use thetis_expr::infix::{print, print_limited};
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, ContractProof, LongRuns, State, Stmt, StmtKind,
};

use super::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, NodeKind, Rule, Shown, Timeline, TraceStep, Visual,
};
use crate::trace::follow_told;

/// How much of a term is shown on an edge.
const MAX_NODES: usize = 16;

/// How many statements are shown on an edge.
const MAX_LINES: usize = 8;

impl Visual for Cfa {
    fn rule(task: &Task<Cfa>) -> Rule {
        let id = task.property.to_string();
        match task.property.program() {
            Some(asked) => Rule { id, sentence: asked.sentence.clone(), violation: asked.violation.clone() },
            None => Rule {
                id,
                sentence: "No run reaches an error location.".to_owned(),
                violation: "A run reaches an error location.".to_owned(),
            },
        }
    }

    fn steps(task: &Task<Cfa>, trace: &CfaTrace) -> Vec<TraceStep> {
        let cfa = &task.model;
        let name = |state: &State| cfa.locations[state.location].name.as_str();
        let mut steps = Vec::new();
        let is_run = follow_told(task, trace, |number, before, after| {
            let edge = before.map(|_| trace.steps[number - 1].edge);
            steps.push(TraceStep {
                matters: true,
                number,
                depth: 0,
                title: match before {
                    Some(before) => format!("{} → {}", name(before), name(after)),
                    None => format!("start at {}", name(after)),
                },
                span: match edge {
                    Some(edge) => cfa.edges[edge].span,
                    None => cfa.locations[after.location].span,
                },
                edge: edge.map(|edge| edge.index()),
                nodes: vec![after.location.index()],
                values: values(task, before, after),
            });
        });
        if is_run { steps } else { Vec::new() }
    }

    fn timeline(_: &Task<Cfa>, _: &CfaTrace) -> Option<Timeline> {
        None
    }

    fn drawing(task: &Task<Cfa>) -> Drawing {
        let cfa = &task.model;
        let kind = |id| {
            if cfa.is_error(id) {
                NodeKind::Error
            } else if cfa.limits.contains_key(&id) {
                NodeKind::Limit
            } else if id == cfa.initial {
                NodeKind::Initial
            } else if cfa.finals.contains(&id) {
                NodeKind::Final
            } else {
                NodeKind::Plain
            }
        };
        let locations = cfa.locations.iter_enumerated();
        let nodes = locations.map(|(id, location)| DrawnNode::new(&location.name, kind(id), location.span));
        let edges = cfa.edges.iter().map(|edge| {
            let (source, target) = (edge.source.index(), edge.target.index());
            DrawnEdge::new(source, target, lines(&task.store, &edge.stmt), EdgeKind::Arrow)
        });
        Drawing { nodes: nodes.collect(), edges: edges.collect(), places: None }
    }

    fn facts(task: &Task<Cfa>, proof: &CfaProof) -> Vec<Fact> {
        let invariants = match proof {
            CfaProof::Invariants(invariants) => invariants,
            CfaProof::Unwinding(unwinding) => &unwinding.lemmas,
            CfaProof::Exhaustion { .. } => return Vec::new(),
            CfaProof::Contracts(proof) => return contracts(task, proof),
        };
        let formulas = invariants.formulas.iter();
        formulas
            // Formulas that always hold are not shown.
            .filter(|(_, formula)| **formula != task.store.tru())
            .map(|(location, formula)| Fact {
                subject: task.model.locations[*location].name.clone(),
                formula: quantified(&task.store, &invariants.cells, *formula),
                span: task.model.locations[*location].span,
            })
            .collect()
    }

    fn proof_words(proof: &CfaProof) -> String {
        match proof {
            CfaProof::Invariants(CfaInvariants { formulas, .. }) => {
                format!(
                    "Invariants of {}, which hold at the start and are kept by every edge.",
                    counted(formulas.len(), "location")
                )
            }
            CfaProof::Contracts(proof) => format!(
                "Contracts of {}, which every call and every return keeps.",
                counted(proof.contracts.len(), "procedure")
            ),
            CfaProof::Exhaustion { max_steps, by_value } if by_value.is_empty() => {
                format!("All runs were followed to their ends: together they take {max_steps} edges.")
            }
            CfaProof::Exhaustion { max_steps, .. } => format!(
                "All runs were followed to their ends, for one value of small numbers after the other: together they take {max_steps} edges."
            ),
            CfaProof::Unwinding(CfaUnwinding { bound, long_runs: LongRuns::None, .. }) => {
                format!(
                    "All runs were unrolled: none takes more than {bound} back edges on its way to an error."
                )
            }
            CfaProof::Unwinding(CfaUnwinding { bound, long_runs: LongRuns::LoopByLoop, .. }) => {
                format!(
                    "All runs were unrolled loop by loop: no loop starts again more than {bound} times on the way to an error."
                )
            }
            CfaProof::Unwinding(CfaUnwinding { bound, long_runs: LongRuns::Inductive, .. }) => {
                format!(
                    "By induction: no run takes at most {bound} back edges to an error, and none takes {bound} further ones from a loop."
                )
            }
        }
    }

    fn semantics(task: &Task<Cfa>) -> &'static [&'static str] {
        if task.property.program().is_some() {
            return &[
                "Numbers have the sizes of the data model; unsigned arithmetic wraps around, and so does signed arithmetic unless the property is about overflow.",
                "Functions without a body may do what `--externals` allows; the assumptions name each of them.",
                "The verdict relies on the assumptions above; everything else is as C11 and gcc define it.",
            ];
        }
        &[
            "Variables have arbitrary values at the start.",
            "Integers and rationals are unbounded; bit-vectors wrap around.",
            "A division by zero has an arbitrary value.",
        ]
    }
}

/// The contracts of procedures.
fn contracts(task: &Task<Cfa>, proof: &ContractProof) -> Vec<Fact> {
    let Some(procedural) = &task.model.procedural else { return Vec::new() };
    let pairs = procedural.procedures.iter().zip(&proof.contracts);
    let facts = pairs.flat_map(|(procedure, contract)| {
        let parts = [("when called", contract.precondition), ("when it ends", contract.postcondition)];
        parts.map(|(when, formula)| Fact {
            subject: format!("{}, {when}", procedure.name),
            formula: print(&task.store, formula),
            span: procedural.cfa.locations[procedure.entry].span,
        })
    });
    facts.collect()
}

/// All values of a state; those of auxiliary variables, whose names contain `!`, are not shown.
fn values(task: &Task<Cfa>, before: Option<&State>, state: &State) -> Vec<Shown> {
    let vars = task.model.vars.iter().filter(|var| !task.store.var_name(**var).contains('!'));
    vars.map(|var| Shown {
        name: task.store.var_name(*var).to_string(),
        value: state.values[var].to_string(),
        changed: before.is_some_and(|before| before.values[var] != state.values[var]),
    })
    .collect()
}

/// The simple statements of an edge, one a line; choices are only named.
fn lines(store: &Store, stmt: &Stmt) -> Vec<String> {
    let mut lines: Vec<String> = stmt
        .walk()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(var, value) => {
                Some(format!("{} := {}", store.var_name(*var), print_limited(store, *value, MAX_NODES)))
            }
            StmtKind::Assume(formula) => Some(format!("[{}]", print_limited(store, *formula, MAX_NODES))),
            StmtKind::Havoc(var) => Some(format!("havoc {}", store.var_name(*var))),
            StmtKind::Choice(branches) => Some(format!("one of {}:", branches.len())),
            StmtKind::Seq(_) => None,
        })
        .take(MAX_LINES + 1)
        .collect();
    if lines.len() > MAX_LINES {
        lines[MAX_LINES] = "…".to_owned();
    }
    lines
}

/// A formula, preceded by the cells over which it is quantified.
fn quantified(store: &Store, cells: &BTreeSet<VarId>, formula: ExprId) -> String {
    let bound = store.vars_of([formula]).into_iter().filter(|var| cells.contains(var));
    let names: Vec<String> = bound.map(|cell| store.var_name(cell)).collect();
    let text = print(store, formula);
    if names.is_empty() { text } else { format!("for all {}: {text}", names.join(", ")) }
}
