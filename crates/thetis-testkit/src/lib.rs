//! Random models, brute-force oracles, law suites and shrinking, for tests.
//!
//! Law suites check what a trait promises, for any implementation: call [`laws::solver`] from the tests of a back end.
//! Everything random is made from a seed, so that a failure can be repeated.
#![allow(clippy::unwrap_used, reason = "a law that cannot be checked is a failed test")]

pub mod c;
pub mod cfa;
pub mod laws;
pub mod petri;
pub mod sts;
mod terms;
pub mod xta;

pub use terms::{TermSorts, Terms};
