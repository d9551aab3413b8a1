//! Networks of timed automata with data, as in UPPAAL.
//!
//! A [`Network`] is a model after instantiation: processes with locations and edges over one set of bounded integers,
//! clocks and channels. Arrays and structures are flattened into cells, `select` labels into one edge for each value. A
//! state is a [`Discrete`] state (the cells and the location of every process) and a value for every clock.
//!
//! # Meaning
//! * **Delay**: all clocks advance alike while the invariants of all locations hold. Time stands still in a committed or
//!   urgent location, and while a synchronisation on an urgent channel is possible, judged by guards alone.
//! * **Moves** ([`Moves`]): an internal edge; a sender and one receiver of a binary channel; a sender and *all* processes
//!   with an enabled receiving edge of a broadcast channel; or one edge of every process that declares a channel of a
//!   model in the style of CSP. Guards are evaluated before any update, the sender updates first and the receivers
//!   follow in the order of the `system` line, and the target's invariants must hold afterwards. While some location is
//!   committed, a move must leave one. With [`Priorities`] a move is possible only where none of a higher priority is.
//! * **Run-time errors**: leaving the range of a variable, an index outside of its array, division by zero and the like
//!   end UPPAAL's verification. They are a [`RuntimeError`] here, and no proof may leave one reachable.

mod constraint;
mod data;
mod dot;
mod evaluate;
mod evidence;
mod extrema;
mod interpreter;
mod live;
mod moves;
mod partial;
mod priority;
mod property;
pub mod symmetry;
mod to_cfa;
mod zones_of;

use thetis_base::{IndexVec, Span, define_index_type};

use crate::Model;

pub use constraint::{ClockAtom, ClockRef, Difference, Guard, Relation};
pub use data::{
    Argument, Assign, Base, BinaryOp, Copied, DataExpr, DataStmt, Function, FunctionId, Index, Place,
    UnaryOp, Update, Yields,
};
pub use dot::dot;
pub use evaluate::{ClockEffect, Machine, RuntimeError};
pub use evidence::{
    ClockBounds, Course, Forever, RankedGroup, RepeatedMove, TimedStep, XtaProof, XtaTrace, ZoneGroup,
};
pub use extrema::{Extrema, Extreme, ExtremeValue, Extremum, Measure, MeasureKind};
pub use interpreter::{Replay, ReplayError, TimedState};
pub use live::{LiveMasks, LiveVariables, LiveView};
pub use moves::{Move, Moves, Participants, Situation};
pub use priority::Priorities;
pub use property::{Endless, Formula, TargetCase, XtaProperty, XtaQuestion};
pub use symmetry::{Symmetry, Unit};
pub use to_cfa::ToCfa;

define_index_type! {
    /// A process of a [`Network`].
    pub struct ProcessId = u32;
}

define_index_type! {
    /// A location of a process.
    pub struct LocationId = u32;
}

define_index_type! {
    /// An edge of a process.
    pub struct EdgeId = u32;
}

define_index_type! {
    /// A clock of a [`Network`].
    pub struct ClockId = u32;
}

define_index_type! {
    /// A channel of a [`Network`].
    pub struct ChannelId = u32;
}

/// A network of timed automata.
#[derive(Clone, Default, Debug)]
pub struct Network {
    /// The cells of all variables; a state has one value for each.
    pub variables: Vec<Variable>,
    /// The cells of constant arrays and structures.
    pub constants: Vec<i32>,
    /// The functions.
    pub functions: IndexVec<FunctionId, Function>,
    /// The clocks.
    pub clocks: IndexVec<ClockId, Clock>,
    /// The channels.
    pub channels: IndexVec<ChannelId, Channel>,
    /// The processes, in the order of the `system` line.
    pub processes: IndexVec<ProcessId, Process>,
    /// Which moves come before others, if some do.
    pub priorities: Option<Priorities>,
    /// What every move executes before the updates of its edges.
    pub before_update: Vec<DataStmt>,
    /// What every move executes after the updates of its edges.
    pub after_update: Vec<DataStmt>,
}

/// A cell: an integer variable or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name, with the process and the indices if there are any.
    pub name: String,
    /// The value at the start.
    pub initial: i32,
    /// The range, which no update leaves.
    pub range: (i32, i32),
}

/// A clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The name, with the process and the indices if there are any.
    pub name: String,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The name, with the process and the indices if there are any.
    pub name: String,
    /// Who takes part in a synchronisation.
    pub kind: ChannelKind,
    /// Whether time stands still while a synchronisation is possible.
    pub is_urgent: bool,
}

