//! Abstraction refinement that uses what others know, and reports what it knows when it has no answer.
//!
//! A run that is stopped, by a time limit, by its monitor or by a prediction, still has a precision. The graph of that precision is
//! completed within the time reserved for it; the invariants of the complete graph and the predicates are passed on as facts (Imeri
//! 2025, Algorithms 2 and 4). If the graph cannot be completed in time, there are no invariants: an incomplete graph says nothing.
//! Invariants that say nothing or too much are left out, and those of loop heads come first. If an earlier engine has said where it
//! knows too little, only the invariants of these locations can be passed on.

use std::collections::BTreeSet;

use thetis_base::{Event, Fact, Run, Share, Statistics, Stop};
use thetis_cegar::{Cegar, Facts, TrackedAt};
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::{Cfa, Graph, LocId, known_predicates, wanted_locations};
use thetis_model::{Task, Verdict};

use crate::portfolio::UseOfFacts;

/// How an engine works together with others.
#[derive(Clone, Default, Debug)]
pub struct Cooperation {
    /// What others have found out.
    pub facts: Vec<Fact>,
    /// What is done with it.
    pub use_of_facts: UseOfFacts,
    /// Whether the engine reports what it finds out itself.
    pub reports_facts: bool,
}

/// The engine. See the [module](self).
pub struct Cooperating {
    cegar: Cegar,
    cooperation: Cooperation,
}

/// The part of the time in which an answer is looked for.
const SEARCH_SHARE: u32 = 75;

/// Invariants with more nodes are of no help to anybody.
const MAX_SIZE: usize = 400;

/// How many invariants are passed on.
const MAX_INVARIANTS: usize = 200;

impl Cooperating {
    /// `cegar` in `cooperation` with others.
    pub fn new(cegar: Cegar, cooperation: Cooperation) -> Cooperating {
        Cooperating { cegar, cooperation }
    }
}

impl Engine<Cfa> for Cooperating {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        if self.cooperation.use_of_facts == UseOfFacts::Predicates {
            self.cegar.start_from(tracked(task, &self.cooperation.facts));
        }
        if !self.cooperation.reports_facts {
            return self.cegar.check(task, run);
        }
        self.cegar.want(wanted_locations(task, &self.cooperation.facts));
        let outcome = self.cegar.check(task, &run.slice(Share::percent(SEARCH_SHARE)));
        if matches!(outcome, Ok(Verdict::Unknown(_)) | Err(Stop::OutOfTime)) {
            let facts = self.cegar.facts(task, run)?;
            facts_of(task, &facts).into_iter().for_each(|fact| run.emit(Event::Fact(fact)));
        }
        outcome
    }

    fn statistics(&self) -> Statistics {
        self.cegar.statistics()
    }
}

/// What is worth tracking because of `facts`.
fn tracked(task: &Task<Cfa>, facts: &[Fact]) -> TrackedAt {
    let mut tracked = TrackedAt::default();
    for (location, predicate) in known_predicates(task, facts) {
        let place = match location {
            None => &mut tracked.everywhere,
            Some(location) => tracked.at.entry(location).or_default(),
        };
        place.predicates.insert(predicate);
    }
    tracked
}

/// The facts as text, the most useful ones first.
fn facts_of(task: &Task<Cfa>, facts: &Facts) -> Vec<Fact> {
    let text = |formula: ExprId| print_term(&task.store, formula, Dialect::Thetis);
    let name = |location: LocId| task.model.locations[location].name.clone();
    let graph = Graph::new(&task.model);
    let heads: BTreeSet<LocId> = graph.back_edges().map(|edge| task.model.edges[edge].target).collect();
    let mut invariants: Vec<(LocId, ExprId)> =
        facts.invariants.iter().flatten().map(|(at, f)| (*at, *f)).collect();
    invariants.retain(|(_, formula)| *formula != task.store.tru() && task.store.size(*formula) <= MAX_SIZE);
    invariants.sort_by_key(|(location, _)| !heads.contains(location));
    let invariants = invariants.into_iter().take(MAX_INVARIANTS);
    let invariants =
        invariants.map(|(at, formula)| Fact::Invariant { location: name(at), formula: text(formula) });
    let everywhere = facts.tracked.everywhere.predicates.iter();
    let everywhere = everywhere.map(|formula| Fact::Predicate { location: None, formula: text(*formula) });
    let local = facts.tracked.at.iter().flat_map(|(at, tracked)| {
        tracked
            .predicates
            .iter()
            .map(|formula| Fact::Predicate { location: Some(name(*at)), formula: text(*formula) })
    });
    invariants.chain(everywhere).chain(local).collect()
}
