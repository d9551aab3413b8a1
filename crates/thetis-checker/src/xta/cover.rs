//! Whether a set of symbolic states contains all reachable states and none of the target.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Run;
use thetis_model::Task;
use thetis_model::xta::symmetry::{self, Arrangement, Ties};
use thetis_model::xta::{
    ClockEffect, ClockId, Difference, Discrete, EdgeId, Formula, LiveMasks, Moves, Network, ProcessId,
    RuntimeError, Symmetry, TargetCase, XtaProof, ZoneGroup,
};

use super::super::CheckError;
use super::simulation::GroupBounds;
use super::stated::{check_shape, entries, is_in_union, is_stated, settled};
use super::zone::{Origins, Zone, origins};
use super::{failed, rejected};

/// A proof that is being checked.
struct Cover<'p> {
    proof: &'p XtaProof,
    grounds: Landings<'p>,
    /// The stated zones of each group, closed, if zones are compared up to bounds.
    closed: Vec<Vec<Zone>>,
    /// For each group, the units that differ only in their clocks, if units may be permuted.
    ties: Vec<Ties>,
}

/// Where moves can lead.
struct Landings<'p> {
    network: &'p Network,
    target: &'p Formula,
    moves: Moves<'p>,
    /// For each variable, whether its value is always given; `None` if all are.
    tracked: Option<Vec<bool>>,
    /// Which values are given by location; `None` if all are.
    live: Option<LiveMasks>,
    symmetries: &'p [Symmetry],
    /// The groups of the proof.
    by_state: FxHashMap<&'p Discrete, usize>,
    known: FxHashMap<Discrete, Option<Rc<Landing>>>,
}

/// A discrete state that a move leads to.
struct Landing {
    state: Discrete,
    invariant: Vec<Difference>,
    is_frozen: bool,
    /// How units are arranged before the group is looked for.
    turn: Option<Arrangement>,
    /// The group of the state.
    group: Option<usize>,
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
    landing: Rc<Landing>,
    /// Where the values of the place's clocks come from.
    origins: Origins,
    /// Where the clocks of the group are among those of the place.
    positions: Vec<usize>,
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
    let grounds = Landings::new(network, target, proof, by_state);
    let ties = |group: &ZoneGroup| network.ties(&proof.symmetries, &group.state, &group.clocks);
    let ties = match proof.symmetries.as_slice() {
        [] => Vec::new(),
        _ => proof.groups.iter().map(ties).collect(),
    };
    let mut cover = Cover { proof, grounds, closed: closed(proof)?, ties };
    cover.check_start()?;
    for number in 0..proof.groups.len() {
        let group = &proof.groups[number];
        let place = cover.place(number)?;
        for zone in group.zones.chunks_exact(group.zone_len()) {
            run.checkpoint()?;
            // Engines state closed zones, so zones are closed only if the check fails without that.
            let Some(stated) = place.zone(zone, Closing::Never) else { continue };
            if cover.check_zone(&place, &stated).is_ok() {
                continue;
            }
            let Some(closed) = place.zone(zone, Closing::First) else { continue };
            cover.check_zone(&place, &closed)?;
        }
    }
    Ok(())
}

/// The stated zones that are not empty, closed, if there are bounds up to which they are compared.
fn closed(proof: &XtaProof) -> Result<Vec<Vec<Zone>>, CheckError> {
    if proof.simulation.is_empty() {
        return Ok(Vec::new());
    }
    let fits = |(group, bounds): (&ZoneGroup, &Vec<_>)| group.clocks.len() == bounds.len();
    if proof.simulation.len() != proof.groups.len() || !proof.groups.iter().zip(&proof.simulation).all(fits) {
        return Err(rejected("the bounds do not fit the symbolic states".into()));
    }
    let zones = |group: &ZoneGroup| {
        let clocks: Rc<[ClockId]> = group.clocks.as_slice().into();
        let zones = group.zones.chunks_exact(group.zone_len());
        zones.filter_map(|stated| stated_zone(group, stated, clocks.clone())).collect()
    };
    Ok(proof.groups.iter().map(zones).collect())
}

