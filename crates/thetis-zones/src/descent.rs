//! Search for a run that never ends.
//!
//! # Method
//! The symbolic states within the condition of a question about liveness ([`endless`](crate::endless)) are searched depth first. A
//! state that is finished has no endless run; finished states are kept, and a new one that such a state includes is dropped. A new
//! state that includes one on the stack with the same discrete state closes a cycle that can be repeated for ever: every state of
//! the smaller zone has a predecessor in the smaller zone, by way of the cycle. So there are runs of any length through the cycle
//! and, since there are finitely many zones, an infinite one. A new state that is *included* in one on the stack proves nothing
//! and is searched. (Behrmann, *Data Structures and Algorithms for the Analysis of Real Time Systems*, 2003, searches in the same
//! order and uses equality on the stack.)
//!
//! # Abstraction
//! Zones must be made coarser by equal bounds of both kinds: then a zone only gains states that can do exactly what some of its
//! states can do, so that cycles and ends of the abstract graph correspond to runs. With different lower and upper bounds, a
//! zone would gain states that can do less.
//!
//! # Evidence
//! The order in which states are finished is their rank: all successors of a state are included in states that were finished
//! before. That proves that no run is endless.

use thetis_base::{Run, Stop};
use thetis_model::xta::{RankedGroup, RuntimeError, ZoneGroup};

use crate::dbm::{Dbm, Emptiness, is_included};
use crate::graph::{Along, Destination, Graph};
use crate::search::is_large;

/// How many symbolic states are entered between two looks at the run.
const STATES_PER_CHECKPOINT: u64 = 64;

/// The end of a run that never ends, as the numbers of moves.
pub(crate) enum Endless {
    /// After these moves no further one is taken.
    Stay(Vec<u32>),
    /// After some moves, others are repeated.
    Repeat(Vec<u32>, Vec<u32>),
}

/// Why there is no answer.
#[derive(Clone)]
pub(crate) enum Obstacle {
    /// The condition is not one zone in some discrete state.
    Split,
    /// A run-time error is reachable.
    Error(RuntimeError),
    /// The values of clocks grow too large.
    TooLarge,
}

/// A symbolic state on the stack.
struct Frame {
    group: u32,
    zone: Dbm,
    /// The number of the move that leads here.
    entered: u32,
    /// The next step to take.
    next: usize,
}

/// The finished symbolic states of a group.
#[derive(Default)]
struct Finished {
    zones: Vec<i32>,
    ranks: Vec<u32>,
}

/// What is done with a new symbolic state.
enum Entry {
    Searched,
    Known,
    Found(Endless),
}

/// A search over the symbolic states of `graph` within its condition.
#[derive(Default)]
pub(crate) struct Descent {
    stack: Vec<Frame>,
    /// The places of a group on the stack.
    on_stack: Vec<Vec<usize>>,
    finished: Vec<Finished>,
    num_finished: u32,
    pub(crate) obstacle: Option<Obstacle>,
    pub(crate) num_entered: u64,
}

impl Descent {
    /// Looks for an endless run from a zone, which is closed under delays within the condition.
    pub(crate) fn search(
        &mut self,
        graph: &mut Graph<'_>,
        group: u32,
        zone: Dbm,
        run: &Run,
    ) -> Result<Option<Endless>, Stop> {
        if let Entry::Found(endless) = self.enter(graph, group, zone, 0) {
            return Ok(Some(endless));
        }
        while let Some(frame) = self.stack.last_mut() {
            let (group, number) = (frame.group, frame.next);
            frame.next += 1;
            let steps = graph.steps(group);
            let Some(step) = steps.get(number) else {
                self.finish();
                continue;
            };
            match &step.outcome {
                Destination::Error(error) => {
                    let mut zone = frame.zone.clone();
                    if zone.constrain_all(&step.guard) == Emptiness::NotEmpty {
                        self.obstacle.get_or_insert(Obstacle::Error(error.clone()));
                    }
                }
                Destination::Group(target, _) => {
                    self.note_split(graph, *target);
                    let Some(zone) = graph.successor_within(&self.top().zone, step) else { continue };
                    if let Entry::Found(endless) = self.enter(graph, *target, zone, step.number) {
                        return Ok(Some(endless));
                    }
                    if self.num_entered.is_multiple_of(STATES_PER_CHECKPOINT) {
                        run.checkpoint()?;
                    }
                }
            }
        }
        Ok(None)
    }

    /// Remembers that the condition is not one zone in a group.
    pub(crate) fn note_split(&mut self, graph: &Graph<'_>, group: u32) {
        if matches!(graph.groups[group as usize].along, Along::Split) {
            self.obstacle.get_or_insert(Obstacle::Split);
        }
    }

    fn enter(&mut self, graph: &mut Graph<'_>, group: u32, zone: Dbm, entered: u32) -> Entry {
        self.num_entered += 1;
        let size = graph.groups.len();
        self.on_stack.resize_with(size.max(self.on_stack.len()), Vec::new);
        self.finished.resize_with(size.max(self.finished.len()), Finished::default);
        if is_large(&zone) {
            self.obstacle.get_or_insert(Obstacle::TooLarge);
            return Entry::Known;
        }
        if let Some(error) = &graph.groups[group as usize].error {
            self.obstacle.get_or_insert(Obstacle::Error(error.clone()));
            return Entry::Known;
        }
        let places = &self.on_stack[group as usize];
        let smaller = places.iter().find(|at| is_included(self.stack[**at].zone.cells(), zone.cells()));
        if let Some(at) = smaller {
            let cycle = self.moves_after(*at).chain([entered]).collect();
            return Entry::Found(Endless::Repeat(self.moves_to(*at), cycle));
        }
        let finished = &self.finished[group as usize].zones;
        if finished.chunks_exact(zone.cells().len()).any(|known| is_included(zone.cells(), known)) {
            return Entry::Known;
        }
        let has_end = !graph.ends(group, &zone).is_empty();
        self.on_stack[group as usize].push(self.stack.len());
        self.stack.push(Frame { group, zone, entered, next: 0 });
        if has_end {
            return Entry::Found(Endless::Stay(self.moves_to(self.stack.len() - 1)));
        }
        Entry::Searched
    }

    fn top(&self) -> &Frame {
        self.stack.last().expect("a step should start on the stack")
    }

    fn finish(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.on_stack[frame.group as usize].pop();
        let finished = &mut self.finished[frame.group as usize];
        finished.zones.extend_from_slice(frame.zone.cells());
        finished.ranks.push(self.num_finished);
        self.num_finished += 1;
    }

    /// The moves from the bottom of the stack to a place.
    fn moves_to(&self, place: usize) -> Vec<u32> {
        self.stack[1..=place].iter().map(|frame| frame.entered).collect()
    }

    fn moves_after(&self, place: usize) -> impl Iterator<Item = u32> {
        self.stack[place + 1..].iter().map(|frame| frame.entered)
    }

    /// The finished symbolic states with their ranks.
    pub(crate) fn into_ranked(self, graph: &Graph<'_>) -> Vec<RankedGroup> {
        let all = self.finished.into_iter().zip(&graph.groups);
        let used = all.filter(|(finished, _)| !finished.ranks.is_empty());
        let ranked = used.map(|(finished, group)| RankedGroup {
            group: ZoneGroup {
                state: group.state.clone(),
                clocks: group.clocks.clone(),
                zones: finished.zones,
            },
            ranks: finished.ranks,
        });
        ranked.collect()
    }
}
