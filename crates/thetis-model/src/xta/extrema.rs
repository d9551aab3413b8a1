//! Questions for the largest and smallest values of expressions.
//!
//! The supremum of a clock over the reachable states need not be the clock's value in any of them: it may only be approached, or
//! there may be none at all. A claim about it has two halves, and each can be checked: no reachable state exceeds it
//! ([`Extremum::exceeding`]), and a sequence of moves leads to a zone whose bound it is.

use super::{BinaryOp, ClockAtom, ClockRef, DataExpr, Formula, Participants, Relation};

/// Which values are asked for, and of what.
#[derive(Clone, Debug)]
pub struct Extrema {
    /// For each expression, in this order.
    pub sides: Vec<Extreme>,
    /// Only states with this count.
    pub within: Formula,
    /// The expressions.
    pub measures: Vec<Measure>,
}

/// The largest or the smallest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// The greatest lower bound.
    Infimum,
    /// The least upper bound.
    Supremum,
}

/// An expression whose values are asked for.
#[derive(Clone, Debug)]
pub struct Measure {
    /// As the user wrote it.
    pub text: String,
    /// What it is.
    pub kind: MeasureKind,
}

/// Something that has a value in every state.
#[derive(Clone, Debug)]
pub enum MeasureKind {
    /// A clock.
    Clock(ClockRef),
    /// An integer.
    Data(DataExpr),
}

/// A claim about an extreme value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extremum {
    /// The value.
    pub value: ExtremeValue,
    /// Moves to a zone that has this value as its bound.
    pub path: Vec<Participants>,
}

/// A least upper or greatest lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtremeValue {
    /// No state counts.
    Never,
    /// It is the value in some state.
    Attained(i32),
    /// Values come arbitrarily close to it.
    Approached(i32),
    /// Values grow without bound.
    Unbounded,
}

impl Extrema {
    /// The expressions and sides in the order in which a proof has their values.
    pub fn claims(&self) -> impl Iterator<Item = (&Measure, Extreme)> {
        self.measures.iter().flat_map(|measure| self.sides.iter().map(move |side| (measure, *side)))
    }
}

impl Extremum {
    /// The states that refute the claim.
    pub fn exceeding(&self, within: &Formula, measure: &Measure, side: Extreme) -> Formula {
        let (limit, is_attained) = match self.value {
            ExtremeValue::Never => return within.clone(),
            ExtremeValue::Unbounded => return Formula::Or(Vec::new()),
            ExtremeValue::Attained(limit) => (limit, true),
            ExtremeValue::Approached(limit) => (limit, false),
        };
        let relation = match (side, is_attained) {
            (Extreme::Supremum, true) => Relation::Greater,
            (Extreme::Supremum, false) => Relation::GreaterEqual,
            (Extreme::Infimum, true) => Relation::Less,
            (Extreme::Infimum, false) => Relation::LessEqual,
        };
        Formula::And(vec![within.clone(), measure.kind.compared(relation, limit)])
    }
}

impl Measure {
    /// Whether its values are real numbers.
    pub fn is_clock(&self) -> bool {
        matches!(self.kind, MeasureKind::Clock(_))
    }
}

impl ExtremeValue {
    /// Whether it is a number that is at least `limit`.
    pub fn is_from(self, limit: i32) -> bool {
        matches!(self, ExtremeValue::Attained(value) | ExtremeValue::Approached(value) if value >= limit)
    }
}

impl MeasureKind {
    /// The condition that the value is in `relation` to `limit`.
    pub fn compared(&self, relation: Relation, limit: i32) -> Formula {
        match self {
            MeasureKind::Clock(clock) => {
                let bound = DataExpr::Const(limit);
                Formula::Clock(ClockAtom { when: None, left: clock.clone(), minus: None, relation, bound })
            }
            MeasureKind::Data(expr) => {
                let (value, limit) = (expr.clone(), DataExpr::Const(limit));
                let (op, operands) = match relation {
                    Relation::Less => (BinaryOp::Less, (value, limit)),
                    Relation::LessEqual => (BinaryOp::LessEqual, (value, limit)),
                    Relation::Equal => (BinaryOp::Equal, (value, limit)),
                    Relation::GreaterEqual => (BinaryOp::LessEqual, (limit, value)),
                    Relation::Greater => (BinaryOp::Less, (limit, value)),
                };
                Formula::Data(DataExpr::Binary(op, Box::new(operands)))
            }
        }
    }
}
