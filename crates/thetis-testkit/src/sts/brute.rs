//! Explicit exploration of small transition systems, by trying all values.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Sort, Store, Value, VarId, Version, evaluate};
use thetis_model::Task;
use thetis_model::sts::Sts;

use super::INT_BOUND;

/// The number of steps before the first bad one on a shortest run to it, or `None` if the system is safe.
pub fn explore_sts(task: &Task<Sts>) -> Option<u32> {
    let system = Explicit::new(task);
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut level = system.initial_states();
    let mut depth = 0;
    while !level.is_empty() {
        if level.iter().any(|state| system.has_bad_step(state)) {
            return Some(depth);
        }
        seen.extend(level.iter().cloned());
        let next: BTreeSet<Vec<Value>> = level.iter().flat_map(|state| system.successors(state)).collect();
        level = next.into_iter().filter(|state| !seen.contains(state)).collect();
        depth += 1;
    }
    None
}

/// The states in which a run can be, in a step that satisfies the constraint.
pub fn reachable_states_of_sts(task: &Task<Sts>) -> Vec<Vec<Value>> {
    let system = Explicit::new(task);
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut pending = system.initial_states();
    while let Some(state) = pending.pop() {
        if !system.steps(&state).is_empty() && seen.insert(state.clone()) {
            pending.extend(system.successors(&state));
        }
    }
    seen.into_iter().collect()
}

struct Explicit<'t> {
    store: &'t Store,
    sts: &'t Sts,
    states: Vec<Vec<Value>>,
    inputs: Vec<Vec<Value>>,
}

impl<'t> Explicit<'t> {
    fn new(task: &'t Task<Sts>) -> Explicit<'t> {
        let (store, sts) = (&task.store, &task.model);
        Explicit { store, sts, states: all_values(store, &sts.vars), inputs: all_values(store, &sts.inputs) }
    }

    fn holds(&self, formula: ExprId, state: &[Value], inputs: &[Value], next: &[Value]) -> bool {
        self.value(formula, state, inputs, next) == Value::Bool(true)
    }

    fn value(&self, term: ExprId, state: &[Value], inputs: &[Value], next: &[Value]) -> Value {
        let lookup = |var: VarId| {
            let symbol = self.store.symbol(var);
            let position = self.sts.vars.iter().position(|other| *other == symbol.base);
            match (position, symbol.version) {
                (Some(position), Version::Next) => next.get(position).cloned(),
                (Some(position), _) => state.get(position).cloned(),
                (None, _) => {
                    let position = self.sts.inputs.iter().position(|other| *other == var)?;
                    inputs.get(position).cloned()
                }
            }
        };
        evaluate(self.store, term, &lookup).expect("all variables should have values")
    }

    fn initial_states(&self) -> Vec<Vec<Value>> {
        self.states.iter().filter(|state| self.holds(self.sts.init, state, &[], &[])).cloned().collect()
    }

    /// The inputs with which a state is a step.
    fn steps(&self, state: &[Value]) -> Vec<&Vec<Value>> {
        self.inputs.iter().filter(|inputs| self.holds(self.sts.constraint, state, inputs, &[])).collect()
    }

    fn has_bad_step(&self, state: &[Value]) -> bool {
        self.steps(state).into_iter().any(|inputs| self.holds(self.sts.bad, state, inputs, &[]))
    }

    fn successors(&self, state: &[Value]) -> Vec<Vec<Value>> {
        let mut successors = Vec::new();
        for inputs in self.steps(state) {
            let fixed: Vec<Option<Value>> = self
                .sts
                .vars
                .iter()
                .map(|var| {
                    let term = self.sts.next.get(var)?;
                    Some(self.value(*term, state, inputs, &[]))
                })
                .collect();
            let fits = |next: &&Vec<Value>| {
                let mut pairs = next.iter().zip(&fixed);
                pairs.all(|(value, fixed)| fixed.as_ref().is_none_or(|fixed| fixed == value))
                    && self.holds(self.sts.trans, state, inputs, next)
            };
            successors.extend(self.states.iter().filter(fits).cloned());
        }
        successors
    }
}

/// All combinations of values of `vars`.
fn all_values(store: &Store, vars: &[VarId]) -> Vec<Vec<Value>> {
    vars.iter().fold(vec![Vec::new()], |prefixes, var| {
        let values: Vec<Value> = match store.var_sort(*var) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => (0..=INT_BOUND).map(Value::int).collect(),
            other => panic!("random systems should not have variables of sort {other:?}"),
        };
        let extend = |prefix: &Vec<Value>| {
            values
                .iter()
                .map(|value| [prefix.as_slice(), std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        prefixes.iter().flat_map(extend).collect()
    })
}
