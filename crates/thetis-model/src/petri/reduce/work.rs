//! A net that rules can change.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::IndexVec;

use super::super::{Arc, Net, NetBuilder, PlaceId, Predicate, TransitionId};
use super::target::{Substitute, mark_places, substituted};

/// Weights by place.
pub(super) type Weights = BTreeMap<PlaceId, u64>;

pub(super) struct Work {
    pub(super) places: IndexVec<PlaceId, WorkPlace>,
    pub(super) transitions: IndexVec<TransitionId, WorkTransition>,
    target: Predicate,
    /// Which places the target mentions.
    is_visible: Vec<bool>,
}

pub(super) struct WorkPlace {
    pub(super) is_kept: bool,
    pub(super) initial: u64,
    /// The transitions with any arc to the place.
    neighbours: BTreeSet<TransitionId>,
}

#[derive(Clone)]
pub(super) struct WorkTransition {
    pub(super) is_kept: bool,
    pub(super) inputs: Weights,
    pub(super) outputs: Weights,
    pub(super) inhibitors: Weights,
    /// The original transitions that it stands for, in the order of firing.
    pub(super) sequence: Vec<TransitionId>,
}

impl WorkTransition {
    /// What a firing does to `place`.
    pub(super) fn delta(&self, place: PlaceId) -> i128 {
        let weight = |weights: &Weights| i128::from(weights.get(&place).copied().unwrap_or(0));
        weight(&self.outputs) - weight(&self.inputs)
    }

    /// The places that a firing changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = (PlaceId, i128)> {
        let places: BTreeSet<PlaceId> = self.inputs.keys().chain(self.outputs.keys()).copied().collect();
        places.into_iter().map(|place| (place, self.delta(place))).filter(|(_, delta)| *delta != 0)
    }
}

impl Work {
    /// All of `net`, with a target over places.
    pub(super) fn new(net: &Net, target: Predicate) -> Work {
        let weights = |arcs: &[Arc]| arcs.iter().map(|arc| (arc.place, arc.weight)).collect::<Weights>();
        let place = |place: &super::super::Place| WorkPlace {
            is_kept: true,
            initial: place.initial,
            neighbours: BTreeSet::new(),
        };
        let mut work = Work {
            places: net.places().iter().map(place).collect(),
            transitions: IndexVec::new(),
            target: Predicate::Constant(false),
            is_visible: Vec::new(),
        };
        for id in net.transition_ids() {
            work.add_transition(WorkTransition {
                is_kept: true,
                inputs: weights(net.inputs(id)),
                outputs: weights(net.outputs(id)),
                inhibitors: weights(net.inhibitors(id)),
                sequence: vec![id],
            });
        }
        work.set_target(target);
        work
    }

    pub(super) fn place_ids(&self) -> Vec<PlaceId> {
        self.places.indices().filter(|place| self.places[*place].is_kept).collect()
    }

    pub(super) fn transition_ids(&self) -> Vec<TransitionId> {
        self.transitions.indices().filter(|transition| self.transitions[*transition].is_kept).collect()
    }

    pub(super) fn is_visible(&self, place: PlaceId) -> bool {
        self.is_visible[place.index()]
    }

    /// The kept transitions with any arc to `place`, ascending.
    pub(super) fn neighbours(&self, place: PlaceId) -> impl Iterator<Item = (TransitionId, &WorkTransition)> {
        self.places[place].neighbours.iter().map(|id| (*id, &self.transitions[*id]))
    }

    pub(super) fn consumers(&self, place: PlaceId) -> impl Iterator<Item = (TransitionId, &WorkTransition)> {
        self.neighbours(place).filter(move |(_, transition)| transition.inputs.contains_key(&place))
    }

    pub(super) fn producers(&self, place: PlaceId) -> impl Iterator<Item = (TransitionId, &WorkTransition)> {
        self.neighbours(place).filter(move |(_, transition)| transition.outputs.contains_key(&place))
    }

    /// Whether an inhibitor arc starts at `place`.
    pub(super) fn inhibits(&self, place: PlaceId) -> bool {
        self.neighbours(place).any(|(_, transition)| transition.inhibitors.contains_key(&place))
    }

