//! Traces are checked by executing them. A trace that ends at a limit, where the automaton no longer models
//! the program, violates nothing.

use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, DeepEnd, DeepRun, Interpreter};

use super::Rejection;

pub(super) fn check(task: &Task<Cfa>, trace: &CfaTrace) -> Result<(), Rejection> {
    if let Some(deep) = &trace.deep {
        let is_all = trace.steps.is_empty() && trace.rounds.is_empty();
        return if is_all && is_violation(task, deep) { Ok(()) } else { Err(Rejection::EndsElsewhere) };
    }
    let end = Interpreter::new(task).end(trace).map_err(|(number, error)| Rejection::Step(number, error))?;
    let targets = trace.steps.iter().map(|step| task.model.edges[step.edge].target);
    let mut visited = [task.model.initial].into_iter().chain(targets);
    if let Some(limit) = visited.find(|location| task.model.limits.contains_key(location)) {
        return Err(Rejection::Limit(limit));
    }
    if task.model.is_error(end.location) { Ok(()) } else { Err(Rejection::EndsElsewhere) }
}

/// Whether a run of the automaton with procedures ends at an error location.
fn is_violation(task: &Task<Cfa>, deep: &DeepRun) -> bool {
    let Some(procedural) = &task.model.procedural else { return false };
    procedural.end(&task.store, deep) == DeepEnd::Error
}
