//! Bounded engines: bounded model checking on control-flow automata.

pub mod bmc;

pub use bmc::{Bmc, BmcConfig};
