//! Constraints on clocks, and conditions made of them and of data.

use thetis_base::Span;

use super::{ClockEffect, ClockId, DataExpr, Index, Machine, RuntimeError};

/// The greatest number that a clock may be compared with or set to, so that sums of bounds fit into 32 bits.
pub(super) const MAX_BOUND: i32 = 1 << 27;

/// A clock, or a cell of an array of clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct ClockRef {
    /// The first cell.
    pub base: ClockId,
    /// Which cell.
    pub indices: Vec<Index>,
}

/// How a clock is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
    GreaterEqual,
    Greater,
}

/// `left ~ bound` or `left - minus ~ bound`.
#[derive(Clone, PartialEq, Debug)]
pub struct ClockAtom {
    /// The atom is true in states without this condition.
    pub when: Option<DataExpr>,
    /// The clock.
    pub left: ClockRef,
    /// The clock that is subtracted.
    pub minus: Option<ClockRef>,
    /// How it is compared.
    pub relation: Relation,
    /// With what; depends on data only.
    pub bound: DataExpr,
}

/// A conjunction of conditions on data and on clocks.
#[derive(Clone, Default, Debug)]
pub struct Guard {
    /// The conditions on data, in the order in which they stand.
    pub data: Vec<DataExpr>,
    /// Those on clocks.
    pub clocks: Vec<ClockAtom>,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// `left - right <= limit`, or `<`; a missing clock is zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Difference {
    /// The clock on the left.
    pub left: Option<ClockId>,
    /// The clock on the right.
    pub right: Option<ClockId>,
    /// The bound.
    pub limit: i32,
    /// Whether the bound itself is excluded.
    pub is_strict: bool,
}

impl Guard {
    /// Whether the conditions on data hold.
    pub fn data_holds(&self, machine: &mut Machine<'_>) -> Result<bool, RuntimeError> {
        for condition in &self.data {
            if !machine.holds(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the constraints on clocks in the state of `machine` to `list`.
    pub fn differences(
        &self,
        machine: &mut Machine<'_>,
        list: &mut Vec<Difference>,
    ) -> Result<(), RuntimeError> {
        self.clocks.iter().try_for_each(|atom| atom.differences(machine, list))
    }
}

impl ClockAtom {
    /// Adds the constraints that the atom means in the state of `machine`: none, one, or two for an equation.
    pub fn differences(
        &self,
        machine: &mut Machine<'_>,
        list: &mut Vec<Difference>,
    ) -> Result<(), RuntimeError> {
        if let Some(condition) = &self.when
            && !machine.holds(condition)?
        {
            return Ok(());
        }
        let limit = machine.value(&self.bound)?;
        if !(-MAX_BOUND..=MAX_BOUND).contains(&limit) {
            return Err(RuntimeError::BadClockValue(limit));
        }
        let left = Some(machine.clock(&self.left)?);
        let right = self.minus.as_ref().map(|clock| machine.clock(clock)).transpose()?;
        let upper = |is_strict| Difference { left, right, limit, is_strict };
        let lower = |is_strict| Difference { left: right, right: left, limit: -limit, is_strict };
        match self.relation {
            Relation::Less => list.push(upper(true)),
            Relation::LessEqual => list.push(upper(false)),
            Relation::Equal => list.extend([upper(false), lower(false)]),
            Relation::GreaterEqual => list.push(lower(false)),
            Relation::Greater => list.push(lower(true)),
        }
        Ok(())
    }
}

impl Difference {
    /// The constraint that holds exactly where this one does not.
    pub fn negated(self) -> Difference {
        Difference { left: self.right, right: self.left, limit: -self.limit, is_strict: !self.is_strict }
    }

    /// What must hold before `effects` so that this holds afterwards.
    pub fn before(self, effects: &[ClockEffect]) -> Difference {
        let set = |clock: Option<ClockId>| effects.iter().find(|effect| Some(effect.clock) == clock).copied();
        let (left, right) = (set(self.left), set(self.right));
        let known = |effect: Option<ClockEffect>| effect.map_or(0, |effect| effect.value);
        Difference {
            left: if left.is_some() { None } else { self.left },
            right: if right.is_some() { None } else { self.right },
            limit: self.limit - known(left) + known(right),
            is_strict: self.is_strict,
        }
    }

    /// Whether the values of clocks, in ticks of which `unit` are one time unit, satisfy the constraint.
    pub fn holds(self, clocks: &[i128], unit: i128) -> bool {
        let value = |clock: Option<ClockId>| clock.map_or(0, |clock| clocks[clock.index()]);
        let (difference, limit) = (value(self.left) - value(self.right), i128::from(self.limit) * unit);
        if self.is_strict { difference < limit } else { difference <= limit }
    }
}
