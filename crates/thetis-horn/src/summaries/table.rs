//! Contracts by running: what a program with few inputs passes to its procedures, and what it gets back.
//!
//! A program without inputs has one run. A procedure that is called with the same values again does the same again, so it is enough to
//! follow it once and to note the values at its exit in a *table* (Michie, *"Memo" Functions and Machine Learning*, 1968). The run
//! becomes short: `fib(30)` has 31 entries. The table as a formula is a precondition, that the procedure is called with
//! the values of an entry, and a postcondition, that it ends with the values of that entry.
//!
//! Values may be unknown: inputs, and variables that are not initialised. What is computed from them is unknown. The main procedure follows
//! all paths that such values leave open, and calls a procedure with each value that an unknown argument may have, if its [range](RangeMap) is
//! small. If an unknown value decides a branch inside another procedure, there is no table. The result is only a guess: the proof has to show
//! that it is right.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{BitVec, ExprId, Sort, Store, Value, VarId, evaluate};
use thetis_model::Task;
use thetis_model::cfa::ranges::{Range, RangeMap};
use thetis_model::cfa::{
    Cfa, Contract, Graph, LocId, Procedural, ProcedureCall, ProcedureId, Snapshots, Stmt, StmtKind,
};

/// The greatest number of entries of all tables together.
const MAX_ENTRIES: usize = 400;

/// The greatest number of edges that are taken.
const MAX_STEPS: usize = 1_000_000;

/// The greatest number of values of an unknown argument.
const MAX_VALUES: u32 = 64;

/// What is known of the values of variables.
type Known = BTreeMap<VarId, Value>;

/// What running a program shows.
pub(super) enum Shown<T> {
    /// All of it, in this form.
    Table(T),
    /// Its only run is a violation.
    Violation,
    /// There are too many runs, or long ones.
    Nothing,
}

/// The contracts that the runs of the program show; `ranges` are those in which calls are jumps.
pub(super) fn contracts(
    edges: &Task<Cfa>,
    procedural: &Procedural,
    snapshots: &Snapshots,
    read: &IndexVec<ProcedureId, BTreeSet<VarId>>,
    ranges: &RangeMap,
    run: &Run,
) -> Result<Shown<IndexVec<ProcedureId, Contract>>, Stop> {
    let machine = Machine {
        store: &edges.store,
        procedural,
        graph: Graph::new(&procedural.cfa),
        modified: procedural.modified(),
        read,
        ranges,
        has_assumed: Cell::new(false),
    };
    Ok(match machine.run(run)? {
        Shown::Table(table) => {
            let procedures = procedural.procedures.indices();
            Shown::Table(procedures.map(|id| machine.contract(id, &table, snapshots)).collect())
        }
        Shown::Violation => Shown::Violation,
        Shown::Nothing => Shown::Nothing,
    })
}

/// For each procedure and the values it is called with, the values it ends with.
type Table = BTreeMap<(ProcedureId, Known), Known>;

struct Machine<'a> {
    store: &'a Store,
    procedural: &'a Procedural,
    graph: Graph,
    modified: IndexVec<ProcedureId, BTreeSet<VarId>>,
    read: &'a IndexVec<ProcedureId, BTreeSet<VarId>>,
    ranges: &'a RangeMap,
    /// Whether something was assumed of an unknown value.
    has_assumed: Cell<bool>,
}

/// A pending activation.
#[derive(Clone)]
struct Activation {
    /// What it was called with; `None` for the main procedure.
    called: Option<(ProcedureId, Known)>,
    at: LocId,
    values: Known,
}

/// What an activation does next.
enum Next {
    Call(ProcedureCall),
    Return(ProcedureId),
    /// It continues at one of these locations.
    Ways(Vec<(LocId, Known)>),
    /// It is where it must not be.
    Forbidden,
    /// It is not clear what it does.
    Open,
}

