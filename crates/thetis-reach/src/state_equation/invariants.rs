//! Distant invariants (algorithm 1.9).
//!
//! A partial solution was skipped because it only fired a T-invariant, which moved tokens in a circle and lent none. A
//! *distant* invariant can put a token onto a place of that invariant. If that does not help either, the two form a
//! *chain*, and the next distant invariant is looked for; if it helps, but not enough, every part of the chain is asked
//! for one more token.
//!
//! # Where we differ
//! * An invariant is used again only if it came nearer to the goal than the partial solution it was added to. The source
//!   asks for *any* better intermediate marking, and keeps adding a useless invariant for ever if there was one before.
//! * As definition 1.8 demands, the transitions of a chain are not asked to provide tokens for it.
//! * Jumps are transformed before, or they could forbid the invariant.
//!
//! # Better markings (definition 1.10)
//! With `better-markings = "invariant"` an invariant also counts as lending something if it puts more tokens on a place of
//! the chain than there ever were without it. This decides nets in which one lent token is not enough to fire the
//! invariant that was cut once more. It never leads to a wrong answer: it only adds solution vectors to the search, a
//! vector is an answer only if it was realised, and a search without an answer is `Unknown` in any case. The price is that
//! the search may not terminate. If the lender can be repeated, the number of tokens is unbounded: each round that fires
//! it once more is better than the round before, so it is asked for again, and only `max-solutions` ends that. Definition
//! 1.6 has no such rounds, because it asks for tokens on a place of the remainder only until there are enough.

use thetis_model::petri::{Net, PlaceId, TransitionId};

use super::constraints::{Increment, Vector, Wanted, token_constraint};
use super::partial::Partial;

/// Sets the chain of `skipped`, which was skipped because of `cause`, and gives the constraints that involve distant
/// invariants for it. `invariant` is the difference of their solution vectors; `is_nearer` says whether `skipped`
/// comes nearer to enabling its remainder than `cause`.
pub(super) fn involve_distant(
    net: &Net,
    skipped: &mut Partial,
    cause: &Partial,
    invariant: Vector,
    is_nearer: bool,
) -> Vec<Increment> {
    let num_transitions = net.transitions().len();
    if !cause.chain.is_empty() && is_nearer {
        skipped.chain = cause.chain.clone();
        let subchains = (1..=skipped.chain.len()).map(|len| sum(num_transitions, &skipped.chain[..len]));
        return subchains.filter_map(|subchain| constraint(net, skipped, &subchain)).collect();
    }
    let is_extension =
        cause.chain.is_empty() || is_distant(net, &invariant, &sum(num_transitions, &cause.chain));
    if !is_extension {
        return Vec::new();
    }
    skipped.chain = cause.chain.clone();
    skipped.chain.push(invariant);
    let whole = sum(num_transitions, &skipped.chain);
    constraint(net, skipped, &whole).into_iter().collect()
}

/// Definition 1.8: whether `other` has a transition outside of `invariant` that puts tokens onto a place of
/// `invariant`.
fn is_distant(net: &Net, other: &Vector, invariant: &Vector) -> bool {
    let places = places_of(net, invariant);
    let gives = |t: TransitionId| {
        net.effect(t).iter().any(|change| change.delta > 0 && places.binary_search(&change.place).is_ok())
    };
    net.transition_ids().any(|t| other[t.index()] > 0 && invariant[t.index()] == 0 && gives(t))
}

/// One more token on the places of `chain`, from transitions outside.
fn constraint(net: &Net, partial: &Partial, chain: &Vector) -> Option<Increment> {
    let may_help = |t: TransitionId| partial.remainder[t.index()] == 0 && chain[t.index()] == 0;
    token_constraint(net, &places_of(net, chain), Wanted::More(1), &partial.fired, may_help)
}

/// The places of a chain of distant invariants, ascending.
pub(super) fn places_of_chain(net: &Net, chain: &[Vector]) -> Vec<PlaceId> {
    places_of(net, &sum(net.transitions().len(), chain))
}

/// The places that the transitions of `counts` are connected to, ascending.
fn places_of(net: &Net, counts: &Vector) -> Vec<PlaceId> {
    let used = net.transition_ids().filter(|t| counts[t.index()] > 0);
    let arcs = used.flat_map(|t| net.inputs(t).iter().chain(net.outputs(t)));
    let mut places: Vec<PlaceId> = arcs.map(|arc| arc.place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

fn sum(num_transitions: usize, chain: &[Vector]) -> Vector {
    let mut total = vec![0u64; num_transitions];
    for vector in chain {
        total.iter_mut().zip(vector).for_each(|(total, count)| *total = total.saturating_add(*count));
    }
    total
}
