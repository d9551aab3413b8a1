//! Markings and the firing rule.

use std::fmt;
use std::ops::Index;

use thetis_base::IndexVec;

use super::{Net, PlaceId, Round, TransitionId};

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
    /// A place holds enough tokens to inhibit the transition.
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

    /// Puts exactly this many tokens on `place`.
    pub fn set(&mut self, place: PlaceId, tokens: u64) {
        self.tokens[place] = tokens;
    }

    /// Fires a transition this many times in succession, or says why not and changes nothing. It takes no longer than one
    /// firing.
    ///
    /// The tokens of a place grow or shrink by the same number with each firing. So a transition that is enabled for the first and for the
    /// last of them is enabled for all, and no count is too large on the way if none is at the end.
    pub fn fire_round(&mut self, net: &Net, round: Round) -> Result<(), FireError> {
        let Some(before_last) = round.count.checked_sub(1) else { return Ok(()) };
        net.check_enabled(self, round.transition)?;
        let mut last = self.clone();
        last.add(net, Round { count: before_last, ..round })?;
        net.check_enabled(&last, round.transition)?;
        last.add(net, Round { count: 1, ..round })?;
        *self = last;
        Ok(())
    }

    /// Adds the effect of a round, whether or not its transition is enabled.
    fn add(&mut self, net: &Net, round: Round) -> Result<(), FireError> {
        for change in net.effect(round.transition) {
            let tokens = i128::from(self.tokens[change.place])
                .checked_add(i128::from(change.delta) * i128::from(round.count));
            let tokens = tokens.ok_or(FireError::Overflow(change.place))?;
            self.tokens[change.place] = match u64::try_from(tokens) {
                Ok(tokens) => tokens,
                Err(_) if tokens < 0 => return Err(FireError::TooFew(change.place)),
                Err(_) => return Err(FireError::Overflow(change.place)),
            };
        }
        Ok(())
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
    fn a_round_is_as_many_firings() {
        let mut builder = NetBuilder::new("n");
        let (p, q, r) = (builder.place("p", 12), builder.place("q", 0), builder.place("r", 4));
        let [t, u, v] = ["t", "u", "v"].map(|name| builder.transition(name));
        builder.input(t, p, 2);
        builder.output(t, q, 1);
        builder.inhibitor(t, q, 5);
        builder.input(u, r, 3);
        builder.output(u, r, 3);
        builder.output(u, p, 1);
        builder.input(v, q, 1);
        builder.input(v, r, 1);
        let net = builder.build().unwrap();
        for start in [[12, 0, 4], [3, 4, 2], [9, 1, 3], [0, 9, 9]] {
            for transition in [t, u, v] {
                let mut single = Marking::new(start.to_vec());
                for count in 0..9 {
                    let mut round = Marking::new(start.to_vec());
                    let fired = round.fire_round(&net, Round { transition, count });
                    assert_eq!(fired.is_ok(), count == 0 || single.fire(&net, transition).is_ok());
                    if fired.is_err() {
                        assert_eq!(round.tokens(), start);
                        break;
                    }
                    assert_eq!(round, single);
                }
            }
        }
        let mut many = Marking::new(vec![2 << 40, 0, 0]);
        many.fire_round(&net, Round { transition: t, count: 5 }).unwrap();
        let all = Round { transition: u, count: u64::MAX };
        assert_eq!(Marking::new(vec![1, 0, 3]).fire_round(&net, all), Err(FireError::Overflow(p)));
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
