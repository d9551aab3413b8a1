//! Agglomerations: two firings in a row become one.
//!
//! Let `p` be a place without tokens at the start that the target does not see and that inhibits nothing; each arc at `p` has the
//! weight 1 and no transition both consumes from and produces on it. Its producers `h` and consumers `f` are
//! replaced by all pairs `h.f`, and `p` goes. That keeps the target reachable in two cases.
//!
//! * **post**: the consumers need nothing but `p` and change nothing that the target sees or that inhibits. Then in a run to
//!   the target each `f` can fire right after its `h`: it is enabled, and its tokens come earlier, which harms nobody. A token
//!   that rests on `p` at the end can be moved on by any `f`.
//! * **pre**: the producers give nothing but the token on `p`, are not inhibited, and each is the only one that consumes from
//!   its input places, which the target does not see and which inhibit nothing. Then each `h` can wait until right before
//!   its `f`: nobody else takes its tokens, and nobody minds that they stay. An `h` whose token is never used can be left out.
//!
//! The other way round a pair is two firings of the original net.

use super::super::{PlaceId, TransitionId};
use super::work::{Weights, Work, WorkTransition};

/// A place is left alone if its pairs would be many more than its transitions.
const MAX_GROWTH: usize = 4;

pub(super) fn post(work: &mut Work) -> usize {
    agglomerate(work, |work, place, _, consumers| {
        consumers.iter().all(|id| {
            let transition = &work.transitions[*id];
            transition.inputs.len() == 1
                && transition.inhibitors.is_empty()
                && transition.outputs.keys().all(|other| *other != place && is_hidden(work, *other))
        })
    })
}

pub(super) fn pre(work: &mut Work) -> usize {
    agglomerate(work, |work, _, producers, _| {
        producers.iter().all(|id| {
            let transition = &work.transitions[*id];
            transition.outputs.len() == 1
                && transition.inhibitors.is_empty()
                && !transition.inputs.is_empty()
                && transition
                    .inputs
                    .keys()
                    .all(|input| is_hidden(work, *input) && work.consumers(*input).count() == 1)
        })
    })
}

/// The target does not see it and it inhibits nothing.
fn is_hidden(work: &Work, place: PlaceId) -> bool {
    !work.is_visible(place) && !work.inhibits(place)
}

fn agglomerate(
    work: &mut Work,
    applies: impl Fn(&Work, PlaceId, &[TransitionId], &[TransitionId]) -> bool,
) -> usize {
    let mut times = 0;
    for place in work.place_ids() {
        let producers: Vec<TransitionId> = work.producers(place).map(|(id, _)| id).collect();
        let consumers: Vec<TransitionId> = work.consumers(place).map(|(id, _)| id).collect();
        if !is_simple(work, place, &producers, &consumers) || !applies(work, place, &producers, &consumers) {
            continue;
        }
        let Some(pairs) = pairs(work, place, &producers, &consumers) else { continue };
        producers.iter().chain(&consumers).for_each(|id| work.remove_transition(*id));
        pairs.into_iter().for_each(|pair| work.add_transition(pair));
        work.remove_place(place);
        times += 1;
    }
    times
}

fn is_simple(work: &Work, place: PlaceId, producers: &[TransitionId], consumers: &[TransitionId]) -> bool {
    let is_one = |weights: &Weights| weights.get(&place) == Some(&1);
    work.places[place].initial == 0
        && is_hidden(work, place)
        && !producers.is_empty()
        && !consumers.is_empty()
        && producers.len() * consumers.len() <= producers.len() + consumers.len() + MAX_GROWTH
        && producers.iter().all(|id| is_one(&work.transitions[*id].outputs) && !consumers.contains(id))
        && consumers.iter().all(|id| is_one(&work.transitions[*id].inputs))
}

/// All pairs; `None` if a weight would be too large.
fn pairs(
    work: &Work,
    place: PlaceId,
    producers: &[TransitionId],
    consumers: &[TransitionId],
) -> Option<Vec<WorkTransition>> {
    let mut pairs = Vec::new();
    for first in producers {
        for second in consumers {
            pairs.push(pair(place, &work.transitions[*first], &work.transitions[*second])?);
        }
    }
    Some(pairs)
}

/// `first` and then `second`. Tokens that `first` puts where `second` takes are not needed before; by the conditions that
/// happens only at `place`, because one of the two has no other arcs there.
fn pair(place: PlaceId, first: &WorkTransition, second: &WorkTransition) -> Option<WorkTransition> {
    let mut inputs = first.inputs.clone();
    let mut outputs = first.outputs.clone();
    outputs.remove(&place);
    for (input, weight) in second.inputs.iter().filter(|(input, _)| **input != place) {
        add(&mut inputs, *input, *weight)?;
    }
    for (output, weight) in &second.outputs {
        add(&mut outputs, *output, *weight)?;
    }
    let mut inhibitors = first.inhibitors.clone();
    for (inhibitor, weight) in &second.inhibitors {
        let entry = inhibitors.entry(*inhibitor).or_insert(*weight);
        *entry = (*entry).min(*weight);
    }
    let sequence = first.sequence.iter().chain(&second.sequence).copied().collect();
    Some(WorkTransition { is_kept: true, inputs, outputs, inhibitors, sequence })
}

fn add(weights: &mut Weights, place: PlaceId, weight: u64) -> Option<()> {
    let entry = weights.entry(place).or_insert(0);
    *entry = entry.checked_add(weight).filter(|sum| *sum <= super::super::Net::MAX_NUMBER)?;
    Some(())
}
