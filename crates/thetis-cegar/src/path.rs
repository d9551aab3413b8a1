//! Paths through an automaton as formulas.
//!
//! Symbolic execution along the edges gives every conjunct of every edge's condition as a term over the initial values and
//! inputs. A path is feasible iff their conjunction has a model; otherwise the solver's core says which conjuncts
//! contradict each other.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId, Inventor};
use thetis_solver::{CoreAnswer, CoreSolver, SolverError, Valuation};

use crate::program::Program;

/// A path of edges, executed symbolically.
pub(crate) struct Path<'t> {
    task: &'t Task<Cfa>,
    program: &'t Program,
    edges: Vec<EdgeId>,
    initial: Renaming,
    steps: Vec<Step>,
}

/// What variables stand for at one point of a path.
type Renaming = FxHashMap<VarId, ExprId>;

struct Step {
    /// The terms of variables and inputs before the edge is taken.
    before: Renaming,
    /// The conjuncts of the edge's condition, in the order of the action.
    conjuncts: Vec<ExprId>,
}

/// A conjunct of the condition of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Conjunct {
    /// The number of the step.
    pub(crate) step: usize,
    /// The number of the conjunct in the action.
    pub(crate) number: usize,
}

/// Whether a path can be taken.
pub(crate) enum Feasibility {
    /// Yes, by this run.
    Feasible(CfaTrace),
    /// No, and these conjuncts suffice.
    Infeasible(Vec<Conjunct>),
    /// The solver could not tell.
    Unknown(String),
}

impl<'t> Path<'t> {
    /// The path of `edges`, which follow one another; it may start at any location.
    pub(crate) fn new(task: &'t Task<Cfa>, program: &'t Program, edges: &[EdgeId]) -> Path<'t> {
        let store = &task.store;
        let mut inventor = Inventor::default();
        let initial: Renaming =
            task.model.vars.iter().map(|var| (*var, inventor.version_of(store, *var))).collect();
        let mut state = initial.clone();
        let mut steps = Vec::new();
        for edge in edges {
            let action = &program.actions[*edge];
            let mut before = state;
            for input in &action.inputs {
                before.insert(*input, inventor.version_of(store, *input));
            }
            let mut renamer = Replacer::new(|_: &Store, var| before.get(&var).copied());
            let conjuncts = action.conjuncts.iter().map(|part| renamer.apply(store, *part)).collect();
            let vars = task.model.vars.iter();
            let next = vars.map(|var| (*var, renamer.apply(store, action.next.get(*var)))).collect();
            steps.push(Step { before, conjuncts });
            state = next;
        }
        Path { task, program, edges: edges.to_vec(), initial, steps }
    }

    /// The edges.
    pub(crate) fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Whether the path can be taken. The core of an infeasible one is taken from its end: conjuncts near the error say
    /// more about the property than those before.
    pub(crate) fn check(&self, solver: &mut dyn CoreSolver, run: &Run) -> Result<Feasibility, Stop> {
        let all: Vec<Conjunct> = self.conjuncts().collect();
        if let Err(feasibility) = self.check_conjuncts(&all, solver)? {
            run.checkpoint()?;
            return Ok(feasibility);
        }
        let core = self.last_core(&all, solver, run)?;
        Ok(Feasibility::Infeasible(self.smaller_core(core, solver, run)?))
    }

    /// The core of the shortest contradictory end of `all`, by bisection.
    fn last_core(
        &self,
        all: &[Conjunct],
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        let (mut start, mut end) = (0, all.len());
        let mut core = all.to_vec();
        while start < end {
            run.checkpoint()?;
            let middle = (start + end).div_ceil(2);
            match self.check_conjuncts(&all[middle..], solver)? {
                Ok(smaller) => {
                    core = smaller;
                    start = middle;
                }
                Err(_) => end = middle - 1,
            }
        }
        Ok(core)
    }

    /// Leaves out conjuncts that are not needed, the first ones first.
    fn smaller_core(
        &self,
        mut core: Vec<Conjunct>,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        let mut position = 0;
        while position < core.len() {
            run.checkpoint()?;
            let mut fewer = core.clone();
            let left_out = fewer.remove(position);
            match self.check_conjuncts(&fewer, solver)? {
                Ok(smaller) => {
                    position = smaller.iter().filter(|conjunct| **conjunct < left_out).count();
                    core = smaller;
                }
                Err(_) => position += 1,
            }
        }
        Ok(core)
    }

    /// The core of the given conjuncts if they contradict each other.
    fn check_conjuncts(
        &self,
        conjuncts: &[Conjunct],
        solver: &mut dyn CoreSolver,
    ) -> Result<Result<Vec<Conjunct>, Feasibility>, Stop> {
        let store = &self.task.store;
        let mut by_term: BTreeMap<ExprId, Conjunct> = BTreeMap::new();
        for conjunct in conjuncts {
            let term = self.term(*conjunct);
            if term == store.fals() {
                return Ok(Ok(vec![*conjunct]));
            }
            if term != store.tru() {
                by_term.entry(term).or_insert(*conjunct);
            }
        }
        let assumptions: Vec<ExprId> = by_term.keys().copied().collect();
        Ok(match solver.check_core(store, &assumptions)? {
            CoreAnswer::Unsat(core) => {
                let mut core: Vec<Conjunct> = core.iter().map(|term| by_term[term]).collect();
                core.sort();
                Ok(core)
            }
            CoreAnswer::Sat(valuation) => Err(Feasibility::Feasible(self.trace(&valuation)?)),
            CoreAnswer::Unknown(reason) => Err(Feasibility::Unknown(reason.to_string())),
        })
    }

    fn conjuncts(&self) -> impl Iterator<Item = Conjunct> {
        self.steps
            .iter()
            .enumerate()
            .flat_map(|(step, part)| (0..part.conjuncts.len()).map(move |number| Conjunct { step, number }))
    }

    fn term(&self, conjunct: Conjunct) -> ExprId {
        self.steps[conjunct.step].conjuncts[conjunct.number]
    }

    fn trace(&self, valuation: &Valuation<'_>) -> Result<CfaTrace, SolverError> {
        let store = &self.task.store;
        let initial = self.initial.iter().map(|(var, term)| Ok((*var, valuation.evaluate(store, *term)?)));
        let initial = initial.collect::<Result<BTreeMap<_, _>, SolverError>>()?;
        let mut steps = Vec::new();
        for (edge, step) in self.edges.iter().zip(&self.steps) {
            let mut renamer = Replacer::new(|_: &Store, var| step.before.get(&var).copied());
            let executed = &self.program.actions[*edge].executed;
            let (inputs, choices) =
                executed.concrete(|term| valuation.evaluate(store, renamer.apply(store, term)))?;
            steps.push(CfaStep { edge: *edge, inputs, choices });
        }
        Ok(CfaTrace { initial, steps })
    }
}
