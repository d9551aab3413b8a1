//! The waiting list: which node is processed next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arg::NodeId;

/// The order of search. The names stand for the weights that Hajdu and Micskei 2019 give them (section 4.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// Least depth first.
    Bfs,
    /// Greatest depth first.
    Dfs,
    /// Least distance to an error location first.
    #[default]
    Err,
    /// Least sum of the distance to an error location and twice the depth first.
    ErrDfs,
    /// Least sum of twice the distance to an error location and the depth first.
    DfsErr,
    /// Weights of one's own: the least `distance * distance-weight + depth * depth-weight` first.
    Weights {
        /// The weight of the distance to an error location.
        distance: i64,
        /// The weight of the depth.
        depth: i64,
    },
}

impl SearchOrder {
    /// The weights `(w_E, w_D)` of distance and depth.
    pub fn weights(self) -> (i64, i64) {
        match self {
            SearchOrder::Bfs => (0, 1),
            SearchOrder::Dfs => (0, -1),
            SearchOrder::Err => (1, 0),
            SearchOrder::ErrDfs => (1, 2),
            SearchOrder::DfsErr => (2, 1),
            SearchOrder::Weights { distance, depth } => (distance, depth),
        }
    }
}

/// Nodes ordered by weight; among equals, the first in is the first out.
pub struct Waitlist {
    search: SearchOrder,
    heap: BinaryHeap<Reverse<(i64, u64, NodeId)>>,
    added: u64,
}

impl Waitlist {
    /// An empty list.
    pub fn new(search: SearchOrder) -> Waitlist {
        Waitlist { search, heap: BinaryHeap::new(), added: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, distance: u32, depth: u32) {
        let (by_distance, by_depth) = self.search.weights();
        let weight = by_distance * i64::from(distance) + by_depth * i64::from(depth);
        self.heap.push(Reverse((weight, self.added, node)));
        self.added += 1;
    }

    /// Removes the node to process next.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes 0 to 3 with these distances and depths come out in the order of the table.
    const NODES: [(u32, u32); 4] = [(5, 0), (1, 1), (3, 4), (0, 4)];

    fn order(search: SearchOrder) -> Vec<usize> {
        let mut list = Waitlist::new(search);
        for (number, (distance, depth)) in NODES.into_iter().enumerate() {
            list.push(NodeId::new(number), distance, depth);
        }
        std::iter::from_fn(|| list.pop()).map(NodeId::index).collect()
    }

    #[test]
    fn strategies_order_by_their_weights() {
        assert_eq!(order(SearchOrder::Bfs), [0, 1, 2, 3]);
        assert_eq!(order(SearchOrder::Dfs), [2, 3, 1, 0]);
        assert_eq!(order(SearchOrder::Err), [3, 1, 2, 0]);
        assert_eq!(order(SearchOrder::ErrDfs), [1, 0, 3, 2]);
        assert_eq!(order(SearchOrder::DfsErr), [1, 3, 0, 2]);
        assert_eq!(order(SearchOrder::Weights { distance: -1, depth: 0 }), [0, 2, 1, 3]);
    }

    /// The locations of the nodes in the order in which they are processed, until an error is found or `most` nodes
    /// were processed.
    fn visited(search: SearchOrder, edges: &[(usize, usize)], distance: &[u32], most: usize) -> Vec<usize> {
        let mut list = Waitlist::new(search);
        let mut nodes: Vec<(usize, u32)> = vec![(0, 0)];
        list.push(NodeId::new(0), distance[0], 0);
        let mut seen = Vec::new();
        while let Some(node) = list.pop() {
            let (at, depth) = nodes[node.index()];
            seen.push(at);
            if distance[at] == 0 || seen.len() == most {
                break;
            }
            for (_, to) in edges.iter().filter(|(from, _)| *from == at) {
                list.push(NodeId::new(nodes.len()), distance[*to], depth + 1);
                nodes.push((*to, depth + 1));
            }
        }
        seen
    }

    /// Figure 5a: diamonds, in which the breadth visits every path and the distance only one.
    #[test]
    fn distance_leads_through_diamonds() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6), (6, 7), (7, 8)];
        let distance = [6, 5, 5, 4, 3, 3, 2, 1, 0];
        let straight = [0, 1, 3, 4, 6, 7, 8];
        assert_eq!(visited(SearchOrder::Err, &edges, &distance, 100), straight);
        assert_eq!(visited(SearchOrder::DfsErr, &edges, &distance, 100), straight);
        assert!(visited(SearchOrder::Bfs, &edges, &distance, 100).len() > straight.len());
        assert!(visited(SearchOrder::ErrDfs, &edges, &distance, 100).len() > straight.len());
    }

    /// Figure 5b: a loop whose way out to the error is not feasible. Distance alone never leaves it, depth does.
    #[test]
    fn depth_leads_out_of_loops() {
        let edges = [(0, 1), (1, 2), (2, 1), (0, 3), (3, 4), (4, 5), (5, 6)];
        let distance = [2, 1, 2, 3, 2, 1, 0];
        assert!(!visited(SearchOrder::Err, &edges, &distance, 100).contains(&6));
        for search in [SearchOrder::ErrDfs, SearchOrder::DfsErr, SearchOrder::Bfs] {
            assert!(visited(search, &edges, &distance, 100).contains(&6), "{search:?}");
        }
    }
}
