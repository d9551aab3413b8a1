//! Ranges with few numbers.
//!
//! A byte has 256 values and `x mod 10` has ten, which can be tried one after the other. Whoever does so has to know that there are no
//! others; that is what this module decides, from a formula or a term alone.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::{BitVec, ExprId, Op, Sort, Store, Value, VarId};

/// The greatest number of values that are few.
const MAX_VALUES: u64 = 1 << 16;

/// The numbers from a first to a last one, which are few. Bit-vectors are read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallRange {
    first: i64,
    last: i64,
}

impl SmallRange {
    /// A range in which all values of `term` are, if its operators limit it to few numbers.
    pub fn of_term(store: &Store, term: ExprId) -> Option<SmallRange> {
        Bounds::of_term(store, term).range()
    }

    /// All values of `sort`, if they are few.
    pub fn of_sort(sort: Sort) -> Option<SmallRange> {
        Bounds::of_sort(sort).range()
    }

    /// The variables that `formula` limits to few numbers each, in the order in which they occur.
    pub fn implied(store: &Store, formula: ExprId) -> Vec<(VarId, SmallRange)> {
        let mut vars: Vec<VarId> = Vec::new();
        let mut bounds: FxHashMap<VarId, Bounds> = FxHashMap::default();
        let mut pending = vec![(formula, true)];
        while let Some((formula, truth)) = pending.pop() {
            match (store.op(formula), truth) {
                (Op::Not, _) => pending.push((store.args(formula)[0], !truth)),
                (Op::And, true) | (Op::Or, false) => {
                    pending.extend(store.args(formula).iter().rev().map(|part| (*part, truth)));
                }
                _ => {
                    let Some((var, limit)) = Bounds::of_comparison(store, formula, truth) else { continue };
                    let known = bounds.entry(var).or_insert_with(|| {
                        vars.push(var);
                        Bounds::of_sort(store.var_sort(var))
                    });
                    *known = known.and(limit);
                }
            }
        }
        vars.into_iter().filter_map(|var| Some((var, bounds[&var].range()?))).collect()
    }

    /// How many numbers are in it.
    pub fn num_values(self) -> u64 {
        self.last.abs_diff(self.first) + 1
    }

    /// Its first number as a value of `sort`, and the range of the others.
    pub fn split_first(self, sort: Sort) -> (Value, Option<SmallRange>) {
        let value = match sort {
            Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), &BigInt::from(self.first))),
            _ => Value::int(self.first),
        };
        let others = (self.first < self.last).then(|| SmallRange { first: self.first + 1, last: self.last });
        (value, others)
    }
}

/// Numbers from a first to a last one, where these are known.
#[derive(Clone, Copy, Default)]
struct Bounds {
    first: Option<i64>,
    last: Option<i64>,
}

impl Bounds {
    fn new(first: i64, last: i64) -> Bounds {
        Bounds { first: Some(first), last: Some(last) }
    }

    fn of_sort(sort: Sort) -> Bounds {
        match sort {
            Sort::BitVec(width) if width.get() <= 32 => {
                let half = 1 << (width.get() - 1);
                Bounds::new(-half, half - 1)
            }
            _ => Bounds::default(),
        }
    }

    fn of_term(store: &Store, term: ExprId) -> Bounds {
        // Sums are taken apart; other operators are looked at by themselves, so that terms of any depth take little time.
        let sort = store.sort(term);
        let arguments = store.args(term);
        let known = match (store.op(term), &arguments[..]) {
            (Op::Const(_), _) => number(store, term).map(|number| Bounds::new(number, number)),
            (Op::Mod | Op::BvUrem, [_, divisor]) => number(store, *divisor)
                .filter(|divisor| *divisor > 0)
                .map(|divisor| Bounds::new(0, divisor - 1)),
            (Op::BvAnd, masks) => {
                let masks = masks.iter().filter_map(|mask| number(store, *mask));
                masks.filter(|mask| *mask >= 0).min().map(|mask| Bounds::new(0, mask))
            }
            (Op::ZeroExtend, [narrow]) => match store.sort(*narrow) {
                Sort::BitVec(width) if width.get() <= 32 => Some(Bounds::new(0, (1 << width.get()) - 1)),
                _ => None,
            },
            (Op::SignExtend, [narrow]) => Some(Bounds::of_sort(store.sort(*narrow))),
            (Op::Add, [left, right]) if sort == Sort::Int => shifted(store, *left, *right, i64::checked_add)
                .or_else(|| shifted(store, *right, *left, i64::checked_add)),
            (Op::Sub, [left, right]) if sort == Sort::Int => shifted(store, *left, *right, i64::checked_sub),
            _ => None,
        };
        known.unwrap_or_else(|| Bounds::of_sort(sort))
    }