/// Who takes part in a synchronisation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChannelKind {
    /// One sender and one receiver.
    Binary,
    /// One sender and everyone who can receive.
    Broadcast,
    /// One edge of each of these processes, ascending.
    Joint(Vec<ProcessId>),
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The name by which queries mention it.
    pub name: String,
    /// The locations; at least one.
    pub locations: IndexVec<LocationId, Location>,
    /// Where it starts.
    pub initial: LocationId,
    /// The edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// The edges that leave each location, ascending.
    pub outgoing: IndexVec<LocationId, Vec<EdgeId>>,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// The name.
    pub name: String,
    /// What must hold while the process is here.
    pub invariant: Guard,
    /// Whether time may pass here.
    pub urgency: Urgency,
}

/// Whether time may pass in a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// It may.
    None,
    /// It may not.
    Urgent,
    /// It may not, and the next move must leave a committed location.
    Committed,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// When it may be taken.
    pub guard: Guard,
    /// With whom.
    pub sync: Sync,
    /// What it changes.
    pub update: Vec<DataStmt>,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// With whom an edge is taken.
#[derive(Clone, Debug)]
pub enum Sync {
    /// Alone.
    Internal,
    /// As the sender on a channel.
    Send(ChannelRef),
    /// As a receiver.
    Receive(ChannelRef),
    /// Together with the members of a [`ChannelKind::Joint`] channel.
    Join(ChannelRef),
    /// Never: a joint channel that the process does not declare.
    Blocked,
}

/// A channel, or a cell of an array of channels.
#[derive(Clone, Debug)]
pub struct ChannelRef {
    /// The first cell.
    pub base: ChannelId,
    /// Which cell.
    pub indices: Vec<Index>,
}

/// The values of variables and the locations of all processes. Variables may be [unknown](Discrete::UNKNOWN); the state then stands
/// for several.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Discrete(pub(crate) Box<[i32]>);

impl Model for Network {
    type Property = XtaProperty;
    type Trace = XtaTrace;
    type Proof = XtaProof;
}

impl ChannelRef {
    /// The number of the channel, or of the first one of an array; `None` if it depends on data.
    pub fn cell(&self) -> Option<usize> {
        let offset: Option<usize> = self.indices.iter().map(Index::known_offset).sum();
        Some(self.base.index() + offset?)
    }
}

impl Process {
    /// A process whose outgoing edges are found here.
    pub fn new(
        name: String,
        locations: IndexVec<LocationId, Location>,
        initial: LocationId,
        edges: IndexVec<EdgeId, Edge>,
    ) -> Process {
        let mut outgoing: IndexVec<LocationId, Vec<EdgeId>> = locations.iter().map(|_| Vec::new()).collect();
        for (id, edge) in edges.iter_enumerated() {
            outgoing[edge.source].push(id);
        }
        Process { name, locations, initial, edges, outgoing }
    }
}

impl Network {
    /// The state at the start; all clocks are zero.
    pub fn initial(&self) -> Discrete {
        let cells = self.variables.iter().map(|variable| variable.initial);
        let locations = self.processes.iter().map(|process| process.initial.index() as i32);
        Discrete(cells.chain(locations).collect())
    }

    /// A state made of cells and locations; `None` if their numbers do not fit the network or a location does not exist.
    pub fn state(&self, cells: &[i32], locations: &[u32]) -> Option<Discrete> {
        let fits = cells.len() == self.variables.len() && locations.len() == self.processes.len();
        let mut pairs = locations.iter().zip(&self.processes);
        let exist = pairs.all(|(location, process)| (*location as usize) < process.locations.len());
        let all = cells.iter().copied().chain(locations.iter().map(|location| *location as i32));
        (fits && exist).then(|| Discrete(all.collect()))
    }

    /// The values of the variables in `state`.
    pub fn cells<'s>(&self, state: &'s Discrete) -> &'s [i32] {
        &state.0[..self.variables.len()]
    }

    /// Where `process` is in `state`.
    pub fn location(&self, state: &Discrete, process: ProcessId) -> LocationId {
        LocationId::from(state.0[self.variables.len() + process.index()] as usize)
    }

    /// The processes with their locations in `state`.
    pub fn locations(&self, state: &Discrete) -> impl Iterator<Item = (ProcessId, LocationId)> + use<'_> {
        let numbers: Vec<i32> = state.0[self.variables.len()..].to_vec();
        numbers
            .into_iter()
            .enumerate()
            .map(|(process, location)| (ProcessId::from(process), LocationId::from(location as usize)))
    }

    /// Whether `state` has the shape of a state of this network.
    pub fn has_state(&self, state: &Discrete) -> bool {
        state.0.len() == self.variables.len() + self.processes.len()
            && self
                .locations(state)
                .all(|(process, location)| location.index() < self.processes[process].locations.len())
    }
}
