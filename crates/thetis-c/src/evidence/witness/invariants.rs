//! The tasks that decide a correctness witness.
//!
//! First: are its invariants inductive, so that they are a proof as they stand? Each location with claims has their
//! conjunction, and all others have the weakest precondition along their outgoing edges; the checker decides. Second,
//! if they are not: do they hold, and does the property? For that every claim gets its own error location, and an
//! engine decides.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaInvariants, CfaProof, Graph, LocId, Stmt, StmtKind};

use super::WitnessError;
use crate::lower::{Claim, Lowered};

/// A program in which violated claims are errors.
pub struct Asserted {
    /// The automaton. Its errors are violations, limits and violated claims; its edges begin with those of the program.
    pub task: Task<Cfa>,
    /// The number of the claim that is violated at each new error location.
    pub claims: BTreeMap<LocId, u32>,
}

/// The claims that have a formula, and the numbers of those that have none.
fn usable(lowered: &Lowered) -> (Vec<(&Claim, ExprId)>, BTreeSet<u32>) {
    let claims = lowered.origin.claims.iter();
    let missing = claims.clone().filter(|claim| claim.formula.is_none()).map(|claim| claim.number);
    (claims.clone().filter_map(|claim| Some((claim, claim.formula?))).collect(), missing.collect())
}

/// The numbers of claims that are not formulas over the state and cannot be decided.
pub fn not_formulas(lowered: &Lowered) -> BTreeSet<u32> {
    usable(lowered).1
}

/// The task and the claims as its proof, if every cycle has one.
pub fn as_proof(lowered: &Lowered) -> Option<(Task<Cfa>, CfaProof)> {
    let task = lowered.task.clone();
    let store = &task.store;
    let mut formulas: BTreeMap<LocId, ExprId> = BTreeMap::new();
    for (claim, formula) in usable(lowered).0 {
        let known = formulas.get(&claim.location).copied().unwrap_or(store.tru());
        formulas.insert(claim.location, store.and(known, formula));
    }
    let graph = Graph::new(&task.model);
    if !graph.back_edges().all(|edge| formulas.contains_key(&task.model.edges[edge].target)) {
        return None;
    }
    formulas.extend(task.model.forbidden().into_iter().map(|location| (location, store.fals())));
    let derived = task.model.locations.indices().filter(|location| !formulas.contains_key(location));
    let derived = derived.collect();
    let proof = CfaProof::Invariants(CfaInvariants { formulas, derived, ..CfaInvariants::default() });
    Some((task, proof))
}

/// The program with an error location for each claim.
pub fn asserted(lowered: &Lowered) -> Result<Asserted, WitnessError> {
    let (store, cfa) = (lowered.task.store.clone(), &lowered.task.model);
    let mut builder = CfaBuilder::new(cfa.name.clone());
    cfa.vars.iter().for_each(|var| builder.var(*var));
    for location in &cfa.locations {
        builder.location(location.name.clone(), location.span);
    }
    builder.initial(cfa.initial);
    cfa.errors.iter().for_each(|error| builder.error(*error));
    cfa.limits.iter().for_each(|(limit, reason)| builder.limit(*limit, reason));
    cfa.finals.iter().for_each(|end| builder.final_location(*end));
    for edge in &cfa.edges {
        builder.edge(edge.source, edge.target, edge.stmt.clone(), edge.span);
    }
    let mut claims = BTreeMap::new();
    // A run that ends at a limit decides nothing, so claims there do not matter.
    let claimed =
        usable(lowered).0.into_iter().filter(|(claim, _)| !cfa.limits.contains_key(&claim.location));
    for (claim, formula) in claimed {
        let error = builder.location(format!("claim{}.{}", claim.number, claims.len()), None);
        builder.error(error);
        let stmt = Stmt { kind: StmtKind::Assume(store.not(formula)), span: None };
        builder.edge(claim.location, error, stmt, cfa.locations[claim.location].span);
        claims.insert(error, claim.number);
    }
    let model = builder.build(&store)?;
    Ok(Asserted { task: Task { store, model, property: lowered.task.property.clone() }, claims })
}
