//! The abstract reachability graph.
//!
//! A tree of abstract states with covered-by edges beside it. A node is **waiting** until all its actions are followed
//! (then it is **expanded**) or it is covered by another node that is not itself covered, unless it is a **target**. A
//! graph without waiting nodes is complete: it over-approximates everything reachable. Nodes of a removed subtree are
//! marked and never used again, so ids stay valid. No operation visits more of the graph than it changes, except that
//! the search for a coverer goes through all nodes with the same key.

use std::collections::BTreeSet;
use std::hash::Hash;

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
    /// The nodes that are or were expanded, by key.
    by_key: FxHashMap<usize, Vec<NodeId>>,
    /// The first expanded node with each state.
    by_state: FxHashMap<S, NodeId>,
    /// Nodes that wait or have waited since they were last asked for.
    waiting: Vec<NodeId>,
    num_nodes: usize,
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
    /// The actions that were not followed yet.
    pub pending: Vec<A>,
    status: Status,
    /// The nodes that it covers or has covered.
    covering: Vec<NodeId>,
    /// Whether it was ever expanded, so that it is in the tables.
    is_listed: bool,
    key: usize,
}

/// What is known about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Something is to be done.
    Waiting,
    /// All its successors are in the graph.
    Expanded,
    /// Another node covers it.
    Covered(NodeId),
    /// It is a violation.
    Target,
    /// It was pruned.
    Removed,
}

impl<S, A> Node<S, A> {
    /// What is known about the node.
    pub fn status(&self) -> Status {
        self.status
    }
}

impl<S, A> Default for Arg<S, A> {
    fn default() -> Self {
        Arg {
            nodes: IndexVec::new(),
            roots: Vec::new(),
            by_key: FxHashMap::default(),
            by_state: FxHashMap::default(),
            waiting: Vec::new(),
            num_nodes: 0,
        }
    }
}

impl<S: Clone + Eq + Hash, A: Copy + Eq> Arg<S, A> {
    /// Adds a node with the actions that are to be followed from it.
    pub fn add(&mut self, state: S, key: usize, parent: Option<(NodeId, A)>, pending: Vec<A>) -> NodeId {
        let depth = parent.map_or(0, |(parent, _)| self.nodes[parent].depth + 1);
        let id = self.nodes.push(Node {
            state,
            parent,
            children: Vec::new(),
            depth,
            pending,
            status: Status::Waiting,
            covering: Vec::new(),
            is_listed: false,
            key,
        });
        match parent {
            Some((parent, _)) => self.nodes[parent].children.push(id),
            None => self.roots.push(id),
        }
        self.num_nodes += 1;
        self.waiting.push(id);
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
        self.num_nodes == 0
    }

    /// The number of nodes that were not pruned.
    pub fn len(&self) -> usize {
        self.num_nodes
    }

