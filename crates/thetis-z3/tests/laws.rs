//! The laws of solvers, for Z3 in process in its set-ups, and the evaluator against it.

use std::rc::Rc;

use thetis_solver::CheckedFactory;
use thetis_testkit::{TermSorts, laws};
use thetis_z3::{Strategy, Z3Config, Z3Factory};

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
