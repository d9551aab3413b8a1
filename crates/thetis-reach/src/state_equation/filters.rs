//! Which partial solutions are not followed: those that only add useless T-invariants, and those that the hybrid
//! search drops.
//!
//! Any filter may cut a branch that would have led to the target. This is why a search that ends without a firing
//! sequence proves nothing.

use super::constraints::Vector;
use super::partial::Partial;
use super::space::{Fate, PartialId, SolutionSpace};

/// Algorithm 1.5: the partial solution of an ancestor from which `id` differs only by having fired a T-invariant.
pub(super) fn fired_invariant(space: &SolutionSpace, id: PartialId) -> Option<PartialId> {
    let late = &space.partials[id].partial;
    find_ancestor(space, id, |early, _| {
        early.marking == late.marking
            && early.remainder == late.remainder
            && is_below(&early.fired, &late.fired)
    })
}

/// Algorithm 1.10: the *skipped* partial solution of an ancestor from which `id` differs only by a T-invariant that
/// did not fire.
pub(super) fn unfired_invariant(
    space: &SolutionSpace,
    id: PartialId,
    effect_is_zero: impl Fn(&Vector) -> bool,
) -> Option<PartialId> {
    let late = &space.partials[id].partial;
    find_ancestor(space, id, |early, fate| {
        matches!(fate, Fate::Skipped(_))
            && early.fired == late.fired
            && is_below(&early.remainder, &late.remainder)
            && effect_is_zero(&difference(&late.remainder, &early.remainder))
    })
}

/// Algorithm 1.11, as the text means it: keeps the partial solutions that are minimal or maximal in the order of their
/// remainders. (The printed formula would keep those that are neither.)
pub(super) fn keep_extremes(leaves: Vec<Partial>) -> Vec<Partial> {
    let is_less =
        |a: &Partial, b: &Partial| a.remainder != b.remainder && is_below(&a.remainder, &b.remainder);
    let keep: Vec<bool> = leaves
        .iter()
        .map(|leaf| {
            !leaves.iter().any(|other| is_less(other, leaf))
                || !leaves.iter().any(|other| is_less(leaf, other))
        })
        .collect();
    leaves.into_iter().zip(keep).filter_map(|(leaf, keep)| keep.then_some(leaf)).collect()
}

/// `late − early`, entry by entry. `early` should be below `late`.
pub(super) fn difference(late: &Vector, early: &Vector) -> Vector {
    late.iter().zip(early).map(|(late, early)| late.saturating_sub(*early)).collect()
}

fn find_ancestor(
    space: &SolutionSpace,
    id: PartialId,
    is_cause: impl Fn(&Partial, Fate) -> bool,
) -> Option<PartialId> {
    let candidates =
        space.ancestors(space.partials[id].solution).flat_map(|solution| &space.solutions[solution].partials);
    candidates.copied().find(|other| is_cause(&space.partials[*other].partial, space.partials[*other].fate))
}

fn is_below(small: &Vector, great: &Vector) -> bool {
    small.iter().zip(great).all(|(small, great)| small <= great)
}
