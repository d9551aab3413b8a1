//! Step-by-step construction of a net.

use std::fmt;

use thetis_base::IndexVec;

use super::arcs::Sparse;
use super::{Arc, Change, Changer, Link, Net, Place, PlaceId, Transition, TransitionId};

/// Collects the parts of a [`Net`].
///
/// Several arcs of one kind between the same nodes become one: the weights of normal arcs add up, and the
/// strictest inhibitor arc counts. The caller has to ensure that names are unique, because only a front end can
/// say where two names clash.
#[derive(Clone, Debug)]
pub struct NetBuilder {
    name: String,
    places: IndexVec<PlaceId, Place>,
    transitions: IndexVec<TransitionId, Transition>,
    inputs: IndexVec<TransitionId, Vec<Arc>>,
    outputs: IndexVec<TransitionId, Vec<Arc>>,
    inhibitors: IndexVec<TransitionId, Vec<Arc>>,
}

/// Why there is no net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetError {
    /// An arc has the weight zero.
    ZeroWeight(PlaceId, TransitionId),
    /// The weight of an arc, or the sum of parallel ones, is too large.
    LargeWeight(PlaceId, TransitionId),
    /// The initial number of tokens is too large.
    LargeInitial(PlaceId),
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::ZeroWeight(..) => write!(f, "an arc has the weight 0"),
            NetError::LargeWeight(..) => {
                write!(f, "the weight of an arc is larger than {}", Net::MAX_NUMBER)
            }
            NetError::LargeInitial(_) => {
                write!(f, "an initial number of tokens is larger than {}", Net::MAX_NUMBER)
            }
        }
    }
}

impl std::error::Error for NetError {}

impl NetBuilder {
    /// A net with only a name.
    pub fn new(name: impl Into<String>) -> NetBuilder {
        NetBuilder {
            name: name.into(),
            places: IndexVec::new(),
            transitions: IndexVec::new(),
            inputs: IndexVec::new(),
            outputs: IndexVec::new(),
            inhibitors: IndexVec::new(),
        }
    }

