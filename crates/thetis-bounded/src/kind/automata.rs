//! k-induction on control-flow automata.
//!
//! # Problem and method
//! Runs are counted by the back edges they take, as in [bounded model checking](crate::bmc). For `k = 0, 1, 2, …`:
//! * **Base.** No run with at most `k` back edges reaches an error location. This is a round of bounded model checking; it
//!   may find a violation, or show that no run continues.
//! * **Step.** No run from wherever a back edge leads to, with any values that the lemmas allow, takes exactly `k` back
//!   edges and ends at an error location. The induction hypothesis, that it does not reach an error location earlier,
//!   needs no formula, because no edge leaves error locations.
//!
//! A run that takes more than `k` back edges to an error location would end in such a run. So base and step together are a
//! proof. The targets of back edges cut every cycle, so runs have to start only there: the method treats locations
//! explicitly, and no formula encodes them.
//!
//! The step has an incremental context and an unrolling of its own. Round `k` is appended to round `k - 1`, so that a step costs
//! one round and one query; nothing is asserted twice. The base cannot share them as it does on transition systems: its
//! unrolling starts from the initial location, where constants fold.
//!
//! # Lemmas
//! The step knows nothing about how the loop was entered. [`super::lemmas`] finds formulas that hold at all times
//! and exclude unreachable starts.
//!
//! # What is missing
//! A run that refutes the step starts in a state that the lemmas allow. If the automaton never gets there, an invariant of the
//! location where the run starts would have excluded it. Where others listen, these locations are reported, so that an engine that
//! finds invariants can concentrate on them.
//!
//! # Where we differ
//! Simple paths are not offered here: a state of an automaton repeats only if all its variables do, and after the pass
//! `slice` their absence is no evidence about the original automaton.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{Event, Fact, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaUnwinding, Graph, LocId, LongRuns, known_invariants,
};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{Answer, CoreSolver};

use super::lemmas::Lemmas;
use super::{Kind, KindStats, LEMMA_SHARE, candidates, nothing_found, num_conjuncts};
use crate::bmc::{Rounds, Start, Unrolling, assert_all};

impl Engine<Cfa> for Kind {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        self.stats = KindStats::default();
        let graph = Graph::towards_errors(&task.model);
        let mut base = Rounds::new(task, graph, &*self.solvers, run)?;
        let mut step = self.start_step(task, BTreeMap::new(), run)?;
        for k in 0..=self.config.max_k {
            self.stats.k = u64::from(k);
            let verdict = base.next_round(run);
            self.stats.base_queries = base.stats().queries;
            if let Some(verdict) = verdict? {
                return Ok(verdict);
            }
            run.emit(Event::SafeUpTo(k));
            let mut is_inductive = step.next_round(&mut self.stats, run)?;
            if k == 0 && !is_inductive && !self.facts.is_empty() {
                // The facts of others are often enough; then no further lemmas are needed.
                let lemmas = self.known_lemmas(task, run)?;
                step = self.start_step(task, lemmas, run)?;
                is_inductive = step.next_round(&mut self.stats, run)?;
            }
            if k == 0 && !is_inductive {
                // Most proofs that need no lemmas need no history either, so lemmas are looked for only now.
                let lemmas = self.find_lemmas(task, run)?;
                step = self.start_step(task, lemmas, run)?;
                is_inductive = step.next_round(&mut self.stats, run)?;
            }
            if is_inductive {
                return Ok(Verdict::Safe(Evidence::Given(step.proof(k))));
            }
            if self.has_listeners {
                step.report_wanted(run);
            }
        }
        Ok(Verdict::Unknown(Reason::Bound(self.config.max_k)))
    }

    fn statistics(&self) -> Statistics {
        self.stats.report_with_lemmas()
    }
}

