//! Learned interpolants of chains, for engines.
//!
//! The points of a chain are the relations of [Horn clauses](HornSystem::of_chain), so all interpolants are learned
//! together, with implications from one point of the chain to the next. If that fails, the chain is cut from left to
//! right: the interpolant at each point is between the previous interpolant with its step and all that follows.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Store, VarId};
use thetis_solver::{Chain, HornAnswer, HornSolver, HornSystem, Interpolator, SolverFactory, Step};

use crate::{IceConfig, IceHorn, PairAnswer, Pairs};

/// The interpolator `ice`.
pub struct IceChains {
    joint: IceHorn,
    pairs: Pairs,
}

impl IceChains {
    /// After how many hypotheses learning all interpolants together gives way to learning them one by one.
    const JOINT_ITERATIONS: u32 = 60;

    /// An interpolator with solvers for its teachers.
    pub fn new(config: IceConfig, solvers: Rc<dyn SolverFactory>) -> IceChains {
        let max_iterations = config.max_iterations.min(IceChains::JOINT_ITERATIONS);
        // The strongest bounds describe one path only, and interpolants should describe more.
        let initial = config.initial.min(60);
        let joint = IceConfig { max_iterations, initial, bounds: false, ..config.clone() };
        IceChains { joint: IceHorn::new(joint, solvers.clone()), pairs: Pairs::new(config, solvers) }
    }

    fn one_by_one(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut formulas = vec![chain.start];
        for position in 0..chain.steps.len() {
            let arrival = arrival(store, &chain.steps[position], formulas[position]);
            let rest = departure(store, chain, position + 1);
            match self.pairs.interpolate(store, arrival, rest, run)? {
                PairAnswer::Interpolant(formula) => formulas.push(formula),
                PairAnswer::Satisfiable | PairAnswer::Unknown(_) => return Ok(None),
            }
        }
        Ok(Some(formulas))
    }
}

impl Interpolator for IceChains {
    fn name(&self) -> &'static str {
        "ice"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        match self.joint.solve(store, &HornSystem::of_chain(store, chain), run)? {
            HornAnswer::Solved(formulas) => Ok(Some(formulas)),
            HornAnswer::Contradictory => Ok(None),
            HornAnswer::Unknown(_) => self.one_by_one(store, chain, run),
        }
    }
}

/// The states after `step` from states in which `formula` holds; what is not a variable of such a state is renamed.
fn arrival(store: &Store, step: &Step, formula: ExprId) -> ExprId {
    let changed: FxHashMap<VarId, ExprId> = step.next.iter().copied().collect();
    let is_old = |var: VarId| changed.contains_key(&var) || step.inputs.contains(&var);
    let rename = |store: &Store, var: VarId| is_old(var).then(|| versioned(store, var, 0));
    let mut old = Replacer::new(rename);
    let before = store.and(formula, step.condition(store));
    let values = step.next.iter().map(|(var, term)| store.eq(store.var_expr(*var), old.apply(store, *term)));
    let values: Vec<ExprId> = values.collect();
    let before = old.apply(store, before);
    store.and_all(values.into_iter().chain([before]))
}

/// The states at a point of `chain` from which a run takes all further steps and violates the end.
fn departure(store: &Store, chain: &Chain, point: usize) -> ExprId {
    let mut formula = store.not(chain.end);
    for (number, step) in chain.steps.iter().enumerate().skip(point).rev() {
        formula = store.and(step.condition(store), step.before(store, formula));
        let rename = |store: &Store, var: VarId| {
            step.inputs.contains(&var).then(|| versioned(store, var, number as u32 + 1))
        };
        formula = Replacer::new(rename).apply(store, formula);
    }
    formula
}

/// A variable that no chain has, for the value of `var` at another point. (Versions are in use for the inputs of steps.)
fn versioned(store: &Store, var: VarId, point: u32) -> ExprId {
    store.var(&format!("ice!{}!{point}", var.index()), store.var_sort(var))
}
