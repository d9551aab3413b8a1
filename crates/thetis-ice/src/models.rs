//! Points that satisfy a formula, found by a solver.
//!
//! Small values are asked for first, because they make simple hypotheses. They may be hard to find, or not exist, so this question has only a part of
//! the time of a query, and after it has failed it is not asked again for the same formula. Coordinates have 64 bits; if a model has a value
//! beyond them, one with values in this range is asked for.

use std::time::Duration;

use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, Value, VarId};
use thetis_solver::{Answer, CoreSolver, QueryLimit, Reason, Valuation};

/// The greatest small value.
const SMALL: i64 = 40;

/// The greatest value that is asked for if a model has one beyond 64 bits.
const LARGE: i64 = i64::MAX;

/// What part of the time of a query the question for small values may take.
const SMALL_PART: u32 = 4;

/// A solver with assertions, whose models are asked for.
pub(crate) struct Examples {
    solver: Box<dyn CoreSolver>,
    /// How long a query may take.
    time: Duration,
}

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
    /// A query took too long.
    OutOfTime,
    /// All others have values beyond 64 bits.
    TooLarge,
    /// The solver cannot tell; why.
    Incomplete(String),
}

impl Found {
    /// Why it is not known whether there are any points, if none were found.
    pub(crate) fn doubt(&self) -> Option<String> {
        if !self.points.is_empty() {
            return None;
        }
        match &self.end {
            End::All | End::Enough => None,
            End::OutOfTime => Some("a query took longer than `ice.query-time`".into()),
            End::TooLarge => Some("a value is too large to learn from".into()),
            End::Incomplete(reason) => Some(reason.clone()),
        }
    }
}

impl Examples {
    /// Models of what `solver` has been given, in queries that take at most `milliseconds`.
    pub(crate) fn new(solver: Box<dyn CoreSolver>, milliseconds: u64) -> Examples {
        Examples { solver, time: Duration::from_millis(milliseconds) }
    }

    /// From now on a query may take twice as long.
    pub(crate) fn double_time(&mut self) {
        self.time = self.time.saturating_mul(2).max(Duration::from_millis(1));
    }

    /// Up to `wanted` values of `terms`, which are integers or truth values, in models of what is asserted together with `formula`.
    pub(crate) fn find(
        &mut self,
        store: &Store,
        formula: ExprId,
        terms: &[ExprId],
        wanted: usize,
        run: &Run,
    ) -> Result<Found, Stop> {
        self.solver.push()?;
        self.solver.assert(store, formula)?;
        let small = Some(is_within(store, terms, SMALL)).filter(|small| *small != store.tru());
        let found = ModelSearch { examples: self, store, terms, small }.run(wanted, run)?;
        self.solver.pop()?;
        Ok(found)
    }
}

/// A search for models of one formula.
struct ModelSearch<'a> {
    examples: &'a mut Examples,
    store: &'a Store,
    terms: &'a [ExprId],
    /// That all values are small, as long as there may be such models.
    small: Option<ExprId>,
}

enum Next {
    Point(Vec<i64>),
    End(End),
}

impl ModelSearch<'_> {
    fn run(&mut self, wanted: usize, run: &Run) -> Result<Found, Stop> {
        let mut found = Found { points: Vec::new(), end: End::Enough };
        let mut seen = FxHashSet::default();
        while found.points.len() < wanted {
            run.checkpoint()?;
            match self.next()? {
                Next::Point(point) if seen.insert(point.clone()) => {
                    let other = other_than(self.store, self.terms, &point);
                    self.examples.solver.assert(self.store, other)?;
                    found.points.push(point);
                }
                Next::Point(_) => {
                    found.end = End::Incomplete("the solver repeats itself".into());
                    break;
                }
                Next::End(end) => {
                    found.end = end;
                    break;
                }
            }
        }
        Ok(found)
    }

    fn next(&mut self) -> Result<Next, Stop> {
        let time = self.examples.time;
        if let Some(small) = self.small {
            if let Next::Point(point) = self.ask(&[small], time / SMALL_PART)? {
                return Ok(Next::Point(point));
            }
            self.small = None;
        }
        match self.ask(&[], time)? {
            Next::End(End::TooLarge) => {
                Ok(match self.ask(&[is_within(self.store, self.terms, LARGE)], time)? {
                    Next::End(End::All) => Next::End(End::TooLarge),
                    other => other,
                })
            }
            other => Ok(other),
        }
    }

    fn ask(&mut self, assumptions: &[ExprId], time: Duration) -> Result<Next, Stop> {
        let solver = &mut self.examples.solver;
        solver.set_limit(QueryLimit { time: Some(time), resources: None });
        Ok(match solver.check(self.store, assumptions)? {
            Answer::Sat(valuation) => point_of(&valuation, self.store, self.terms)?,
            Answer::Unsat => Next::End(End::All),
            Answer::Unknown(Reason::Interrupted) => Next::End(End::OutOfTime),
            Answer::Unknown(reason @ Reason::Incomplete(_)) => Next::End(End::Incomplete(reason.to_string())),
        })
    }
}

/// That the integers among `terms` are at most `limit`, and at least its negation.
fn is_within(store: &Store, terms: &[ExprId], limit: i64) -> ExprId {
    let numbers = terms.iter().filter(|term| store.sort(**term) == Sort::Int && !store.is_literal(**term));
    let bounds =
        numbers.flat_map(|term| [store.le(store.int(-limit), *term), store.le(*term, store.int(limit))]);
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
        None => Next::End(End::TooLarge),
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
