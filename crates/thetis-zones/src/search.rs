//! The search itself.
//!
//! Symbolic states are expanded one after the other. A new one is dropped if a stored one with the same discrete state includes it;
//! otherwise it is stored and replaces those that it includes. If some of those were expanded already, that work was wasted, and so
//! is any work on their successors; the order `priority` therefore expands the larger state next, a simple form of the ranking of
//! Herbreteau and Tran (2015). When nothing is left to expand, the stored states are closed under all moves and delays: they are
//! the proof.

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_model::xta::symmetry::Arrangement;
use thetis_model::xta::{RuntimeError, XtaProof, ZoneGroup};

use crate::agenda::Agenda;
use crate::dbm::{Dbm, Emptiness, UNBOUNDED};
use crate::graph::{Destination, Graph};
use crate::passed::{Comparison, Passed};
use crate::{PassedKind, SearchOrder, ZonesStats};

/// How many symbolic states are expanded between two looks at the run.
const STATES_PER_CHECKPOINT: u64 = 64;

/// Entries of matrices stay below this, so that sums fit into 32 bits.
const MAX_ENTRY: i32 = 1 << 28;

/// How a search ended.
pub(crate) enum Found {
    /// With the way to a state of the target.
    Target(Trail),
    /// Without.
    Nothing,
    /// Without, but a run-time error is reachable.
    Error(RuntimeError, Trail),
    /// The values of clocks grow too large.
    TooLarge,
}

/// The way to a symbolic state.
#[derive(Default)]
pub(crate) struct Trail {
    /// The groups, from the initial one on.
    pub(crate) groups: Vec<u32>,
    /// The numbers of the moves between them.
    pub(crate) moves: Vec<u32>,
    /// How equal processes were arranged after each of them; empty if they never are.
    pub(crate) turns: Vec<Arrangement>,
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
    /// From which rows its rows came when it was sorted; [`UNSORTED`] if it was not.
    rows: u32,
    is_expanded: bool,
    is_replaced: bool,
}

/// The number of no order of rows.
const UNSORTED: u32 = u32::MAX;

/// Orders of rows, each of them once.
#[derive(Default)]
struct RowOrders {
    numbers: FxHashMap<Vec<usize>, u32>,
    list: Vec<Vec<usize>>,
}

impl RowOrders {
    fn number(&mut self, rows: Option<Vec<usize>>) -> u32 {
        let Some(rows) = rows else { return UNSORTED };
        let list = &mut self.list;
        *self.numbers.entry(rows).or_insert_with_key(|rows| {
            list.push(rows.clone());
            list.len() as u32 - 1
        })
    }
}

/// Where a symbolic state comes from.
struct Arrival {
    parent: u32,
    step: u32,
    rows: Option<Vec<usize>>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To find a state of the target.
    Find,
    /// To visit everything.
    Explore,
}

pub(crate) struct ZoneSearch<'g, 'n> {
    graph: &'g mut Graph<'n>,
    purpose: Purpose,
    passed: PassedKind,
    origins: Vec<Origin>,
    orders: RowOrders,
    stored: Vec<Passed>,
    waiting: Agenda<Waiting>,
    /// An error, and the node where it happens.
    error: Option<(RuntimeError, u32)>,
    stats: ZonesStats,
}

impl<'n> Graph<'n> {
    /// The initial symbolic state, or the end of the search.
    pub(crate) fn first(&mut self) -> Result<(u32, Dbm), Found> {
        match self.initial() {
            Ok(Some(initial)) => Ok(initial),
            Ok(None) => Err(Found::Error(RuntimeError::BadStart, Trail::default())),
            Err(error) => Err(Found::Error(error, Trail::default())),
        }
    }

    /// How zones of a group are stored and compared.
    fn comparison(&self, group: u32, passed: PassedKind) -> Comparison<'_> {
        match passed {
            _ if self.simulates() => Comparison::Simulation(&self.groups[group as usize].bounds),
            PassedKind::Full => Comparison::Full,
            PassedKind::Minimal => Comparison::Minimal,
        }
    }
}

