//! Bounded model checking on control-flow automata.
//!
//! # Problem and method
//! Looks for a run to an error location that takes at most `k` back edges, for growing `k`. The automaton is unrolled
//! along its back edges (those of a depth-first search, [`Graph`]): round `k` has at most one copy of each location, for all
//! runs that arrive there after `k` back edges. So one formula covers all paths through a round, as in the bounded
//! model checking of programs (Clarke, Kroening, Lerda 2004) and unlike an unrolling by steps, where a location has
//! one copy per path length. `bound` always counts back edges.
//!
//! Terms flow along the edges by symbolic execution; where runs meet, a variable that differs gets a new version,
//! equal to its old term on the edge that was taken. Assumptions that fold to `false` cut the unrolling, so loops over
//! constants cost no query. All formulas are implications from "control is here" to "one of these edges was taken",
//! asserted once in one incremental context; a round asks whether control can be at an error location.
//!
//! **Lemmas.** Facts that others have found ([`Bmc::with_facts`]) can shorten the search, because the solver need not derive them round by
//! round. A fact may be wrong, so only the greatest inductive subset of the facts is asserted. It holds in every reachable state, so no run is
//! lost.
//!
//! **Loop by loop.** With [`Count::Loops`] every loop is unrolled separately ([`loops`]), to find violations after several
//! loops.
//!
//! # Answers
//! * `Unsafe` with the run read from the valuation.
//! * `Safe` with an unwinding certificate, when no run can take a further back edge: automata without loops, and loops
//!   that end after boundedly many rounds. The lemmas are part of it; the checker shows them again.
//! * `Unknown` at the configured bound.

mod copies;
mod loops;
mod search;
mod unrolling;

use std::collections::BTreeMap;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Event, Fact, Run, Share, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_expr::ExprId;
use thetis_model::cfa::{Cfa, Graph, LocId};
use thetis_model::{Reason, Task, Verdict};
use thetis_solver::{SolverError, SolverFactory};

use crate::kind::{LEMMA_SHARE, inductive_part, nothing_found, num_conjuncts};

use loops::{Bounds, LoopNest};
use search::search_loops;
pub(crate) use search::{Rounds, assert_all};
pub(crate) use unrolling::{Start, Unrolling};

/// Options of [`Bmc`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BmcConfig {
    /// The greatest number of back edges on a run of an automaton, of steps of a transition system.
    pub max_bound: u32,
    /// What is counted in an automaton: the back edges of a whole run, or the iterations of each loop.
    pub count: Count,
    /// The greatest number of copies of locations, if the rounds of each loop are counted.
    pub max_copies: usize,
}

/// What bounds count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// All back edges of a run, one more each time.
    #[default]
    Runs,
    /// The rounds of each loop, twice as many each time.
    Loops,
}

impl Default for BmcConfig {
    fn default() -> Self {
        BmcConfig { max_bound: 1_000_000, count: Count::Runs, max_copies: 30_000 }
    }
}

/// The formulas whose conjunction has a model iff a run with at most `bound` back edges reaches an error location.
pub fn unroll(task: &Task<Cfa>, bound: u32, run: &Run) -> Result<Vec<ExprId>, Stop> {
    let mut unrolling = Unrolling::new(task, Graph::towards_errors(&task.model), Start::Initially);
    let mut formulas = Vec::new();
    let mut at_error = Vec::new();
    for _ in 0..=bound {
        formulas.extend(unrolling.add_round(run)?);
        at_error.push(unrolling.at_error());
    }
    formulas.push(task.store.or_all(at_error));
    Ok(formulas)
}

/// The engine. See the [module](self).
pub struct Bmc {
    pub(crate) config: BmcConfig,
    pub(crate) solvers: Rc<dyn SolverFactory>,
    facts: Vec<Fact>,
    pub(crate) stats: BmcStats,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct BmcStats {
    pub(crate) rounds: u64,
    pub(crate) copies: u64,
    pub(crate) queries: u64,
    /// The formulas that hold at locations, if there were facts.
    pub(crate) lemmas: Option<u64>,
}

impl BmcStats {
    pub(crate) fn report(&self) -> Statistics {
        let statistics = Statistics::new("bmc")
            .count("rounds", self.rounds)
            .count("copies", self.copies)
            .count("queries", self.queries);
        match self.lemmas {
            Some(lemmas) => statistics.count("lemmas", lemmas),
            None => statistics,
        }
    }
}

impl Bmc {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "bmc",
        summary: "bounded model checking: unrolls loops round by round",
        answers: "unsafe; on automata also safe if every loop towards an error ends after a bounded number of rounds",
    };

    /// An engine that asks solvers of the given kind.
    pub fn new(config: BmcConfig, solvers: Rc<dyn SolverFactory>) -> Bmc {
        Bmc { config, solvers, facts: Vec::new(), stats: BmcStats::default() }
    }

    /// With facts about the automaton that shall be checked. Their inductive part becomes lemmas, so a wrong one does no
    /// harm.
    #[must_use]
    pub fn with_facts(mut self, facts: Vec<Fact>) -> Bmc {
        self.facts = facts;
        self
    }

    /// Unrolls every loop separately, twice as often each time.
    fn check_loops(&mut self, task: &Task<Cfa>, graph: &Graph, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let nest = LoopNest::new(&task.model, graph);
        let mut bound = 1;
        loop {
            let bounds = Bounds { rounds: bound, copies: self.config.max_copies };
            match search_loops(task, &nest, bounds, &*self.solvers, &mut self.stats, run) {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) => {}
                // Constants that grow from round to round can become too large for a solver.
                Err(Stop::Failed(error)) if matches!(error.downcast_ref(), Some(SolverError::Died(_))) => {
                    return Ok(Verdict::Unknown(Reason::Solver(error.to_string())));
                }
                Err(stop) => return Err(stop),
            }
            run.emit(Event::SafeUpTo(bound));
            if bound == self.config.max_bound {
                return Ok(Verdict::Unknown(Reason::Bound(bound)));
            }
            bound = bound.saturating_mul(2).min(self.config.max_bound);
        }
    }

    /// The inductive part of the facts, as far as it is found in the time for it.
    fn lemmas(&self, task: &Task<Cfa>, run: &Run) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        if self.facts.is_empty() {
            return Ok(BTreeMap::new());
        }
        let part = run.slice(Share::percent(LEMMA_SHARE));
        inductive_part(task, &self.facts, &*self.solvers, &part).or_else(|stop| nothing_found(stop, run))
    }
}

impl Engine<Cfa> for Bmc {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let graph = Graph::towards_errors(&task.model);
        if self.config.count == Count::Loops {
            return self.check_loops(task, &graph, run);
        }
        let lemmas = self.lemmas(task, run)?;
        let num_lemmas = (!self.facts.is_empty()).then(|| num_conjuncts(&task.store, &lemmas));
        let mut search = Rounds::new(task, graph, &*self.solvers, run)?.with_lemmas(lemmas);
        for bound in 0..=self.config.max_bound {
            let verdict = search.next_round(run);
            self.stats = BmcStats { lemmas: num_lemmas, ..search.stats() };
            if let Some(verdict) = verdict? {
                return Ok(verdict);
            }
            run.emit(Event::SafeUpTo(bound));
        }
        Ok(Verdict::Unknown(Reason::Bound(self.config.max_bound)))
    }

    fn statistics(&self) -> Statistics {
        self.stats.report()
    }
}
