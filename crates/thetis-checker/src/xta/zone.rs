//! Sets of clock values, for checking only.
//!
//! A [`Zone`] is kept closed: every limit is the tightest that follows from all of them. So one zone is within given limits
//! iff its own are at most as large.

use thetis_model::xta::{ClockEffect, ClockId, Difference};

/// An upper limit of a difference, `< value` or `<= value`. Smaller is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Limit {
    value: i64,
    is_weak: bool,
}

impl Limit {
    /// No limit at all.
    pub(super) const NONE: Limit = Limit { value: i64::MAX, is_weak: true };
    const ZERO: Limit = Limit { value: 0, is_weak: true };

    pub(super) fn new(value: i64, is_strict: bool) -> Limit {
        Limit { value, is_weak: !is_strict }
    }

    fn plus(self, other: Limit) -> Limit {
        if self == Limit::NONE || other == Limit::NONE {
            return Limit::NONE;
        }
        Limit { value: self.value + other.value, is_weak: self.is_weak && other.is_weak }
    }

    fn moved(self, by: i64) -> Limit {
        if self == Limit::NONE { self } else { Limit { value: self.value + by, ..self } }
    }

    /// The limit of the opposite difference outside.
    fn outside(self) -> Limit {
        Limit { value: -self.value, is_weak: !self.is_weak }
    }
}

/// A set of values of some clocks; position 0 is the constant zero.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    clocks: Vec<ClockId>,
    /// For each position, the limits of its difference to each position.
    limits: Vec<Vec<Limit>>,
}

impl Zone {
    /// All values of `clocks`, which are ascending. Clocks are never negative.
    pub(super) fn all(clocks: Vec<ClockId>) -> Zone {
        let size = clocks.len() + 1;
        let limit =
            |left: usize, right: usize| if left == right || left == 0 { Limit::ZERO } else { Limit::NONE };
        let limits = (0..size).map(|left| (0..size).map(|right| limit(left, right)).collect()).collect();
        Zone { clocks, limits }
    }

    /// The value zero of `clocks`.
    pub(super) fn origin(clocks: Vec<ClockId>) -> Zone {
        let size = clocks.len() + 1;
        Zone { clocks, limits: vec![vec![Limit::ZERO; size]; size] }
    }

    fn position(&self, clock: Option<ClockId>) -> usize {
        let Some(clock) = clock else { return 0 };
        self.clocks.binary_search(&clock).expect("the clocks of a step should be known") + 1
    }

    /// The tightest limit of a difference.
    pub(super) fn limit(&self, left: Option<ClockId>, right: Option<ClockId>) -> Limit {
        self.limits[self.position(left)][self.position(right)]
    }

    /// Keeps the values within a limit; `false` if there are none.
    #[must_use]
    pub(super) fn keep(&mut self, left: Option<ClockId>, right: Option<ClockId>, limit: Limit) -> bool {
        let (left, right) = (self.position(left), self.position(right));
        if left == right {
            return limit >= Limit::ZERO;
        }
        if limit >= self.limits[left][right] {
            return true;
        }
        if self.limits[right][left].plus(limit) < Limit::ZERO {
            return false;
        }
        let after = self.limits[right].clone();
        for row in &mut self.limits {
            let detour = row[left].plus(limit);
            if detour < row[right] {
                row.iter_mut().zip(&after).for_each(|(old, rest)| *old = (*old).min(detour.plus(*rest)));
            }
        }
        true
    }

    /// Keeps the values that satisfy all of `differences`; `false` if there are none.
    #[must_use]
    pub(super) fn keep_all<'d>(&mut self, differences: impl IntoIterator<Item = &'d Difference>) -> bool {
        differences
            .into_iter()
            .all(|one| self.keep(one.left, one.right, Limit::new(i64::from(one.limit), one.is_strict)))
    }

    /// The values of `clocks` after `effects`. Each of them must be known here or set.
    pub(super) fn after(&self, effects: &[ClockEffect], clocks: &[ClockId]) -> Zone {
        let origin = |clock: &ClockId| match effects.iter().find(|effect| effect.clock == *clock) {
            Some(effect) => (0, i64::from(effect.value)),
            None => (self.position(Some(*clock)), 0),
        };
        let origins: Vec<(usize, i64)> = std::iter::once((0, 0)).chain(clocks.iter().map(origin)).collect();
        let row = |(left, up): &(usize, i64)| {
            origins.iter().map(|(right, down)| self.limits[*left][*right].moved(up - down)).collect()
        };
        Zone { clocks: clocks.to_vec(), limits: origins.iter().map(row).collect() }
    }

    /// Adds what is reached by waiting.
    pub(super) fn wait(&mut self) {
        self.limits.iter_mut().skip(1).for_each(|row| row[0] = Limit::NONE);
    }

    /// Adds that from which the zone is reached by waiting.
    pub(super) fn could_wait(&mut self) {
        for position in 1..self.limits.len() {
            let tightest = self.limits.iter().skip(1).map(|row| row[position]).min();
            self.limits[0][position] = tightest.unwrap_or(Limit::ZERO).min(Limit::ZERO);
        }
    }

    /// Whether all values are in one of `others`, which are over the same clocks.
    pub(super) fn is_covered(&self, others: &[Zone]) -> bool {
        let Some((first, rest)) = others.split_first() else { return false };
        let mut inside = self.clone();
        for left in 0..self.limits.len() {
            for right in (0..self.limits.len()).filter(|right| *right != left) {
                let limit = first.limits[left][right];
                if limit >= inside.limits[left][right] {
                    continue;
                }
                let clock = |position: usize| position.checked_sub(1).map(|index| self.clocks[index]);
                let (left, right) = (clock(left), clock(right));
                let mut outside = inside.clone();
                if outside.keep(right, left, limit.outside()) && !outside.is_covered(rest) {
                    return false;
                }
                if !inside.keep(left, right, limit) {
                    return true;
                }
            }
        }
        true
    }
}

impl Zone {
    /// The values in both zones, which are over the same clocks; `None` if there are none.
    pub(super) fn meet(&self, other: &Zone) -> Option<Zone> {
        let mut both = self.clone();
        let clock = |position: usize| position.checked_sub(1).map(|index| self.clocks[index]);
        for (left, row) in other.limits.iter().enumerate() {
            for (right, limit) in row.iter().enumerate() {
                if !both.keep(clock(left), clock(right), *limit) {
                    return None;
                }
            }
        }
        Some(both)
    }
}
