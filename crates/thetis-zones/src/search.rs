//! The search itself.
//!
//! Symbolic states are expanded one after the other. A new one is dropped if a stored one with the same discrete state includes
//! it; otherwise it is stored and replaces those that it includes. If some of those were expanded already, the work was in vain and
//! so is that on their successors; the order `priority` therefore expands the larger state next, a simple form of the
//! ranking of Herbreteau and Tran (2015). When nothing is left to expand, the stored states are
//! closed under all moves and delays: they are the proof.

use std::collections::VecDeque;

use thetis_base::{Run, Stop};
use thetis_model::xta::{RuntimeError, XtaProof, ZoneGroup};

use crate::dbm::{Dbm, UNBOUNDED, is_included};
use crate::graph::{Graph, Outcome};
use crate::{SearchOrder, ZonesStats};

/// How many symbolic states are expanded between two looks at the run.
const STATES_PER_CHECKPOINT: u64 = 64;

/// Entries of matrices stay below, so that sums fit into 32 bits.
const MAX_ENTRY: i32 = 1 << 28;

/// How a search ended.
pub(crate) enum Found {
    /// With the numbers of the moves to a state of the target.
    Target(Vec<u32>),
    /// Without.
    Nothing,
    /// Without, but a run-time error is reachable.
    Error(RuntimeError),
    /// The values of clocks grow too large.
    TooLarge,
}

/// A symbolic state that waits for expansion.
struct Waiting {
    node: u32,
    group: u32,
    zone: Dbm,
}

/// How a symbolic state was reached.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    step: u32,
    group: u32,
    is_expanded: bool,
    is_replaced: bool,
}

/// What became of a zone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Insertion {
    /// A stored one includes it.
    Covered,
    /// It is stored.
    New,
    /// It is stored instead of smaller ones, some of which were expanded already.
    ReplacesExpanded,
}

/// The stored zones of a group, one after the other, and their nodes.
#[derive(Default)]
struct Stored {
    zones: Vec<i32>,
    nodes: Vec<u32>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To find a state of the target.
    Find,
    /// To visit everything.
    Explore,
}

pub(crate) struct Search<'g, 'n> {
    graph: &'g mut Graph<'n>,
    order: SearchOrder,
    purpose: Purpose,
    origins: Vec<Origin>,
    stored: Vec<Stored>,
    waiting: VecDeque<Waiting>,
    error: Option<RuntimeError>,
    stats: ZonesStats,
}

impl<'g, 'n> Search<'g, 'n> {
    pub(crate) fn new(graph: &'g mut Graph<'n>, order: SearchOrder, purpose: Purpose) -> Search<'g, 'n> {
        Search {
            graph,
            order,
            purpose,
            origins: Vec::new(),
            stored: Vec::new(),
            waiting: VecDeque::new(),
            error: None,
            stats: ZonesStats::default(),
        }
    }

    pub(crate) fn run(&mut self, run: &Run) -> Result<Found, Stop> {
        let (group, zone) = match self.graph.initial() {
            Ok(Some(initial)) => initial,
            Ok(None) => return Ok(Found::Error(RuntimeError::BadStart)),
            Err(error) => return Ok(Found::Error(error)),
        };
        if let Some(node) = self.store(group, zone, u32::MAX, 0) {
            return Ok(Found::Target(self.path(node)));
        }
        while let Some(next) = self.next() {
            if self.stats.visited.is_multiple_of(STATES_PER_CHECKPOINT) {
                run.checkpoint()?;
            }
            if self.origins[next.node as usize].is_replaced {
                continue;
            }
            self.stats.visited += 1;
            self.origins[next.node as usize].is_expanded = true;
            if let Some(found) = self.expand(&next) {
                return Ok(found);
            }
        }
        Ok(self.error.take().map_or(Found::Nothing, Found::Error))
    }

    /// The stored states as a proof.
    pub(crate) fn into_proof(self) -> XtaProof {
        XtaProof { groups: groups_of(&self.stored, self.graph), ..XtaProof::default() }
    }

    /// The stored states with the ways to them.
    pub(crate) fn into_explored(self) -> Explored {
        Explored { origins: self.origins, stored: self.stored }
    }

    pub(crate) fn stats(&self) -> ZonesStats {
        let stored = self.stored.iter().map(|stored| stored.nodes.len() as u64).sum();
        let bytes =
            self.stored.iter().map(|stored| 4 * (stored.zones.len() + stored.nodes.len()) as u64).sum();
        let discrete = self.stored.iter().filter(|stored| !stored.nodes.is_empty()).count() as u64;
        ZonesStats { stored, bytes, discrete, ..self.stats.clone() }
    }

    fn next(&mut self) -> Option<Waiting> {
        match self.order {
            SearchOrder::Priority | SearchOrder::Bfs => self.waiting.pop_front(),
            SearchOrder::Dfs => self.waiting.pop_back(),
        }
    }

