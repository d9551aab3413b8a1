//! Interpolants of single paths.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use thetis_base::{IndexVec, Run, Statistics, Stop};
use thetis_expr::{ExprId, Sort, VarId};
use thetis_interpolate::{Feasibility, InOrder, InterpolatorKind, Tools, Unrolled, slice};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, Edge, EdgeId, Inventor, LocId, SymbolicState};
use thetis_solver::{Chain, CoreSolver, Step};

/// Why a path cannot be taken, as a formula at one of its points.
pub(super) enum Explanation {
    /// It can be taken.
    Feasible,
    /// The formula holds at the point, and the rest of the path cannot be taken from there.
    Formula(ExprId),
    /// It was not found out; why.
    Unknown(String),
}

/// Explains paths.
pub(super) struct Explainer<'t> {
    task: &'t Task<Cfa>,
    steps: IndexVec<EdgeId, Rc<Step>>,
    is_head: IndexVec<LocId, bool>,
    solver: Box<dyn CoreSolver>,
    interpolators: InOrder,
    /// The number of the interpolator that is asked first.
    first: usize,
    num_paths: u64,
}

impl<'t> Explainer<'t> {
    /// Explains paths of `task` by the given interpolators.
    pub(super) fn new(
        task: &'t Task<Cfa>,
        heads: &[LocId],
        kinds: &[InterpolatorKind],
        tools: &Tools,
        run: &Run,
    ) -> Result<Explainer<'t>, Stop> {
        let mut is_head: IndexVec<LocId, bool> = task.model.locations.iter().map(|_| false).collect();
        heads.iter().for_each(|head| is_head[*head] = true);
        Ok(Explainer {
            task,
            steps: steps(task),
            is_head,
            solver: tools.solvers.start(run)?,
            interpolators: tools.in_order(&resolved(task, kinds), run)?,
            first: 0,
            num_paths: 0,
        })
    }

    pub(super) fn num_interpolators(&self) -> usize {
        self.interpolators.len()
    }

    /// From now on the interpolator with this number is asked first, then those after it and then those before.
    pub(super) fn ask_first(&mut self, number: usize) {
        self.first = number;
    }

    pub(super) fn num_paths(&self) -> u64 {
        self.num_paths
    }

    pub(super) fn statistics(&self) -> Statistics {
        self.interpolators.statistics()
    }

    /// Why no run that starts with `start` takes the edges `first` and then `rest`, as a formula between them.
    pub(super) fn between(
        &mut self,
        start: ExprId,
        first: &[EdgeId],
        rest: &[EdgeId],
        run: &Run,
    ) -> Result<Explanation, Stop> {
        self.num_paths += 1;
        let store = &self.task.store;
        let chain = self.chain(start, first, rest);
        let unrolled = Unrolled::new(store, &chain);
        let solver = &mut *self.solver;
        let core = match unrolled.decide(store, solver, |_| Ok(()), run)? {
            Feasibility::Feasible(()) => return Ok(Explanation::Feasible),
            Feasibility::Unknown(words) => return Ok(Explanation::Unknown(words)),
            Feasibility::Infeasible(core) => core,
        };
        let reduce = || {
            let core = unrolled.minimal(store, core.clone(), solver, run)?;
            Ok(slice(store, &chain, &core))
        };
        let formulas = self.interpolators.interpolate_from(self.first, store, &chain, reduce, run)?;
        Ok(match formulas {
            Some(formulas) => Explanation::Formula(formulas[first.len()]),
            None => Explanation::Unknown("no interpolant was found".into()),
        })
    }

    fn chain(&self, start: ExprId, first: &[EdgeId], rest: &[EdgeId]) -> Chain {
        let edges: Vec<EdgeId> = first.iter().chain(rest).copied().collect();
        let steps = edges.iter().map(|edge| self.steps[*edge].clone()).collect();
        let is_head = |point: &usize| self.is_head[self.task.model.edges[edges[*point]].source];
        let heads = (0..edges.len()).filter(is_head).collect();
        Chain { start, heads, ..Chain::infeasible(&self.task.store, steps) }
    }
}

/// The edges as guarded simultaneous assignments.
fn steps(task: &Task<Cfa>) -> IndexVec<EdgeId, Rc<Step>> {
    let (store, cfa) = (&task.store, &task.model);
    let vars: FxHashSet<VarId> = cfa.vars.iter().copied().collect();
    let before = SymbolicState::new(&cfa.vars, |var| store.var_expr(var));
    let mut inventor = Inventor::default();
    let step = |edge: &Edge| {
        let mut after = before.clone();
        let condition = after.execute(store, &edge.stmt, &mut inventor).condition;
        let next = after.changes(&cfa.vars, &before);
        // A variable that is not in the model was introduced by symbolic execution.
        let mut inputs = store.vars_of(next.iter().map(|(_, term)| *term).chain([condition]));
        inputs.retain(|var| !vars.contains(var));
        Rc::new(Step { conjuncts: store.conjuncts(condition), next, inputs })
    };
    cfa.edges.iter().map(step).collect()
}

/// The kinds with `auto` replaced by what suits the variables of `task`.
fn resolved(task: &Task<Cfa>, kinds: &[InterpolatorKind]) -> Vec<InterpolatorKind> {
    let is_boolean = task.model.vars.iter().all(|var| task.store.var_sort(*var) == Sort::Bool);
    let suitable = match is_boolean {
        true => [InterpolatorKind::Clauses, InterpolatorKind::NewtonWp],
        false => [InterpolatorKind::Farkas, InterpolatorKind::NewtonWp],
    };
    let resolve = |kind: &InterpolatorKind| match kind {
        InterpolatorKind::Auto => suitable.to_vec(),
        other => vec![*other],
    };
    kinds.iter().flat_map(resolve).collect()
}