    /// What a comparison of a variable with a literal says about the variable where it has this truth value.
    fn of_comparison(store: &Store, formula: ExprId, truth: bool) -> Option<(VarId, Bounds)> {
        let [left, right] = store.args(formula)[..] else { return None };
        let (var, literal, is_left) = match (store.as_var(left), store.as_var(right)) {
            (Some(var), None) => (var, number(store, right)?, true),
            (None, Some(var)) => (var, number(store, left)?, false),
            _ => return None,
        };
        // `var < literal` and so on; where it is false, sides and strictness change.
        let is_strict = match store.op(formula) {
            Op::Eq if truth => return Some((var, Bounds::new(literal, literal))),
            Op::Lt | Op::BvSlt => true,
            Op::Le | Op::BvSle => false,
            // Numbers that are not negative are in the same order; no other is below one of them.
            Op::BvUlt | Op::BvUle if literal >= 0 && is_left == truth => {
                let is_strict = (store.op(formula) == Op::BvUlt) == truth;
                let last = literal.checked_sub(i64::from(is_strict))?;
                return (last >= 0).then(|| (var, Bounds::new(0, last)));
            }
            _ => return None,
        };
        let (is_upper, is_strict) = (is_left == truth, is_strict == truth);
        let (first, last) = if is_upper {
            (None, Some(literal.checked_sub(i64::from(is_strict))?))
        } else {
            (Some(literal.checked_add(i64::from(is_strict))?), None)
        };
        Some((var, Bounds { first, last }))
    }

    fn and(self, other: Bounds) -> Bounds {
        Bounds {
            first: self.first.into_iter().chain(other.first).max(),
            last: self.last.into_iter().chain(other.last).min(),
        }
    }

    fn range(self) -> Option<SmallRange> {
        let (first, last) = (self.first?, self.last?);
        (first <= last && last.abs_diff(first) < MAX_VALUES).then_some(SmallRange { first, last })
    }
}

/// The bounds of a remainder plus or minus a literal.
fn shifted(
    store: &Store,
    remainder: ExprId,
    literal: ExprId,
    shift: fn(i64, i64) -> Option<i64>,
) -> Option<Bounds> {
    let by = number(store, literal)?;
    let (Op::Mod, [_, divisor]) = (store.op(remainder), &store.args(remainder)[..]) else { return None };
    let divisor = number(store, *divisor).filter(|divisor| *divisor > 0)?;
    Some(Bounds::new(shift(0, by)?, shift(divisor - 1, by)?))
}

