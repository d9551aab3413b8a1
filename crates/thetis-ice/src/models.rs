//! Points that satisfy a formula, found by a solver.

use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, Value, VarId};
use thetis_solver::{Answer, CoreSolver, Reason, Valuation};

/// Small values are tried first: they lead to simple hypotheses.
const SMALL: i64 = 40;

/// Points over some terms that satisfy a formula.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The points, each once.
    pub(crate) points: Vec<Vec<i64>>,
    /// Why there are not more.
    pub(crate) end: End,
}

/// Why a search for points ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// There are no others.
    All,
    /// As many as were wanted were found.
    Enough,
    /// It is not known whether there are others.
    Unknown(String),
}

/// Up to `wanted` values of `terms`, which are integers or truth values, in models of what is asserted together with
/// `formula`. The state of the solver is restored.
pub(crate) fn find(
    solver: &mut dyn CoreSolver,
    store: &Store,
    formula: ExprId,
    terms: &[ExprId],
    wanted: usize,
    run: &Run,
) -> Result<Found, Stop> {
    solver.push()?;
    solver.assert(store, formula)?;
    let mut found = Found { points: Vec::new(), end: End::Enough };
    let mut seen = FxHashSet::default();
    while found.points.len() < wanted {
        run.checkpoint()?;
        match next_point(solver, store, terms)? {
            Next::Point(point) if seen.insert(point.clone()) => {
                solver.assert(store, other_than(store, terms, &point))?;
                found.points.push(point);
            }
            Next::Point(_) => {
                found.end = End::Unknown("the solver repeats itself".into());
                break;
            }
            Next::End(end) => {
                found.end = end;
                break;
            }
        }
    }
    solver.pop()?;
    Ok(found)
}

enum Next {
    Point(Vec<i64>),
    End(End),
}

fn next_point(solver: &mut dyn CoreSolver, store: &Store, terms: &[ExprId]) -> Result<Next, Stop> {
    let small = is_small(store, terms);
    if small != store.tru()
        && let Answer::Sat(valuation) = solver.check(store, &[small])?
    {
        return point_of(&valuation, store, terms);
    }
    Ok(match solver.check(store, &[])? {
        Answer::Sat(valuation) => point_of(&valuation, store, terms)?,
        Answer::Unsat => Next::End(End::All),
        Answer::Unknown(reason @ (Reason::Interrupted | Reason::Incomplete(_))) => {
            Next::End(End::Unknown(reason.to_string()))
        }
    })
}

fn is_small(store: &Store, terms: &[ExprId]) -> ExprId {
    let numbers = terms.iter().filter(|term| store.sort(**term) == Sort::Int && !store.is_literal(**term));
    let bounds =
        numbers.flat_map(|term| [store.le(store.int(-SMALL), *term), store.le(*term, store.int(SMALL))]);
    store.and_all(bounds)
}

fn point_of(valuation: &Valuation<'_>, store: &Store, terms: &[ExprId]) -> Result<Next, Stop> {
    let values = valuation.evaluate_all(store, terms)?;
    let coordinate = |value: Value| match value {
        Value::Bool(truth) => Some(i64::from(truth)),
        Value::Int(number) => number.to_i64(),
        _ => None,
    };
    let point: Option<Vec<i64>> = values.into_iter().map(coordinate).collect();
    Ok(match point {
        Some(point) => Next::Point(point),
        None => Next::End(End::Unknown("a value is too large to learn from".into())),
    })
}

/// The formula that the values of `terms` differ from `point`.
fn other_than(store: &Store, terms: &[ExprId], point: &[i64]) -> ExprId {
    let differs = |(term, coordinate): (&ExprId, &i64)| match store.sort(*term) {
        Sort::Bool if *coordinate != 0 => store.not(*term),
        Sort::Bool => *term,
        _ => store.ne(*term, store.int(*coordinate)),
    };
    store.or_all(terms.iter().zip(point).map(differs))
}

/// The variables of a space as terms.
pub(crate) fn terms_of(store: &Store, vars: &[VarId]) -> Vec<ExprId> {
    vars.iter().map(|var| store.var_expr(*var)).collect()
}
