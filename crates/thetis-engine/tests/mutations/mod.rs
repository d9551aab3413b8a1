//! Wrong evidence, by name.

mod models;
mod proofs;
mod traces;
