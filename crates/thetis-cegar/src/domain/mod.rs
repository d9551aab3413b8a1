//! The abstract domains.

mod bounds;
pub mod conjunctions;
pub mod cubes;
pub mod explicit;
pub mod oracle;
pub mod predicates;
pub mod product;
mod union;
