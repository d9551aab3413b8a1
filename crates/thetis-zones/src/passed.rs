//! The zones that a search has stored for one discrete state.
//!
//! # Two forms
//! A canonical matrix has many entries that follow from others. The *minimal form* keeps a smallest set of them from which closing restores
//! all (Larsen, Larsson, Pettersson and Yi 1997). Rows whose clocks have a fixed distance are chained in a circle; between circles, an
//! entry is dropped if the path through a third row is not longer. A matrix has quadratically many entries; rarely are more than two kept
//! for each clock.
//!
//! The kept entries alone decide whether a matrix is included in a zone of minimal form. In the other direction, a kept entry usually
//! shows that a stored zone is not included in a new matrix; only otherwise is the whole matrix restored.

use smallvec::SmallVec;

use crate::bounds::{Bounds, NONE};
use crate::dbm::{Dbm, UNBOUNDED, ZERO, bound, is_included, sum};

/// How zones are stored and compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Comparison<'b> {
    /// Zones of minimal form contain what they cover.
    Minimal,
    /// Matrices contain what they cover.
    Full,
    /// Matrices simulate what they cover, up to the bounds of the clocks.
    Simulation(&'b [Bounds]),
}

/// The stored zones of a group, each with its node.
#[derive(Default)]
pub(crate) struct Passed {
    /// Matrices one after the other, row by row.
    matrices: Vec<i32>,
    /// Zones of minimal form, instead of matrices. An entry is its place, which is row and column in one number, and its bound.
    forms: Vec<Box<[i32]>>,
    nodes: Vec<u32>,
}

impl Passed {
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The memory of the zones.
    pub(crate) fn bytes(&self) -> usize {
        let form = |form: &[i32]| size_of::<Box<[i32]>>() + size_of_val(form);
        let forms: usize = self.forms.iter().map(|stored| form(stored)).sum();
        forms + size_of_val(self.matrices.as_slice()) + size_of_val(self.nodes.as_slice())
    }

    /// The entries of the matrices of the stored zones, which have `dim` rows, one after the other.
    pub(crate) fn entries(&self, dim: usize) -> Vec<i32> {
        let forms = self.forms.iter().flat_map(|form| restored(form, dim).cells().to_vec());
        self.matrices.iter().copied().chain(forms).collect()
    }

    /// The same when the zones are not needed any more.
    pub(crate) fn into_entries(self, dim: usize) -> Vec<i32> {
        if self.forms.is_empty() { self.matrices } else { self.entries(dim) }
    }

    /// Adds a zone, unless a stored one covers it, and drops those that it covers after showing their nodes to `replaced`. `false` if
    /// it is covered.
    pub(crate) fn insert(
        &mut self,
        zone: &Dbm,
        node: u32,
        comparison: Comparison<'_>,
        replaced: impl FnMut(u32),
    ) -> bool {
        let is_new = match comparison {
            Comparison::Minimal => self.insert_form(zone, comparison, replaced),
            Comparison::Full | Comparison::Simulation(_) => self.insert_matrix(zone, comparison, replaced),
        };
        if is_new {
            self.nodes.push(node);
        }
        is_new
    }

    fn insert_form(&mut self, zone: &Dbm, comparison: Comparison<'_>, mut replaced: impl FnMut(u32)) -> bool {
        if self.forms.iter().any(|old| is_covered(zone, old, comparison)) {
            return false;
        }
        let mut at = 0;
        while at < self.nodes.len() {
            if covers(zone, &self.forms[at], comparison) {
                self.forms.swap_remove(at);
                replaced(self.nodes.swap_remove(at));
            } else {
                at += 1;
            }
        }
        self.forms.push(minimal(zone));
        true
    }

    fn insert_matrix(
        &mut self,
        zone: &Dbm,
        comparison: Comparison<'_>,
        mut replaced: impl FnMut(u32),
    ) -> bool {
        let size = zone.cells().len();
        if self.matrices.chunks_exact(size).any(|old| is_covered(zone, old, comparison)) {
            return false;
        }
        let mut at = 0;
        while at < self.nodes.len() {
            if covers(zone, &self.matrices[at * size..(at + 1) * size], comparison) {
                let last = (self.nodes.len() - 1) * size;
                self.matrices.copy_within(last.., at * size);
                self.matrices.truncate(last);
                replaced(self.nodes.swap_remove(at));
            } else {
                at += 1;
            }
        }
        // Most groups have one zone only.
        if self.matrices.is_empty() {
            self.matrices.reserve_exact(size);
        }
        self.matrices.extend_from_slice(zone.cells());
        true
    }
}

/// Whether the stored zone `old` covers `zone`.
fn is_covered(zone: &Dbm, old: &[i32], comparison: Comparison<'_>) -> bool {
    match comparison {
        Comparison::Minimal => kept(old).all(|(row, column, bound)| zone.get(row, column) <= bound),
        Comparison::Full => is_included(zone.cells(), old),
        Comparison::Simulation(bounds) => is_simulated(zone.cells(), old, bounds),
    }
}

/// Whether `zone` covers the stored zone `old`.
fn covers(zone: &Dbm, old: &[i32], comparison: Comparison<'_>) -> bool {
    match comparison {
        Comparison::Minimal => {
            kept(old).all(|(row, column, bound)| bound <= zone.get(row, column))
                && is_included(restored(old, zone.dim()).cells(), zone.cells())
        }
        Comparison::Full => is_included(old, zone.cells()),
        Comparison::Simulation(bounds) => is_simulated(old, zone.cells(), bounds),
    }
}

