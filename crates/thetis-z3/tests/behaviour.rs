//! Interruption, depth and models of the in-process Z3.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::time::{Duration, Instant};

use thetis_base::{Budget, Run};
use thetis_expr::{ExprId, Rational, Sort, Store, Value};
use thetis_solver::{Answer, CoreAnswer, CoreSolver, QueryLimit, Reason, SolverError, SolverFactory};
use thetis_z3::{Strategy, Z3Config, Z3Factory};

fn start(run: &Run) -> Box<dyn CoreSolver> {
    Z3Factory::default().start(run).unwrap()
}

/// A query has to end this soon after its limit. A busy machine may be late once, but not always.
const SOON: Duration = Duration::from_millis(200);

/// Fails if every one of `lateness` is too much.
fn assert_is_soon(lateness: &[Duration]) {
    assert!(lateness.iter().any(|late| *late < SOON), "late by {lateness:?}");
}

/// Factors a product of two primes near 2^61: bit-vectors that keep Z3 busy for hours.
fn hard_bits(store: &Store) -> ExprId {
    let (x, y) = (store.var("hx", Sort::bitvec(128)), store.var("hy", Sort::bitvec(128)));
    let product = store.bits(128, ((1u128 << 61) - 1) * ((1u128 << 61) - 31));
    let one = store.bits(128, 1u32);
    let limit = store.bits(128, 1u128 << 64);
    let bounds = [store.bv_ult(one, x), store.bv_ult(one, y), store.bv_ult(x, limit), store.bv_ult(y, limit)];
    store.and(store.and_all(bounds), store.eq(store.bv_mul(x, y), product))
}

/// A cubic equation over the integers without small solutions.
fn hard_integers(store: &Store) -> ExprId {
    let [x, y, z] = ["ix", "iy", "iz"].map(|name| store.var(name, Sort::Int));
    let cube = |number| store.mul(number, store.mul(number, number));
    let sum = store.add(cube(x), store.add(cube(y), cube(z)));
    store.eq(sum, store.int(114))
}

fn assert_is_interrupted(answer: Result<Answer<'_>, SolverError>) {
    match answer.unwrap() {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Interrupted),
        Answer::Sat(_) | Answer::Unsat => panic!("the query should be too hard"),
    }
}

fn is_sat(solver: &mut dyn CoreSolver, store: &Store, assumptions: &[ExprId]) -> bool {
    match solver.check(store, assumptions).unwrap() {
        Answer::Sat(_) => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn a_time_limit_ends_a_query_and_leaves_the_solver_usable() {
    for hard in [hard_bits, hard_integers] {
        let store = Store::new();
        let mut solver = start(&Run::unlimited());
        let formula = hard(&store);
        let mut lateness = Vec::new();
        for _ in 0..3 {
            solver.set_limit(QueryLimit { time: Some(Duration::from_millis(100)), resources: None });
            let started = Instant::now();
            // Having been interrupted once, Z3 may give up on nonlinear integers by itself.
            assert!(matches!(solver.check(&store, &[formula]), Ok(Answer::Unknown(_))));
            lateness.push(started.elapsed().saturating_sub(Duration::from_millis(100)));
            solver.set_limit(QueryLimit::default());
            let x = store.var("x", Sort::Int);
            assert!(is_sat(&mut *solver, &store, &[store.lt(x, store.int(3))]));
            assert!(!is_sat(&mut *solver, &store, &[store.lt(x, store.int(3)), store.gt(x, store.int(3))]));
        }
        assert_is_soon(&lateness);
    }
}

#[test]
fn cancellation_ends_a_query() {
    for hard in [hard_bits, hard_integers] {
        assert_is_soon(&[(); 3].map(|()| lateness_of_cancellation(hard)));
    }
}

fn lateness_of_cancellation(hard: fn(&Store) -> ExprId) -> Duration {
    let store = Store::new();
    let run = Run::unlimited();
    let mut solver = start(&run);
    solver.assert(&store, hard(&store)).unwrap();
    let cancel = run.cancel().clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.request();
        Instant::now()
    });
    assert_is_interrupted(solver.check(&store, &[]));
    let ended = Instant::now();
    ended.duration_since(canceller.join().unwrap())
}

