//! Solver traits, answers, and the wrappers that check and record any solver.
//!
//! The protocol is in the types: a [`Valuation`] borrows the solver that found it, so nobody can read a stale one,
//! and a core comes with the answer that has it. Abilities are separate traits; there is no `supports_x`. Back ends
//! live in other crates; this one knows none.

mod answer;
mod error;
mod solver;

pub use answer::{Answer, CoreAnswer, Reason, Valuation, ValuationSource, default_value};
pub use error::SolverError;
pub use solver::{CoreSolver, QueryLimit, Solver, SolverFactory};
