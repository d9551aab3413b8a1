//! Runs of automata with procedures, followed with a stack.
//!
//! A run is described by its inputs alone: at every location the first edge that can be taken is taken, and whatever else is arbitrary, at
//! the start and when an activation starts, is zero. What that leads to is one of all runs, so an error location at its end is a violation,
//! however deep the calls are.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, Value, VarId, default_value, evaluate};

use super::{Procedural, ProcedureId};
use crate::cfa::{EdgeId, Graph, LocId, Stmt, StmtKind};

/// A run of an automaton with procedures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeepRun {
    /// The values of its havocs, in the order of execution. The havocs after the last of them get zero.
    pub inputs: Vec<Value>,
    /// The greatest number of edges and calls.
    pub max_steps: u64,
}

/// Where a run comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeepEnd {
    /// An error location.
    Error,
    /// Nothing goes on, or the automaton no longer models the program.
    Elsewhere,
    /// It is longer than it may be, or has more pending calls than there is memory for.
    TooLong,
    /// An input has another sort than its variable.
    WrongInput,
}

/// A run that was looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploredRun {
    /// Where it comes to.
    pub end: DeepEnd,
    /// The run.
    pub run: DeepRun,
    /// Equal for runs through the same locations, and hardly ever for others.
    pub route: u64,
}

/// The most calls that may be pending.
const MAX_PENDING: usize = 100_000;

/// An activation that waits for the end of another: which procedure, where to go on, and the values of its local variables.
struct Waiting {
    callee: ProcedureId,
    target: LocId,
    locals: Vec<Value>,
}

impl Procedural {
    /// Where a run comes to.
    pub fn end(&self, store: &Store, run: &DeepRun) -> DeepEnd {
        let mut inputs = run.inputs.iter();
        let mut input = |sort| match inputs.next() {
            Some(value) => Some(value.clone()).filter(|value| store.sort_of_value(value) == sort),
            None => Some(default_value(store, sort)),
        };
        let mut machine = Machine::new(self, store, &mut input);
        let ends = (0..run.max_steps).find_map(|_| machine.advance());
        ends.unwrap_or(DeepEnd::TooLong)
    }

    /// The run that gets its inputs from a function of their sorts. `run` is looked at now and then.
    pub fn explore(
        &self,
        store: &Store,
        mut input: impl FnMut(Sort) -> Value,
        max_steps: u64,
        run: &Run,
    ) -> Result<ExploredRun, Stop> {
        let mut inputs = Vec::new();
        let mut input = |sort| {
            inputs.push(input(sort));
            inputs.last().cloned()
        };
        let mut machine = Machine::new(self, store, &mut input);
        let (mut num_steps, mut route) = (0, FxHasher::default());
        let end = loop {
            if num_steps % 1024 == 0 {
                run.checkpoint()?;
            }
            if num_steps == max_steps {
                break DeepEnd::TooLong;
            }
            num_steps += 1;
            if let Some(end) = machine.advance() {
                break end;
            }
            route.write_usize(machine.location.index());
        };
        Ok(ExploredRun { end, run: DeepRun { inputs, max_steps: num_steps }, route: route.finish() })
    }
}

/// A state of the automaton.
struct Machine<'p> {
    procedural: &'p Procedural,
    store: &'p Store,
    graph: Graph,
    numbers: FxHashMap<VarId, usize>,
    /// The numbers of the local variables, and the values with which they start.
    locals: Vec<(usize, Value)>,
    values: Vec<Value>,
    location: LocId,
    waiting: Vec<Waiting>,
    /// The next input, of a sort; `None` if it has another one.
    input: &'p mut dyn FnMut(Sort) -> Option<Value>,
}

/// Whether a statement can be executed.
enum Executed {
    Done,
    Blocked,
    WrongInput,
}