/// A stated zone over `clocks`, closed; `None` if it is empty.
fn stated_zone(group: &ZoneGroup, stated: &[i32], clocks: Rc<[ClockId]>) -> Option<Zone> {
    let clock = |row: usize| row.checked_sub(1).map(|index| group.clocks[index]);
    let limits = entries(group, stated);
    Zone::within(clocks, limits.map(|(left, right, limit)| (clock(left), clock(right), limit)))
}

impl<'p> Landings<'p> {
    fn new(
        network: &'p Network,
        target: &'p Formula,
        proof: &'p XtaProof,
        by_state: FxHashMap<&'p Discrete, usize>,
    ) -> Landings<'p> {
        let tracked = proof.tracked.as_ref().map(|list| {
            let mut tracked = vec![false; network.variables.len()];
            for cell in list.iter().filter(|cell| (**cell as usize) < network.variables.len()) {
                tracked[*cell as usize] = true;
            }
            tracked
        });
        let live = proof.live.as_ref().map(|live| LiveMasks::new(network, live));
        let symmetries = proof.symmetries.as_slice();
        let (moves, known) = (Moves::new(network), FxHashMap::default());
        Landings { network, target, moves, tracked, live, symmetries, by_state, known }
    }

    /// The states that stand for `state`, without those whose invariant is false whatever the clocks are.
    fn of(&mut self, state: Discrete) -> Result<Vec<Rc<Landing>>, RuntimeError> {
        let parts = match &self.tracked {
            None => {
                let state = match &self.live {
                    Some(live) => live.without_dead(state),
                    None => state,
                };
                return Ok(self.at(state)?.into_iter().collect());
            }
            Some(tracked) => {
                let state = self.network.forgetting(&state, tracked);
                self.moves.told_apart(state, self.target)?
            }
        };
        let landings = parts.into_iter().map(|part| self.at(part));
        Ok(landings.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    fn at(&mut self, state: Discrete) -> Result<Option<Rc<Landing>>, RuntimeError> {
        if let Some(known) = self.known.get(&state) {
            return Ok(known.clone());
        }
        let landing = match self.moves.invariant(&state)? {
            Some(invariant) => {
                let is_frozen = self.moves.is_frozen(&state)?;
                let turn = self.network.arrangement(self.symmetries, &state);
                let group = match &turn {
                    Some(turn) => self.by_state.get(&self.network.arranged(self.symmetries, turn, &state)),
                    None => self.by_state.get(&state),
                };
                let group = group.copied();
                Some(Rc::new(Landing { state: state.clone(), invariant, is_frozen, turn, group }))
            }
            None => None,
        };
        self.known.insert(state, landing.clone());
        Ok(landing)
    }
}

impl<'p> Cover<'p> {
    /// The initial state with all delays must be covered.
    fn check_start(&mut self) -> Result<(), CheckError> {
        let network = self.grounds.network;
        let state = network.initial();
        let landings = self.grounds.of(state.clone()).map_err(|error| failed(&error))?;
        let landing = landings.iter().find(|landing| landing.state.stands_for(&state));
        let landing = landing.ok_or_else(|| rejected("the initial state violates an invariant".into()))?;
        let zone = Zone::origin(network.clocks.indices().collect());
        let zone = settled(zone, &landing.invariant, landing.is_frozen);
        let zone = zone.ok_or_else(|| rejected("the initial state violates an invariant".into()))?;
        // Nothing has to be arranged at the start, which is the same in all permutations.
        let group = if landing.turn.is_none() { landing.group } else { None };
        let is_covered = group.is_some_and(|group| {
            let positions = zone.positions(&self.proof.groups[group].clocks);
            self.is_covered(group, &positions, &zone)
        });
        if is_covered {
            return Ok(());
        }
        Err(rejected("the initial state is not covered".into()))
    }

    fn place(&mut self, number: usize) -> Result<Place<'p>, CheckError> {
        let group = &self.proof.groups[number];
        let state = &group.state;
        let moves = &mut self.grounds.moves;
        let situation = moves.situation(state).map_err(|error| failed(&error))?;
        let invariant = moves.invariant(state).map_err(|error| failed(&error))?;
        let invariant = invariant.ok_or_else(|| rejected("a symbolic state violates an invariant".into()))?;
        let cases = self.grounds.target.cases(moves.machine_at(state)).map_err(|error| failed(&error))?;
        if self.grounds.tracked.is_some() && cases.iter().any(|case| case.deadlock.is_some()) {
            return Err(rejected("a deadlock may depend on values that are left open".into()));
        }
        let mut steps = Vec::new();
        for step in situation.moves {
            let leg = |arrival| Leg { guard: step.guard.clone(), arrival };
            match self.arrivals(state, &step.participants) {
                Ok(arrivals) => steps.extend(arrivals.into_iter().map(|arrival| leg(Ok(arrival)))),
                Err(error) => steps.push(leg(Err(error))),
            }
        }
        let mut place =
            Place { group, invariant, is_frozen: situation.is_frozen, steps, cases, clocks: Rc::new([]) };
        place.clocks = self.clocks_of(&place);
        for arrival in place.steps.iter_mut().filter_map(|step| step.arrival.as_mut().ok()) {
            arrival.origins = origins(&place.clocks, &arrival.effects);
            arrival.positions = positions(&place.clocks, &self.clocks_for(arrival));
        }
        if let Some(bounds) = self.proof.simulation.get(number) {
            self.check_simulation(&place, GroupBounds::new(group, bounds))?;
        }
        Ok(place)
    }

    /// Where a move leads; nowhere if the invariant there is false whatever the clocks are.
    fn arrivals(
        &mut self,
        state: &Discrete,
        participants: &[(ProcessId, EdgeId)],
    ) -> Result<Vec<Arrival>, RuntimeError> {
        let (state, effects) = self.grounds.moves.fire(state, participants)?;
        let landings = self.grounds.of(state)?.into_iter();
        let arrival = |landing: Rc<Landing>| Arrival {
            effects: effects.clone(),
            landing,
            origins: Vec::new(),
            positions: Vec::new(),
        };
        Ok(landings.map(arrival).collect())
    }

    /// The clocks from which the clocks of the group that the move leads to get their values.
    fn clocks_for(&self, arrival: &Arrival) -> Vec<ClockId> {
        let Some(number) = arrival.landing.group else { return Vec::new() };
        let clocks = self.proof.groups[number].clocks.iter();
        match &arrival.landing.turn {
            Some(turn) => {
                let symmetries = &self.proof.symmetries;
                clocks.map(|clock| symmetry::source_of(symmetries, turn, *clock)).collect()
            }
            None => clocks.copied().collect(),
        }
    }

    /// What the simulation of states needs: see [`simulation`](super::simulation).
    fn check_simulation(&self, place: &Place<'_>, bounds: GroupBounds<'_>) -> Result<(), CheckError> {
        if place.cases.iter().any(|case| case.deadlock.is_some()) {
            return Err(rejected("a deadlock is compared up to bounds".into()));
        }
        let arrivals = || place.steps.iter().filter_map(|step| step.arrival.as_ref().ok());
        let here = place.invariant.iter().chain(place.steps.iter().flat_map(|step| &step.guard));
        let here = here.chain(place.cases.iter().flat_map(|case| &case.differences)).copied();
        let there = arrivals()
            .flat_map(|arrival| arrival.landing.invariant.iter().map(|one| one.before(&arrival.effects)));
        if !here.chain(there).all(|constraint| bounds.preserves(&constraint)) {
            return Err(rejected("a constraint lies beyond the bounds".into()));
        }
        let grows = arrivals().any(|arrival| {
            arrival.landing.group.is_some_and(|number| {
                let next = GroupBounds::new(&self.proof.groups[number], &self.proof.simulation[number]);
                !bounds.suffices_for(next, &arrival.effects)
            })
        });
        if grows { Err(rejected("a move leads to larger bounds".into())) } else { Ok(()) }
    }

    /// The clocks of the group, of all constraints, and of the groups that moves lead to.
    fn clocks_of(&self, place: &Place<'_>) -> Rc<[ClockId]> {
        let constraints = place.invariant.iter().chain(place.steps.iter().flat_map(|step| &step.guard));
        let arrivals = || place.steps.iter().filter_map(|step| step.arrival.as_ref().ok());
        let constraints = constraints.chain(arrivals().flat_map(|arrival| &arrival.landing.invariant));
        let constraints = constraints.chain(place.cases.iter().flat_map(|case| &case.differences));
        let mentioned = constraints.flat_map(|one| [one.left, one.right]).flatten();
        let needed = arrivals().flat_map(|arrival| self.clocks_for(arrival));
        let mut is_needed = vec![false; self.grounds.network.clocks.len()];
        let all = place.group.clocks.iter().copied().chain(mentioned).chain(needed);
        all.for_each(|clock| is_needed[clock.index()] = true);
        self.grounds.network.clocks.indices().filter(|clock| is_needed[clock.index()]).collect()
    }

    fn check_zone(&self, place: &Place<'_>, zone: &Zone) -> Result<(), CheckError> {
        self.check_moves(place, zone)?;
        place.check_target(zone)
    }

    fn check_moves(&self, place: &Place<'_>, zone: &Zone) -> Result<(), CheckError> {
        for step in &place.steps {
            let Some(before) = step.before(zone) else { continue };
            let arrival = step.arrival.as_ref().map_err(failed)?;
            let (invariant, is_frozen) = (&arrival.landing.invariant, arrival.landing.is_frozen);
            let Some(zone) = settled(before.moved(&arrival.origins), invariant, is_frozen) else { continue };
            let group = arrival.landing.group;
            if !group.is_some_and(|group| self.is_covered(group, &arrival.positions, &zone)) {
                return Err(rejected("a move leads out of the symbolic states".into()));
            }
        }
        Ok(())
    }

    /// Whether the stated zones of a group, whose clocks have these positions, cover `zone`: one of them or all together.
    fn is_covered(&self, number: usize, positions: &[usize], zone: &Zone) -> bool {
        let group = &self.proof.groups[number];
        let sorted = self.ties.get(number).and_then(|ties| sorted(ties, zone, positions));
        let positions = sorted.as_deref().unwrap_or(positions);
        let mut stated = group.zones.chunks_exact(group.zone_len());
        if stated.any(|stated| is_stated(zone, positions, stated)) {
            return true;
        }
        match self.proof.simulation.get(number) {
            // If the clocks have other positions, only single zones are considered.
            _ if !self.ties.is_empty() => false,
            Some(bounds) => {
                let bounds = GroupBounds::new(group, bounds);
                self.closed[number].iter().any(|stated| bounds.simulates(zone, positions, stated))
            }
            None => is_in_union(group, zone),
        }
    }
}

