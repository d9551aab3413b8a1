//! Zones that cover more than they contain.
//!
//! # Idea
//! Let every clock have a *lower* and an *upper bound*, the largest constants of the constraints of the form `x > c` and `x < c` that it can
//! still meet. A state `w` simulates a state `v` with the same discrete part if for every clock `x`
//!
//! * `w(x) = v(x)`, or `lower < w(x) < v(x)`, or `upper < v(x) < w(x)`.
//!
//! Whatever constraint with constants up to the bounds `v` satisfies, `w` does too, now and after equal delays, and setting clocks keeps the
//! relation. So whatever `v` can reach, `w` can reach, and a set of zones is already a proof if every successor is *simulated* by a state of
//! a zone (Behrmann, Bouyer, Larsen and Pelánek 2006). This needs three things, which are checked:
//!
//! 1. all constraints of a discrete state, of what its moves lead to and of the target are about single clocks, with constants up to the bounds;
//! 2. a move does not lead to larger bounds, except for clocks that it sets;
//! 3. every state of a successor is simulated by a state of one stated zone.
//!
//! The third is decided by a formula of Herbreteau, Srivathsan and Walukiewicz (2012). The states that simulate `v` form a box:
//! `x >= v(x)` or, if `v(x) > lower`, `x > lower`; and `x <= v(x)`, or nothing if `v(x) > upper`. The box misses a closed zone `Z` iff some limit of
//! `Z` on a difference `y - x` excludes it. For a zone of states `v` it is enough to look at the least value of `x` in it.

use thetis_model::xta::{ClockBounds, ClockEffect, ClockId, Difference, ZoneGroup};

use super::zone::{Limit, Zone};

/// The bounds of the clocks of a group.
#[derive(Clone, Copy)]
pub(super) struct GroupBounds<'p> {
    pub(super) clocks: &'p [ClockId],
    pub(super) bounds: &'p [ClockBounds],
}

