//! Markings and the firing rule.

use std::fmt;
use std::ops::Index;

use thetis_base::IndexVec;

use super::{Net, PlaceId, TransitionId};

/// A number of tokens for every place.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Marking {
    tokens: IndexVec<PlaceId, u64>,
}

/// Why a transition does not fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FireError {
    /// A place holds too few tokens.
    TooFew(PlaceId),
    /// A place holds so many tokens that it inhibits the transition.
    Inhibited(PlaceId),
    /// The transition is enabled, but a place would hold more tokens than 64 bits can count.
    Overflow(PlaceId),
}

impl fmt::Display for FireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FireError::TooFew(place) => write!(f, "place {} holds too few tokens", place.index()),
            FireError::Inhibited(place) => write!(f, "place {} inhibits the transition", place.index()),
            FireError::Overflow(place) => {
                write!(f, "place {} would hold more than {} tokens", place.index(), u64::MAX)
            }
        }
    }
}

impl std::error::Error for FireError {}

impl Marking {
    /// The marking with these counts, in the order of the places.
    pub fn new(tokens: Vec<u64>) -> Marking {
        Marking { tokens: IndexVec::from_vec(tokens) }
    }

    /// The counts in the order of the places.
    pub fn tokens(&self) -> &[u64] {
        self.tokens.as_raw_slice()
    }

    /// Puts exactly so many tokens on `place`.
    pub fn set(&mut self, place: PlaceId, tokens: u64) {
        self.tokens[place] = tokens;
    }

    /// Fires `transition`, or says why not and changes nothing.
    pub fn fire(&mut self, net: &Net, transition: TransitionId) -> Result<(), FireError> {
        net.check_enabled(self, transition)?;
        let grows =
            |change: &&super::Change| self.tokens[change.place].checked_add_signed(change.delta).is_none();
        if let Some(change) = net.effect(transition).iter().find(grows) {
            return Err(FireError::Overflow(change.place));
        }
        for change in net.effect(transition) {
            self.tokens[change.place] = self.tokens[change.place].wrapping_add_signed(change.delta);
        }
        Ok(())
    }
}

impl Index<PlaceId> for Marking {
    type Output = u64;

    fn index(&self, place: PlaceId) -> &u64 {
        &self.tokens[place]
    }
}

impl Net {
    /// Whether `transition` may fire in `marking`.
    pub fn is_enabled(&self, marking: &Marking, transition: TransitionId) -> bool {
        self.check_enabled(marking, transition).is_ok()
    }

    /// Whether no transition may fire in `marking`.
    pub fn is_dead(&self, marking: &Marking) -> bool {
        !self.transition_ids().any(|transition| self.is_enabled(marking, transition))
    }

    fn check_enabled(&self, marking: &Marking, transition: TransitionId) -> Result<(), FireError> {
        if let Some(arc) = self.inputs(transition).iter().find(|arc| marking[arc.place] < arc.weight) {
            return Err(FireError::TooFew(arc.place));
        }
        match self.inhibitors(transition).iter().find(|arc| marking[arc.place] >= arc.weight) {
            Some(arc) => Err(FireError::Inhibited(arc.place)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petri::NetBuilder;

    #[test]
    fn firing_moves_tokens_and_respects_inhibitors() {
        let mut builder = NetBuilder::new("n");
        let (p, q) = (builder.place("p", 3), builder.place("q", 0));
        let t = builder.transition("t");
        builder.input(t, p, 1);
        builder.output(t, q, 2);
        builder.inhibitor(t, q, 4);
        let net = builder.build().unwrap();
        let mut marking = net.initial_marking();
        marking.fire(&net, t).unwrap();
        marking.fire(&net, t).unwrap();
        assert_eq!(marking.tokens(), [1, 4]);
        assert_eq!(marking.fire(&net, t), Err(FireError::Inhibited(q)));
        assert!(net.is_dead(&marking));
        marking.set(p, 0);
        assert_eq!(marking.fire(&net, t), Err(FireError::TooFew(p)));
    }

    #[test]
    fn a_loop_needs_its_tokens_and_counts_never_wrap() {
        let mut builder = NetBuilder::new("n");
        let p = builder.place("p", 1);
        let (t, u) = (builder.transition("t"), builder.transition("u"));
        builder.input(t, p, 2);
        builder.output(t, p, 2);
        builder.output(u, p, 7);
        let net = builder.build().unwrap();
        let mut marking = net.initial_marking();
        assert_eq!(marking.fire(&net, t), Err(FireError::TooFew(p)));
        marking.set(p, u64::MAX - 1);
        assert_eq!(marking.fire(&net, u), Err(FireError::Overflow(p)));
        assert_eq!(marking[p], u64::MAX - 1);
        assert!(net.is_enabled(&marking, t));
    }
}
