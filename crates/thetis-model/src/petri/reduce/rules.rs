//! Rules that look at one place or transition at a time, and the cone of influence.

use std::collections::BTreeMap;

use super::super::{PlaceId, TransitionId};
use super::target::Substitute;
use super::work::{Weights, Work, WorkTransition};

/// A transition is dead if an input place never gets enough tokens because nothing adds to it, or an inhibitor place never
/// gets few enough because nothing takes from it.
pub(super) fn dead_transition(work: &mut Work) -> usize {
    let grows = |place: PlaceId| work.neighbours(place).any(|(_, transition)| transition.delta(place) > 0);
    let falls = |place: PlaceId| work.neighbours(place).any(|(_, transition)| transition.delta(place) < 0);
    let starves = |place: PlaceId, weight: u64| work.places[place].initial < weight && !grows(place);
    let blocks = |place: PlaceId, weight: u64| work.places[place].initial >= weight && !falls(place);
    let is_dead = |id: &TransitionId| {
        let transition = &work.transitions[*id];
        transition.inputs.iter().any(|(place, weight)| starves(*place, *weight))
            || transition.inhibitors.iter().any(|(place, weight)| blocks(*place, *weight))
    };
    let dead: Vec<TransitionId> = work.transition_ids().into_iter().filter(is_dead).collect();
    remove_transitions(work, &dead)
}

/// A firing that changes nothing reaches nothing. Conditions that looked at the transition were rewritten over places.
pub(super) fn idle_transition(work: &mut Work) -> usize {
    let is_idle = |id: &TransitionId| work.transitions[*id].inputs == work.transitions[*id].outputs;
    let idle: Vec<TransitionId> = work.transition_ids().into_iter().filter(is_idle).collect();
    remove_transitions(work, &idle)
}

/// Of transitions with the same effect, one that is enabled whenever another is makes the other superfluous.
pub(super) fn dominated_transition(work: &mut Work) -> usize {
    let mut groups: BTreeMap<Vec<(PlaceId, i128)>, Vec<TransitionId>> = BTreeMap::new();
    for id in work.transition_ids() {
        groups.entry(work.transitions[id].changes().collect()).or_default().push(id);
    }
    let mut dominated = Vec::new();
    for group in groups.values() {
        let mut kept: Vec<TransitionId> = Vec::new();
        for id in group {
            let transition = &work.transitions[*id];
            if kept.iter().any(|other| dominates(&work.transitions[*other], transition)) {
                dominated.push(*id);
                continue;
            }
            kept.retain(|other| {
                let is_worse = dominates(transition, &work.transitions[*other]);
                if is_worse {
                    dominated.push(*other);
                }
                !is_worse
            });
            kept.push(*id);
        }
    }
    remove_transitions(work, &dominated)
}

/// Whether `strong` needs no more than `weak`; a shorter sequence wins among equals only by coming first.
fn dominates(strong: &WorkTransition, weak: &WorkTransition) -> bool {
    let needs_less =
        strong.inputs.iter().all(|(place, weight)| weak.inputs.get(place).is_some_and(|w| w >= weight));
    let blocks = |place: &PlaceId, weight: &u64| weak.inhibitors.get(place).is_some_and(|w| w <= weight);
    needs_less && strong.inhibitors.iter().all(|(place, weight)| blocks(place, weight))
}

/// A place that nothing changes keeps its count: arcs that it satisfies can go, and the target gets the number. Arcs that it does not
/// satisfy make transitions dead, which is for another rule.
pub(super) fn constant_place(work: &mut Work) -> usize {
    let mut times = 0;
    for place in work.place_ids() {
        let initial = work.places[place].initial;
        let is_constant = work.neighbours(place).all(|(_, transition)| {
            transition.delta(place) == 0
                && transition.inputs.get(&place).is_none_or(|weight| *weight <= initial)
                && transition.inhibitors.get(&place).is_none_or(|weight| *weight > initial)
        });
        if is_constant && work.substitute(Substitute { place, by: None, plus: initial }) {
            work.remove_place(place);
            times += 1;
        }
    }
    times
}

/// Of two places with the same input and output arcs, the one with more tokens never decides; the target gets the other plus the
/// difference. It must not inhibit anything.
pub(super) fn parallel_place(work: &mut Work) -> usize {
    let mut groups: BTreeMap<Vec<(TransitionId, u64, u64)>, Vec<PlaceId>> = BTreeMap::new();
    for place in work.place_ids() {
        let weight = |weights: &Weights| weights.get(&place).copied().unwrap_or(0);
        let arcs = work.neighbours(place).map(|(id, one)| (id, weight(&one.inputs), weight(&one.outputs)));
        let arcs = arcs.filter(|(_, input, output)| input + output > 0).collect();
        groups.entry(arcs).or_default().push(place);
    }
    let mut times = 0;
    for group in groups.into_values() {
        let Some(least) = group.iter().copied().min_by_key(|place| work.places[*place].initial) else {
            continue;
        };
        for place in group.into_iter().filter(|place| *place != least) {
            let plus = work.places[place].initial - work.places[least].initial;
            if !work.inhibits(place) && work.substitute(Substitute { place, by: Some(least), plus }) {
                work.remove_place(place);
                times += 1;
            }
        }
    }
    times
}

/// Keeps only what can influence the target: the places it mentions, the transitions that change kept places, and the places
/// that those need.
pub(super) fn cone(work: &mut Work) -> usize {
    let mut is_needed = vec![false; work.places.len()];
    let mut is_useful = vec![false; work.transitions.len()];
    let mut pending: Vec<PlaceId> =
        work.place_ids().into_iter().filter(|place| work.is_visible(*place)).collect();
    pending.iter().for_each(|place| is_needed[place.index()] = true);
    while let Some(place) = pending.pop() {
        for (id, transition) in work.neighbours(place) {
            if is_useful[id.index()] || transition.delta(place) == 0 {
                continue;
            }
            is_useful[id.index()] = true;
            for input in transition.inputs.keys().chain(transition.inhibitors.keys()) {
                if !is_needed[input.index()] {
                    is_needed[input.index()] = true;
                    pending.push(*input);
                }
            }
        }
    }
    let useless: Vec<TransitionId> =
        work.transition_ids().into_iter().filter(|id| !is_useful[id.index()]).collect();
    let others: Vec<PlaceId> =
        work.place_ids().into_iter().filter(|place| !is_needed[place.index()]).collect();
    remove_transitions(work, &useless);
    others.iter().for_each(|place| work.remove_place(*place));
    useless.len() + others.len()
}

fn remove_transitions(work: &mut Work, list: &[TransitionId]) -> usize {
    list.iter().for_each(|id| work.remove_transition(*id));
    list.len()
}
