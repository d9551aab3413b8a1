//! What [`CoreSolver`] promises.

use std::time::Duration;

use thetis_base::Run;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_expr::{ExprId, Sort, Store, Value};
use thetis_solver::{Answer, CoreAnswer, CoreSolver, QueryLimit, SolverFactory};

use super::formulas::known;
use crate::TermSorts;

/// Checks that solvers of `factory` keep the promises of [`CoreSolver`], on formulas of `sorts`.
///
/// # Panics
/// If a promise is broken.
pub fn solver(factory: &dyn SolverFactory, sorts: TermSorts) {
    let suite = Suite { factory, sorts };
    suite.answers_are_right_and_valuations_satisfy();
    suite.scopes_nest();
    suite.cores_suffice();
    suite.unused_variables_have_some_value();
    suite.limits_end_queries();
}

struct Suite<'f> {
    factory: &'f dyn SolverFactory,
    sorts: TermSorts,
}

impl Suite<'_> {
    fn start(&self) -> Box<dyn CoreSolver> {
        self.factory.start(&Run::unlimited()).unwrap()
    }

    fn answers_are_right_and_valuations_satisfy(&self) {
        let store = Store::new();
        let (sat, unsat) = known(&store, self.sorts);
        let mut solver = self.start();
        for (formula, expected) in
            sat.iter().map(|formula| (*formula, true)).chain(unsat.iter().map(|formula| (*formula, false)))
        {
            assert_eq!(
                is_sat(&mut *solver, &store, &[formula]),
                expected,
                "assuming {}",
                text(&store, formula)
            );
            solver.push().unwrap();
            solver.assert(&store, formula).unwrap();
            assert_eq!(is_sat(&mut *solver, &store, &[]), expected, "asserting {}", text(&store, formula));
            solver.pop().unwrap();
        }
    }

    fn scopes_nest(&self) {
        let store = Store::new();
        let mut solver = self.start();
        let bits: Vec<ExprId> = (0..4).map(|number| store.var(&format!("b{number}"), Sort::Bool)).collect();
        for bit in &bits {
            solver.push().unwrap();
            solver.assert(&store, *bit).unwrap();
            assert!(!is_sat(&mut *solver, &store, &[store.not(*bit)]));
        }
        for bit in bits.iter().rev() {
            assert!(!is_sat(&mut *solver, &store, &[store.not(*bit)]));
            solver.pop().unwrap();
            assert!(is_sat(&mut *solver, &store, &[store.not(*bit)]));
        }
        assert!(is_sat(&mut *solver, &store, &[]));
    }

    fn cores_suffice(&self) {
        let store = Store::new();
        let (sat, unsat) = known(&store, self.sorts);
        let mut solver = self.start();
        let b = store.var("b", Sort::Bool);
        for formula in &unsat {
            let assumptions = [sat[1], *formula, store.not(b), sat[1]];
            let core = core(&mut *solver, &store, &assumptions).unwrap();
            let mut rest = assumptions.iter();
            assert!(core.iter().all(|part| rest.any(|given| given == part)), "in order: {core:?}");
            assert!(!is_sat(&mut *solver, &store, &core), "sufficient for {}", text(&store, *formula));
        }
        solver.assert(&store, b).unwrap();
        assert_eq!(core(&mut *solver, &store, &[store.not(b)]).unwrap(), [store.not(b)]);
        assert_eq!(core(&mut *solver, &store, &[b]), None);
        solver.assert(&store, store.not(b)).unwrap();
        assert!(core(&mut *solver, &store, &[]).unwrap().is_empty());
    }

    fn unused_variables_have_some_value(&self) {
        let store = Store::new();
        let (used, unused) =
            (store.declare("used", Sort::bitvec(8)), store.declare("unused", Sort::bitvec(8)));
        let mut solver = self.start();
        solver.assert(&store, store.eq(store.var_expr(used), store.bits(8, 9u32))).unwrap();
        let Answer::Sat(valuation) = solver.check(&store, &[]).unwrap() else { panic!("9 is a value") };
        assert_eq!(valuation.value(&store, used), Ok(store.value(store.bits(8, 9u32)).unwrap()));
        assert_eq!(valuation.value(&store, unused), valuation.value(&store, unused));
        assert!(matches!(valuation.value(&store, unused), Ok(Value::BitVec(bits)) if bits.width() == 8));
    }

    fn limits_end_queries(&self) {
        let store = Store::new();
        let mut solver = self.start();
        let [x, y, b] = [Sort::bitvec(128), Sort::bitvec(128), Sort::Bool]
            .into_iter()
            .enumerate()
            .map(|(number, sort)| store.var(&format!("hard{number}"), sort))
            .collect::<Vec<_>>()[..]
        else {
            panic!("three variables were declared")
        };
        // The only factors are two primes of 61 bits: those of 31 bits were found by chance within the limit.
        let product = store.bits(128, ((1u128 << 61) - 1) * ((1u128 << 61) - 31));
        let bound = |factor| store.bv_ult(factor, store.bits(128, 1u128 << 64));
        let not_one = store.bv_ult(store.bits(128, 1u32), store.bv_and(x, y));
        solver.assert(&store, b).unwrap();
        solver.push().unwrap();
        let hard = store.and_all([store.eq(store.bv_mul(x, y), product), bound(x), bound(y), not_one]);
        solver.assert(&store, hard).unwrap();
        solver.set_limit(QueryLimit { time: Some(Duration::from_millis(50)), resources: None });
        for _ in 0..2 {
            assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Unknown(_)));
        }
        solver.set_limit(QueryLimit::default());
        solver.pop().unwrap();
        assert!(is_sat(&mut *solver, &store, &[]));
        assert!(!is_sat(&mut *solver, &store, &[store.not(b)]), "assertions survive a limit");
    }
}

/// Whether there is a model, which then satisfies the assumptions.
fn is_sat(solver: &mut dyn CoreSolver, store: &Store, assumptions: &[ExprId]) -> bool {
    match solver.check(store, assumptions).unwrap() {
        Answer::Sat(valuation) => {
            for formula in assumptions {
                assert_eq!(
                    valuation.evaluate(store, *formula),
                    Ok(Value::Bool(true)),
                    "{}",
                    text(store, *formula)
                );
            }
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

fn core(solver: &mut dyn CoreSolver, store: &Store, assumptions: &[ExprId]) -> Option<Vec<ExprId>> {
    match solver.check_core(store, assumptions).unwrap() {
        CoreAnswer::Sat(_) => None,
        CoreAnswer::Unsat(core) => Some(core),
        CoreAnswer::Unknown(reason) => panic!("{reason}"),
    }
}

fn text(store: &Store, formula: ExprId) -> String {
    print_term(store, formula, Dialect::Thetis)
}
