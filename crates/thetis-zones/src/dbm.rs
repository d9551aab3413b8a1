//! Difference-bound matrices.
//!
//! A zone is a set of clock values given by bounds on differences. Entry `(i, j)` bounds the clock of row `i` minus the clock
//! of column `j`; index 0 stands for the constant zero. A bound is one number: `2b` means `< b`, `2b + 1` means `<= b`, so that
//! tighter bounds are smaller numbers. All functions keep matrices *canonical*: no entry can be tightened by others. Hence
//! inclusion is a comparison entry by entry.

use smallvec::SmallVec;

/// The bound that bounds nothing.
pub(crate) const UNBOUNDED: i32 = i32::MAX;

/// `<= 0`.
pub(crate) const ZERO: i32 = 1;

/// The bound `< limit` or `<= limit`.
pub(crate) fn bound(limit: i32, is_strict: bool) -> i32 {
    2 * limit + i32::from(!is_strict)
}

/// The bound of a sum.
pub(crate) fn sum(left: i32, right: i32) -> i32 {
    if left == UNBOUNDED || right == UNBOUNDED { UNBOUNDED } else { left + right - ((left | right) & 1) }
}

/// The bound that holds exactly where the opposite difference violates this one.
pub(crate) fn negated(bound: i32) -> i32 {
    1 - bound
}

/// A canonical matrix that is not empty, unless a function has just returned that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dbm {
    dim: usize,
    cells: Vec<i32>,
}

/// Whether a zone still has values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Emptiness {
    Empty,
    NotEmpty,
}

impl Dbm {
    /// All clocks are zero.
    pub(crate) fn zero(dim: usize) -> Dbm {
        Dbm { dim, cells: vec![ZERO; dim * dim] }
    }

    /// All values; clocks are never negative.
    pub(crate) fn everything(dim: usize) -> Dbm {
        let mut cells = vec![UNBOUNDED; dim * dim];
        cells[..dim].fill(ZERO);
        (1..dim).for_each(|row| cells[row * dim + row] = ZERO);
        Dbm { dim, cells }
    }

    /// A matrix from its entries.
    pub(crate) fn from_cells(dim: usize, cells: &[i32]) -> Dbm {
        Dbm { dim, cells: cells.to_vec() }
    }

    /// Becomes a copy of `other`, in the same memory.
    pub(crate) fn copy_from(&mut self, other: &Dbm) {
        self.dim = other.dim;
        self.cells.clone_from(&other.cells);
    }

    /// The number of rows.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The entries, row by row.
    pub(crate) fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// An entry.
    pub(crate) fn get(&self, row: usize, column: usize) -> i32 {
        self.cells[row * self.dim + column]
    }

    /// The entries of a row.
    pub(crate) fn row(&self, row: usize) -> &[i32] {
        &self.cells[row * self.dim..(row + 1) * self.dim]
    }

    fn set(&mut self, row: usize, column: usize, bound: i32) {
        self.cells[row * self.dim + column] = bound;
    }

    /// Lowers an entry; the matrix has to be closed afterwards.
    pub(crate) fn lower(&mut self, row: usize, column: usize, bound: i32) {
        let entry = &mut self.cells[row * self.dim + column];
        *entry = bound.min(*entry);
    }

    /// Keeps the values with `row - column` within `bound`.
    pub(crate) fn constrain(&mut self, row: usize, column: usize, bound: i32) -> Emptiness {
        if bound >= self.get(row, column) {
            return Emptiness::NotEmpty;
        }
        if sum(self.get(column, row), bound) < ZERO {
            return Emptiness::Empty;
        }
        // Only paths over the new bound can be shorter, and none of them uses the row that is read here.
        let further: SmallRow = self.cells[column * self.dim..(column + 1) * self.dim].into();
        for entries in self.cells.chunks_exact_mut(self.dim) {
            let through = sum(entries[row], bound);
            if through < entries[column] {
                tighten(entries, through, &further);
            }
        }
        Emptiness::NotEmpty
    }

