//! Lifting: from one step to the cube of states that take it with the same inputs.
//!
//! A model of the solver fixes a whole state. Most latches do not matter for the step, so the state is generalised to a
//! cube: first by *justification*, which walks from the targets (edges that have to be true) towards the latches and
//! needs only one false input of a gate that is false, then by *ternary simulation*, which tries to make each remaining
//! latch unknown without making a target unknown (Eén, Mishchenko, Brayton 2011).
//!
//! All tables are as long as the netlist but only the cone of the targets is touched; entries are valid if they carry
//! the stamp of the current call.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cube::{Cube, LatchLit};
use crate::netlist::{Edge, Netlist, Node};

/// A value that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ternary {
    False,
    True,
    Unknown,
}

impl Ternary {
    fn of(value: bool) -> Ternary {
        if value { Ternary::True } else { Ternary::False }
    }

    fn negated_if(self, flip: bool) -> Ternary {
        match (self, flip) {
            (Ternary::False, true) => Ternary::True,
            (Ternary::True, true) => Ternary::False,
            _ => self,
        }
    }

    fn and(self, other: Ternary) -> Ternary {
        match (self, other) {
            (Ternary::False, _) | (_, Ternary::False) => Ternary::False,
            (Ternary::True, Ternary::True) => Ternary::True,
            _ => Ternary::Unknown,
        }
    }
}

/// A latch that justification needs.
struct Needed {
    node: usize,
    number: usize,
    is_true: bool,
    is_dropped: bool,
}

/// The tables for lifting in one netlist.
pub(crate) struct Lifter {
    /// The gates that use each node.
    users: Vec<Vec<u32>>,
    stamp: u32,
    /// Which nodes are in the cone, by stamp.
    in_cone: Vec<u32>,
    /// Which nodes are needed, by stamp.
    needed: Vec<u32>,
    values: Vec<Ternary>,
    /// Which nodes are waiting to be calculated again.
    is_waiting: Vec<bool>,
    is_target: Vec<u32>,
}

impl Lifter {
    pub(crate) fn new(netlist: &Netlist) -> Lifter {
        let nodes = netlist.graph.nodes();
        let mut users = vec![Vec::new(); nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            if let Node::And(left, right) = node {
                users[left.node()].push(number as u32);
                users[right.node()].push(number as u32);
            }
        }
        Lifter {
            users,
            stamp: 0,
            in_cone: vec![0; nodes.len()],
            needed: vec![0; nodes.len()],
            values: vec![Ternary::Unknown; nodes.len()],
            is_waiting: vec![false; nodes.len()],
            is_target: vec![0; nodes.len()],
        }
    }

    /// A cube of states that make all `targets` true with the inputs of `model`, which gives the values of nodes and
    /// makes them true itself. Latches of a small `activity` are left out first.
    pub(crate) fn lift(
        &mut self,
        netlist: &Netlist,
        targets: &[Edge],
        model: impl Fn(usize) -> Option<bool>,
        activity: &[f64],
    ) -> Cube {
        self.stamp += 1;
        let cone = self.cone(netlist, targets);
        self.calculate(netlist, &cone, |node| model(node).map_or(Ternary::Unknown, Ternary::of));
        let mut latches = self.justify(netlist, &cone, targets);
        self.forget_unneeded(netlist, &cone);
        let mut order: Vec<usize> = (0..latches.len()).collect();
        order.sort_by(|one, other| {
            let key = |at: usize| activity[latches[at].number];
            key(*one).total_cmp(&key(*other)).then(one.cmp(other))
        });
        for at in order {
            latches[at].is_dropped = self.try_unknown(netlist, latches[at].node);
        }
        let kept = latches.iter().filter(|latch| !latch.is_dropped);
        Cube::new(kept.map(|latch| LatchLit::new(latch.number, latch.is_true)).collect())
    }

    /// Makes the latches unknown that justification did not need.
    fn forget_unneeded(&mut self, netlist: &Netlist, cone: &[usize]) {
        for &node in cone {
            match netlist.graph.nodes()[node] {
                Node::Latch(_) if self.needed[node] != self.stamp => self.values[node] = Ternary::Unknown,
                Node::And(left, right) => self.values[node] = self.edge(left).and(self.edge(right)),
                _ => {}
            }
        }
    }

