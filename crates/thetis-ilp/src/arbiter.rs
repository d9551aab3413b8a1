//! A decision procedure for linear integer arithmetic, asked where nothing else decides.

use std::time::Duration;

use num_traits::ToPrimitive;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_solver::{Answer, QueryLimit, SolverError, SolverFactory};

use crate::{Problem, Relation, Row};

/// What the arbiter says.
pub(crate) enum Ruling {
    /// A solution, exactly checked.
    Feasible(Vec<u64>),
    /// It found none possible.
    Infeasible,
    /// It gave up, with this reason.
    None(String),
}

/// Asks a solver of the given kind about `problem`.
pub(crate) fn ask(
    problem: &Problem,
    solvers: &dyn SolverFactory,
    limit: Duration,
    run: &Run,
) -> Result<Ruling, Stop> {
    let store = Store::new();
    let vars: Vec<VarId> =
        (0..problem.num_vars()).map(|var| store.declare(&format!("x{var}"), Sort::Int)).collect();
    let mut solver = solvers.start(run)?;
    solver.set_limit(QueryLimit { time: Some(limit), resources: None });
    for var in &vars {
        solver.assert(&store, store.ge(store.var_expr(*var), store.int(0)))?;
    }
    for row in problem.rows() {
        solver.assert(&store, formula(&store, &vars, row))?;
    }
    let answer = solver.check(&store, &[])?;
    let ruling = match answer {
        Answer::Unsat => Ruling::Infeasible,
        Answer::Unknown(reason) => {
            run.checkpoint()?;
            Ruling::None(reason.to_string())
        }
        Answer::Sat(valuation) => {
            let value = |var: &VarId| -> Result<Option<u64>, SolverError> {
                Ok(valuation.value(&store, *var)?.as_int().and_then(ToPrimitive::to_u64))
            };
            let point = vars.iter().map(value).collect::<Result<Option<Vec<u64>>, _>>()?;
            match point.filter(|point| problem.is_satisfied(point)) {
                Some(point) => Ruling::Feasible(point),
                None => Ruling::None("its solution could not be confirmed in 128-bit arithmetic".to_owned()),
            }
        }
    };
    Ok(ruling)
}

fn formula(store: &Store, vars: &[VarId], row: &Row) -> ExprId {
    let product = |(var, coefficient): &(u32, i64)| {
        store.mul(store.int(*coefficient), store.var_expr(vars[*var as usize]))
    };
    let sum = row.terms().iter().map(product).reduce(|sum, term| store.add(sum, term));
    let sum = sum.unwrap_or_else(|| store.int(0));
    let bound = store.int(row.bound());
    match row.relation() {
        Relation::AtLeast => store.ge(sum, bound),
        Relation::Equal => store.eq(sum, bound),
        Relation::AtMost => store.le(sum, bound),
    }
}
