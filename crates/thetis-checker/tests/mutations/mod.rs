//! Wrong evidence, by name.

mod cells;
mod contracts;
mod derived;
mod exhaustion;
mod induction;
mod limits;
mod models;
mod proofs;
mod traces;
mod unrolled;
