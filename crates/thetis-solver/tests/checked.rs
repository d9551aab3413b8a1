//! Wrong answers are found.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::rc::Rc;

use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store, Value, VarId, default_value};
use thetis_solver::{
    Answer, CheckedFactory, CoreAnswer, CoreSolver, QueryLimit, Solver, SolverError, SolverFactory,
    Valuation, ValuationSource,
};

/// A solver that gives the same answer to everything.
#[derive(Clone)]
enum Stubborn {
    /// All variables have the default value.
    Sat,
    Unsat(Vec<ExprId>),
}

struct Defaults;

impl ValuationSource for Defaults {
    fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError> {
        Ok(default_value(store, store.var_sort(var)))
    }
}

impl Solver for Stubborn {
    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn assert(&mut self, _: &Store, _: ExprId) -> Result<(), SolverError> {
        Ok(())
    }

    fn check(&mut self, _: &Store, _: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self {
            Stubborn::Sat => Answer::Sat(Valuation::new(Defaults)),
            Stubborn::Unsat(_) => Answer::Unsat,
        })
    }

    fn set_limit(&mut self, _: QueryLimit) {}
}

impl CoreSolver for Stubborn {
    fn check_core(&mut self, _: &Store, _: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(match self {
            Stubborn::Sat => CoreAnswer::Sat(Valuation::new(Defaults)),
            Stubborn::Unsat(core) => CoreAnswer::Unsat(core.clone()),
        })
    }
}

impl SolverFactory for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn start(&self, _: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(self.clone()))
    }
}

fn checked(inner: Stubborn, second: Stubborn) -> Box<dyn CoreSolver> {
    CheckedFactory::new(Rc::new(inner), Rc::new(second)).start(&Run::unlimited()).unwrap()
}

#[test]
fn a_model_that_violates_an_assertion_or_assumption_is_wrong() {
    let store = Store::new();
    let x = store.var("x", Sort::Int);
    let (zero, one) = (store.eq(x, store.int(0)), store.eq(x, store.int(1)));
    let mut solver = checked(Stubborn::Sat, Stubborn::Sat);
    solver.assert(&store, zero).unwrap();
    assert!(matches!(solver.check(&store, &[zero]), Ok(Answer::Sat(_))));
    assert!(matches!(solver.check(&store, &[one]), Err(SolverError::Wrong(_))));
    assert!(matches!(solver.check_core(&store, &[one]), Err(SolverError::Wrong(_))));
    solver.push().unwrap();
    solver.assert(&store, one).unwrap();
    assert!(matches!(solver.check(&store, &[]), Err(SolverError::Wrong(_))));
    solver.pop().unwrap();
    assert!(matches!(solver.check(&store, &[]), Ok(Answer::Sat(_))), "the scope is closed");
}

#[test]
fn a_core_that_is_no_part_or_has_a_model_is_wrong() {
    let store = Store::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, Sort::Bool));
    let nothing = Stubborn::Unsat(Vec::new());
    let is_accepted = |core: &[ExprId], second: &Stubborn| {
        let mut solver = checked(Stubborn::Unsat(core.to_vec()), second.clone());
        match solver.check_core(&store, &[a, b]) {
            Ok(CoreAnswer::Unsat(accepted)) => accepted == core,
            Err(SolverError::Wrong(_)) => false,
            _ => panic!("the answer should be a core or wrong"),
        }
    };
    assert!(is_accepted(&[a, b], &nothing) && is_accepted(&[b], &nothing));
    assert!(!is_accepted(&[c], &nothing), "not an assumption");
    assert!(!is_accepted(&[b, a], &nothing), "not in order");
    assert!(!is_accepted(&[a], &Stubborn::Sat), "the second solver finds a model");
}