    /// Whether each of the constraints alone leaves values.
    pub(crate) fn meets_each(&self, constraints: &[(u16, u16, i32)]) -> bool {
        let meets = |(row, column, bound): &(u16, u16, i32)| {
            sum(self.get(usize::from(*column), usize::from(*row)), *bound) >= ZERO
        };
        constraints.iter().all(meets)
    }

    /// Keeps the values that satisfy all constraints.
    pub(crate) fn constrain_all(&mut self, constraints: &[(u16, u16, i32)]) -> Emptiness {
        for (row, column, bound) in constraints {
            if self.constrain(usize::from(*row), usize::from(*column), *bound) == Emptiness::Empty {
                return Emptiness::Empty;
            }
        }
        Emptiness::NotEmpty
    }

    /// The bounds that bound something, by row and column.
    pub(crate) fn constraints(&self) -> Vec<(u16, u16, i32)> {
        let entry = |at: usize| ((at / self.dim) as u16, (at % self.dim) as u16, self.cells[at]);
        let all = (0..self.cells.len()).map(entry);
        all.filter(|(row, column, bound)| row != column && *bound != UNBOUNDED).collect()
    }

    /// Lets time pass without limit.
    pub(crate) fn up(&mut self) {
        (1..self.dim).for_each(|row| self.set(row, 0, UNBOUNDED));
    }

    /// Adds the values from which the zone is reached by waiting.
    pub(crate) fn down(&mut self) {
        for column in 1..self.dim {
            let least = (1..self.dim).map(|row| self.get(row, column)).min().unwrap_or(ZERO);
            self.set(0, column, least.min(ZERO));
        }
    }

    /// The zone over other clocks: each row takes the values of a row here plus a number.
    pub(crate) fn mapped(&self, rows: &[(u16, i32)]) -> Dbm {
        let mut mapped = Dbm::zero(1);
        self.map_into(rows, &mut mapped);
        mapped
    }

    /// The same in the memory of another matrix.
    pub(crate) fn map_into(&self, rows: &[(u16, i32)], mapped: &mut Dbm) {
        mapped.dim = rows.len();
        mapped.cells.clear();
        for (row, up) in rows {
            let entries = self.row(usize::from(*row));
            mapped.cells.extend(rows.iter().map(|(column, down)| {
                let entry = entries[usize::from(*column)];
                if entry == UNBOUNDED { UNBOUNDED } else { entry + 2 * (up - down) }
            }));
        }
    }

    /// The same zone with its rows and columns in another order.
    pub(crate) fn with_rows(&self, rows: &[usize]) -> Dbm {
        let entries = rows.iter().flat_map(|row| rows.iter().map(move |column| self.get(*row, *column)));
        Dbm { dim: self.dim, cells: entries.collect() }
    }

    /// Makes the matrix canonical again; it must not be empty.
    pub(crate) fn close(&mut self) {
        for k in 0..self.dim {
            let further: SmallRow = self.cells[k * self.dim..(k + 1) * self.dim].into();
            for entries in self.cells.chunks_exact_mut(self.dim) {
                let through = entries[k];
                tighten(entries, through, &further);
            }
        }
    }

    /// Replaces entries by larger ones, which `change` gives for row, column and entry, and makes the matrix canonical again.
    pub(crate) fn relax(&mut self, change: impl Fn(usize, usize, i32) -> i32) {
        let mut changed: SmallVec<[usize; 32]> = SmallVec::new();
        for (row, entries) in self.cells.chunks_exact_mut(self.dim).enumerate() {
            let mut is_changed = false;
            for (column, entry) in entries.iter_mut().enumerate().filter(|(column, _)| *column != row) {
                let relaxed = change(row, column, *entry);
                is_changed |= relaxed != *entry;
                *entry = relaxed;
            }
            if is_changed {
                changed.push(row);
            }
        }
        self.close_rows(&changed);
    }

    /// Makes the matrix canonical again after entries in some rows have become larger. Entries of other rows cannot be tightened: no
    /// detour was shorter before, and detours have only become longer.
    fn close_rows(&mut self, rows: &[usize]) {
        for k in 0..self.dim {
            let further: SmallRow = self.cells[k * self.dim..(k + 1) * self.dim].into();
            for row in rows {
                let entries = &mut self.cells[row * self.dim..(row + 1) * self.dim];
                let through = entries[k];
                tighten(entries, through, &further);
            }
        }
    }

