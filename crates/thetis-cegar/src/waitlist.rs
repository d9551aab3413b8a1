//! The waiting list: which node is looked at next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use crate::arg::NodeId;

/// The order of search. `bfs`, `dfs`, `err`, `err-dfs` and `dfs-err` are the weights of the document by name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Least depth first.
    Bfs,
    /// Greatest depth first.
    Dfs,
    /// Least distance to an error location first.
    #[default]
    Err,
    /// Distance to an error location counts twice as much as depth.
    ErrDfs,
    /// Depth counts twice as much as distance to an error location.
    DfsErr,
    /// Weights of one's own: the least `distance * distance-weight + depth * depth-weight` first.
    Weights {
        /// The weight of the distance to an error location.
        distance: i64,
        /// The weight of the depth.
        depth: i64,
    },
}

impl Search {
    /// The weights `(w_E, w_D)` of distance and depth.
    pub fn weights(self) -> (i64, i64) {
        match self {
            Search::Bfs => (0, 1),
            Search::Dfs => (0, -1),
            Search::Err => (1, 0),
            Search::ErrDfs => (2, 1),
            Search::DfsErr => (1, 2),
            Search::Weights { distance, depth } => (distance, depth),
        }
    }
}

/// Nodes ordered by weight; among equals, the first in is the first out.
pub struct Waitlist {
    search: Search,
    heap: BinaryHeap<Reverse<(i64, u64, NodeId)>>,
    added: u64,
}

impl Waitlist {
    /// An empty list.
    pub fn new(search: Search) -> Waitlist {
        Waitlist { search, heap: BinaryHeap::new(), added: 0 }
    }

    /// Adds a node.
    pub fn push(&mut self, node: NodeId, distance: u32, depth: u32) {
        let (by_distance, by_depth) = self.search.weights();
        let weight = by_distance * i64::from(distance) + by_depth * i64::from(depth);
        self.heap.push(Reverse((weight, self.added, node)));
        self.added += 1;
    }

    /// Removes the node to look at next.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes 0, 1, 2 with these distances and depths come out in the order of the table.
    const NODES: [(u32, u32); 3] = [(5, 0), (1, 1), (3, 4)];

    fn order(search: Search) -> Vec<usize> {
        let mut list = Waitlist::new(search);
        for (number, (distance, depth)) in NODES.into_iter().enumerate() {
            list.push(NodeId::new(number), distance, depth);
        }
        std::iter::from_fn(|| list.pop()).map(NodeId::index).collect()
    }

    #[test]
    fn strategies_order_by_their_weights() {
        assert_eq!(order(Search::Bfs), [0, 1, 2]);
        assert_eq!(order(Search::Dfs), [2, 1, 0]);
        assert_eq!(order(Search::Err), [1, 2, 0]);
        assert_eq!(order(Search::ErrDfs), [1, 0, 2]);
        assert_eq!(order(Search::DfsErr), [1, 0, 2]);
        assert_eq!(order(Search::Weights { distance: -1, depth: 0 }), [0, 2, 1]);
    }
}
