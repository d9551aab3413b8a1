//! k-induction.
//!
//! # Problem and method
//! A property that holds need not be inductive by itself, but it may follow from the `k` preceding steps: if none of
//! the first `k` steps of a run is bad (the base), and a step that follows `k` consecutive steps that are not bad is
//! not bad either (the step), then no step is bad. The engine tries `k = 0, 1, 2, …` (Sheeran, Singh, Stålmarck
//! 2000).
//!
//! This page is about transition systems; [`automata`] describes what is different for control-flow automata.
//!
//! One incremental context holds a single path of steps that starts anywhere. All its assertions are valid for both base
//! and step: the constraint, the lemmas, the relation between steps, and that the steps so far are not bad. The step asks
//! whether the last one can be bad; the base asks the same under the assumption that the first state is initial. So both
//! share what the solver has learned, and the base is checked only where the step has failed.
//!
//! # Options
//! **Simple paths**: the states of the path are assumed to be different. A shortest run to a bad step repeats no state, so
//! this loses nothing, and for finite systems the step succeeds eventually. It costs a formula for each pair of states.
//! **Lemmas** ([`Kind::with_lemmas`]) are formulas that hold in all reachable states and are inductive together. They make
//! the step succeed earlier; the checker proves them again. On automata the engine looks for lemmas on its own, and also
//! among the facts that others have found ([`Kind::with_facts`]).
//!
//! # Where we differ
//! The path of the base is not computed from the initial values, since it is also the path of the step. To look only
//! for violations, use `bmc`.

mod automata;
mod candidates;
mod equalities;
mod lemmas;
mod strides;
mod written;

use std::collections::BTreeMap;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Fact, Run, Statistics, Stop};
use thetis_engine::EngineInfo;
use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, LocId, known_invariants};
use thetis_solver::SolverFactory;

/// Options of [`Kind`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct KindConfig {
    /// The greatest `k`.
    pub max_k: u32,
    /// Whether paths may be assumed to repeat no state. Only for transition systems.
    pub simple_paths: bool,
    /// Whether the ranges of variables are candidates for lemmas. Only for automata.
    pub ranges: bool,
    /// Whether the comparisons in the text of the model are candidates for lemmas. Only for automata.
    pub guesses: bool,
    /// Whether equalities between integers are inferred as lemmas: linear ones, also modulo powers of two and over
    /// terms that occur. Only for automata.
    pub equalities: bool,
}

impl Default for KindConfig {
    fn default() -> Self {
        KindConfig { max_k: 1_000_000, simple_paths: false, ranges: true, guesses: true, equalities: true }
    }
}

/// The engine. See the [module](self).
pub struct Kind {
    pub(crate) config: KindConfig,
    pub(crate) solvers: Rc<dyn SolverFactory>,
    pub(crate) lemmas: Vec<ExprId>,
    pub(crate) facts: Vec<Fact>,
    /// Whether lemmas are reported.
    pub(crate) has_listeners: bool,
    pub(crate) stats: KindStats,
}

#[derive(Default)]
pub(crate) struct KindStats {
    pub(crate) k: u64,
    pub(crate) base_queries: u64,
    pub(crate) step_queries: u64,
    pub(crate) candidates: u64,
    pub(crate) lemmas: u64,
    pub(crate) lemma_queries: u64,
}

impl KindStats {
    pub(crate) fn report(&self) -> Statistics {
        Statistics::new("kind")
            .count("k", self.k)
            .count("base-queries", self.base_queries)
            .count("step-queries", self.step_queries)
    }

    pub(crate) fn report_with_lemmas(&self) -> Statistics {
        self.report()
            .count("candidates", self.candidates)
            .count("lemmas", self.lemmas)
            .count("lemma-queries", self.lemma_queries)
    }
}

impl Kind {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "kind",
        summary: "k-induction: proves that a step after k good steps is good",
        answers: "unsafe; safe if the property follows from a bounded number of rounds or steps, with lemmas",
    };

    /// An engine that asks solvers of the given kind.
    pub fn new(config: KindConfig, solvers: Rc<dyn SolverFactory>) -> Kind {
        let (lemmas, facts, stats) = (Vec::new(), Vec::new(), KindStats::default());
        Kind { config, solvers, lemmas, facts, has_listeners: false, stats }
    }

    /// With formulas over the variables of the system that will be checked, as terms of its store. Together, they must
    /// hold in all initial states and be preserved by every step; otherwise a proof that uses them will be rejected.
    #[must_use]
    pub fn with_lemmas(mut self, lemmas: Vec<ExprId>) -> Kind {
        self.lemmas = lemmas;
        self
    }

    /// With facts about the automaton that shall be checked. Their inductive part becomes lemmas, so a wrong one does no
    /// harm.
    #[must_use]
    pub fn with_facts(mut self, facts: Vec<Fact>) -> Kind {
        self.facts = facts;
        self
    }

    /// The same, reporting facts about automata as soon as they are found: lemmas, and the locations where lemmas are missing.
    #[must_use]
    pub fn reporting_facts(mut self) -> Kind {
        self.has_listeners = true;
        self
    }
}

/// The greatest inductive part of the invariants among `facts`: it holds initially, and every edge preserves it.
pub fn inductive_part(
    task: &Task<Cfa>,
    facts: &[Fact],
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<BTreeMap<LocId, ExprId>, Stop> {
    let invariants = known_invariants(task, facts);
    let candidates = invariants.into_iter().map(|(at, formula)| (at, task.store.conjuncts(formula)));
    let mut lemmas = lemmas::Lemmas::new(task, candidates.collect(), solvers, run)?;
    lemmas.weaken(run)?;
    Ok(lemmas.formulas())
}

/// The part of the time in which lemmas are looked for.
pub(crate) const LEMMA_SHARE: u32 = 30;

/// No lemmas, if only the time for finding them is used up and not that of the run.
pub(crate) fn nothing_found(stop: Stop, run: &Run) -> Result<BTreeMap<LocId, ExprId>, Stop> {
    match stop {
        Stop::OutOfTime => run.checkpoint().map(|()| BTreeMap::new()),
        other => Err(other),
    }
}

/// How many formulas `lemmas` consist of.
pub(crate) fn num_conjuncts(store: &Store, lemmas: &BTreeMap<LocId, ExprId>) -> u64 {
    lemmas.values().map(|lemma| store.conjuncts(*lemma).len() as u64).sum()
}
