//! Wrong evidence, by name.

mod derived;
mod induction;
mod models;
mod proofs;
mod traces;
