//! The SAT solver keeps the promises of solvers, on Boolean formulas.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use thetis_base::{Budget, Run};
use thetis_expr::{ExprId, Sort, Store};
use thetis_sat::{BatSat, Lit, ProvedSat, ProvedSatFactory, Sat, SatAnswer, SatFactory, Var};
use thetis_solver::{Answer, CheckedFactory, CoreAnswer, CoreSolver, SolverError, SolverFactory};
use thetis_z3::Z3Factory;

/// A random formula over a few variables.
fn random_formula(store: &Store, rng: &mut fastrand::Rng, depth: u32) -> ExprId {
    if depth == 0 {
        return match rng.u32(0..12) {
            0 => store.boolean(rng.bool()),
            n => store.var(&format!("p{}", n % 5), Sort::Bool),
        };
    }
    let mut part = || random_formula(store, rng, depth - 1);
    let [one, other, third] = [part(), part(), part()];
    match rng.u32(0..7) {
        0 => store.not(one),
        1 => store.and_all([one, other, third]),
        2 => store.or_all([one, other, third]),
        3 => store.xor(one, other),
        4 => store.eq(one, other),
        5 => store.implies(one, other),
        _ => store.ite(one, other, third),
    }
}

#[test]
fn answers_valuations_and_cores_agree_with_z3() {
    agree_with_z3(Rc::new(SatFactory));
    agree_with_z3(Rc::new(ProvedSatFactory));
}

fn agree_with_z3(solvers: Rc<dyn SolverFactory>) {
    let checked = CheckedFactory::new(solvers, Rc::new(Z3Factory::default()));
    let run = Run::unlimited();
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut num_sat, mut num_unsat) = (0, 0);
    for _ in 0..200 {
        let store = Store::new();
        let (mut sat, mut z3) = (checked.start(&run).unwrap(), Z3Factory::default().start(&run).unwrap());
        for _ in 0..3 {
            let formula = random_formula(&store, &mut rng, 2);
            sat.assert(&store, formula).unwrap();
            z3.assert(&store, formula).unwrap();
        }
        let assumptions: Vec<ExprId> = (0..3).map(|_| random_formula(&store, &mut rng, 1)).collect();
        let expected = matches!(z3.check(&store, &assumptions).unwrap(), Answer::Sat(_));
        match sat.check_core(&store, &assumptions).unwrap() {
            CoreAnswer::Sat(_) => assert!(expected),
            CoreAnswer::Unsat(_) => assert!(!expected),
            CoreAnswer::Unknown(reason) => panic!("{reason}"),
        }
        *(if expected { &mut num_sat } else { &mut num_unsat }) += 1;
    }
    assert!(num_sat > 20 && num_unsat > 20, "{num_sat} with and {num_unsat} without a model");
}

#[test]
fn scopes_nest() {
    let store = Store::new();
    let [p, q] = ["p", "q"].map(|name| store.var(name, Sort::Bool));
    let mut solver = SatFactory.start(&Run::unlimited()).unwrap();
    let is_sat = |solver: &mut dyn CoreSolver, assumptions: &[ExprId]| {
        matches!(solver.check(&store, assumptions).unwrap(), Answer::Sat(_))
    };
    solver.assert(&store, store.or(p, q)).unwrap();
    solver.push().unwrap();
    solver.assert(&store, store.not(p)).unwrap();
    assert!(is_sat(&mut *solver, &[]) && !is_sat(&mut *solver, &[store.not(q)]));
    solver.push().unwrap();
    solver.assert(&store, store.not(q)).unwrap();
    assert!(!is_sat(&mut *solver, &[]));
    solver.pop().unwrap();
    assert!(is_sat(&mut *solver, &[]));
    solver.pop().unwrap();
    assert!(is_sat(&mut *solver, &[p]) && is_sat(&mut *solver, &[store.not(q)]));
}

#[test]
fn what_is_not_boolean_is_rejected() {
    let store = Store::new();
    let mut solver = SatFactory.start(&Run::unlimited()).unwrap();
    let formula = store.le(store.var("x", Sort::Int), store.int(3));
    assert!(matches!(solver.assert(&store, formula), Err(SolverError::Unsupported(_))));
}

/// A pigeon too many: hard for clauses.
#[test]
fn a_run_that_must_stop_ends_a_question() {
    let store = Store::new();
    let holes = 11;
    let budget = Budget { wall: Some(std::time::Duration::from_millis(50)), ..Budget::default() };
    let mut solver = SatFactory.start(&Run::new(budget)).unwrap();
    let sits = |pigeon: usize, hole: usize| store.var(&format!("p{pigeon}h{hole}"), Sort::Bool);
    for pigeon in 0..=holes {
        solver.assert(&store, store.or_all((0..holes).map(|hole| sits(pigeon, hole)))).unwrap();
        for other in 0..pigeon {
            for hole in 0..holes {
                let both = store.and(sits(pigeon, hole), sits(other, hole));
                solver.assert(&store, store.not(both)).unwrap();
            }
        }
    }
    assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Unknown(_)));
}

/// More pigeons than holes, each pigeon in one hole: needs many learned clauses, and deletions of them.
fn pigeons(sat: &mut dyn Sat, holes: usize) {
    let places: Vec<Vec<Lit>> =
        (0..=holes).map(|_| (0..holes).map(|_| sat.new_var().is(true)).collect()).collect();
    places.iter().for_each(|of_one| sat.add_clause(of_one));
    for hole in 0..holes {
        for (number, one) in places.iter().enumerate() {
            places[..number].iter().for_each(|other| sat.add_clause(&[!one[hole], !other[hole]]));
        }
    }
}

#[test]
fn proofs_of_hard_clauses_are_followed() {
    let run = Run::unlimited();
    let mut proved = ProvedSat::new(&run);
    pigeons(&mut proved, 6);
    assert_eq!(proved.solve(&[]), SatAnswer::Unsat);
}

#[test]
fn many_questions_about_random_clauses_are_proved() {
    let run = Run::unlimited();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut num_unsat = 0;
    for _ in 0..60 {
        let (mut plain, mut proved) = (BatSat::new(&run), ProvedSat::new(&run));
        let vars: Vec<Var> = (0..12).map(|_| (plain.new_var(), proved.new_var()).1).collect();
        let literal = |rng: &mut fastrand::Rng| vars[rng.usize(0..vars.len())].is(rng.bool());
        for _ in 0..8 {
            for _ in 0..8 {
                let clause = [literal(&mut rng), literal(&mut rng), literal(&mut rng)];
                plain.add_clause(&clause);
                proved.add_clause(&clause);
            }
            let assumptions = [literal(&mut rng), literal(&mut rng)];
            let outcome = proved.solve(&assumptions);
            assert_eq!(plain.solve(&assumptions), outcome);
            num_unsat += usize::from(outcome == SatAnswer::Unsat);
        }
    }
    assert!(num_unsat > 50, "{num_unsat}");
}
