//! Whether a set of symbolic states contains all reachable states and none of the target.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Run;
use thetis_model::Task;
use thetis_model::xta::{
    ClockEffect, ClockId, Difference, Discrete, EdgeId, Formula, Moves, Network, ProcessId, RuntimeError,
    TargetCase, XtaProof, ZoneGroup,
};

use super::super::CheckError;
use super::stated::{check_shape, entries, is_in_union, is_stated, settled};
use super::zone::Zone;
use super::{failed, rejected};

/// A proof that is being checked.
struct Cover<'p> {
    network: &'p Network,
    proof: &'p XtaProof,
    by_state: FxHashMap<&'p Discrete, usize>,
    moves: Moves<'p>,
}

/// A discrete state with what can happen in it.
struct Place<'p> {
    group: &'p ZoneGroup,
    invariant: Vec<Difference>,
    is_frozen: bool,
    steps: Vec<Leg>,
    cases: Vec<TargetCase>,
    /// All clocks that anything here speaks of.
    clocks: Rc<[ClockId]>,
}

/// A move, and where it leads.
struct Leg {
    guard: Vec<Difference>,
    arrival: Result<Arrival, RuntimeError>,
}

/// Where a move leads.
struct Arrival {
    effects: Vec<ClockEffect>,
    state: Discrete,
    invariant: Vec<Difference>,
    is_frozen: bool,
}

/// Accepts `proof` iff it covers everything and contains no state of `target`.
pub(super) fn check(
    task: &Task<Network>,
    target: &Formula,
    proof: &XtaProof,
    run: &Run,
) -> Result<(), CheckError> {
    let network = &task.model;
    let mut by_state = FxHashMap::default();
    for (number, group) in proof.groups.iter().enumerate() {
        check_shape(network, group)?;
        if by_state.insert(&group.state, number).is_some() {
            return Err(rejected("a discrete state occurs twice".into()));
        }
    }
    let mut cover = Cover { network, proof, by_state, moves: Moves::new(network) };
    cover.check_start()?;
    for group in &proof.groups {
        let place = cover.place(group, target)?;
        for zone in group.zones.chunks_exact(group.zone_len()) {
            run.checkpoint()?;
            let Some(zone) = place.zone(zone) else { continue };
            cover.check_moves(&place, &zone)?;
            place.check_target(&zone)?;
        }
    }
    Ok(())
}

impl<'p> Cover<'p> {
    /// The initial state with all delays must be covered.
    fn check_start(&mut self) -> Result<(), CheckError> {
        let state = self.network.initial();
        let invariant = self.moves.invariant(&state).map_err(|error| failed(&error))?;
        let invariant =
            invariant.ok_or_else(|| rejected("the initial state violates an invariant".into()))?;
        let is_frozen = self.moves.situation(&state).map_err(|error| failed(&error))?.is_frozen;
        let zone = Zone::origin(self.network.clocks.indices().collect());
        let zone = settled(zone, &invariant, is_frozen);
        let zone = zone.ok_or_else(|| rejected("the initial state violates an invariant".into()))?;
        if self.is_covered(&state, &zone) {
            return Ok(());
        }
        Err(rejected("the initial state is not covered".into()))
    }