/// The entries of a zone of minimal form: row, column, bound.
fn kept(zone: &[i32]) -> impl Iterator<Item = (usize, usize, i32)> + use<'_> {
    zone.chunks_exact(2).map(|entry| ((entry[0] >> 16) as usize, (entry[0] & 0xffff) as usize, entry[1]))
}

/// The entries of a canonical matrix from which all others follow. Those that hold for all values are left out too.
fn minimal(zone: &Dbm) -> Box<[i32]> {
    let dim = zone.dim();
    let mut list: Vec<i32> = Vec::with_capacity(4 * dim);
    let mut keep = |row: usize, column: usize| {
        list.extend([((row << 16) | column) as i32, zone.get(row, column)]);
    };
    // The first row of the circle of each row.
    let mut first: SmallVec<[usize; 32]> = SmallVec::new();
    for row in 0..dim {
        let is_fixed = |other: &usize| sum(zone.get(row, *other), zone.get(*other, row)) == ZERO;
        let known = (0..row).find(|other| first[*other] == *other && is_fixed(other));
        first.push(known.unwrap_or(row));
    }
    let leaders: SmallVec<[usize; 32]> = (0..dim).filter(|row| first[*row] == *row).collect();
    for leader in &leaders {
        let mut last = *leader;
        for row in (leader + 1..dim).filter(|row| first[*row] == *leader) {
            keep(last, row);
            last = row;
        }
        if last != *leader {
            keep(last, *leader);
        }
    }
    for row in &leaders {
        for column in leaders.iter().filter(|column| *column != row) {
            let entry = zone.get(*row, *column);
            let is_free = entry == UNBOUNDED || (*row == 0 && entry == ZERO);
            let through = |third: &usize| sum(zone.get(*row, *third), zone.get(*third, *column)) <= entry;
            if !is_free && !leaders.iter().any(|third| third != row && third != column && through(third)) {
                keep(*row, *column);
            }
        }
    }
    list.into()
}

/// The matrix of a zone of minimal form.
fn restored(zone: &[i32], dim: usize) -> Dbm {
    let mut matrix = Dbm::everything(dim);
    kept(zone).for_each(|(row, column, bound)| matrix.lower(row, column, bound));
    matrix.close();
    matrix
}

/// Whether every state of `small` is simulated by one of `large` up to `bounds` (Herbreteau, Srivathsan and Walukiewicz 2012): no
/// clock `x` that is within its upper bound somewhere in `small` has there a distance to a clock `y` that `large` forbids,
/// unless `y` is beyond its lower bound.
fn is_simulated(small: &[i32], large: &[i32], bounds: &[Bounds]) -> bool {
    let dim = bounds.len() + 1;
    (0..dim).all(|x| {
        let (least, upper) = (small[x], if x == 0 { 0 } else { bounds[x - 1].upper });
        if upper == NONE || least < bound(-upper, false) {
            return true;
        }
        (0..dim).all(|y| {
            let limit = large[y * dim + x];
            limit >= small[y * dim + x] || (y != 0 && is_beyond(limit, bounds[y - 1].lower, least))
        })
    })
}

fn is_beyond(limit: i32, lower: i32, least: i32) -> bool {
    lower == NONE || sum(limit, bound(-lower, true)) >= least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(rng: &mut fastrand::Rng, dim: usize) -> Option<Dbm> {
        let mut zone = Dbm::everything(dim);
        for _ in 0..rng.usize(0..2 * dim) {
            let (row, column) = (rng.usize(0..dim), rng.usize(0..dim));
            let limit = bound(rng.i32(-4..=6), rng.bool());
            if row != column && zone.constrain(row, column, limit) == crate::dbm::Emptiness::Empty {
                return None;
            }
        }
        Some(zone)
    }

    #[test]
    fn minimal_forms_are_restored_and_compared() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut previous = Dbm::everything(4);
        let mut num_smaller = 0;
        for _ in 0..5_000 {
            let Some(zone) = random(&mut rng, 4) else { continue };
            let form = minimal(&zone);
            assert_eq!(restored(&form, 4), zone);
            num_smaller += usize::from(form.len() < zone.cells().len());
            let is_included = is_included(previous.cells(), zone.cells());
            assert_eq!(is_covered(&previous, &form, Comparison::Minimal), is_included);
            assert_eq!(covers(&zone, &minimal(&previous), Comparison::Minimal), is_included);
            previous = zone;
        }
        assert!(num_smaller > 2_000, "{num_smaller}");
    }

    #[test]
    fn a_zone_simulates_what_is_beyond_the_bounds() {
        let beyond = |lower, upper| [Bounds { lower, upper }];
        let mut small = Dbm::everything(2);
        small.constrain(0, 1, bound(-7, false));
        let mut large = Dbm::everything(2);
        large.constrain(0, 1, bound(-5, false));
        large.constrain(1, 0, bound(5, false));
        // A value of 5 stands for larger ones if only lower bounds up to 4 matter.
        assert!(is_simulated(small.cells(), large.cells(), &beyond(4, NONE)));
        assert!(!is_simulated(small.cells(), large.cells(), &beyond(5, NONE)));
        assert!(is_simulated(small.cells(), large.cells(), &beyond(4, 4)));
        assert!(!is_simulated(large.cells(), small.cells(), &beyond(4, 5)));
        assert!(is_simulated(large.cells(), small.cells(), &beyond(4, 4)));
    }
}
