//! Sets of clock values, for checking only.
//!
//! A [`Zone`] is kept closed: every limit is the tightest that follows from all of them. So one zone is within given limits
//! iff its own are at most as large.

use std::rc::Rc;

use smallvec::SmallVec;
use thetis_model::xta::{ClockEffect, ClockId, Difference, ZoneGroup};

/// An upper limit of a difference, `< value` or `<= value`, as twice the value, and one more if it is weak. Smaller is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Limit(i64);

impl Limit {
    /// No limit at all.
    pub(super) const NONE: Limit = Limit(i64::MAX);
    const ZERO: Limit = Limit(1);

    pub(super) fn new(value: i64, is_strict: bool) -> Limit {
        Limit(2 * value + i64::from(!is_strict))
    }

    /// The limit that evidence states as `2b` or `2b + 1`.
    pub(super) fn stated(entry: i32) -> Limit {
        if entry == ZoneGroup::UNBOUNDED { Limit::NONE } else { Limit(i64::from(entry)) }
    }

    /// The limit as a number by which limits can be sorted.
    pub(super) fn entry(self) -> i64 {
        self.0
    }

    pub(super) fn plus(self, other: Limit) -> Limit {
        if self == Limit::NONE || other == Limit::NONE {
            return Limit::NONE;
        }
        // The sum is weak iff both are.
        Limit(self.0 + other.0 - ((self.0 | other.0) & 1))
    }

    fn moved(self, by: i64) -> Limit {
        if self == Limit::NONE { self } else { Limit(self.0 + 2 * by) }
    }

    /// The same limit in another unit.
    #[cfg(test)]
    pub(super) fn times(self, parts: i64) -> Limit {
        Limit::new((self.0 >> 1) * parts, self.0 & 1 == 0)
    }

    /// The limit of the opposite difference outside.
    fn outside(self) -> Limit {
        Limit(1 - self.0)
    }
}

/// A copy of the limits of one position.
type Row = SmallVec<[Limit; 16]>;

/// For each position, from which one its value comes and what it is increased by.
pub(super) type Origins = Vec<(usize, i64)>;

/// The origins of the values of zero and `clocks`, which are ascending, after `effects`.
pub(super) fn origins(clocks: &[ClockId], effects: &[ClockEffect]) -> Origins {
    let origin =
        |(position, clock): (usize, &ClockId)| match effects.iter().find(|effect| effect.clock == *clock) {
            Some(effect) => (0, i64::from(effect.value)),
            None => (position, 0),
        };
    std::iter::once((0, 0)).chain((1..).zip(clocks).map(origin)).collect()
}

/// A set of values of some clocks; position 0 is the constant zero.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    clocks: Rc<[ClockId]>,
    /// The limits of the difference of each position to each position, row by row.
    limits: Vec<Limit>,
}

impl Zone {
    /// All values of `clocks`, which are ascending. Clocks are never negative.
    pub(super) fn all(clocks: Rc<[ClockId]>) -> Zone {
        let size = clocks.len() + 1;
        let limit = |at: usize| match (at / size, at % size) {
            (left, right) if left == right || left == 0 => Limit::ZERO,
            _ => Limit::NONE,
        };
        Zone { limits: (0..size * size).map(limit).collect(), clocks }
    }

    /// The value zero of `clocks`.
    pub(super) fn origin(clocks: Rc<[ClockId]>) -> Zone {
        let size = clocks.len() + 1;
        Zone { clocks, limits: vec![Limit::ZERO; size * size] }
    }

    /// All values of `clocks` within `limits` of differences; `None` if there are none.
    pub(super) fn within(
        clocks: Rc<[ClockId]>,
        limits: impl Iterator<Item = (Option<ClockId>, Option<ClockId>, Limit)>,
    ) -> Option<Zone> {
        let mut zone = Zone::unclosed(clocks, limits);
        zone.close().then_some(zone)
    }

    /// The same as [`within`](Zone::within) with limits that are not tightened by each other.
    pub(super) fn unclosed(
        clocks: Rc<[ClockId]>,
        limits: impl Iterator<Item = (Option<ClockId>, Option<ClockId>, Limit)>,
    ) -> Zone {
        let mut zone = Zone::all(clocks);
        for (left, right, limit) in limits {
            let at = zone.position(left) * zone.size() + zone.position(right);
            zone.limits[at] = zone.limits[at].min(limit);
        }
        zone
    }

    /// Tightens all limits by the algorithm of Floyd and Warshall; `false` if the zone is empty.
    fn close(&mut self) -> bool {
        let size = self.size();
        for through in 0..size {
            let after: Row = self.limits[through * size..(through + 1) * size].into();
            for row in self.limits.chunks_exact_mut(size) {
                let before = row[through];
                if before == Limit::NONE {
                    continue;
                }
                row.iter_mut().zip(&after).for_each(|(old, rest)| *old = (*old).min(before.plus(*rest)));
            }
            // Following a negative cycle would let the numbers grow without bound.
            if (0..size).any(|position| self.limits[position * size + position] < Limit::ZERO) {
                return false;
            }
        }
        true
    }

