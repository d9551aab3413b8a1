//! The concrete interpreter: follows a run with the evaluator, without any solver.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use imbl::OrdMap;
use thetis_base::Span;
use thetis_expr::{Assignment, ExprId, Op, Store, Value, VarId, evaluate};

use super::{Cfa, CfaStep, CfaTrace, Leap, LocId, RoundStep, Stmt, StmtKind};
use crate::Task;

/// A concrete state. Copies share the values that they have in common, so that all states of a long run fit into memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct State {
    /// Where control is.
    pub location: LocId,
    /// The value of every variable.
    pub values: OrdMap<VarId, Value>,
}

impl Assignment for State {
    fn value_of(&self, var: VarId) -> Option<Value> {
        self.values.get(&var).cloned()
    }
}

/// Why a run cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// A variable has no initial value, or a value is given to something else than a variable of the model.
    WrongVariables,
    /// A value does not have the sort of its variable.
    WrongSort(String),
    /// The edge does not exist.
    UnknownEdge,
    /// The edge does not start where the run is.
    WrongSource,
    /// An assumption does not hold.
    Blocked(Option<Span>),
    /// There are fewer havocs or choices on the edge than the step has values for, or more.
    WrongInputs,
    /// A choice has no such branch.
    UnknownBranch,
    /// What is said to be rounds of a loop overlaps, is empty or does not come back to where it begins.
    WrongRounds,
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::WrongVariables => write!(f, "the initial values are not those of the variables"),
            StepError::WrongSort(name) => write!(f, "the value for `{name}` has another sort"),
            StepError::UnknownEdge => write!(f, "the edge does not exist"),
            StepError::WrongSource => write!(f, "the edge starts at another location"),
            StepError::Blocked(_) => write!(f, "an assumption does not hold"),
            StepError::WrongInputs => write!(f, "the inputs do not fit the statements of the edge"),
            StepError::UnknownBranch => write!(f, "a choice has no such branch"),
            StepError::WrongRounds => write!(f, "these steps are no rounds of a loop"),
        }
    }
}

impl std::error::Error for StepError {}

/// Executes steps of a task's automaton.
pub struct Interpreter<'t> {
    store: &'t Store,
    cfa: &'t Cfa,
}