impl Leg {
    /// The values of `zone` with which the move is possible; `None` if there are none.
    fn before<'z>(&self, zone: &'z Zone) -> Option<Cow<'z, Zone>> {
        if self.guard.is_empty() {
            return Some(Cow::Borrowed(zone));
        }
        if !zone.meets_each(&self.guard) {
            return None;
        }
        let mut zone = zone.clone();
        zone.keep_all(&self.guard).then_some(Cow::Owned(zone))
    }
}

/// The positions after units that differ only in their clocks have been sorted; `None` if they are sorted
/// already.
fn sorted(ties: &Ties, zone: &Zone, positions: &[usize]) -> Option<Vec<usize>> {
    if ties.is_empty() {
        return None;
    }
    let rows =
        ties.rows(positions.len(), |left, right| zone.limit(positions[left], positions[right]).entry());
    rows.map(|rows| rows.iter().map(|row| positions[*row]).collect())
}

/// Where `clocks` are in a zone over `all`; position 0 is zero.
fn positions(all: &[ClockId], clocks: &[ClockId]) -> Vec<usize> {
    let position = |clock: &ClockId| all.binary_search(clock).map_or(0, |position| position + 1);
    std::iter::once(0).chain(clocks.iter().map(position)).collect()
}

/// Whether a zone is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// Before it is used.
    First,
    /// Never: it is used as stated.
    Never,
}

impl Place<'_> {
    /// A stated zone within the invariant; `None` if it is seen to be empty. All operations on zones are sound for zones that are not
    /// closed, too, but their results may be too large.
    fn zone(&self, stated: &[i32], closing: Closing) -> Option<Zone> {
        let mut zone = match closing {
            Closing::First => stated_zone(self.group, stated, self.clocks.clone())?,
            Closing::Never => {
                let clock = |row: usize| row.checked_sub(1).map(|index| self.group.clocks[index]);
                let limits = entries(self.group, stated);
                let limits = limits.map(|(left, right, limit)| (clock(left), clock(right), limit));
                Zone::unclosed(self.clocks.clone(), limits)
            }
        };
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
                arrival.landing.invariant.iter().map(|one| one.before(&arrival.effects)).collect();
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