impl<'p> GroupBounds<'p> {
    pub(super) fn new(group: &'p ZoneGroup, bounds: &'p [ClockBounds]) -> GroupBounds<'p> {
        GroupBounds { clocks: &group.clocks, bounds }
    }

    fn of(self, clock: ClockId) -> ClockBounds {
        match self.clocks.binary_search(&clock) {
            Ok(position) => self.bounds[position],
            Err(_) => ClockBounds::default(),
        }
    }

    /// Whether the simulation preserves a constraint: it is about one clock, and its constant is at most the bound.
    pub(super) fn preserves(self, constraint: &Difference) -> bool {
        match (constraint.left, constraint.right) {
            (Some(clock), None) => is_within(constraint.limit, self.of(clock).upper),
            (None, Some(clock)) => is_within(-constraint.limit, self.of(clock).lower),
            (None, None) => true,
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether no bound grows from here to `next`, except for clocks that are set.
    pub(super) fn suffices_for(self, next: GroupBounds<'_>, effects: &[ClockEffect]) -> bool {
        next.clocks.iter().zip(next.bounds).all(|(clock, after)| {
            let before = self.of(*clock);
            let is_set = effects.iter().any(|effect| effect.clock == *clock);
            is_set || (after.lower <= before.lower && after.upper <= before.upper)
        })
    }

    /// Whether states of `stated`, a closed zone over the clocks of the group, simulate all states of `zone`, in which these clocks have
    /// the given positions.
    pub(super) fn simulates(self, zone: &Zone, positions: &[usize], stated: &Zone) -> bool {
        let lower = |row: usize| row.checked_sub(1).and_then(|index| self.bounds[index].lower);
        let upper = |row: usize| if row == 0 { Some(0) } else { self.bounds[row - 1].upper };
        let misses = |x: usize, y: usize| {
            let (own, limit) = (zone.limit(positions[y], positions[x]), stated.limit(y, x));
            let least = zone.limit(0, positions[x]);
            limit < own
                && match lower(y) {
                    _ if y == 0 => true,
                    Some(lower) => limit.plus(Limit::new(-i64::from(lower), true)) < least,
                    None => false,
                }
        };
        let rows = 0..positions.len();
        let small = rows.clone().filter(|x| {
            let least = zone.limit(0, positions[*x]);
            upper(*x).is_some_and(|upper| least >= Limit::new(-i64::from(upper), false))
        });
        !small.into_iter().any(|x| rows.clone().any(|y| y != x && misses(x, y)))
    }
}

/// Whether a constant is at most a bound. A clock is never negative, so negative constants do not matter.
fn is_within(constant: i32, bound: Option<i32>) -> bool {
    constant < 0 || bound.is_some_and(|bound| constant <= bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: i64 = 4;

    /// The end of the grid. Limits up to 3 on two clocks and their difference need values up to 7.
    const END: i64 = 8 * PARTS;

    fn clocks() -> Vec<ClockId> {
        vec![ClockId::from(0_usize), ClockId::from(1_usize)]
    }

    /// A zone over two clocks from limits of `x`, `y` and `x - y`; `None` if it is empty.
    fn zone(rng: &mut fastrand::Rng) -> Option<Zone> {
        let (x, y) = (Some(ClockId::from(0_usize)), Some(ClockId::from(1_usize)));
        let mut limits = Vec::new();
        for (left, right) in [(x, None), (None, x), (y, None), (None, y), (x, y), (y, x)] {
            if rng.u32(0..3) > 0 {
                limits.push((left, right, Limit::new(rng.i64(-3..=3), rng.bool())));
            }
        }
        Zone::within(clocks().into(), limits.into_iter())
    }

    /// The points of a zone on the grid.
    fn points(zone: &Zone) -> Vec<[i64; 2]> {
        let holds =
            |value: i64, limit: Limit| limit == Limit::NONE || Limit::new(value, false) <= limit.times(PARTS);
        let all = (0..=END).flat_map(|x| (0..=END).map(move |y| [x, y]));
        all.filter(|[x, y]| {
            let values = [0, *x, *y];
            (0..3).all(|left| {
                (0..3).all(|right| {
                    left == right || holds(values[left] - values[right], zone.limit(left, right))
                })
            })
        })
        .collect()
    }

    fn simulates(bounds: &[ClockBounds], v: [i64; 2], w: [i64; 2]) -> bool {
        (0..2).all(|clock| {
            let (v, w) = (v[clock], w[clock]);
            let lower = bounds[clock].lower.map_or(-1, |bound| i64::from(bound) * PARTS);
            let upper = bounds[clock].upper.map_or(-1, |bound| i64::from(bound) * PARTS);
            v == w || (lower < w && w < v) || (upper < v && v < w)
        })
    }

    #[test]
    fn inclusion_agrees_with_points() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut counts = [0, 0];
        for _ in 0..2_500 {
            let (Some(small), Some(large)) = (zone(&mut rng), zone(&mut rng)) else { continue };
            let mut bound = || (rng.u32(0..4) > 0).then(|| rng.i32(0..=2));
            let bounds = [(); 2].map(|()| ClockBounds { lower: bound(), upper: bound() });
            let clocks = clocks();
            let found =
                GroupBounds { clocks: &clocks, bounds: &bounds }.simulates(&small, &[0, 1, 2], &large);
            let large = points(&large);
            // Points near the end of the grid may be simulated by points beyond it.
            let inner = points(&small).into_iter().filter(|[x, y]| *x <= 3 * PARTS && *y <= 3 * PARTS);
            let mut inner = inner.filter(|[x, y]| x % 2 == 0 && y % 2 == 0);
            let is_simulated = inner.all(|v| large.iter().any(|w| simulates(&bounds, v, *w)));
            assert!(!found || is_simulated, "{small:?} {bounds:?} {large:?}");
            counts[usize::from(found)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}
