//! Petri nets: places that hold tokens, and transitions that move them.
//!
//! A state is a [`Marking`]: a number of tokens for every place. A transition is *enabled* iff each of its input places
//! holds at least as many tokens as the arc says and each of its inhibitor places holds fewer; firing it removes the
//! tokens of its input arcs and adds those of its output arcs. Token counts are exact: a firing that leaves the range
//! of 64 bits is an error, never a wrap-around. The question is always whether some reachable marking satisfies a
//! target; see [`PetriProperty`].
//!
//! Arcs are kept sparsely, once by transition and once by place, so that the cost of a net is proportional to its number of
//! arcs, even with 100,000 places.

mod arcs;
mod builder;
mod cases;
mod dot;
mod evidence;
mod marking;
mod names;
mod predicate;
mod property;

use thetis_base::{IndexVec, Span, define_index_type};

use crate::Model;
use arcs::Sparse;

pub use builder::{NetBuilder, NetError};
pub use cases::{Case, Constraint, ConstraintKind, TooManyCases};
pub use dot::to_dot;
pub use evidence::{PetriProof, PetriTrace, Refutation, Round, Row, StateEquationProof, Step};
pub use marking::{FireError, Marking};
pub use names::{NetNames, quoted};
pub use predicate::{Comparison, LinearError, Predicate, Relation, Sum};
pub use property::{PetriProperty, Question};

define_index_type! {
    /// A place of a [`Net`].
    pub struct PlaceId = u32;
}

define_index_type! {
    /// A transition of a [`Net`].
    pub struct TransitionId = u32;
}

/// A place/transition net with weights and inhibitor arcs.
///
/// Built with [`NetBuilder`], which guarantees: at most one arc of each kind between a place and a transition, no arc
/// of weight zero, arcs in ascending order, and no weight or initial count above [`Net::MAX_NUMBER`].
#[derive(Clone, Debug)]
pub struct Net {
    name: String,
    places: IndexVec<PlaceId, Place>,
    transitions: IndexVec<TransitionId, Transition>,
    inputs: Sparse<Arc>,
    outputs: Sparse<Arc>,
    inhibitors: Sparse<Arc>,
    effects: Sparse<Change>,
    consumers: Sparse<Link>,
    producers: Sparse<Link>,
    inhibited: Sparse<Link>,
    changers: Sparse<Changer>,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name by which properties mention it, unique among the places; in PNML its id.
    pub name: String,
    /// What people call it, if that differs.
    pub label: Option<String>,
    /// The tokens at the start.
    pub initial: u64,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The name by which properties mention it, unique among the transitions; in PNML its id.
    pub name: String,
    /// What people call it, if that differs.
    pub label: Option<String>,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// An arc, seen from its transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Arc {
    /// The place.
    pub place: PlaceId,
    /// The weight; of an inhibitor arc: the least number of tokens that disables the transition.
    pub weight: u64,
}

/// An arc, seen from its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The transition.
    pub transition: TransitionId,
    /// The weight.
    pub weight: u64,
}

/// What a firing does to one place: an entry of a column of the incidence matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Change {
    /// The place.
    pub place: PlaceId,
    /// Produced minus consumed tokens; not zero.
    pub delta: i64,
}

/// What a firing of one transition does to a place: an entry of a row of the incidence matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Changer {
    /// The transition.
    pub transition: TransitionId,
    /// Produced minus consumed tokens; not zero.
    pub delta: i64,
}

impl Model for Net {
    type Property = PetriProperty;
    type Trace = PetriTrace;
    type Proof = PetriProof;
}

impl Net {
    /// The greatest weight and initial number of tokens, so that each change of a place fits into 64 bits with sign.
    pub const MAX_NUMBER: u64 = i64::MAX as u64;

    /// The name of the net.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The places.
    pub fn places(&self) -> &IndexVec<PlaceId, Place> {
        &self.places
    }

    /// The transitions.
    pub fn transitions(&self) -> &IndexVec<TransitionId, Transition> {
        &self.transitions
    }

    /// The ids of the places, ascending.
    pub fn place_ids(&self) -> impl DoubleEndedIterator<Item = PlaceId> + ExactSizeIterator + use<> {
        (0..self.places.len()).map(PlaceId::from)
    }

    /// The ids of the transitions, ascending.
    pub fn transition_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = TransitionId> + ExactSizeIterator + use<> {
        (0..self.transitions.len()).map(TransitionId::from)
    }

    /// What `transition` consumes.
    pub fn inputs(&self, transition: TransitionId) -> &[Arc] {
        self.inputs.row(transition.index())
    }

    /// What `transition` produces.
    pub fn outputs(&self, transition: TransitionId) -> &[Arc] {
        self.outputs.row(transition.index())
    }

    /// What disables `transition`: each place must hold *fewer* tokens than the weight.
    pub fn inhibitors(&self, transition: TransitionId) -> &[Arc] {
        self.inhibitors.row(transition.index())
    }

    /// What a firing of `transition` changes: its column of the incidence matrix.
    pub fn effect(&self, transition: TransitionId) -> &[Change] {
        self.effects.row(transition.index())
    }

    /// The transitions that consume from `place`.
    pub fn consumers(&self, place: PlaceId) -> &[Link] {
        self.consumers.row(place.index())
    }

    /// The transitions that produce on `place`.
    pub fn producers(&self, place: PlaceId) -> &[Link] {
        self.producers.row(place.index())
    }

    /// The transitions that `place` can inhibit.
    pub fn inhibited(&self, place: PlaceId) -> &[Link] {
        self.inhibited.row(place.index())
    }

    /// The transitions that change the tokens of `place`: its row of the incidence matrix.
    pub fn changers(&self, place: PlaceId) -> &[Changer] {
        self.changers.row(place.index())
    }

    /// Whether there are inhibitor arcs.
    pub fn has_inhibitors(&self) -> bool {
        self.inhibitors.num_entries() > 0
    }

    /// How many arcs there are, inhibitor arcs included.
    pub fn num_arcs(&self) -> usize {
        self.inputs.num_entries() + self.outputs.num_entries() + self.inhibitors.num_entries()
    }

    /// The marking at the start.
    pub fn initial_marking(&self) -> Marking {
        Marking::new(self.places.iter().map(|place| place.initial).collect())
    }
}
