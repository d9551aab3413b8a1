//! Loops inside of loops: a weak topological order (Bourdoncle 1993).
//!
//! The strongly connected components of the automaton stand in topological order. Inside of a component its *head* comes
//! first, the location where a depth-first search enters it, and then what is left without the head is ordered in
//! the same way. So a loop stands in one piece, before everything after it, and inner loops stand inside of outer ones.
//! Every cycle contains a head, and an edge that leads back in the order leads to the head of a loop that it starts in. An
//! analysis that goes back to the first location that still changes finishes inner loops before it goes on.

use std::ops::Range;

use thetis_base::IndexVec;

use super::{Cfa, Graph, LocId};

/// The reachable locations in order, and the loops among them.
pub struct WeakOrder {
    /// The locations.
    pub order: Vec<LocId>,
    /// For each head where its loop ends in the order: the place after its last location.
    ends: IndexVec<LocId, Option<usize>>,
    /// The outermost components, as ranges of the order.
    pub components: Vec<Range<usize>>,
}

impl WeakOrder {
    /// The order of the locations that `graph` reaches.
    pub fn new(cfa: &Cfa, graph: &Graph) -> WeakOrder {
        let ends = cfa.locations.iter().map(|_| None).collect();
        let mut weak = WeakOrder { order: Vec::new(), ends, components: Vec::new() };
        let mut search = ComponentSearch::new(cfa, graph);
        for component in search.components(graph.topological_order()).into_iter().rev() {
            let start = weak.order.len();
            weak.add(&mut search, component);
            weak.components.push(start..weak.order.len());
        }
        weak
    }

    /// Whether a location is the head of a loop.
    pub fn is_head(&self, location: LocId) -> bool {
        self.ends[location].is_some()
    }

    /// Where the loop with a head ends in the order: the place after its last location.
    pub fn end_of_loop(&self, head: LocId) -> Option<usize> {
        self.ends[head]
    }

    fn add(&mut self, search: &mut ComponentSearch<'_>, component: Vec<LocId>) {
        let mut pending = vec![search.part(component)];
        while let Some(part) = pending.pop() {
            match part {
                PendingPart::One(location) => self.order.push(location),
                PendingPart::Loop(head, body) => {
                    self.order.push(head);
                    self.ends[head] = Some(self.order.len() + body.len());
                    let components = search.components(&body);
                    pending.extend(components.into_iter().map(|component| search.part(component)));
                }
            }
        }
    }
}

/// A part of the order that is still to be written.
enum PendingPart {
    /// A location that is on no cycle.
    One(LocId),
    /// A component: its head, and what is left without it.
    Loop(LocId, Vec<LocId>),
}

/// Tarjan's search for strongly connected components, without recursion, on subsets of the locations.
struct ComponentSearch<'g> {
    cfa: &'g Cfa,
    graph: &'g Graph,
    /// The place in the depth-first order of the whole automaton.
    rank: IndexVec<LocId, usize>,
    /// In which call a location is searched; only those of the current call count.
    call: IndexVec<LocId, usize>,
    num_calls: usize,
    /// The number of a location in the current search, counted from one; zero before it is found.
    found: IndexVec<LocId, usize>,
    /// The least number that can be reached.
    low: IndexVec<LocId, usize>,
    is_open: IndexVec<LocId, bool>,
}

