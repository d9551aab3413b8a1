//! Violations of automata by running them.
//!
//! [`Simulate`] is the engine. `machine/` runs automata, `inputs.rs` says which inputs are worth trying, `search.rs` which
//! states to go on from.

mod engine;
mod frontier;
mod inputs;
mod machine;
mod search;

pub use engine::{Simulate, SimulateConfig};
