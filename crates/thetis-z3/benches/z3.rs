//! What Z3 costs: starting, series of tiny queries in each set-up, and ending a hanging query.
//!
//! `cargo bench -p thetis-z3`; start-up is measured in new processes, as users see it.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::exit, reason = "a benchmark is a program")]

use std::process::Command;
use std::time::{Duration, Instant};

use divan::Bencher;
use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store};
use thetis_solver::{Answer, CoreAnswer, CoreSolver, QueryLimit, SolverFactory};
use thetis_z3::{Strategy, Z3Config, Z3Factory};

/// The argument with which this program runs the start-up of Z3 only.
const START: &str = "start-z3-and-end";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some(START) => start_and_report(),
        _ => divan::main(),
    }
}

fn strategies() -> [&'static str; 4] {
    ["incremental", "one-shot", "QF_LIA", "QF_BV"]
}

fn start(strategy: &str) -> Box<dyn CoreSolver> {
    let strategy = match strategy {
        "incremental" => Strategy::Incremental,
        "one-shot" => Strategy::OneShot,
        logic => Strategy::Logic(logic.into()),
    };
    Z3Factory::new(Z3Config { strategy }).start(&Run::unlimited()).unwrap()
}

fn is_sat(solver: &mut dyn CoreSolver, store: &Store, assumptions: &[ExprId]) -> bool {
    matches!(solver.check(store, assumptions).unwrap(), Answer::Sat(_))
}

/// One query with everything before it; prints how long library, context and query took.
fn start_and_report() {
    let started = Instant::now();
    let store = Store::new();
    let x = store.var("x", Sort::Int);
    let mut solver = start("incremental");
    let ready = started.elapsed();
    assert!(is_sat(&mut *solver, &store, &[store.lt(x, store.int(5))]));
    println!("{} {}", ready.as_micros(), (started.elapsed() - ready).as_micros());
}

/// A new process that starts Z3, asks one query and ends.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn start_in_a_new_process(bencher: Bencher<'_, '_>) {
    let program = std::env::current_exe().unwrap();
    bencher.bench(|| {
        let output = Command::new(&program).arg(START).output().unwrap();
        assert!(output.status.success());
        output.stdout
    });
}

/// A second solver of a thread, with one query.
#[divan::bench(args = strategies())]
fn start_another_solver(strategy: &str) -> bool {
    let store = Store::new();
    let x = store.var("x", Sort::bitvec(32));
    let mut solver = start(strategy);
    is_sat(&mut *solver, &store, &[store.bv_ult(x, store.bits(32, 5u32))])
}

/// Formulas `x_i + c < x_(i+1)` over integers.
fn linear(store: &Store) -> Vec<ExprId> {
    let x: Vec<ExprId> = (0..11).map(|number| store.var(&format!("x{number}"), Sort::Int)).collect();
    x.windows(2).map(|pair| store.lt(store.add(pair[0], store.int(3)), pair[1])).collect()
}

/// The same over bit-vectors of 32 bits.
fn bits(store: &Store) -> Vec<ExprId> {
    let x: Vec<ExprId> = (0..11).map(|number| store.var(&format!("x{number}"), Sort::bitvec(32))).collect();
    x.windows(2).map(|pair| store.bv_slt(store.bv_add(pair[0], store.bits(32, 3u32)), pair[1])).collect()
}

/// Asks about `b_i => formula_i` by assuming some of the `b_i`.
fn assume_literals(bencher: Bencher<'_, '_>, strategy: &str, formulas: fn(&Store) -> Vec<ExprId>) {
    let store = Store::new();
    let formulas = formulas(&store);
    let mut solver = start(strategy);
    let mut literals = Vec::new();
    for (number, formula) in formulas.iter().enumerate() {
        let literal = store.var(&format!("b{number}"), Sort::Bool);
        solver.assert(&store, store.implies(literal, *formula)).unwrap();
        literals.push(literal);
    }
    let mut turn = 0;
    bencher.bench_local(|| {
        turn += 1;
        let chosen: Vec<ExprId> = literals
            .iter()
            .enumerate()
            .filter(|(number, _)| turn >> number & 1 == 1)
            .map(|(_, l)| *l)
            .collect();
        match solver.check_core(&store, &chosen).unwrap() {
            CoreAnswer::Unsat(core) => core.len(),
            CoreAnswer::Sat(_) | CoreAnswer::Unknown(_) => 0,
        }
    });
}

/// Asks about formulas by assuming them as they are, each time in a temporary scope.
fn assume_formulas(bencher: Bencher<'_, '_>, strategy: &str, formulas: fn(&Store) -> Vec<ExprId>) {
    let store = Store::new();
    let formulas = formulas(&store);
    let mut solver = start(strategy);
    for formula in &formulas[1..] {
        solver.assert(&store, *formula).unwrap();
    }
    let mut turn = 0;
    bencher.bench_local(|| {
        turn += 1;
        is_sat(&mut *solver, &store, &[if turn % 2 == 0 { formulas[0] } else { store.not(formulas[3]) }])
    });
}

#[divan::bench(args = ["incremental", "one-shot", "QF_LIA"])]
fn assume_literals_of_integers(bencher: Bencher<'_, '_>, strategy: &str) {
    assume_literals(bencher, strategy, linear);
}

#[divan::bench(args = ["incremental", "one-shot", "QF_BV"])]
fn assume_literals_of_bits(bencher: Bencher<'_, '_>, strategy: &str) {
    assume_literals(bencher, strategy, bits);
}

#[divan::bench(args = ["incremental", "one-shot", "QF_LIA"])]
fn assume_formulas_of_integers(bencher: Bencher<'_, '_>, strategy: &str) {
    assume_formulas(bencher, strategy, linear);
}

#[divan::bench(args = ["incremental", "one-shot", "QF_BV"])]
fn assume_formulas_of_bits(bencher: Bencher<'_, '_>, strategy: &str) {
    assume_formulas(bencher, strategy, bits);
}

/// Factoring a 62-bit product, stopped after 50 ms: the time beyond 50 ms is the latency.
#[divan::bench(args = ["incremental", "one-shot", "QF_BV"], sample_count = 20, sample_size = 1)]
fn stop_after_50_ms(bencher: Bencher<'_, '_>, strategy: &str) {
    let store = Store::new();
    let (x, y) = (store.var("x", Sort::bitvec(64)), store.var("y", Sort::bitvec(64)));
    let mut solver = start(strategy);
    let bound = |factor| store.bv_ult(factor, store.bits(64, 1u64 << 32));
    let product = store.eq(store.bv_mul(x, y), store.bits(64, 2_147_483_647u64 * 2_147_483_629));
    let not_one = store.bv_ult(store.bits(64, 1u32), store.bv_and(x, y));
    solver.assert(&store, store.and_all([product, bound(x), bound(y), not_one])).unwrap();
    solver.set_limit(QueryLimit { time: Some(Duration::from_millis(50)), resources: None });
    bencher.bench_local(|| {
        assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Unknown(_)));
    });
}
