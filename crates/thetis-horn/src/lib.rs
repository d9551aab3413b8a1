//! Invariants of automata as solutions of Horn clauses.
//!
//! [`encode`] expresses as clauses what location invariants are; the engine [`Horn`] infers invariants by solving them.
//! [`encode_cells`] and [`CellHorn`] do so for invariants about all cells of arrays, [`Summaries`] for contracts of
//! procedures.

mod cells;
mod config;
mod encode;
mod engine;
mod houdini;
mod merge;
mod parameters;
mod solving;
mod summaries;

pub use cells::{CellEncoding, CellHorn, encode_cells};
pub use config::HornConfig;
pub use encode::{Encoding, encode};
pub use engine::Horn;
pub use summaries::Summaries;
