//! Integer programs over natural numbers: floating-point search, exact answers.
//!
//! A [`Problem`] asks for natural numbers that satisfy linear rows with integer coefficients and have a small sum. The
//! [`IlpSolver`] looks for them with a fast floating-point solver, and does not trust its answers: a point is checked
//! exactly, and infeasibility is shown by a [`Certificate`] that [`Certificate::verify`] checks without any solver.
//! What can be shown neither way is [`IlpAnswer::Unknown`].

mod arbiter;
mod certificate;
mod config;
mod farkas;
mod float;
mod problem;
mod rational;
mod refute;
mod simplex;
mod solver;

pub use certificate::Certificate;
pub use config::IlpConfig;
pub use problem::{Problem, Relation, Row};
pub use simplex::{Exact, decide};
pub use solver::{IlpAnswer, IlpSolver, IlpStats};
