//! What is asked: a model and a property.

use std::fmt;

use thetis_expr::Store;

/// A formalism and the shape of its evidence.
pub trait Model: Clone {
    /// A concrete run that violates the property.
    type Trace: Clone;
    /// A certificate that no run does.
    type Proof: Clone;
}

/// A verification task: does `model` satisfy `property`? One task carries one property.
#[derive(Clone)]
pub struct Task<M: Model> {
    /// The owner of all terms of the model.
    pub store: Store,
    /// The model.
    pub model: M,
    /// What should hold.
    pub property: Property,
}

/// What should hold of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// No error location is reachable.
    ErrorLocation,
}

/// The name of the property on the command line.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::ErrorLocation => write!(f, "error-location"),
        }
    }
}
