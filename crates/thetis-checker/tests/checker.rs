//! The checker accepts right evidence and rejects wrong evidence.
//!
//! `mutations` changes right proofs, traces and models in many ways, each of which must be rejected; the random tests
//! compare the checker with explicit exploration.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod mutations;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use thetis_base::Run;
use thetis_checker::{CheckError, Checkable};
use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, Graph, LocId, LongRuns, State};
use thetis_solver::CheckedFactory;
use thetis_testkit::cfa::{Shape, explore, parse, random_cfa, reachable_states};
use thetis_z3::Z3Factory;

/// The model, and the same one with a limit in place of its error location: what has to be shown is the same.
fn with_error_and_limit(text: &str) -> [Task<Cfa>; 2] {
    let limit = text.replace("error loc bad", "limit loc bad \"line 3: not modelled\"");
    assert_ne!(text, limit, "the model should have an error location");
    [parse(text), parse(&limit)]
}

fn check(task: &Task<Cfa>, proof: &CfaProof) -> Result<(), CheckError> {
    let z3 = || Rc::new(Z3Factory::default());
    let solvers = CheckedFactory::new(z3(), z3());
    Cfa::check_proof(task, proof, &solvers, &Run::unlimited())
}

/// Whether no run takes more than `bound` back edges or reaches an error location.
fn check_unwinding(task: &Task<Cfa>, bound: u32) -> Result<(), CheckError> {
    check(task, &CfaProof::unwinding(&Graph::towards_errors(&task.model), bound))
}

fn is_rejected(result: &Result<(), CheckError>) -> bool {
    matches!(result, Err(CheckError::Rejected(_)))
}

/// The formula of exactly the given states.
fn formula_of(store: &Store, states: &[&State]) -> ExprId {
    let of_state = |state: &&State| {
        let equal =
            |(var, value): (&_, &_)| store.eq(store.var_expr(*var), store.literal(Clone::clone(value)));
        store.and_all(state.values.iter().map(equal))
    };
    store.or_all(states.iter().map(of_state))
}

/// The strongest invariants. The explicit checker fixes integers at the start, so that location has `true`.
fn strongest_invariants(task: &Task<Cfa>) -> BTreeMap<LocId, ExprId> {
    let states = reachable_states(task);
    let at = |location: LocId| states.iter().filter(|state| state.location == location).collect::<Vec<_>>();
    let inner = task.model.locations.indices().filter(|location| *location != task.model.initial);
    inner.map(|location| (location, formula_of(&task.store, &at(location)))).collect()
}

#[test]
fn the_reachable_states_are_accepted_iff_they_are_safe() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..300 {
        let task = random_cfa(seed, Shape::default());
        let proof = CfaProof::invariants(strongest_invariants(&task));
        let result = check(&task, &proof);
        if explore(&task).least_bound.is_none() {
            assert!(result.is_ok(), "seed {seed}: {result:?}");
            num_safe += 1;
        } else {
            assert!(is_rejected(&result), "seed {seed}: {result:?}");
            num_unsafe += 1;
        }
    }
    assert!(num_safe > 50 && num_unsafe > 50, "{num_safe} safe, {num_unsafe} unsafe");
}

/// Locations of a random automaton among which there is no cycle: edges between them lead to greater numbers.
fn without_cycle(task: &Task<Cfa>, seed: u64) -> BTreeSet<LocId> {
    let mut chosen = BTreeSet::new();
    for location in task.model.locations.indices() {
        let closes_cycle = task.model.edges.iter().any(|edge| {
            edge.source == location && (edge.target == location || chosen.contains(&edge.target))
        });
        let is_wanted = (seed >> (location.index() % 3)) & 1 == 0;
        if is_wanted && !closes_cycle && !task.model.is_error(location) {
            chosen.insert(location);
        }
    }
    chosen
}

