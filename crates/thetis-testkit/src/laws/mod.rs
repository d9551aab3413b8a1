//! What the traits of Thetis promise, as tests for any implementation.

mod evaluator;
mod formulas;
mod solver;

pub use evaluator::evaluator;
pub use solver::solver;
