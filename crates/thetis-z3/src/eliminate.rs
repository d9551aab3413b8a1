//! Quantifier elimination by Z3's tactic, through SMT-LIB text.

use std::fmt::Write;
use std::time::Duration;

use thetis_base::Run;
use thetis_expr::smtlib::sexpr::{Sexpr, Sexprs};
use thetis_expr::smtlib::{
    Declared, Dialect, print_declarations, print_name, print_sort, print_term, term_of,
};
use thetis_expr::{ExprId, Store, VarId};
use thetis_solver::{Eliminator, SolverError};

use crate::ffi::Context;

/// Removes variables with Z3, within a few seconds each time.
#[derive(Clone, Copy, Default, Debug)]
pub struct Z3Eliminator;

const MAX_TIME: Duration = Duration::from_secs(2);

impl Eliminator for Z3Eliminator {
    fn exists(
        &self,
        store: &Store,
        vars: &[VarId],
        formula: ExprId,
        run: &Run,
    ) -> Result<Option<ExprId>, SolverError> {
        let time = run.time_left().map_or(MAX_TIME, |left| left.min(MAX_TIME));
        let script = script(store, vars, formula, time);
        let answer = Context::current()?.evaluate_script(&script)?;
        Ok(read_goals(store, &answer))
    }
}

fn script(store: &Store, vars: &[VarId], formula: ExprId, time: Duration) -> String {
    let mut bound = String::new();
    for var in vars {
        // Writing to a string cannot fail.
        let _ = write!(bound, "({} {})", print_name(store, *var), print_sort(store, store.var_sort(*var)));
    }
    let free = store.vars_of([formula]).into_iter().filter(|var| !vars.contains(var));
    let declarations = print_declarations(store, free.map(|var| store.var_expr(var)).collect::<Vec<_>>());
    let body = print_term(store, formula, Dialect::Standard);
    let milliseconds = time.as_millis().max(1);
    format!(
        "(reset)\n{declarations}(assert (exists ({bound}) {body}))\n\
         (apply (try-for (then simplify qe simplify) {milliseconds}))\n(reset)\n"
    )
}

/// The disjunction of the goals of `(goals (goal formula... :precision precise :depth n)...)`; `None` for anything else.
fn read_goals(store: &Store, answer: &str) -> Option<ExprId> {
    let answers = Sexprs::read(answer).ok()?;
    let mut parts = answers.only().ok()?.children();
    if !parts.next()?.is_word("goals") {
        return None;
    }
    let goals: Option<Vec<ExprId>> = parts.map(|goal| read_goal(store, goal)).collect();
    Some(store.or_all(goals?))
}

fn read_goal(store: &Store, goal: Sexpr<'_>) -> Option<ExprId> {
    let mut parts = goal.children();
    if !parts.next()?.is_word("goal") {
        return None;
    }
    let formulas = parts.take_while(|part| !part.text().starts_with(':'));
    let formulas: Option<Vec<ExprId>> = formulas.map(|part| term_of(store, part, &Declared).ok()).collect();
    Some(store.and_all(formulas?))
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::*;

    #[test]
    fn an_integer_between_two_is_eliminated() {
        let store = Store::new();
        let [low, middle, high] = ["low", "middle", "high"].map(|name| store.declare(name, Sort::Int));
        let [l, m, h] = [low, middle, high].map(|var| store.var_expr(var));
        let between = store.and(store.lt(l, m), store.lt(m, h));
        let result = Z3Eliminator.exists(&store, &[middle], between, &Run::unlimited()).unwrap().unwrap();
        assert!(!store.vars_of([result]).contains(&middle));
        let value = |low: i32, high: i32| {
            let assignment =
                |var| Some(thetis_expr::Value::int(if var == l_var(&store) { low } else { high }));
            thetis_expr::evaluate(&store, result, &assignment).unwrap()
        };
        assert_eq!(value(1, 3), true.into());
        assert_eq!(value(1, 2), false.into());
    }

    fn l_var(store: &Store) -> VarId {
        store.find_var("low").unwrap()
    }

    #[test]
    fn what_cannot_be_read_is_no_answer() {
        let store = Store::new();
        assert_eq!(read_goals(&store, "(goals (goal (forall ((x Int)) (= x 1)) :precision precise))"), None);
        assert_eq!(read_goals(&store, "(error \"canceled\")"), None);
        assert_eq!(read_goals(&store, "(goals (goal false :precision precise))"), Some(store.fals()));
    }
}