    /// The nodes below the targets, inputs first.
    fn cone(&mut self, netlist: &Netlist, targets: &[Edge]) -> Vec<usize> {
        let mut cone = Vec::new();
        let mut stack: Vec<usize> = targets.iter().map(|target| target.node()).collect();
        for node in &stack {
            self.is_target[*node] = self.stamp;
        }
        while let Some(node) = stack.pop() {
            if self.in_cone[node] == self.stamp {
                continue;
            }
            self.in_cone[node] = self.stamp;
            cone.push(node);
            if let Node::And(left, right) = netlist.graph.nodes()[node] {
                stack.extend([left.node(), right.node()]);
            }
        }
        cone.sort_unstable();
        cone
    }

    fn calculate(&mut self, netlist: &Netlist, cone: &[usize], leaf: impl Fn(usize) -> Ternary) {
        for &node in cone {
            self.values[node] = match netlist.graph.nodes()[node] {
                Node::False => Ternary::False,
                Node::Input(_) | Node::Latch(_) => leaf(node),
                Node::And(left, right) => self.edge(left).and(self.edge(right)),
            };
        }
    }

    fn edge(&self, edge: Edge) -> Ternary {
        self.values[edge.node()].negated_if(edge.is_negated())
    }

    /// The latches that suffice to make the targets true.
    fn justify(&mut self, netlist: &Netlist, cone: &[usize], targets: &[Edge]) -> Vec<Needed> {
        for target in targets {
            debug_assert_eq!(self.edge(*target), Ternary::True, "the model should make targets true");
            self.needed[target.node()] = self.stamp;
        }
        let mut latches = Vec::new();
        for &node in cone.iter().rev() {
            if self.needed[node] != self.stamp {
                continue;
            }
            match netlist.graph.nodes()[node] {
                Node::False | Node::Input(_) => {}
                Node::Latch(number) => {
                    let is_true = self.values[node] == Ternary::True;
                    latches.push(Needed { node, number: number as usize, is_true, is_dropped: false });
                }
                Node::And(left, right) if self.values[node] == Ternary::True => {
                    self.needed[left.node()] = self.stamp;
                    self.needed[right.node()] = self.stamp;
                }
                Node::And(left, right) => {
                    let chosen = self.choose(left, right);
                    self.needed[chosen.node()] = self.stamp;
                }
            }
        }
        latches
    }

    /// A false edge of two: one that is needed already, or else the one nearer to the inputs.
    fn choose(&self, left: Edge, right: Edge) -> Edge {
        match (self.edge(left) == Ternary::False, self.edge(right) == Ternary::False) {
            (true, false) => left,
            (false, true) => right,
            _ if self.needed[left.node()] == self.stamp => left,
            _ if self.needed[right.node()] == self.stamp => right,
            _ if left.node() < right.node() => left,
            _ => right,
        }
    }

    /// Makes a latch unknown, unless that makes a target unknown.
    fn try_unknown(&mut self, netlist: &Netlist, latch: usize) -> bool {
        let mut undo = vec![(latch, self.values[latch])];
        if self.is_target[latch] == self.stamp {
            return false;
        }
        self.values[latch] = Ternary::Unknown;
        let mut waiting = BinaryHeap::new();
        self.wake(latch, &mut waiting);
        let mut is_harmless = true;
        while let Some(Reverse(node)) = waiting.pop() {
            self.is_waiting[node as usize] = false;
            let node = node as usize;
            if !is_harmless {
                continue;
            }
            let Node::And(left, right) = netlist.graph.nodes()[node] else { continue };
            let value = self.edge(left).and(self.edge(right));
            if value == self.values[node] {
                continue;
            }
            undo.push((node, self.values[node]));
            self.values[node] = value;
            if self.is_target[node] == self.stamp {
                is_harmless = false;
            } else {
                self.wake(node, &mut waiting);
            }
        }
        if !is_harmless {
            for (node, value) in undo {
                self.values[node] = value;
            }
        }
        is_harmless
    }

    /// Lets the users of a node in the cone be calculated again.
    fn wake(&mut self, node: usize, waiting: &mut BinaryHeap<Reverse<u32>>) {
        for user in &self.users[node] {
            let at = *user as usize;
            if self.in_cone[at] == self.stamp && !self.is_waiting[at] {
                self.is_waiting[at] = true;
                waiting.push(Reverse(*user));
            }
        }
    }
}
