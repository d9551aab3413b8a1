//! Programs, translated and run by the interpreter of automata.

#![allow(clippy::unwrap_used, reason = "tests may fail by panicking")]
#![allow(clippy::print_stdout, reason = "skipped tests say so")]

mod language;
mod library;
mod link;
mod memory;
mod procedures;
mod programs;
mod properties;
mod random;
mod run;
mod story;
mod theta;
mod threads;
mod values;
