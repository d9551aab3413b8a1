//! From a sequence of cubes to a concrete run.
//!
//! Every state of a cube can take its edge into the next cube. So a run can be built from the front, with one small
//! query for the inputs of each edge; the evaluator computes the values of variables.

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, Value, VarId, default_value, evaluate};
use thetis_interpolate::Point;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use super::cube::Cube;
use super::questions::{End, point};
use super::transition::Transition;

/// An edge of a run, and the cube that it leads into.
pub(super) struct Leg {
    pub(super) edge: EdgeId,
    pub(super) into: Cube,
}

/// The run along `legs` from the initial location.
pub(super) fn concrete_run(
    task: &Task<Cfa>,
    transitions: &IndexVec<EdgeId, Transition>,
    legs: &[Leg],
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<CfaTrace, End> {
    let store = &task.store;
    let mut solver = solvers.start(run)?;
    let mut state: BTreeMap<VarId, Value> = BTreeMap::new();
    let mut initial = None;
    let mut steps = Vec::new();
    for leg in legs {
        run.checkpoint()?;
        let transition = &transitions[leg.edge];
        let values = values_for(store, transition, leg, &state, &mut *solver)?;
        let value = |var: VarId| values.get(&var).cloned().unwrap_or_else(|| any_value(store, var));
        let before = full_state(task, &state, value);
        let known = |var: VarId| Some(before.get(&var).cloned().unwrap_or_else(|| value(var)));
        let (inputs, choices) =
            transition.executed.concrete(|term| evaluate(store, term, &known)).map_err(Stop::failed)?;
        state = BTreeMap::new();
        for var in &task.model.vars {
            let next = evaluate(store, transition.value_of(*var), &known).map_err(Stop::failed)?;
            state.insert(*var, next);
        }
        initial.get_or_insert(before);
        steps.push(CfaStep { edge: leg.edge, inputs, choices });
    }
    let initial = initial.unwrap_or_else(|| full_state(task, &state, |var| any_value(store, var)));
    Ok(CfaTrace::new(initial, steps))
}

/// Values of variables and inputs with which `leg` can be taken from `state`, which is empty at the start.
fn values_for(
    store: &Store,
    transition: &Transition,
    leg: &Leg,
    state: &BTreeMap<VarId, Value>,
    solver: &mut dyn CoreSolver,
) -> Result<Point, End> {
    let mut formulas: Vec<ExprId> = vec![transition.condition];
    formulas.extend(leg.into.literals().iter().map(|literal| transition.before(store, *literal)));
    let vars = store.vars_of(formulas.iter().copied()).into_iter();
    let fixed = vars.filter_map(|var| {
        let value = store.literal(state.get(&var)?.clone());
        Some(store.eq(store.var_expr(var), value))
    });
    let fixed: Vec<ExprId> = fixed.collect();
    let assumptions: Vec<ExprId> = formulas.iter().copied().chain(fixed).collect();
    match solver.check(store, &assumptions)? {
        Answer::Sat(valuation) => Ok(point(store, &valuation, &formulas)?),
        Answer::Unsat => panic!("every state of a cube should have a way into the next one"),
        Answer::Unknown(reason) => Err(End::Undecided(reason.to_string())),
    }
}

/// A value for every variable: that of `state`, or what `value` gives.
fn full_state(
    task: &Task<Cfa>,
    state: &BTreeMap<VarId, Value>,
    value: impl Fn(VarId) -> Value,
) -> BTreeMap<VarId, Value> {
    let known = |var: &VarId| state.get(var).cloned().unwrap_or_else(|| value(*var));
    task.model.vars.iter().map(|var| (*var, known(var))).collect()
}

fn any_value(store: &Store, var: VarId) -> Value {
    default_value(store, store.var_sort(var))
}
