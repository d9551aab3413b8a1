//! Tests of the `.cfa` front end through its interface.

mod benchmarks;
mod common;
mod robust;
