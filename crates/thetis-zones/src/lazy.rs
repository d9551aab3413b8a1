//! Lazy abstraction with zone interpolants.
//!
//! # Problem and method
//! Extrapolation keeps every constant that a clock may still be compared with, even those that have nothing to do with the question.
//! Here a node of the search has two zones: the exact one, and a *cover* that contains it and initially contains everything. A node
//! is covered by another one if its exact zone is within the cover of the other. The cover of a node is made smaller only where that
//! is needed (Tóth and Majzik, *Lazy reachability checking for timed automata using interpolants*, 2017):
//!
//! * if a move is impossible from the exact zone, it must be impossible from the cover;
//! * if the exact zone has no state of the target, the cover must not have one either;
//! * if a node is covered, its cover must be within that of the other.
//!
//! In each case the states to be excluded form a zone. It is *blocked*: first, the states that lead to it are blocked in the parent; then an
//! interpolant between the successors of the parent's cover and the blocked zone is added to the cover. If a single bound suffices as the
//! interpolant, we take the weakest such bound, so that covers have few constants, namely those of guards and invariants.
//!
//! Instead of an interpolant, the constants of the blocked zone can be added to those that the node keeps; its cover is then the
//! extrapolation, by these constants, of the successors of the parent's cover, in the spirit of Herbreteau, Srivathsan and Walukiewicz, *Lazy
//! abstractions for timed automata* (2013). They test inclusion in a coarser set that is not a zone; we use only zones, because these are the
//! proof.
//!
//! # Invariants
//! The exact zone of a node is within its cover; the image of a node's cover under a move is within the child's cover. So the covers
//! of all nodes that were expanded are the proof.
//!
//! # Incompleteness
//! Exact zones may grow for ever, and then the search does not end. Deadlocks are not zones; such questions are left to the eager search.

use thetis_base::{Run, Stop};
use thetis_model::xta::{RuntimeError, XtaProof, ZoneGroup};

use crate::agenda::Agenda;
use crate::bounds::{Bounds, NONE};
use crate::dbm::{Dbm, Emptiness, UNBOUNDED, ZERO, is_included, negated, sum};
use crate::graph::{
    Destination, Extrapolation, Graph, RowConstraint, Step, extrapolate, keep_all, pulled_back,
};
use crate::search::{Found, Trail, is_large};
use crate::{SearchOrder, ZonesStats};

/// How many nodes are taken between two looks at the run.
const NODES_PER_CHECKPOINT: u64 = 16;

/// How often the search tries to fit one cover into another before it gives up.
const MAX_FITTINGS: u32 = 64;

/// How covers are made smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refinement {
    /// By the bounds of interpolants.
    Interpolants,
    /// By extrapolation with the constants that were needed.
    Constants,
}

/// A node of the search.
struct Node {
    group: u32,
    zone: Dbm,
    cover: Dbm,
    /// The parent, and the step that leads here from it.
    origin: Option<(u32, u32)>,
    status: Status,
    /// The constants that were needed so far, by row.
    bounds: Vec<Bounds>,
    /// The nodes that this one covers.
    covered: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Open,
    Expanded,
    Covered,
}

pub(crate) struct LazySearch<'g, 'n> {
    graph: &'g mut Graph<'n>,
    refinement: Refinement,
    nodes: Vec<Node>,
    /// The expanded nodes of each group.
    expanded: Vec<Vec<u32>>,
    waiting: Agenda<u32>,
    /// An error, and the node where it happens.
    error: Option<(RuntimeError, u32)>,
    stats: ZonesStats,
}

impl<'g, 'n> LazySearch<'g, 'n> {
    pub(crate) fn new(
        graph: &'g mut Graph<'n>,
        order: SearchOrder,
        refinement: Refinement,
    ) -> LazySearch<'g, 'n> {
        LazySearch {
            graph,
            refinement,
            nodes: Vec::new(),
            expanded: Vec::new(),
            waiting: Agenda::new(order),
            error: None,
            stats: ZonesStats::default(),
        }
    }

