//! The explicit checker: all states, all inputs, no cleverness.

use std::collections::{BTreeSet, VecDeque};

use thetis_expr::{ArrayValue, BitVec, Sort, Store, Value, VarId, evaluate};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, Graph, LocId, State, Stmt, StmtKind};

use super::generator::INT_VALUES;

/// What the explicit checker found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The least number of back edges (of the graph towards errors) on a run to an error location, if there is one.
    pub least_bound: Option<u32>,
    /// How many states were visited.
    pub num_states: usize,
}

/// Explores all states of a random automaton, by the number of back edges.
///
/// Integers range over the values that the generator allows; their initial values are immaterial there.
pub fn explore(task: &Task<Cfa>) -> Truth {
    let graph = Graph::towards_errors(&task.model);
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut queue: VecDeque<(State, u32)> =
        initial_states(task).into_iter().map(|state| (state, 0)).collect();
    while let Some((state, bound)) = queue.pop_front() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if task.model.is_error(state.location) {
            return Truth { least_bound: Some(bound), num_states: seen.len() };
        }
        // All edges are followed; the graph towards errors only says which of them count.
        for (id, edge) in task.model.edges.iter_enumerated().filter(|(_, edge)| edge.source == state.location)
        {
            for next in successors(task, &state, &edge.stmt, edge.target) {
                if graph.is_back(id) {
                    queue.push_back((next, bound + 1));
                } else {
                    queue.push_front((next, bound));
                }
            }
        }
    }
    Truth { least_bound: None, num_states: seen.len() }
}

/// All reachable states, those after error locations included.
pub fn reachable_states(task: &Task<Cfa>) -> BTreeSet<State> {
    let graph = Graph::new(&task.model);
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut pending = initial_states(task);
    while let Some(state) = pending.pop() {
        if seen.insert(state.clone()) {
            for edge in graph.outgoing(state.location).iter().map(|edge| &task.model.edges[*edge]) {
                pending.extend(successors(task, &state, &edge.stmt, edge.target));
            }
        }
    }
    seen
}

fn initial_states(task: &Task<Cfa>) -> Vec<State> {
    let start = State { location: task.model.initial, values: Default::default() };
    task.model.vars.iter().fold(vec![start], |states, var| {
        let values = match task.store.var_sort(*var) {
            Sort::Int => vec![Value::int(0)],
            sort => all_values(&task.store, sort),
        };
        states.iter().flat_map(|state| with_each(state, *var, &values)).collect()
    })
}

fn with_each(state: &State, var: VarId, values: &[Value]) -> Vec<State> {
    let with = |value: &Value| {
        let mut state = state.clone();
        state.values.insert(var, value.clone());
        state
    };
    values.iter().map(with).collect()
}

fn successors(task: &Task<Cfa>, state: &State, stmt: &Stmt, target: LocId) -> Vec<State> {
    let mut ends = execute(&task.store, state.clone(), stmt);
    ends.iter_mut().for_each(|end| end.location = target);
    ends
}

fn execute(store: &Store, mut state: State, stmt: &Stmt) -> Vec<State> {
    let value = |state: &State, expr| evaluate(store, expr, state).expect("all variables should have values");
    match &stmt.kind {
        StmtKind::Assign(var, expr) => {
            let value = value(&state, *expr);
            state.values.insert(*var, value);
            vec![state]
        }
        StmtKind::Assume(formula) if value(&state, *formula) == Value::Bool(true) => vec![state],
        StmtKind::Assume(_) => Vec::new(),
        StmtKind::Havoc(var) => with_each(&state, *var, &all_values(store, store.var_sort(*var))),
        StmtKind::Seq(stmts) => stmts.iter().fold(vec![state], |states, stmt| {
            states.into_iter().flat_map(|state| execute(store, state, stmt)).collect()
        }),
        StmtKind::Choice(stmts) => {
            stmts.iter().flat_map(|stmt| execute(store, state.clone(), stmt)).collect()
        }
    }
}

fn all_values(store: &Store, sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => (0..INT_VALUES).map(Value::int).collect(),
        Sort::BitVec(width) => {
            (0..1u32 << width.get()).map(|number| Value::BitVec(BitVec::new(width.get(), number))).collect()
        }
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            let (indices, elements) = (all_values(store, index), all_values(store, element));
            let blank = vec![ArrayValue::new(index, elements[0].clone())];
            let all = indices.iter().fold(blank, |arrays, index| {
                let write = |array: &ArrayValue| {
                    elements
                        .iter()
                        .map(|element| array.write(index.clone(), element.clone()))
                        .collect::<Vec<_>>()
                };
                arrays.iter().flat_map(write).collect()
            });
            all.into_iter().map(|array| Value::Array(array.into())).collect()
        }
        other => panic!("random automata should not have variables of sort {other:?}"),
    }
}
