//! Runs in the witness format of AIGER, which simulators such as `aigsim` replay.
//!
//! ```text
//! 1
//! b0
//! 01x
//! 110
//! .
//! ```
//!
//! The first line says that a bad state is reachable, the second which; then come the initial state, the inputs of
//! each step, and a dot. Digits are in the order of the file.

use std::fmt;

use thetis_expr::{Value, VarId, evaluate};
use thetis_model::sts::StsTrace;

use super::Circuit;

/// Why a run has no witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessError {
    /// The last step violates no property of the circuit.
    NotBad,
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the last step of the run violates no property")
    }
}

impl std::error::Error for WitnessError {}

/// The witness of a run of the circuit. Properties are numbered as in the file; the first one that the last step
/// violates is named, outputs like bad states.
pub fn witness(circuit: &Circuit, trace: &StsTrace) -> Result<String, WitnessError> {
    let (first, last) = match &trace.steps[..] {
        [] => return Err(WitnessError::NotBad),
        [first, ..] => (first, &trace.steps[trace.steps.len() - 1]),
    };
    let sts = &circuit.task.model;
    let names = sts.vars.iter().chain(&sts.inputs);
    let values = last.state.iter().chain(&last.inputs);
    let values: std::collections::BTreeMap<VarId, &Value> = names.copied().zip(values).collect();
    let lookup = |var: VarId| values.get(&var).map(|value| (*value).clone());
    let holds =
        |(_, bad): &(String, _)| evaluate(&circuit.task.store, *bad, &lookup) == Ok(Value::Bool(true));
    let number = circuit.properties.iter().position(holds).ok_or(WitnessError::NotBad)?;
    let mut text = format!("1\nb{number}\n{}\n", digits(&first.state));
    for step in &trace.steps {
        text.push_str(&digits(&step.inputs));
        text.push('\n');
    }
    text.push_str(".\n");
    Ok(text)
}

fn digits(values: &[Value]) -> String {
    values.iter().map(|value| if *value == Value::Bool(true) { '1' } else { '0' }).collect()
}
