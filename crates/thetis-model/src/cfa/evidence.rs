//! Runs and proofs of automata.

use std::collections::BTreeMap;

use thetis_expr::{ExprId, Value, VarId};

use super::{EdgeId, LocId};

/// A concrete run from the initial location. It fixes every input, so the interpreter can follow it alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CfaTrace {
    /// The initial value of every variable.
    pub initial: BTreeMap<VarId, Value>,
    /// The edges taken.
    pub steps: Vec<CfaStep>,
}

/// One edge of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CfaStep {
    /// The edge.
    pub edge: EdgeId,
    /// The values of its havocs, in the order of execution.
    pub inputs: Vec<Value>,
    /// Which branch each of its choices takes, in the order of execution.
    pub choices: Vec<usize>,
}

/// A certificate that no run reaches an error location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CfaProof {
    /// A formula for each location (missing: `true`; error locations: `false`) that holds whenever a run is there:
    /// it holds initially and every edge preserves it.
    Invariants(BTreeMap<LocId, ExprId>),
    /// In the graph [towards errors](super::Graph::towards_errors), no run takes more than `bound` back edges and
    /// none reaches an error location. For automata without loops this is the whole truth, with bound zero.
    Unwinding {
        /// The greatest number of back edges on a run.
        bound: u32,
    },
}
