//! Answers about automata by running them.
//!
//! [`Simulate`] looks for violations, [`Exhaust`] follows runs to their ends if they are few. `machine/` runs automata, `inputs.rs` determines which inputs are worth trying, `search.rs`
//! which states to continue from.

mod deep;
mod engine;
mod exhaust;
mod frontier;
mod inputs;
mod leaps;
mod machine;
mod path;
mod search;

pub use engine::{Simulate, SimulateConfig};
pub use exhaust::{Exhaust, ExhaustConfig};
