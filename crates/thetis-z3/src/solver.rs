//! The solver: scopes, assumptions, cores and limits over Z3's.
//!
//! Z3 takes literals as assumptions. Other formulas are asserted in a temporary scope, which is closed by the next use
//! of the solver; if a core is asked for, each as `p => f` with a fresh constant `p` that is then assumed. Keeping
//! those implications would save translating them again, but Z3 goes on reasoning about atoms that no assumption
//! needs any more: one hard formula, once assumed, was seen to make all later queries hang. Who assumes the same
//! formula often asserts `b => f` for a variable `b` and assumes `b`, which stays and costs nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use thetis_base::Run;
use thetis_expr::{ExprId, Sort, Store};
use thetis_solver::{
    Answer, CoreAnswer, CoreSolver, QueryLimit, Reason, Solver, SolverError, SolverFactory, Valuation,
};

use crate::ffi::{Context, RawSolver, Satisfiable, SolverKind, Term};
use crate::model::ModelSource;
use crate::translate::Translator;

/// How Z3 is set up.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Z3Config {
    /// Which of Z3's solvers answers.
    pub strategy: Strategy,
}

/// Which of Z3's solvers answers. They succeed on different queries, so engines try one after another.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The incremental core from the first query on: the quickest for series of small queries.
    #[default]
    Incremental,
    /// Z3's tactics for a query without scopes and assumptions, the incremental core after the first of those.
    OneShot,
    /// What Z3 has for a logic of SMT-LIB, such as `QF_BV`.
    Logic(String),
}

/// Starts Z3 solvers.
#[derive(Clone, Default, Debug)]
pub struct Z3Factory {
    config: Z3Config,
}

impl Z3Factory {
    /// A factory of solvers set up as `config` says.
    pub fn new(config: Z3Config) -> Z3Factory {
        Z3Factory { config }
    }
}

impl SolverFactory for Z3Factory {
    fn name(&self) -> &str {
        "z3"
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Z3Solver::new(&self.config, run)?))
    }
}

/// A solver of Z3. It stays on the thread that started it.
pub struct Z3Solver {
    raw: RawSolver,
    translator: Translator,
    run: Run,
    limit: QueryLimit,
    num_scopes: usize,
    /// Whether the scope of the assumptions of the last query is still open.
    has_temporary_scope: bool,
    /// The limit of steps that Z3 was last given, 0 for none.
    steps: u32,
}

impl Z3Solver {
    /// A solver without assertions, whose queries end when `run` must stop.
    pub fn new(config: &Z3Config, run: &Run) -> Result<Z3Solver, SolverError> {
        let context = Context::current()?;
        let kind = match &config.strategy {
            Strategy::Incremental => SolverKind::Simple,
            Strategy::OneShot => SolverKind::Combined,
            Strategy::Logic(logic) => SolverKind::Logic(logic.clone()),
        };
        Ok(Z3Solver {
            raw: RawSolver::new(&context, &kind)?,
            translator: Translator::new(&context),
            run: run.clone(),
            limit: QueryLimit::default(),
            num_scopes: 0,
            has_temporary_scope: false,
            steps: 0,
        })
    }