    fn expand(&mut self, from: &Waiting) -> Option<Found> {
        for (number, step) in self.graph.steps(from.group).iter().enumerate() {
            match &step.outcome {
                Outcome::Error(error) => {
                    let mut zone = from.zone.clone();
                    if zone.constrain_all(&step.guard) == crate::dbm::Emptiness::NotEmpty {
                        self.error.get_or_insert(error.clone());
                    }
                }
                Outcome::Group(target, _) => {
                    let Some(zone) = self.graph.successor(&from.zone, step) else { continue };
                    self.stats.steps += 1;
                    if is_large(&zone) {
                        return Some(Found::TooLarge);
                    }
                    if let Some(node) = self.store(*target, zone, from.node, number as u32) {
                        return Some(Found::Target(self.path(node)));
                    }
                }
            }
        }
        None
    }

    /// Stores a symbolic state unless a stored one includes it. Gives its number if it satisfies the target.
    fn store(&mut self, group: u32, zone: Dbm, parent: u32, step: u32) -> Option<u32> {
        let node = self.origins.len() as u32;
        if self.stored.len() <= group as usize {
            self.stored.resize_with(self.graph.groups.len(), Stored::default);
        }
        let insertion = self.stored[group as usize].insert(zone.cells(), node, &mut self.origins);
        if insertion == Insertion::Covered {
            return None;
        }
        self.origins.push(Origin { parent, step, group, is_expanded: false, is_replaced: false });
        if let Some(error) = &self.graph.groups[group as usize].error {
            self.error.get_or_insert(error.clone());
            return None;
        }
        if self.purpose == Purpose::Find && !self.graph.bad_parts(group, &zone).is_empty() {
            return Some(node);
        }
        let waiting = Waiting { node, group, zone };
        // What replaces expanded states makes their successors obsolete, so its own should come before those are expanded.
        match (self.order, insertion) {
            (SearchOrder::Priority, Insertion::ReplacesExpanded) => self.waiting.push_front(waiting),
            _ => self.waiting.push_back(waiting),
        }
        None
    }

    fn path(&mut self, node: u32) -> Vec<u32> {
        path(&self.origins, self.graph, node)
    }
}

/// The symbolic states that a search has stored.
pub(crate) struct Explored {
    origins: Vec<Origin>,
    stored: Vec<Stored>,
}

impl Explored {
    /// The symbolic states: group, zone, and a number for [`path`](Explored::path).
    pub(crate) fn states(&self) -> impl Iterator<Item = (u32, &[i32], u32)> {
        self.stored.iter().enumerate().flat_map(|(group, stored)| {
            let zone_len = stored.zones.len() / stored.nodes.len().max(1);
            let zones = stored.zones.chunks_exact(zone_len.max(1));
            zones.zip(&stored.nodes).map(move |(zone, node)| (group as u32, zone, *node))
        })
    }

    /// The numbers of the moves that lead to a symbolic state.
    pub(crate) fn path(&self, graph: &mut Graph<'_>, node: u32) -> Vec<u32> {
        path(&self.origins, graph, node)
    }

    pub(crate) fn groups(&self, graph: &Graph<'_>) -> Vec<ZoneGroup> {
        groups_of(&self.stored, graph)
    }
}

/// The numbers of the moves that lead to a node.
fn path(origins: &[Origin], graph: &mut Graph<'_>, node: u32) -> Vec<u32> {
    let mut moves = Vec::new();
    let mut origin = origins[node as usize];
    while origin.parent != u32::MAX {
        let parent = origins[origin.parent as usize];
        moves.push(graph.steps(parent.group)[origin.step as usize].number);
        origin = parent;
    }
    moves.reverse();
    moves
}

fn groups_of(stored: &[Stored], graph: &Graph<'_>) -> Vec<ZoneGroup> {
    let used = stored.iter().zip(&graph.groups).filter(|(stored, _)| !stored.nodes.is_empty());
    let group = used.map(|(stored, group)| ZoneGroup {
        state: group.state.clone(),
        clocks: group.clocks.clone(),
        zones: stored.zones.clone(),
    });
    group.collect()
}

impl Stored {
    /// Adds a zone, unless a stored one includes it, and drops those that it includes.
    fn insert(&mut self, zone: &[i32], node: u32, origins: &mut [Origin]) -> Insertion {
        if self.zones.chunks_exact(zone.len()).any(|old| is_included(zone, old)) {
            return Insertion::Covered;
        }
        let mut insertion = Insertion::New;
        let mut at = 0;
        while at < self.nodes.len() {
            if !is_included(&self.zones[at * zone.len()..(at + 1) * zone.len()], zone) {
                at += 1;
                continue;
            }
            let old = &mut origins[self.nodes.swap_remove(at) as usize];
            old.is_replaced = true;
            if old.is_expanded {
                insertion = Insertion::ReplacesExpanded;
            }
            let last = self.zones.len() - zone.len();
            self.zones.copy_within(last.., at * zone.len());
            self.zones.truncate(last);
        }
        self.zones.extend_from_slice(zone);
        self.nodes.push(node);
        insertion
    }
}

pub(crate) fn is_large(zone: &Dbm) -> bool {
    zone.cells().iter().any(|entry| *entry != UNBOUNDED && !(-MAX_ENTRY..=MAX_ENTRY).contains(entry))
}
