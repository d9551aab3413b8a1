//! What others know as lemmas, and what frames are worth to others.
//!
//! A formula that should hold at a location, or may be worth distinguishing there, becomes cubes, its negation, that are tried at
//! level 1 like any cube. Nothing is believed: what does not hold there is dropped, and what holds has to be propagated from level to
//! level, where lemmas support each other. The frames of a search that was stopped are no invariants, but their clauses separate states that have to be distinguished.

use thetis_base::{Event, Fact, Run};
use thetis_expr::simplify::simplify;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::known_predicates;

use super::cube::Cube;
use super::questions::End;
use super::search::{Entry, LocalFrameSearch};

/// How many clauses are passed on.
const MAX_TOLD: usize = 200;

/// Clauses with more literals are of no help to anybody.
const MAX_LITERALS: usize = 4;

impl LocalFrameSearch<'_> {
    /// Excludes at level 1 what `facts` exclude, as far as it cannot be reached there.
    pub(super) fn use_facts(&mut self, facts: &[Fact]) -> Result<(), End> {
        let store = &self.task.store;
        let cfa = &self.task.model;
        self.frames.open(1);
        for (location, formula) in known_predicates(self.task, facts) {
            let Some(location) = location.filter(|at| *at != cfa.initial && !cfa.is_error(*at)) else {
                continue;
            };
            let excluded = simplify(store, store.not(formula));
            let cube = Cube::new(store.conjuncts(excluded));
            if let Entry::Unreached(_) = self.entry(1, location, &cube)? {
                self.questions.stats.lemmas += 1;
                self.exclude(1, location, cube)?;
            }
        }
        Ok(())
    }

    /// Reports the clauses of the frames as predicates, those of the highest levels first.
    pub(super) fn report_predicates(&self, run: &Run) {
        let store = &self.task.store;
        let mut clauses = Vec::new();
        for location in self.task.model.locations.indices() {
            let small = self.frames.excluded(1, location).filter(|(_, cube)| cube.len() <= MAX_LITERALS);
            clauses.extend(small.map(|(level, cube)| (level, location, cube.clause(store))));
        }
        clauses.sort_by(|one, other| other.cmp(one));
        for (_, location, clause) in clauses.into_iter().take(MAX_TOLD) {
            let location = Some(self.task.model.locations[location].name.clone());
            let formula = print_term(store, clause, Dialect::Thetis);
            run.emit(Event::Fact(Fact::Predicate { location, formula }));
        }
    }
}
