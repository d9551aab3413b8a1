//! The dependency graph of disabled transitions and the places that disable them.
//!
//! Algorithms 1.4 and 1.8 look at its *source* components: the strongly connected ones that no other component can help.

use thetis_model::petri::{PlaceId, TransitionId};

/// A bipartite graph: places disable transitions, transitions help places.
#[derive(Default)]
pub(super) struct Dependencies {
    places: Vec<PlaceId>,
    transitions: Vec<TransitionId>,
    /// Edges between nodes; places come first.
    edges: Vec<(usize, usize)>,
}

/// A component that no other one helps.
pub(super) struct Source {
    /// `P_i`: its places.
    pub(super) places: Vec<PlaceId>,
    /// `T_i`: its transitions.
    pub(super) transitions: Vec<TransitionId>,
    /// `X_i`: the transitions outside that its places disable.
    pub(super) outside: Vec<TransitionId>,
}

impl Dependencies {
    /// The graph over `transitions`. `disables` says which places disable one, `helps` whether firing it helps a place.
    pub(super) fn new(
        transitions: Vec<TransitionId>,
        disables: impl Fn(TransitionId) -> Vec<PlaceId>,
        helps: impl Fn(TransitionId, PlaceId) -> bool,
    ) -> Dependencies {
        let blockers: Vec<Vec<PlaceId>> = transitions.iter().map(|t| disables(*t)).collect();
        let mut places: Vec<PlaceId> = blockers.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        let mut edges = Vec::new();
        for (number, transition) in transitions.iter().enumerate() {
            let node = places.len() + number;
            for place in &blockers[number] {
                let at = places.binary_search(place).expect("every blocking place should be a node");
                edges.push((at, node));
            }
            edges.extend((0..places.len()).filter(|at| helps(*transition, places[*at])).map(|at| (node, at)));
        }
        Dependencies { places, transitions, edges }
    }

    /// The source components, in the order of their first places.
    pub(super) fn sources(&self) -> Vec<Source> {
        let num_nodes = self.places.len() + self.transitions.len();
        let component = components(num_nodes, &self.edges);
        let num_components = component.iter().max().map_or(0, |last| last + 1);
        let mut is_source = vec![true; num_components];
        for (from, to) in &self.edges {
            if component[*from] != component[*to] {
                is_source[component[*to]] = false;
            }
        }
        let mut order: Vec<usize> = Vec::new();
        for place in 0..self.places.len() {
            if is_source[component[place]] && !order.contains(&component[place]) {
                order.push(component[place]);
            }
        }
        order.into_iter().map(|number| self.source(&component, number)).collect()
    }

    fn source(&self, component: &[usize], number: usize) -> Source {
        let first = self.places.len();
        let places = (0..first).filter(|at| component[*at] == number).map(|at| self.places[at]).collect();
        let inside = |at: &usize| component[first + *at] == number;
        let transitions = (0..self.transitions.len()).filter(inside).map(|at| self.transitions[at]).collect();
        let mut outside: Vec<TransitionId> = self
            .edges
            .iter()
            .filter(|(from, to)| *from < first && component[*from] == number && component[*to] != number)
            .map(|(_, to)| self.transitions[to - first])
            .collect();
        outside.sort_unstable();
        outside.dedup();
        Source { places, transitions, outside }
    }
}

/// The number of the strongly connected component of each node, by Kosaraju's two passes.
fn components(num_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut forward, mut backward) = (vec![Vec::new(); num_nodes], vec![Vec::new(); num_nodes]);
    for (from, to) in edges {
        forward[*from].push(*to);
        backward[*to].push(*from);
    }
    let mut seen = vec![false; num_nodes];
    let mut finished = Vec::with_capacity(num_nodes);
    for node in 0..num_nodes {
        finish_order(node, &forward, &mut seen, &mut finished);
    }
    let mut component = vec![usize::MAX; num_nodes];
    let mut number = 0;
    for root in finished.into_iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if component[node] == usize::MAX {
                component[node] = number;
                pending.extend(&backward[node]);
            }
        }
        number += 1;
    }
    component
}

/// Appends the nodes reachable from `root` in the order in which a depth-first search leaves them.
fn finish_order(root: usize, forward: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        match forward[*node].get(*next) {
            Some(successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*successor], true) {
                    path.push((*successor, 0));
                }
            }
            None => {
                finished.push(*node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_small_graph() {
        let component = components(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[2], component[3]);
        assert_ne!(component[3], component[4]);
    }
}
