//! What the steps of a run read and write, cell by cell for arrays.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Op, Store, Value, VarId, evaluate};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, State, StmtKind};

/// A variable, or the cell of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::evidence) struct Cell {
    pub(in crate::evidence) var: VarId,
    /// The index of the cell; all of the variable if there is none.
    pub(in crate::evidence) index: Option<Value>,
}

/// What a statement does. A condition writes nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::evidence) struct Effect {
    pub(in crate::evidence) writes: Vec<Cell>,
    pub(in crate::evidence) reads: Vec<Cell>,
}

/// What the statements of a step do in a state, in the order of execution.
pub(in crate::evidence) fn effects(task: &Task<Cfa>, step: &CfaStep, before: &State) -> Vec<Effect> {
    let mut state = before.clone();
    let (mut inputs, mut choices) = (step.inputs.iter(), step.choices.iter());
    let mut effects = Vec::new();
    let mut pending = vec![&task.model.edges[step.edge].stmt];
    while let Some(stmt) = pending.pop() {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => {
                effects.push(assignment(&task.store, *var, *expr, &state));
                if let Ok(value) = evaluate(&task.store, *expr, &state) {
                    state.values.insert(*var, value);
                }
            }
            StmtKind::Havoc(var) => {
                effects.push(Effect { writes: vec![Cell { var: *var, index: None }], reads: Vec::new() });
                if let Some(value) = inputs.next() {
                    state.values.insert(*var, value.clone());
                }
            }
            StmtKind::Assume(condition) => {
                let mut effect = Effect::default();
                reads(&task.store, *condition, &state, &mut effect.reads);
                effects.push(effect);
            }
            StmtKind::Seq(parts) => pending.extend(parts.iter().rev()),
            StmtKind::Choice(branches) => {
                pending.extend(choices.next().and_then(|branch| branches.get(*branch)))
            }
        }
    }
    effects
}

/// An assignment. One that only changes cells of its own variable writes only these.
fn assignment(store: &Store, var: VarId, expr: ExprId, state: &State) -> Effect {
    let mut effect = Effect::default();
    let mut rest = expr;
    loop {
        match store.op(rest) {
            Op::Store => {
                for part in [1, 2] {
                    reads(store, store.arg(rest, part), state, &mut effect.reads);
                }
                let index = evaluate(store, store.arg(rest, 1), state).ok();
                effect.writes.push(Cell { var, index });
                rest = store.arg(rest, 0);
            }
            Op::Ite => {
                reads(store, store.arg(rest, 0), state, &mut effect.reads);
                rest = taken(store, rest, state);
            }
            Op::Var(same) if same == var => return effect,
            _ => {
                reads(store, rest, state, &mut effect.reads);
                effect.writes = vec![Cell { var, index: None }];
                return effect;
            }
        }
    }
}

/// The branch of a conditional term that is its value.
fn taken(store: &Store, term: ExprId, state: &State) -> ExprId {
    let holds = evaluate(store, store.arg(term, 0), state) == Ok(Value::Bool(true));
    store.arg(term, if holds { 1 } else { 2 })
}

/// Adds what the value of a term depends on.
fn reads(store: &Store, term: ExprId, state: &State, cells: &mut Vec<Cell>) {
    let (mut pending, mut seen) = (vec![term], BTreeSet::new());
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Const(_) => {}
            Op::Var(var) => cells.push(Cell { var, index: None }),
            Op::Ite => pending.extend([store.arg(term, 0), taken(store, term, state)]),
            Op::Select => match store.as_var(store.arg(term, 0)) {
                Some(var) => {
                    cells.push(Cell { var, index: evaluate(store, store.arg(term, 1), state).ok() });
                    pending.push(store.arg(term, 1));
                }
                None => pending.extend(store.args(term)),
            },
            _ => pending.extend(store.args(term)),
        }
    }
}
