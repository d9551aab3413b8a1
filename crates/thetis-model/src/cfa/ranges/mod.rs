//! Ranges of variables: an interval analysis of automata, and the pass that uses it.
//!
//! [`RangeMap::new`] finds for every location which integers, bit-vectors and constants a variable can be there. It asks no
//! solver and knows no relation between variables. Its results are facts for engines and the basis of [`Ranges`],
//! the pass that simplifies an automaton by them; nobody has to trust them, because they become part of the
//! proof that the checker sees.

mod bits;
mod eval;
mod fixpoint;
mod havocs;
mod interval;
mod pass;
mod range;
mod refine;
mod state;

use std::rc::Rc;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, VarId};

use eval::Positions;
use state::State;

use super::{Cfa, LocId};
use crate::Task;

pub use bits::BitsRange;
pub use interval::Interval;
pub use pass::Ranges;
pub use range::Range;

/// What the analysis knows about each location of an automaton.
#[derive(Clone, Debug)]
pub struct RangeMap {
    vars: Vec<VarId>,
    positions: Rc<Positions>,
    states: IndexVec<LocId, Option<State>>,
}

impl RangeMap {
    /// Analyses the automaton of `task`.
    pub fn new(task: &Task<Cfa>, run: &Run) -> Result<RangeMap, Stop> {
        let vars = task.model.vars.clone();
        let positions: Positions = vars.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        let states = fixpoint::states(task, &positions, run)?;
        Ok(RangeMap { vars, positions: Rc::new(positions), states })
    }

    /// Whether a run may arrive at `location`, as far as ranges tell.
    pub fn is_reachable(&self, location: LocId) -> bool {
        self.states[location].is_some()
    }

    /// The values that `var` may have at `location`; `None` if no run arrives there.
    pub fn range(&self, store: &Store, location: LocId, var: VarId) -> Option<Range> {
        let state = self.states[location].as_ref()?;
        let known = self.positions.get(&var).and_then(|position| state.get(*position));
        Some(known.map_or_else(|| Range::all(store.var_sort(var)), |range| (**range).clone()))
    }

    /// What is known at `location`, as one formula for each variable; only `false` if no run arrives there.
    pub fn facts(&self, store: &Store, location: LocId) -> Vec<ExprId> {
        self.facts_about(store, location, |_| true)
    }

    /// The facts about those variables that `is_wanted` accepts.
    pub fn facts_about(
        &self,
        store: &Store,
        location: LocId,
        is_wanted: impl Fn(VarId) -> bool,
    ) -> Vec<ExprId> {
        let Some(state) = &self.states[location] else { return vec![store.fals()] };
        let wanted = state.known().filter(|(position, _)| is_wanted(self.vars[*position]));
        wanted.map(|(position, range)| self.fact(store, position, range)).collect()
    }

    /// The facts about the variables at `positions`, which may be far fewer than those of which something is known.
    fn facts_at(
        &self,
        store: &Store,
        location: LocId,
        positions: impl Iterator<Item = usize>,
    ) -> Vec<ExprId> {
        let Some(state) = &self.states[location] else { return vec![store.fals()] };
        let known = positions.filter_map(|position| Some((position, state.get(position)?)));
        known.map(|(position, range)| self.fact(store, position, range)).collect()
    }

    fn fact(&self, store: &Store, position: usize, range: &Range) -> ExprId {
        range.formula(store, store.var_expr(self.vars[position]))
    }
}
