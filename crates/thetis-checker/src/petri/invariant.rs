//! Inductive predicates: start, firings and target.

use thetis_base::Run;
use thetis_expr::{ExprId, Substitution};
use thetis_model::Task;
use thetis_model::petri::{Net, Predicate, TransitionId};
use thetis_solver::{Solver, SolverFactory};

use super::formulas::{Formulas, is_about};
use super::rejected;
use crate::{CheckError, is_unsatisfiable};

/// How many conjuncts one query asks about.
const CONJUNCTS_PER_QUERY: usize = 64;

pub(super) fn check(
    task: &Task<Net>,
    invariant: &Predicate,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    check_inductive(task, invariant, solvers, run)?;
    let formulas = Formulas::new(&task.model);
    let store = &formulas.store;
    let mut solver = solvers.start(run)?;
    solver.assert(store, formulas.natural())?;
    solver.assert(store, formulas.predicate(invariant))?;
    let target = formulas.predicate(&task.property.target(&task.model));
    if is_unsatisfiable(&mut *solver, store, target, run)? {
        return Ok(());
    }
    Err(rejected("a marking satisfies the invariant and the target".into()))
}

/// Whether the initial marking satisfies `predicate` and every firing preserves it.
pub(super) fn check_inductive(
    task: &Task<Net>,
    predicate: &Predicate,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    let net = &task.model;
    if !is_about(net, predicate) {
        return Err(rejected("a predicate speaks of a place or transition that does not exist".into()));
    }
    if !predicate.holds(net, &net.initial_marking()) {
        return Err(rejected("the invariant does not hold at the start".into()));
    }
    let formulas = Formulas::new(net);
    let store = &formulas.store;
    let conjuncts = store.conjuncts(formulas.predicate(predicate));
    let mut solver = solvers.start(run)?;
    solver.assert(store, formulas.natural())?;
    for conjunct in &conjuncts {
        solver.assert(store, *conjunct)?;
    }
    for transition in net.transition_ids() {
        if !is_preserved(&formulas, &conjuncts, transition, &mut *solver, run)? {
            let name = &net.transitions()[transition].name;
            return Err(rejected(format!("transition `{name}` leads out of the invariant")));
        }
    }
    Ok(())
}

/// Whether the conjuncts, which `solver` knows to hold, hold after a firing. Those over places that the firing does not
/// change are the same terms afterwards.
fn is_preserved(
    formulas: &Formulas<'_>,
    conjuncts: &[ExprId],
    transition: TransitionId,
    solver: &mut dyn Solver,
    run: &Run,
) -> Result<bool, CheckError> {
    let store = &formulas.store;
    let mut after = Substitution::new();
    for change in formulas.net.effect(transition) {
        let changed = store.add(formulas.tokens(change.place), store.int(change.delta));
        after.insert(store, formulas.var(change.place), changed);
    }
    let next = conjuncts.iter().map(|conjunct| (*conjunct, after.apply(store, *conjunct)));
    let changed: Vec<ExprId> =
        next.filter(|(before, after)| before != after).map(|(_, after)| store.not(after)).collect();
    let enabled = formulas.enabled(transition);
    for broken in changed.chunks(CONJUNCTS_PER_QUERY) {
        let broken = store.and(enabled, store.or_all(broken.iter().copied()));
        if !is_unsatisfiable(solver, store, broken, run)? {
            return Ok(false);
        }
    }
    Ok(true)
}
