//! Transformations of models, with the way back for answers.

use thetis_base::{Run, Stop};
use thetis_expr::Store;

use crate::{Evidence, Model, Task};

/// A transformation of a model. A pass leaves alone what it cannot handle.
pub trait Pass<M: Model> {
    /// The formalism of the changed model.
    type Target: Model;

    /// The stable name of the pass, also its statistics key.
    fn name(&self) -> &'static str;

    /// The changed task and its lift.
    fn apply(&self, task: Task<M>, run: &Run) -> Result<Passed<M, Self::Target>, Stop>;
}

/// The result of a pass.
pub struct Passed<M: Model, N: Model> {
    /// The changed task.
    pub task: Task<N>,
    /// The way back for evidence.
    pub lift: Box<dyn Lift<N, M>>,
}

/// Turns evidence on a changed model into evidence on the original one.
pub trait Lift<N: Model, M: Model> {
    /// A run of the original model.
    fn trace(&self, trace: N::Trace) -> M::Trace;

    /// A proof on the original model, or why there is none. The terms of `proof` belong to `inner`, the store of the
    /// changed task; those of the result belong to the store of the original `task`.
    fn proof(&self, task: &Task<M>, inner: &Store, proof: N::Proof) -> Evidence<M::Proof>;
}
