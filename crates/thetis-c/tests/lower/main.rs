//! Programs, translated and run by the interpreter of automata.

#![allow(clippy::unwrap_used, reason = "tests may fail by panicking")]

mod programs;
mod random;
mod run;
