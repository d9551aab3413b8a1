//! What solvers answer.

use std::fmt;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Store, Value, VarId, evaluate, evaluate_all};

use crate::SolverError;

/// The answer to a satisfiability query.
pub enum Answer<'s> {
    /// There is a model, readable until the solver is used again.
    Sat(Valuation<'s>),
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown(Reason),
}

/// The answer to a satisfiability query, without a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BareAnswer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// The solver gave up.
    Unknown(Reason),
}

/// The answer to a satisfiability query under assumptions, with a core.
pub enum CoreAnswer<'s> {
    /// There is a model, readable until the solver is used again.
    Sat(Valuation<'s>),
    /// There is none; these assumptions already suffice for that. They are in the order in which they were
    /// given.
    Unsat(Vec<ExprId>),
    /// The solver gave up.
    Unknown(Reason),
}

/// Why a solver gave up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The limit of the query or the run was reached, or the run was cancelled.
    Interrupted,
    /// The solver cannot decide this formula; the reason that it gives.
    Incomplete(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Interrupted => write!(f, "the solver was interrupted"),
            Reason::Incomplete(words) => write!(f, "the solver gave up: {words}"),
        }
    }
}

/// A model of what was asserted and assumed. It borrows the solver.
pub struct Valuation<'s> {
    source: Box<dyn ValuationSource + 's>,
}

/// Where the values of a [`Valuation`] come from. Implemented by back ends.
pub trait ValuationSource {
    /// The value of `var`; any value of its sort if the model leaves it open. Repeated calls agree.
    fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError>;
}

impl<'s> Valuation<'s> {
    /// A valuation that reads from `source`.
    pub fn new(source: impl ValuationSource + 's) -> Valuation<'s> {
        Valuation { source: Box::new(source) }
    }

    /// The value of a variable; any value of its sort if the model leaves it open.
    pub fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError> {
        self.source.value(store, var)
    }

    /// The value of a term, by our own evaluator on the values of its variables.
    pub fn evaluate(&self, store: &Store, expr: ExprId) -> Result<Value, SolverError> {
        let values = self.values(store, &[expr])?;
        let lookup = |var: VarId| values.get(&var).cloned();
        evaluate(store, expr, &lookup).map_err(|error| SolverError::Protocol(error.to_string()))
    }

    /// The values of several terms, each shared part evaluated once.
    pub fn evaluate_all(&self, store: &Store, exprs: &[ExprId]) -> Result<Vec<Value>, SolverError> {
        let values = self.values(store, exprs)?;
        let lookup = |var: VarId| values.get(&var).cloned();
        evaluate_all(store, exprs, &lookup).map_err(|error| SolverError::Protocol(error.to_string()))
    }

    /// The values of the variables of terms.
    fn values(&self, store: &Store, exprs: &[ExprId]) -> Result<FxHashMap<VarId, Value>, SolverError> {
        let vars = store.vars_of(exprs.iter().copied()).into_iter();
        vars.map(|var| Ok((var, self.value(store, var)?))).collect()
    }
}
