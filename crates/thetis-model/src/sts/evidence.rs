//! Runs and proofs of transition systems.

use thetis_expr::{ExprId, Value};

/// A concrete run whose last step is bad. It fixes all values, so the interpreter can follow it alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StsTrace {
    /// The steps; at least one.
    pub steps: Vec<StsStep>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StsStep {
    /// The values of the variables, in the order of the model.
    pub state: Vec<Value>,
    /// The values of the inputs, in the order of the model.
    pub inputs: Vec<Value>,
}

/// A certificate that no run has a bad step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StsProof {
    /// A formula over the variables that holds initially, that every step preserves, and that no bad step satisfies.
    Invariant(ExprId),
    /// No run of at most `k` steps ends in a bad one, and if the first `k` of `k + 1` consecutive steps are not bad, the
    /// last one is not bad either.
    KInductive {
        /// The number of steps.
        k: u32,
        /// A formula over the variables that holds initially and that every step preserves; it may be assumed of all
        /// steps above.
        lemma: ExprId,
        /// Which sequences of `k + 1` steps have to be considered.
        paths: Paths,
    },
}

/// Which sequences of steps an induction considers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paths {
    /// All.
    All,
    /// Those without a repeated state: a shortest run to a bad step repeats none.
    Simple,
}
