//! The graph of an automaton without its data: adjacency, reachability, back edges.

use thetis_base::IndexVec;

use super::{Cfa, EdgeId, LocId};

/// Adjacency of an automaton, and the back edges of the depth-first search from the initial location that follows
/// edges in the order of their ids. Every cycle that can be reached contains a back edge, and without back edges the
/// reachable part is acyclic.
#[derive(Clone)]
pub struct Graph {
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    incoming: IndexVec<LocId, Vec<EdgeId>>,
    is_back: IndexVec<EdgeId, bool>,
    order: Vec<LocId>,
}

impl Graph {
    /// The graph of all edges of `cfa`.
    pub fn new(cfa: &Cfa) -> Graph {
        Graph::with_edges(cfa, |_| true)
    }

    /// The graph of those edges that a shortest run to an error location or a limit can take: one of these can be reached
    /// from their target, and their source is not one already.
    pub fn towards_errors(cfa: &Cfa) -> Graph {
        let useful = Graph::new(cfa).reaching(cfa, &cfa.forbidden());
        Graph::with_edges(cfa, |edge| {
            let edge = &cfa.edges[edge];
            useful[edge.target] && !cfa.is_forbidden(edge.source)
        })
    }

    /// The same graph where all edges into the target of a back edge count as back edges. So a run takes one whenever
    /// it arrives at the head of a loop, be it from inside or from outside.
    #[must_use]
    pub fn cutting_heads(mut self, cfa: &Cfa) -> Graph {
        let heads: Vec<LocId> = self.back_edges().map(|edge| cfa.edges[edge].target).collect();
        for edge in heads.iter().flat_map(|head| &self.incoming[*head]) {
            self.is_back[*edge] = true;
        }
        self
    }

    fn with_edges(cfa: &Cfa, keep: impl Fn(EdgeId) -> bool) -> Graph {
        let mut outgoing: IndexVec<LocId, Vec<EdgeId>> = cfa.locations.iter().map(|_| Vec::new()).collect();
        let mut incoming = outgoing.clone();
        for (id, edge) in cfa.edges.iter_enumerated().filter(|(id, _)| keep(*id)) {
            outgoing[edge.source].push(id);
            incoming[edge.target].push(id);
        }
        let is_back = cfa.edges.iter().map(|_| false).collect();
        let mut graph = Graph { outgoing, incoming, is_back, order: Vec::new() };
        graph.search(cfa);
        graph
    }

    /// The edges that leave `location`.
    pub fn outgoing(&self, location: LocId) -> &[EdgeId] {
        &self.outgoing[location]
    }

    /// The edges that enter `location`.
    pub fn incoming(&self, location: LocId) -> &[EdgeId] {
        &self.incoming[location]
    }

    /// Whether `edge` leads to a location that was being searched when the edge was found.
    pub fn is_back(&self, edge: EdgeId) -> bool {
        self.is_back[edge]
    }

    /// The back edges, in ascending order.
    pub fn back_edges(&self) -> impl Iterator<Item = EdgeId> {
        self.is_back.iter_enumerated().filter(|(_, is_back)| **is_back).map(|(edge, _)| edge)
    }

    /// Whether a cycle can be reached.
    pub fn has_loops(&self) -> bool {
        self.back_edges().next().is_some()
    }

    /// The reachable locations, each after all its predecessors by edges that are not back edges.
    pub fn topological_order(&self) -> &[LocId] {
        &self.order
    }

    /// For each location whether one of `targets` can be reached from it; a target reaches itself.
    pub fn reaching(&self, cfa: &Cfa, targets: &[LocId]) -> IndexVec<LocId, bool> {
        let mut reaches: IndexVec<LocId, bool> = cfa.locations.iter().map(|_| false).collect();
        let mut stack = targets.to_vec();
        while let Some(location) = stack.pop() {
            if !std::mem::replace(&mut reaches[location], true) {
                stack.extend(self.incoming[location].iter().map(|edge| cfa.edges[*edge].source));
            }
        }
        reaches
    }

    fn search(&mut self, cfa: &Cfa) {
        let mut color: IndexVec<LocId, Color> = cfa.locations.iter().map(|_| Color::White).collect();
        let mut stack = vec![(cfa.initial, 0)];
        color[cfa.initial] = Color::Grey;
        while let Some((location, next)) = stack.last_mut() {
            let Some(&edge) = self.outgoing[*location].get(*next) else {
                color[*location] = Color::Black;
                self.order.push(*location);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = cfa.edges[edge].target;
            match color[target] {
                Color::White => {
                    color[target] = Color::Grey;
                    stack.push((target, 0));
                }
                Color::Grey => self.is_back[edge] = true,
                Color::Black => {}
            }
        }
        self.order.reverse();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    White,
    Grey,
    Black,
}

#[cfg(test)]
mod tests {
    use super::super::{CfaBuilder, Stmt};
    use super::*;
    use thetis_expr::Store;

    /// Locations are numbered, 0 is initial and the last is the error location.
    fn graph_of(num_locations: usize, edges: &[(usize, usize)]) -> (Cfa, Graph) {
        let mut builder = CfaBuilder::new("p");
        for number in 0..num_locations {
            builder.location(format!("l{number}"), None);
        }
        builder.initial(LocId::new(0));
        builder.error(LocId::new(num_locations - 1));
        for (source, target) in edges {
            builder.edge(LocId::new(*source), LocId::new(*target), Stmt::skip(), None);
        }
        let cfa = builder.build(&Store::new()).unwrap();
        let graph = Graph::towards_errors(&cfa);
        (cfa, graph)
    }

    fn back_edges(num_locations: usize, edges: &[(usize, usize)]) -> Vec<usize> {
        graph_of(num_locations, edges).1.back_edges().map(EdgeId::index).collect()
    }

    #[test]
    fn back_edges_break_every_cycle() {
        assert_eq!(back_edges(3, &[(0, 1), (1, 2)]), [] as [usize; 0]);
        assert_eq!(back_edges(3, &[(0, 0), (0, 1), (1, 0), (1, 2)]), [0, 2]);
        assert_eq!(back_edges(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]), [3], "irreducible");
    }

    #[test]
    fn entries_of_loops_can_be_cut_too() {
        let (cfa, graph) = graph_of(4, &[(0, 1), (1, 1), (1, 2), (2, 3), (0, 2)]);
        let cut: Vec<usize> = graph.cutting_heads(&cfa).back_edges().map(EdgeId::index).collect();
        assert_eq!(cut, [0, 1]);
    }

    #[test]
    fn loops_that_lead_nowhere_do_not_count() {
        let (_, graph) = graph_of(4, &[(0, 1), (1, 1), (0, 2), (2, 3), (3, 0), (3, 3)]);
        assert!(!graph.has_loops());
    }

    #[test]
    fn the_order_respects_edges() {
        let (cfa, graph) = graph_of(5, &[(0, 2), (0, 1), (2, 3), (1, 3), (3, 0), (3, 4)]);
        let position = |location| graph.topological_order().iter().position(|other| *other == location);
        for (id, edge) in cfa.edges.iter_enumerated().filter(|(id, _)| !graph.is_back(*id)) {
            assert!(position(edge.source) < position(edge.target), "edge {}", id.index());
        }
        assert_eq!(graph.topological_order().len(), 5);
    }
}
