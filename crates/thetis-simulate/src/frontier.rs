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
}

impl Frontier {
    /// Keeps at most `max_others` states that are nothing new, and one more for each location.
    pub(crate) fn new(max_others: usize) -> Frontier {
        Frontier { novel: Vec::new(), others: BTreeMap::new(), num_others: 0, max_others }
    }

    pub(crate) fn push(&mut self, pending: Pending, is_novel: bool, random: &mut fastrand::Rng) {
        if is_novel {
            self.novel.push(pending);
            return;
        }
        let states = self.others.entry(pending.location).or_default();
        if self.num_others < self.max_others || states.is_empty() {
            self.num_others += 1;
            states.push(pending);
        } else {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_frontier_still_has_room_for_a_new_location() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut frontier = Frontier::new(3);
        for node in 0..20 {
            let location = LocId::new(if node < 10 { 0 } else { node - 9 });
            let values = Values::default();
            frontier.push(Pending { location, values, node: node as u32 }, false, &mut random);
        }
        let popped = std::iter::from_fn(|| frontier.pop(&mut random));
        let mut locations: Vec<usize> = popped.map(|pending| pending.location.index()).collect();
        locations.sort_unstable();
        assert_eq!(locations, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
}
