//! The unrolling of an automaton loop by loop.
//!
//! Counting the back edges of a whole run ([`super::unrolling`]) finds the shortest violations, but loses constants: the second of two loops
//! may start in any round, so its counter is not a constant in any of them. Here every loop has rounds of its own, as in the bounded model
//! checking of programs (Clarke, Kroening, Lerda 2004): in round `k` of a loop that counts from zero the counter *is* `k`, reads from an array
//! at the counter hit a known cell, and constants are propagated from one loop to the next.
//!
//! Loops and the loops in them are those of a [`WeakOrder`]. Its locations are copied from the first to the last; at the head of a loop, the
//! loop is copied again and again while an edge leads back to the head. Runs that leave a loop after different numbers of rounds meet after it.
//!
//! **Bounds.** A back edge counts only after a round in which the loop could have been left: loops over constants end by themselves. A loop
//! is re-entered at most as often as the bound says, so no run with at most that many back edges is left out. If all loops end within the
//! bound, the unrolling is the whole automaton.

use std::collections::BTreeSet;
use std::ops::Range;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, Graph, LocId, WeakOrder};
use thetis_solver::{SolverError, Valuation};

use super::copies::{Copies, CopyId, Entry};

/// The loops of an automaton.
pub(super) struct LoopNest<'g> {
    graph: &'g Graph,
    order: WeakOrder,
    /// The positions of locations in the order.
    places: IndexVec<LocId, usize>,
}

impl<'g> LoopNest<'g> {
    pub(super) fn new(cfa: &Cfa, graph: &'g Graph) -> LoopNest<'g> {
        let order = WeakOrder::new(cfa, graph);
        let mut places: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| 0).collect();
        for (place, location) in order.order.iter().enumerate() {
            places[*location] = place;
        }
        LoopNest { graph, order, places }
    }

    pub(super) fn graph(&self) -> &'g Graph {
        self.graph
    }
}

/// How far an unrolling goes.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// How often a loop that could have been left is entered again.
    pub(super) rounds: u32,
    /// The number of copies after which no loop is entered again.
    pub(super) copies: usize,
}

/// One unrolling, with a bound for the rounds of every loop.
pub(super) struct LoopUnrolling<'t> {
    task: &'t Task<Cfa>,
    nest: &'t LoopNest<'t>,
    bounds: Bounds,
    copies: Copies<'t>,
    /// The entries into copies that are still to be made.
    pending: IndexVec<LocId, Vec<Entry>>,
    /// The copies of error locations.
    errors: Vec<CopyId>,
    /// What is not followed any further.
    cut: Vec<ExprId>,
    /// Whether a run never leaves a loop.
    has_circles: bool,
    /// How many back edges lead to each copy at most.
    rounds: IndexVec<CopyId, u32>,
    /// The furthest target of the edges found since this was reset: it shows whether a loop can be left.
    furthest: usize,
}

