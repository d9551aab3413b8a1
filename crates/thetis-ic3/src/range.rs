//! Which integer variables and inputs the constraint keeps in a range.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Store, VarId};
use thetis_model::sts::Sts;

/// The least and the greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// Ranges with fewer values than this are small: formulas about them can list all values.
const SMALL_SIZE: i64 = 1024;
/// Larger ranges are not treated as bits.
const MAX_SIZE: i64 = 1 << 40;

impl Range {
    pub(crate) fn is_small(self) -> bool {
        self.high - self.low < SMALL_SIZE
    }

    /// How many bits tell the values apart.
    pub(crate) fn num_bits(self) -> usize {
        (64 - (self.high - self.low).leading_zeros()) as usize
    }
}

/// The ranges of integer variables and inputs that conjuncts such as `0 <= x` and `x <= 9` of the constraint state.
pub(crate) fn ranges(store: &Store, sts: &Sts) -> FxHashMap<VarId, Range> {
    let mut low: FxHashMap<VarId, i64> = FxHashMap::default();
    let mut high: FxHashMap<VarId, i64> = FxHashMap::default();
    for conjunct in store.conjuncts(sts.constraint) {
        match bound(store, conjunct) {
            Some(Bound::Low(var, value)) => {
                low.entry(var).and_modify(|low| *low = value.max(*low)).or_insert(value);
            }
            Some(Bound::High(var, value)) => {
                high.entry(var).and_modify(|high| *high = value.min(*high)).or_insert(value);
            }
            None => {}
        }
    }
    let range = |var: &VarId| {
        let range = Range { low: *low.get(var)?, high: *high.get(var)? };
        (range.low <= range.high && range.high - range.low < MAX_SIZE).then_some((*var, range))
    };
    sts.vars.iter().chain(&sts.inputs).filter_map(range).collect()
}

enum Bound {
    Low(VarId, i64),
    High(VarId, i64),
}

fn bound(store: &Store, conjunct: ExprId) -> Option<Bound> {
    let (comparison, is_negated) = match store.op(conjunct) {
        Op::Not => (store.arg(conjunct, 0), true),
        _ => (conjunct, false),
    };
    let is_strict = match store.op(comparison) {
        Op::Le => false,
        Op::Lt => true,
        _ => return None,
    };
    // `not (a < b)` is `b <= a`.
    let (mut small, mut large) = (store.arg(comparison, 0), store.arg(comparison, 1));
    if is_negated {
        (small, large) = (large, small);
    }
    let slack = i64::from(is_strict != is_negated);
    let number = |term: ExprId| {
        let value = store.value(term)?.as_int()?.to_i64()?;
        (value.abs() < 1 << 40).then_some(value)
    };
    match (store.as_var(small), store.as_var(large)) {
        (Some(var), None) => number(large).map(|value| Bound::High(var, value - slack)),
        (None, Some(var)) => number(small).map(|value| Bound::Low(var, value + slack)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_expr::Sort;
    use thetis_model::sts::StsBuilder;

    fn range_of(build: impl Fn(&Store, ExprId) -> ExprId) -> Option<(i64, i64)> {
        let store = Store::new();
        let var = store.declare("x", Sort::Int);
        let mut builder = StsBuilder::new("s");
        builder.var(var);
        builder.constraint(build(&store, store.var_expr(var)));
        let sts = builder.build(&store).unwrap();
        ranges(&store, &sts).get(&var).map(|range| (range.low, range.high))
    }

    #[test]
    fn ranges_are_found_in_conjuncts() {
        let within = |s: &Store, x, low: i64, high: i64| s.and(s.le(s.int(low), x), s.lt(x, s.int(high)));
        assert_eq!(range_of(|s, x| within(s, x, 0, 4)), Some((0, 3)));
        assert_eq!(range_of(|s, x| s.and(within(s, x, -2, 4), s.not(s.lt(x, s.int(1))))), Some((1, 3)));
        assert_eq!(range_of(|s, x| s.and(s.not(s.le(x, s.int(1))), s.le(x, s.int(5)))), Some((2, 5)));
        assert_eq!(range_of(|s, x| s.le(s.int(0), x)), None);
        assert_eq!(range_of(|s, x| within(s, x, 0, 5000)), Some((0, 4999)));
        assert_eq!(range_of(|s, x| within(s, x, 0, 1_i64 << 42)), None);
        assert_eq!([999, 1023, 1024].map(|high| Range { low: 0, high }.is_small()), [true, true, false]);
        assert_eq!(range_of(|s, x| s.or(within(s, x, 0, 4), s.lt(x, s.int(9)))), None);
    }

    #[test]
    fn bits_suffice_for_all_values() {
        let bits = |low, high| Range { low, high }.num_bits();
        assert_eq!([bits(0, 0), bits(3, 4), bits(-1, 2), bits(0, 4), bits(0, 16)], [0, 1, 2, 3, 5]);
    }
}
