//! Bounded engines: bounded model checking, k-induction and interpolation-based model checking, on automata and on
//! transition systems.

pub mod bmc;
pub mod imc;
pub mod kind;
mod sts;

pub use bmc::{Bmc, BmcConfig, Count};
pub use imc::{Imc, ImcConfig};
pub use kind::{Kind, KindConfig, inductive_part};