impl<'t> LoopUnrolling<'t> {
    /// The unrolling within `bounds`.
    pub(super) fn new(
        task: &'t Task<Cfa>,
        nest: &'t LoopNest<'t>,
        bounds: Bounds,
        run: &Run,
    ) -> Result<LoopUnrolling<'t>, Stop> {
        let pending = task.model.locations.iter().map(|_| Vec::new()).collect();
        let mut unrolling = LoopUnrolling {
            task,
            nest,
            bounds,
            copies: Copies::new(task),
            pending,
            errors: Vec::new(),
            cut: Vec::new(),
            has_circles: false,
            rounds: IndexVec::new(),
            furthest: 0,
        };
        unrolling.unroll(0..nest.order.order.len(), run)?;
        Ok(unrolling)
    }

    /// What has to be asserted of the copies.
    pub(super) fn take_constraints(&mut self) -> Vec<ExprId> {
        self.copies.take_constraints()
    }

    pub(super) fn num_copies(&self) -> u64 {
        self.copies.len() as u64
    }

    /// That control is at an error location.
    pub(super) fn at_error(&self) -> ExprId {
        let store = self.copies.store();
        store.or_all(self.errors.iter().map(|copy| self.copies.get(*copy).at))
    }

    /// That a run goes on beyond the copies.
    pub(super) fn goes_on(&self) -> ExprId {
        self.copies.store().or_all(self.cut.iter().copied())
    }

    /// How many back edges a run takes at most, if constants show that there are no others than those between the copies.
    pub(super) fn num_rounds(&self) -> Option<u32> {
        let is_whole = self.cut.is_empty() && !self.has_circles;
        is_whole.then(|| self.rounds.iter().copied().max().unwrap_or(0))
    }

    /// Whether there was no room for all rounds.
    pub(super) fn is_full(&self) -> bool {
        self.copies.len() >= self.bounds.copies
    }

    /// The run that `valuation` describes, to an error location.
    pub(super) fn trace(&self, valuation: &Valuation<'_>) -> Result<CfaTrace, SolverError> {
        self.copies.trace(self.copies.reached(self.errors.iter().copied(), valuation)?, valuation)
    }

    /// Copies a part of the order once.
    fn unroll(&mut self, range: Range<usize>, run: &Run) -> Result<(), Stop> {
        let mut place = range.start;
        while place < range.end {
            run.checkpoint()?;
            let location = self.nest.order.order[place];
            match self.nest.order.end_of_loop(location) {
                Some(end) => {
                    self.unroll_loop(place..end, run)?;
                    place = end;
                }
                None => {
                    self.add_copy(location);
                    place += 1;
                }
            }
        }
        Ok(())
    }

    /// Copies a loop, whose head comes first, round by round.
    fn unroll_loop(&mut self, range: Range<usize>, run: &Run) -> Result<(), Stop> {
        let head = self.nest.order.order[range.start];
        let outer = std::mem::take(&mut self.furthest);
        let (mut reached, mut num_open) = (0, 0);
        let mut states = BTreeSet::new();
        loop {
            self.furthest = 0;
            if let [only] = &self.pending[head][..]
                && !states.insert(only.state.terms().to_vec())
            {
                // The run goes in circles: it never ends, but it reaches nothing else either.
                self.pending[head].clear();
                self.has_circles = true;
                break;
            }
            self.add_copy(head);
            self.unroll(range.start + 1..range.end, run)?;
            reached = reached.max(self.furthest);
            num_open += u32::from(self.furthest >= range.end);
            if self.pending[head].is_empty() {
                break;
            }
            if num_open > self.bounds.rounds || self.is_full() {
                let entries = std::mem::take(&mut self.pending[head]);
                self.cut.extend(entries.into_iter().map(|entry| entry.taken));
                break;
            }
        }
        self.furthest = outer.max(reached);
        Ok(())
    }

    /// Copies a location if anything leads there, and follows its edges.
    fn add_copy(&mut self, location: LocId) {
        let entries = std::mem::take(&mut self.pending[location]);
        let rounds = entries
            .iter()
            .map(|entry| self.rounds[entry.source] + u32::from(self.nest.graph.is_back(entry.edge)));
        let rounds = rounds.max().unwrap_or(0);
        let is_start = location == self.task.model.initial && self.copies.len() == 0;
        let copy = if is_start { Some(self.copies.start(1)) } else { self.copies.enter(entries) };
        let Some(copy) = copy else { return };
        self.rounds.push(rounds);
        if self.task.model.errors.contains(&location) {
            self.errors.push(copy);
            return;
        }
        for edge in self.nest.graph.outgoing(location).to_vec() {
            let Some(entry) = self.copies.follow(copy, edge) else { continue };
            let target = self.task.model.edges[edge].target;
            self.furthest = self.furthest.max(self.nest.places[target]);
            self.pending[target].push(entry);
        }
    }
}