    /// Gives the net another name.
    pub fn rename(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Adds a place with this many tokens.
    pub fn place(&mut self, name: impl Into<String>, initial: u64) -> PlaceId {
        self.add_place(Place { name: name.into(), label: None, initial, span: None })
    }

    /// Adds a transition.
    pub fn transition(&mut self, name: impl Into<String>) -> TransitionId {
        self.add_transition(Transition { name: name.into(), label: None, span: None })
    }

    /// Adds a place.
    pub fn add_place(&mut self, place: Place) -> PlaceId {
        self.places.push(place)
    }

    /// Adds a transition.
    pub fn add_transition(&mut self, transition: Transition) -> TransitionId {
        self.inputs.push(Vec::new());
        self.outputs.push(Vec::new());
        self.inhibitors.push(Vec::new());
        self.transitions.push(transition)
    }

    /// `transition` consumes `weight` tokens of `place`.
    pub fn input(&mut self, transition: TransitionId, place: PlaceId, weight: u64) {
        self.inputs[transition].push(Arc { place, weight });
    }

    /// `transition` produces `weight` tokens on `place`.
    pub fn output(&mut self, transition: TransitionId, place: PlaceId, weight: u64) {
        self.outputs[transition].push(Arc { place, weight });
    }

    /// `transition` is disabled while `place` holds `weight` tokens or more.
    pub fn inhibitor(&mut self, transition: TransitionId, place: PlaceId, weight: u64) {
        self.inhibitors[transition].push(Arc { place, weight });
    }

    /// The net.
    pub fn build(self) -> Result<Net, NetError> {
        for (id, place) in self.places.iter_enumerated() {
            if place.initial > Net::MAX_NUMBER {
                return Err(NetError::LargeInitial(id));
            }
        }
        let inputs = merged(self.inputs, u64::saturating_add)?;
        let outputs = merged(self.outputs, u64::saturating_add)?;
        let inhibitors = merged(self.inhibitors, u64::min)?;
        let (num_places, num_transitions) = (self.places.len(), self.transitions.len());
        let effects = Sparse::new((0..num_transitions).map(|row| effect(inputs.row(row), outputs.row(row))));
        Ok(Net {
            name: self.name,
            places: self.places,
            transitions: self.transitions,
            consumers: links(&inputs, num_places, num_transitions),
            producers: links(&outputs, num_places, num_transitions),
            inhibited: links(&inhibitors, num_places, num_transitions),
            changers: changers(&effects, num_places, num_transitions),
            inputs,
            outputs,
            inhibitors,
            effects,
        })
    }
}

/// The rows sorted by place, with one arc per place.
fn merged(
    rows: IndexVec<TransitionId, Vec<Arc>>,
    merge: impl Fn(u64, u64) -> u64,
) -> Result<Sparse<Arc>, NetError> {
    let mut sorted = Vec::with_capacity(rows.len());
    for (transition, mut row) in rows.into_iter_enumerated() {
        row.sort_by_key(|arc| arc.place);
        row.dedup_by(|later, earlier| {
            let is_same = later.place == earlier.place;
            if is_same {
                earlier.weight = merge(earlier.weight, later.weight);
            }
            is_same
        });
        for arc in &row {
            match arc.weight {
                0 => return Err(NetError::ZeroWeight(arc.place, transition)),
                1..=Net::MAX_NUMBER => {}
                _ => return Err(NetError::LargeWeight(arc.place, transition)),
            }
        }
        sorted.push(row);
    }
    Ok(Sparse::new(sorted))
}

fn effect(inputs: &[Arc], outputs: &[Arc]) -> Vec<Change> {
    let consumed = inputs.iter().map(|arc| Change { place: arc.place, delta: -(arc.weight as i64) });
    let produced = outputs.iter().map(|arc| Change { place: arc.place, delta: arc.weight as i64 });
    let mut changes: Vec<Change> = consumed.chain(produced).collect();
    changes.sort_by_key(|change| change.place);
    changes.dedup_by(|later, earlier| {
        let is_same = later.place == earlier.place;
        if is_same {
            earlier.delta += later.delta;
        }
        is_same
    });
    changes.retain(|change| change.delta != 0);
    changes
}

fn links(arcs: &Sparse<Arc>, num_places: usize, num_transitions: usize) -> Sparse<Link> {
    let all = (0..num_transitions).flat_map(|row| {
        let link = move |arc: &Arc| {
            (arc.place.index(), Link { transition: TransitionId::from(row), weight: arc.weight })
        };
        arcs.row(row).iter().map(link)
    });
    Sparse::group(num_places, all)
}

fn changers(effects: &Sparse<Change>, num_places: usize, num_transitions: usize) -> Sparse<Changer> {
    let all = (0..num_transitions).flat_map(|row| {
        let changer = move |change: &Change| {
            (change.place.index(), Changer { transition: TransitionId::from(row), delta: change.delta })
        };
        effects.row(row).iter().map(changer)
    });
    Sparse::group(num_places, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_arcs_become_one_and_loops_have_no_effect() {
        let mut builder = NetBuilder::new("n");
        let (p, q) = (builder.place("p", 1), builder.place("q", 0));
        let t = builder.transition("t");
        builder.output(t, q, 5);
        builder.input(t, p, 1);
        builder.input(t, p, 2);
        builder.output(t, p, 3);
        builder.inhibitor(t, q, 4);
        builder.inhibitor(t, q, 2);
        let net = builder.build().unwrap();
        assert_eq!(net.inputs(t), [Arc { place: p, weight: 3 }]);
        assert_eq!(net.inhibitors(t), [Arc { place: q, weight: 2 }]);
        assert_eq!(net.effect(t), [Change { place: q, delta: 5 }]);
        assert_eq!(net.consumers(p), [Link { transition: t, weight: 3 }]);
        assert_eq!(net.changers(p), []);
        assert_eq!(net.changers(q), [Changer { transition: t, delta: 5 }]);
        assert_eq!(net.num_arcs(), 4);
    }

    #[test]
    fn weights_must_be_positive_and_fit() {
        let build = |weights: &[u64]| {
            let mut builder = NetBuilder::new("n");
            let (p, t) = (builder.place("p", 0), builder.transition("t"));
            weights.iter().for_each(|weight| builder.input(t, p, *weight));
            builder.build().map(|_| ())
        };
        let (p, t) = (PlaceId::from(0usize), TransitionId::from(0usize));
        assert_eq!(build(&[0]), Err(NetError::ZeroWeight(p, t)));
        assert_eq!(build(&[Net::MAX_NUMBER]), Ok(()));
        assert_eq!(build(&[Net::MAX_NUMBER, 1]), Err(NetError::LargeWeight(p, t)));
        assert_eq!(build(&[u64::MAX, u64::MAX]), Err(NetError::LargeWeight(p, t)));
    }

    #[test]
    fn initial_counts_must_fit() {
        let mut builder = NetBuilder::new("n");
        let p = builder.place("p", u64::MAX);
        assert_eq!(builder.build().err(), Some(NetError::LargeInitial(p)));
    }
}