impl<'t> Interpreter<'t> {
    /// An interpreter for the automaton of `task`.
    pub fn new(task: &'t Task<Cfa>) -> Interpreter<'t> {
        Interpreter { store: &task.store, cfa: &task.model }
    }

    /// The state at the end of a run; or how many steps work, and why the next does not.
    pub fn end(&self, trace: &CfaTrace) -> Result<State, (usize, StepError)> {
        self.follow(trace, |_, _| {})
    }

    /// Follows a run to its end, as [`Interpreter::end`], and shows every state with the number of steps before it; of rounds of a
    /// loop, those of the last round. A long run is better followed than kept: a state that nobody keeps is changed in place.
    pub fn follow(
        &self,
        trace: &CfaTrace,
        mut look: impl FnMut(usize, &State),
    ) -> Result<State, (usize, StepError)> {
        let mut state = self.initial(&trace.initial).map_err(|error| (0, error))?;
        look(0, &state);
        let mut rounds = trace.rounds.iter().peekable();
        let mut end_of_rounds = 0;
        for (number, step) in trace.steps.iter().enumerate() {
            if let Some(rounds) = rounds.next_if(|rounds| rounds.first <= number) {
                let round = trace.steps.get(number..number.saturating_add(rounds.len)).unwrap_or_default();
                let is_apart = rounds.first == number && end_of_rounds <= number && !round.is_empty();
                let times = rounds.times.checked_sub(1).filter(|_| is_apart);
                let times = times.ok_or((number, StepError::WrongRounds))?;
                self.repeat(&mut state, round, times).map_err(|error| (number, error))?;
                end_of_rounds = number + rounds.len;
            }
            self.advance(&mut state, step).map_err(|error| (number, error))?;
            look(number + 1, &state);
        }
        if rounds.next().is_some() {
            return Err((trace.steps.len(), StepError::WrongRounds));
        }
        Ok(state)
    }

    /// The states of a run as [`Interpreter::follow`] shows them, one more than its steps; or how many steps work, and why the next
    /// does not.
    pub fn run(&self, trace: &CfaTrace) -> Result<Vec<State>, (usize, StepError)> {
        let mut states = Vec::with_capacity(trace.steps.len() + 1);
        self.follow(trace, |_, state| states.push(state.clone()))?;
        Ok(states)
    }

    /// The state at the initial location with the given values, which must be those of all variables.
    pub fn initial(&self, values: &BTreeMap<VarId, Value>) -> Result<State, StepError> {
        if values.len() != self.cfa.vars.len() || !self.cfa.vars.iter().all(|var| values.contains_key(var)) {
            return Err(StepError::WrongVariables);
        }
        for (var, value) in values {
            self.check_sort(*var, value)?;
        }
        let values = values.iter().map(|(var, value)| (*var, value.clone())).collect();
        Ok(State { location: self.cfa.initial, values })
    }

    /// The state after `step`.
    pub fn step(&self, state: &State, step: &CfaStep) -> Result<State, StepError> {
        let mut next = state.clone();
        self.advance(&mut next, step)?;
        Ok(next)
    }

    /// Makes `state` that after `step`. After an error it is of no use.
    fn advance(&self, state: &mut State, step: &CfaStep) -> Result<(), StepError> {
        let edge = self.cfa.edges.get(step.edge).ok_or(StepError::UnknownEdge)?;
        if edge.source != state.location {
            return Err(StepError::WrongSource);
        }
        state.location = edge.target;
        self.execute(&edge.stmt, step, state)
    }

    /// Advances `state` by this many rounds: many at once where that can be foreseen, else one after the other.
    fn repeat(&self, state: &mut State, round: &[CfaStep], mut times: u64) -> Result<(), StepError> {
        let start = state.location;
        // The first round is taken step by step, which shows that the steps are right. What could not be foreseen is tried
        // again after twice as many rounds.
        let (mut wait, mut next_wait) = (1, 1);
        while times > 0 {
            if wait == 0 {
                let done = self.leap(state, round, times);
                times -= done;
                next_wait = if done > next_wait { 1 } else { 2 * next_wait };
                wait = next_wait;
            } else {
                round.iter().try_for_each(|step| self.advance(state, step))?;
                if state.location != start {
                    return Err(StepError::WrongRounds);
                }
                times -= 1;
                wait -= 1;
            }
        }
        Ok(())
    }

    /// Makes `state` that after as many of at most `times` rounds as can be foreseen; how many that are.
    fn leap(&self, state: &mut State, round: &[CfaStep], times: u64) -> u64 {
        let steps = round.iter().map(|step| RoundStep::of_run(&self.cfa.edges[step.edge].stmt, step));
        let steps: Vec<RoundStep<'_>> = steps.collect();
        let Some(leap) = Leap::foresee(self.store, &steps, &|var| state.values.get(&var).cloned()) else {
            return 0;
        };
        let times = times.min(leap.horizon);
        let values = leap.values_after(self.store, times);
        let values: Option<Vec<(VarId, Value)>> =
            values.into_iter().map(|(var, value)| Some((var, value?))).collect();
        let Some(values) = values else { return 0 };
        values.into_iter().for_each(|(var, value)| drop(state.values.insert(var, value)));
        times
    }

    fn execute(&self, stmt: &Stmt, step: &CfaStep, state: &mut State) -> Result<(), StepError> {
        let mut inputs = step.inputs.iter();
        let mut choices = step.choices.iter();
        let mut pending = vec![stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, expr) => match self.written_cells(*var, *expr, state) {
                    Some(cells) => write_cells(state, *var, cells),
                    None => {
                        let value = self.evaluate(*expr, state);
                        state.values.insert(*var, value);
                    }
                },
                StmtKind::Assume(formula) => {
                    if self.evaluate(*formula, state) != Value::Bool(true) {
                        return Err(StepError::Blocked(stmt.span));
                    }
                }
                StmtKind::Havoc(var) => {
                    let value = inputs.next().ok_or(StepError::WrongInputs)?;
                    self.check_sort(*var, value)?;
                    state.values.insert(*var, value.clone());
                }
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(stmts) => {
                    let branch = choices.next().ok_or(StepError::WrongInputs)?;
                    pending.push(stmts.get(*branch).ok_or(StepError::UnknownBranch)?);
                }
            }
        }
        if inputs.next().is_some() || choices.next().is_some() {
            return Err(StepError::WrongInputs);
        }
        Ok(())
    }

    /// If `expr` is the array `var` with some cells written: these, in order. Nothing is evaluated otherwise.
    fn written_cells(&self, var: VarId, expr: ExprId, state: &State) -> Option<Vec<(Value, Value)>> {
        let mut writes = Vec::new();
        let mut array = expr;
        while self.store.op(array) == Op::Store {
            writes.push(array);
            array = self.store.arg(array, 0);
        }
        if writes.is_empty() || self.store.as_var(array) != Some(var) {
            return None;
        }
        let argument = |write, at| self.evaluate(self.store.arg(write, at), state);
        Some(writes.into_iter().rev().map(|write| (argument(write, 1), argument(write, 2))).collect())
    }

    fn evaluate(&self, expr: ExprId, state: &State) -> Value {
        evaluate(self.store, expr, state).expect("a validated statement should use declared variables only")
    }

    fn check_sort(&self, var: VarId, value: &Value) -> Result<(), StepError> {
        if self.store.sort_of_value(value) == self.store.var_sort(var) {
            return Ok(());
        }
        Err(StepError::WrongSort(self.store.var_name(var)))
    }
}

