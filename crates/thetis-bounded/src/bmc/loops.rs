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
//! bound, because of constants or because the solver says so, the unrolling is the whole automaton, and if it has no run to an error there is
//! none. The checker unrolls loops in the same way, from the greatest number of rounds alone.

use std::collections::BTreeSet;
use std::ops::Range;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::ExprId;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace, CfaUnwinding, Graph, LocId, WeakOrder};
use thetis_model::{Evidence, Reason, Task, Verdict};
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
    /// How often a loop is entered again at most.
    most_rounds: u32,
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
            most_rounds: 0,
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

    /// The answer if no run within the bounds is at an error location and none goes on. Runs in circles have no proof.
    pub(super) fn end(&self) -> Verdict<Cfa> {
        match self.has_circles {
            true => Verdict::Unknown(Reason::Bound(self.bounds.rounds)),
            false => {
                let proof = CfaProof::Unwinding(CfaUnwinding::loop_by_loop(self.most_rounds));
                Verdict::Safe(Evidence::Given(proof))
            }
        }
    }

    /// Whether rounds are missing for which there was no room.
    pub(super) fn is_full(&self) -> bool {
        self.has_no_room() && !self.cut.is_empty()
    }

    fn has_no_room(&self) -> bool {
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
        let (mut reached, mut num_open, mut num_rounds) = (0, 0, 0);
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
            if num_open > self.bounds.rounds || self.has_no_room() {
                let entries = std::mem::take(&mut self.pending[head]);
                self.cut.extend(entries.into_iter().map(|entry| entry.taken));
                break;
            }
            num_rounds += 1;
        }
        self.most_rounds = self.most_rounds.max(num_rounds);
        self.furthest = outer.max(reached);
        Ok(())
    }

    /// Copies a location if anything leads there, and follows its edges.
    fn add_copy(&mut self, location: LocId) {
        let entries = std::mem::take(&mut self.pending[location]);
        let is_start = location == self.task.model.initial && self.copies.len() == 0;
        let copy = if is_start { Some(self.copies.start(1)) } else { self.copies.enter(entries) };
        let Some(copy) = copy else { return };
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