    fn place(&mut self, group: &'p ZoneGroup, target: &Formula) -> Result<Place<'p>, CheckError> {
        let state = &group.state;
        let situation = self.moves.situation(state).map_err(|error| failed(&error))?;
        let invariant = self.moves.invariant(state).map_err(|error| failed(&error))?;
        let invariant = invariant.ok_or_else(|| rejected("a symbolic state violates an invariant".into()))?;
        let cases = target.cases(self.moves.machine_at(state)).map_err(|error| failed(&error))?;
        let mut steps = Vec::new();
        for step in situation.moves {
            let arrival = self.arrival(state, &step.participants);
            if let Some(arrival) = arrival.transpose() {
                steps.push(Leg { guard: step.guard, arrival });
            }
        }
        let mut place =
            Place { group, invariant, is_frozen: situation.is_frozen, steps, cases, clocks: Rc::new([]) };
        place.clocks = self.clocks_of(&place);
        Ok(place)
    }

    /// Where a move leads; nowhere if the invariant there is false whatever the clocks are.
    fn arrival(
        &mut self,
        state: &Discrete,
        participants: &[(ProcessId, EdgeId)],
    ) -> Result<Option<Arrival>, RuntimeError> {
        let (state, effects) = self.moves.fire(state, participants)?;
        let Some(invariant) = self.moves.invariant(&state)? else { return Ok(None) };
        let is_frozen = self.moves.situation(&state)?.is_frozen;
        Ok(Some(Arrival { effects, state, invariant, is_frozen }))
    }

    /// The clocks of the group, of all constraints, and of the groups that moves lead to.
    fn clocks_of(&self, place: &Place<'_>) -> Rc<[ClockId]> {
        let constraints = place.invariant.iter().chain(place.steps.iter().flat_map(|step| &step.guard));
        let arrivals = || place.steps.iter().filter_map(|step| step.arrival.as_ref().ok());
        let constraints = constraints.chain(arrivals().flat_map(|arrival| &arrival.invariant));
        let constraints = constraints.chain(place.cases.iter().flat_map(|case| &case.differences));
        let mentioned = constraints.flat_map(|one| [one.left, one.right]).flatten();
        let targets = arrivals().filter_map(|arrival| self.by_state.get(&arrival.state));
        let needed = targets.flat_map(|number| self.proof.groups[*number].clocks.iter().copied());
        let mut clocks: Vec<ClockId> =
            place.group.clocks.iter().copied().chain(mentioned).chain(needed).collect();
        clocks.sort_unstable();
        clocks.dedup();
        clocks.into()
    }

    fn check_moves(&self, place: &Place<'_>, zone: &Zone) -> Result<(), CheckError> {
        for step in &place.steps {
            let mut zone = zone.clone();
            if !zone.keep_all(&step.guard) {
                continue;
            }
            let arrival = step.arrival.as_ref().map_err(failed)?;
            let zone = zone.after(&arrival.effects);
            let Some(zone) = settled(zone, &arrival.invariant, arrival.is_frozen) else { continue };
            if !self.is_covered(&arrival.state, &zone) {
                return Err(rejected("a move leads out of the symbolic states".into()));
            }
        }
        Ok(())
    }

    /// Whether the stated zones of `state` contain `zone`, one of them or all together.
    fn is_covered(&self, state: &Discrete, zone: &Zone) -> bool {
        let Some(number) = self.by_state.get(state) else { return false };
        let group = &self.proof.groups[*number];
        let positions = zone.positions(&group.clocks);
        let mut stated = group.zones.chunks_exact(group.zone_len());
        stated.any(|stated| is_stated(zone, &positions, group, stated)) || is_in_union(group, zone)
    }
}

impl Place<'_> {
    /// A stated zone within the invariant, closed; `None` if it is empty.
    fn zone(&self, stated: &[i32]) -> Option<Zone> {
        let clock = |row: usize| row.checked_sub(1).map(|index| self.group.clocks[index]);
        let limits = entries(self.group, stated);
        let limits = limits.map(|(left, right, limit)| (clock(left), clock(right), limit));
        let mut zone = Zone::within(self.clocks.clone(), limits)?;
        zone.keep_all(&self.invariant).then_some(zone)
    }

    fn check_target(&self, zone: &Zone) -> Result<(), CheckError> {
        for case in &self.cases {
            let mut part = zone.clone();
            if !part.keep_all(&case.differences) {
                continue;
            }
            let is_excluded = match case.deadlock {
                None => false,
                Some(true) => part.is_covered(&self.moving(&part)),
                Some(false) => self.moving(&part).is_empty(),
            };
            if !is_excluded {
                return Err(rejected("a symbolic state contains a state of the target".into()));
            }
        }
        Ok(())
    }

    /// For each move, the values of `zone` from which it is possible, now or after a delay.
    fn moving(&self, zone: &Zone) -> Vec<Zone> {
        let possible = |step: &Leg| {
            let mut before = Zone::all(self.clocks.clone());
            let arrival = step.arrival.as_ref().ok()?;
            let after: Vec<Difference> =
                arrival.invariant.iter().map(|one| one.before(&arrival.effects)).collect();
            let is_possible =
                before.keep_all(&self.invariant) && before.keep_all(&step.guard) && before.keep_all(&after);
            if !is_possible {
                return None;
            }
            if !self.is_frozen {
                before.could_wait();
            }
            zone.meet(&before)
        };
        self.steps.iter().filter_map(possible).collect()
    }
}
