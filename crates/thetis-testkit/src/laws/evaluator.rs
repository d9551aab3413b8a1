//! Our evaluator and a solver agree on what terms mean.

use thetis_base::Run;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use crate::{Random, TermSorts, Terms};

/// Checks on `count` random terms that the value our evaluator gives is the only one the solver allows.
///
/// # Panics
/// If they differ.
pub fn evaluator(factory: &dyn SolverFactory, sorts: TermSorts, seed: u64, count: usize) {
    let store = Store::new();
    let terms = Terms::new(&store, sorts);
    let mut solver = factory.start(&Run::unlimited()).unwrap();
    for number in 0..count {
        let mut random = Random::new(seed.wrapping_add(number as u64));
        let term = terms.any(&mut random, 3);
        let values: Vec<(VarId, Value)> = store
            .vars_of([term])
            .into_iter()
            .map(|var| (var, terms.value(&mut random, store.var_sort(var))))
            .collect();
        compare(&mut *solver, &store, term, &values);
    }
}

fn compare(solver: &mut dyn CoreSolver, store: &Store, term: ExprId, values: &[(VarId, Value)]) {
    let lookup = |var: VarId| values.iter().find(|(known, _)| *known == var).map(|(_, value)| value.clone());
    let value = store.literal(evaluate(store, term, &lookup).unwrap());
    let fixed =
        values.iter().map(|(var, value)| store.eq(store.var_expr(*var), store.literal(value.clone())));
    let describe = || {
        let text = |expr| print_term(store, expr, Dialect::Thetis);
        let fixed: Vec<String> = fixed.clone().map(text).collect();
        format!("{} is not {} under {fixed:?}", text(term), text(value))
    };
    solver.push().unwrap();
    for equation in fixed.clone() {
        solver.assert(store, equation).unwrap();
    }
    match solver.check(store, &[]).unwrap() {
        Answer::Sat(_) => {}
        Answer::Unsat => panic!("the values contradict each other: {}", describe()),
        Answer::Unknown(reason) => panic!("{reason}: {}", describe()),
    }
    match solver.check(store, &[store.ne(term, value)]).unwrap() {
        Answer::Unsat => {}
        Answer::Sat(_) => panic!("{}", describe()),
        Answer::Unknown(reason) => panic!("{reason}: {}", describe()),
    }
    solver.pop().unwrap();
}
