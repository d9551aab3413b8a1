//! Several passes as one.

use thetis_base::{Run, Stop};
use thetis_expr::Store;

use crate::{Evidence, Lift, Model, Pass, Passed, Task};

/// A pass from a formalism to itself.
pub type SamePass<M> = Box<dyn Pass<M, Target = M>>;

/// Passes one after the other. The way back goes through all of them, the last one first.
pub struct Chain<M: Model> {
    passes: Vec<SamePass<M>>,
}

impl<M: Model> Chain<M> {
    /// The passes in order.
    ///
    /// # Panics
    /// If there are none: without a pass, no lift would bring the terms of a proof back to the original
    /// store.
    pub fn new(passes: Vec<SamePass<M>>) -> Chain<M> {
        assert!(!passes.is_empty(), "a chain should have a pass");
        Chain { passes }
    }
}

impl<M: Model + 'static> Pass<M> for Chain<M> {
    type Target = M;

    fn name(&self) -> &'static str {
        "passes"
    }

    fn apply(&self, mut task: Task<M>, run: &Run) -> Result<Passed<M, M>, Stop> {
        let mut stages = Vec::new();
        for pass in &self.passes {
            let (model, property) = (task.model.clone(), task.property.clone());
            let passed = pass.apply(task, run)?;
            task = passed.task;
            stages.push(Stage { model, property, lift: passed.lift });
        }
        Ok(Passed { task, lift: Box::new(ChainLift { stages }) })
    }
}

/// One pass that was applied, and to what.
struct Stage<M: Model> {
    model: M,
    property: M::Property,
    lift: Box<dyn Lift<M, M>>,
}

struct ChainLift<M: Model> {
    stages: Vec<Stage<M>>,
}

impl<M: Model> Lift<M, M> for ChainLift<M> {
    fn trace(&self, trace: M::Trace) -> M::Trace {
        self.stages.iter().rev().fold(trace, |trace, stage| stage.lift.trace(trace))
    }

    fn proof(&self, task: &Task<M>, inner: &Store, mut proof: M::Proof) -> Evidence<M::Proof> {
        let (first, others) = self.stages.split_first().expect("a chain should have a pass");
        // Passes hand the store on, so the last one knows the terms of all models.
        let Some(last) = others.last() else { return first.lift.proof(task, inner, proof) };
        let mut here =
            Task { store: inner.clone(), model: last.model.clone(), property: last.property.clone() };
        for stage in others.iter().rev() {
            here.model = stage.model.clone();
            here.property = stage.property.clone();
            match stage.lift.proof(&here, &here.store, proof) {
                Evidence::Given(lifted) => proof = lifted,
                missing @ Evidence::Missing(_) => return missing,
            }
        }
        first.lift.proof(task, &here.store, proof)
    }
}
