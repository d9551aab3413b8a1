//! The states to go on from.

use std::collections::BTreeMap;

use thetis_model::cfa::LocId;

use crate::machine::Values;

/// A state where something has to be chosen, with its number in the tree of runs.
pub(crate) struct Pending {
    pub(crate) location: LocId,
    pub(crate) values: Values,
    pub(crate) node: u32,
}

/// States to go on from. Those behind which something new was seen are preferred, the latest first; of the others each
/// location has the same chance, so that a loop with many states does not hide the rest.
pub(crate) struct Frontier {
    novel: Vec<Pending>,
    others: BTreeMap<LocId, Vec<Pending>>,
    num_others: usize,
    max_others: usize,
    /// How many states were dropped for want of room.
    pub(crate) num_dropped: u64,
}

impl Frontier {
    /// Keeps at most `max_others` states that are nothing new.
    pub(crate) fn new(max_others: usize) -> Frontier {
        Frontier { novel: Vec::new(), others: BTreeMap::new(), num_others: 0, max_others, num_dropped: 0 }
    }

    pub(crate) fn push(&mut self, pending: Pending, is_novel: bool, random: &mut fastrand::Rng) {
        if is_novel {
            self.novel.push(pending);
            return;
        }
        let states = self.others.entry(pending.location).or_default();
        if self.num_others < self.max_others {
            self.num_others += 1;
            states.push(pending);
            return;
        }
        self.num_dropped += 1;
        if !states.is_empty() {
            let number = random.usize(..states.len());
            states[number] = pending;
        }
    }

    /// A state to go on from.
    pub(crate) fn pop(&mut self, random: &mut fastrand::Rng) -> Option<Pending> {
        if (random.bool() || self.num_others == 0)
            && let Some(pending) = self.novel.pop()
        {
            return Some(pending);
        }
        let number = random.usize(..self.others.len().max(1));
        let location = *self.others.keys().nth(number)?;
        let states = self.others.get_mut(&location)?;
        let pending = states.swap_remove(random.usize(..states.len()));
        if states.is_empty() {
            self.others.remove(&location);
        }
        self.num_others -= 1;
        Some(pending)
    }
}