    /// The nodes that wait, each once, in the order of their ids. The caller returns those that it does not process
    /// with [`Arg::wait`].
    pub fn take_waiting(&mut self) -> Vec<NodeId> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|id| self.nodes[*id].status == Status::Waiting);
        waiting.sort();
        waiting.dedup();
        waiting
    }

    /// Lets a node wait.
    pub fn wait(&mut self, id: NodeId) {
        self.nodes[id].status = Status::Waiting;
        self.waiting.push(id);
    }

    /// Marks a node as expanded. From now on it can cover others.
    pub fn expanded(&mut self, id: NodeId) {
        let node = &mut self.nodes[id];
        node.status = Status::Expanded;
        if !std::mem::replace(&mut node.is_listed, true) {
            self.by_key.entry(node.key).or_default().push(id);
            self.by_state.entry(node.state.clone()).or_insert(id);
        }
    }

    /// Marks a node as a target.
    pub fn target(&mut self, id: NodeId) {
        self.nodes[id].status = Status::Target;
    }

    /// Marks a node as covered by another.
    pub fn cover(&mut self, id: NodeId, by: NodeId) {
        self.nodes[id].status = Status::Covered(by);
        self.nodes[by].covering.push(id);
    }

    /// An expanded node with the same state as `id`.
    pub fn same_state(&self, id: NodeId) -> Option<NodeId> {
        let same = self.by_state.get(&self.nodes[id].state).copied()?;
        (same != id && self.nodes[same].status == Status::Expanded).then_some(same)
    }

    /// The nodes that may cover `id`: expanded ones with the same key. A node that is not expanded never covers
    /// another one: it may be expanded soon, and a covered node must not cover others, lest nodes cover each other in
    /// a circle.
    pub fn coverers(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let same = self.by_key.get(&self.nodes[id].key).map_or(&[] as &[NodeId], Vec::as_slice);
        let may_cover = move |other: &NodeId| *other != id && self.nodes[*other].status == Status::Expanded;
        same.iter().copied().filter(may_cover)
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

    /// Removes the subtree of `id` and lets its parent follow the action to `id` again. Nodes that were covered
    /// by removed ones wait again.
    pub fn prune(&mut self, id: NodeId) {
        if self.nodes[id].status == Status::Removed {
            return;
        }
        let Some((parent, action)) = self.nodes[id].parent else {
            self.clear();
            return;
        };
        // All successors by the same action are computed together, so they go together.
        let children = std::mem::take(&mut self.nodes[parent].children);
        let (gone, kept) = children.into_iter().partition(|child| self.came_by(*child, action));
        self.nodes[parent].children = kept;
        self.remove_subtrees(gone);
        self.nodes[parent].pending.push(action);
        self.wait(parent);
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Arg::default();
    }

    fn came_by(&self, child: NodeId, action: A) -> bool {
        self.nodes[child].parent.is_some_and(|(_, other)| other == action)
    }

    fn remove_subtrees(&mut self, roots: Vec<NodeId>) {
        let mut removed = roots;
        let mut next = 0;
        while next < removed.len() {
            let id = removed[next];
            removed.append(&mut std::mem::take(&mut self.nodes[id].children));
            next += 1;
        }
        for id in &removed {
            self.nodes[*id].status = Status::Removed;
        }
        self.strike_off(&removed);
        self.num_nodes -= removed.len();
        for id in removed {
            for covered in std::mem::take(&mut self.nodes[id].covering) {
                if self.nodes[covered].status == Status::Covered(id) {
                    self.wait(covered);
                }
            }
        }
    }

    /// Takes removed nodes out of the tables.
    fn strike_off(&mut self, removed: &[NodeId]) {
        let mut keys = BTreeSet::new();
        for id in removed {
            let node = &self.nodes[*id];
            if node.is_listed {
                keys.insert(node.key);
                if self.by_state.get(&node.state) == Some(id) {
                    self.by_state.remove(&node.state);
                }
            }
        }
        for key in keys {
            if let Some(same) = self.by_key.get_mut(&key) {
                same.retain(|id| self.nodes[*id].status != Status::Removed);
            }
        }
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
        arg.take_waiting();
        [a, b, d].into_iter().for_each(|id| arg.expanded(id));
        arg.cover(c, b);
        (arg, [a, b, c, d])
    }

    #[test]
    fn pruning_reopens_the_parent_and_what_was_covered() {
        let (mut arg, [a, b, c, d]) = sample();
        arg.prune(b);
        assert_eq!(arg.take_waiting(), [a, c]);
        assert_eq!(arg.node(a).pending, [1]);
        assert_eq!(arg.node(a).children, [c]);
        assert_eq!(arg.node(c).pending, [7]);
        assert!([b, d].iter().all(|id| arg.node(*id).status() == Status::Removed));
        assert_eq!(arg.len(), 2);
    }

    #[test]
    fn pruning_a_root_empties_the_graph() {
        let (mut arg, [a, ..]) = sample();
        arg.prune(a);
        assert!(arg.is_empty() && arg.take_waiting().is_empty());
    }

    #[test]
    fn covered_nodes_do_not_cover() {
        let (mut arg, [a, b, c, d]) = sample();
        assert_eq!(arg.coverers(d).collect::<Vec<_>>(), [a, b]);
        assert_eq!(arg.coverers(c).collect::<Vec<_>>(), [a, b, d]);
        assert_eq!(arg.path(d), [a, b, d]);
        arg.prune(d);
        assert_eq!(arg.coverers(c).collect::<Vec<_>>(), [a], "b waits again");
    }

    #[test]
    fn equal_states_are_found_at_once() {
        let (mut arg, [a, b, ..]) = sample();
        let again = arg.add('b', 0, Some((a, 4)), Vec::new());
        assert_eq!((arg.same_state(again), arg.same_state(b)), (Some(b), None));
        let covered = arg.add('c', 0, Some((a, 5)), Vec::new());
        assert_eq!(arg.same_state(covered), None, "what is covered does not cover");
    }
}
