//! Tasks: a model and a property.

use std::fmt::{Debug, Display};

use thetis_expr::Store;

/// A formalism: its properties and the shape of its evidence.
pub trait Model: Clone {
    /// The questions about such a model; displayed as on the command line.
    type Property: Clone + Display;
    /// A concrete run that violates the property.
    type Trace: Clone + Debug;
    /// A certificate that no run does.
    type Proof: Clone + Debug;
}

/// A verification task: does `model` satisfy `property`? One task carries one property.
#[derive(Clone)]
pub struct Task<M: Model> {
    /// The owner of all terms of the model.
    pub store: Store,
    /// The model.
    pub model: M,
    /// What should hold.
    pub property: M::Property,
}
