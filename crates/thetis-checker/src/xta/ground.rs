//! What holds in a discrete state on the part of a run that counts for a question about liveness.
//!
//! The condition of that part must be one zone in each discrete state. Then a delay stays within it iff both of its ends do, and
//! the states that moves and delays reach within it are zones again.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_model::xta::{
    ClockEffect, ClockId, Difference, Discrete, Formula, Moves, Network, Participants, RuntimeError,
};

use super::super::CheckError;
use super::failed;
use super::stated::settled;
use super::zone::Zone;

/// A discrete state.
pub(super) struct Ground {
    pub(super) invariant: Vec<Difference>,
    /// The condition; `None` if it is false here.
    pub(super) along: Option<Vec<Difference>>,
    pub(super) is_frozen: bool,
}

/// A move.
pub(super) struct Passage {
    pub(super) participants: Participants,
    pub(super) guard: Vec<Difference>,
    pub(super) beyond: Result<Beyond, RuntimeError>,
}

/// Where a move leads.
pub(super) struct Beyond {
    pub(super) effects: Vec<ClockEffect>,
    pub(super) state: Discrete,
    pub(super) ground: Rc<Ground>,
}

/// The discrete states of a network, as far as they were needed.
pub(super) struct Grounds<'n> {
    along: &'n Formula,
    moves: Moves<'n>,
    known: FxHashMap<Discrete, Option<Rc<Ground>>>,
    /// All clocks; zones of this part are over all of them.
    pub(super) clocks: Rc<[ClockId]>,
}

impl<'n> Grounds<'n> {
    pub(super) fn new(network: &'n Network, along: &'n Formula) -> Grounds<'n> {
        let clocks = network.clocks.indices().collect();
        Grounds { along, moves: Moves::new(network), known: FxHashMap::default(), clocks }
    }

    /// What holds in `state`; `None` if its invariant is false whatever the clocks are.
    pub(super) fn at(&mut self, state: &Discrete) -> Result<Option<Rc<Ground>>, CheckError> {
        if let Some(known) = self.known.get(state) {
            return Ok(known.clone());
        }
        let ground = match self.moves.invariant(state).map_err(|error| failed(&error))? {
            Some(invariant) => Some(Rc::new(self.ground(state, invariant)?)),
            None => None,
        };
        self.known.insert(state.clone(), ground.clone());
        Ok(ground)
    }

    fn ground(&mut self, state: &Discrete, invariant: Vec<Difference>) -> Result<Ground, CheckError> {
        let is_frozen = self.moves.is_frozen(state).map_err(|error| failed(&error))?;
        let cases = self.along.cases(self.moves.machine_at(state)).map_err(|error| failed(&error))?;
        let along = match cases.as_slice() {
            [] => None,
            [case] if case.deadlock.is_none() => Some(case.differences.clone()),
            _ => return Err(CheckError::Undecided("the condition of the query is not one zone".into())),
        };
        Ok(Ground { invariant, along, is_frozen })
    }

    /// The moves of `state` whose targets have an invariant that can hold.
    pub(super) fn passages(&mut self, state: &Discrete) -> Result<Vec<Passage>, CheckError> {
        let situation = self.moves.situation(state).map_err(|error| failed(&error))?;
        let mut list = Vec::new();
        for step in situation.moves {
            let beyond = match self.moves.fire(state, &step.participants) {
                Ok((state, effects)) => match self.at(&state)? {
                    Some(ground) => Ok(Beyond { effects, state, ground }),
                    None => continue,
                },
                Err(error) => Err(error),
            };
            list.push(Passage { participants: step.participants, guard: step.guard, beyond });
        }
        Ok(list)
    }

    /// The ways to satisfy `formula` in `state`.
    pub(super) fn cases(
        &mut self,
        formula: &Formula,
        state: &Discrete,
    ) -> Result<Vec<Vec<Difference>>, CheckError> {
        let cases = formula.cases(self.moves.machine_at(state)).map_err(|error| failed(&error))?;
        if cases.iter().any(|case| case.deadlock.is_some()) {
            return Err(CheckError::Undecided("a question about liveness speaks of deadlocks".into()));
        }
        Ok(cases.into_iter().map(|case| case.differences).collect())
    }
}

impl Ground {
    /// The invariant and the condition; `None` if the condition is false.
    pub(super) fn within(&self) -> Option<Vec<Difference>> {
        let along = self.along.as_ref()?;
        Some(self.invariant.iter().chain(along).copied().collect())
    }

    /// The part of a zone within the condition, then with all delays within it.
    pub(super) fn entered(&self, zone: Zone) -> Option<Zone> {
        settled(zone, &self.within()?, self.is_frozen)
    }
}

impl Passage {
    /// The states from which the move is possible after a delay from `from`, into those of the target with `arrival`.
    pub(super) fn before(
        &self,
        from: &Ground,
        within: &[Difference],
        arrival: &[Difference],
        clocks: &Rc<[ClockId]>,
    ) -> Option<Zone> {
        let beyond = self.beyond.as_ref().ok()?;
        let mut zone = Zone::all(clocks.clone());
        let after: Vec<Difference> = arrival.iter().map(|one| one.before(&beyond.effects)).collect();
        let is_possible = zone.keep_all(within) && zone.keep_all(&self.guard) && zone.keep_all(&after);
        if !is_possible {
            return None;
        }
        if !from.is_frozen {
            zone.could_wait();
        }
        Some(zone)
    }
}
