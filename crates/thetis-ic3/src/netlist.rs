//! And-inverter graphs: the bit-level form of a system.
//!
//! Nodes are the constant, inputs, latches and and-gates; an [`Edge`] is a node or its negation. Gates come after their
//! inputs, so the order of nodes is topological. Equal gates are one node.

use rustc_hash::FxHashMap;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const FALSE: Edge = Edge(0);
    pub(crate) const TRUE: Edge = Edge(1);

    pub(crate) fn new(node: usize, is_negated: bool) -> Edge {
        Edge((node as u32) << 1 | u32::from(is_negated))
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The negation if `flip`.
    pub(crate) fn negated_if(self, flip: bool) -> Edge {
        Edge(self.0 ^ u32::from(flip))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        self.negated_if(true)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// The constant false, the first node.
    False,
    /// An input with its number.
    Input(u32),
    /// A latch with its number.
    Latch(u32),
    /// The conjunction of two edges.
    And(Edge, Edge),
}

/// A graph without meaning for its latches.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    gates: FxHashMap<(Edge, Edge), Edge>,
    num_inputs: u32,
    num_latches: u32,
}

impl Graph {
    pub(crate) fn new() -> Graph {
        Graph { nodes: vec![Node::False], gates: FxHashMap::default(), num_inputs: 0, num_latches: 0 }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn num_inputs(&self) -> usize {
        self.num_inputs as usize
    }

    pub(crate) fn input(&mut self) -> Edge {
        self.num_inputs += 1;
        self.push(Node::Input(self.num_inputs - 1))
    }

    pub(crate) fn latch(&mut self) -> Edge {
        self.num_latches += 1;
        self.push(Node::Latch(self.num_latches - 1))
    }

    /// A latch with the number that it has in another graph.
    pub(crate) fn latch_with_number(&mut self, number: u32) -> Edge {
        self.num_latches = self.num_latches.max(number + 1);
        self.push(Node::Latch(number))
    }

    fn push(&mut self, node: Node) -> Edge {
        self.nodes.push(node);
        Edge::new(self.nodes.len() - 1, false)
    }

    pub(crate) fn and(&mut self, one: Edge, other: Edge) -> Edge {
        let (left, right) = if one < other { (one, other) } else { (other, one) };
        match (left, right) {
            (Edge::FALSE, _) => return Edge::FALSE,
            (Edge::TRUE, _) => return right,
            _ if left == right => return left,
            _ if left == !right => return Edge::FALSE,
            _ => {}
        }
        if let Some(gate) = self.gates.get(&(left, right)) {
            return *gate;
        }
        let gate = self.push(Node::And(left, right));
        self.gates.insert((left, right), gate);
        gate
    }

    pub(crate) fn or(&mut self, one: Edge, other: Edge) -> Edge {
        !self.and(!one, !other)
    }

    pub(crate) fn xor(&mut self, one: Edge, other: Edge) -> Edge {
        let (first, second) = (self.and(one, !other), self.and(!one, other));
        self.or(first, second)
    }

    pub(crate) fn ite(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
        let (first, second) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(first, second)
    }

    /// The sum of three bits, and what is carried.
    pub(crate) fn full_adder(&mut self, one: Edge, two: Edge, carry: Edge) -> (Edge, Edge) {
        let half = self.xor(one, two);
        let (both, passed) = (self.and(one, two), self.and(half, carry));
        (self.xor(half, carry), self.or(both, passed))
    }

    /// The conjunction as a balanced tree.
    pub(crate) fn and_all(&mut self, mut edges: Vec<Edge>) -> Edge {
        while edges.len() > 1 {
            let pairs = edges.chunks(2);
            edges = pairs
                .map(|pair| match *pair {
                    [one, other] => (one, other),
                    _ => (pair[0], Edge::TRUE),
                })
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(one, other)| self.and(one, other))
                .collect();
        }
        edges.pop().unwrap_or(Edge::TRUE)
    }

    /// The values of all nodes, given those of latches and inputs.
    pub(crate) fn evaluate(&self, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = |edge: Edge, values: &[bool]| values[edge.node()] ^ edge.is_negated();
            let result = match node {
                Node::False => false,
                Node::Input(number) => inputs[*number as usize],
                Node::Latch(number) => latches[*number as usize],
                Node::And(left, right) => value(*left, &values) && value(*right, &values),
            };
            values.push(result);
        }
        values
    }
}

/// A system over bits. Latches are numbered; all parts are edges of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Netlist {
    pub(crate) graph: Graph,
    /// The edge of each latch.
    pub(crate) latches: Vec<Edge>,
    /// The next value of each latch.
    pub(crate) next: Vec<Edge>,
    /// The initial value of each latch, if it has one.
    pub(crate) initial: Vec<Option<bool>>,
    /// What else holds in initial states; over latches.
    pub(crate) initial_rest: Edge,
    /// What every step satisfies.
    pub(crate) constraint: Edge,
    /// What every step that is followed by another satisfies.
    pub(crate) transition: Edge,
    /// What no step should satisfy.
    pub(crate) bad: Edge,
}

impl Netlist {
    /// The next values of the latches.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
        let values = self.graph.evaluate(latches, inputs);
        self.next.iter().map(|edge| values[edge.node()] ^ edge.is_negated()).collect()
    }
}
