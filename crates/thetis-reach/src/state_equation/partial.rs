//! Partial solutions, and better intermediate markings.

use thetis_model::petri::{Marking, Net, PetriTrace, PlaceId, Round, TransitionId};

use super::constraints::Vector;

/// Firings in order: a transition and how often it fires in succession.
pub(super) type Firings = Vec<(TransitionId, u64)>;

/// A firing sequence within a solution vector (definition 1.5), as far as it could fire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Partial {
    /// `σ`: what fired.
    pub(super) firings: Firings,
    /// `℘(σ)`: how often each transition fired.
    pub(super) fired: Vector,
    /// `r`: how often each transition should still fire.
    pub(super) remainder: Vector,
    /// `m̂`: the marking in which it ends.
    pub(super) marking: Marking,
    /// The chain of distant invariants that led here.
    pub(super) chain: Vec<Vector>,
}

impl Partial {
    /// The firing sequence, one firing after the other.
    pub(super) fn sequence(&self) -> impl Iterator<Item = TransitionId> {
        one_by_one(&self.firings)
    }

    /// Algorithm 1.6: for each marking on the way that is better by `wishes`, the partial solution that stops there.
    pub(super) fn better_intermediates(&self, net: &Net, wishes: &Wishes) -> Vec<Partial> {
        let mut better = Vec::new();
        let mut prefix = Prefix::new(net, self);
        for (position, (transition, count)) in self.firings.iter().enumerate() {
            for nth in 1..=*count {
                prefix.fire(net, *transition);
                let is_last = position + 1 == self.firings.len() && nth == *count;
                if !is_last && wishes.are_nearer(&prefix.marking) {
                    better.push(prefix.to_partial(self));
                }
                // A long sequence of equal firings would give as many intermediate markings, all very
                // similar.
                if better.len() >= MAX_BETTER {
                    return better;
                }
            }
        }
        better
    }

    /// Whether an intermediate marking of this one comes nearer to the wishes than any of `other`.
    pub(super) fn comes_nearer_than(&self, net: &Net, other: &Partial, wishes: &Wishes) -> bool {
        let (mine, theirs) = (wishes.extremes(net, self), wishes.extremes(net, other));
        let more = wishes.more.len();
        (0..mine.len())
            .any(|wish| if wish < more { mine[wish] > theirs[wish] } else { mine[wish] < theirs[wish] })
    }
}

/// The greatest number of better intermediate markings that one partial solution gives.
const MAX_BETTER: usize = 256;

/// The run that a full solution is.
pub(super) fn trace(firings: &Firings) -> PetriTrace {
    firings.iter().map(|(transition, count)| Round { transition: *transition, count: *count }).collect()
}

fn one_by_one(firings: &Firings) -> impl Iterator<Item = TransitionId> {
    firings.iter().flat_map(|(transition, count)| std::iter::repeat_n(*transition, *count as usize))
}

/// Which places should hold more tokens, or fewer, than this.
pub(super) struct Wishes {
    more: Vec<(PlaceId, u64)>,
    fewer: Vec<(PlaceId, u64)>,
}

impl Wishes {
    /// What would enable the remainder of `partial`: other tokens than at its end (definitions 1.6 and 1.7).
    pub(super) fn of(net: &Net, partial: &Partial) -> Wishes {
        let (mut more, mut fewer) = (Vec::new(), Vec::new());
        for t in net.transition_ids().filter(|t| partial.remainder[t.index()] > 0) {
            let with_tokens = |place: PlaceId| (place, partial.marking[place]);
            let lacking = net.inputs(t).iter().filter(|arc| partial.marking[arc.place] < arc.weight);
            more.extend(lacking.map(|arc| with_tokens(arc.place)));
            let inhibiting = net.inhibitors(t).iter().filter(|arc| partial.marking[arc.place] >= arc.weight);
            fewer.extend(inhibiting.map(|arc| with_tokens(arc.place)));
        }
        for wishes in [&mut more, &mut fewer] {
            wishes.sort_unstable();
            wishes.dedup();
        }
        Wishes { more, fewer }
    }

    /// Also wishes more tokens on `places` than `earlier` ever had there (definition 1.10).
    pub(super) fn and_more_than(mut self, net: &Net, earlier: &Partial, places: &[PlaceId]) -> Wishes {
        let lenders = Wishes { more: places.iter().map(|place| (*place, 0)).collect(), fewer: Vec::new() };
        self.more.extend(places.iter().copied().zip(lenders.extremes(net, earlier)));
        self
    }

    /// The most tokens on each place that should hold more, then the fewest on each that should hold fewer, on the way.
    fn extremes(&self, net: &Net, partial: &Partial) -> Vec<u64> {
        let places: Vec<PlaceId> = self.more.iter().chain(&self.fewer).map(|wish| wish.0).collect();
        let mut prefix = Prefix::new(net, partial);
        let mut extremes: Vec<u64> = places.iter().map(|place| prefix.marking[*place]).collect();
        for transition in partial.sequence() {
            prefix.fire(net, transition);
            for (wish, place) in places.iter().enumerate() {
                let tokens = prefix.marking[*place];
                let extreme = &mut extremes[wish];
                *extreme = if wish < self.more.len() { tokens.max(*extreme) } else { tokens.min(*extreme) };
            }
        }
        extremes
    }

    fn are_nearer(&self, marking: &Marking) -> bool {
        self.more.iter().any(|(place, end)| marking[*place] > *end)
            || self.fewer.iter().any(|(place, end)| marking[*place] < *end)
    }
}

/// The start of a partial solution.
struct Prefix {
    firings: Firings,
    fired: Vector,
    marking: Marking,
}

impl Prefix {
    fn new(net: &Net, partial: &Partial) -> Prefix {
        Prefix { firings: Vec::new(), fired: vec![0; partial.fired.len()], marking: net.initial_marking() }
    }

    fn fire(&mut self, net: &Net, transition: TransitionId) {
        self.marking.fire(net, transition).expect("a partial solution should be a firing sequence");
        self.fired[transition.index()] += 1;
        match self.firings.last_mut() {
            Some((last, count)) if *last == transition => *count += 1,
            _ => self.firings.push((transition, 1)),
        }
    }

    fn to_partial(&self, whole: &Partial) -> Partial {
        let left = |index: usize| whole.fired[index] + whole.remainder[index] - self.fired[index];
        Partial {
            firings: self.firings.clone(),
            fired: self.fired.clone(),
            remainder: (0..self.fired.len()).map(left).collect(),
            marking: self.marking.clone(),
            chain: whole.chain.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sequences_take_no_more_room_than_short_ones() {
        let (a, b) = (TransitionId::from(0usize), TransitionId::from(1usize));
        assert_eq!(trace(&vec![(a, 2), (b, 1)]).firings().collect::<Vec<_>>(), [a, a, b]);
        let long = trace(&vec![(a, u64::MAX), (b, 1 << 40)]);
        assert_eq!((long.rounds.len(), long.num_firings()), (2, u128::from(u64::MAX) + (1 << 40)));
    }
}