    pub(crate) fn run(&mut self, run: &Run) -> Result<Found, Stop> {
        let (group, zone) = match self.graph.first() {
            Ok(first) => first,
            Err(found) => return Ok(found),
        };
        self.add(group, zone, None);
        while let Some(node) = self.waiting.pop() {
            self.stats.steps += 1;
            if self.stats.steps.is_multiple_of(NODES_PER_CHECKPOINT) {
                run.checkpoint()?;
            }
            if self.nodes[node as usize].status != Status::Open || self.is_closed(node) {
                continue;
            }
            if let Some(found) = self.expand(node) {
                return Ok(found);
            }
        }
        Ok(match self.error.take() {
            Some((error, node)) => Found::Error(error, self.trail(node)),
            None => Found::Nothing,
        })
    }

    /// The covers of the expanded nodes.
    pub(crate) fn into_proof(self) -> XtaProof {
        let mut groups = Vec::new();
        for (group, members) in self.graph.groups.iter().zip(&self.expanded) {
            let mut kept: Vec<&[i32]> = Vec::new();
            for member in members {
                let cells = self.nodes[*member as usize].cover.cells();
                if !kept.iter().any(|other| is_included(cells, other)) {
                    kept.retain(|other| !is_included(other, cells));
                    kept.push(cells);
                }
            }
            if !kept.is_empty() {
                let (state, clocks) = (group.state.clone(), group.clocks.clone());
                groups.push(ZoneGroup { state, clocks, zones: kept.concat() });
            }
        }
        XtaProof { groups, live: self.graph.live.cloned(), ..XtaProof::default() }
    }

    pub(crate) fn stats(&self) -> ZonesStats {
        let used = self.expanded.iter().filter(|members| !members.is_empty());
        let stored: usize = used.clone().map(Vec::len).sum();
        let cells = self.nodes.iter().map(|node| node.zone.cells().len() + node.cover.cells().len());
        ZonesStats {
            stored: stored as u64,
            discrete: used.count() as u64,
            bytes: 4 * cells.sum::<usize>() as u64,
            ..self.stats.clone()
        }
    }

    fn add(&mut self, group: u32, zone: Dbm, origin: Option<(u32, u32)>) {
        let mut cover = self.graph.groups[group as usize].everything();
        keep_all(&mut cover, &self.graph.groups[group as usize].invariant);
        self.waiting.push(self.nodes.len() as u32);
        let bounds = vec![Bounds::NOTHING; self.graph.groups[group as usize].clocks.len()];
        let status = Status::Open;
        self.nodes.push(Node { group, zone, cover, origin, status, bounds, covered: Vec::new() });
        let size = self.graph.groups.len().max(self.expanded.len());
        self.expanded.resize_with(size, Vec::new);
    }

    /// Whether an expanded node covers `node`; then the cover of `node` is fitted into that of the other.
    fn is_closed(&mut self, node: u32) -> bool {
        let group = self.nodes[node as usize].group;
        for other in self.expanded[group as usize].clone() {
            if self.fit(node, other) {
                self.nodes[node as usize].status = Status::Covered;
                self.nodes[other as usize].covered.push(node);
                return true;
            }
        }
        false
    }

    /// Makes the cover of `node` smaller until it is within that of `other`; `false` if that is impossible.
    fn fit(&mut self, node: u32, other: u32) -> bool {
        for _ in 0..MAX_FITTINGS {
            let (inner, outer) = (&self.nodes[node as usize], &self.nodes[other as usize]);
            if !is_included(inner.zone.cells(), outer.cover.cells()) {
                return false;
            }
            // Blocking may also make the other cover smaller, if it belongs to an ancestor.
            let outside = outer.cover.constraints().into_iter().find(|(row, column, bound)| {
                *bound < inner.cover.get(usize::from(*row), usize::from(*column))
            });
            let Some((row, column, bound)) = outside else { return true };
            let mut blocked = self.graph.groups[inner.group as usize].everything();
            if !keep_all(&mut blocked, &[(column, row, negated(bound))]) {
                return false;
            }
            self.block(node, &blocked);
        }
        false
    }

