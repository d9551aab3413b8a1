//! Invariants of automata as solutions of Horn clauses.
//!
//! [`encode`] says in clauses what location invariants are; [`Horn`] is the engine that has them solved.

mod encode;
mod engine;

pub use encode::{Encoding, encode};
pub use engine::Horn;
