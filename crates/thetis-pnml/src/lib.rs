//! Front ends for Petri nets: PNML, the `.net` language, property expressions and the properties of the Model Checking
//! Contest. [`families`] has nets for benchmarks.
//!
//! A net and its question come from different places: PNML knows no properties, so [`pnml::parse`] gives a
//! [`Net`], and [`property::parse`] or [`mcc::parse`] read a question about it. [`net::parse`] reads our own
//! language, which has both. [`task`] combines them.
//!
//! Everything that is not supported is an error with its position; several independent errors are reported at
//! once.

pub mod code;
mod expr;
pub mod families;
mod lexer;
pub mod mcc;
pub mod net;
pub mod pnml;
mod priorities;
pub mod property;

use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::petri::{Net, PetriProperty};

/// The task to decide `property` of `net`.
pub fn task(net: Net, property: PetriProperty) -> Task<Net> {
    Task { store: Store::new(), model: net, property }
}