    /// Opens the temporary scope, unless literals are all that is assumed.
    fn open_temporary(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(), SolverError> {
        self.close_temporary()?;
        if !assumptions.iter().all(|formula| store.is_var_or_negation(*formula)) {
            self.raw.push()?;
            self.has_temporary_scope = true;
        }
        Ok(())
    }

    fn close_temporary(&mut self) -> Result<(), SolverError> {
        if self.has_temporary_scope {
            self.raw.pop()?;
            self.has_temporary_scope = false;
        }
        Ok(())
    }

    /// Asserts the assumptions that are not literals and gives the others, for a query without core.
    fn assume(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Vec<Term>, SolverError> {
        self.open_temporary(store, assumptions)?;
        let mut literals = Vec::new();
        for formula in assumptions {
            let term = self.formula(store, *formula)?;
            if store.is_var_or_negation(*formula) {
                literals.push(term);
            } else {
                self.raw.assert(&term)?;
            }
        }
        Ok(literals)
    }

    /// A literal for each assumption, for a query with core.
    fn assume_by_literals(
        &mut self,
        store: &Store,
        assumptions: &[ExprId],
    ) -> Result<Vec<Term>, SolverError> {
        self.open_temporary(store, assumptions)?;
        let context = self.raw.context().clone();
        let sort = context.bool_sort()?;
        let mut literals = Vec::with_capacity(assumptions.len());
        for formula in assumptions {
            let term = self.formula(store, *formula)?;
            if store.is_var_or_negation(*formula) {
                literals.push(term);
                continue;
            }
            // Names of variables end with `#` and a number, so this is none of them.
            let proxy = context.constant(&format!("assumed!{}", formula.index()), &sort)?;
            self.raw.assert(&context.binary(context.api().mk_implies, &proxy, &term)?)?;
            literals.push(proxy);
        }
        Ok(literals)
    }

    fn formula(&mut self, store: &Store, formula: ExprId) -> Result<Term, SolverError> {
        assert_eq!(store.sort(formula), Sort::Bool, "what is asserted or assumed should be a formula");
        self.translator.term(store, formula)
    }

    /// Asks Z3, with the watchdog of the run ready to interrupt it.
    fn ask(&mut self, assumptions: &[Term]) -> Result<Asked, SolverError> {
        let run = self.limit.time.map_or_else(|| self.run.clone(), |time| self.run.at_most(time));
        if run.checkpoint().is_err() {
            return Ok(Asked::Unknown(Reason::Interrupted));
        }
        self.limit_steps()?;
        let interrupter = self.raw.context().interrupter();
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let flag = is_interrupted.clone();
        let registration = run.on_cancel(move || {
            flag.store(true, Ordering::Relaxed);
            interrupter.interrupt();
        });
        let answer = self.raw.check(assumptions);
        drop(registration);
        if is_interrupted.load(Ordering::Relaxed) {
            RawSolver::settle(self.raw.context())?;
        }
        Ok(match answer? {
            Satisfiable::Yes => Asked::Sat,
            Satisfiable::No => Asked::Unsat,
            Satisfiable::Unknown(words) => Asked::Unknown(self.reason(&run, words)),
        })
    }

    fn limit_steps(&mut self) -> Result<(), SolverError> {
        let steps = self.limit.resources.map_or(0, |steps| u32::try_from(steps).unwrap_or(u32::MAX).max(1));
        if steps != self.steps {
            self.raw.limit_steps(steps)?;
            self.steps = steps;
        }
        Ok(())
    }

    /// Z3's words for an interruption and for a limit differ between its parts.
    fn reason(&self, run: &Run, words: String) -> Reason {
        let is_limit = ["cancel", "interrupt", "timeout", "resource"].iter().any(|part| words.contains(part));
        if is_limit || run.checkpoint().is_err() { Reason::Interrupted } else { Reason::Incomplete(words) }
    }

    fn valuation(&self) -> Valuation<'_> {
        Valuation::new(ModelSource::new(&self.raw, &self.translator))
    }
}

enum Asked {
    Sat,
    Unsat,
    Unknown(Reason),
}

impl Solver for Z3Solver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.close_temporary()?;
        self.raw.push()?;
        self.num_scopes += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        assert!(self.num_scopes > 0, "a scope should be open");
        self.close_temporary()?;
        self.raw.pop()?;
        self.num_scopes -= 1;
        Ok(())
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.close_temporary()?;
        let term = self.formula(store, formula)?;
        self.raw.assert(&term)
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        let literals = self.assume(store, assumptions)?;
        Ok(match self.ask(&literals)? {
            Asked::Sat => Answer::Sat(self.valuation()),
            Asked::Unsat => Answer::Unsat,
            Asked::Unknown(reason) => Answer::Unknown(reason),
        })
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.limit = limit;
    }
}

impl CoreSolver for Z3Solver {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        let literals = self.assume_by_literals(store, assumptions)?;
        Ok(match self.ask(&literals)? {
            Asked::Sat => CoreAnswer::Sat(self.valuation()),
            Asked::Unsat => CoreAnswer::Unsat(given(assumptions, &literals, &self.raw.core()?)),
            Asked::Unknown(reason) => CoreAnswer::Unknown(reason),
        })
    }
}

/// The assumptions whose literals are in the core, each once, in their order.
fn given(assumptions: &[ExprId], literals: &[Term], core: &[Term]) -> Vec<ExprId> {
    let core: FxHashSet<&Term> = core.iter().collect();
    let mut seen = FxHashSet::default();
    let mut is_needed =
        |(assumption, literal): &(&ExprId, &Term)| core.contains(literal) && seen.insert(**assumption);
    assumptions
        .iter()
        .zip(literals)
        .filter(|pair| is_needed(pair))
        .map(|(assumption, _)| *assumption)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_that_came_too_late_is_forgotten() {
        let mut solver = Z3Solver::new(&Z3Config::default(), &Run::unlimited()).unwrap();
        solver.raw.context().interrupter().interrupt();
        assert!(solver.push().is_err(), "without this, settling is not needed any more");
        RawSolver::settle(solver.raw.context()).unwrap();
        assert_eq!(solver.push(), Ok(()));
    }
}
