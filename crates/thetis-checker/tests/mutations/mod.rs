//! Wrong evidence, by name.

mod cells;
mod contracts;
mod deep;
mod derived;
mod exhaustion;
mod induction;
mod limits;
mod loop_by_loop;
mod models;
mod proofs;
mod rounds;
mod traces;
mod unrolled;
