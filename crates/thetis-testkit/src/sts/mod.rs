//! Random small transition systems and the explicit checker that is their oracle.

mod brute;
mod generator;

pub use brute::{explore_sts, reachable_states_of_sts};
pub use generator::{INT_BOUND, StsShape, random_sts};
