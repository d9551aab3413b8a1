//! Random Petri nets, their explicit exploration, and parametric families of nets.

mod brute;
mod families;
mod generator;

pub use brute::{NetTruth, explore_net, replay};
pub use families::{bits, philosophers, ring};
pub use generator::{NetShape, random_net, random_predicate};
