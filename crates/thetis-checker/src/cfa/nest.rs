//! Where locations stand among the loops of an automaton.
//!
//! A *loop* is a strongly connected component. Its *head* is the location where a depth-first search enters it, and the edges from inside of
//! it to the head start another *round*. Without these edges, what is left of the loop is divided in the same way, into the loops inside of it.
//! At each level the components stand in topological order. So a location has a *place*: the position of the outermost loop that
//! contains it, the position inside of that loop of the next one, and so on, and last its own position.
//!
//! A run is at a [`Milestone`]: its place, with the number of the round after the position of each loop. Milestones are ordered by the first number
//! that differs. An edge within a round leads to a later position, another round has a greater number, and whoever enters a loop starts with
//! round zero, so every edge leads to a greater milestone. No proof rests on this: the caller compares the milestones before and after each edge, and a run
//! through ever greater milestones is never at the same milestone twice.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_model::cfa::{Cfa, EdgeId, LocId};

/// Positions and numbers of rounds in turn, as the [module](self) says.
pub(super) type Milestone = Vec<u32>;

/// The loops of an automaton.
pub(super) struct Nest {
    /// The place of each location; empty for locations that do not count.
    places: IndexVec<LocId, Vec<u32>>,
    /// The edges that start another round.
    again: BTreeSet<EdgeId>,
}

impl Nest {
    /// The loops among the locations `within`, all of which should be reachable from the initial location.
    pub(super) fn new(
        cfa: &Cfa,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
        within: &BTreeSet<LocId>,
        run: &Run,
    ) -> Result<Nest, Stop> {
        let places = cfa.locations.iter().map(|_| Vec::new()).collect();
        let mut nest = Nest { places, again: BTreeSet::new() };
        let mut parts = vec![Subgraph { start: cfa.initial, locations: within.clone(), place: Vec::new() }];
        while let Some(part) = parts.pop() {
            run.checkpoint()?;
            let components = nest.components(cfa, outgoing, &part);
            for (position, component) in (0..).zip(components) {
                let mut place = part.place.clone();
                place.push(position);
                match nest.start_again(cfa, outgoing, &component) {
                    true => parts.push(Subgraph { place, ..component }),
                    false => nest.places[component.start] = place,
                }
            }
        }
        Ok(nest)
    }

    /// Where every run starts.
    pub(super) fn first(&self, initial: LocId) -> Milestone {
        at_first_rounds(&self.places[initial])
    }

    /// Where a run is that takes `edge` at `milestone`.
    pub(super) fn after(&self, cfa: &Cfa, milestone: &[u32], edge: EdgeId) -> Milestone {
        let num_loops = self.num_loops_kept(cfa, edge);
        let mut after = milestone[..2 * num_loops].to_vec();
        if self.again.contains(&edge) {
            let round = after.last_mut().expect("another round should be in a loop");
            *round += 1;
        }
        after.extend(at_first_rounds(&self.places[cfa.edges[edge].target][num_loops..]));
        after
    }

    /// How often the innermost loop at a milestone has started again; zero outside of loops.
    pub(super) fn innermost_round(milestone: &[u32]) -> u32 {
        milestone.iter().rev().nth(1).copied().unwrap_or(0)
    }

    /// Whether `edge` starts another round of a loop.
    pub(super) fn is_again(&self, edge: EdgeId) -> bool {
        self.again.contains(&edge)
    }

    /// How many loops contain both ends of an edge.
    fn num_loops_kept(&self, cfa: &Cfa, edge: EdgeId) -> usize {
        let loops = |location: LocId| self.places[location].split_last().map_or(&[][..], |(_, loops)| loops);
        let edge = &cfa.edges[edge];
        let pairs = loops(edge.source).iter().zip(loops(edge.target));
        pairs.take_while(|(source, target)| source == target).count()
    }

    /// Notes the edges inside of a component that lead to its start, and says whether there are any.
    fn start_again(
        &mut self,
        cfa: &Cfa,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
        component: &Subgraph,
    ) -> bool {
        let edges = component.locations.iter().flat_map(|location| &outgoing[*location]);
        let again = edges.filter(|edge| cfa.edges[**edge].target == component.start);
        let again: Vec<EdgeId> = again.copied().filter(|edge| !self.again.contains(edge)).collect();
        self.again.extend(&again);
        !again.is_empty()
    }

    /// The strongly connected components of a part in topological order, without the edges that start another round (Kosaraju's
    /// algorithm). Each starts where the depth-first search enters it.
    fn components(
        &self,
        cfa: &Cfa,
        outgoing: &IndexVec<LocId, Vec<EdgeId>>,
        part: &Subgraph,
    ) -> Vec<Subgraph> {
        let mut incoming: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
        let mut targets: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
        for location in &part.locations {
            let edges = outgoing[*location].iter().filter(|edge| !self.again.contains(edge));
            for target in edges.map(|edge| cfa.edges[*edge].target) {
                if part.locations.contains(&target) {
                    targets.entry(*location).or_default().push(target);
                    incoming.entry(target).or_default().push(*location);
                }
            }
        }
        let mut open = part.locations.clone();
        let mut components = Vec::new();
        for start in targets_first(part, &targets).into_iter().rev() {
            let mut locations = BTreeSet::new();
            let mut stack = vec![start];
            while let Some(location) = stack.pop() {
                if open.remove(&location) {
                    locations.insert(location);
                    stack.extend(incoming.get(&location).into_iter().flatten());
                }
            }
            if !locations.is_empty() {
                components.push(Subgraph { start, locations, place: Vec::new() });
            }
        }
        components
    }
}

/// Locations that are divided into components.
struct Subgraph {
    /// Where the depth-first search starts.
    start: LocId,
    locations: BTreeSet<LocId>,
    /// The positions of the loops that contain these locations.
    place: Vec<u32>,
}

/// The locations of a part, each after its successors as far as there are no cycles.
fn targets_first(part: &Subgraph, targets: &BTreeMap<LocId, Vec<LocId>>) -> Vec<LocId> {
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    let starts = part.locations.get(&part.start).into_iter().chain(&part.locations);
    for start in starts {
        let mut stack = vec![(*start, 0)];
        if !seen.insert(*start) {
            continue;
        }
        while let Some((location, next)) = stack.last_mut() {
            match targets.get(location).and_then(|targets| targets.get(*next)) {
                Some(target) => {
                    *next += 1;
                    if seen.insert(*target) {
                        stack.push((*target, 0));
                    }
                }
                None => {
                    order.push(*location);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// A place, in round zero of each of its loops.
fn at_first_rounds(place: &[u32]) -> Milestone {
    let mut milestone: Milestone = place.iter().flat_map(|position| [*position, 0]).collect();
    milestone.pop();
    milestone
}
