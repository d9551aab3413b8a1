//! Runs and proofs of networks.
//!
//! A run fixes every delay. Times are exact: all of them are whole numbers of *ticks*, and a trace says how many ticks make
//! one time unit.
//!
//! A run that never ends has a finite part with exact times, and then either stays where it is or repeats a cycle of moves. The
//! delays of a cycle may differ from round to round (they may become shorter and shorter), so it is described by *recurrent
//! zones*: from every state of one zone, some delay and the move lead into the next one.
//!
//! A proof is a set of symbolic states that contains the initial one, is closed under moves and delays, and contains no bad state.
//! Symbolic states with the same discrete state form a [`ZoneGroup`]. A proof of liveness also has symbolic states with *ranks* for
//! the relevant part of the runs: every move leads to a lower rank, and no maximal run ends there. Zones may also be compared up to
//! *bounds* of the clocks: a zone then covers every state that one of its own states simulates. The discrete states of a proof need
//! not give the values of all variables, see [`Discrete::UNKNOWN`](super::Discrete::UNKNOWN). Symbolic states may stand for all
//! permutations of equal processes, see [`symmetry`](super::symmetry). A proof of extreme values also has, for each value, a
//! sequence of moves whose last zone has that value as its bound.

use super::extrema::Extremum;
use super::symmetry::Symmetry;
use super::{ClockId, Discrete, LiveVariables, Participants};

/// A run to a state that satisfies the target, or one that never ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XtaTrace {
    /// How many ticks make one time unit; at least one.
    pub ticks_per_unit: u64,
    /// The moves, each after its delay.
    pub steps: Vec<TimedStep>,
    /// The delay after the last move, in ticks.
    pub last_delay: u64,
    /// How the run goes on for ever, if it has to.
    pub forever: Option<Forever>,
}

/// How a run goes on after its last state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forever {
    /// After how many moves, and how many ticks later, the relevant part of the run begins.
    pub since: (usize, u64),
    /// What happens at the end.
    pub course: Course,
}

/// What happens at the end of an endless run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Course {
    /// No further move.
    Stay,
    /// These moves, over and over.
    Repeat(Vec<RepeatedMove>),
}

/// A move of a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatedMove {
    /// The one zone from whose states the move leads into the next one, after some delay.
    pub from: ZoneGroup,
    /// The edges that are taken.
    pub participants: Participants,
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
    /// The part of the runs that matters for a question about liveness.
    pub descent: Vec<RankedGroup>,
    /// The values that were asked for, in the order of the question.
    pub extrema: Vec<Extremum>,
    /// For each group, the bounds of its clocks up to which zones are compared. Empty if zones contain all that they cover.
    pub simulation: Vec<Vec<ClockBounds>>,
    /// The variables whose values the discrete states always give, ascending; of others they give those on which
    /// something there depends. `None`: they give all values.
    pub tracked: Option<Vec<u32>>,
    /// The variables whose values the discrete states give, by location; `None` if they give all. Not together with `tracked`.
    pub live: Option<LiveVariables>,
    /// What may be exchanged: the symbolic states stand for all permutations of these units as well.
    pub symmetries: Vec<Symmetry>,
}

/// The constants beyond which the exact value of a clock does not matter any more.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClockBounds {
    /// The largest constant that some lower bound compares it with; `None` if there is no such bound.
    pub lower: Option<i32>,
    /// The largest constant that some upper bound compares it with.
    pub upper: Option<i32>,
}

/// Symbolic states whose moves lead to lower ranks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedGroup {
    /// The symbolic states.
    pub group: ZoneGroup,
    /// The rank of each.
    pub ranks: Vec<u32>,
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
