//! Values that depend on the number of a round.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use thetis_expr::{BitVec, Sort, Value};

/// A value for each round `j`, from zero. Bit-vectors are numbers, as unsigned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// The integer or bit-vector `first + j * step`.
    Line { first: BigInt, step: BigInt },
    /// Always the same value, which is no integer and no bit-vector.
    Always(Value),
    /// Nobody knows.
    Unknown,
}

use Course::{Always, Line, Unknown};

/// For how many rounds, from the first one, something is right; `None` if always.
pub(super) type Rounds = Option<BigInt>;

impl Course {
    /// Always `value`.
    pub(super) fn of(value: &Value) -> Course {
        match value {
            Value::Int(number) => Course::number(number.clone()),
            Value::BitVec(bits) => Course::number(bits.unsigned().clone().into()),
            other => Always(other.clone()),
        }
    }

    pub(super) fn number(number: BigInt) -> Course {
        Line { first: number, step: BigInt::zero() }
    }

    pub(super) fn truth(truth: bool) -> Course {
        Always(Value::Bool(truth))
    }

    /// The simplest course from the first value of one to that of the other in the next round.
    pub(super) fn through(start: &Course, next: &Course) -> Course {
        match (start, next) {
            (Line { first, .. }, Line { first: next, .. }) => {
                Line { first: first.clone(), step: next - first }
            }
            (start, next) if start == next => start.clone(),
            _ => Unknown,
        }
    }

    /// The same course one round later.
    pub(super) fn next(&self) -> Course {
        match self {
            Line { first, step } => Line { first: first + step, step: step.clone() },
            other => other.clone(),
        }
    }

    /// The value in a round, if it is known.
    pub(super) fn value(&self, sort: Sort, round: &BigInt) -> Option<Value> {
        match (self, sort) {
            (Line { first, step }, Sort::BitVec(width)) => {
                Some(Value::BitVec(BitVec::from_int(width.get(), &(first + step * round))))
            }
            (Line { first, step }, _) => Some(Value::Int(first + step * round)),
            (Always(value), _) => Some(value.clone()),
            (Unknown, _) => None,
        }
    }

    /// The value, if it is the same in all rounds.
    pub(super) fn constant(&self, sort: Sort) -> Option<Value> {
        match self {
            Line { step, .. } if !step.is_zero() => None,
            other => other.value(sort, &BigInt::zero()),
        }
    }

    pub(super) fn as_truth(&self) -> Option<bool> {
        match self {
            Always(Value::Bool(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// The number, if it is the same in all rounds.
    pub(super) fn as_number(&self) -> Option<&BigInt> {
        match self {
            Line { first, step } if step.is_zero() => Some(first),
            _ => None,
        }
    }

    pub(super) fn plus(&self, other: &Course) -> Course {
        match (self, other) {
            (Line { first, step }, Line { first: other, step: others }) => {
                Line { first: first + other, step: step + others }
            }
            _ => Unknown,
        }
    }

    pub(super) fn plus_number(&self, number: &BigInt) -> Course {
        self.plus(&Course::number(number.clone()))
    }

    pub(super) fn times(&self, factor: &BigInt) -> Course {
        match self {
            Line { first, step } => Line { first: first * factor, step: step * factor },
            _ => Unknown,
        }
    }

    pub(super) fn minus(&self, other: &Course) -> Course {
        self.plus(&other.times(&-BigInt::one()))
    }

    /// Whether the number is negative in the first round, and for how many rounds it goes on like that.
    pub(super) fn is_negative(&self) -> Option<(bool, Rounds)> {
        let Line { first, step } = self else { return None };
        let is_negative = first.is_negative();
        let rounds = match is_negative {
            true if step.is_positive() => Some((-first).div_ceil(step)),
            false if step.is_negative() => Some(first.div_floor(&-step) + 1),
            _ => None,
        };
        Some((is_negative, rounds))
    }

    /// Whether the number is zero in the first round, and for how many rounds it goes on like that.
    pub(super) fn is_zero(&self) -> Option<(bool, Rounds)> {
        let Line { first, step } = self else { return None };
        if step.is_zero() {
            return Some((first.is_zero(), None));
        }
        if first.is_zero() {
            return Some((true, Some(BigInt::one())));
        }
        let (round, rest) = (-first).div_mod_floor(step);
        Some((false, (rest.is_zero() && round.is_positive()).then_some(round)))
    }

    /// The quotient and the remainder of a division by a positive number, rounding down, and for how many rounds they are right: if
    /// the divisor divides the step, always; otherwise as long as the quotient is that of the first round.
    pub(super) fn divide(&self, divisor: &BigInt) -> Option<(Course, Course, Rounds)> {
        let Line { first, step } = self else { return None };
        let (quotient, remainder) = first.div_mod_floor(divisor);
        if step.is_multiple_of(divisor) {
            let quotients = Line { first: quotient, step: step / divisor };
            return Some((quotients, Course::number(remainder), None));
        }
        let rounds = match step.is_positive() {
            true => (divisor - &remainder).div_ceil(step),
            false => remainder.div_floor(&-step) + 1,
        };
        let remainders = Line { first: remainder, step: step.clone() };
        Some((Course::number(quotient), remainders, Some(rounds)))
    }
}
