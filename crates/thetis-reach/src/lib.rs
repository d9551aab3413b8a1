//! Reachability engines for Petri nets.

pub mod explicit;
pub mod state_equation;
pub mod symbolic;

pub use explicit::{Explicit, ExplicitConfig};
pub use state_equation::{StateEquation, StateEquationConfig};
pub use symbolic::ToSts;
