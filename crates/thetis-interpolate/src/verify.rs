//! Verifies that formulas explain a chain. No result of an interpolator is used before this check.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_solver::{Answer, Chain, Solver};

/// Whether `start` implies the first formula, each formula implies the next through the step between them, and the last
/// implies `end`; and all are over state variables. What the solver cannot decide is not accepted.
pub fn verify(
    store: &Store,
    chain: &Chain,
    formulas: &[ExprId],
    solver: &mut (impl Solver + ?Sized),
    run: &Run,
) -> Result<bool, Stop> {
    if formulas.len() != chain.steps.len() + 1 {
        return Ok(false);
    }
    let vars = chain.vars(store);
    let has_only_state_variables =
        store.vars_of(formulas.iter().copied()).iter().all(|var| vars.binary_search(var).is_ok());
    if !has_only_state_variables {
        return Ok(false);
    }
    let not = |formula| store.not(formula);
    let (first, last) = (formulas[0], formulas[formulas.len() - 1]);
    let mut claims = vec![vec![chain.start, not(first)], vec![last, not(chain.end)]];
    for (step, pair) in chain.steps.iter().zip(formulas.windows(2)) {
        let mut claim = vec![pair[0], not(step.before(store, pair[1]))];
        claim.extend(step.conjuncts.iter().copied());
        claims.push(claim);
    }
    for claim in claims {
        run.checkpoint()?;
        let claim = store.and_all(claim);
        if claim != store.fals() && !matches!(solver.check(store, &[claim])?, Answer::Unsat) {
            return Ok(false);
        }
    }
    Ok(true)
}
