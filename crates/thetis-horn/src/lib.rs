//! Invariants of automata as solutions of Horn clauses.
//!
//! [`encode`] says in clauses what location invariants are; [`Horn`] is the engine that has them solved. [`encode_cells`] and
//! [`CellHorn`] do so for invariants about all cells of arrays.

mod cells;
mod config;
mod encode;
mod engine;
mod parameters;
mod solving;

pub use cells::{CellEncoding, CellHorn, encode_cells};
pub use config::HornConfig;
pub use encode::{Encoding, encode};
pub use engine::Horn;
