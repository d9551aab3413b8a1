//! Random models, brute-force oracles, law suites and shrinking, for tests.

pub mod cfa;
pub mod petri;
pub mod petri_models;