impl<'g, 'n> ZoneSearch<'g, 'n> {
    pub(crate) fn new(
        graph: &'g mut Graph<'n>,
        order: SearchOrder,
        passed: PassedKind,
        purpose: Purpose,
    ) -> ZoneSearch<'g, 'n> {
        ZoneSearch {
            graph,
            purpose,
            passed,
            origins: Vec::new(),
            orders: RowOrders::default(),
            stored: Vec::new(),
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
        if let Some(node) = self.store(group, zone, Arrival { parent: u32::MAX, step: 0, rows: None }) {
            return Ok(Found::Target(self.trail(node)));
        }
        while let Some(next) = self.waiting.pop() {
            if self.stats.visited.is_multiple_of(STATES_PER_CHECKPOINT) {
                run.checkpoint()?;
            }
            if self.origins[next.node as usize].is_replaced {
                self.graph.recycle(next.zone);
                continue;
            }
            self.stats.visited += 1;
            self.origins[next.node as usize].is_expanded = true;
            if let Some(found) = self.expand(&next) {
                return Ok(found);
            }
            self.graph.recycle(next.zone);
        }
        Ok(match self.error.take() {
            Some((error, node)) => Found::Error(error, self.trail(node)),
            None => Found::Nothing,
        })
    }

    /// The stored states as a proof.
    pub(crate) fn into_proof(self) -> XtaProof {
        let used =
            self.stored.iter().zip(&self.graph.groups).filter(|(stored, _)| !stored.nodes().is_empty());
        let simulation = match self.graph.simulates() {
            true => used.map(|(_, group)| group.stated_bounds()).collect(),
            false => Vec::new(),
        };
        let groups = groups_of(self.stored, self.graph);
        XtaProof {
            groups,
            simulation,
            live: self.graph.live.cloned(),
            symmetries: self.graph.symmetries.to_vec(),
            ..XtaProof::default()
        }
    }

    /// The stored states with the ways to them.
    pub(crate) fn into_explored(self) -> Explored {
        Explored { origins: self.origins, orders: self.orders, stored: self.stored }
    }

    pub(crate) fn stats(&self) -> ZonesStats {
        let stored = self.stored.iter().map(|stored| stored.nodes().len() as u64).sum();
        let bytes = self.stored.iter().map(|stored| stored.bytes() as u64).sum();
        let discrete = self.stored.iter().filter(|stored| !stored.nodes().is_empty()).count() as u64;
        ZonesStats { stored, bytes, discrete, ..self.stats.clone() }
    }

    fn expand(&mut self, from: &Waiting) -> Option<Found> {
        // Units are sorted by the bounds of their clocks, and the checker sees those within the invariant.
        let is_sorted = !self.graph.symmetries.is_empty();
        let within = is_sorted.then(|| self.graph.within_invariant(from.group, &from.zone));
        let zone = within.as_ref().unwrap_or(&from.zone);
        for (number, step) in self.graph.steps(from.group).iter().enumerate() {
            match &step.outcome {
                Destination::Error(error) => {
                    let mut zone = from.zone.clone();
                    let is_possible = zone.constrain_all(&step.guard) == Emptiness::NotEmpty;
                    match error {
                        _ if !is_possible => {}
                        RuntimeError::Unknown(_) => {
                            return Some(Found::Error(error.clone(), self.trail(from.node)));
                        }
                        _ => {
                            self.error.get_or_insert((error.clone(), from.node));
                        }
                    }
                }
                Destination::Group(target, _) => {
                    let Some((zone, rows)) = self.graph.arranged_successor(zone, step) else {
                        continue;
                    };
                    self.stats.steps += 1;
                    if is_large(&zone) {
                        return Some(Found::TooLarge);
                    }
                    if let Some(node) =
                        self.store(*target, zone, Arrival { parent: from.node, step: number as u32, rows })
                    {
                        return Some(Found::Target(self.trail(node)));
                    }
                }
            }
        }
        None
    }

    /// Stores a symbolic state unless a stored one covers it. Gives its number if it satisfies the target.
    fn store(&mut self, group: u32, zone: Dbm, arrival: Arrival) -> Option<u32> {
        let node = self.origins.len() as u32;
        if self.stored.len() <= group as usize {
            self.stored.resize_with(self.graph.groups.len(), Passed::default);
        }
        let comparison = self.graph.comparison(group, self.passed);
        let mut replaces_expanded = false;
        let origins = &mut self.origins;
        let is_new = self.stored[group as usize].insert(&zone, node, comparison, |old| {
            let old = &mut origins[old as usize];
            old.is_replaced = true;
            replaces_expanded |= old.is_expanded;
        });
        if !is_new {
            self.graph.recycle(zone);
            return None;
        }
        let Arrival { parent, step, rows } = arrival;
        let rows = self.orders.number(rows);
        self.origins.push(Origin { parent, step, group, rows, is_expanded: false, is_replaced: false });
        if let Some(error) = &self.graph.groups[group as usize].error {
            self.error.get_or_insert((error.clone(), node));
            return None;
        }
        if self.purpose == Purpose::Find && !self.graph.bad_parts(group, &zone).is_empty() {
            return Some(node);
        }
        let waiting = Waiting { node, group, zone };
        // A state that replaces expanded ones makes their successors obsolete, so its own successors should be computed
        // before those are expanded.
        match replaces_expanded {
            true => self.waiting.push_urgent(waiting),
            false => self.waiting.push(waiting),
        }
        None
    }

    fn trail(&mut self, node: u32) -> Trail {
        trail(&self.origins, &self.orders, self.graph, node)
    }
}

/// The symbolic states that a search has stored.
pub(crate) struct Explored {
    origins: Vec<Origin>,
    orders: RowOrders,
    stored: Vec<Passed>,
}

impl Explored {
    /// The symbolic states: group, zone, and a number for [`path`](Explored::path).
    pub(crate) fn states(&self, graph: &Graph<'_>) -> Vec<(u32, Dbm, u32)> {
        let mut list = Vec::new();
        for (stored, group) in self.stored.iter().zip(0..) {
            let dim = graph.groups[group as usize].clocks.len() + 1;
            let entries = stored.entries(dim);
            let zones = entries.chunks_exact(dim * dim).map(|cells| Dbm::from_cells(dim, cells));
            list.extend(zones.zip(stored.nodes()).map(|(zone, node)| (group, zone, *node)));
        }
        list
    }

