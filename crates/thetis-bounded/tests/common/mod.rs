//! What the tests on automata share.

use std::rc::Rc;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_z3::Z3Factory;

/// Z3 with every answer checked.
pub(crate) fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// The verdict after its evidence was accepted.
pub(crate) fn certified(engine: &mut dyn Engine<Cfa>, task: &Task<Cfa>) -> Verdict<Cfa> {
    let run = Run::unlimited();
    let verdict = engine.check(task, &run).expect("an unlimited run should not stop");
    certify(task, verdict, &*solvers(), &run).expect("an unlimited check should end").verdict
}
