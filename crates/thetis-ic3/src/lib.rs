//! IC3 on transition systems over bits.
//!
//! [`Ic3`] is the engine; its method is described in `search`. A system becomes an and-inverter graph (`netlist`), which
//! frame solvers (`frame`) encode as far as their questions need it. [`ToBits`] makes the same step for other engines.

mod cube;
mod engine;
mod frame;
mod generalize;
mod lift;
mod lower;
mod netlist;
mod obligation;
mod range;
mod search;
mod to_bits;
mod word;

pub use engine::{Ic3, Ic3Config};
pub use to_bits::ToBits;
