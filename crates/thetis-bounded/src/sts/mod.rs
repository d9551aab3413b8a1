//! Bounded engines for transition systems.

mod bmc;
mod imc;
mod kind;
mod path;
