//! Random nets with random questions.

use fastrand::Rng;
use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::petri::{
    Comparison, Net, NetBuilder, PetriProperty, PlaceId, Predicate, Question, Relation, Sum, TransitionId,
};

/// How large random nets are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetShape {
    /// The greatest number of places.
    pub max_places: usize,
    /// The greatest number of transitions.
    pub max_transitions: usize,
    /// The greatest weight and initial count.
    pub max_number: u64,
    /// Whether there may be inhibitor arcs.
    pub inhibitors: bool,
    /// Whether some transitions are split into two with a place between them, as models of software often are.
    pub splits: bool,
}

impl Default for NetShape {
    fn default() -> NetShape {
        NetShape { max_places: 6, max_transitions: 7, max_number: 3, inhibitors: true, splits: false }
    }
}

/// A random task. Many nets are bounded, because most transitions consume as many arcs as they produce; some are not.
pub fn random_net(seed: u64, shape: NetShape) -> Task<Net> {
    let mut rng = Rng::with_seed(seed);
    let net = net(&mut rng, shape);
    let question = match rng.u32(0..10) {
        0 | 1 => Question::Deadlock,
        2 => Question::OneSafe,
        3 | 4 => Question::Always(random_predicate(&net, &mut rng, 2)),
        _ => Question::Exists(random_predicate(&net, &mut rng, 2)),
    };
    let property = PetriProperty::new(&net, question);
    Task { store: Store::new(), model: net, property }
}

fn net(rng: &mut Rng, shape: NetShape) -> Net {
    let mut builder = NetBuilder::new("random");
    let num_places = rng.usize(1..=shape.max_places);
    let places: Vec<PlaceId> = (0..num_places)
        .map(|index| {
            let initial = if rng.u32(0..3) == 0 { rng.u64(1..=shape.max_number) } else { rng.u64(0..=1) };
            builder.place(format!("p{index}"), initial)
        })
        .collect();
    let has_inhibitors = shape.inhibitors && rng.u32(0..3) == 0;
    for index in 0..rng.usize(1..=shape.max_transitions) {
        let transition = builder.transition(format!("t{index}"));
        let last = if shape.splits && rng.bool() { split(&mut builder, transition) } else { transition };
        arcs(&mut builder, (transition, last), &places, rng, shape);
        if has_inhibitors && rng.u32(0..3) == 0 {
            builder.inhibitor(transition, places[rng.usize(0..num_places)], rng.u64(1..=shape.max_number));
        }
    }
    builder.build().expect("random nets should be well-formed")
}

/// A transition that follows `first`.
fn split(builder: &mut NetBuilder, first: TransitionId) -> TransitionId {
    let place = builder.place(format!("between{}", first.index()), 0);
    let second = builder.transition(format!("after{}", first.index()));
    builder.output(first, place, 1);
    builder.input(second, place, 1);
    second
}

fn arcs(
    builder: &mut NetBuilder,
    (first, last): (TransitionId, TransitionId),
    places: &[PlaceId],
    rng: &mut Rng,
    shape: NetShape,
) {
    let weight = |rng: &mut Rng| if rng.u32(0..4) == 0 { rng.u64(1..=shape.max_number) } else { 1 };
    let num_inputs = rng.usize(0..=2).max(usize::from(rng.u32(0..10) > 0));
    let num_outputs = match rng.u32(0..8) {
        0 => num_inputs + 1,
        1 | 2 => num_inputs.saturating_sub(1),
        _ => num_inputs,
    };
    for _ in 0..num_inputs {
        builder.input(first, places[rng.usize(0..places.len())], weight(rng));
    }
    for _ in 0..num_outputs {
        let place = places[rng.usize(0..places.len())];
        builder.output(last, place, if rng.u32(0..6) == 0 { weight(rng) } else { 1 });
    }
}

/// A random predicate with this many levels.
pub fn random_predicate(net: &Net, rng: &mut Rng, depth: usize) -> Predicate {
    let part = |rng: &mut Rng| random_predicate(net, rng, depth.saturating_sub(1));
    match if depth == 0 { 0 } else { rng.u32(0..7) } {
        0..=2 => atom(net, rng),
        3 => Predicate::Not(Box::new(part(rng))),
        4 | 5 => Predicate::And((0..rng.usize(1..=3)).map(|_| part(rng)).collect()),
        _ => Predicate::Or((0..rng.usize(1..=3)).map(|_| part(rng)).collect()),
    }
}

fn atom(net: &Net, rng: &mut Rng) -> Predicate {
    match rng.u32(0..12) {
        0 => Predicate::Deadlock,
        1 => Predicate::Constant(rng.bool()),
        2 | 3 => {
            let transition = |rng: &mut Rng| TransitionId::from(rng.usize(0..net.transitions().len()));
            Predicate::Fireable((0..rng.usize(1..=2)).map(|_| transition(rng)).collect())
        }
        _ => Predicate::Compare(comparison(net, rng)),
    }
}

fn comparison(net: &Net, rng: &mut Rng) -> Comparison {
    let term = |rng: &mut Rng| {
        let place = PlaceId::from(rng.usize(0..net.places().len()));
        (place, if rng.u32(0..3) == 0 { rng.i64(-2..=3) } else { 1 })
    };
    let sum = Sum::new((0..rng.usize(1..=3)).map(|_| term(rng))).expect("small coefficients should fit");
    let relations = [
        Relation::Less,
        Relation::AtMost,
        Relation::Equal,
        Relation::Equal,
        Relation::NotEqual,
        Relation::AtLeast,
        Relation::AtLeast,
        Relation::Greater,
    ];
    Comparison { sum, relation: relations[rng.usize(0..relations.len())], bound: rng.i64(-1..=4) }
}
