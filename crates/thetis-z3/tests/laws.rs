//! The laws of solvers, for Z3 in process in its set-ups, and the evaluator against it.

use std::rc::Rc;

use thetis_base::Run;
use thetis_expr::{RoundingMode, Sort, Store};
use thetis_solver::{CheckedFactory, Solver, SolverError};
use thetis_testkit::{TermSorts, laws};
use thetis_z3::{Equivalence, Strategy, Z3Config, Z3Factory, Z3Solver, prove_equivalent_smtlib};

#[test]
fn z3_keeps_the_laws() {
    laws::solver(&Z3Factory::default(), TermSorts::All);
}

#[test]
fn z3_with_tactics_keeps_the_laws() {
    laws::solver(&Z3Factory::new(Z3Config { strategy: Strategy::OneShot }), TermSorts::All);
}

#[test]
fn z3_for_a_logic_keeps_the_laws() {
    laws::solver(&Z3Factory::new(Z3Config { strategy: Strategy::Logic("QF_ABV".into()) }), TermSorts::Bits);
}

#[test]
fn checked_z3_keeps_the_laws() {
    let factory = CheckedFactory::new(Rc::new(Z3Factory::default()), Rc::new(Z3Factory::default()));
    laws::solver(&factory, TermSorts::All);
}

#[test]
fn the_evaluator_agrees_with_z3() {
    assert_eq!(laws::evaluator(&Z3Factory::default(), TermSorts::All, 1, 3000), 0);
}

/// When Z3 has mended this, `reject_wrong_fma` can go.
#[test]
fn z3_computes_fma_of_tiny_formats_wrongly_and_is_not_asked() {
    let quarter = "(fp #b0 #b00 #b01)";
    let rounded = format!("(fp.fma RTN {quarter} {quarter} {quarter})");
    assert!(matches!(prove_equivalent_smtlib("", &rounded, quarter), Ok(Equivalence::Refuted(_))));
    let store = Store::new();
    let x = store.var("x", Sort::float(2, 3));
    let fma = store.fp_fma(RoundingMode::NearestEven, x, x, x);
    let mut solver = Z3Solver::new(&Z3Config::default(), &Run::unlimited()).unwrap();
    assert!(matches!(solver.assert(&store, store.fp_is_nan(fma)), Err(SolverError::Unsupported(_))));
}