impl<'g> ComponentSearch<'g> {
    fn new(cfa: &'g Cfa, graph: &'g Graph) -> ComponentSearch<'g> {
        let zeros = || cfa.locations.iter().map(|_| 0).collect();
        let mut rank: IndexVec<LocId, usize> = zeros();
        for (place, location) in graph.topological_order().iter().enumerate() {
            rank[*location] = place;
        }
        let is_open = cfa.locations.iter().map(|_| false).collect();
        ComponentSearch {
            cfa,
            graph,
            rank,
            call: zeros(),
            num_calls: 0,
            found: zeros(),
            low: zeros(),
            is_open,
        }
    }

    fn part(&self, mut component: Vec<LocId>) -> PendingPart {
        if let [only] = component[..]
            && !self.graph.outgoing(only).iter().any(|edge| self.cfa.edges[*edge].target == only)
        {
            return PendingPart::One(only);
        }
        component.sort_unstable_by_key(|location| self.rank[*location]);
        PendingPart::Loop(component.remove(0), component)
    }

    /// The components of the part of the graph that has only `locations`, targets before sources.
    fn components(&mut self, locations: &[LocId]) -> Vec<Vec<LocId>> {
        self.num_calls += 1;
        for location in locations {
            self.call[*location] = self.num_calls;
            self.found[*location] = 0;
        }
        let (mut components, mut open, mut num_found) = (Vec::new(), Vec::new(), 0);
        for start in locations {
            if self.found[*start] == 0 {
                self.search(*start, &mut num_found, &mut open, &mut components);
            }
        }
        components
    }

    fn search(
        &mut self,
        start: LocId,
        num_found: &mut usize,
        open: &mut Vec<LocId>,
        components: &mut Vec<Vec<LocId>>,
    ) {
        self.enter(start, num_found, open);
        let mut path = vec![(start, 0)];
        while let Some((location, next)) = path.last_mut() {
            let location = *location;
            let Some(edge) = self.graph.outgoing(location).get(*next) else {
                path.pop();
                if let Some((before, _)) = path.last() {
                    self.low[*before] = self.low[*before].min(self.low[location]);
                }
                if self.low[location] == self.found[location] {
                    components.push(self.close(location, open));
                }
                continue;
            };
            *next += 1;
            let target = self.cfa.edges[*edge].target;
            if self.call[target] != self.num_calls {
                continue;
            }
            if self.found[target] == 0 {
                self.enter(target, num_found, open);
                path.push((target, 0));
            } else if self.is_open[target] {
                self.low[location] = self.low[location].min(self.found[target]);
            }
        }
    }

    fn enter(&mut self, location: LocId, num_found: &mut usize, open: &mut Vec<LocId>) {
        *num_found += 1;
        self.found[location] = *num_found;
        self.low[location] = *num_found;
        self.is_open[location] = true;
        open.push(location);
    }

    /// The component that was entered at `root`.
    fn close(&mut self, root: LocId, open: &mut Vec<LocId>) -> Vec<LocId> {
        let mut component = Vec::new();
        while let Some(location) = open.pop() {
            self.is_open[location] = false;
            component.push(location);
            if location == root {
                break;
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CfaBuilder, Stmt};
    use super::*;
    use thetis_expr::Store;

    /// The order, heads in brackets; location 0 is initial.
    fn order_of(num_locations: usize, edges: &[(usize, usize)]) -> String {
        let mut builder = CfaBuilder::new("p");
        for number in 0..num_locations {
            builder.location(format!("l{number}"), None);
        }
        builder.initial(LocId::new(0));
        for (source, target) in edges {
            builder.edge(LocId::new(*source), LocId::new(*target), Stmt::skip(), None);
        }
        let cfa = builder.build(&Store::new()).unwrap();
        let weak = WeakOrder::new(&cfa, &Graph::new(&cfa));
        let word = |location: &LocId| match weak.is_head(*location) {
            true => format!("[{}]", location.index()),
            false => location.index().to_string(),
        };
        weak.order.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn loops_stand_in_one_piece_before_what_follows() {
        assert_eq!(order_of(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]), "0 [1] 2 3");
        assert_eq!(order_of(4, &[(0, 1), (1, 3), (1, 2), (2, 1)]), "0 [1] 2 3");
        assert_eq!(order_of(2, &[(0, 0), (0, 1)]), "[0] 1");
    }

    #[test]
    fn inner_loops_stand_inside() {
        let nested = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5)];
        assert_eq!(order_of(6, &nested), "0 [1] [2] 3 4 5");
        assert_eq!(order_of(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]), "0 [1] 2", "two entries");
    }
}
