//! Random small automata, the explicit checker that is their oracle, and a shrinker for failing ones.

mod brute;
mod generator;
mod shrink;

pub use brute::{Truth, explore, reachable_states};
pub use generator::{INT_VALUES, Shape, random_cfa};
pub use shrink::shrink;