/// The number that a literal is.
fn number(store: &Store, term: ExprId) -> Option<i64> {
    match store.value(term)? {
        Value::Int(number) => number.to_i64(),
        Value::BitVec(bits) => bits.signed().to_i64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;

    /// The numbers of a range, read as signed.
    fn numbers(range: SmallRange, sort: Sort) -> Vec<Value> {
        let mut values = Vec::new();
        let mut rest = Some(range);
        while let Some(range) = rest {
            let (value, others) = range.split_first(sort);
            values.push(value);
            rest = others;
        }
        assert_eq!(values.len() as u64, range.num_values());
        values
    }

    fn all_values(sort: Sort) -> Vec<Value> {
        match sort {
            Sort::BitVec(width) => {
                (0..1u32 << width.get()).map(|bits| Value::BitVec(BitVec::new(width.get(), bits))).collect()
            }
            _ => (-40..41).map(Value::int).collect(),
        }
    }

    fn literal(store: &Store, sort: Sort, number: i64) -> ExprId {
        match sort {
            Sort::BitVec(width) => {
                store.literal(Value::BitVec(BitVec::from_int(width.get(), &number.into())))
            }
            _ => store.int(number),
        }
    }

    fn comparisons(store: &Store, sort: Sort, x: ExprId, y: ExprId) -> Vec<ExprId> {
        let mut formulas = vec![store.eq(x, y)];
        match sort {
            Sort::Int => formulas.extend([store.lt(x, y), store.le(x, y)]),
            _ => formulas.extend([
                store.bv_slt(x, y),
                store.bv_sle(x, y),
                store.bv_ult(x, y),
                store.bv_ule(x, y),
            ]),
        }
        formulas
    }

    /// Every pair of comparisons with literals, on all values: a solution is never outside of the range.
    #[test]
    fn solutions_are_in_the_implied_range() {
        let store = Store::new();
        let mut num_ranges = 0;
        for sort in [Sort::Int, Sort::bitvec(4)] {
            let var = store.declare_fresh("x", sort);
            let x = store.var_expr(var);
            let mut formulas = Vec::new();
            for number in -8..8 {
                let constant = literal(&store, sort, number);
                for formula in comparisons(&store, sort, x, constant)
                    .into_iter()
                    .chain(comparisons(&store, sort, constant, x))
                {
                    formulas.extend([formula, store.not(formula)]);
                }
            }
            for (position, one) in formulas.iter().enumerate() {
                for other in formulas[position % 7..].iter().step_by(7) {
                    let pair =
                        [store.and(*one, *other), store.not(store.or(store.not(*one), store.not(*other)))];
                    for formula in pair {
                        for (_, range) in SmallRange::implied(&store, formula) {
                            num_ranges += 1;
                            let range = numbers(range, sort);
                            for value in all_values(sort) {
                                let holds = evaluate(&store, formula, &|_: VarId| Some(value.clone()));
                                assert!(
                                    holds != Ok(Value::Bool(true)) || range.contains(&value),
                                    "{value:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
        assert!(num_ranges > 1000, "{num_ranges}");
    }

    #[test]
    fn terms_have_values_in_their_range() {
        let store = Store::new();
        let (narrow, wide) = (Sort::bitvec(3), Sort::bitvec(6));
        let [x, b, n] = [("x", Sort::Int), ("b", wide), ("n", narrow)]
            .map(|(name, sort)| store.var_expr(store.declare_fresh(name, sort)));
        let seven = literal(&store, wide, 7);
        let remainder = store.modulo(x, store.int(5));
        let cases = [
            (remainder, 5),
            (store.sub(remainder, store.int(2)), 5),
            (store.add(store.int(9), remainder), 5),
            (store.bv_and(b, seven), 8),
            (store.bv_urem(b, seven), 7),
            (store.zero_extend(n, 6), 8),
            (store.sign_extend(n, 6), 8),
            (n, 8),
        ];
        for (term, expected) in cases {
            let range = SmallRange::of_term(&store, term).unwrap();
            assert_eq!(range.num_values(), expected);
            let range = numbers(range, store.sort(term));
            for number in -40..41 {
                let value =
                    |var: VarId| Some(store.value(literal(&store, store.var_sort(var), number)).unwrap());
                assert!(range.contains(&evaluate(&store, term, &value).unwrap()), "{term:?} {number}");
            }
        }
        let long = store.var_expr(store.declare_fresh("l", Sort::bitvec(17)));
        for term in
            [x, long, store.bv_or(long, long), store.modulo(x, store.int(-5)), store.add(x, remainder)]
        {
            assert_eq!(SmallRange::of_term(&store, term), None);
        }
    }
}