    fn size(&self) -> usize {
        self.clocks.len() + 1
    }

    fn position(&self, clock: Option<ClockId>) -> usize {
        let Some(clock) = clock else { return 0 };
        self.clocks.binary_search(&clock).expect("the clocks of a step should be known") + 1
    }

    fn clock(&self, position: usize) -> Option<ClockId> {
        position.checked_sub(1).map(|index| self.clocks[index])
    }

    /// The positions of zero and of `clocks`, for [`limit`](Zone::limit).
    pub(super) fn positions(&self, clocks: &[ClockId]) -> Vec<usize> {
        std::iter::once(0).chain(clocks.iter().map(|clock| self.position(Some(*clock)))).collect()
    }

    /// The tightest limit of the difference of two positions.
    pub(super) fn limit(&self, left: usize, right: usize) -> Limit {
        self.limits[left * self.size() + right]
    }

    /// Keeps the values within a limit; `false` if there are none.
    #[must_use]
    fn keep(&mut self, left: usize, right: usize, limit: Limit) -> bool {
        if left == right {
            return limit >= Limit::ZERO;
        }
        if limit >= self.limit(left, right) {
            return true;
        }
        if self.limit(right, left).plus(limit) < Limit::ZERO {
            return false;
        }
        let size = self.size();
        let after: Row = self.limits[right * size..(right + 1) * size].into();
        for row in self.limits.chunks_exact_mut(size) {
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
        differences.into_iter().all(|one| {
            let (left, right) = (self.position(one.left), self.position(one.right));
            self.keep(left, right, Limit::new(i64::from(one.limit), one.is_strict))
        })
    }

    /// Whether each of `differences` alone leaves values.
    pub(super) fn meets_each(&self, differences: &[Difference]) -> bool {
        let meets = |one: &Difference| {
            let opposite = self.limit(self.position(one.right), self.position(one.left));
            opposite.plus(Limit::new(i64::from(one.limit), one.is_strict)) >= Limit::ZERO
        };
        differences.iter().all(meets)
    }

    /// The values of the clocks after `effects`.
    pub(super) fn after(&self, effects: &[ClockEffect]) -> Zone {
        self.moved(&origins(&self.clocks, effects))
    }

    /// The values that come from these origins.
    pub(super) fn moved(&self, origins: &[(usize, i64)]) -> Zone {
        let mut limits = Vec::with_capacity(self.limits.len());
        for (left, up) in origins {
            limits.extend(origins.iter().map(|(right, down)| self.limit(*left, *right).moved(up - down)));
        }
        Zone { clocks: self.clocks.clone(), limits }
    }

    /// Adds the values that are reached by waiting.
    pub(super) fn wait(&mut self) {
        let size = self.size();
        self.limits.chunks_exact_mut(size).skip(1).for_each(|row| row[0] = Limit::NONE);
    }

    /// Adds the values from which the zone is reached by waiting.
    pub(super) fn could_wait(&mut self) {
        for position in 1..self.size() {
            let tightest = self.limits.chunks_exact(self.size()).skip(1).map(|row| row[position]).min();
            self.limits[position] = tightest.unwrap_or(Limit::ZERO).min(Limit::ZERO);
        }
    }

    /// Whether all values are in `other`, which is over the same clocks.
    pub(super) fn is_within(&self, other: &Zone) -> bool {
        self.limits.iter().zip(&other.limits).all(|(own, limit)| own <= limit)
    }

    /// Whether all values are in one of `others`, which are over the same clocks.
    pub(super) fn is_covered(&self, others: &[Zone]) -> bool {
        let Some((first, rest)) = others.split_first() else { return false };
        let mut inside = self.clone();
        for left in 0..self.size() {
            for right in (0..self.size()).filter(|right| *right != left) {
                let limit = first.limit(left, right);
                if limit >= inside.limit(left, right) {
                    continue;
                }
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

    /// The values within `limits` too; `None` if there are none.
    pub(super) fn met_by(
        &self,
        limits: impl Iterator<Item = (Option<ClockId>, Option<ClockId>, Limit)>,
    ) -> Option<Zone> {
        let mut part = self.clone();
        for (left, right, limit) in limits {
            let (left, right) = (part.position(left), part.position(right));
            if !part.keep(left, right, limit) {
                return None;
            }
        }
        Some(part)
    }

    /// The values in both zones, which are over the same clocks; `None` if there are none.
    pub(super) fn meet(&self, other: &Zone) -> Option<Zone> {
        let entries = other.limits.iter().enumerate();
        let entries = entries
            .map(|(at, limit)| (other.clock(at / other.size()), other.clock(at % other.size()), *limit));
        let own = self.limits.iter().enumerate();
        let own = own.map(|(at, limit)| (self.clock(at / self.size()), self.clock(at % self.size()), *limit));
        Zone::within(self.clocks.clone(), entries.chain(own))
    }
}
