//! The part of the symbolic state space in which a run may continue for ever.
//!
//! Questions about liveness ask for a maximal run whose states all satisfy a condition. The condition is like a second invariant: a
//! run within it waits and moves only where it holds. Two things differ from the invariant. First, a move that leaves the condition
//! is still possible, so a state with such a move is not a deadlock. Second, a delay that the invariant allows but that leaves the
//! condition does not end the run; it ends the part that counts.
//!
//! Only conditions that are one zone in each discrete state are supported: then a delay stays within the condition iff both of its
//! ends do.

use crate::dbm::{Dbm, Emptiness, bound};
use crate::graph::{
    Along, Destination, Graph, Group, RowConstraint, Step, keep_all, pulled_back, without_all,
};

impl Graph<'_> {
    /// The zone within the condition after `step`, and after a delay within the condition; `None` if there is none.
    pub(crate) fn successor_within(&self, zone: &Dbm, step: &Step) -> Option<Dbm> {
        let Destination::Group(target, rows) = &step.outcome else { return None };
        let mut zone = zone.clone();
        if zone.constrain_all(&step.guard) == Emptiness::Empty {
            return None;
        }
        self.settled_within(*target, zone.mapped(rows))
    }

    /// The part of a zone within the condition, then after a delay within it.
    pub(crate) fn settled_within(&self, number: u32, mut zone: Dbm) -> Option<Dbm> {
        let group = &self.groups[number as usize];
        let constraints = group.within()?;
        if zone.constrain_all(&constraints) == Emptiness::Empty {
            return None;
        }
        if !group.is_frozen {
            zone.up();
            zone.constrain_all(&constraints);
        }
        self.extrapolate(group, &mut zone);
        Some(zone)
    }

    /// The states within the condition from which `step` leads into `target` after a delay within the condition.
    pub(crate) fn before_within(&self, number: u32, step: &Step, target: &Dbm) -> Option<Dbm> {
        let Destination::Group(_, rows) = &step.outcome else { return None };
        let group = &self.groups[number as usize];
        let within = group.within()?;
        let mut zone = group.everything();
        let needed = pulled_back(&target.constraints(), rows);
        if !keep_all(&mut zone, step.guard.iter().chain(&within).chain(&needed)) {
            return None;
        }
        if !group.is_frozen {
            zone.down();
            keep_all(&mut zone, &within);
        }
        Some(zone)
    }

    /// All states of a group within the condition.
    pub(crate) fn all_within(&self, number: u32) -> Option<Dbm> {
        let group = &self.groups[number as usize];
        let mut zone = group.everything();
        keep_all(&mut zone, &group.within()?).then_some(zone)
    }

    /// The parts of `zone`, which is closed under delays within the condition, where a maximal run may end.
    pub(crate) fn ends(&mut self, number: u32, zone: &Dbm) -> Vec<Dbm> {
        let moving = self.moving(number);
        let group = &self.groups[number as usize];
        let Along::Within(along) = &group.along else { return Vec::new() };
        let has_limit = |constraints: &[RowConstraint]| constraints.iter().any(is_upper);
        if !group.is_frozen && !has_limit(&group.invariant) {
            return if has_limit(along) { Vec::new() } else { vec![zone.clone()] };
        }
        let mut others: Vec<Dbm> = moving.to_vec();
        if !group.is_frozen {
            others.extend(along.iter().filter(|one| is_upper(one)).filter_map(|one| group.leaving(*one)));
        }
        without_all(zone.clone(), &others)
    }
}

impl Group {
    /// The invariant and the condition; `None` if the condition is false.
    fn within(&self) -> Option<Vec<RowConstraint>> {
        let Along::Within(along) = &self.along else { return None };
        Some(self.invariant.iter().chain(along).copied().collect())
    }

    /// The states from which the invariant allows a delay that violates `limit`, an upper bound of a clock.
    fn leaving(&self, limit: RowConstraint) -> Option<Dbm> {
        let is_weak = |bound: i32| bound & 1 == 1;
        let later = |last: &RowConstraint| {
            let is_strict = is_weak(limit.2) || !is_weak(last.2);
            (last.0, limit.0, bound((last.2 >> 1) - (limit.2 >> 1), is_strict))
        };
        let constraints: Vec<RowConstraint> =
            self.invariant.iter().filter(|one| is_upper(one)).map(later).collect();
        let mut zone = self.everything();
        keep_all(&mut zone, &constraints).then_some(zone)
    }
}

/// Whether the passage of time eventually violates the constraint.
fn is_upper((row, column, _): &RowConstraint) -> bool {
    *row != 0 && *column == 0
}
