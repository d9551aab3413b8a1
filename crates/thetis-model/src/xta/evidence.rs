//! Runs and proofs of networks.
//!
//! A run fixes every delay. Times are exact: all of them are whole numbers of *ticks*, and a trace says how many ticks make
//! one time unit.
//!
//! A proof is a set of symbolic states that contains the initial one, that no move and no delay leaves, and that contains no
//! bad state. Symbolic states with the same discrete state stand together in a [`ZoneGroup`].

use super::{ClockId, Discrete, Participants};

/// A run to a state that satisfies the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XtaTrace {
    /// How many ticks make one time unit; at least one.
    pub ticks_per_unit: u64,
    /// The moves, each after its delay.
    pub steps: Vec<TimedStep>,
    /// The delay after the last move, in ticks.
    pub last_delay: u64,
}

/// A delay, then a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedStep {
    /// The delay in ticks.
    pub delay: u64,
    /// The edges that are taken, the sender first.
    pub participants: Participants,
}

/// A set of symbolic states that the network does not leave.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct XtaProof {
    /// The symbolic states.
    pub groups: Vec<ZoneGroup>,
}

/// Symbolic states with the same discrete state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneGroup {
    /// The discrete state.
    pub state: Discrete,
    /// The clocks that the zones constrain, ascending; others may have any value.
    pub clocks: Vec<ClockId>,
    /// The zones one after the other. With `n` clocks each is a matrix of `n + 1` rows and columns, row by row; row and column 0
    /// stand for zero. An entry bounds the clock of the row minus the clock of the column: `2b` means `< b`, `2b + 1` means
    /// `<= b`, and [`ZoneGroup::UNBOUNDED`] nothing.
    pub zones: Vec<i32>,
}

impl ZoneGroup {
    /// The entry that bounds nothing.
    pub const UNBOUNDED: i32 = i32::MAX;

    /// How many entries a zone has.
    pub fn zone_len(&self) -> usize {
        (self.clocks.len() + 1) * (self.clocks.len() + 1)
    }

    /// How many zones there are.
    pub fn num_zones(&self) -> usize {
        self.zones.len() / self.zone_len()
    }
}

impl XtaProof {
    /// How many symbolic states there are.
    pub fn num_zones(&self) -> usize {
        self.groups.iter().map(ZoneGroup::num_zones).sum()
    }
}
