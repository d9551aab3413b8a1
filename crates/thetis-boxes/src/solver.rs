//! The search as a solver.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Store, Value, VarId, default_value};
use thetis_solver::{
    Answer, CoreAnswer, CoreSolver, QueryLimit, Reason, Solver, SolverError, SolverFactory, Valuation,
    ValuationSource,
};

use crate::search::{Decision, decide};

/// Starts solvers for formulas with arithmetic of floats. What they cannot decide, and formulas without such arithmetic, are
/// [`SolverError::Unsupported`], so that another solver is asked.
///
/// Limits of single queries are not supported: a query ends with its run, or when it makes too little
/// progress.
#[derive(Clone, Copy, Default, Debug)]
pub struct BoxesFactory;

impl SolverFactory for BoxesFactory {
    fn name(&self) -> &str {
        "boxes"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Boxes {
            run: run.clone(),
            scopes: vec![Vec::new()],
            seen: FxHashSet::default(),
            has_floats: false,
        }))
    }
}

struct Boxes {
    run: Run,
    /// The assertions in force, by scope.
    scopes: Vec<Vec<ExprId>>,
    /// The terms that were visited; none of them is floating-point arithmetic if `has_floats` is false.
    seen: FxHashSet<ExprId>,
    has_floats: bool,
}

impl Boxes {
    fn look_for_floats(&mut self, store: &Store, formula: ExprId) {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop().filter(|_| !self.has_floats) {
            if self.seen.insert(term) {
                self.has_floats |= is_arithmetic(store.op(term));
                stack.extend(store.args(term));
            }
        }
    }

    fn decide(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Decision, SolverError> {
        assumptions.iter().for_each(|formula| self.look_for_floats(store, *formula));
        if !self.has_floats {
            return Err(SolverError::Unsupported("formulas without floats".into()));
        }
        let formulas: Vec<ExprId> = self.scopes.iter().flatten().chain(assumptions).copied().collect();
        match decide(store, &formulas, &self.run) {
            Ok(Decision::Open) => Err(SolverError::Unsupported("this formula".into())),
            Ok(decision) => Ok(decision),
            Err(Stop::Failed(error)) => Err(SolverError::Died(error.to_string())),
            Err(_) => Ok(Decision::Open),
        }
    }
}

impl Solver for Boxes {
    fn push(&mut self) -> Result<(), SolverError> {
        self.scopes.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.scopes.pop();
        assert!(!self.scopes.is_empty(), "a scope should be open");
        Ok(())
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.look_for_floats(store, formula);
        self.scopes.last_mut().expect("the outermost scope should be open").push(formula);
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self.decide(store, assumptions)? {
            Decision::Unsat => Answer::Unsat,
            Decision::Sat(values) => Answer::Sat(Valuation::new(Found { values })),
            Decision::Open => Answer::Unknown(Reason::Interrupted),
        })
    }

    fn set_limit(&mut self, _: QueryLimit) {}
}

impl CoreSolver for Boxes {
    /// All assumptions are the core.
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(match self.decide(store, assumptions)? {
            Decision::Unsat => CoreAnswer::Unsat(assumptions.to_vec()),
            Decision::Sat(values) => CoreAnswer::Sat(Valuation::new(Found { values })),
            Decision::Open => CoreAnswer::Unknown(Reason::Interrupted),
        })
    }
}

/// Whether an operator computes with floats: comparisons alone are easy for any solver.
fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::FpAdd(_) | Op::FpSub(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpSqrt(_))
}

/// A model.
struct Found {
    values: FxHashMap<VarId, Value>,
}

impl ValuationSource for Found {
    fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError> {
        let value = self.values.get(&var).cloned();
        Ok(value.unwrap_or_else(|| default_value(store, store.var_sort(var))))
    }
}
