//! Tests of the `.cfa` front end through its interface.

mod benchmarks;
mod common;
mod diagnostics;
mod examples;
mod robust;
mod round_trip;