impl Machine<'_> {
    /// The table of all calls.
    fn run(&self, run: &Run) -> Result<Shown<Table>, Stop> {
        let mut table = Table::new();
        let first = Activation { called: None, at: self.procedural.cfa.initial, values: Known::new() };
        // The main procedure, once for each path it may have taken, and the calls that wait.
        let mut others = vec![first];
        let mut stack = Vec::new();
        let mut is_alone = true;
        for _ in 0..MAX_STEPS {
            run.checkpoint()?;
            if stack.is_empty() {
                let Some(other) = others.pop() else { return Ok(Shown::Table(table)) };
                stack.push(other);
            }
            let is_first = stack.len() == 1;
            let Some(top) = stack.last_mut() else { continue };
            match self.next(top) {
                Next::Ways(mut ways) if is_first || ways.len() == 1 => match ways.pop() {
                    Some((at, values)) => {
                        is_alone &= ways.is_empty();
                        let rest = ways.into_iter();
                        others.extend(rest.map(|(at, values)| Activation { called: None, at, values }));
                        (top.at, top.values) = (at, values);
                    }
                    None => drop(stack.pop()),
                },
                // A run that ends inside a procedure ends there.
                Next::Ways(ways) if ways.is_empty() => stack.clear(),
                Next::Forbidden if is_alone && self.is_violation(top.at) => return Ok(Shown::Violation),
                // The main procedure need not get there: the proof has to show that.
                Next::Forbidden if is_first && !is_alone => drop(stack.pop()),
                Next::Ways(_) | Next::Forbidden | Next::Open => return Ok(Shown::Nothing),
                Next::Return(procedure) => {
                    let values = restricted(&top.values, &self.modified[procedure]);
                    let key = stack.pop().and_then(|ended| ended.called);
                    table.extend(key.map(|key| (key, values)));
                }
                Next::Call(call) => {
                    let choices = if is_first { self.choices(top, call.callee) } else { Vec::new() };
                    if !choices.is_empty() {
                        is_alone = false;
                        stack.pop();
                        others.extend(choices);
                    } else if !self.call(call, &table, &mut stack) {
                        return Ok(Shown::Nothing);
                    }
                }
            }
            if table.len() > MAX_ENTRIES || others.len() > MAX_ENTRIES || stack.len() > MAX_ENTRIES {
                return Ok(Shown::Nothing);
            }
        }
        Ok(Shown::Nothing)
    }

    /// Whether it is an error to be at a location, and nothing was assumed on the way there.
    fn is_violation(&self, at: LocId) -> bool {
        self.procedural.cfa.is_error(at) && !self.has_assumed.get()
    }

    /// Calls a procedure from the top of the stack, or looks up its results. Returns whether the call can
    /// end.
    fn call(&self, call: ProcedureCall, table: &Table, stack: &mut Vec<Activation>) -> bool {
        let Some(top) = stack.last_mut() else { return false };
        let key = (call.callee, restricted(&top.values, &self.read[call.callee]));
        if let Some(result) = table.get(&key) {
            top.values.retain(|var, _| !self.modified[call.callee].contains(var));
            top.values.extend(result.clone());
            top.at = call.target;
            return true;
        }
        let mut values = top.values.clone();
        values.retain(|var, _| !self.procedural.locals.contains(var));
        // A call that is pending already would never end.
        if stack.iter().any(|pending| pending.called.as_ref() == Some(&key)) {
            return false;
        }
        let at = self.procedural.procedures[call.callee].entry;
        stack.push(Activation { called: Some(key), at, values });
        true
    }

    /// The activation with each value of an unknown argument of `callee` that may only have few.
    fn choices(&self, top: &Activation, callee: ProcedureId) -> Vec<Activation> {
        let unknown = self.read[callee].iter().filter(|var| !top.values.contains_key(var));
        let choices = unknown.filter_map(|var| Some((*var, self.few_values(top.at, *var)?)));
        let Some((var, values)) = choices.into_iter().next() else { return Vec::new() };
        let chosen = |value| {
            let mut activation = top.clone();
            activation.values.insert(var, value);
            activation
        };
        values.into_iter().map(chosen).collect()
    }

    /// The values of a number at a location, if there are few.
    fn few_values(&self, at: LocId, var: VarId) -> Option<Vec<Value>> {
        let range = self.ranges.range(self.store, at, var)?;
        let interval = match &range {
            Range::Int(interval) => interval,
            Range::Bits(bits) => bits.unsigned(),
            Range::Exactly(_) | Range::Any => return None,
        };
        let (low, high) = (interval.low()?, interval.high()?);
        let num_values = u32::try_from(high - low + 1).ok().filter(|number| *number <= MAX_VALUES)?;
        let value = |offset: u32| match self.store.var_sort(var) {
            Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), &(low + offset))),
            _ => Value::Int(low + BigInt::from(offset)),
        };
        Some((0..num_values).map(value).collect())
    }

    fn next(&self, activation: &Activation) -> Next {
        let procedural = self.procedural;
        if let Some(call) = procedural.calls.get(&activation.at) {
            return Next::Call(*call);
        }
        if procedural.cfa.is_forbidden(activation.at) {
            return Next::Forbidden;
        }
        if let Some((procedure, _)) = &activation.called
            && procedural.procedures[*procedure].exit == activation.at
        {
            return Next::Return(*procedure);
        }
        let mut ways = Vec::new();
        for edge in self.graph.outgoing(activation.at) {
            let edge = &procedural.cfa.edges[*edge];
            let mut values = activation.values.clone();
            match self.execute(&edge.stmt, &mut values) {
                Some(true) => ways.push((edge.target, values)),
                Some(false) => {}
                None => return Next::Open,
            }
        }
        Next::Ways(ways)
    }

    /// Executes a statement as far as values are known; whether it can be executed, if that is clear.
    fn execute(&self, stmt: &Stmt, values: &mut Known) -> Option<bool> {
        let mut pending = vec![stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, term) => {
                    match self.value(*term, values) {
                        Some(value) => values.insert(*var, value),
                        None => values.remove(var),
                    };
                }
                // What is assumed of an unknown value, such as its range, does not decide anything by itself.
                StmtKind::Assume(formula) => match self.value(*formula, values) {
                    Some(Value::Bool(false)) => return Some(false),
                    Some(_) => {}
                    None => self.has_assumed.set(true),
                },
                StmtKind::Havoc(var) => drop(values.remove(var)),
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(_) => return None,
            }
        }
        Some(true)
    }

    fn value(&self, term: ExprId, values: &Known) -> Option<Value> {
        evaluate(self.store, term, &|var: VarId| values.get(&var).cloned()).ok()
    }

    fn contract(&self, procedure: ProcedureId, table: &Table, snapshots: &Snapshots) -> Contract {
        let store = self.store;
        let entries = || table.iter().filter(|((known, _), _)| *known == procedure);
        let is_value =
            |var: VarId, value: &Value| store.eq(store.var_expr(var), store.literal(value.clone()));
        let at_entry = |var: &VarId| match self.modified[procedure].contains(var) {
            true => snapshots.entry[var],
            false => *var,
        };
        let precondition = entries()
            .map(|((_, called), _)| store.and_all(called.iter().map(|(var, value)| is_value(*var, value))));
        let postcondition = entries().map(|((_, called), ended)| {
            let before = called.iter().map(|(var, value)| is_value(at_entry(var), value));
            store.and_all(before.chain(ended.iter().map(|(var, value)| is_value(*var, value))))
        });
        let precondition = store.or_all(precondition.collect::<Vec<ExprId>>());
        Contract { precondition, postcondition: store.or_all(postcondition.collect::<Vec<ExprId>>()) }
    }
}

fn restricted(values: &Known, vars: &BTreeSet<VarId>) -> Known {
    values.iter().filter(|(var, _)| vars.contains(var)).map(|(var, value)| (*var, value.clone())).collect()
}
