//! The concrete interpreter: follows a run with the evaluator, without any solver.

use std::fmt;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Sort, Store, Value, VarId, Version, evaluate_all};

use super::{Sts, StsStep, StsTrace};
use crate::Task;

/// Why a run cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The number of values is not that of the variables and inputs.
    WrongVariables,
    /// A value does not have the sort of its variable.
    WrongSort(String),
    /// The first state is not initial.
    NotInitial,
    /// The constraint does not hold.
    Constraint,
    /// The next value of this variable is not that of its function.
    Function(String),
    /// The transition relation does not hold to the next state.
    Relation,
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::WrongVariables => write!(f, "the values are not those of the variables and inputs"),
            StepError::WrongSort(name) => write!(f, "the value for `{name}` has another sort"),
            StepError::NotInitial => write!(f, "the first state is not initial"),
            StepError::Constraint => write!(f, "the constraint does not hold"),
            StepError::Function(name) => write!(f, "the next value of `{name}` is another one"),
            StepError::Relation => write!(f, "the transition relation does not hold"),
        }
    }
}

impl std::error::Error for StepError {}

/// Values by variable.
type Values = FxHashMap<VarId, Value>;

/// Executes steps of a task's system.
pub struct Interpreter<'t> {
    store: &'t Store,
    sts: &'t Sts,
    /// The functions, in the order of `vars_with_function`.
    functions: Vec<ExprId>,
    vars_with_function: Vec<VarId>,
}

impl<'t> Interpreter<'t> {
    /// An interpreter for the system of `task`.
    pub fn new(task: &'t Task<Sts>) -> Interpreter<'t> {
        let sts = &task.model;
        Interpreter {
            store: &task.store,
            sts,
            functions: sts.next.values().copied().collect(),
            vars_with_function: sts.next.keys().copied().collect(),
        }
    }

    /// Succeeds iff `trace` is a run, and says whether its last step is bad; or which step is wrong, and why.
    pub fn run(&self, trace: &StsTrace) -> Result<bool, (usize, StepError)> {
        let mut is_bad = false;
        let mut expected: Option<Values> = None;
        for (number, step) in trace.steps.iter().enumerate() {
            let values = self.values(step).map_err(|error| (number, error))?;
            match &expected {
                None => {
                    self.demand(self.sts.init, &values, StepError::NotInitial).map_err(|e| (number, e))?
                }
                Some(before) => self.follows(before, &values).map_err(|error| (number - 1, error))?,
            }
            self.demand(self.sts.constraint, &values, StepError::Constraint)
                .map_err(|error| (number, error))?;
            is_bad = self.holds(self.sts.bad, &values);
            expected = Some(values);
        }
        Ok(is_bad)
    }

    /// The next state of the variables that have a function, in the order of the variables; `None` for the others.
    pub fn next_values(&self, step: &StsStep) -> Result<Vec<Option<Value>>, StepError> {
        let values = self.values(step)?;
        let results = self.evaluate(&self.functions, &values);
        let mut by_var: Values = self.vars_with_function.iter().copied().zip(results).collect();
        Ok(self.sts.vars.iter().map(|var| by_var.remove(var)).collect())
    }

    /// The values of a step by variable, if they fit.
    fn values(&self, step: &StsStep) -> Result<Values, StepError> {
        if step.state.len() != self.sts.vars.len() || step.inputs.len() != self.sts.inputs.len() {
            return Err(StepError::WrongVariables);
        }
        let states = self.sts.vars.iter().zip(&step.state);
        let mut values = Values::default();
        for (var, value) in states.chain(self.sts.inputs.iter().zip(&step.inputs)) {
            if self.store.sort_of_value(value) != self.store.var_sort(*var) {
                return Err(StepError::WrongSort(self.store.var_name(*var)));
            }
            values.insert(*var, value.clone());
        }
        Ok(values)
    }

    /// Succeeds iff the state of `after` can follow the step `before`.
    fn follows(&self, before: &Values, after: &Values) -> Result<(), StepError> {
        let computed = self.evaluate(&self.functions, before);
        for (var, value) in self.vars_with_function.iter().zip(&computed) {
            if after[var] != *value {
                return Err(StepError::Function(self.store.var_name(*var)));
            }
        }
        let lookup = |var: VarId| {
            let symbol = self.store.symbol(var);
            let values = if symbol.version == Version::Next { after } else { before };
            values.get(&symbol.base).cloned()
        };
        let holds = evaluate_all(self.store, &[self.sts.trans], &lookup)
            .expect("a validated system should use declared variables only");
        if holds == [Value::Bool(true)] { Ok(()) } else { Err(StepError::Relation) }
    }

    fn demand(&self, formula: ExprId, values: &Values, error: StepError) -> Result<(), StepError> {
        if self.holds(formula, values) { Ok(()) } else { Err(error) }
    }

    fn holds(&self, formula: ExprId, values: &Values) -> bool {
        debug_assert_eq!(self.store.sort(formula), Sort::Bool);
        self.evaluate(&[formula], values) == [Value::Bool(true)]
    }

    fn evaluate(&self, terms: &[ExprId], values: &Values) -> Vec<Value> {
        evaluate_all(self.store, terms, &|var: VarId| values.get(&var).cloned())
            .expect("a validated system should use declared variables only")
    }
}
