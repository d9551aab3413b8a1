//! The first example of the documentation.

use thetis_base::Run;
use thetis_expr::{Sort, Store, Value};
use thetis_solver::{Answer, SolverFactory};
use thetis_z3::Z3Factory;

#[test]
fn first_query() -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::new();
    let x = store.var("x", Sort::Int);
    let mut solver = Z3Factory::default().start(&Run::unlimited())?;
    solver.assert(&store, store.lt(x, store.int(5)))?;
    match solver.check(&store, &[store.gt(x, store.int(3))])? {
        Answer::Sat(valuation) => assert_eq!(valuation.evaluate(&store, x)?, Value::int(4)),
        Answer::Unsat | Answer::Unknown(_) => panic!("there is a number between 3 and 5"),
    }
    Ok(())
}
