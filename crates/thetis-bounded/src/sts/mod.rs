//! Bounded engines for transition systems.

mod bmc;
mod kind;
mod path;
