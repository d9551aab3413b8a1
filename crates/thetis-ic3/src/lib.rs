//! IC3 on transition systems over bits, and on control-flow automata over any sorts.
//!
//! [`CfaIc3`] is the engine for automata; its method is described in `automata`.
//!
//! [`Ic3`] is the engine for systems of bits; its method is described in `search`. A system becomes an and-inverter graph (`netlist`), which
//! frame solvers (`frame`) encode as far as their questions need it. [`ToBits`] makes the same step for other engines.

mod automata;
mod config;
mod cube;
mod engine;
mod frame;
mod generalize;
mod groups;
mod lift;
mod lower;
mod netlist;
mod obligation;
mod range;
mod search;
mod sweep;
mod to_bits;
mod vector;
mod word;

pub use automata::{CfaIc3, Reports};
pub use config::{Ic3Config, Push, Queue, Termination};
pub use engine::Ic3;
pub use to_bits::ToBits;
