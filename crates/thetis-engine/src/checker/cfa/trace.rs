//! Traces: run them.

use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, Interpreter};

use super::Rejection;

pub(super) fn check(task: &Task<Cfa>, trace: &CfaTrace) -> Result<(), Rejection> {
    let states =
        Interpreter::new(task).run(trace).map_err(|(number, error)| Rejection::Step(number, error))?;
    match states.last() {
        Some(last) if task.model.is_error(last.location) => Ok(()),
        _ => Err(Rejection::EndsElsewhere),
    }
}
