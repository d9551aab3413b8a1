//! Front ends for circuits.
//!
//! [`aiger`] reads and-inverter graphs in the AIGER format, ASCII and binary, and writes witnesses. A circuit becomes a
//! symbolic transition system: its latches are the variables, its gates are shared terms and not variables.

pub mod aiger;
