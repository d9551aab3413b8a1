//! Front ends for Petri nets: PNML, the `.net` language, property expressions and the properties of the Model Checking
//! Contest. [`families`] has nets to measure with.
//!
//! A net and its question come from different places: PNML knows no properties, so [`pnml::parse`] gives a
//! [`Net`], and [`property::parse`] or [`mcc::parse`] ask something of it. [`net::parse`] reads the
//! language of our own, which has both. [`task`] puts them together.
//!
//! Everything that is not understood is an error with its position; several independent ones are reported at once.

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
