//! Tests of the way from text to checked programs.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail anywhere, or say that it is skipped"
)]

mod diagnostics;
mod layout;
mod programs;
mod robustness;
mod show;
mod static_asserts;