    /// The parts of the zone that are outside of `other`.
    pub(crate) fn minus(&self, other: &Dbm) -> Vec<Dbm> {
        let mut parts = Vec::new();
        let mut rest = self.clone();
        for row in 0..self.dim {
            for column in (0..self.dim).filter(|column| *column != row) {
                let limit = other.get(row, column);
                if limit >= rest.get(row, column) {
                    continue;
                }
                let mut outside = rest.clone();
                if outside.constrain(column, row, negated(limit)) == Emptiness::NotEmpty {
                    parts.push(outside);
                }
                if rest.constrain(row, column, limit) == Emptiness::Empty {
                    return parts;
                }
            }
        }
        parts
    }
}

/// A copy of a row.
type SmallRow = SmallVec<[i32; 32]>;

/// Tightens a row by the paths that continue with `further` after `through`.
fn tighten(entries: &mut [i32], through: i32, further: &[i32]) {
    if through == UNBOUNDED {
        return;
    }
    for (entry, next) in entries.iter_mut().zip(further) {
        *entry = (*entry).min(sum(through, *next));
    }
}

/// Whether `small` is included in `large`, both canonical and over the same clocks.
pub(crate) fn is_included(small: &[i32], large: &[i32]) -> bool {
    // Several entries at a time, without a decision after each.
    const STEP: usize = 8;
    let (mut small, mut large) = (small.chunks_exact(STEP), large.chunks_exact(STEP));
    let is_within = |small: &[i32], large: &[i32]| {
        small.iter().zip(large).fold(true, |all, (small, large)| all & (small <= large))
    };
    let are_within = small.by_ref().zip(large.by_ref()).all(|(small, large)| is_within(small, large));
    are_within && is_within(small.remainder(), large.remainder())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_add_and_negate() {
        assert_eq!(sum(bound(3, false), bound(4, false)), bound(7, false));
        assert_eq!(sum(bound(3, true), bound(4, false)), bound(7, true));
        assert_eq!(sum(bound(-3, true), bound(1, true)), bound(-2, true));
        assert_eq!(sum(UNBOUNDED, bound(-9, true)), UNBOUNDED);
        assert_eq!(negated(bound(3, false)), bound(-3, true));
        assert_eq!(negated(bound(3, true)), bound(-3, false));
    }

    #[test]
    fn delays_and_constraints() {
        let mut zone = Dbm::zero(3);
        zone.up();
        assert_eq!(zone.constrain(1, 0, bound(5, false)), Emptiness::NotEmpty);
        assert_eq!(zone.get(2, 0), bound(5, false), "both clocks run alike");
        assert_eq!(zone.constrain(0, 2, bound(-5, true)), Emptiness::Empty);
    }

    #[test]
    fn mapping_resets_and_drops() {
        let mut zone = Dbm::zero(3);
        zone.up();
        zone.constrain(1, 0, bound(5, false));
        let reset = zone.mapped(&[(0, 0), (0, 2), (2, 0)]);
        assert_eq!((reset.get(1, 0), reset.get(0, 1)), (bound(2, false), bound(-2, false)));
        assert_eq!(reset.get(2, 1), bound(3, false));
    }

    #[test]
    fn subtraction_leaves_what_is_outside() {
        let mut all = Dbm::zero(2);
        all.up();
        let mut middle = all.clone();
        middle.constrain(0, 1, bound(-2, false));
        middle.constrain(1, 0, bound(4, false));
        let parts = all.minus(&middle);
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|part| middle.minus(part) == vec![middle.clone()]));
        assert!(middle.minus(&all).is_empty());
    }

    #[test]
    fn the_past_goes_back_to_the_first_zero() {
        let mut zone = Dbm::zero(3);
        zone.up();
        let mut zone = zone.mapped(&[(0, 0), (1, 0), (0, 0)]);
        zone.up();
        zone.constrain(0, 1, bound(-7, false));
        zone.constrain(0, 2, bound(-3, false));
        zone.down();
        assert_eq!((zone.get(0, 1), zone.get(0, 2)), (ZERO, ZERO));
    }
}
