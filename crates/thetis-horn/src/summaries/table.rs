//! Contracts by running: what a program without inputs passes to its procedures, and what it gets back.
//!
//! Such a program has one run. A procedure that is called with the same values again does the same again, so it is enough to
//! follow it once and to note the values at its exit in a *table* (Michie, *"Memo" Functions and Machine Learning*, 1968). The run
//! becomes short: `fib(30)` has 31 entries. The table as a formula is a precondition, that the procedure is called with
//! the values of an entry, and a postcondition, that it ends with the values of that entry.
//!
//! Values may be unknown, for variables that are not initialised. What is computed from them is unknown, and where such a value
//! decides how to go on, there is no table. Whatever comes out is a guess: the proof has to show that it is right.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, Contract, Graph, LocId, Procedural, ProcedureCall, ProcedureId, Snapshots, Stmt, StmtKind,
};

/// The greatest number of entries of all tables together.
const MAX_ENTRIES: usize = 400;

/// The greatest number of edges that are taken.
const MAX_STEPS: usize = 1_000_000;

/// What is known of the values of variables.
type Known = BTreeMap<VarId, Value>;

/// The contracts that the run of the program shows, if it has one that ends without a violation.
pub(super) fn contracts(
    edges: &Task<Cfa>,
    procedural: &Procedural,
    snapshots: &Snapshots,
    read: &IndexVec<ProcedureId, BTreeSet<VarId>>,
    run: &Run,
) -> Result<Option<IndexVec<ProcedureId, Contract>>, Stop> {
    let machine = Machine {
        store: &edges.store,
        procedural,
        graph: Graph::new(&procedural.cfa),
        modified: procedural.modified(),
        read,
    };
    let Some(table) = machine.run(run)? else { return Ok(None) };
    Ok(Some(procedural.procedures.indices().map(|id| machine.contract(id, &table, snapshots)).collect()))
}

/// For each procedure and the values it is called with, the values it ends with.
type Table = BTreeMap<(ProcedureId, Known), Known>;

struct Machine<'a> {
    store: &'a Store,
    procedural: &'a Procedural,
    graph: Graph,
    modified: IndexVec<ProcedureId, BTreeSet<VarId>>,
    read: &'a IndexVec<ProcedureId, BTreeSet<VarId>>,
}

/// A pending activation.
struct Activation {
    /// What it was called with; nothing for what runs first.
    called: Option<(ProcedureId, Known)>,
    at: LocId,
    values: Known,
}

/// What an activation does next.
enum Next {
    Call(ProcedureCall),
    Return(ProcedureId),
    Step(LocId, Known),
    End,
    /// It may go more than one way, or somewhere it must not.
    Open,
}

impl Machine<'_> {
    /// The table of all calls; `None` if the program does not have a single run without violation, or a long one.
    fn run(&self, run: &Run) -> Result<Option<Table>, Stop> {
        let mut table = Table::new();
        let first = Activation { called: None, at: self.procedural.cfa.initial, values: Known::new() };
        let mut stack = vec![first];
        for _ in 0..MAX_STEPS {
            run.checkpoint()?;
            let Some(top) = stack.last_mut() else { return Ok(Some(table)) };
            match self.next(top) {
                Next::Step(at, values) => (top.at, top.values) = (at, values),
                Next::End => return Ok(Some(table)),
                Next::Open => return Ok(None),
                Next::Return(procedure) => {
                    let values = restricted(&top.values, &self.modified[procedure]);
                    let key = stack.pop().and_then(|ended| ended.called);
                    table.extend(key.map(|key| (key, values)));
                    if table.len() > MAX_ENTRIES {
                        return Ok(None);
                    }
                }
                Next::Call(call) => {
                    let key = (call.callee, restricted(&top.values, &self.read[call.callee]));
                    if let Some(result) = table.get(&key) {
                        top.values.retain(|var, _| !self.modified[call.callee].contains(var));
                        top.values.extend(result.clone());
                        top.at = call.target;
                        continue;
                    }
                    // A call that is pending already would never end.
                    if stack.len() > MAX_ENTRIES
                        || stack.iter().any(|pending| pending.called.as_ref() == Some(&key))
                    {
                        return Ok(None);
                    }
                    let mut values = stack.last().map(|top| top.values.clone()).unwrap_or_default();
                    values.retain(|var, _| !self.procedural.locals.contains(var));
                    let at = self.procedural.procedures[call.callee].entry;
                    stack.push(Activation { called: Some(key), at, values });
                }
            }
        }
        Ok(None)
    }

    fn next(&self, activation: &Activation) -> Next {
        let procedural = self.procedural;
        if let Some(call) = procedural.calls.get(&activation.at) {
            return Next::Call(*call);
        }
        if procedural.cfa.is_forbidden(activation.at) {
            return Next::Open;
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
        match (ways.pop(), ways.is_empty()) {
            (Some((target, values)), true) => Next::Step(target, values),
            (None, _) => Next::End,
            (Some(_), false) => Next::Open,
        }
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
                StmtKind::Assume(formula) => {
                    if self.value(*formula, values) == Some(Value::Bool(false)) {
                        return Some(false);
                    }
                }
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
