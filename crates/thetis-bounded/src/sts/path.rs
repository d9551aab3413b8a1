//! A path of a transition system as terms: one state after the other.
//!
//! Terms flow through the functions of the system: the state after a step is the term of the function over the state
//! before it. Only the first state, inputs, and variables without a function are variables of the solver, as versions
//! `x⟨k⟩`. A path from the initial states starts with the literals that the initial condition gives, so that part of
//! the unrolling is computed without the solver.

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Replacer, Store, Value, VarId, Version};
use thetis_model::Task;
use thetis_model::sts::{Interpreter, Sts, StsStep, StsTrace};
use thetis_solver::{SolverError, Valuation};

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// In an initial state: what [`Path::new`] gives has to be asserted.
    Initial,
    /// In any state.
    Anywhere,
}

type StepReplacer = Replacer<Box<dyn FnMut(&Store, VarId) -> Option<ExprId>>>;

/// A growing path.
pub(super) struct Path<'t> {
    task: &'t Task<Sts>,
    /// The terms of the variables, for each state.
    states: Vec<Vec<ExprId>>,
    /// Puts the terms of the last step into formulas.
    last: StepReplacer,
}

impl<'t> Path<'t> {
    /// The path of one step, and the formulas that make its state initial if it starts there.
    pub(super) fn new(task: &'t Task<Sts>, start: Start) -> (Path<'t>, Vec<ExprId>) {
        let (store, sts) = (&task.store, &task.model);
        let known = if start == Start::Initial { sts.initial_values(store) } else { FxHashMap::default() };
        let term = |var: &VarId| match known.get(var) {
            Some(value) => store.literal(value.clone()),
            None => version(store, *var, 0),
        };
        let state: Vec<ExprId> = sts.vars.iter().map(term).collect();
        let mut path = Path { task, last: replacer(task, &state, 0), states: vec![state] };
        let initial = if start == Start::Initial { path.conjuncts(sts.init) } else { Vec::new() };
        (path, initial)
    }

    /// The number of the last step.
    pub(super) fn last_step(&self) -> u32 {
        self.states.len() as u32 - 1
    }

    /// The terms of the variables in a state.
    pub(super) fn state(&self, step: u32) -> &[ExprId] {
        &self.states[step as usize]
    }

    /// `formula`, which is over variables and inputs, at the last step.
    pub(super) fn at_last(&mut self, formula: ExprId) -> ExprId {
        self.last.apply(&self.task.store, formula)
    }

    /// The conjuncts of `formula` at the last step, without those that are true.
    pub(super) fn conjuncts(&mut self, formula: ExprId) -> Vec<ExprId> {
        let instance = self.at_last(formula);
        self.task.store.conjuncts(instance)
    }

    /// Adds a step, and gives the formulas that relate it to the one before.
    pub(super) fn extend(&mut self) -> Vec<ExprId> {
        let (store, sts) = (&self.task.store, &self.task.model);
        let step = self.states.len() as u32;
        let mut state = Vec::with_capacity(sts.vars.len());
        for var in &sts.vars {
            state.push(match sts.next.get(var) {
                Some(term) => self.last.apply(store, *term),
                None => version(store, *var, step),
            });
        }
        let next: FxHashMap<VarId, ExprId> = sts.vars.iter().copied().zip(state.iter().copied()).collect();
        let relation = Replacer::new(|store: &Store, var| {
            let symbol = store.symbol(var);
            (symbol.version == Version::Next).then(|| next[&symbol.base])
        })
        .apply(store, sts.trans);
        let relation = self.conjuncts(relation);
        self.last = replacer(self.task, &state, step);
        self.states.push(state);
        relation
    }

    /// The run along this path that `valuation` describes.
    pub(super) fn trace(&self, valuation: &Valuation<'_>) -> Result<StsTrace, SolverError> {
        let (store, sts) = (&self.task.store, &self.task.model);
        let interpreter = Interpreter::new(self.task);
        let mut steps: Vec<StsStep> = Vec::with_capacity(self.states.len());
        for number in 0..self.states.len() as u32 {
            let computed: Vec<Option<Value>> = match steps.last() {
                None => vec![None; sts.vars.len()],
                Some(before) => interpreter.next_values(before).expect("a step should have right values"),
            };
            let terms = computed.into_iter().zip(self.state(number));
            let state = terms.map(|(value, term)| match value {
                Some(value) => Ok(value),
                None => valuation.evaluate(store, *term),
            });
            let state = state.collect::<Result<_, SolverError>>()?;
            let input = |input: &VarId| valuation.evaluate(store, version(store, *input, number));
            let inputs = sts.inputs.iter().map(input).collect::<Result<_, SolverError>>()?;
            steps.push(StsStep { state, inputs });
        }
        Ok(StsTrace { steps })
    }
}

fn version(store: &Store, var: VarId, step: u32) -> ExprId {
    store.var_expr(store.at_version(var, Version::Step(step)))
}

fn replacer(task: &Task<Sts>, state: &[ExprId], step: u32) -> StepReplacer {
    let sts = &task.model;
    let inputs = sts.inputs.iter().map(|input| (*input, version(&task.store, *input, step)));
    let terms: FxHashMap<VarId, ExprId> =
        sts.vars.iter().copied().zip(state.iter().copied()).chain(inputs).collect();
    Replacer::new(Box::new(move |_: &Store, var| terms.get(&var).copied()))
}
