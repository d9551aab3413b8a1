//! The states to continue from.

use std::collections::BTreeMap;

use thetis_model::cfa::LocId;

use crate::machine::Values;

/// A state where something has to be chosen, with its number in the tree of runs.
pub(crate) struct Pending {
    pub(crate) location: LocId,
    pub(crate) values: Values,
    pub(crate) node: u32,
}

/// Why a state may be better than others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merit {
    /// Nothing had to be chosen for a long time: the run continues, this many edges from the start.
    OnTheWay(u64),
    /// Something new was seen before it.
    Novel,
    /// There is nothing about it.
    None,
}

/// In this many cases out of [`ALL_CASES`], a long path is followed if there is one.
const CASES_ON_THE_WAY: usize = 3;
const ALL_CASES: usize = 4;

/// States to continue from. Of the long paths on which nothing has to be chosen, the longest is usually followed to its end, if it has
/// one. States after which something new was seen are preferred, the latest first; among the others, each location has the same chance,
/// so that a loop with many states does not hide the rest.
pub(crate) struct Frontier {
    /// By their distances from the start.
    on_the_way: BTreeMap<u64, Vec<Pending>>,
    novel: Vec<Pending>,
    others: BTreeMap<LocId, Vec<Pending>>,
    num_others: usize,
    max_others: usize,
}

impl Frontier {
    /// Keeps at most `max_others` states after which nothing new was seen, and one more for each location.
    pub(crate) fn new(max_others: usize) -> Frontier {
        Frontier {
            on_the_way: BTreeMap::new(),
            novel: Vec::new(),
            others: BTreeMap::new(),
            num_others: 0,
            max_others,
        }
    }

    pub(crate) fn push(&mut self, pending: Pending, merit: Merit, random: &mut fastrand::Rng) {
        match merit {
            Merit::OnTheWay(distance) => self.on_the_way.entry(distance).or_default().push(pending),
            Merit::Novel => self.novel.push(pending),
            Merit::None => self.push_other(pending, random),
        }
    }

    fn push_other(&mut self, pending: Pending, random: &mut fastrand::Rng) {
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
        let is_rest_empty = self.novel.is_empty() && self.num_others == 0;
        if is_rest_empty || random.usize(..ALL_CASES) < CASES_ON_THE_WAY {
            let longest = self.pop_on_the_way();
            if longest.is_some() {
                return longest;
            }
        }
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

    fn pop_on_the_way(&mut self) -> Option<Pending> {
        let mut longest = self.on_the_way.last_entry()?;
        let pending = longest.get_mut().pop();
        if longest.get().is_empty() {
            longest.remove();
        }
        pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_way_is_followed_but_not_alone() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut frontier = Frontier::new(10);
        let pending = |node| Pending { location: LocId::new(0), values: Values::default(), node };
        frontier.push(pending(1), Merit::OnTheWay(7), &mut random);
        frontier.push(pending(2), Merit::OnTheWay(9), &mut random);
        let mut popped = [0, 0, 0];
        for _ in 0..1000 {
            frontier.push(pending(0), Merit::None, &mut random);
            let next = frontier.pop(&mut random).unwrap();
            popped[next.node as usize] += 1;
            if next.node > 0 {
                frontier.push(pending(2), Merit::OnTheWay(9), &mut random);
            }
        }
        let [others, shorter, longer] = popped;
        assert!((200..300).contains(&others) && shorter == 0 && longer > 700, "{popped:?}");
    }

    #[test]
    fn a_full_frontier_still_has_room_for_a_new_location() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut frontier = Frontier::new(3);
        for node in 0..20 {
            let location = LocId::new(if node < 10 { 0 } else { node - 9 });
            let values = Values::default();
            frontier.push(Pending { location, values, node: node as u32 }, Merit::None, &mut random);
        }
        let popped = std::iter::from_fn(|| frontier.pop(&mut random));
        let mut locations: Vec<usize> = popped.map(|pending| pending.location.index()).collect();
        locations.sort_unstable();
        assert_eq!(locations, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
}
