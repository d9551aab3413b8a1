//! The total number of edges on all elementary cycles.
//!
//! The termination criteria compare the number of stable iterations with this sum. The cycles are enumerated by the
//! algorithm of Johnson (*Finding all the elementary circuits of a directed graph*, 1975). A graph may have
//! exponentially many, so counting ends at a limit: a larger sum is useless.

use std::collections::BTreeMap;

use thetis_base::IndexVec;
use thetis_model::cfa::{Cfa, Graph, LocId};

/// Which cycles count as different.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ParallelEdges {
    /// Those with different edges.
    Count,
    /// Only those with different locations.
    CountOnce,
}

/// The limit of the sum.
const MAX_SUM: u64 = 1000;

/// The number of edges on all elementary cycles of `graph`, each cycle counted by itself; `None` if there are too many.
pub(super) fn cycle_sum(cfa: &Cfa, graph: &Graph, parallel: ParallelEdges) -> Option<u64> {
    let mut successors: IndexVec<LocId, BTreeMap<LocId, u64>> =
        cfa.locations.iter().map(|_| BTreeMap::new()).collect();
    for location in cfa.locations.indices() {
        for edge in graph.outgoing(location) {
            *successors[location].entry(cfa.edges[*edge].target).or_default() += 1;
        }
    }
    if parallel == ParallelEdges::CountOnce {
        let counts = successors.iter_mut().flat_map(BTreeMap::values_mut);
        counts.for_each(|count| *count = 1);
    }
    let mut sum = 0;
    for start in cfa.locations.indices() {
        let mut circuits = Circuits::new(cfa, &successors, start, MAX_SUM.checked_sub(sum)?);
        circuits.run();
        sum += circuits.sum;
    }
    (sum <= MAX_SUM).then_some(sum)
}

/// The cycles through `start` whose other locations come after it.
struct Circuits<'a> {
    successors: &'a IndexVec<LocId, BTreeMap<LocId, u64>>,
    start: LocId,
    /// Locations on the path, and those from which the search is known to fail until another location leaves the path.
    blocked: IndexVec<LocId, bool>,
    waiting: IndexVec<LocId, Vec<LocId>>,
    sum: u64,
    limit: u64,
}

/// A location on the path: its remaining successors, whether a cycle was found from it, and in how many ways the path
/// up to it can be taken.
struct OnPath {
    location: LocId,
    rest: Vec<LocId>,
    is_on_cycle: bool,
    num_ways: u64,
}

impl<'a> Circuits<'a> {
    fn new(
        cfa: &Cfa,
        successors: &'a IndexVec<LocId, BTreeMap<LocId, u64>>,
        start: LocId,
        limit: u64,
    ) -> Circuits<'a> {
        Circuits {
            successors,
            start,
            blocked: cfa.locations.iter().map(|_| false).collect(),
            waiting: cfa.locations.iter().map(|_| Vec::new()).collect(),
            sum: 0,
            limit,
        }
    }

    fn run(&mut self) {
        let mut path = vec![self.enter(self.start, 1)];
        while let Some(top) = path.last_mut() {
            if self.sum > self.limit {
                return;
            }
            let Some(next) = top.rest.pop() else {
                let left = path.pop().expect("the path should not be empty");
                self.leave(&left);
                if let Some(top) = path.last_mut() {
                    top.is_on_cycle |= left.is_on_cycle;
                }
                continue;
            };
            let num_ways = top.num_ways.saturating_mul(self.successors[top.location][&next]);
            if next == self.start {
                top.is_on_cycle = true;
                self.sum = self.sum.saturating_add(num_ways.saturating_mul(path.len() as u64));
            } else if !self.blocked[next] {
                let entered = self.enter(next, num_ways);
                path.push(entered);
            }
        }
    }

    fn enter(&mut self, location: LocId, num_ways: u64) -> OnPath {
        self.blocked[location] = true;
        let rest = self.successors[location].keys().copied().filter(|next| *next >= self.start).collect();
        OnPath { location, rest, is_on_cycle: false, num_ways }
    }

    fn leave(&mut self, left: &OnPath) {
        if left.is_on_cycle {
            self.unblock(left.location);
            return;
        }
        for next in self.successors[left.location].keys().filter(|next| **next >= self.start) {
            if !self.waiting[*next].contains(&left.location) {
                self.waiting[*next].push(left.location);
            }
        }
    }

    fn unblock(&mut self, location: LocId) {
        let mut pending = vec![location];
        while let Some(location) = pending.pop() {
            self.blocked[location] = false;
            let waiting = std::mem::take(&mut self.waiting[location]);
            pending.extend(waiting.into_iter().filter(|waiting| self.blocked[*waiting]));
        }
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Store;
    use thetis_model::cfa::{CfaBuilder, Stmt};

    use super::*;

    /// The sums of the graph with the given edges, with and without parallel edges.
    fn sums(num_locations: usize, edges: &[(usize, usize)]) -> [Option<u64>; 2] {
        let mut builder = CfaBuilder::new("graph");
        for number in 0..num_locations {
            builder.location(format!("l{number}"), None);
        }
        builder.initial(LocId::new(0));
        for (source, target) in edges {
            builder.edge(LocId::new(*source), LocId::new(*target), Stmt::skip(), None);
        }
        let cfa = builder.build(&Store::new()).unwrap();
        let graph = Graph::new(&cfa);
        [ParallelEdges::Count, ParallelEdges::CountOnce].map(|parallel| cycle_sum(&cfa, &graph, parallel))
    }

    #[test]
    fn figure_3_2_has_11_and_7() {
        let edges = [(0, 2), (2, 3), (3, 0), (0, 1), (1, 2), (1, 2)];
        assert_eq!(sums(4, &edges), [Some(11), Some(7)]);
    }

    #[test]
    fn loops_nests_and_large_graphs() {
        assert_eq!(sums(2, &[(0, 1)]), [Some(0); 2]);
        assert_eq!(sums(2, &[(0, 1), (1, 1), (1, 1)]), [Some(2), Some(1)]);
        // Two triangles that share a location, and the outer cycle of a nest.
        assert_eq!(sums(5, &[(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]), [Some(6); 2]);
        assert_eq!(sums(3, &[(0, 1), (1, 1), (1, 2), (2, 1)]), [Some(3); 2]);
        let complete: Vec<(usize, usize)> =
            (0..12).flat_map(|one| (0..12).map(move |other| (one, other))).collect();
        assert_eq!(sums(12, &complete), [None; 2]);
    }
}