impl<'p> Machine<'p> {
    fn new(
        procedural: &'p Procedural,
        store: &'p Store,
        input: &'p mut dyn FnMut(Sort) -> Option<Value>,
    ) -> Machine<'p> {
        let vars = &procedural.cfa.vars;
        let zero = |var: &VarId| default_value(store, store.var_sort(*var));
        let numbers: FxHashMap<VarId, usize> =
            vars.iter().enumerate().map(|(number, var)| (*var, number)).collect();
        let locals = vars.iter().filter(|var| procedural.locals.contains(var));
        Machine {
            procedural,
            store,
            graph: Graph::new(&procedural.cfa),
            locals: locals.map(|var| (numbers[var], zero(var))).collect(),
            values: vars.iter().map(zero).collect(),
            location: procedural.cfa.initial,
            waiting: Vec::new(),
            input,
            numbers,
        }
    }

    /// Takes an edge, calls or returns; where the run ends, if it does.
    fn advance(&mut self) -> Option<DeepEnd> {
        if self.procedural.cfa.is_error(self.location) {
            return Some(DeepEnd::Error);
        }
        if let Some(call) = self.procedural.calls.get(&self.location) {
            return self.call(call.callee, call.target);
        }
        if self.procedural.cfa.limits.contains_key(&self.location) {
            return Some(DeepEnd::Elsewhere);
        }
        let is_over =
            |waiting: &mut Waiting| self.procedural.procedures[waiting.callee].exit == self.location;
        if let Some(waiting) = self.waiting.pop_if(is_over) {
            self.location = waiting.target;
            let numbers = self.locals.iter().map(|(number, _)| *number);
            numbers.zip(waiting.locals).for_each(|(number, value)| self.values[number] = value);
            return None;
        }
        let edges = self.graph.outgoing(self.location).to_vec();
        for edge in edges {
            match self.take(edge) {
                Executed::Done => return None,
                Executed::Blocked => {}
                Executed::WrongInput => return Some(DeepEnd::WrongInput),
            }
        }
        Some(DeepEnd::Elsewhere)
    }

    fn call(&mut self, callee: ProcedureId, target: LocId) -> Option<DeepEnd> {
        if self.waiting.len() >= MAX_PENDING {
            return Some(DeepEnd::TooLong);
        }
        let anew = self.locals.iter();
        let locals = anew.map(|(number, zero)| std::mem::replace(&mut self.values[*number], zero.clone()));
        let locals = locals.collect();
        self.waiting.push(Waiting { callee, target, locals });
        self.location = self.procedural.procedures[callee].entry;
        None
    }

    /// Takes an edge; if that is not possible, all is as before, except for inputs that were read.
    fn take(&mut self, edge: EdgeId) -> Executed {
        let edge = &self.procedural.cfa.edges[edge];
        let mut changed = Vec::new();
        let executed = self.execute(&edge.stmt, &mut changed);
        match executed {
            Executed::Done => self.location = edge.target,
            _ => changed.into_iter().rev().for_each(|(number, value)| self.values[number] = value),
        }
        executed
    }

    fn execute(&mut self, stmt: &Stmt, changed: &mut Vec<(usize, Value)>) -> Executed {
        let mut pending = vec![stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, term) => {
                    let value = self.value(*term);
                    self.change(*var, value, changed);
                }
                StmtKind::Assume(formula) if self.value(*formula) == Value::Bool(true) => {}
                StmtKind::Havoc(var) => {
                    let sort = self.store.var_sort(*var);
                    let Some(value) = (self.input)(sort) else { return Executed::WrongInput };
                    self.change(*var, value, changed);
                }
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                // The first branch is as good as any other, and edges that choose are rare.
                StmtKind::Choice(stmts) if !stmts.is_empty() => pending.push(&stmts[0]),
                StmtKind::Assume(_) | StmtKind::Choice(_) => return Executed::Blocked,
            }
        }
        Executed::Done
    }

    fn value(&self, term: ExprId) -> Value {
        let value_of = |var: VarId| self.numbers.get(&var).map(|number| self.values[*number].clone());
        evaluate(self.store, term, &value_of)
            .expect("a validated statement should use declared variables only")
    }

    fn change(&mut self, var: VarId, value: Value, changed: &mut Vec<(usize, Value)>) {
        let number = self.numbers[&var];
        changed.push((number, std::mem::replace(&mut self.values[number], value)));
    }
}