#[test]
fn the_budget_of_the_run_ends_a_query() {
    let wall = Duration::from_millis(100);
    let lateness = [(); 3].map(|()| {
        let store = Store::new();
        let run = Run::new(Budget { wall: Some(wall), ..Budget::default() });
        let mut solver = start(&run);
        solver.assert(&store, hard_bits(&store)).unwrap();
        assert_is_interrupted(solver.check(&store, &[]));
        assert_is_interrupted(solver.check(&store, &[]));
        run.elapsed().saturating_sub(wall)
    });
    assert_is_soon(&lateness);
}

#[test]
fn a_limit_of_steps_is_deterministic() {
    let store = Store::new();
    let mut solver = start(&Run::unlimited());
    solver.set_limit(QueryLimit { time: None, resources: Some(10_000) });
    assert_is_interrupted(solver.check(&store, &[hard_bits(&store)]));
    solver.set_limit(QueryLimit::default());
    assert!(is_sat(&mut *solver, &store, &[store.var("b", Sort::Bool)]));
}

#[test]
fn a_million_levels_are_asserted_and_checked() {
    let store = Store::new();
    let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
    let deep = (0..1_000_000).fold(x, |number, _| store.sub(y, number));
    let mut solver = start(&Run::unlimited());
    solver.assert(&store, store.eq(deep, store.add(x, store.int(1)))).unwrap();
    assert!(!is_sat(&mut *solver, &store, &[]));
}

#[test]
fn deep_formulas_are_asserted_and_checked() {
    let store = Store::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| store.var(name, Sort::Bool));
    let deep = (0..100_000).fold(p, |formula, level| match level % 3 {
        0 => store.and(formula, q),
        1 => store.or(formula, r),
        _ => store.ite(q, formula, r),
    });
    let mut solver = start(&Run::unlimited());
    solver.assert(&store, deep).unwrap();
    assert!(is_sat(&mut *solver, &store, &[]));
    assert!(!is_sat(&mut *solver, &store, &[store.not(q), store.not(r)]));
}

#[test]
fn cores_name_the_given_formulas_in_order() {
    let store = Store::new();
    let x = store.var("x", Sort::Int);
    let b = store.var("b", Sort::Bool);
    let (low, high) = (store.lt(x, store.int(0)), store.gt(x, store.int(9)));
    let mut solver = start(&Run::unlimited());
    for assumptions in [vec![b, high, low, store.not(b)], vec![high, b, low], vec![low, low, high]] {
        let CoreAnswer::Unsat(core) = solver.check_core(&store, &assumptions).unwrap() else { panic!() };
        let positions: Vec<_> =
            core.iter().map(|part| assumptions.iter().position(|given| given == part).unwrap()).collect();
        assert!(positions.is_sorted_by(|before, after| before < after), "{positions:?}");
        assert!(!is_sat(&mut *solver, &store, &core));
    }
    let CoreAnswer::Unsat(core) = solver.check_core(&store, &[b, store.fals()]).unwrap() else { panic!() };
    assert_eq!(core, [store.fals()]);
}

#[test]
fn irrational_values_are_rejected() {
    let store = Store::new();
    let x = store.var("x", Sort::Real);
    let mut solver = start(&Run::unlimited());
    solver.assert(&store, store.eq(store.mul(x, x), store.real(Rational::from_integer(2.into())))).unwrap();
    let Answer::Sat(valuation) = solver.check(&store, &[]).unwrap() else { panic!() };
    assert!(matches!(valuation.evaluate(&store, x), Err(SolverError::Unsupported(_))));
}

#[test]
fn arrays_of_models_satisfy_what_was_asked() {
    let store = Store::new();
    let sort = store.array_sort(Sort::Int, Sort::bitvec(8));
    let nested = store.array_sort(Sort::bitvec(2), sort);
    let (a, b, n) = (store.var("a", sort), store.var("b", sort), store.var("n", nested));
    let (i, j) = (store.var("i", Sort::Int), store.var("j", Sort::Int));
    let formula = store.and_all([
        store.ne(store.select(a, i), store.select(a, j)),
        store.eq(store.store(b, i, store.bits(8, 7u32)), a),
        store.ne(a, b),
        store.eq(store.select(n, store.bits(2, 1u32)), a),
        store.eq(store.select(n, store.bits(2, 2u32)), b),
    ]);
    for strategy in [Strategy::Incremental, Strategy::OneShot] {
        let mut solver = Z3Factory::new(Z3Config { strategy }).start(&Run::unlimited()).unwrap();
        solver.assert(&store, formula).unwrap();
        let Answer::Sat(valuation) = solver.check(&store, &[]).unwrap() else { panic!() };
        assert_eq!(valuation.evaluate(&store, formula), Ok(Value::Bool(true)));
    }
}
