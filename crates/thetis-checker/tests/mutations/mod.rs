//! Wrong evidence, by name.

mod cells;
mod derived;
mod exhaustion;
mod induction;
mod limits;
mod models;
mod proofs;
mod traces;
mod unrolled;
