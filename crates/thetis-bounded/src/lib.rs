//! Bounded engines: bounded model checking and k-induction, on automata and on transition systems.

pub mod bmc;
pub mod kind;
mod sts;

pub use bmc::{Bmc, BmcConfig};
pub use kind::{Kind, KindConfig, inductive_part};