    fn expand(&mut self, node: u32) -> Option<Found> {
        self.stats.visited += 1;
        let (group, zone) = (self.nodes[node as usize].group, self.nodes[node as usize].zone.clone());
        if let Some(error) = &self.graph.groups[group as usize].error {
            self.error.get_or_insert((error.clone(), node));
        }
        if is_large(&zone) {
            return Some(Found::TooLarge);
        }
        for number in 0..self.graph.groups[group as usize].targets.len() {
            let target = self.graph.groups[group as usize].targets[number].constraints.clone();
            if self.is_blocked(node, &target).is_none() {
                return Some(Found::Target(self.trail(node)));
            }
        }
        self.nodes[node as usize].status = Status::Expanded;
        self.expanded[group as usize].push(node);
        for (number, step) in self.graph.steps(group).iter().enumerate() {
            if let Destination::Error(error @ RuntimeError::Unknown(_)) = &step.outcome {
                return Some(Found::Error(error.clone(), self.trail(node)));
            }
            match self.graph.successor(&zone, step) {
                Some(next) => {
                    let Destination::Group(target, _) = &step.outcome else { continue };
                    self.add(*target, next, Some((node, number as u32)));
                }
                None => self.disable(node, step),
            }
        }
        None
    }

    /// Blocks the states of `node` from which a step is possible that is impossible from its exact zone.
    fn disable(&mut self, node: u32, step: &Step) {
        let mut constraints = step.guard.clone();
        if let Destination::Group(target, rows) = &step.outcome {
            constraints.extend(pulled_back(&self.graph.groups[*target as usize].invariant, rows));
        }
        if let (None, Destination::Error(error)) = (self.is_blocked(node, &constraints), &step.outcome) {
            self.error.get_or_insert((error.clone(), node));
        }
    }

    /// Blocks the states of `node` with `constraints`; `None` if its exact zone has such states.
    fn is_blocked(&mut self, node: u32, constraints: &[RowConstraint]) -> Option<()> {
        let Node { group, zone, .. } = &self.nodes[node as usize];
        let mut part = zone.clone();
        if keep_all(&mut part, constraints) {
            return None;
        }
        let mut blocked = self.graph.groups[*group as usize].everything();
        if keep_all(&mut blocked, constraints) {
            self.block(node, &blocked);
        }
        Some(())
    }

    /// Makes the cover of `node` disjoint from `blocked`, from which its exact zone is disjoint.
    fn block(&mut self, node: u32, blocked: &Dbm) {
        // The zones to be blocked, from the node up to the first ancestor whose cover need not change.
        let mut chain = vec![(node, blocked.clone())];
        while let Some((at, zone)) = chain.last() {
            if is_disjoint(&self.nodes[*at as usize].cover, zone) {
                chain.pop();
                break;
            }
            let Some((parent, step)) = self.nodes[*at as usize].origin else { break };
            let group = self.nodes[parent as usize].group;
            let steps = self.graph.steps(group);
            match self.graph.leading_to(group, &steps[step as usize], zone) {
                Some(before) => chain.push((parent, before)),
                None => break,
            }
        }
        for (at, zone) in chain.into_iter().rev() {
            self.strengthen(at, &zone);
        }
    }

    /// Adds an interpolant to the cover of `node`, whose parent's cover leads to nothing in `blocked`.
    fn strengthen(&mut self, node: u32, blocked: &Dbm) {
        let reached = match self.nodes[node as usize].origin {
            None => Some(self.nodes[node as usize].zone.clone()),
            Some((parent, step)) => {
                let parent = &self.nodes[parent as usize];
                let steps = self.graph.steps(parent.group);
                self.graph.successor(&parent.cover, &steps[step as usize])
            }
        };
        let Some(reached) = reached else { return };
        self.stats.refinements += 1;
        let Node { cover, bounds, .. } = &mut self.nodes[node as usize];
        let added = match self.refinement {
            Refinement::Interpolants => interpolant(&reached, blocked),
            Refinement::Constants => extrapolated(&reached, blocked, bounds),
        };
        keep_all(cover, &added);
        self.release(node);
    }

    /// Opens the nodes whose covers are no longer within that of `node`.
    fn release(&mut self, node: u32) {
        let covered = std::mem::take(&mut self.nodes[node as usize].covered);
        let cover = self.nodes[node as usize].cover.clone();
        let (kept, opened): (Vec<u32>, Vec<u32>) = covered
            .into_iter()
            .partition(|other| is_included(self.nodes[*other as usize].cover.cells(), cover.cells()));
        self.nodes[node as usize].covered = kept;
        for other in opened {
            self.nodes[other as usize].status = Status::Open;
            self.waiting.push(other);
        }
    }

