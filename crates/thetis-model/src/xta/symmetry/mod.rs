//! Processes that can be exchanged without changing the network.
//!
//! # Problem
//! `n` equal processes give up to `n!` states that differ only by a permutation of the processes. If exchanging two processes is an
//! automorphism of the network, that is, maps its runs to runs, one state of each such orbit is enough (Hendriks, Behrmann, Larsen,
//! Niebert and Vaandrager, *Adding Symmetry Reduction to UPPAAL*, 2003).
//!
//! # What is exchanged
//! A [`Unit`] is a process with everything that belongs to it: its cells, clocks and channels, also its elements of arrays, and the *value* by
//! which variables refer to it. A [`Symmetry`] lists units that may be permuted at will, and the *pointers*: the variables whose values are
//! exchanged with the units. UPPAAL's scalar sets are a type for this; here it is a property of the flattened network, so that models that use
//! ranges of integers as identifiers benefit, too.
//!
//! # Who verifies what
//! [`Network::has_symmetry`] accepts a symmetry iff every exchange of neighbouring units maps the network to itself ([`exchange`], [`automorphism`]).
//! These exchanges generate all permutations, so afterwards any permutation may be applied to any state. Which one is applied
//! ([`arrange`]) is a matter of efficiency only: one that does not find the best representative of an orbit costs states, not soundness.

mod arrange;
mod automorphism;
mod exchange;
mod normal;

use super::{ChannelId, ClockId, Discrete, Formula, Network, ProcessId};

pub use arrange::{Entry, Ties};

/// Units that may be permuted at will.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Symmetry {
    /// The units. Their lists have equal lengths, and items at the same position correspond to each other.
    pub units: Vec<Unit>,
    /// The variables that may hold the value of a unit.
    pub pointers: Vec<u32>,
}

/// A process with everything that belongs to it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Unit {
    /// The process; several if they belong together.
    pub processes: Vec<ProcessId>,
    /// Its variables.
    pub cells: Vec<u32>,
    /// Its clocks.
    pub clocks: Vec<ClockId>,
    /// Its channels.
    pub channels: Vec<ChannelId>,
    /// The value by which pointers refer to it.
    pub value: Option<i32>,
}

/// For each symmetry, the unit that each unit takes the place of: what is in place `j` afterwards was in place `order[j]` before.
pub type Arrangement = Vec<Vec<u16>>;

impl Network {
    /// Whether every permutation of the units of `symmetry` maps the network to itself.
    pub fn has_symmetry(&self, symmetry: &Symmetry) -> bool {
        automorphism::has_shape(self, symmetry)
            && automorphism::updates_commute(self, symmetry)
            && automorphism::Forms::new(self).is_some_and(|forms| {
                (1..symmetry.units.len()).all(|unit| forms.are_kept(self, symmetry, (unit - 1, unit)))
            })
    }

    /// Whether the symmetries exchange different things, so that they can be applied independently of each other.
    pub fn are_independent(symmetries: &[Symmetry]) -> bool {
        automorphism::are_independent(symmetries)
    }

    /// The formulas that `formula` becomes by permutations, each with one that makes it. `None` if there are more than `limit`, or if a
    /// permutation cannot be applied to it.
    pub fn orbit(
        &self,
        symmetries: &[Symmetry],
        formula: &Formula,
        limit: usize,
    ) -> Option<Vec<(Formula, Arrangement)>> {
        automorphism::orbit(self, symmetries, formula, limit)
    }

    /// `state` after an arrangement.
    pub fn arranged(&self, symmetries: &[Symmetry], arrangement: &[Vec<u16>], state: &Discrete) -> Discrete {
        let mut next = state.clone();
        for (symmetry, order) in symmetries.iter().zip(arrangement) {
            next = symmetry.applied(self, order, &next);
        }
        next
    }
}

/// The arrangement that changes nothing.
pub fn identity(symmetries: &[Symmetry]) -> Arrangement {
    symmetries.iter().map(|symmetry| (0..symmetry.units.len() as u16).collect()).collect()
}

/// `first`, and `second` afterwards.
pub fn composed(first: &[Vec<u16>], second: &[Vec<u16>]) -> Arrangement {
    let both = first.iter().zip(second);
    both.map(|(first, second)| second.iter().map(|place| first[usize::from(*place)]).collect()).collect()
}

/// What undoes an arrangement.
pub fn inverse(arrangement: &[Vec<u16>]) -> Arrangement {
    let inverted = |order: &Vec<u16>| {
        let mut inverted = vec![0; order.len()];
        for (place, unit) in order.iter().enumerate() {
            inverted[usize::from(*unit)] = place as u16;
        }
        inverted
    };
    arrangement.iter().map(inverted).collect()
}

/// The clock whose value `clock` takes over by an arrangement.
pub fn source_of(symmetries: &[Symmetry], arrangement: &[Vec<u16>], clock: ClockId) -> ClockId {
    for (symmetry, order) in symmetries.iter().zip(arrangement) {
        for (unit, from) in symmetry.units.iter().zip(order) {
            if let Some(at) = unit.clocks.iter().position(|own| *own == clock) {
                return symmetry.units[usize::from(*from)].clocks[at];
            }
        }
    }
    clock
}

impl Symmetry {
    fn is_pointer(&self, cell: u32) -> bool {
        self.pointers.contains(&cell)
    }

    /// The unit with this value.
    fn unit_of(&self, value: i32) -> Option<usize> {
        self.units.iter().position(|unit| unit.value == Some(value))
    }

    fn applied(&self, network: &Network, order: &[u16], state: &Discrete) -> Discrete {
        let mut next = state.clone();
        let first = network.variables.len();
        for (unit, from) in self.units.iter().zip(order) {
            let from = &self.units[usize::from(*from)];
            for (to, from) in unit.cells.iter().zip(&from.cells) {
                next.0[*to as usize] = state.0[*from as usize];
            }
            for (to, from) in unit.processes.iter().zip(&from.processes) {
                next.0[first + to.index()] = state.0[first + from.index()];
            }
        }
        for pointer in &self.pointers {
            let value = &mut next.0[*pointer as usize];
            if let Some(unit) = self.unit_of(*value)
                && let Some(place) = order.iter().position(|from| usize::from(*from) == unit)
                && let Some(renamed) = self.units[place].value
            {
                *value = renamed;
            }
        }
        next
    }
}
