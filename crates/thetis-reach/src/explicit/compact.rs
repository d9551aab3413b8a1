//! Depth-first search that remembers only fingerprints.
//!
//! One marking is kept and changed back and forth along the current path. Markings with equal fingerprints are considered equal, so
//! parts of the state space may be missed: a target that is found is real, but finding none proves nothing.

use hashbrown::HashTable;
use thetis_base::{Run, Stop};
use thetis_model::Task;
use thetis_model::petri::{FireError, Marking, Net, PetriTrace, TransitionId};

use super::hash::hash;
use super::stubborn::Stubborn;
use super::{ExplicitStats, SearchEnd};

const MARKINGS_PER_CHECKPOINT: u64 = 512;

/// A marking on the current path: how it was reached and what is still to be fired in it.
struct Frame {
    reached_by: Option<TransitionId>,
    pending: Vec<TransitionId>,
}

/// Searches for the target of `task`.
pub(super) fn search(
    task: &Task<Net>,
    reduces: bool,
    stats: &mut ExplicitStats,
    run: &Run,
) -> Result<SearchEnd, Stop> {
    let net = &task.model;
    let target = task.property.target(net);
    let mut stubborn = reduces.then(|| Stubborn::new(net, &target));
    let mut expand = |marking: &Marking| -> Vec<TransitionId> {
        let mut list = match &mut stubborn {
            Some(stubborn) => stubborn.choose(marking).transitions,
            None => net.transition_ids().filter(|transition| net.is_enabled(marking, *transition)).collect(),
        };
        list.reverse();
        list
    };
    let mut marking = net.initial_marking();
    if target.holds(net, &marking) {
        return Ok(SearchEnd::Found(PetriTrace::default()));
    }
    let mut seen = Fingerprints::default();
    seen.insert(&marking);
    let mut path = vec![Frame { reached_by: None, pending: expand(&marking) }];
    while let Some(frame) = path.last_mut() {
        let Some(transition) = frame.pending.pop() else {
            if let Some(transition) = frame.reached_by {
                take_back(net, &mut marking, transition);
            }
            path.pop();
            continue;
        };
        stats.firings += 1;
        if let Err(FireError::Overflow(_)) = marking.fire(net, transition) {
            return Ok(SearchEnd::Overflow);
        }
        if !seen.insert(&marking) {
            take_back(net, &mut marking, transition);
            continue;
        }
        (stats.markings, stats.bytes) = (seen.table.len() as u64, seen.table.allocation_size() as u64);
        if stats.markings.is_multiple_of(MARKINGS_PER_CHECKPOINT) {
            run.checkpoint()?;
        }
        path.push(Frame { reached_by: Some(transition), pending: Vec::new() });
        if target.holds(net, &marking) {
            let firings = path.iter().filter_map(|frame| frame.reached_by);
            return Ok(SearchEnd::Found(PetriTrace::of(firings)));
        }
        let pending = expand(&marking);
        path.last_mut().expect("the frame was just added").pending = pending;
    }
    Ok(SearchEnd::Exhausted)
}

fn take_back(net: &Net, marking: &mut Marking, transition: TransitionId) {
    for change in net.effect(transition) {
        marking.set(change.place, marking[change.place].wrapping_sub_signed(change.delta));
    }
}

#[derive(Default)]
struct Fingerprints {
    table: HashTable<u64>,
}

impl Fingerprints {
    /// Whether the fingerprint of `marking` is new.
    fn insert(&mut self, marking: &Marking) -> bool {
        let print = hash(marking.tokens().iter().copied());
        let entry = self.table.entry(print, |other| *other == print, |other| *other);
        match entry {
            hashbrown::hash_table::Entry::Occupied(_) => false,
            hashbrown::hash_table::Entry::Vacant(slot) => {
                slot.insert(print);
                true
            }
        }
    }
}
