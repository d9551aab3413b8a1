//! Control: combines any data domain with the locations of an automaton.

use std::collections::BTreeMap;
use std::rc::Rc;

use thetis_base::{Run, Stop};
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, LocId};

use crate::abstractor::ArgOf;
use crate::analysis::{Analysis, Domain};
use crate::arg::Status;
use crate::program::{Action, Program};

/// How many states of one location are compared with each other to drop covered ones.
const MAX_COMPARED: usize = 5_000;

/// The analysis of an automaton with a data domain.
pub struct Located<'t, D: Domain<Action>> {
    task: &'t Task<Cfa>,
    program: Rc<Program>,
    domain: D,
    /// The precision at error locations, where it does not matter what holds.
    nothing: D::Precision,
}

/// A location with a data state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct At<S> {
    /// The location.
    pub location: LocId,
    /// The data state.
    pub data: S,
}

/// A precision for every location: one for all, or one for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Precisions<P> {
    /// The same everywhere.
    Global(P),
    /// One for each location; missing locations have the first.
    Local(P, BTreeMap<LocId, P>),
}

impl<P> Precisions<P> {
    /// The precision at `location`.
    pub fn at(&self, location: LocId) -> &P {
        match self {
            Precisions::Global(precision) => precision,
            Precisions::Local(default, by_location) => by_location.get(&location).unwrap_or(default),
        }
    }
}

impl<P: Clone> Precisions<P> {
    /// The precision at `location`, to be changed; a global one changes everywhere.
    pub fn at_mut(&mut self, location: LocId) -> &mut P {
        match self {
            Precisions::Global(precision) => precision,
            Precisions::Local(default, by_location) => {
                by_location.entry(location).or_insert_with(|| default.clone())
            }
        }
    }
}

impl<'t, D: Domain<Action>> Located<'t, D> {
    /// The analysis of the automaton of `task` with `domain`; `nothing` is the precision that tracks nothing.
    pub fn new(
        task: &'t Task<Cfa>,
        program: Rc<Program>,
        domain: D,
        nothing: D::Precision,
    ) -> Located<'t, D> {
        Located { task, program, domain, nothing }
    }

    /// The domain.
    pub fn domain(&self) -> &D {
        &self.domain
    }

    /// For each location the disjunction of the states of a complete graph; `false` where there are none. Locations from
    /// which no error location can be reached were not explored and have none.
    pub fn invariants(&mut self, arg: &ArgOf<Self>) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        let mut states: BTreeMap<LocId, Vec<&D::State>> =
            self.explored().map(|location| (location, Vec::new())).collect();
        for (_, node) in arg.iter().filter(|(_, node)| node.status() == Status::Expanded) {
            states.entry(node.state.location).and_modify(|here| here.push(&node.state.data));
        }
        let mut invariants = BTreeMap::new();
        for (location, here) in states {
            let formulas: Vec<ExprId> =
                self.most_general(here)?.into_iter().map(|state| self.domain.formula(state)).collect();
            invariants.insert(location, self.task.store.or_all(formulas));
        }
        Ok(invariants)
    }

    /// Some of `states` that cover all of them. States that came early may be covered by later ones.
    fn most_general<'s>(&mut self, states: Vec<&'s D::State>) -> Result<Vec<&'s D::State>, Stop> {
        if states.len() > MAX_COMPARED {
            return Ok(states);
        }
        let mut kept: Vec<&D::State> = Vec::new();
        'states: for state in states.into_iter().rev() {
            for other in &kept {
                if self.domain.covers(other, state)? {
                    continue 'states;
                }
            }
            kept.push(state);
        }
        kept.reverse();
        Ok(kept)
    }

    fn explored(&self) -> impl Iterator<Item = LocId> {
        let leads_to_error = |location: &LocId| self.program.distances[*location] != u32::MAX;
        self.task.model.locations.indices().filter(leads_to_error)
    }
}

impl<D: Domain<Action>> Analysis for Located<'_, D> {
    type State = At<D::State>;
    type Action = EdgeId;
    type Precision = Precisions<D::Precision>;

    fn initial(&mut self, _: &Self::Precision, _: &Run) -> Result<Vec<Self::State>, Stop> {
        Ok(vec![At { location: self.task.model.initial, data: self.domain.top() }])
    }

    fn actions(&self, state: &Self::State) -> Vec<EdgeId> {
        let leads_to_error =
            |edge: &&EdgeId| self.program.distances[self.program.actions[**edge].target] != u32::MAX;
        self.program.graph.outgoing(state.location).iter().filter(leads_to_error).copied().collect()
    }

    fn successors(
        &mut self,
        from: &Self::State,
        action: EdgeId,
        precision: &Self::Precision,
        run: &Run,
    ) -> Result<Vec<Self::State>, Stop> {
        let action = &self.program.actions[action];
        let is_error = self.task.model.is_error(action.target);
        let precision = if is_error { &self.nothing } else { precision.at(action.target) };
        let data = self.domain.successors(&from.data, action, precision, run)?;
        Ok(data.into_iter().map(|data| At { location: action.target, data }).collect())
    }

    fn covers(&mut self, general: &Self::State, special: &Self::State) -> Result<bool, Stop> {
        Ok(general.location == special.location && self.domain.covers(&general.data, &special.data)?)
    }

    fn key(&self, state: &Self::State) -> usize {
        state.location.index()
    }

    fn is_target(&self, state: &Self::State) -> bool {
        self.task.model.is_error(state.location)
    }

    fn distance(&self, state: &Self::State) -> u32 {
        self.program.distances[state.location]
    }
}