    /// The way to a node.
    fn trail(&mut self, mut node: u32) -> Trail {
        let mut trail = Trail { groups: vec![self.nodes[node as usize].group], ..Trail::default() };
        while let Some((parent, step)) = self.nodes[node as usize].origin {
            let group = self.nodes[parent as usize].group;
            trail.moves.push(self.graph.steps(group)[step as usize].number);
            trail.groups.push(group);
            node = parent;
        }
        trail.moves.reverse();
        trail.groups.reverse();
        trail
    }
}

impl Graph<'_> {
    /// The states of a group from which `step`, and a delay after it, lead into `zone`.
    fn leading_to(&self, number: u32, step: &Step, zone: &Dbm) -> Option<Dbm> {
        let Destination::Group(target, rows) = &step.outcome else { return None };
        let target = &self.groups[*target as usize];
        let mut arrival = zone.clone();
        if !keep_all(&mut arrival, &target.invariant) {
            return None;
        }
        if !target.is_frozen {
            arrival.down();
            if !keep_all(&mut arrival, &target.invariant) {
                return None;
            }
        }
        let mut before = self.groups[number as usize].everything();
        let needed = pulled_back(&arrival.constraints(), rows);
        let invariant = &self.groups[number as usize].invariant;
        keep_all(&mut before, step.guard.iter().chain(invariant).chain(&needed)).then_some(before)
    }
}

fn is_disjoint(one: &Dbm, other: &Dbm) -> bool {
    let mut one = one.clone();
    one.constrain_all(&other.constraints()) == Emptiness::Empty
}

/// Constraints that all of `inside` satisfies and nothing of `outside` does: the weakest single bound that does, or all of `inside`.
fn interpolant(inside: &Dbm, outside: &Dbm) -> Vec<RowConstraint> {
    let slack = |(row, column, bound): &RowConstraint| {
        let opposite = outside.get(usize::from(*column), usize::from(*row));
        let excludes = opposite != UNBOUNDED && sum(*bound, opposite) < ZERO;
        excludes.then(|| (negated(opposite) - bound, (*row, *column, negated(opposite))))
    };
    let constraints = inside.constraints();
    match constraints.iter().filter_map(slack).max_by_key(|(slack, _)| *slack) {
        Some((_, weakest)) => vec![weakest],
        None => constraints,
    }
}

/// Constraints that all of `inside` satisfies and nothing of `outside` does: `inside` extrapolated by `bounds` with the constants of
/// `outside`, or exactly.
fn extrapolated(inside: &Dbm, outside: &Dbm, bounds: &mut [Bounds]) -> Vec<RowConstraint> {
    for (row, column, bound) in outside.constraints() {
        let (clock, needed) = match (row, column) {
            (0, clock) => (clock, Bounds { lower: -(bound >> 1), upper: NONE }),
            (clock, 0) => (clock, Bounds { lower: NONE, upper: bound >> 1 }),
            _ => continue,
        };
        let known = &mut bounds[usize::from(clock) - 1];
        *known = known.join(needed);
    }
    let mut wide = inside.clone();
    extrapolate(&mut wide, bounds, Extrapolation::Plus);
    if is_disjoint(&wide, outside) { wide.constraints() } else { inside.constraints() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dbm::bound;

    fn zone(constraints: &[RowConstraint]) -> Dbm {
        let all = [[ZERO; 3], [UNBOUNDED, ZERO, UNBOUNDED], [UNBOUNDED, UNBOUNDED, ZERO]];
        let mut zone = Dbm::from_cells(3, &all.concat());
        assert!(keep_all(&mut zone, constraints));
        zone
    }

    #[test]
    fn interpolants_separate_with_one_weak_bound() {
        let inside = zone(&[(1, 0, bound(3, false)), (2, 1, bound(0, false))]);
        let outside = zone(&[(0, 1, bound(-7, false))]);
        assert_eq!(interpolant(&inside, &outside), vec![(1, 0, bound(7, true))]);
        // Neither clock alone separates these, but their difference does.
        let outside = zone(&[(0, 2, bound(-2, false)), (1, 0, bound(1, false))]);
        let separating = interpolant(&inside, &outside);
        assert_eq!(separating, vec![(2, 1, bound(1, true))]);
        let mut both = outside.clone();
        assert!(!keep_all(&mut both, &separating));
    }
}
