//! Fuzzing of the parsers of Thetis: what must hold for any input ([`targets`]), and inputs made by changing examples ([`mutator`]).

pub mod corpus;
pub mod mutator;
pub mod targets;
