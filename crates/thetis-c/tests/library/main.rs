//! The models of library functions: compared with the functions of the system, run in programs, listed in the documents.

#![allow(clippy::unwrap_used, reason = "tests may fail by panicking")]
#![allow(clippy::print_stdout, reason = "skipped tests say so")]

mod compiled;
mod listed;
