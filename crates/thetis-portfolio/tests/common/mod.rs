//! What the tests of whole engines share.

use std::rc::Rc;

use thetis_portfolio::{Cooperation, Hope, Parts};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

/// What engines are made with, every answer of the solver checked.
pub(crate) fn parts() -> Parts {
    let z3 = || Rc::new(Z3Factory::default());
    let solvers: Rc<dyn SolverFactory> = Rc::new(CheckedFactory::new(z3(), z3()));
    Parts {
        solvers,
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(|| Box::new(Z3Horn::default())),
        clauses: Rc::new(|| Box::new(Z3Horn::default())),
        cooperation: Cooperation::default(),
        jobs: 1,
        hope: Hope::default(),
    }
}
