//! Orders of locations for reasoning backwards.

use std::collections::BTreeSet;

use thetis_base::IndexVec;
use thetis_model::cfa::{Cfa, EdgeId, LocId};

/// The edges that leave each location; none for locations beyond which a run need not be followed.
pub(super) fn outgoing(cfa: &Cfa) -> IndexVec<LocId, Vec<EdgeId>> {
    let mut outgoing: IndexVec<LocId, Vec<EdgeId>> = cfa.locations.iter().map(|_| Vec::new()).collect();
    for (id, edge) in cfa.edges.iter_enumerated().filter(|(_, edge)| !cfa.is_forbidden(edge.source)) {
        outgoing[edge.source].push(id);
    }
    outgoing
}

/// How many edges enter each location.
pub(super) fn num_incoming(cfa: &Cfa) -> IndexVec<LocId, usize> {
    let mut num_incoming: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| 0).collect();
    cfa.edges.iter().for_each(|edge| num_incoming[edge.target] += 1);
    num_incoming
}

/// The locations that a shortest run to an error location or a limit can visit, with `outgoing` as edges: those that leave such
/// a location should not be among them.
pub(super) fn towards_forbidden(cfa: &Cfa, outgoing: &IndexVec<LocId, Vec<EdgeId>>) -> BTreeSet<LocId> {
    let mut reached = BTreeSet::new();
    let mut incoming: IndexVec<LocId, Vec<LocId>> = cfa.locations.iter().map(|_| Vec::new()).collect();
    let mut stack = vec![cfa.initial];
    while let Some(location) = stack.pop() {
        if reached.insert(location) {
            for target in outgoing[location].iter().map(|edge| cfa.edges[*edge].target) {
                incoming[target].push(location);
                stack.push(target);
            }
        }
    }
    let mut relevant = BTreeSet::new();
    let mut stack: Vec<LocId> =
        cfa.forbidden().into_iter().filter(|target| reached.contains(target)).collect();
    while let Some(location) = stack.pop() {
        if relevant.insert(location) {
            stack.extend(&incoming[location]);
        }
    }
    relevant
}

/// The locations of `within`, each after the targets of its edges that `follow` accepts; or a location on a
/// cycle of such edges.
pub(super) fn targets_first(
    cfa: &Cfa,
    outgoing: &IndexVec<LocId, Vec<EdgeId>>,
    within: &BTreeSet<LocId>,
    follow: impl Fn(EdgeId) -> bool,
) -> Result<Vec<LocId>, LocId> {
    let mut order = Vec::new();
    let mut progress: IndexVec<LocId, Progress> = cfa.locations.iter().map(|_| Progress::New).collect();
    for start in within {
        if progress[*start] != Progress::New {
            continue;
        }
        progress[*start] = Progress::Open;
        let mut stack = vec![(*start, 0)];
        while let Some((location, next)) = stack.last_mut() {
            let Some(edge) = outgoing[*location].get(*next).copied() else {
                progress[*location] = Progress::Done;
                order.push(*location);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = cfa.edges[edge].target;
            if !within.contains(&target) || !follow(edge) {
                continue;
            }
            match progress[target] {
                Progress::New => {
                    progress[target] = Progress::Open;
                    stack.push((target, 0));
                }
                Progress::Open => return Err(target),
                Progress::Done => {}
            }
        }
    }
    Ok(order)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Open,
    Done,
}
