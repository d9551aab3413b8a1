//! The abstract reachability graph.
//!
//! A tree of abstract states with covered-by edges beside it. A node is **waiting** until all its actions are followed
//! (then it is **expanded**), until another node that is not covered itself covers it, or it is a **target**. A graph
//! without waiting nodes is complete: it over-approximates everything reachable. Nodes of a removed subtree are
//! marked and never used again, so ids stay valid.

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, define_index_type};

define_index_type! {
    /// A node of an [`Arg`].
    pub struct NodeId = u32;
}

/// The graph. `S` is the abstract state, `A` the action on tree edges.
pub struct Arg<S, A> {
    nodes: IndexVec<NodeId, Node<S, A>>,
    roots: Vec<NodeId>,
    by_key: FxHashMap<usize, Vec<NodeId>>,
}

/// A node.
pub struct Node<S, A> {
    /// What it stands for.
    pub state: S,
    /// How it was reached; `None` for a root.
    pub parent: Option<(NodeId, A)>,
    /// What was reached from it.
    pub children: Vec<NodeId>,
    /// Its distance from the root.
    pub depth: u32,
    /// What is known about it.
    pub status: Status,
    /// The actions that were not followed yet.
    pub pending: Vec<A>,
    key: usize,
}

/// What is known about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Something is to be done.
    Waiting,
    /// All its successors are in the graph.
    Expanded,
    /// Another node stands for more.
    Covered(NodeId),
    /// It is a violation.
    Target,
    /// It was pruned.
    Removed,
}

impl<S, A: Copy + Eq> Default for Arg<S, A> {
    fn default() -> Self {
        Arg { nodes: IndexVec::new(), roots: Vec::new(), by_key: FxHashMap::default() }
    }
}

impl<S, A: Copy + Eq> Arg<S, A> {
    /// Adds a node with the actions that are to be followed from it.
    pub fn add(&mut self, state: S, key: usize, parent: Option<(NodeId, A)>, pending: Vec<A>) -> NodeId {
        let depth = parent.map_or(0, |(parent, _)| self.nodes[parent].depth + 1);
        let node = Node { state, parent, children: Vec::new(), depth, status: Status::Waiting, pending, key };
        let id = self.nodes.push(node);
        match parent {
            Some((parent, _)) => self.nodes[parent].children.push(id),
            None => self.roots.push(id),
        }
        self.by_key.entry(key).or_default().push(id);
        id
    }

    /// A node by its id.
    pub fn node(&self, id: NodeId) -> &Node<S, A> {
        &self.nodes[id]
    }

    /// A node by its id.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<S, A> {
        &mut self.nodes[id]
    }

    /// The nodes that were not pruned, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node<S, A>)> {
        self.nodes.iter_enumerated().filter(|(_, node)| node.status != Status::Removed)
    }

    /// Whether there are no nodes at all.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The number of nodes that were not pruned.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// The nodes other than `id` that may cover it: same key, not covered, not pruned, not a target.
    pub fn coverers(&self, id: NodeId) -> Vec<NodeId> {
        let same = self.by_key.get(&self.nodes[id].key).map_or(&[] as &[NodeId], Vec::as_slice);
        let may_cover = |other: &&NodeId| {
            **other != id && matches!(self.nodes[**other].status, Status::Waiting | Status::Expanded)
        };
        same.iter().filter(may_cover).copied().collect()
    }

    /// The nodes from a root to `id`.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        while let Some((parent, _)) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Removes the subtree of `id` and lets its parent follow the action to it again. What was covered by removed
    /// nodes waits again. Returns the nodes that wait now.
    pub fn prune(&mut self, id: NodeId) -> Vec<NodeId> {
        if self.nodes[id].status == Status::Removed {
            return Vec::new();
        }
        let Some((parent, action)) = self.nodes[id].parent else {
            self.clear();
            return Vec::new();
        };
        // All successors by the same action are computed together, so they go together.
        let siblings: Vec<NodeId> = self.nodes[parent]
            .children
            .iter()
            .copied()
            .filter(|child| self.came_by(*child, action))
            .collect();
        for sibling in siblings {
            self.remove_subtree(sibling);
        }
        let nodes = &self.nodes;
        let kept: Vec<NodeId> = nodes[parent]
            .children
            .iter()
            .copied()
            .filter(|child| nodes[*child].status != Status::Removed)
            .collect();
        let parent_node = &mut self.nodes[parent];
        parent_node.children = kept;
        parent_node.pending.push(action);
        parent_node.status = Status::Waiting;
        let mut waiting = vec![parent];
        waiting.extend(self.uncover());
        waiting
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Arg::default();
    }

    fn came_by(&self, child: NodeId, action: A) -> bool {
        self.nodes[child].parent.is_some_and(|(_, other)| other == action)
    }

    fn remove_subtree(&mut self, root: NodeId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            self.nodes[id].status = Status::Removed;
            stack.append(&mut self.nodes[id].children);
            let key = self.nodes[id].key;
            if let Some(same) = self.by_key.get_mut(&key) {
                same.retain(|other| *other != id);
            }
        }
    }

    fn uncover(&mut self) -> Vec<NodeId> {
        let lost = |(id, node): (NodeId, &Node<S, A>)| match node.status {
            Status::Covered(by) if self.nodes[by].status == Status::Removed => Some(id),
            _ => None,
        };
        let uncovered: Vec<NodeId> = self.nodes.iter_enumerated().filter_map(lost).collect();
        for id in &uncovered {
            self.nodes[*id].status = Status::Waiting;
        }
        uncovered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a - b - d, a - c; c is covered by b.
    fn sample() -> (Arg<char, u32>, [NodeId; 4]) {
        let mut arg = Arg::default();
        let a = arg.add('a', 0, None, Vec::new());
        let b = arg.add('b', 0, Some((a, 1)), Vec::new());
        let c = arg.add('c', 0, Some((a, 2)), vec![7]);
        let d = arg.add('d', 0, Some((b, 3)), Vec::new());
        for id in [a, b, d] {
            arg.node_mut(id).status = Status::Expanded;
        }
        arg.node_mut(c).status = Status::Covered(b);
        (arg, [a, b, c, d])
    }

    #[test]
    fn pruning_reopens_the_parent_and_what_was_covered() {
        let (mut arg, [a, b, c, d]) = sample();
        assert_eq!(arg.prune(b), [a, c]);
        assert_eq!(arg.node(a).pending, [1]);
        assert_eq!(arg.node(a).children, [c]);
        assert_eq!(arg.node(c).pending, [7]);
        assert!([b, d].iter().all(|id| arg.node(*id).status == Status::Removed));
        assert_eq!(arg.len(), 2);
    }

    #[test]
    fn pruning_a_root_empties_the_graph() {
        let (mut arg, [a, ..]) = sample();
        assert!(arg.prune(a).is_empty() && arg.is_empty());
    }

    #[test]
    fn covered_nodes_do_not_cover() {
        let (arg, [a, b, c, d]) = sample();
        assert_eq!(arg.coverers(d), [a, b]);
        assert_eq!(arg.coverers(c), [a, b, d]);
        assert_eq!(arg.path(d), [a, b, d]);
    }
}
