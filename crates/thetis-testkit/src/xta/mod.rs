//! Random networks of timed automata, and their region graphs as the oracle.

mod generator;
mod regions;

pub use generator::{
    Channel, Comparison, MAX, RandomEdge, RandomLocation, RandomNetwork, RandomProcess, Urgency, comparison,
};
pub use regions::{Predicate, State, endless, holds, reachable, reaches};
