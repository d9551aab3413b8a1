//! Replays a run with other inputs.
//!
//! Where the other values lead to another path, the replay follows it; when it returns to a location of the run, it
//! follows the run again, visit by visit. So the replay shows whether the unchanged inputs suffice for the violation.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use num_bigint::{BigInt, BigUint};
use thetis_expr::{BitVec, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, Graph, Interpreter, LocId, State, StmtKind};

use crate::evidence::simulate::zero;

/// How many steps more than the run a replay may take.
const MAX_DETOUR: usize = 1_000;

pub(super) struct Replay<'a> {
    task: &'a Task<Cfa>,
    graph: &'a Graph,
    trace: &'a CfaTrace,
    /// Where the run ends.
    end: Option<LocId>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(task: &'a Task<Cfa>, graph: &'a Graph, trace: &'a CfaTrace) -> Replay<'a> {
        let end = trace.steps.last().map(|step| task.model.edges[step.edge].target);
        Replay { task, graph, trace, end }
    }

    /// Whether a step reads inputs that can be changed.
    pub(super) fn can_change(&self, step: usize) -> bool {
        self.trace.steps[step].inputs.iter().any(|value| other(value) != *value)
    }

    /// Whether the violation is reached if the steps of `changed` get other values.
    pub(super) fn arrives_without(&self, changed: &BTreeSet<usize>) -> bool {
        if changed.is_empty() {
            return true;
        }
        let cfa = &self.task.model;
        let mut visits: BTreeMap<LocId, VecDeque<usize>> = BTreeMap::new();
        for (number, step) in self.trace.steps.iter().enumerate() {
            visits.entry(cfa.edges[step.edge].source).or_default().push_back(number);
        }
        let Ok(mut state) = Interpreter::new(self.task).initial(&self.trace.initial) else { return false };
        for _ in 0..2 * self.trace.steps.len() + MAX_DETOUR {
            if cfa.is_error(state.location) {
                return Some(state.location) == self.end;
            }
            let hint = visits.get_mut(&state.location).and_then(VecDeque::pop_front);
            match self.next(&state, hint, changed) {
                Some(next) => state = next,
                None => return false,
            }
        }
        false
    }

    /// The state after a step from `state`: that of the run, if it is possible.
    fn next(&self, state: &State, hint: Option<usize>, changed: &BTreeSet<usize>) -> Option<State> {
        let interpreter = Interpreter::new(self.task);
        let hinted = hint.map(|number| {
            let step = &self.trace.steps[number];
            match changed.contains(&number) {
                true => CfaStep { inputs: step.inputs.iter().map(other).collect(), ..step.clone() },
                false => step.clone(),
            }
        });
        if let Some(next) = hinted.as_ref().and_then(|step| interpreter.step(state, step).ok()) {
            return Some(next);
        }
        let edges = self.graph.outgoing(state.location).iter();
        let mut others = edges.filter(|edge| hinted.as_ref().is_none_or(|step| step.edge != **edge));
        others.find_map(|edge| {
            let stmts = self.task.model.edges[*edge].stmt.walk();
            let inputs = stmts.filter_map(|stmt| match &stmt.kind {
                StmtKind::Havoc(var) => Some(zero(&self.task.store, self.task.store.var_sort(*var))),
                _ => None,
            });
            let step = CfaStep { edge: *edge, inputs: inputs.collect(), choices: Vec::new() };
            interpreter.step(state, &step).ok()
        })
    }
}

/// Another value that every type of its size has; arrays and non-integers are unchanged.
fn other(value: &Value) -> Value {
    let flip = |is_zero: bool| BigInt::from(u8::from(is_zero));
    match value {
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Int(number) => Value::Int(flip(*number == BigInt::from(0))),
        Value::BitVec(bits) => {
            Value::BitVec(BitVec::from_int(bits.width(), &flip(*bits.unsigned() == BigUint::default())))
        }
        Value::Real(_) | Value::Float(_) | Value::Array(_) => value.clone(),
    }
}
