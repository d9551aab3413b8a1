//! The signs of numbers whose values are unknown.
//!
//! Library functions often promise nothing else: the result of a comparison is negative, zero or positive, that of a test is zero
//! or not. When a run with unknown values is followed, signs are often enough to decide conditions.

use crate::{ExprId, Op, Store, Value, VarId};

/// The signs that a number may have. Bit-vectors are read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signs(u8);

impl Signs {
    /// Below zero.
    pub const NEGATIVE: Signs = Signs(1);
    /// Zero.
    pub const ZERO: Signs = Signs(2);
    /// Above zero.
    pub const POSITIVE: Signs = Signs(4);
    /// Any sign: nothing is known. Values that are not numbers have this.
    pub const ALL: Signs = Signs(7);

    /// The sign of a value.
    pub fn of(value: &Value) -> Signs {
        let order = match value {
            Value::Int(number) => number.cmp(&0.into()),
            Value::Real(number) => number.cmp(&crate::Rational::from_integer(0.into())),
            Value::BitVec(bits) => bits.signed().cmp(&0.into()),
            Value::Bool(_) | Value::Float(_) | Value::Array(_) => return Signs::ALL,
        };
        match order {
            std::cmp::Ordering::Less => Signs::NEGATIVE,
            std::cmp::Ordering::Equal => Signs::ZERO,
            std::cmp::Ordering::Greater => Signs::POSITIVE,
        }
    }

    /// The signs of either.
    #[must_use]
    pub fn or(self, other: Signs) -> Signs {
        Signs(self.0 | other.0)
    }

    /// The signs in both sets; all signs if the intersection is empty.
    #[must_use]
    pub fn and(self, other: Signs) -> Signs {
        if self.0 & other.0 == 0 { Signs::ALL } else { Signs(self.0 & other.0) }
    }

    fn each(self) -> impl Iterator<Item = Signs> {
        [Signs::NEGATIVE, Signs::ZERO, Signs::POSITIVE].into_iter().filter(move |sign| sign.0 & self.0 != 0)
    }

    /// The result of `op` on numbers with these signs, if they determine it. Always `None` for operators that
    /// do not compare numbers.
    pub fn compare(op: Op, left: Signs, right: Signs) -> Option<bool> {
        let decide: fn(Signs, Signs) -> Option<bool> = match op {
            Op::Eq => |left, right| match (left == right, left) {
                (true, Signs::ZERO) => Some(true),
                (true, _) => None,
                (false, _) => Some(false),
            },
            Op::Lt | Op::BvSlt => |left, right| match (left == right, left) {
                (true, Signs::ZERO) => Some(false),
                (true, _) => None,
                (false, _) => Some(left < right),
            },
            Op::Le | Op::BvSle => |left, right| match (left == right, left) {
                (true, Signs::ZERO) => Some(true),
                (true, _) => None,
                (false, _) => Some(left < right),
            },
            _ => return None,
        };
        let mut outcomes = left.each().flat_map(|left| right.each().map(move |right| decide(left, right)));
        let first = outcomes.next()??;
        outcomes.all(|outcome| outcome == Some(first)).then_some(first)
    }

    /// The variable that `formula` compares with a literal, and the signs that it can have if the outcome is `truth`.
    pub fn implied(store: &Store, formula: ExprId, truth: bool) -> Option<(VarId, Signs)> {
        let arguments = store.args(formula);
        let op = store.op(formula);
        if op == Op::Not {
            return Signs::implied(store, arguments[0], !truth);
        }
        let [left, right] = arguments[..] else { return None };
        let is_possible = |outcome: Option<bool>| outcome != Some(!truth);
        let (var, possible): (VarId, Vec<Signs>) = match (store.as_var(left), store.as_var(right)) {
            (Some(var), None) => {
                let literal = Signs::of(&store.value(right)?);
                (
                    var,
                    Signs::ALL
                        .each()
                        .filter(|sign| is_possible(Signs::compare(op, *sign, literal)))
                        .collect(),
                )
            }
            (None, Some(var)) => {
                let literal = Signs::of(&store.value(left)?);
                (
                    var,
                    Signs::ALL
                        .each()
                        .filter(|sign| is_possible(Signs::compare(op, literal, *sign)))
                        .collect(),
                )
            }
            _ => return None,
        };
        let signs = possible.into_iter().reduce(Signs::or)?;
        Some((var, signs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, apply};

    /// Comparisons of two variables of each sort.
    fn comparisons(store: &Store, sort: Sort) -> Vec<ExprId> {
        let [x, y] = ["x", "y"].map(|name| store.var_expr(store.declare_fresh(name, sort)));
        match sort {
            Sort::Int => vec![store.eq(x, y), store.lt(x, y), store.le(x, y)],
            _ => vec![store.eq(x, y), store.bv_slt(x, y), store.bv_sle(x, y), store.bv_ult(x, y)],
        }
    }

    fn values(sort: Sort) -> Vec<Value> {
        match sort {
            Sort::Int => (-3..4).map(Value::int).collect(),
            _ => (0..8u32).map(|bits| Value::BitVec(crate::BitVec::new(3, bits))).collect(),
        }
    }

    #[test]
    fn comparisons_of_signs_are_right_about_all_numbers() {
        let store = Store::new();
        let mut num_decided = 0;
        for sort in [Sort::Int, Sort::bitvec(3)] {
            for comparison in comparisons(&store, sort) {
                for (left, right) in
                    (1..8).flat_map(|left| (1..8).map(move |right| (Signs(left), Signs(right))))
                {
                    let Some(claim) = Signs::compare(store.op(comparison), left, right) else { continue };
                    num_decided += 1;
                    for x in values(sort).iter().filter(|x| Signs::of(x).0 & left.0 != 0) {
                        for y in values(sort).iter().filter(|y| Signs::of(y).0 & right.0 != 0) {
                            assert_eq!(apply(&store, comparison, &[x, y]), Value::Bool(claim));
                        }
                    }
                }
            }
        }
        assert!(num_decided > 30, "{num_decided}");
    }

    #[test]
    fn implied_signs_are_those_of_all_solutions() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let term = store.var_expr(x);
        for number in -2..3 {
            let literal = store.int(number);
            let formulas = [store.lt(term, literal), store.lt(literal, term), store.le(term, literal)];
            for formula in formulas.into_iter().chain([store.eq(term, literal)]) {
                for formula in [formula, store.not(formula)] {
                    let (_, signs) = Signs::implied(&store, formula, true).unwrap();
                    for value in (-4..5).map(Value::int) {
                        let holds = crate::evaluate(&store, formula, &|_: VarId| Some(value.clone()));
                        if holds == Ok(Value::Bool(true)) {
                            assert_ne!(Signs::of(&value).0 & signs.0, 0, "{value:?}");
                        }
                    }
                }
            }
        }
    }
}