impl Kind {
    fn start_step<'t>(
        &mut self,
        task: &'t Task<Cfa>,
        lemmas: BTreeMap<LocId, ExprId>,
        run: &Run,
    ) -> Result<Step<'t>, Stop> {
        self.stats.lemmas = num_conjuncts(&task.store, &lemmas);
        let graph = Graph::towards_errors(&task.model);
        let unrolling = Unrolling::new(task, graph, Start::AfterBackEdges).with_lemmas(lemmas.clone());
        let (refuted_from, reported) = (None, BTreeSet::new());
        Ok(Step { task, solver: self.solvers.start(run)?, unrolling, lemmas, refuted_from, reported })
    }

    /// The lemmas that are found in the time for them. A search that is interrupted has found nothing, because the
    /// remaining candidates need not hold.
    fn find_lemmas(&mut self, task: &Task<Cfa>, run: &Run) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        let part = run.slice(Share::percent(LEMMA_SHARE));
        let candidates = match candidates::of(task, &self.config, &self.facts, &*self.solvers, &part) {
            Ok(candidates) => candidates,
            Err(stop) => return nothing_found(stop, run),
        };
        self.lemmas_among(task, candidates, &part).or_else(|stop| nothing_found(stop, run))
    }

    /// The lemmas among the invariants that others have found out.
    fn known_lemmas(&mut self, task: &Task<Cfa>, run: &Run) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        let part = run.slice(Share::percent(LEMMA_SHARE));
        let invariants = known_invariants(task, &self.facts).into_iter();
        let candidates = invariants.map(|(at, formula)| (at, task.store.conjuncts(formula))).collect();
        self.lemmas_among(task, candidates, &part).or_else(|stop| nothing_found(stop, run))
    }

    fn lemmas_among(
        &mut self,
        task: &Task<Cfa>,
        candidates: BTreeMap<LocId, Vec<ExprId>>,
        run: &Run,
    ) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        self.stats.candidates = candidates.values().map(|formulas| formulas.len() as u64).sum();
        let mut lemmas = Lemmas::new(task, candidates, &*self.solvers, run)?;
        let outcome = lemmas.weaken(run);
        self.stats.lemma_queries += lemmas.num_queries();
        outcome?;
        let formulas = lemmas.formulas();
        if self.has_listeners {
            report(task, &formulas, run);
        }
        Ok(formulas)
    }
}

/// Reports lemmas, which are invariants, one conjunct at a time.
fn report(task: &Task<Cfa>, lemmas: &BTreeMap<LocId, ExprId>, run: &Run) {
    for (location, lemma) in lemmas {
        for conjunct in task.store.conjuncts(*lemma) {
            let location = task.model.locations[*location].name.clone();
            let formula = print_term(&task.store, conjunct, Dialect::Thetis);
            run.emit(Event::Fact(Fact::Invariant { location, formula }));
        }
    }
}

/// The step, unrolled so far.
struct Step<'t> {
    task: &'t Task<Cfa>,
    solver: Box<dyn CoreSolver>,
    unrolling: Unrolling<'t>,
    lemmas: BTreeMap<LocId, ExprId>,
    /// Where the run starts that refuted the last round.
    refuted_from: Option<LocId>,
    /// The locations that have been reported as wanted.
    reported: BTreeSet<LocId>,
}

impl Step<'_> {
    /// Whether the step holds for one more back edge (the first call: for none). If the solver cannot decide,
    /// the step does not hold.
    fn next_round(&mut self, stats: &mut KindStats, run: &Run) -> Result<bool, Stop> {
        let store = &self.task.store;
        let constraints = self.unrolling.add_round(run)?;
        assert_all(&mut *self.solver, store, constraints, run)?;
        let at_error = self.unrolling.at_error();
        if at_error == store.fals() {
            return Ok(true);
        }
        stats.step_queries += 1;
        let (is_inductive, refuted_from) = match self.solver.check(store, &[at_error])? {
            Answer::Unsat => (true, None),
            Answer::Sat(valuation) => (false, self.unrolling.start_of(&valuation)?),
            Answer::Unknown(_) => (false, None),
        };
        self.refuted_from = refuted_from;
        run.checkpoint()?;
        Ok(is_inductive)
    }

    /// Reports the location where the run starts that refuted the last round, once.
    fn report_wanted(&mut self, run: &Run) {
        let new = self.refuted_from.filter(|location| self.reported.insert(*location));
        if let Some(location) = new {
            let location = self.task.model.locations[location].name.clone();
            run.emit(Event::Fact(Fact::Wanted { location }));
        }
    }

    fn proof(&self, k: u32) -> CfaProof {
        CfaProof::Unwinding(CfaUnwinding {
            bound: k,
            cuts: Graph::towards_errors(&self.task.model).back_edges().collect(),
            long_runs: LongRuns::Inductive,
            lemmas: CfaInvariants { formulas: self.lemmas.clone(), ..CfaInvariants::default() },
        })
    }
}
