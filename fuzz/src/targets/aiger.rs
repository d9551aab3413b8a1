//! AIGER: any bytes give a circuit or errors with positions, never a panic.

use thetis_base::{Diagnostics, SourceMap};
use thetis_circuit::aiger;

use super::{Effect, effect};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let text = aiger::text_of(bytes);
    let file = sources.add("fuzz.aig", text);
    let mut diags = Diagnostics::new();
    let result = aiger::parse(bytes, &sources, file, &mut diags);
    assert_eq!(result.is_err(), diags.num_errors() > 0);
    for diagnostic in diags.iter() {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end as usize <= text.len());
    }
    if let Ok(circuit) = result {
        circuit.task.model.validate(&circuit.task.store).expect("a circuit should be a valid system");
    }
    effect(&sources, &diags)
}
