//! Proof obligations: cubes that lead to a bad step and have to be excluded from a frame.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cube::Cube;

/// A place in [`Obligations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObligationId(u32);

/// A cube all states of which take a step into the next cube, or a bad step, with the given inputs.
pub(crate) struct Obligation {
    pub(crate) cube: Cube,
    pub(crate) inputs: Vec<bool>,
    /// Where the step leads; `None` if it is bad.
    pub(crate) next: Option<ObligationId>,
}

/// All obligations of one bad cube, and the order in which they are processed: lower frames first, and within a frame
/// the youngest first.
#[derive(Default)]
pub(crate) struct Obligations {
    all: Vec<Obligation>,
    queue: BinaryHeap<(Reverse<usize>, ObligationId)>,
}

impl Obligations {
    pub(crate) fn add(&mut self, obligation: Obligation) -> ObligationId {
        self.all.push(obligation);
        ObligationId(self.all.len() as u32 - 1)
    }

    /// Schedules the obligation for `frame`.
    pub(crate) fn enqueue(&mut self, frame: usize, id: ObligationId) {
        self.queue.push((Reverse(frame), id));
    }

    pub(crate) fn pop(&mut self) -> Option<(usize, ObligationId)> {
        self.queue.pop().map(|(Reverse(frame), id)| (frame, id))
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id.0 as usize]
    }
}
