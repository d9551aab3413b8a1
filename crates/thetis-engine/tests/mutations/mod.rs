//! Wrong evidence, by name.

mod derived;
mod models;
mod proofs;
mod traces;
