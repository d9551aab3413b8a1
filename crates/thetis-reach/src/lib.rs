//! Reachability engines for Petri nets.

pub mod state_equation;

pub use state_equation::{StateEquation, StateEquationConfig};
