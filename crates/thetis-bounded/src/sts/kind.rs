//! k-induction on transition systems; the method is described in [`crate::kind`].

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_expr::{ExprId, Sort};
use thetis_model::sts::{Paths, Sts, StsProof};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{Answer, CoreSolver};

use super::path::{Path, Start};
use crate::kind::{Kind, KindStats};

impl Engine<Sts> for Kind {
    fn check(&mut self, task: &Task<Sts>, run: &Run) -> Result<Verdict<Sts>, Stop> {
        self.stats = KindStats::default();
        let mut induction = Induction::new(self, task, run)?;
        for k in 0..=induction.kind.config.max_k {
            run.checkpoint()?;
            induction.kind.stats.k = u64::from(k);
            if let Some(verdict) = induction.try_k(run)? {
                return Ok(verdict);
            }
            run.emit(Event::SafeUpTo(k));
            induction.extend()?;
        }
        Ok(Verdict::Unknown(Reason::Bound(induction.kind.config.max_k)))
    }

    fn statistics(&self) -> Statistics {
        self.stats.report()
    }
}

struct Induction<'a> {
    kind: &'a mut Kind,
    task: &'a Task<Sts>,
    solver: Box<dyn CoreSolver>,
    path: Path<'a>,
    /// Implies that the path starts in an initial state.
    starts_initially: ExprId,
    lemma: ExprId,
}

impl<'a> Induction<'a> {
    fn new(kind: &'a mut Kind, task: &'a Task<Sts>, run: &Run) -> Result<Induction<'a>, Stop> {
        let store = &task.store;
        let solver = kind.solvers.start(run)?;
        let lemma = store.and_all(kind.lemmas.iter().copied());
        let (path, _) = Path::new(task, Start::Anywhere);
        let starts_initially = store.var_expr(store.declare_fresh("initial", Sort::Bool));
        let mut induction = Induction { kind, task, solver, path, starts_initially, lemma };
        for conjunct in induction.path.conjuncts(task.model.init) {
            induction.solver.assert(store, store.implies(starts_initially, conjunct))?;
        }
        induction.assert_step()?;
        Ok(induction)
    }

    /// Checks the step and, if it fails, the base. `None`: continue with a longer path.
    fn try_k(&mut self, run: &Run) -> Result<Option<Verdict<Sts>>, Stop> {
        let store = &self.task.store;
        let bad = self.path.at_last(self.task.model.bad);
        self.kind.stats.step_queries += 1;
        let is_inductive = matches!(self.solver.check(store, &[bad])?, Answer::Unsat);
        if is_inductive {
            return Ok(Some(Verdict::Safe(Evidence::Given(self.proof()))));
        }
        run.checkpoint()?;
        self.kind.stats.base_queries += 1;
        match self.solver.check(store, &[self.starts_initially, bad])? {
            Answer::Sat(valuation) => {
                return Ok(Some(Verdict::Unsafe(Evidence::Given(self.path.trace(&valuation)?))));
            }
            Answer::Unsat => {}
            Answer::Unknown(reason) => {
                run.checkpoint()?;
                return Ok(Some(Verdict::Unknown(Reason::Solver(reason.to_string()))));
            }
        }
        self.solver.assert(store, store.not(bad))?;
        Ok(None)
    }

    fn proof(&self) -> StsProof {
        let paths = if self.kind.config.simple_paths { Paths::Simple } else { Paths::All };
        StsProof::KInductive { k: self.path.last_step(), lemma: self.lemma, paths }
    }

    fn extend(&mut self) -> Result<(), Stop> {
        for relation in self.path.extend() {
            self.solver.assert(&self.task.store, relation)?;
        }
        self.assert_step()
    }

    /// Asserts what holds of the last step of every path.
    fn assert_step(&mut self) -> Result<(), Stop> {
        let store = &self.task.store;
        for formula in [self.task.model.constraint, self.lemma] {
            for conjunct in self.path.conjuncts(formula) {
                self.solver.assert(store, conjunct)?;
            }
        }
        if self.kind.config.simple_paths {
            let last = self.path.last_step();
            for earlier in 0..last {
                let states = self.path.state(earlier).iter().zip(self.path.state(last));
                let differ = store.or_all(states.map(|(one, other)| store.ne(*one, *other)));
                self.solver.assert(store, differ)?;
            }
        }
        Ok(())
    }
}
