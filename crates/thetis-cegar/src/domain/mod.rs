//! The abstract domains.

pub mod cubes;
pub mod explicit;
pub mod predicates;
pub mod product;
