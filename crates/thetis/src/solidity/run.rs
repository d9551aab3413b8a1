//! A run of a function to a check that fails, statement by statement.

use thetis_base::Span;
use thetis_expr::{Value, evaluate};
use thetis_model::cfa::{CfaTrace, Interpreter, State, StmtKind};
use thetis_report::Shown;
use thetis_solidity::{Translated, Variable};

use super::values::{differences, written};

/// A statement of a run, with the variables that it changes.
pub(crate) struct RunStep {
    pub(crate) span: Span,
    pub(crate) values: Vec<Shown>,
}

/// The statements of a run that change something. The run is replayed by the interpreter.
pub(crate) fn steps(translated: &Translated, trace: &CfaTrace) -> Vec<RunStep> {
    let task = &translated.task;
    let Ok(states) = Interpreter::new(task).run(trace) else { return Vec::new() };
    let mut steps: Vec<RunStep> = Vec::new();
    for (step, pair) in trace.steps.iter().zip(states.windows(2)) {
        let edge = &task.model.edges[step.edge];
        let Some(span) = edge.span else { continue };
        let assigned = edge.stmt.walk().filter_map(|stmt| match stmt.kind {
            StmtKind::Assign(var, _) | StmtKind::Havoc(var) => Some(task.store.var_expr(var)),
            _ => None,
        });
        let assigned: Vec<_> = assigned.collect();
        let locals = translated.locals.iter().filter(|local| assigned.contains(&local.term));
        let mut values: Vec<Shown> = locals.filter_map(|local| shown(translated, local, &pair[1])).collect();
        values.extend(translated.state.iter().flat_map(|variable| {
            let [old, new] = [&pair[0], &pair[1]].map(|state| value(translated, variable, state));
            new.map(|new| differences(variable, old.as_ref(), &new)).unwrap_or_default()
        }));
        match steps.last_mut() {
            Some(last) if last.span == span => last.values.extend(values),
            _ if values.is_empty() => {}
            _ => steps.push(RunStep { span, values }),
        }
    }
    steps
}

fn value(translated: &Translated, variable: &Variable, state: &State) -> Option<Value> {
    evaluate(&translated.task.store, variable.term, state).ok()
}

fn shown(translated: &Translated, variable: &Variable, state: &State) -> Option<Shown> {
    let value = written(&value(translated, variable, state)?, &variable.meaning);
    Some(Shown { name: variable.name.clone(), value, changed: true })
}
