//! A solver that guesses factors before it asks for a model of products that wrap around.
//!
//! # Problem
//! Programs whose words wrap around become formulas with terms `x * y mod 2^256`. A model of such a formula needs numbers beyond every bound that a
//! solver of non-linear arithmetic tries on its own, so finding one is a matter of luck: with different random seeds, the same query was seen to take
//! from 0.05 s to more than 10 s.
//!
//! # Method
//! A factor of interest is usually one of a few: zero, one, or so large that the product wraps around at once. So the first query demands that each
//! such product has a factor among `0`, `1`, `m / 2` and `-m / 2` for its modulus `m`. Once the solver has decided which factor that is, the
//! product is linear. A product with `m / 2` wraps around to 0 or `m / 2`.
//!
//! The demand only removes models, so any model that is found is a model of the original query. If there is none, or none within a limit,
//! the original query is asked. Formulas without such products are not changed.

use std::rc::Rc;
use std::time::Duration;

use thetis_base::Run;
use thetis_expr::{ExprId, Op, Postorder, Store};

use crate::asserted::Asserted;
use crate::{Answer, CoreAnswer, CoreSolver, QueryLimit, Solver, SolverError, SolverFactory};

/// The steps that a solver may take with guesses, in its own unit. For Z3 these are some tenths of a second; where a guess
/// was right, a fifth of them sufficed.
const STEPS: u64 = 200_000;

/// The time for them, for solvers that do not count steps.
const TIME: Duration = Duration::from_secs(2);

/// Starts solvers of another factory that guess first. See the [module](self).
pub struct GuessFactory {
    inner: Rc<dyn SolverFactory>,
}

impl GuessFactory {
    /// Asks solvers of `inner`.
    pub fn new(inner: Rc<dyn SolverFactory>) -> GuessFactory {
        GuessFactory { inner }
    }
}

impl SolverFactory for GuessFactory {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Guessing {
            solvers: self.inner.clone(),
            run: run.clone(),
            asserted: Asserted::default(),
            limit: QueryLimit::default(),
            guess: None,
            full: self.inner.start(run)?,
        }))
    }
}

struct Guessing {
    solvers: Rc<dyn SolverFactory>,
    run: Run,
    asserted: Asserted,
    limit: QueryLimit,
    /// The solver that was last asked with guesses.
    guess: Option<Box<dyn CoreSolver>>,
    full: Box<dyn CoreSolver>,
}

impl Solver for Guessing {
    fn push(&mut self) -> Result<(), SolverError> {
        self.asserted.push();
        self.full.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.asserted.pop();
        self.full.pop()
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.asserted.add(formula);
        self.full.assert(store, formula)
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        let formulas: Vec<ExprId> = self.asserted.formulas().collect();
        let guesses = guesses(store, formulas.iter().chain(assumptions).copied());
        if !guesses.is_empty() {
            let guess = self.guess.insert(self.solvers.start(&self.run)?);
            guess.set_limit(QueryLimit {
                time: Some(self.limit.time.map_or(TIME, |limit| limit.min(TIME))),
                resources: Some(self.limit.resources.map_or(STEPS, |limit| limit.min(STEPS))),
            });
            for formula in guesses.into_iter().chain(formulas) {
                guess.assert(store, formula)?;
            }
            if let Answer::Sat(valuation) = guess.check(store, assumptions)? {
                return Ok(Answer::Sat(valuation));
            }
        }
        self.full.check(store, assumptions)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.limit = limit;
        self.full.set_limit(limit);
    }
}

impl CoreSolver for Guessing {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        self.full.check_core(store, assumptions)
    }
}

/// For each product in the formulas that wraps around, the demand that one of its factors has a value that makes
/// it linear.
fn guesses(store: &Store, formulas: impl Iterator<Item = ExprId>) -> Vec<ExprId> {
    Postorder::new(store, formulas).filter_map(|term| guess(store, term)).collect()
}

fn guess(store: &Store, term: ExprId) -> Option<ExprId> {
    if store.op(term) != Op::Mod || store.op(store.arg(term, 0)) != Op::Mul {
        return None;
    }
    let (product, modulus) = (store.arg(term, 0), store.arg(term, 1));
    let args = store.args(product);
    let factors: Vec<ExprId> = args.iter().copied().filter(|arg| !store.is_literal(*arg)).collect();
    if factors.len() < 2 || !store.is_literal(modulus) {
        return None;
    }
    let half = store.int_div(modulus, store.int(2));
    let values = [store.int(0), store.int(1), half, store.neg(half)];
    Some(store.or_all(factors.iter().flat_map(|factor| values.map(|value| store.eq(*factor, value)))))
}
