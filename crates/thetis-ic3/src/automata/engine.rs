//! The engine around the search.

use std::collections::BTreeMap;
use std::rc::Rc;

use thetis_base::{Fact, Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_model::cfa::{Cfa, CfaProof, LocId};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::SolverFactory;

use super::questions::End;
use super::search::{Found, LocalFrameSearch};
use super::stats::CfaIc3Stats;
use crate::config::Ic3Config;

/// IC3 on control-flow automata over variables of any sort. The method is described in the module `automata`.
pub struct CfaIc3 {
    config: Ic3Config,
    solvers: Rc<dyn SolverFactory>,
    facts: Vec<Fact>,
    invariants: BTreeMap<LocId, ExprId>,
    reports: Reports,
    stats: CfaIc3Stats,
}

/// Whether an undecided engine reports what it has learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reports {
    /// As [facts](Fact).
    Facts,
    /// It does not.
    Nothing,
}

impl CfaIc3 {
    /// An engine; the configuration must be free of [conflicts](Ic3Config::conflict).
    pub fn new(config: Ic3Config, solvers: Rc<dyn SolverFactory>) -> CfaIc3 {
        let (facts, invariants, stats) = (Vec::new(), BTreeMap::new(), CfaIc3Stats::default());
        CfaIc3 { config, solvers, facts, invariants, reports: Reports::Nothing, stats }
    }

    /// Tries facts of other engines as lemmas in the frames.
    #[must_use]
    pub fn with_facts(self, facts: Vec<Fact>) -> CfaIc3 {
        CfaIc3 { facts, ..self }
    }

    /// Relies on formulas that are inductive together, terms in the store of the next task. They become part of the
    /// proof, so the checker detects a wrong one.
    pub fn rely_on(&mut self, invariants: BTreeMap<LocId, ExprId>) {
        self.invariants = invariants;
    }

    /// Sets whether an undecided run reports what it has learned.
    #[must_use]
    pub fn reporting(self, reports: Reports) -> CfaIc3 {
        CfaIc3 { reports, ..self }
    }
}

impl Engine<Cfa> for CfaIc3 {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let mut search = LocalFrameSearch::new(task, &self.config, self.solvers.clone(), run);
        search.questions.rely_on(&self.invariants);
        search.count_cycles();
        let found = search.use_facts(&self.facts).and_then(|()| search.find());
        self.stats = search.questions.stats.clone();
        search.report_frames();
        if found.is_err() && self.reports == Reports::Facts {
            search.report_predicates(run);
        }
        match found {
            Ok(Found::Run(trace)) => Ok(Verdict::Unsafe(Evidence::Given(trace))),
            Ok(Found::Invariant(level)) => {
                let mut formulas = search.frames.formulas(task, level);
                for (location, invariant) in &self.invariants {
                    let formula = formulas.entry(*location).or_insert_with(|| task.store.tru());
                    *formula = task.store.and(*formula, *invariant);
                }
                formulas.extend(task.model.errors.iter().map(|error| (*error, task.store.fals())));
                Ok(Verdict::Safe(Evidence::Given(CfaProof::invariants(formulas))))
            }
            Err(End::Undecided(words)) => Ok(Verdict::Unknown(Reason::Solver(words))),
            Err(End::Stop(stop)) => Err(stop),
        }
    }

    fn statistics(&self) -> Statistics {
        self.stats.report()
    }
}
