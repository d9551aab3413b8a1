//! Our evaluator and a solver agree on what terms mean.

use thetis_base::Run;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use crate::{Random, TermSorts, Terms};

/// Checks on `count` random terms that the value our evaluator gives is the only one the solver allows. Gives the
/// number of terms that the solver could not decide.
///
/// # Panics
/// If they differ.
pub fn evaluator(factory: &dyn SolverFactory, sorts: TermSorts, seed: u64, count: usize) -> usize {
    let store = Store::new();
    let terms = Terms::new(&store, sorts);
    let mut solver = factory.start(&Run::unlimited()).unwrap();
    let mut num_undecided = 0;
    for number in 0..count {
        let mut random = Random::new(seed.wrapping_add(number as u64));
        let term = terms.any(&mut random, 3);
        let values: Vec<(VarId, Value)> = store
            .vars_of([term])
            .into_iter()
            .map(|var| (var, terms.value(&mut random, store.var_sort(var))))
            .collect();
        num_undecided += usize::from(!is_decided(&mut *solver, &store, term, &values));
    }
    num_undecided
}

/// Whether the solver decides what the value of `term` is under `values`; it is then ours.
fn is_decided(solver: &mut dyn CoreSolver, store: &Store, term: ExprId, values: &[(VarId, Value)]) -> bool {
    let lookup = |var: VarId| values.iter().find(|(known, _)| *known == var).map(|(_, value)| value.clone());
    let value = store.literal(evaluate(store, term, &lookup).unwrap());
    let equation =
        |(var, value): &(VarId, Value)| store.eq(store.var_expr(*var), store.literal(value.clone()));
    let equations: Vec<ExprId> = values.iter().map(equation).collect();
    let text = |expr: &ExprId| print_term(store, *expr, Dialect::Thetis);
    let describe = || {
        let equations: Vec<String> = equations.iter().map(text).collect();
        format!("{} should be {} where {}", text(&term), text(&value), equations.join(" "))
    };
    solver.push().unwrap();
    for equation in &equations {
        solver.assert(store, *equation).unwrap();
    }
    let is_possible = match solver.check(store, &[]).unwrap() {
        Answer::Sat(_) => true,
        Answer::Unsat => panic!("these values contradict each other: {}", describe()),
        Answer::Unknown(_) => false,
    };
    let is_only = match solver.check(store, &[store.ne(term, value)]).unwrap() {
        Answer::Unsat => true,
        Answer::Sat(_) => panic!("{}", describe()),
        Answer::Unknown(_) => false,
    };
    solver.pop().unwrap();
    is_possible && is_only
}
