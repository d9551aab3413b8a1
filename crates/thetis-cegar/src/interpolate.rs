//! Interpolants of infeasible paths by Newton with weakest preconditions (`newton-wp`).
//!
//! From `false` behind the path backwards, the weakest precondition of each edge is taken, but of its condition only the
//! conjuncts in the unsatisfiable core count; so the formulas speak only of what matters for the contradiction.
//! Inputs of an edge are universally quantified in its weakest precondition and eliminated; everything else is
//! substitution. Follows Dietsch, Heizmann, Musa, Nutz and Podelski (2017), with quantifier elimination only where an
//! input occurs. Every result is verified by the solver before it is used.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, VarId};
use thetis_model::cfa::EdgeId;
use thetis_solver::{Answer, CoreSolver, Eliminator};

use crate::path::{Conjunct, Path};
use crate::program::{Action, Program};

/// What interpolation works with.
pub(crate) struct Tools<'a> {
    /// The owner of terms.
    pub(crate) store: &'a Store,
    /// The edges.
    pub(crate) program: &'a Program,
    /// A solver without assertions.
    pub(crate) solver: &'a mut dyn CoreSolver,
    /// Removes inputs from formulas.
    pub(crate) eliminator: &'a dyn Eliminator,
}

/// A formula for each point of an infeasible path, from before its first edge (valid) to behind its last (`false`): each
/// implies the next through the edge between them. `None` if none is found.
pub(crate) fn sequence(
    path: &Path<'_>,
    core: &[Conjunct],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let Some(formulas) = steps(path, core, tools, run)? else { return Ok(None) };
    let is_valid = is_unsatisfiable(tools.store.not(formulas[0]), tools, run)?;
    Ok(is_valid.then_some(formulas))
}

/// As [`sequence`], for a part of a path: the first formula need not be valid.
pub(crate) fn steps(
    path: &Path<'_>,
    core: &[Conjunct],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let Some(formulas) = weakest_preconditions(path, core, tools, run)? else { return Ok(None) };
    for (edge, pair) in path.edges().iter().zip(formulas.windows(2)) {
        if !is_inductive(*edge, pair[0], pair[1], tools, run)? {
            return Ok(None);
        }
    }
    Ok(Some(formulas))
}

fn weakest_preconditions(
    path: &Path<'_>,
    core: &[Conjunct],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let store = tools.store;
    let mut formulas = vec![store.fals()];
    for (step, edge) in path.edges().iter().enumerate().rev() {
        run.checkpoint()?;
        let action = &tools.program.actions[*edge];
        let numbers = core.iter().filter(|conjunct| conjunct.step == step).map(|conjunct| conjunct.number);
        let condition = store.and_all(numbers.map(|number| action.conjuncts[number]));
        let behind = action.next.substitute(store, formulas[formulas.len() - 1]);
        let Some(before) = for_all_inputs(action, store.implies(condition, behind), tools, run)? else {
            return Ok(None);
        };
        formulas.push(simplify(store, before));
    }
    formulas.reverse();
    Ok(Some(formulas))
}

/// `formula` for all values of the inputs that occur in it.
fn for_all_inputs(
    action: &Action,
    formula: ExprId,
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<ExprId>, Stop> {
    let store = tools.store;
    let occurring = store.vars_of([formula]);
    let inputs: Vec<VarId> =
        action.inputs.iter().copied().filter(|input| occurring.contains(input)).collect();
    if inputs.is_empty() {
        return Ok(Some(formula));
    }
    let counterexample = tools.eliminator.exists(store, &inputs, store.not(formula), run)?;
    Ok(counterexample.map(|formula| store.not(formula)))
}

/// Whether `edge` leads from `before` only to `behind`.
fn is_inductive(
    edge: EdgeId,
    before: ExprId,
    behind: ExprId,
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<bool, Stop> {
    let store = tools.store;
    let action = &tools.program.actions[edge];
    let after = action.next.substitute(store, behind);
    is_unsatisfiable(store.and_all([before, action.condition, store.not(after)]), tools, run)
}

fn is_unsatisfiable(formula: ExprId, tools: &mut Tools<'_>, run: &Run) -> Result<bool, Stop> {
    run.checkpoint()?;
    Ok(matches!(tools.solver.check(tools.store, &[formula])?, Answer::Unsat))
}

fn simplify(store: &Store, formula: ExprId) -> ExprId {
    thetis_expr::simplify::simplify(store, formula)
}
