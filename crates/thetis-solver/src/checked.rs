//! A solver whose answers are checked.
//!
//! Every valuation is evaluated on every assertion and assumption with our own evaluator; every core is a part of the
//! assumptions, and a second, fresh solver finds no model of it. A wrong answer becomes [`SolverError::Wrong`]. What
//! cannot be checked passes: a valuation with a value we cannot represent, a core that the second solver gives up on.
//! Plain `Unsat` answers of [`Solver::check`] come with nothing that could be checked and pass as well; an engine
//! whose verdict rests on them provides a proof, which the checker of verdicts checks.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Run;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};

use crate::asserted::Asserted;
use crate::{Answer, CoreAnswer, CoreSolver, QueryLimit, Solver, SolverError, SolverFactory, Valuation};

/// Starts solvers of another factory and checks their answers. Tests and debug builds always use it.
#[derive(Clone)]
pub struct CheckedFactory {
    inner: Rc<dyn SolverFactory>,
    second: Rc<dyn SolverFactory>,
}

impl CheckedFactory {
    /// Solvers of `inner`, with the cores re-proved by solvers of `second`.
    pub fn new(inner: Rc<dyn SolverFactory>, second: Rc<dyn SolverFactory>) -> CheckedFactory {
        CheckedFactory { inner, second }
    }
}

impl SolverFactory for CheckedFactory {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Checked::new(self.inner.start(run)?, self.second.clone(), run)))
    }
}

/// A solver whose answers are checked.
pub struct Checked<S> {
    inner: S,
    asserted: Asserted,
    judge: Judge,
}

impl<S: CoreSolver> Checked<S> {
    /// Checks the answers of `inner`, cores by solvers of `second`.
    pub fn new(inner: S, second: Rc<dyn SolverFactory>, run: &Run) -> Checked<S> {
        let judge = Judge { second, run: run.clone(), limit: QueryLimit::default() };
        Checked { inner, asserted: Asserted::default(), judge }
    }
}

impl<S: CoreSolver> Solver for Checked<S> {
    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()?;
        self.asserted.push();
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.inner.pop()?;
        self.asserted.pop();
        Ok(())
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.inner.assert(store, formula)?;
        self.asserted.add(formula);
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        let answer = self.inner.check(store, assumptions)?;
        if let Answer::Sat(valuation) = &answer {
            self.asserted.check(store, assumptions, valuation)?;
        }
        Ok(answer)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.judge.limit = limit;
        self.inner.set_limit(limit);
    }
}

impl<S: CoreSolver> CoreSolver for Checked<S> {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        let answer = self.inner.check_core(store, assumptions)?;
        match &answer {
            CoreAnswer::Sat(valuation) => self.asserted.check(store, assumptions, valuation)?,
            CoreAnswer::Unsat(core) => self.judge.check(store, &self.asserted, assumptions, core)?,
            CoreAnswer::Unknown(_) => {}
        }
        Ok(answer)
    }
}

/// What re-proves cores.
struct Judge {
    second: Rc<dyn SolverFactory>,
    run: Run,
    limit: QueryLimit,
}

impl Judge {
    fn check(
        &self,
        store: &Store,
        asserted: &Asserted,
        assumptions: &[ExprId],
        core: &[ExprId],
    ) -> Result<(), SolverError> {
        let mut rest = assumptions.iter();
        if !core.iter().all(|part| rest.any(|given| given == part)) {
            return Err(wrong("a core that is not a part of the assumptions in their order"));
        }
        let mut second = self.second.start(&self.run)?;
        second.set_limit(self.limit);
        for formula in asserted.formulas() {
            second.assert(store, formula)?;
        }
        match second.check(store, core)? {
            Answer::Sat(_) => Err(wrong("a core that has a model")),
            Answer::Unsat | Answer::Unknown(_) => Ok(()),
        }
    }
}

impl Asserted {
    /// Whether everything asserted and assumed is true under the valuation.
    fn check(
        &self,
        store: &Store,
        assumptions: &[ExprId],
        valuation: &Valuation<'_>,
    ) -> Result<(), SolverError> {
        let formulas: Vec<ExprId> = self.formulas().chain(assumptions.iter().copied()).collect();
        let mut values: FxHashMap<VarId, Value> = FxHashMap::default();
        for var in store.vars_of(formulas.iter().copied()) {
            match valuation.value(store, var) {
                Ok(value) => values.insert(var, value),
                Err(SolverError::Unsupported(_)) => return Ok(()),
                Err(error) => return Err(error),
            };
        }
        let lookup = |var: VarId| values.get(&var).cloned();
        for formula in formulas {
            if evaluate(store, formula, &lookup) != Ok(Value::Bool(true)) {
                let text = print_term(store, formula, Dialect::Thetis);
                return Err(wrong(&format!("a model that does not satisfy `{}`", shorten(&text))));
            }
        }
        Ok(())
    }
}

fn wrong(what: &str) -> SolverError {
    SolverError::Wrong(what.into())
}

/// The beginning of a text, for messages.
fn shorten(text: &str) -> String {
    const LENGTH: usize = 200;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}
