//! Finite ranges for the integers of an automaton, so that each of them fits into a word of bits.
//!
//! The interval analysis knows a range for each variable at each location. Programs leave variables without a value until
//! they are assigned, and after their last use nothing is known of many of them; so only the locations where a
//! variable is live count. Elsewhere its value cannot matter, and a system may give it any: its *rest value*, the least
//! one of the range.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Sort, Store, VarId};

use super::liveness::Liveness;
use super::ranges::{Range, RangeMap};
use super::var_set::VarSet;
use super::{Cfa, LocId, Stmt};
use crate::Task;

/// The least and the greatest value of an integer.
pub(super) type Bound = (BigInt, BigInt);

/// What is known of the integers of an automaton.
pub(super) struct Bounds {
    ranges: RangeMap,
    positions: BTreeMap<VarId, usize>,
    live: IndexVec<LocId, VarSet>,
    finite: BTreeMap<VarId, Bound>,
}

impl Bounds {
    pub(super) fn new(task: &Task<Cfa>, run: &Run) -> Result<Bounds, Stop> {
        let (store, cfa) = (&task.store, &task.model);
        let ranges = RangeMap::new(task, run)?;
        let liveness = Liveness::new(store, cfa, run)?;
        let live = cfa.locations.indices().map(|location| liveness.at(location).clone()).collect();
        let positions = cfa.vars.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        let mut bounds = Bounds { ranges, positions, live, finite: BTreeMap::new() };
        let integers = cfa.vars.iter().filter(|var| store.var_sort(**var) == Sort::Int);
        bounds.finite =
            integers.filter_map(|var| Some((*var, bounds.wherever_live(store, cfa, *var)?))).collect();
        Ok(bounds)
    }

    /// The values of `var` at all locations where it is live; `None` if they have no bound.
    fn wherever_live(&self, store: &Store, cfa: &Cfa, var: VarId) -> Option<Bound> {
        let live = cfa.locations.indices().filter(|location| self.is_live(var, *location));
        let ranges = live.filter_map(|location| self.ranges.range(store, location, var));
        match ranges.reduce(|left, right| left.join(&right)) {
            Some(range) => bound(&range),
            None => Some((0.into(), 0.into())),
        }
    }

    fn is_live(&self, var: VarId, location: LocId) -> bool {
        self.live[location].contains(self.positions[&var])
    }

    /// The integers that have finite ranges, with these.
    pub(super) fn finite(&self) -> impl Iterator<Item = (VarId, &Bound)> {
        self.finite.iter().map(|(var, bound)| (*var, bound))
    }

    /// The value of `var` at `location`, if it is an integer whose value does not matter there.
    pub(super) fn rest_value(&self, var: VarId, location: LocId) -> Option<&BigInt> {
        let (low, _) = self.finite.get(&var)?;
        (!self.is_live(var, location)).then_some(low)
    }

    /// What the ranges say about the live variables at `location`. Facts about live variables follow from those before them.
    pub(super) fn facts(&self, store: &Store, location: LocId) -> Vec<ExprId> {
        self.ranges.facts_about(store, location, |var| self.is_live(var, location))
    }

    /// The range of each havoc in `stmt` that has a finite one, in the order of execution.
    pub(super) fn of_havocs(&self, store: &Store, stmt: &Stmt) -> Vec<Option<Bound>> {
        self.ranges.of_havocs(store, stmt).iter().map(bound).collect()
    }
}

fn bound(range: &Range) -> Option<Bound> {
    let Range::Int(interval) = range else { return None };
    Some((interval.low()?.clone(), interval.high()?.clone()))
}
