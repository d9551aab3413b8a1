//! Contracts by ranges: between which bounds the shared variables are where procedures start and end.
//!
//! Preconditions are usually bounds on arguments. As unknown relations they are hard for a solver of clauses: the states
//! in which a procedure is called depend on what calls return, and vice versa. So they are guessed, and the proof has to
//! show them. The ranges are those of the automaton in which a call either starts the callee, with arbitrary local
//! variables, or continues after the call, where the variables that the callee may change are as they were at its exit
//! in the last round; in the first round they are arbitrary.

use std::collections::BTreeSet;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, VarId};
use thetis_model::Task;
use thetis_model::cfa::ranges::RangeMap;
use thetis_model::cfa::{Cfa, Edge, Procedural, ProcedureId, Stmt};

/// How often the ranges at exits are used to compute more precise ones.
const NUM_ROUNDS: usize = 3;

/// What is guessed about a procedure; conjunctions over the shared variables at its entry and at its exit.
#[derive(Clone, Default)]
pub(super) struct Guess {
    pub(super) at_entry: Vec<ExprId>,
    pub(super) at_exit: Vec<ExprId>,
}

/// The guesses about `procedural`, whose edges are those of `edges`.
pub(super) fn guesses(
    edges: &Task<Cfa>,
    procedural: &Procedural,
    run: &Run,
) -> Result<IndexVec<ProcedureId, Guess>, Stop> {
    let modified = procedural.modified();
    let mut guesses: IndexVec<ProcedureId, Guess> =
        procedural.procedures.iter().map(|_| Guess::default()).collect();
    for _ in 0..NUM_ROUNDS {
        let ranges = RangeMap::new(&with_jumps(edges, procedural, &modified, &guesses), run)?;
        for (id, procedure) in procedural.procedures.iter_enumerated() {
            let is_shared = |var: VarId| !procedural.locals.contains(&var);
            let is_modified = |var: VarId| modified[id].contains(&var);
            guesses[id] = Guess {
                at_entry: ranges.facts_about(&edges.store, procedure.entry, is_shared),
                at_exit: ranges.facts_about(&edges.store, procedure.exit, is_modified),
            };
        }
    }
    Ok(guesses)
}

/// The ranges in the automaton in which calls are jumps, and their results are arbitrary.
pub(super) fn with_any_results(
    edges: &Task<Cfa>,
    procedural: &Procedural,
    run: &Run,
) -> Result<RangeMap, Stop> {
    let nothing = procedural.procedures.iter().map(|_| Guess::default()).collect();
    RangeMap::new(&with_jumps(edges, procedural, &procedural.modified(), &nothing), run)
}

/// The automaton in which calls are jumps.
fn with_jumps(
    edges: &Task<Cfa>,
    procedural: &Procedural,
    modified: &IndexVec<ProcedureId, BTreeSet<VarId>>,
    guesses: &IndexVec<ProcedureId, Guess>,
) -> Task<Cfa> {
    let mut model = procedural.cfa.clone();
    model.limits.retain(|limit, _| !procedural.calls.contains_key(limit));
    let arbitrary = |vars: &BTreeSet<VarId>| vars.iter().map(|var| Stmt::havoc(*var)).collect::<Vec<Stmt>>();
    for (location, call) in &procedural.calls {
        let entry = procedural.procedures[call.callee].entry;
        let into = Stmt::seq(arbitrary(&procedural.locals));
        let mut over = arbitrary(&modified[call.callee]);
        over.extend(guesses[call.callee].at_exit.iter().map(|fact| Stmt::assume(*fact)));
        for (target, stmt) in [(entry, into), (call.target, Stmt::seq(over))] {
            model.edges.push(Edge { source: *location, target, stmt, span: None });
        }
    }
    Task { store: edges.store.clone(), model, property: edges.property.clone() }
}
