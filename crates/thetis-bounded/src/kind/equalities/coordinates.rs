//! Which terms equations are about.
//!
//! Variables are coordinates of a linear equation. Where a program asks for remainders and quotients, or multiplies variables, equations
//! over these say more: with `x mod 2` as a coordinate `2n = x + x mod 2` is linear, with `i * i` a sum of numbers has a closed form.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Op, Postorder, Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, StmtKind};

/// Of at most this many variables all products are coordinates.
const MAX_FACTORS: usize = 5;

/// The integer variables.
pub(super) fn variables(task: &Task<Cfa>) -> Vec<ExprId> {
    let store = &task.store;
    let vars = task.model.vars.iter().filter(|var| store.var_sort(**var) == Sort::Int);
    vars.map(|var| store.var_expr(*var)).collect()
}

/// The integer variables and other terms over them that matter; nothing if no other terms do.
pub(super) fn terms(task: &Task<Cfa>) -> Vec<ExprId> {
    let vars = variables(task);
    let used: Vec<ExprId> = Postorder::new(&task.store, statements(task)).collect();
    let mut others: BTreeSet<ExprId> =
        used.iter().copied().filter(|term| divides_variable(&task.store, *term)).collect();
    if vars.len() <= MAX_FACTORS && used.iter().any(|term| multiplies_variables(&task.store, *term)) {
        others.extend(products(&task.store, &vars));
    }
    if others.is_empty() { Vec::new() } else { vars.into_iter().chain(others).collect() }
}

fn statements(task: &Task<Cfa>) -> Vec<ExprId> {
    let stmts = task.model.edges.iter().flat_map(|edge| edge.stmt.walk());
    let terms = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::Assume(term) | StmtKind::Assign(_, term) => Some(*term),
        StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => None,
    });
    terms.collect()
}

/// Whether `term` is the remainder or quotient of a variable and a number. Other dividends are mostly wrapped arithmetic.
fn divides_variable(store: &Store, term: ExprId) -> bool {
    matches!(store.op(term), Op::Mod | Op::IntDiv)
        && store.as_var(store.arg(term, 0)).is_some()
        && store.is_literal(store.arg(term, 1))
}

fn multiplies_variables(store: &Store, term: ExprId) -> bool {
    let factors = || (0..store.num_args(term)).map(|at| store.arg(term, at));
    store.op(term) == Op::Mul
        && store.sort(term) == Sort::Int
        && factors().filter(|factor| !store.is_literal(*factor)).count() > 1
}

fn products(store: &Store, vars: &[ExprId]) -> Vec<ExprId> {
    let pairs =
        vars.iter().enumerate().flat_map(|(at, var)| vars[at..].iter().map(move |other| (*var, *other)));
    pairs.map(|(left, right)| store.mul(left, right)).collect()
}
