//! Reachability engines for Petri nets.

pub mod explicit;

pub use explicit::{Explicit, ExplicitConfig};
