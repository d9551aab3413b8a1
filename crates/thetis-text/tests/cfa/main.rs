//! Tests of the `.cfa` front end through its interface.

mod benchmarks;
mod common;
mod diagnostics;
mod examples;
mod expressions;
mod large;
mod random_models;
mod robust;
mod round_trip;
