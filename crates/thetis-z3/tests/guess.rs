//! Guessed factors find models of products that wrap around, and change no answer.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::rc::Rc;

use thetis_base::{Run, Statistic};
use thetis_expr::{ExprId, Sort, Store};
use thetis_solver::{Answer, CheckedFactory, CoreSolver, GuessFactory, RecordedFactory, SolverFactory};
use thetis_z3::Z3Factory;

/// A solver that guesses and whose models are checked, and the record of the solvers that it asks.
fn start() -> (Box<dyn CoreSolver>, Rc<RecordedFactory>) {
    let z3 = Rc::new(Z3Factory::default());
    let recorded = Rc::new(RecordedFactory::new(z3.clone()));
    let checked = CheckedFactory::new(Rc::new(GuessFactory::new(recorded.clone())), z3);
    (checked.start(&Run::unlimited()).unwrap(), recorded)
}

fn is_sat(solver: &mut dyn CoreSolver, store: &Store, assumptions: &[ExprId]) -> bool {
    match solver.check(store, assumptions).unwrap() {
        Answer::Sat(_) => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

fn has_asked(recorded: &RecordedFactory, number: u64) -> bool {
    recorded.statistics().entries.contains(&("queries".into(), Statistic::Count(number)))
}

/// Two numbers of 128 bits within bounds, and their product after it has wrapped around.
struct Product<'s> {
    store: &'s Store,
    x: ExprId,
    y: ExprId,
    wrapped: ExprId,
}

impl<'s> Product<'s> {
    fn new(store: &'s Store) -> Product<'s> {
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let modulus = store.add(store.int(u128::MAX), store.int(1));
        Product { store, x, y, wrapped: store.modulo(store.mul(x, y), modulus) }
    }

    fn within(&self, number: ExprId, low: u128, high: u128) -> ExprId {
        let store = self.store;
        store.and(store.le(store.int(low), number), store.le(number, store.int(high)))
    }
}

#[test]
fn a_product_that_wraps_to_zero_is_guessed() {
    let store = Store::new();
    let product = Product::new(&store);
    let (mut solver, recorded) = start();
    solver.assert(&store, product.within(product.x, 1, u128::MAX)).unwrap();
    solver.assert(&store, product.within(product.y, 2, 20)).unwrap();
    assert!(is_sat(&mut *solver, &store, &[store.eq(product.wrapped, store.int(0))]));
    assert!(has_asked(&recorded, 1), "{:?}", recorded.statistics());
}

#[test]
fn models_beside_the_guesses_are_found() {
    let store = Store::new();
    let product = Product::new(&store);
    let (mut solver, recorded) = start();
    for factor in [product.x, product.y] {
        solver.assert(&store, product.within(factor, 3, 5)).unwrap();
    }
    assert!(is_sat(&mut *solver, &store, &[store.eq(product.wrapped, store.int(15))]));
    assert!(has_asked(&recorded, 2), "the guess is wrong: {:?}", recorded.statistics());
    assert!(!is_sat(&mut *solver, &store, &[store.eq(product.wrapped, store.int(17))]));
}

#[test]
fn guesses_end_with_the_scope_of_the_product() {
    let store = Store::new();
    let product = Product::new(&store);
    let (mut solver, recorded) = start();
    solver.push().unwrap();
    solver.assert(&store, store.lt(product.wrapped, product.y)).unwrap();
    assert!(is_sat(&mut *solver, &store, &[]));
    solver.pop().unwrap();
    assert!(is_sat(&mut *solver, &store, &[product.within(product.x, 7, 7)]));
    assert!(has_asked(&recorded, 2), "without a product nothing is guessed: {:?}", recorded.statistics());
}