    pub(super) fn add_transition(&mut self, transition: WorkTransition) {
        let touched: Vec<PlaceId> = [&transition.inputs, &transition.outputs, &transition.inhibitors]
            .into_iter()
            .flat_map(|w| w.keys())
            .copied()
            .collect();
        let id = self.transitions.push(transition);
        for place in touched {
            self.places[place].neighbours.insert(id);
        }
    }

    pub(super) fn remove_transition(&mut self, id: TransitionId) {
        let transition = &mut self.transitions[id];
        transition.is_kept = false;
        let weights = [&transition.inputs, &transition.outputs, &transition.inhibitors];
        for place in weights.into_iter().flat_map(|weights| weights.keys()) {
            self.places[*place].neighbours.remove(&id);
        }
    }

    /// Removes `place` with its arcs.
    pub(super) fn remove_place(&mut self, place: PlaceId) {
        let neighbours = std::mem::take(&mut self.places[place].neighbours);
        for id in neighbours {
            let transition = &mut self.transitions[id];
            transition.inputs.remove(&place);
            transition.outputs.remove(&place);
            transition.inhibitors.remove(&place);
        }
        self.places[place].is_kept = false;
    }

    /// Writes the substitute in the target; `false`, and nothing changed, if a number does not fit.
    pub(super) fn substitute(&mut self, substitute: Substitute) -> bool {
        if !self.is_visible(substitute.place) {
            return true;
        }
        match substituted(&self.target, substitute) {
            Some(target) => {
                self.set_target(target);
                true
            }
            None => false,
        }
    }

    fn set_target(&mut self, target: Predicate) {
        self.is_visible = vec![false; self.places.len()];
        mark_places(&target, &mut self.is_visible);
        self.target = target;
    }

    /// The reduced net, the target over it, and what each of its transitions stands for.
    pub(super) fn finish(self, net: &Net) -> (Net, Predicate, IndexVec<TransitionId, Vec<TransitionId>>) {
        let mut builder = NetBuilder::new(net.name());
        let mut new_places = BTreeMap::new();
        for place in self.place_ids() {
            new_places.insert(place, builder.add_place(net.places()[place].clone()));
        }
        let mut sequences = IndexVec::new();
        for id in self.transition_ids() {
            let transition = &self.transitions[id];
            let parts: Vec<&str> =
                transition.sequence.iter().map(|one| net.transitions()[*one].name.as_str()).collect();
            let span = net.transitions()[transition.sequence[0]].span;
            let new =
                builder.add_transition(super::super::Transition { name: parts.join("."), label: None, span });
            transition
                .inputs
                .iter()
                .for_each(|(place, weight)| builder.input(new, new_places[place], *weight));
            transition
                .outputs
                .iter()
                .for_each(|(place, weight)| builder.output(new, new_places[place], *weight));
            transition
                .inhibitors
                .iter()
                .for_each(|(place, weight)| builder.inhibitor(new, new_places[place], *weight));
            sequences.push(transition.sequence.clone());
        }
        let model = builder.build().expect("reduced nets should be well-formed");
        (model, renamed(&self.target, &new_places), sequences)
    }
}

fn renamed(predicate: &Predicate, places: &BTreeMap<PlaceId, PlaceId>) -> Predicate {
    let all = |parts: &[Predicate]| parts.iter().map(|part| renamed(part, places)).collect();
    match predicate {
        Predicate::Compare(comparison) => {
            let terms = comparison.sum.terms().iter().map(|(place, factor)| (places[place], *factor));
            let sum = super::super::Sum::new(terms).expect("renaming should keep coefficients");
            Predicate::Compare(super::super::Comparison { sum, ..comparison.clone() })
        }
        Predicate::Not(inner) => Predicate::Not(Box::new(renamed(inner, places))),
        Predicate::And(parts) => Predicate::And(all(parts)),
        Predicate::Or(parts) => Predicate::Or(all(parts)),
        other => other.clone(),
    }
}