/// Writes cells of an array. It is taken out of the state meanwhile: an array that nobody else has is changed in place, while every
/// write to a shared one copies the nodes above the cell.
fn write_cells(state: &mut State, var: VarId, cells: Vec<(Value, Value)>) {
    let value = state.values.get_mut(&var).expect("every variable should have a value");
    let Value::Array(array) = std::mem::replace(value, Value::Bool(false)) else {
        unreachable!("cells should be those of an array");
    };
    *value = Value::Array(Arc::new(Arc::unwrap_or_clone(array).write_all(cells)));
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, default_value};

    use super::super::{CfaBuilder, CfaProperty};
    use super::*;

    /// Random writes to arrays, in place where the array is that of the variable, against the evaluator.
    #[test]
    fn cells_are_written_as_the_evaluator_says() {
        let store = Store::new();
        let sort = store.array_sort(Sort::Int, Sort::Int);
        let arrays = ["a", "b"].map(|name| store.declare(name, sort));
        let mut random = fastrand::Rng::with_seed(9);
        let mut builder = CfaBuilder::new("writes");
        arrays.iter().for_each(|var| builder.var(*var));
        let here = builder.location("here", None);
        builder.initial(here);
        let mut edges = Vec::new();
        for _ in 0..200 {
            let target = arrays[random.usize(..2)];
            let mut term = store.var_expr(arrays[random.usize(..2)]);
            for _ in 0..random.usize(..4) {
                let read =
                    store.select(store.var_expr(arrays[random.usize(..2)]), store.int(random.i32(..4)));
                let element = store.add(read, store.int(random.i32(-1..2)));
                let index = if random.bool() { read } else { store.int(random.i32(..4)) };
                term = store.store(term, index, element);
            }
            let edge = builder.edge(here, here, Stmt::assign(target, term), None);
            edges.push((edge, target, term));
        }
        let model = builder.build(&store).expect("the automaton should be valid");
        let task = Task { store: store.clone(), model, property: CfaProperty::ErrorLocation };
        let interpreter = Interpreter::new(&task);
        let zeros = arrays.map(|var| (var, default_value(&store, sort)));
        let mut state =
            interpreter.initial(&BTreeMap::from(zeros)).expect("all variables should have values");
        for (edge, target, term) in edges {
            let expected = evaluate(&store, term, &state).expect("all variables should have values");
            let before = state.clone();
            let step = CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
            interpreter.advance(&mut state, &step).expect("an assignment should be possible");
            assert_eq!(state.values[&target], expected);
            assert_eq!(interpreter.step(&before, &step), Ok(state.clone()), "a kept state does not change");
        }
    }
}
