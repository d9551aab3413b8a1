//! Floating-point arithmetic against two independent implementations: Z3 and the processor.

mod hardware;
mod solver;
#[path = "../common/z3.rs"]
mod z3;