#[test]
fn derived_invariants_are_accepted_iff_the_automaton_is_safe() {
    let (mut num_safe, mut num_derived) = (0, 0);
    for seed in 0..400 {
        let task = random_cfa(seed, Shape::default());
        let derived = without_cycle(&task, seed);
        let mut formulas = strongest_invariants(&task);
        // With every other seed the derived locations have their strongest invariants as lemmas as well. These follow
        // from each other, but not from the missing one of an initial location.
        if seed % 2 == 0 {
            formulas.retain(|location, _| !derived.contains(location));
        }
        num_derived += derived.len();
        let result = check(
            &task,
            &CfaProof::Invariants(CfaInvariants { formulas, derived, ..CfaInvariants::default() }),
        );
        if explore(&task).least_bound.is_none() {
            assert!(result.is_ok(), "seed {seed}: {result:?}");
            num_safe += 1;
        } else {
            assert!(is_rejected(&result), "seed {seed}: {result:?}");
        }
    }
    assert!(num_safe > 60 && num_derived > 200, "{num_safe} safe, {num_derived} derived");
}

#[test]
fn invariants_that_forget_a_reachable_state_are_rejected() {
    let mut num_checked = 0;
    for seed in 0..150 {
        let task = random_cfa(seed, Shape::default());
        let states = reachable_states(&task);
        let inner: Vec<&State> = states.iter().filter(|state| state.location != task.model.initial).collect();
        let Some(forgotten) = inner.get(seed as usize % inner.len().max(1)) else { continue };
        let mut invariants = strongest_invariants(&task);
        let hole = task.store.not(formula_of(&task.store, &[forgotten]));
        let entry = invariants.entry(forgotten.location).or_insert(task.store.tru());
        *entry = task.store.and(*entry, hole);
        assert!(is_rejected(&check(&task, &CfaProof::invariants(invariants))), "seed {seed}");
        num_checked += 1;
    }
    assert!(num_checked > 100, "{num_checked}");
}

#[test]
fn an_unwinding_is_accepted_only_for_safe_automata() {
    let mut num_accepted = 0;
    for seed in 0..300 {
        let task = random_cfa(seed, Shape::default());
        let result = check_unwinding(&task, 3);
        if explore(&task).least_bound.is_some() {
            assert!(is_rejected(&result), "seed {seed}: {result:?}");
        }
        num_accepted += usize::from(result.is_ok());
    }
    assert!(num_accepted > 10, "{num_accepted} of 300 end after three rounds");
}

/// k-induction along the back edges, with `formulas` as lemmas.
fn check_induction(task: &Task<Cfa>, k: u32, formulas: BTreeMap<LocId, ExprId>) -> Result<(), CheckError> {
    let proof = CfaUnwinding {
        bound: k,
        cuts: Graph::towards_errors(&task.model).back_edges().collect(),
        long_runs: LongRuns::Inductive,
        lemmas: CfaInvariants { formulas, ..CfaInvariants::default() },
    };
    check(task, &CfaProof::Unwinding(proof))
}

#[test]
fn k_induction_is_accepted_only_for_safe_automata() {
    let (mut num_safe, mut num_accepted, mut num_later) = (0, 0, 0);
    for seed in 0..300 {
        let task = random_cfa(seed, Shape::default());
        let accepted: Vec<bool> =
            (0..3).map(|k| check_induction(&task, k, BTreeMap::new()).is_ok()).collect();
        if explore(&task).least_bound.is_some() {
            assert!(!accepted.contains(&true), "seed {seed}: {accepted:?}");
        } else {
            num_safe += 1;
            num_accepted += usize::from(accepted[2]);
            num_later += usize::from(accepted[2] && !accepted[0]);
            assert!(accepted.is_sorted(), "seed {seed}: what holds for k holds for k + 1");
        }
    }
    assert!(
        2 * num_accepted > num_safe && num_later > 3,
        "{num_accepted} of {num_safe}, {num_later} with k > 0"
    );
}

#[test]
fn k_induction_with_all_there_is_to_know_is_accepted_iff_the_automaton_is_safe() {
    for seed in 300..450 {
        let task = random_cfa(seed, Shape::default());
        let result = check_induction(&task, 0, strongest_invariants(&task));
        match explore(&task).least_bound {
            None => assert!(result.is_ok(), "seed {seed}: {result:?}"),
            Some(_) => assert!(is_rejected(&result), "seed {seed}: {result:?}"),
        }
    }
}