    /// The numbers of the moves that lead to a symbolic state.
    pub(crate) fn path(&self, graph: &mut Graph<'_>, node: u32) -> Vec<u32> {
        trail(&self.origins, &self.orders, graph, node).moves
    }

    pub(crate) fn into_groups(self, graph: &Graph<'_>) -> Vec<ZoneGroup> {
        groups_of(self.stored, graph)
    }
}

/// The way to a node.
fn trail(origins: &[Origin], orders: &RowOrders, graph: &mut Graph<'_>, node: u32) -> Trail {
    let mut origin = origins[node as usize];
    let mut trail = Trail { groups: vec![origin.group], ..Trail::default() };
    while origin.parent != u32::MAX {
        let parent = origins[origin.parent as usize];
        let steps = graph.steps(parent.group);
        let step = &steps[origin.step as usize];
        trail.moves.push(step.number);
        trail.groups.push(parent.group);
        if !graph.symmetries.is_empty() {
            let rows = orders.list.get(origin.rows as usize).map(Vec::as_slice);
            trail.turns.push(graph.turn(step, origin.group, rows));
        }
        origin = parent;
    }
    trail.moves.reverse();
    trail.groups.reverse();
    trail.turns.reverse();
    trail
}

fn groups_of(stored: Vec<Passed>, graph: &Graph<'_>) -> Vec<ZoneGroup> {
    let used = stored.into_iter().zip(&graph.groups).filter(|(stored, _)| !stored.nodes().is_empty());
    let group = used.map(|(stored, group)| {
        let zones = stored.into_entries(group.clocks.len() + 1);
        ZoneGroup { state: group.state.clone(), clocks: group.clocks.clone(), zones }
    });
    group.collect()
}

pub(crate) fn is_large(zone: &Dbm) -> bool {
    zone.cells().iter().any(|entry| *entry != UNBOUNDED && !(-MAX_ENTRY..=MAX_ENTRY).contains(entry))
}
