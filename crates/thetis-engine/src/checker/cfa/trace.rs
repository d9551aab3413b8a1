//! Traces: run them.

use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, Interpreter};

use super::Rejection;

pub(super) fn check(task: &Task<Cfa>, trace: &CfaTrace) -> Result<(), Rejection> {
    let end = Interpreter::new(task).end(trace).map_err(|(number, error)| Rejection::Step(number, error))?;
    if task.model.is_error(end.location) { Ok(()) } else { Err(Rejection::EndsElsewhere) }
}
