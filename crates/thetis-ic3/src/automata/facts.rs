//! Facts of other engines as lemmas, and frames as facts for other engines.
//!
//! The negation of a formula that may hold at a location, or that is worth distinguishing there, becomes cubes, which
//! are tried at level 1 like any cube. Nothing is trusted: a cube that can be reached there is dropped, and the others
//! must be propagated from level to level, where lemmas support each other. The frames of a stopped search are not
//! invariants, but their clauses separate states that must be distinguished.

use thetis_base::{Event, Fact, Run};
use thetis_expr::simplify::simplify;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::known_predicates;

use super::cube::Cube;
use super::questions::End;
use super::search::{Entry, LocalFrameSearch};

/// How many clauses are passed on.
const MAX_TOLD: usize = 200;

/// Clauses with more literals are not passed on.
const MAX_LITERALS: usize = 4;

impl LocalFrameSearch<'_> {
    /// Excludes at level 1 the states that `facts` exclude, as far as they are unreachable there.
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
