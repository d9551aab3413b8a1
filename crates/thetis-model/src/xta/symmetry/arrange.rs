//! Which state of an orbit represents it.
//!
//! Units are sorted by their discrete part: locations, variables, and which pointers refer to them. Units that are still equal are
//! sorted by their clocks, with keys that do not depend on the order in which the units stand: bounds, and sums of bounds over all
//! clocks. Clocks that were reset one after the other differ in these sums. Units whose keys are still equal may nevertheless
//! differ; the search then has several representatives of one orbit.

use smallvec::SmallVec;

use super::{Arrangement, Symmetry};
use crate::xta::{ClockId, Discrete, Network};

/// The bound of the difference of two rows of a matrix: `2b` for `< b`, `2b + 1` for `<= b`, and [`Entry::MAX`] for none.
pub type Entry = i64;

/// What a unit looks like, whatever its place is.
type Key = SmallVec<[i32; 12]>;

/// Units of a discrete state that are equal except for their clocks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ties {
    runs: Vec<Run>,
}

/// Equal units next to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    symmetry: usize,
    first: usize,
    /// The rows of the clocks of each unit.
    rows: Vec<Vec<usize>>,
}

impl Symmetry {
    /// The order in which the units of `state` should be; `None` if they are in that order.
    fn order(&self, network: &Network, state: &Discrete) -> Option<Vec<u16>> {
        let keys: Vec<Key> = (0..self.units.len()).map(|unit| self.key(network, state, unit)).collect();
        if keys.is_sorted() {
            return None;
        }
        let mut order: Vec<u16> = (0..self.units.len() as u16).collect();
        order.sort_by(|one, other| keys[usize::from(*one)].cmp(&keys[usize::from(*other)]));
        Some(order)
    }

    fn key(&self, network: &Network, state: &Discrete, number: usize) -> Key {
        let unit = &self.units[number];
        let first = network.variables.len();
        let mut key: Key = unit.processes.iter().map(|process| state.0[first + process.index()]).collect();
        for cell in &unit.cells {
            let value = state.0[*cell as usize];
            let referred = if self.is_pointer(*cell) { self.unit_of(value) } else { None };
            // Which unit a pointer refers to depends on the order; whether it is this one does not.
            key.push(match referred {
                Some(unit) if unit == number => i32::MAX - 1,
                Some(_) => i32::MAX,
                None => value,
            });
        }
        let refers = |pointer: &u32| state.0[*pointer as usize];
        key.extend(self.pointers.iter().map(|pointer| i32::from(unit.value == Some(refers(pointer)))));
        key
    }

    /// Whether exchanging a unit with the next one changes nothing in `state`.
    fn is_tie(&self, network: &Network, state: &Discrete, unit: usize) -> bool {
        let mut order: Vec<u16> = (0..self.units.len() as u16).collect();
        order.swap(unit, unit + 1);
        self.applied(network, &order, state) == *state
    }
}

impl Network {
    /// How the units of `state` should be arranged; `None` if they are.
    pub fn arrangement(&self, symmetries: &[Symmetry], state: &Discrete) -> Option<Arrangement> {
        let orders: Vec<_> = symmetries.iter().map(|symmetry| symmetry.order(self, state)).collect();
        if orders.iter().all(Option::is_none) {
            return None;
        }
        let or_same = |(order, symmetry): (Option<Vec<u16>>, &Symmetry)| {
            order.unwrap_or_else(|| (0..symmetry.units.len() as u16).collect())
        };
        Some(orders.into_iter().zip(symmetries).map(or_same).collect())
    }

    /// The units of `state` that are equal except for their clocks; row `i + 1` of matrices is the clock
    /// `clocks[i]`.
    pub fn ties(&self, symmetries: &[Symmetry], state: &Discrete, clocks: &[ClockId]) -> Ties {
        let mut ties = Ties::default();
        for (number, symmetry) in symmetries.iter().enumerate() {
            let rows = |unit: usize| -> Option<Vec<usize>> {
                let row = |clock: &ClockId| clocks.binary_search(clock).ok().map(|at| at + 1);
                symmetry.units[unit].clocks.iter().map(row).filter(Option::is_some).collect()
            };
            let is_same = |unit: usize| {
                let active = |unit: usize| {
                    let clocks_of = symmetry.units[unit].clocks.iter();
                    clocks_of.map(|clock| clocks.binary_search(clock).is_ok()).collect::<Vec<bool>>()
                };
                active(unit) == active(unit + 1) && symmetry.is_tie(self, state, unit)
            };
            let mut first = 0;
            while first < symmetry.units.len() {
                let last = (first..symmetry.units.len() - 1).find(|unit| !is_same(*unit));
                let end = last.map_or(symmetry.units.len(), |last| last + 1);
                let rows: Option<Vec<Vec<usize>>> = (first..end).map(rows).collect();
                let rows = rows.unwrap_or_default();
                if rows.len() > 1 && !rows[0].is_empty() {
                    ties.runs.push(Run { symmetry: number, first, rows });
                }
                first = end;
            }
        }
        ties
    }
}

impl Ties {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// For each row of a matrix of `size` rows, from which row it should come so that equal units are sorted by their clocks; `None` if
    /// nothing changes.
    pub fn rows(&self, size: usize, entry: impl Fn(usize, usize) -> Entry) -> Option<Vec<usize>> {
        let mut rows: Option<Vec<usize>> = None;
        for run in &self.runs {
            let Some(order) = run.order(size, &entry) else { continue };
            let rows = rows.get_or_insert_with(|| (0..size).collect());
            for (to, from) in run.rows.iter().zip(order) {
                to.iter().zip(&run.rows[from]).for_each(|(to, from)| rows[*to] = *from);
            }
        }
        rows
    }

    /// The arrangement of all units that [`rows`](Ties::rows) belong to.
    pub fn arrangement(&self, symmetries: &[Symmetry], rows: &[usize]) -> Arrangement {
        let mut arrangement = super::identity(symmetries);
        for run in &self.runs {
            for (place, to) in run.rows.iter().enumerate() {
                let from = run.rows.iter().position(|from| from[0] == rows[to[0]]);
                let from = from.expect("equal units should be exchanged among each other");
                arrangement[run.symmetry][run.first + place] = (run.first + from) as u16;
            }
        }
        arrangement
    }
}

impl Run {
    /// The order of the units by their clocks; `None` if they stand in it.
    fn order(&self, size: usize, entry: &impl Fn(usize, usize) -> Entry) -> Option<Vec<usize>> {
        let bounded = |entry: Entry| entry.min(Entry::from(i32::MAX));
        let key = |rows: &Vec<usize>| -> SmallVec<[Entry; 4]> {
            let mut key = SmallVec::new();
            for row in rows {
                let sum: Entry = (0..size).map(|other| bounded(entry(*row, other))).sum();
                let back: Entry = (0..size).map(|other| bounded(entry(other, *row))).sum();
                key.extend([bounded(entry(*row, 0)), bounded(entry(0, *row)), sum, back]);
            }
            key
        };
        let keys: SmallVec<[SmallVec<[Entry; 4]>; 12]> = self.rows.iter().map(key).collect();
        if keys.is_sorted() {
            return None;
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|one, other| keys[*one].cmp(&keys[*other]));
        Some(order)
    }
}
