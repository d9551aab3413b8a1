//! The part of a net that a solution vector uses, in flat local numbers, with its marking.
//!
//! Only transitions that the vector lets fire count, and only places they touch. All numbers are checked to fit before
//! a search, so that firing is plain addition.

use thetis_model::petri::{Arc, Net, PlaceId, TransitionId};

use super::constraints::Vector;

/// A local transition.
pub(super) struct LocalTransition {
    pub(super) id: TransitionId,
    pub(super) inputs: Vec<(usize, i64)>,
    pub(super) inhibitors: Vec<(usize, i64)>,
    pub(super) effect: Vec<(usize, i64)>,
}

/// A local place, with the local transitions around it.
#[derive(Default)]
pub(super) struct LocalPlace {
    /// Those that need tokens here.
    pub(super) consumers: Vec<usize>,
    /// Those that leave fewer tokens here.
    pub(super) decreasers: Vec<usize>,
    /// Those that leave more tokens here.
    pub(super) increasers: Vec<usize>,
    /// Those that tokens here inhibit.
    pub(super) inhibited: Vec<usize>,
    /// The most tokens that a consumer needs beyond what it takes away.
    reserve: i64,
}

/// The subnet and its state.
pub(super) struct Subnet {
    pub(super) transitions: Vec<LocalTransition>,
    pub(super) places: Vec<LocalPlace>,
    /// Tokens on each place.
    pub(super) tokens: Vec<i64>,
    /// How often each transition may still fire.
    pub(super) left: Vec<u64>,
    /// Tokens on each place minus all that the transitions may still take away.
    slack: Vec<i64>,
}

impl Subnet {
    /// The subnet of `vector` in the initial marking; `None` if the numbers are too large to count with.
    pub(super) fn new(net: &Net, vector: &Vector) -> Option<Subnet> {
        let support: Vec<TransitionId> = net.transition_ids().filter(|t| vector[t.index()] > 0).collect();
        let mut numbers = Numbering::new(net);
        let transitions: Vec<LocalTransition> =
            support.iter().map(|t| local_transition(net, *t, &mut numbers)).collect();
        let left: Vec<u64> = support.iter().map(|t| vector[t.index()]).collect();
        let places = local_places(numbers.used.len(), &transitions);
        let tokens: Vec<i64> = numbers.used.iter().map(|place| net.places()[*place].initial as i64).collect();
        let mut subnet = Subnet { slack: tokens.clone(), transitions, places, tokens, left };
        subnet.is_countable().then(|| {
            subnet.reserve_tokens();
            subnet
        })
    }

    /// Whether `transition` may fire now.
    pub(super) fn is_enabled(&self, transition: usize) -> bool {
        let local = &self.transitions[transition];
        self.left[transition] > 0
            && local.inputs.iter().all(|(place, weight)| self.tokens[*place] >= *weight)
            && local.inhibitors.iter().all(|(place, weight)| self.tokens[*place] < *weight)
    }

    /// Whether no transition can ever miss tokens on `place` again, in whatever order the rest fires.
    pub(super) fn is_abundant(&self, place: usize) -> bool {
        self.slack[place] >= self.places[place].reserve
    }

    /// Fires `transition` this many times.
    pub(super) fn fire(&mut self, transition: usize, count: u64) {
        self.left[transition] -= count;
        for (place, delta) in &self.transitions[transition].effect {
            self.tokens[*place] += delta * count as i64;
            self.slack[*place] += (*delta).max(0) * count as i64;
        }
    }

    /// Takes back what [`Subnet::fire`] did.
    pub(super) fn undo(&mut self, transition: usize, count: u64) {
        self.left[transition] += count;
        for (place, delta) in &self.transitions[transition].effect {
            self.tokens[*place] -= delta * count as i64;
            self.slack[*place] -= (*delta).max(0) * count as i64;
        }
    }

    /// How often `transition`, which is enabled, can fire in succession.
    pub(super) fn longest_row(&self, transition: usize) -> u64 {
        let local = &self.transitions[transition];
        let mut count = self.left[transition];
        for (place, delta) in &local.effect {
            let needed = local.inputs.iter().find(|(p, _)| p == place);
            if let Some((_, weight)) = needed.filter(|_| *delta < 0) {
                count = count.min(((self.tokens[*place] - weight) / -delta) as u64 + 1);
            }
            let inhibiting = local.inhibitors.iter().find(|(p, _)| p == place);
            if let Some((_, weight)) = inhibiting.filter(|_| *delta > 0) {
                count = count.min(((weight - 1 - self.tokens[*place]) / delta) as u64 + 1);
            }
        }
        count
    }

    /// Whether no count can leave 62 bits, whatever fires.
    fn is_countable(&self) -> bool {
        let mut extent: Vec<i128> = self.tokens.iter().map(|tokens| i128::from(*tokens)).collect();
        for (local, left) in self.transitions.iter().zip(&self.left) {
            for (place, delta) in &local.effect {
                let moved = i128::from(delta.unsigned_abs()) * i128::from(*left);
                extent[*place] = extent[*place].saturating_add(moved);
            }
        }
        extent.iter().all(|extent| *extent < 1 << 62) && self.left.iter().all(|left| *left < 1 << 62)
    }

    fn reserve_tokens(&mut self) {
        for (local, left) in self.transitions.iter().zip(&self.left) {
            for (place, delta) in &local.effect {
                self.slack[*place] -= (-delta).max(0) * *left as i64;
            }
            for (place, weight) in &local.inputs {
                let taken = local.effect.iter().find(|(p, _)| p == place).map_or(0, |(_, d)| (-d).max(0));
                let reserve = &mut self.places[*place].reserve;
                *reserve = (*reserve).max(weight - taken);
            }
        }
    }
}

/// Gives places their local numbers.
struct Numbering {
    local: Vec<usize>,
    used: Vec<PlaceId>,
}

impl Numbering {
    fn new(net: &Net) -> Numbering {
        Numbering { local: vec![usize::MAX; net.places().len()], used: Vec::new() }
    }

    fn local(&mut self, place: PlaceId) -> usize {
        let number = &mut self.local[place.index()];
        if *number == usize::MAX {
            *number = self.used.len();
            self.used.push(place);
        }
        *number
    }
}

fn local_transition(net: &Net, id: TransitionId, numbers: &mut Numbering) -> LocalTransition {
    let mut arcs =
        |arcs: &[Arc]| arcs.iter().map(|arc| (numbers.local(arc.place), arc.weight as i64)).collect();
    let (inputs, inhibitors) = (arcs(net.inputs(id)), arcs(net.inhibitors(id)));
    let effect = net.effect(id).iter().map(|change| (numbers.local(change.place), change.delta)).collect();
    LocalTransition { id, inputs, inhibitors, effect }
}

fn local_places(num_places: usize, transitions: &[LocalTransition]) -> Vec<LocalPlace> {
    let mut places: Vec<LocalPlace> = Vec::new();
    places.resize_with(num_places, LocalPlace::default);
    for (number, local) in transitions.iter().enumerate() {
        local.inputs.iter().for_each(|(place, _)| places[*place].consumers.push(number));
        local.inhibitors.iter().for_each(|(place, _)| places[*place].inhibited.push(number));
        for (place, delta) in &local.effect {
            let list =
                if *delta < 0 { &mut places[*place].decreasers } else { &mut places[*place].increasers };
            list.push(number);
        }
    }
    places
}
